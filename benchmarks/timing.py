"""Timing several ways of doing one thing side by side.

Rounds are interleaved (every way runs in every round, in turn), so that a busy machine disturbs all of them alike; what
counts are the ratios within a round, of which the median is reported, and the ratio of the best times.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy is imported


CLOCKS = {"wall": time.perf_counter, "processor": time.process_time}  # the second one does not count what others do meanwhile


def seconds_of(way: Callable[[], Any], calls: int) -> float:
    """Seconds for so many calls. A way that runs in another process has a method ``timed`` that tells."""
    timed = getattr(way, "timed", None)
    if timed is not None:
        return timed(calls)
    repeat, clock = range(calls), CLOCKS[os.environ.get("BENCH_CLOCK", "wall")]
    start = clock()
    for _ in repeat:
        way()
    return clock() - start


def measure(ways: dict[str, Callable[[], object]], seconds: float = 2.0, rounds: int = 40) -> dict[str, list[float]]:
    """Seconds per call of each way, one number per round."""
    calls = {}
    for name, way in ways.items():
        seconds_of(way, 1)
        once = max(seconds_of(way, 1), 1e-7)
        calls[name] = max(1, int(seconds / rounds / len(ways) / once))
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, way in ways.items():
            times[name].append(seconds_of(way, calls[name]) / calls[name])
    return times


def summary(times: dict[str, list[float]], base: str) -> dict[str, dict[str, float]]:
    """Of each way: best and median seconds, and the ratio to ``base`` (median of the rounds; of the best times)."""
    found = {}
    for name, samples in times.items():
        found[name] = {
            "best": min(samples),
            "median": statistics.median(samples),
            "ratio": statistics.median(a / b for a, b in zip(samples, times[base], strict=True)),
            "best_ratio": min(samples) / min(times[base]),
        }
    return found


def report(title: str, ways: dict[str, Callable[[], object]], base: str, seconds: float = 2.0) -> dict[str, float]:
    """Print a table of times and of ratios to the way called ``base``; returns the ratios."""
    found = summary(measure(ways, seconds), base)
    print(f"\n{title}")
    print(f"  {'':34s} {'median us':>10s} {'best us':>9s}   x {base}")
    for name, row in found.items():
        print(f"  {name:34s} {row['median'] * 1e6:10.2f} {row['best'] * 1e6:9.2f}   {row['ratio']:.2f}", flush=True)
    return {name: row["ratio"] for name, row in found.items()}
