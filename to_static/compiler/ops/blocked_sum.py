"""Sums in blocks, so that rounding errors stay small for any number of elements. Kernels and plans call this module.

NumPy adds pairwise along the dimension that is contiguous in memory, and sequentially along all others: a sum over a million rows
of float32 has an error in the fifth digit, and a sum of equal numbers in the third. If more than a few numbers would be added
sequentially, they are added in blocks of rows, the block sums again in blocks, and so on. A block of rows is a product with ones,
which is faster than NumPy's reduction.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from to_static.core.array_types import Array

DEEP = 128  # so many numbers one after the other are too many
_BLOCK = 64  # rows that are added one after the other
_SMALL = 1 << 12  # numbers of which the sums take less time than a call of NumPy's
_SHORT, _ROWS = 1 << 9, 1 << 16  # numbers in a row, and in all, of which products with rows are quicker, too
_LONG_ROW, _LARGE = 1 << 10, 1 << 23  # bytes of a row and of an array from which on products are slower than NumPy's sums
_IMPRECISE = "efF"  # float16, float32, complex64


def total(x: Any, axes: Any = None, keepdims: bool = False, out: Any = None) -> Any:
    """The sum over ``axes`` (an int, several, None for all), as ``x.sum`` gives it in the dtype of ``x``, into ``out`` if given.

    Sums of float16 are added up as float32.
    """
    char = x.dtype.char
    if char in "fd" and 0 < x.size <= _ROWS and type(x) is np.ndarray:
        product = _product(x.shape, char, tuple(range(x.ndim)) if axes is None else _positive(axes, x.ndim), keepdims)
        if product is not None:
            return product(x, out)
    if x.size < DEEP or not isinstance(x, np.ndarray) or char not in _IMPRECISE:
        return x.sum(axes, x.dtype, out, keepdims)
    if x.dtype.char == "e":
        summed = total(x.astype("float32"), axes, keepdims).astype("float16")
    else:
        every = tuple(range(x.ndim)) if axes is None else _positive(axes, x.ndim)
        if (_depth(x.shape, every) if x.flags.c_contiguous else _depth_of_view(x, every)) < DEEP:
            return np.add.reduce(x, every, out=out, keepdims=keepdims)
        summed = _added(x, every, keepdims)
    if out is None:
        return summed
    out[...] = summed
    return out


def mean(x: Any, axes: Any = None, keepdims: bool = False, out: Any = None) -> Any:
    """The mean over ``axes``, of floating-point numbers; see `total`."""
    few = 0 < x.size <= _SMALL and type(x) is np.ndarray and x.dtype.char in "fd"
    if not few and (x.size < DEEP or not isinstance(x, np.ndarray) or x.dtype.char not in "fF"):
        return x.mean(axes, None, out, keepdims)
    added = total(x, axes, keepdims, out)
    return np.true_divide(added, added.dtype.type(x.size // max(added.size, 1)), out=out)


@functools.lru_cache(maxsize=4096)
def adder(shape: tuple[int, ...], char: str, axes: tuple[int, ...], keepdims: bool) -> Callable[..., Any]:
    """Return `total` specialised for a shape and dtype (a type character): a function ``(array, out)``.

    It calls NumPy directly if NumPy's own sums are as precise.
    """
    reduce: Any = np.add.reduce
    product = _product(shape, char, axes, keepdims)
    if product is not None:
        return product
    if char not in _IMPRECISE or (char != "e" and prod(shape[a] for a in axes) < DEEP):
        return lambda x, out=None: reduce(x, axes, None, out, keepdims)
    if char == "e" or _depth(shape, axes) >= DEEP:
        return lambda x, out=None: total(x, axes, keepdims, out)
    return lambda x, out=None: reduce(x, axes, None, out, keepdims) if x.flags.c_contiguous else total(x, axes, keepdims, out)


def is_product(shape: tuple[int, ...], char: str, axes: tuple[int, ...], keepdims: bool) -> bool:
    """Return whether `total` computes the sums by a product with ones; the last digit may be another than NumPy's sum has."""
    return _product(shape, char, axes, keepdims) is not None


