"""Lower and upper limits of arrays, for rectifiers: NumPy compares two arrays much faster than an array and a scalar."""

from __future__ import annotations

import functools
from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from to_static.compiler.ops.kernel_scalar import operand
from to_static.core.array_types import Array, ArrayModule

LINE = 1 << 13  # numbers of a row that is compared at a time: with shorter ones NumPy is half as quick
MOST = 1 << 14  # numbers that are compared with as many, without rows
WORTH = 1 << 12  # numbers from which on it pays to look at an array that nothing is known of


def at_least(xp: ArrayModule, x: Array, limit: float, out: Array | None = None) -> Array:
    """``maximum(x, limit)``, into ``out`` if given (which may be ``x``)."""
    return _bounded(xp, xp.maximum, x, limit, out)


def at_most(xp: ArrayModule, x: Array, limit: float, out: Array | None = None) -> Array:
    """``minimum(x, limit)``, into ``out`` if given (which may be ``x``)."""
    return _bounded(xp, xp.minimum, x, limit, out)


def _bounded(xp: ArrayModule, ufunc: Callable[..., Any], x: Array, limit: float, out: Array | None) -> Array:
    size = x.size
    if size < WORTH or xp is not np or x.dtype.char not in "fd" or not x.flags.c_contiguous:
        return ufunc(x, operand(xp, limit, x.dtype), out=out)  # a plain number would widen 0-D arrays under NumPy 1
    y = np.empty_like(x) if out is None else out
    if not y.flags.c_contiguous or y.shape != x.shape:
        return ufunc(x, operand(xp, limit, x.dtype), out=y)
    flat, target = x.reshape(-1), y.reshape(-1)
    if size <= MOST:
        ufunc(flat, _limit_block(limit, x.dtype.char)[:size], out=target)
        return y
    end, row = size - size % LINE, _limit_block(limit, x.dtype.char)[:LINE]
    ufunc(flat[:end].reshape(-1, LINE), row, out=target[:end].reshape(-1, LINE))
    if end < size:
        ufunc(flat[end:], row[: size - end], out=target[end:])
    return y


def full(shape: tuple[int, ...], limit: float, dtype: np.dtype) -> Array:
    """Return a read-only array of at most `MOST` equal elements."""
    return _limit_block(limit, np.dtype(dtype).char)[: prod(shape)].reshape(shape)


@functools.lru_cache(maxsize=32)
def _limit_block(limit: float, char: str) -> Any:
    """Return a read-only array of `MOST` elements with the value ``limit``, aligned to a cache line."""
    raw = np.empty(MOST * 8 + 64, "uint8")
    start = -raw.ctypes.data % 64
    block_view = raw[start : start + MOST * np.dtype(char).itemsize].view(char)
    block_view.fill(limit)
    block_view.flags.writeable = False
    return block_view
