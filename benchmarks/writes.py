"""What a write of one row or element into [n, 64] takes, in microseconds, by n: dynamic mode, gradients, static functions, loops.

    python benchmarks/writes.py [--most 65536] [ROW ...]
    python benchmarks/writes.py --all [--most 65536] [ROW ...]
    python benchmarks/writes.py --memory 512

Each time is the best of five series. The largest size should take at most three times the smallest: a write costs what it writes.
``--all``: every kind of write in every way to call it, the smallest size and the largest only. ``--memory``: what processes with a
cache of that many megabytes need at most while they write to it.
"""

from __future__ import annotations

import argparse
import linecache
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import to_static as paddle
from to_static.inference import Config, create_predictor
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


BODIES = """
c[i, 3] = 1.0
c[i] = v
c[i] = c[i - 1] + v
c[i:i + 2] += v
c[i:i + 8:2] = v
c[2:10:2] = v
c.scatter_(i.reshape([1]), v.reshape([1, 64]))
c.index_put_((i.reshape([1]),), v.reshape([1, 64]))
c.index_add_(i.reshape([1]), 0, v.reshape([1, 64]))
c.put_along_axis_(i.reshape([1, 1]).expand([1, 64]), v.reshape([1, 64]), 0)
c[i.reshape([1])] = v
c[i].fill_(2.0)
c[i].masked_fill_(v > 0.5, 3.0)
c[i][v > 0.5] = 0.0
c[2:4].set_value(paddle.stack([v, v]))
c[i] = v; r = c[i] * 2.0; c[i - 1] = r
c[i] = v; r = paddle.matmul(v, c[:i + 1], transpose_y=True); v = v + r.sum()
self.inner.rows[i] = v; c[i] = v
self.several[0][i] = v; self.several[1][i] = v
if v.sum() > 0:; |c[i] = v; else:; |c[i - 1] = v
t = i * 0; while t < 3:; |c[t + 1] = c[t] + v; |t = t + 1
t = i * 0; while t < 3:; |s = i * 0; |while s < 2:; ||c[t + s] = v; ||s = s + 1; |t = t + 1
for t in range(i * 0 + 3):; |c[t + 1] = c[t] + v
""".strip().splitlines()  # `;` ends a line, `|` is one level inside


class Inner(paddle.nn.Layer):
    """A layer within one, with rows of its own."""

    def __init__(self, n: int) -> None:
        super().__init__()
        self.register_buffer("rows", paddle.zeros([n, COLUMNS]))


class Outer(Inner):
    """A layer with a weight, and caches: its own, that of a layer in it, and a list of them."""

    def __init__(self, n: int, text: str) -> None:
        super().__init__(n)
        self.inner = Inner(n if "inner" in text else 1)
        self.several = [paddle.zeros([n if "several" in text else 1, COLUMNS]) for _ in range(2)]
        self.scale = self.create_parameter([COLUMNS], default_initializer=paddle.nn.initializer.Constant(1.0))


def layer_of(body: str, through: bool, n: int) -> Any:
    """A layer that writes so; ``through``: what is written has a gradient."""
    steps = [" " * 8 + part.strip().replace("|", "    ") for part in body.split(";")]
    value = ["v = v * self.scale", "c, k = self.rows, v", *([] if through else ["v = v.detach()"])]
    lines = ["class Writing(Outer):", "    def forward(self, v, i):", *(" " * 8 + line for line in value), *steps]
    text = "\n".join([*lines, "        return (k * c[:16]).sum()"])
    name, space = f"<{body} {through}>", {"Outer": Outer, "paddle": paddle, "__name__": "writing"}
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    exec(compile(text, name, "exec"), space)
    return space["Writing"](n, body)


def called(layer: Any, no_grad: bool = False) -> Callable[[int], Any]:
    """Calls of a layer."""
    v, places = paddle.ones([COLUMNS]), [paddle.to_tensor(i) for i in range(TURNS)]

    def call(i: int) -> Any:
        with paddle.set_grad_enabled(not no_grad):
            return layer(v, places[i])

    return call


def in_file(layer: Any, folder: str) -> str:
    """The path under which a layer is saved."""
    paddle.jit.save(layer, f"{folder}/net", input_spec=[InputSpec([COLUMNS], "float32", "v"), InputSpec([], "int64", "i")])
    return f"{folder}/net"


