"""The table of docs/precision.md: what pointwise operators declare, and what was measured.

``python -m tests.docs.precision_table`` measures again, into precision.json beside the exact values: on another machine NumPy's
own functions may differ by a unit.
"""

from __future__ import annotations

import json
import warnings

import numpy as np

import to_static as paddle
from tests.compiler.ops.pointwise import test_precision
from tests.compiler.ops.pointwise.precision_cases import CASES, points
from to_static.compiler.ir.registry import get

MEASURED = test_precision.FOLDER / "precision.json"
UNITS = {"y": "", "x": "ulp of the argument, if that is larger", "1": "ulp of 1, if that is larger",
         "small": "ulp of 256 times the smallest normal number, if that is larger"}  # fmt: skip


def measure() -> dict[str, list[float]]:
    """By case, how far results are from the exact ones, for float32 and float64."""
    found: dict[str, list[float]] = {}
    for name, (_, f) in CASES.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            each = [(x := points(dtype), f(paddle.to_tensor(x)).numpy()) for dtype in ("float32", "float64")]
        found[name] = [round(float(np.max(test_precision.apart(name, x, y))), 2) for x, y in each]
    return found


def table() -> str:
    """A row for each case."""
    measured = json.loads(MEASURED.read_text())
    lines = [
        "| function | float32: at most | measured | float64: at most | measured | another unit, and why |",
        "|---|---|---|---|---|---|",
    ]
    for name in sorted(CASES):
        precision = get(CASES[name][0]).precision
        why = f"{UNITS[precision.unit]}: {precision.why}" if precision.why else ""
        single, double = measured[name]
        lines.append(f"| {name} | {precision.single:g} | {single:g} | {precision.double:g} | {double:g} | {why} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    MEASURED.write_text(json.dumps(measure(), indent=0) + "\n")
