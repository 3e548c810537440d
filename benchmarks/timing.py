"""Timing several ways of doing one thing side by side.

Rounds are interleaved (every way runs in every round, in turn), so that a busy machine disturbs all of them alike; what
counts are the ratios within a round, of which the median is reported.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy is imported


def measure(ways: dict[str, Callable[[], object]], seconds: float = 2.0, rounds: int = 40) -> dict[str, list[float]]:
    """Seconds per call of each way, one number per round."""
    calls = {}
    for name, way in ways.items():
        way()
        start = time.perf_counter()
        way()
        once = max(time.perf_counter() - start, 1e-7)
        calls[name] = max(1, int(seconds / rounds / len(ways) / once))
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, way in ways.items():
            repeat = range(calls[name])
            start = time.perf_counter()
            for _ in repeat:
                way()
            times[name].append((time.perf_counter() - start) / calls[name])
    return times


def report(title: str, ways: dict[str, Callable[[], object]], base: str, seconds: float = 2.0) -> dict[str, float]:
    """Print a table of times and of ratios to the way called ``base``; returns the ratios."""
    times = measure(ways, seconds)
    print(f"\n{title}")
    print(f"  {'':34s} {'median us':>10s} {'best us':>9s}   x {base}")
    ratios = {}
    for name, found in times.items():
        ratios[name] = statistics.median(a / b for a, b in zip(found, times[base], strict=True))
        print(f"  {name:34s} {statistics.median(found) * 1e6:10.2f} {min(found) * 1e6:9.2f}   {ratios[name]:.2f}")
    return ratios