def from_file(layer: Any, folder: str, predicts: bool = False) -> Callable[[int], Any]:
    """Calls of what is saved, as a Layer or a predictor."""
    path = in_file(layer, folder)
    if not predicts:
        model = paddle.jit.load(path)
        model.eval()
        return called(model)
    predictor, v = create_predictor(Config(path + ".pdmodel", path + ".pdiparams")), np.ones(COLUMNS, "float32")
    places = [np.asarray(i) for i in range(TURNS)]
    return lambda i: predictor.run([v, places[i]])


WAYS: dict[str, Callable[[str, int, str], Callable[[int], Any]]] = {
    "dynamic": lambda body, n, folder: called(layer_of(body, False, n), True),
    "dynamic, gradients": lambda body, n, folder: called(layer_of(body, False, n)),
    "dynamic, through it": lambda body, n, folder: called(layer_of(body, True, n)),
    "static": lambda body, n, folder: called(paddle.jit.to_static(layer_of(body, False, n)), True),
    "static, gradients": lambda body, n, folder: called(paddle.jit.to_static(layer_of(body, False, n))),
    "static, through it": lambda body, n, folder: called(paddle.jit.to_static(layer_of(body, True, n))),
    "loaded": lambda body, n, folder: from_file(layer_of(body, False, n), folder),
    "predictor": lambda body, n, folder: from_file(layer_of(body, False, n), folder, True),
}


def every_way(max_size: int, words: list[str]) -> None:
    """Print the table of all writes in all ways; `-`: a write that files have no place for."""
    print(f"{'microseconds, n = 64 and most':48s}", *(f"{way:>20s}" for way in WAYS))
    for body in BODIES:
        if words and not any(word in body for word in words):
            continue
        cells = []
        for make in WAYS.values():
            with tempfile.TemporaryDirectory() as folder:
                try:
                    one, large_time = (microseconds(make(body, n, folder)) for n in (SIZES[0], max_size))
                    cells.append(f"{one:7.0f}{large_time:7.0f}{large_time / one:6.2f}")
                except paddle.core.errors.ToStaticError:
                    cells.append("-")
        print(f"{body[:48]:48s}", *(f"{cell:>20s}" for cell in cells), flush=True)


def memory(megabytes: int, words: list[str]) -> None:
    """Print what processes need at most: with a cache, and with a small one, from the file that a third one wrote."""
    if words:
        way, body, path = words
        n = 64 if megabytes == 0 else megabytes * (1 << 20) // (4 * COLUMNS)
        if path and not Path(path + ".pdmodel").exists():
            in_file(layer_of(body, False, n), str(Path(path).parent))
            return
        if way == "loaded":
            call = called(paddle.jit.load(path))
        elif way == "predictor":
            predictor = create_predictor(Config(path + ".pdmodel", path + ".pdiparams"))
            call = lambda i: predictor.run([np.ones(COLUMNS, "float32"), np.asarray(i)])  # noqa: E731
        else:
            call = WAYS[way](body, n, "")
        for i in range(1, 8):
            call(i)
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
        return
    print(f"{'megabytes at most, of a cache of ' + str(megabytes):40s}", *(f"{way:>20s}" for way in WAYS))
    for body in (BODIES[1], BODIES[-3]):
        cells = []
        for way in WAYS:
            found = []
            for size in (0, megabytes):
                with tempfile.TemporaryDirectory() as folder:
                    path = f"{folder}/net" if way in ("loaded", "predictor") else ""
                    command = [sys.executable, "-W", "ignore", __file__, "--memory", str(size), way, body, path]
                    for _ in range(2 if path else 1):
                        told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
                    found.append(int(told))
            cells.append(f"{found[1] - found[0]}")
        print(f"{body[:40]:40s}", *(f"{cell:>20s}" for cell in cells), flush=True)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=SIZES[-1])
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--memory", type=int)
    parser.add_argument("rows", nargs="*")
    given = parser.parse_args()
    if given.memory is not None:
        memory(given.memory, given.rows)
    elif given.all:
        every_way(given.most, given.rows)
    else:
        by_sizes(given.most, given.rows)


def by_sizes(max_size: int, words: list[str]) -> None:
    """Print the table of some writes, by size."""
    sizes = [n for n in SIZES if n <= max_size]
    print(f"{'microseconds, n =':40s}", *(f"{n:9d}" for n in sizes), "  largest / smallest")
    for name in [*ROWS, "in a static loop, per turn"]:
        if words and not any(word in name for word in words):
            continue
        times = [microseconds(ROWS[name](n)) if name in ROWS else loop(n) for n in sizes]
        print(f"{name:40s}", *(f"{t:9.1f}" for t in times), f"{times[-1] / times[0]:10.2f}", flush=True)


if __name__ == "__main__":
    main()
