"""The benchmark suite: every workload of `workloads.py`, interleaved with NumPy written by hand and with other frameworks.

    python benchmarks/suite.py [NAME ...] [--threads 1 2] [--peer PYTHON ...] [--seconds 3] [--write]

Each workload runs in a process of its own for each number of threads. ``--peer`` names the interpreter of an environment with
another framework: PaddlePaddle, PyTorch, JAX, ONNX Runtime (with `onnx`). ``--clock processor``: for busy machines.
``--write`` puts the tables into docs/performance.md, and a picture of each number of threads beside it.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

import plot
from plot import OURS

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent / "docs" / "performance.md"
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
CODE = ("OPENBLAS_CORETYPE", "NPY_DISABLE_CPU_FEATURES", "OPENBLAS_L2_SIZE")  # which code NumPy runs, where somebody has chosen it
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


def one(name: str, peers: list[str], seconds: float) -> dict[str, Any]:
    """Measure one workload in this process."""
    import peers as remote
    import timing
    import workloads

    workloads.paddle.seed(0)
    workload = workloads.WORKLOADS[name]()
    arrays = str(workloads.FOLDER / "arrays.npz")
    workloads.put_down(workload, workloads.check(workload), arrays)
    ways = dict(workload.ways)
    for python in peers:
        ways.update(remote.start(python, name, arrays))
    return {"title": workload.title, "ways": timing.summary(timing.measure(ways, seconds), "limit")}


def measured(name: str, threads: int, peers: list[str], seconds: float) -> dict[str, Any] | None:
    """Measure one workload in a process of its own; None where it failed (which is told)."""
    environment: dict[str, str] = {**os.environ, **dict.fromkeys(THREADS, str(threads))}
    command = [sys.executable, str(HERE / "suite.py"), "--one", name, "--seconds", str(seconds), "--peer", *peers]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    told = done.stderr.strip().splitlines()
    if done.returncode:
        print(f"{name}, {threads} threads: {told[-1]}", file=sys.stderr)
        return None
    for line in told:
        print(f"left out: {line}", file=sys.stderr, flush=True)
    return json.loads(done.stdout.splitlines()[-1])


def machine() -> str:
    """The processor, the versions that matter, and what the environment makes of them."""
    import numpy

    model = platform.processor() or platform.machine()
    if Path("/proc/cpuinfo").exists():
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        model = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), model)
    told = "".join(f", {name}={os.environ[name]}" for name in CODE if os.environ.get(name))
    return f"{model}, Python {platform.python_version()}, NumPy {numpy.__version__}{told}"


def table(rows: list[dict[str, Any]], time: str, ratio: str) -> list[str]:
    """Milliseconds and ratios of one kind: the best of the rounds, or their medians."""
    other_ways = list(dict.fromkeys(name for row in rows for name in row["ways"] if name not in OURS and name != "limit"))
    columns = ["limit", *OURS, *other_ways]
    last = ["ours / limit", *(["ours / fastest other"] if other_ways else [])]
    lines = ["| workload | " + " | ".join([*columns, *last]) + " |", "|---" * (len(columns) + len(last) + 1) + "|"]
    for row in rows:
        ways = row["ways"]
        cells = [f"{ways[c][time] * 1e3:.4g}" if c in ways else "" for c in columns]
        best = min(ways[c][ratio] for c in OURS if c in ways)
        cells.append(f"{best:.2f}")
        if other_ways:
            fastest = min((ways[c][ratio] for c in other_ways if c in ways), default=None)
            cells.append("" if fastest is None else f"{best / fastest:.2f}")
        lines.append(f"| {row['title']} | {' | '.join(cells)} |")
    return lines


def page(results: dict[int, list[dict[str, Any]]], processes: dict[str, dict[str, float]], clock: str = "wall") -> str:
    """The measured part of docs/performance.md."""
    busy = " It was busy with other things, so this is processor time." if clock == "processor" else ""
    lines = [BEGIN, "", f"Measured on {machine()}, {datetime.date.today().isoformat()}.{busy}", ""]
    for threads, rows in results.items():
        if rows:
            name = f"{threads} thread{'s' * (threads > 1)}"
            lines += [f"### {name}: milliseconds per call, best of the rounds", "", *table(rows, "best", "best_ratio"), ""]
            lines += [f"![Times over the limit's, {name}]({picture(threads).name})", ""]
            lines += [f"### {name}: medians of the rounds", "", *table(rows, "median", "ratio"), ""]
    if processes:
        lines += ["### Fresh processes: best seconds, and the peak of memory", "", "| | seconds | peak MB |", "|---|---|---|"]
        lines += [f"| {name} | {row['seconds']:.3f} | {row['peak']:.0f} |" for name, row in processes.items()]
        lines.append("")
    return "\n".join([*lines, END])


def picture(threads: int) -> Path:
    """Where the picture of one number of threads is."""
    return PAGE.with_name(f"performance-{threads}.svg")


def write(text: str, results: dict[int, list[dict[str, Any]]]) -> None:
    """Put the measured part into the page in place of the old one, and draw the pictures that it shows."""
    old = PAGE.read_text()
    head, tail = old.split(BEGIN)
    PAGE.write_text(head + text + tail.split(END)[1])
    for threads, rows in results.items():
        if rows:
            title = f"Best time over the limit's (NumPy by hand), {threads} thread{'s' * (threads > 1)}: left is quicker"
            picture(threads).write_text(plot.svg(title, rows))


def main() -> int:
    """Run what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--threads", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--peer", nargs="*", default=[])
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--clock", choices=["wall", "processor"], default="wall")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--one")
    given = parser.parse_args()
    if given.one:
        print(json.dumps(one(given.one, given.peer, given.seconds)))
        return 0
    os.environ["BENCH_CLOCK"] = given.clock
    import processes
    import workloads

    names = given.names or [*workloads.WORKLOADS, "processes"]
    results: dict[int, list[dict[str, Any]]] = {n: [] for n in given.threads}
    for name in names:
        for threads in given.threads if name != "processes" else ():
            row = measured(name, threads, given.peer, given.seconds)
            if row is not None:
                results[threads].append(row)
                told = "  ".join(f"{w} {v['best'] * 1e3:.4g} ({v['best_ratio']:.2f})" for w, v in row["ways"].items())
                print(f"{row['title']}, {threads} threads: {told}", flush=True)
    fresh = processes.collect() if "processes" in names else {}
    for name, found in fresh.items():
        print(f"{name}: {found['seconds']:.3f} s, {found['peak']:.0f} MB", flush=True)
    if given.write:
        write(page(results, fresh, given.clock), results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
