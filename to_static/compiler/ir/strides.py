"""Memory layouts of views, as strides of placeholder arrays. `symbolic.views` uses them to decide if an operator returns a view."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.ir.spec import UNKNOWN, TensorSpec

if TYPE_CHECKING:
    from to_static.core.array_types import Array

_SOME = 2  # the size that stands for an unknown one: with 1 the order of dimensions would not count


def is_row_major(array: Array) -> bool:
    """True if the elements are in row-major order without gaps, as PaddlePaddle checks it: strides of dimensions of size 1 count,
    too.

    It is True for an array without elements.
    """
    return not array.size or all(
        have == want or (have == 0 and size == 1)
        for have, want, size in zip(array.strides, _steps(array.shape, array.itemsize), array.shape, strict=True)
    )


def placeholder(spec: TensorSpec) -> Any:
    """Return an array with the shape and strides of a contiguous tensor. It has memory for one element, and must not be read."""
    shape = [_SOME if d == UNKNOWN else d for d in spec.shape]
    one = np.empty(1, spec.dtype.np)
    return np.lib.stride_tricks.as_strided(one, shape, _steps(shape, one.itemsize))


def reshaped(array: Array, spec: TensorSpec) -> Any:
    """A view of such an array as a tensor of ``spec``, or None where only a copy has that shape.

    A scalar is copied when it gets dimensions, as in PaddlePaddle.
    """
    if not array.ndim and spec.ndim:
        return None
    shape = [_SOME if d == UNKNOWN else d for d in spec.shape]
    if prod(shape) != array.size:  # unknown sizes, of which not all can be the one that stands for them
        return placeholder(spec) if is_row_major(array) else None
    steps = _steps_in(array.shape, array.strides, shape, array.itemsize)
    return None if steps is None else np.lib.stride_tricks.as_strided(array, shape, steps)


def _steps(shape: Sequence[int], itemsize: int) -> list[int]:
    """Return the strides of a contiguous array."""
    steps, step = [], itemsize
    for size in reversed(shape):
        steps.append(step)
        step *= max(size, 1)
    return steps[::-1]


def _steps_in(old: Sequence[int], steps: Sequence[int], new: Sequence[int], itemsize: int) -> list[int] | None:
    """Return the strides of a view in another shape with as many elements; None if there is no such view."""
    if 0 in new:
        return _steps(new, itemsize)
    runs: list[tuple[int, int]] = []  # sizes and steps of dimensions, neighbours that lie in one run merged
    for size, step in zip(old, steps, strict=True):
        if size == 1:
            continue
        if runs and runs[-1][1] == size * step:
            runs[-1] = (runs[-1][0] * size, step)
        else:
            runs.append((size, step))
    left, step, strides = 1, itemsize, []
    for size in reversed(new):
        if left == 1 and size != 1 and runs:
            left, step = runs.pop()
        if left % size:
            return None
        strides.append(step)
        left //= size
        step *= size
    return strides[::-1]
