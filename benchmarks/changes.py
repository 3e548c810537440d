"""What static functions cost while something changes from call to call: another number, attribute, global, tensor, layer, size.

    python benchmarks/changes.py [words of the rows that are wanted]

Six `Linear` of 16, batch 4. Static and dynamic calls take turns in rounds; after 150 calls each to warm up, the mean of the next
150. What counts: static / dynamic. The results of both are compared at every call. The rows are in ``situations``.
"""

from __future__ import annotations

import contextlib
import gc
import io
import os
import random
import statistics
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import timing  # isort: skip (it fixes the number of BLAS threads, before NumPy looks)

import numpy as np
from situations import base, calls, everyday, programs, surroundings  # noqa: F401  (their rows are in `base.SITUATIONS`)

import to_static as paddle

clock = timing.CLOCKS[os.environ.get("BENCH_CLOCK", "wall")]
ROUND = 10


def run(make: Callable[[Callable[[Any], Any]], Callable[[int], Any]]) -> tuple[float, float, float]:
    """Seconds of a dynamic and of a static call in the mean, and the largest difference of their results."""
    ways = [make(lambda net: net), make(paddle.jit.to_static)]
    draws = random.Random(0)
    seconds: list[list[float]] = [[], []]
    worst = 0.0
    for start in range(0, base.WARM + base.COUNTED, ROUND):
        results: list[list[Any]] = [[], []]
        for way in draws.sample((0, 1), 2):
            begin = clock()
            for i in range(start, start + ROUND):
                results[way].append(ways[way](i))
            seconds[way].append((clock() - begin) / ROUND)
        for one, expected in zip(*results, strict=True):
            a, b = one.numpy(), expected.numpy()
            worst = max(worst, float(np.abs(a - b).max(initial=0.0)) if a.shape == b.shape else np.inf)
    counted = base.WARM // ROUND
    return statistics.mean(seconds[0][counted:]), statistics.mean(seconds[1][counted:]), worst


def rows(wanted: list[str]) -> Iterator[tuple[str, float, float, float]]:
    """The rows whose names have one of the wanted words; all without any."""
    for name, make in base.SITUATIONS.items():
        if not wanted or any(word in name for word in wanted):
            with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):
                warnings.simplefilter("ignore")
                gc.unfreeze()  # a full collection looks at what all rows before have left: .1 to 1 ms for each call of this row
                gc.collect()
                gc.freeze()
                yield name, *run(make)


def main() -> None:
    """Print the table."""
    print(
        f"{'what changes from call to call':52s} {'dynamic us':>10s} {'static us':>10s} {'ratio':>8s}  largest difference"
    )
    for name, dynamic, static, worst in rows(sys.argv[1:]):
        print(f"{name:52s} {dynamic * 1e6:10.1f} {static * 1e6:10.1f} {static / dynamic:8.2f}  {worst:.1e}", flush=True)


if __name__ == "__main__":
    main()
