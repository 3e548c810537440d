"""Pointwise operators keep within the precision that they declare, over the whole range of float32 and float64.

The exact values are recorded (`record_precision.py`).
"""

from __future__ import annotations

import functools
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import to_static as paddle
from tests.compiler.ops.pointwise.precision_cases import CASES, points
from to_static.compiler.ir.registry import get
from to_static.compiler.passes.pipeline import LARGE

FOLDER = Path(__file__).parent


@functools.cache
def recorded() -> dict[str, np.ndarray]:
    with np.load(FOLDER / "precision.npz") as file:
        return dict(file)


def apart(name: str, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """How far ``y`` is from the exact values, in the units that the operator declares; infinite where one is infinite or nan."""
    exact = recorded()[f"{name} {x.dtype}"]
    rest = recorded().get(f"{name} {x.dtype} rest", np.zeros(len(exact)))
    info, unit = np.finfo(x.dtype), get(CASES[name][0]).precision.unit
    finite = np.isfinite(exact)
    size = np.where(finite, np.abs(exact), 1)
    least = {"y": 0, "x": np.abs(x), "1": 1, "small": float(info.tiny) * 256}[unit]
    most = np.nextafter(info.max, x.dtype.type(0))  # NumPy has no spacing of the largest number
    place = np.spacing(np.minimum(np.maximum(size, least), most).astype(x.dtype)).astype("float64")
    with np.errstate(all="ignore"):
        share = np.spacing(np.minimum(size, np.nextafter(np.finfo("float64").max, 0))) / place
        far = np.abs((y.astype("float64") - exact) / place - np.where(finite, rest * share, 0))
    same = np.where(np.isnan(exact), np.isnan(y), np.where(x == 0, abs(y), y) == np.where(x == 0, abs(exact), exact))
    return np.where(finite, np.where(np.isfinite(y), far, np.inf), np.where(same, 0.0, np.inf))


def bound(name: str, dtype: str) -> float:
    precision = get(CASES[name][0]).precision
    return precision.single if dtype == "float32" else precision.double


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", CASES)
def test_precision(name: str, dtype: str) -> None:
    f, x = CASES[name][1], points(dtype)
    long = np.resize(x, LARGE + len(x))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        of_chain = paddle.jit.to_static(lambda v: f(paddle.maximum(v, -v) * paddle.sign(v)))
        results: dict[str, Any] = {
            "dynamic": f(paddle.to_tensor(x)),
            "static": paddle.jit.to_static(f)(paddle.to_tensor(x)),
            "in a long array": f(paddle.to_tensor(long)),
            "in a chain": of_chain(paddle.to_tensor(long)),
        }
    for how, y in results.items():
        values = y.numpy()
        for part in (values[: len(x)], values[len(x) : 2 * len(x)]) if len(values) > len(x) else (values,):
            far = apart(name, x, part)
            worst = int(np.argmax(far))
            assert far[worst] <= bound(name, dtype), f"{how}: {name}({x[worst]!r}) is {part[worst]!r}, {far[worst]:.3g} units apart"
