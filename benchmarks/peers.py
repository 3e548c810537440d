"""Other frameworks, each in a Python of its own: a process that runs a workload when told to, so that rounds stay interleaved.

    PYTHON_OF_THE_PEER benchmarks/peers.py NAME ARRAYS.npz < commands

It builds the net with the weights in the file, and compares what it computes with the numbers there. Then it writes a line for each
way that it knows, ``# reason`` for what it leaves out, an empty line, and answers every line ``WAY N`` with the seconds that N
calls take. This file is run by the peer's Python, and needs only NumPy and one of the frameworks that `frameworks` knows.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

CLOCKS = {"wall": time.perf_counter, "processor": time.process_time}  # as in `timing`
HERE = Path(__file__).resolve().parent
LOOSER = 10  # others sum in other orders, and have a tanh of their own
FRAMEWORKS = {"paddle": "with_paddle", "torch": "with_torch", "jax": "with_jax", "onnxruntime": "with_onnx"}


class Remote:
    """A way that runs in a peer's process."""

    def __init__(self, process: subprocess.Popen[str], name: str) -> None:
        self.process = process
        self.name = name

    def timed(self, calls: int) -> float:
        """Seconds for so many calls, by the peer's clock."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(f"{self.name}\t{calls}\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def __call__(self) -> None:
        self.timed(1)


def start(python: str, name: str, arrays: str) -> dict[str, Remote]:
    """The ways of a workload that the peers of this interpreter can do, right ones only; none where they lack the workload."""
    process = subprocess.Popen(
        [python, __file__, name, arrays], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    found = {}
    assert process.stdout is not None
    while line := process.stdout.readline().strip():
        if line.startswith("#"):
            print(f"{name}: {line[2:]}", file=sys.stderr)
        else:
            found[line] = Remote(process, line)
    if not found:
        process.communicate()
    return found


def flat(result: Any) -> list[Any]:
    """Arrays of what a way returns."""
    import numpy as np

    if isinstance(result, (list, tuple)):
        return [array for item in result for array in flat(item)]
    return [np.asarray(result.detach() if hasattr(result, "detach") else result)]


def different(found: Any, expected: list[Any], tolerance: float) -> str:
    """What is wrong with a result; nothing where it is right (as far as the expected results go)."""
    import numpy as np

    for mine, wanted in zip(flat(found), expected, strict=False):
        if mine.size != wanted.size:
            return f"has a result of shape {list(mine.shape)} for {list(wanted.shape)}"
        furthest = float(np.abs(mine.reshape(wanted.shape) - wanted).max(initial=0))
        if not furthest <= tolerance * float(np.abs(wanted).max()):
            return f"gives other numbers, by {furthest:.2g}"
    return ""


def told(error: Exception) -> str:
    """An error in a line of reasonable length."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}"[:300]


def ways_here(name: str, path: str) -> tuple[dict[str, Callable[[], Any]], list[str]]:
    """What this interpreter can do, and the reasons for what it can't."""
    import numpy as np

    with np.load(path) as file:
        given = {kind: [file[f"{kind}{i}"] for i in range(int(file[f"{kind}s"]))] for kind in ("input", "weight", "output")}
        tolerance, rate = LOOSER * float(file["tolerance"]), float(file["rate"])
    ways: dict[str, Callable[[], Any]] = {}
    reasons = []
    for framework, module in FRAMEWORKS.items():
        if importlib.util.find_spec(framework) is None:
            continue
        try:
            makers = importlib.import_module(f"frameworks.{module}").ways(name, given["weight"], given["input"], rate)
        except Exception as error:
            reasons.append(f"{framework}: {told(error)}")
            continue
        for way, make in makers.items():
            try:
                run = make()
                wrong = different(run(), given["output"], tolerance)
            except Exception as error:
                wrong = told(error)
            if wrong:
                reasons.append(f"{way} {wrong}")
            else:
                ways[way] = run
    return ways, reasons


def main(name: str, path: str) -> None:
    """Serve one workload until the input ends."""
    sys.path.insert(0, str(HERE))
    out, sys.stdout = sys.stdout, sys.stderr  # frameworks print
    ways, reasons = ways_here(name, path)
    print("\n".join([*ways, *(f"# {reason}" for reason in reasons), ""]), file=out, flush=True)
    for line in sys.stdin:
        way, calls = line.rstrip("\n").split("\t")
        run, repeat, clock = ways[way], range(int(calls)), CLOCKS[os.environ.get("BENCH_CLOCK", "wall")]
        start = clock()
        for _ in repeat:
            run()
        print(clock() - start, file=out, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
