"""Scatter-add with duplicate indices, whose rounding errors stay small for any number of duplicates."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from to_static.compiler.ops import blocked_sum
from to_static.core.array_types import Array
from to_static.core.native_index import native


def of_runs(rows: Array, starts: Array) -> Array:
    """The sums of the ``rows`` of an array of NumPy's, from each of ``starts`` (in order, the first is 0) up to the next."""
    sums = np.add.reduceat(rows, starts, axis=0)
    if len(rows) >= blocked_sum.DEEP and rows.dtype.char in "efF":
        counts = np.diff(starts, append=len(rows))
        for k in np.flatnonzero(counts >= blocked_sum.DEEP).tolist():
            sums[k] = blocked_sum.total(rows[starts[k] : starts[k] + counts[k]], 0)
    return sums


def starts_of(ordered: Array) -> Array:
    """Positions in a sorted array at which another number begins."""
    return np.flatnonzero(np.concatenate([np.ones(1, "bool"), ordered[1:] != ordered[:-1]]))


def _counted_from_0(i: Array, length: int) -> Any:
    """Return indices counted from the start; None if one is out of range."""
    low, high = i.min(), i.max()
    if low < -length or high >= length:
        return None
    return i if low >= 0 else np.where(i < 0, i + length, i)


_DENSE = 4  # times as many places as numbers, up to which adding to all places costs no more than to those of the numbers


def added_flat(shape: tuple[int, ...], positions: Array, values: Array, repeats: int) -> Any:
    """Zeros of a shape, of the dtype of ``values``, to which these are added at valid flat positions; all arrays are NumPy's.

    ``repeats``: as many of them as may go to one place; few are added in the dtype, many in double precision. None where those
    would be spread over very many places.
    """
    if repeats >= blocked_sum.DEEP and values.dtype.char != "d":
        if prod(shape) >= _DENSE * positions.size:
            return None
        return np.bincount(positions, values, prod(shape)).astype(values.dtype).reshape(shape)
    total = np.zeros(shape, values.dtype)
    np.add.at(total.reshape(-1), positions, values)
    return total


def add(out: Array, position: Array | Sequence[Array | slice], values: Array) -> bool:
    """``out[place] += values`` where a place comes so often that its sum would not be precise otherwise; else False."""
    if out.dtype.char not in "fF":
        return False
    key = position if type(position) is tuple else (position,)
    if not any(isinstance(i, np.ndarray) and i.size >= blocked_sum.DEEP for i in key):
        return False
    axes = [k for k, i in enumerate(key) if isinstance(i, np.ndarray) and i.dtype.kind == "i"]
    if (
        not axes
        or max(key[k].size for k in axes) < blocked_sum.DEEP
        or any(i != slice(None) for k, i in enumerate(key) if k not in axes)
    ):
        return False
    shape = tuple([out.shape[k] for k in axes])
    lines = [_counted_from_0(key[k], d) for k, d in zip(axes, shape, strict=True)]
    if any(line is None for line in lines):
        return False  # NumPy's own error is raised
    if len(lines) > 1:
        lines = [np.ravel_multi_index(tuple(np.broadcast_arrays(*lines)), shape)]
    positions, flat = lines[0].ndim, native(lines[0].reshape(-1))
    other_axes = [k for k in range(out.ndim) if k not in axes]
    table, rest_shape = out.transpose(axes + other_axes), [out.shape[k] for k in other_axes]
    first = axes[0] if axes[-1] - axes[0] == len(axes) - 1 else 0  # where places are among the values
    addends = np.broadcast_to(values, (*rest_shape[:first], *lines[0].shape, *rest_shape[first:]))
    if not other_axes and out.dtype.char == "f" and out.size < _DENSE * flat.size:
        np.add(out, np.bincount(flat, addends.reshape(-1), out.size).reshape(out.shape), out, casting="same_kind")
        return True
    if np.bincount(flat).max() < blocked_sum.DEEP:
        return False
    rows = np.moveaxis(addends, range(first, first + positions), range(positions)).reshape(flat.size, -1)
    order = np.argsort(flat, kind="stable")
    flat = flat[order]
    starts = starts_of(flat)
    sums = of_runs(rows[order].astype(out.dtype, copy=False), starts)
    table[np.unravel_index(flat[starts], shape)] += sums.reshape(-1, *rest_shape)
    return True
