"""Tests of models that compute each row from that row alone, so that rows of several requests may run together.

A symbolic batch dimension does not say so: ``x - x.mean(0)`` takes any number of rows and mixes them. A model may be batched along
an axis when (1) no control flow decides by values, (2) other rows can be changed without changing the row between them, and (3) two
requests give together what they give one by one. (2) and (3) are tried with numbers of several sizes. Last digits may differ in
both: kernels choose a formula by all numbers of an array, and matrix products their order by its size.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

Run = Callable[[list[np.ndarray]], list[np.ndarray]]
TRIED_SIZES = (
    8,
    32,
    64,
    1,
    224,
)  # of dimensions that are free and no batch: some models need multiples of 32, or one size
SCALES = (1.0, 0.01, 100.0)
TOLERANCE = 1e-4
NEAR = 1e-5
MIDDLE = slice(1, 2)  # of three rows


@dataclass(frozen=True)
class TensorInfo:
    """A named input or output of a model; -1 stands for a free dimension."""

    name: str
    dtype: str
    shape: tuple[int, ...]


@dataclass(frozen=True)
class BatchAxes:
    """The axes of the rows: one for all inputs, and one for each output."""

    inputs: int
    outputs: tuple[int, ...]


@dataclass(frozen=True)
class Finding:
    """``axes`` is None where rows must not run together; ``reason`` says why. ``example``: inputs that ran, None where none did."""

    axes: BatchAxes | None
    reason: str
    example: list[np.ndarray] | None = None


def find_batch_axes(run: Run, inputs: Sequence[TensorInfo], has_control_flow: bool) -> Finding:
    """Try a model out. ``run`` takes its inputs in order and returns its outputs; what it raises means 'not with such sizes'."""
    rng = np.random.default_rng(0)
    example = _example(run, inputs, rng)
    if example is None:
        return Finding(None, "the model ran with none of the sizes that were tried")
    if not inputs:
        return Finding(None, "the model has no inputs", example)
    if has_control_flow:
        return Finding(None, "the model has control flow, which may look at all rows", example)
    reasons = []
    for axis in range(min(len(info.shape) for info in inputs)):
        if all(info.shape[axis] == -1 for info in inputs):
            axes, reason = _axes(run, inputs, example, axis, rng)
            if axes is not None:
                return Finding(axes, f"rows along axis {axis} are independent", example)
            reasons.append(reason)
    return Finding(None, "; ".join(reasons) or "no dimension is free in all inputs", example)


def _example(run: Run, inputs: Sequence[TensorInfo], rng: Any) -> list[np.ndarray] | None:
    for size in TRIED_SIZES:
        arrays = [_drawn(info, tuple(size if d < 0 else d for d in info.shape), rng) for info in inputs]
        arrays = [array[:2] if info.shape[:1] == (-1,) else array for info, array in zip(inputs, arrays, strict=True)]
        if _result(run, arrays) is not None:
            return arrays
    return None


def _drawn(info: TensorInfo, shape: tuple[int, ...], rng: Any, scale: float = 1.0) -> np.ndarray:
    dtype_kind = np.dtype(info.dtype).kind
    if dtype_kind == "b":
        return rng.random(shape) < 0.5
    if dtype_kind in "iu":  # most often indices of a table, of which 0 and 1 are valid
        return rng.integers(0, 2, shape).astype(info.dtype)
    return (rng.standard_normal(shape) * scale).astype(info.dtype)


def _result(run: Run, arrays: list[np.ndarray]) -> list[np.ndarray] | None:
    try:
        with np.errstate(all="ignore"):
            return run(arrays)
    except Exception:  # whatever a model raises for sizes or values that it does not take
        return None


def _axes(
    run: Run, inputs: Sequence[TensorInfo], example: list[np.ndarray], axis: int, rng: Any
) -> tuple[BatchAxes | None, str]:
    """The axes where rows stand, or None with a reason."""

    def of_rows(rows: int, scale: float) -> list[np.ndarray]:
        shapes = [(*a.shape[:axis], rows, *a.shape[axis + 1 :]) for a in example]
        return [_drawn(info, shape, rng, scale) for info, shape in zip(inputs, shapes, strict=True)]

    three, five = _result(run, of_rows(3, 1.0)), _result(run, of_rows(5, 1.0))
    if three is None or five is None:
        return None, f"the model does not take any number of rows along axis {axis}"
    output_axes = []
    for small, large in zip(three, five, strict=True):
        differing_axes = [i for i, (a, b) in enumerate(zip(small.shape, large.shape, strict=False)) if a != b]
        if (
            len(differing_axes) != 1
            or small.ndim != large.ndim
            or (small.shape[differing_axes[0]], large.shape[differing_axes[0]]) != (3, 5)
        ):
            return None, f"an output does not have one row for each row along axis {axis} of the inputs"
        output_axes.append(differing_axes[0])
    for scale in SCALES:
        rows = of_rows(3, scale)
        full_result = _result(run, rows)
        if full_result is None or not _same(full_result, _result(run, rows)):
            return None, f"two runs of the same inputs differ (axis {axis})"
        for other_scale in SCALES:
            changed_rows = [array.copy() for array in rows]
            for array, drawn in zip(changed_rows, of_rows(2, other_scale), strict=True):
                np.moveaxis(array, axis, 0)[[0, 2]] = np.moveaxis(drawn, axis, 0)
            changed_result = _result(run, changed_rows)
            if changed_result is None:
                return None, f"rows along axis {axis} depend on each other"
            middle, reference = (_row(result, output_axes, MIDDLE) for result in (changed_result, full_result))
            if not all(_close(a, b, NEAR) for a, b in zip(reference, middle, strict=True)):
                return None, f"rows along axis {axis} depend on each other"
        parts = [_result(run, [_sliced(array, axis, part) for array in rows]) for part in (slice(0, 1), slice(1, 3))]
        if any(part is None for part in parts):
            return None, f"the model does not take any number of rows along axis {axis}"
        joined = [np.concatenate(pair, at) for pair, at in zip(zip(*parts, strict=True), output_axes, strict=True)]  # type: ignore[arg-type]
        if not all(_close(a, b) for a, b in zip(joined, full_result, strict=True)):
            return None, f"rows along axis {axis} give other numbers together than one by one"
    return BatchAxes(axis, tuple(output_axes)), ""


def _sliced(array: np.ndarray, axis: int, part: slice) -> np.ndarray:
    index: list[slice] = [slice(None)] * array.ndim
    index[axis] = part
    return np.ascontiguousarray(array[tuple(index)])


def _row(arrays: list[np.ndarray], axes: Sequence[int], part: slice) -> list[np.ndarray]:
    return [_sliced(array, axis, part) for array, axis in zip(arrays, axes, strict=True)]


def _same(result: list[np.ndarray], reference: list[np.ndarray] | None) -> bool:
    if reference is None:
        return False
    return all(
        a.shape == b.shape and np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
        for a, b in zip(result, reference, strict=True)
    )


def _close(result: np.ndarray, reference: np.ndarray, tolerance: float = TOLERANCE) -> bool:
    if result.shape != reference.shape:
        return False
    if result.dtype.kind not in "fc":
        return bool(np.array_equal(result, reference))
    finite = np.abs(reference[np.isfinite(reference)])
    size = float(finite.max(initial=0.0))
    return bool(np.allclose(result, reference, tolerance, tolerance * size, equal_nan=True))
