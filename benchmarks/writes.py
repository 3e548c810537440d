"""What a write of one row or element into [n, 64] takes, in microseconds, by n: dynamic mode, gradients, static functions, loops.

    python benchmarks/writes.py [--most 65536] [ROW ...]

Each time is the best of five series. The largest size should take at most three times the smallest: a write costs what it writes.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import to_static as paddle
from to_static.static import InputSpec

SIZES = (64, 4096, 65536, 524288)
COLUMNS, TURNS = 64, 40


class Cache(paddle.nn.Layer):
    """A layer that keeps rows, in a buffer or in a plain attribute."""

    def __init__(self, n: int, buffer: bool) -> None:
        super().__init__()
        if buffer:
            self.register_buffer("rows", paddle.zeros([n, COLUMNS]))
        else:
            self.rows = paddle.zeros([n, COLUMNS])

    def forward(self, x: Any, i: Any) -> Any:
        """Keep a row, and look at a few."""
        self.rows[i] = x
        return paddle.matmul(x, self.rows[:16], transpose_y=True)


def element(n: int) -> Callable[[int], Any]:
    """One element."""
    c = paddle.zeros([n, COLUMNS])
    return lambda i: c.__setitem__((i, 3), 1.0)


def row(n: int) -> Callable[[int], Any]:
    """One row."""
    c, v = paddle.zeros([n, COLUMNS]), paddle.ones([COLUMNS])
    return lambda i: c.__setitem__(i, v)


def row_of_the_last(n: int) -> Callable[[int], Any]:
    """A row of the one before, as in tables of dynamic programming."""
    c, v = paddle.zeros([n, COLUMNS]), paddle.ones([COLUMNS])
    return lambda i: c.__setitem__(i, c[i - 1] + v)


def added(n: int) -> Callable[[int], Any]:
    """Rows that are added to."""
    c, v = paddle.zeros([n, COLUMNS]), paddle.ones([COLUMNS])
    return lambda i: c.__setitem__(slice(i, i + 2), c[i : i + 2] + v)


def scatter_(n: int) -> Callable[[int], Any]:
    """Rows by their numbers."""
    c, v = paddle.zeros([n, COLUMNS]), paddle.ones([1, COLUMNS])
    places = [paddle.to_tensor([i]) for i in range(TURNS)]
    return lambda i: c.scatter_(places[i], v)


def with_gradient(n: int) -> Callable[[int], Any]:
    """A row through which gradients flow."""
    c, w = paddle.zeros([n, COLUMNS]), paddle.ones([COLUMNS])
    w.stop_gradient = False
    return lambda i: c.__setitem__(i, w * 2)


def attention(n: int) -> Callable[[int], Any]:
    """A row of a cache of keys, and attention over those so far."""
    c, v = paddle.zeros([n, COLUMNS]), paddle.ones([COLUMNS])

    def step(i: int) -> Any:
        c[i] = v
        return paddle.matmul(v, c[: i + 1], transpose_y=True)

    return step


def of_static_layer(buffer: bool) -> Callable[[int], Callable[[int], Any]]:
    """A row of what a static layer keeps."""

    def make(n: int) -> Callable[[int], Any]:
        layer, v = paddle.jit.to_static(Cache(n, buffer)), paddle.ones([COLUMNS])
        places = [paddle.to_tensor(i) for i in range(TURNS)]
        return lambda i: layer(v, places[i])

    return make


def argument(n: int) -> Callable[[int], Any]:
    """A row of an argument of a static function."""

    def write(c: Any, v: Any, i: Any) -> Any:
        c[i] = v
        return v.sum()

    static, c, v = paddle.jit.to_static(write), paddle.zeros([n, COLUMNS]), paddle.ones([COLUMNS])
    places = [paddle.to_tensor(i) for i in range(TURNS)]
    return lambda i: static(c, v, places[i])


def loaded(n: int) -> Callable[[int], Any]:
    """A row of a loaded model's cache."""
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "cache")
        layer = paddle.jit.to_static(Cache(n, True), input_spec=[InputSpec([COLUMNS]), InputSpec([], "int64")])
        paddle.jit.save(layer, path)
        model, v = paddle.jit.load(path), paddle.ones([COLUMNS])
    model.eval()
    places = [paddle.to_tensor(i) for i in range(TURNS)]
    return lambda i: model(v, places[i])


ROWS: dict[str, Callable[[int], Callable[[int], Any]]] = {
    "c[i, j] = 1.0": element, "c[i] = row": row, "c[i] = c[i - 1] + v": row_of_the_last, "c[a:b] += v": added, "scatter_": scatter_,
    "c[i] = w * 2, with gradient": with_gradient, "c[i] = k; attention over c[:i + 1]": attention,
    "static layer, buffer": of_static_layer(True), "static layer, attribute": of_static_layer(False),
    "static function, argument": argument, "loaded model": loaded,
}  # fmt: skip


def microseconds(call: Callable[[int], Any]) -> float:
    """The best time of a call."""
    best = float("inf")
    for _ in range(6):
        start = time.perf_counter()
        for i in range(1, TURNS):
            call(i)
        best = min(best, (time.perf_counter() - start) / (TURNS - 1))
    return best * 1e6


def loop(n: int) -> float:
    """A row of the one before in a loop of a static function, per turn: the copy that the loop begins with does not count."""

    def fill(c: Any, v: Any, turns: Any) -> Any:
        i = paddle.to_tensor(1)
        while i < turns:
            c[i % 60 + 1] = c[i % 60] + v
            i = i + 1
        return c

    static, c, v = paddle.jit.to_static(fill, full_graph=True), paddle.zeros([n, COLUMNS]), paddle.ones([COLUMNS])
    times = []
    for turns in (2000, 4000):
        best = float("inf")
        for _ in range(4):
            given, count = c * 1.0, paddle.to_tensor(turns)
            start = time.perf_counter()
            static(given, v, count)
            best = min(best, time.perf_counter() - start)
        times.append(best)
    return (times[1] - times[0]) / 2000 * 1e6


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=SIZES[-1])
    parser.add_argument("rows", nargs="*")
    given = parser.parse_args()
    sizes = [n for n in SIZES if n <= given.most]
    print(f"{'microseconds, n =':40s}", *(f"{n:9d}" for n in sizes), "  largest / smallest")
    for name in [*ROWS, "in a static loop, per turn"]:
        if given.rows and not any(word in name for word in given.rows):
            continue
        times = [microseconds(ROWS[name](n)) if name in ROWS else loop(n) for n in sizes]
        print(f"{name:40s}", *(f"{t:9.1f}" for t in times), f"{times[-1] / times[0]:10.2f}", flush=True)


if __name__ == "__main__":
    main()