@functools.lru_cache(maxsize=4096)
def _product(shape: tuple[int, ...], char: str, axes: tuple[int, ...], keepdims: bool) -> Callable[..., Any] | None:
    """Sum few elements as a product with ones, which takes half the time; None if it would be less precise or slower."""
    size, ndim, reduced = prod(shape), len(shape), tuple(sorted(axes))
    count = prod(shape[a] for a in reduced)
    if char not in "fd" or not 0 < size <= _ROWS or not reduced or len({*reduced}) < len(reduced):
        return None
    ones = np.ones(count, char)
    result_shape = tuple([1 if a in reduced else d for a, d in enumerate(shape) if keepdims or a not in reduced])
    rows, columns = reduced[0] == ndim - len(reduced), reduced[-1] == len(reduced) - 1
    if size > _SMALL and not (rows and len(reduced) < ndim and count <= _SHORT):
        return None
    if not rows and not columns:
        return None
    is_total, is_matrix = len(reduced) == ndim and not result_shape, ndim == 2 and not keepdims

    def product_run(x: Array, out: Any = None) -> Array:
        if is_total:
            total_array = (x if ndim == 1 else x.reshape(-1)).dot(ones)
        elif rows:
            total_array = (x if is_matrix else x.reshape(-1, count)).dot(ones)
        else:
            total_array = ones.dot(x if is_matrix else x.reshape(count, -1))
        if out is not None:
            out[...] = total_array if is_matrix or is_total else total_array.reshape(result_shape)
            return out
        return total_array if is_matrix or is_total else total_array.reshape(result_shape)

    return product_run


def _positive(axes: int | Sequence[int], ndim: int) -> tuple[int, ...]:
    return (axes % ndim,) if isinstance(axes, int) else tuple([a % ndim for a in axes])


@functools.lru_cache(maxsize=4096)
def _groups(shape: tuple[int, ...], axes: tuple[int, ...]) -> tuple[tuple[int, bool], ...]:
    """``shape`` with neighbours joined of which both are added up, or neither: sizes, and whether they are."""
    groups: list[tuple[int, bool]] = []
    for axis, size in enumerate(shape):
        reduced = axis in axes
        if size == 1:
            continue
        if groups and groups[-1][1] is reduced:
            groups[-1] = (groups[-1][0] * size, reduced)
        else:
            groups.append((size, reduced))
    return tuple(groups)


@functools.lru_cache(maxsize=4096)
def _depth(shape: tuple[int, ...], axes: tuple[int, ...]) -> int:
    """Return how many numbers are added sequentially."""
    return prod(size for size, reduced in _groups(shape, axes)[:-1] if reduced)


def _by_stride(x: Array) -> list[int]:
    return sorted(range(x.ndim), key=lambda axis: -(abs(x.strides[axis]) or math.inf))


def _depth_of_view(x: Array, axes: tuple[int, ...]) -> int:
    return prod(x.shape[axis] for axis in _by_stride(x)[:-1] if axis in axes)


def _added(x: Any, axes: tuple[int, ...], keepdims: bool) -> Any:
    shape = tuple([1 if a in axes else d for a, d in enumerate(x.shape)])
    if not x.flags.c_contiguous:
        order = _by_stride(x)
        transposed_sum = _added(
            np.ascontiguousarray(x.transpose(order)), tuple([i for i, a in enumerate(order) if a in axes]), True
        )
        summed = transposed_sum.transpose(np.argsort(order))
    else:
        summed = _in_blocks(x, _groups(x.shape, axes)).reshape(shape)
    return summed if keepdims else summed.reshape([d for a, d in enumerate(x.shape) if a not in axes])


def _in_blocks(x: Any, groups: tuple[tuple[int, bool], ...]) -> Any:
    """The sums over those ``groups`` of dimensions that are added up, from the last to the first; ``x`` is in one piece."""
    inner = 1
    for size, reduced in reversed(groups):
        if not reduced:
            inner *= size
        elif inner == 1:
            x = np.add.reduce(x.reshape(-1, size), 1)
        else:
            x = _rows(x.reshape(-1, size, inner))
    return x


def _rows(x: Any) -> Any:
    """The sums ``[a, c]`` over the rows of ``[a, n, c]``."""
    if x.dtype.char == "F":
        return _rows(x.view("float32")).view("complex64")
    parts, count, width = x.shape
    while count >= 2 * _BLOCK:
        blocks, tail_length = divmod(count, _BLOCK)
        y = np.empty((parts, blocks + (tail_length > 0), width), x.dtype)
        head = x[:, : blocks * _BLOCK].reshape(parts, blocks, _BLOCK, width)
        if width * x.itemsize >= _LONG_ROW and x.nbytes > _LARGE:
            np.add.reduce(head, 2, out=y[:, :blocks])
        else:
            np.matmul(_ONES[:, :_BLOCK], head, y[:, :blocks, None])
        if tail_length:
            np.matmul(_ONES[:, :tail_length], x[:, blocks * _BLOCK :], y[:, blocks, None])
        x, count = y, blocks + (tail_length > 0)
    return np.matmul(_ONES[:, :count], x)[:, 0]


_ONES = np.ones((1, 2 * _BLOCK), "float32")
