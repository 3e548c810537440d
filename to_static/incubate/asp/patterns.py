"""Masks of `n:m` sparsity: of every m numbers next to each other at least n are zero, in rows (1D) or in rows and columns (2D).

All functions take and give NumPy arrays. Source: Mishra et al., "Accelerating Sparse Deep Neural Networks" (2021); names and
choices are those of PaddlePaddle's `paddle.incubate.asp`.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from enum import Enum
from typing import Any

import numpy as np

from to_static.core.errors import ArgumentError, ShapeError

Array = np.ndarray
_MOST = 200_000  # patterns that are tried


class MaskAlgo(Enum):
    """The ways to choose a mask: in rows, or in blocks of m x m, one number after the other or the best pattern of all."""

    MASK_1D = "get_mask_1d"
    MASK_2D_GREEDY = "get_mask_2d_greedy"
    MASK_2D_BEST = "get_mask_2d_best"


class CheckMethod(Enum):
    """The ways to check sparsity."""

    CHECK_1D = "check_mask_1d"
    CHECK_2D = "check_mask_2d"

    @staticmethod
    def get_checking_method(mask_algo: MaskAlgo) -> CheckMethod:
        """The check for masks that ``mask_algo`` makes. Raises TypeError for anything else.

        Example:
            >>> CheckMethod.get_checking_method(MaskAlgo.MASK_1D)
            CheckMethod.CHECK_1D
        """
        if not isinstance(mask_algo, MaskAlgo):
            raise TypeError(f"mask_algo: expected a MaskAlgo, got {type(mask_algo).__name__}")
        return CheckMethod.CHECK_1D if mask_algo is MaskAlgo.MASK_1D else CheckMethod.CHECK_2D


def calculate_density(x: Array) -> float:
    """The share of elements that are not zero, of an array of any shape.

    Example:
        >>> calculate_density(np.array([[0, 1, 3, 0], [1, 1, 0, 1]]))
        0.625
    """
    x = np.asarray(x)
    return float(np.count_nonzero(x)) / x.size


def _padded(mat: Array, rows: int, columns: int) -> Array:
    """``mat`` with zeros at the end, so that its sizes are multiples of ``rows`` and ``columns``."""
    if mat.ndim != 2:
        raise ShapeError(f"expected a matrix, got an array of {mat.ndim} dimensions")
    padding = -mat.shape[0] % rows, -mat.shape[1] % columns
    return np.pad(mat, ((0, padding[0]), (0, padding[1]))) if any(padding) else mat


def _blocks(mat: Array, m: int) -> Array:
    """The blocks ``[rows * columns, m, m]`` of a matrix, row after row."""
    padded = _padded(mat, m, m)
    rows, columns = padded.shape[0] // m, padded.shape[1] // m
    return padded.reshape(rows, m, columns, m).transpose(0, 2, 1, 3).reshape(-1, m, m)


def _joined(blocks: Array, mat: Array, m: int) -> Array:
    """The matrix of the size of ``mat`` of which `_blocks` made these."""
    rows, columns = -(-mat.shape[0] // m), -(-mat.shape[1] // m)
    joined = blocks.reshape(rows, columns, m, m).transpose(0, 2, 1, 3).reshape(rows * m, columns * m)
    return joined[: mat.shape[0], : mat.shape[1]]


def check_mask_1d(mat: Array, n: int, m: int) -> bool:
    """Return whether of every ``m`` numbers next to each other in a row at least ``n`` are zero. Rows are padded with zeros.

    Example:
        >>> check_mask_1d(np.array([[0, 1, 3, 0], [1, 0, 0, 1]]), 2, 4)
        True
    """
    mat = np.asarray(mat)
    groups = _padded(mat.reshape(1, -1) if mat.ndim < 2 else mat, 1, m).reshape(-1, m)
    return bool((np.count_nonzero(groups, axis=1) <= m - n).all())


def get_mask_1d(mat: Array, n: int, m: int) -> Array:
    """A mask of the shape and dtype of a matrix: 0 at the ``n`` smallest of every ``m`` numbers of a row, by magnitude, else 1.

    Example:
        >>> get_mask_1d(np.array([[0, 1, 5, 4], [2, 7, 3, 6]]), 2, 4)
        array([[0, 0, 1, 1],
               [0, 1, 0, 1]])
    """
    mat = np.asarray(mat)
    padded = _padded(mat, 1, m)
    groups = np.absolute(padded).reshape(-1, m)
    mask = np.ones(groups.shape, mat.dtype)
    np.put_along_axis(mask, np.argsort(groups, axis=1)[:, :n], 0, axis=1)
    return mask.reshape(padded.shape)[:, : mat.shape[1]].copy()


def check_mask_2d(mat: Array, n: int, m: int) -> bool:
    """True if in every block of ``m x m`` at least ``n`` of each row or at least ``n`` of each column are zero, as in Paddle.

    Example:
        >>> check_mask_2d(np.array([[0, 8, 9, 0], [9, 0, 0, 10], [5, 0, 0, 6], [0, 4, 6, 0]]), 2, 4)
        True
    """
    full = _blocks(np.asarray(mat), m) != 0
    rows, columns = ((np.count_nonzero(full, axis=axis) > m - n).any(1) for axis in (2, 1))
    return not (rows & columns).any()


def get_mask_2d_greedy(mat: Array, n: int, m: int) -> Array:
    """A mask of blocks of ``m x m`` with ``n`` ones in a row and a column: the largest number first that has still room.

    Example:
        >>> get_mask_2d_greedy(np.array([[9, 8, 3, 7], [9, 2, 1, 10], [5, 1, 3, 6], [2, 4, 6, 1]]), 2, 4)
        array([[1., 1., 0., 0.],
               [1., 0., 0., 1.],
               [0., 0., 1., 1.],
               [0., 1., 1., 0.]])
    """
    mat = np.asarray(mat)
    blocks = np.absolute(_blocks(mat, m))
    masks = np.zeros(blocks.shape)
    for block, mask in zip(blocks, masks, strict=True):
        rows, columns = [0] * m, [0] * m
        for position in np.argsort(block.reshape(-1))[::-1].tolist():
            i, j = divmod(position, m)
            if rows[i] < n and columns[j] < n:
                mask[i, j] = 1
                rows[i] += 1
                columns[j] += 1
    return _joined(masks, mat, m)


@functools.lru_cache(8)
def _patterns(n: int, m: int) -> Array:
    """All matrices ``m x m`` of zeros and ones with ``n`` ones in each row and column, as ``[number, m, m]``."""
    rows = [np.isin(np.arange(m), ones) for ones in itertools.combinations(range(m), n)]
    patterns: list[list[Array]] = [[]]
    for left in range(m - 1, -1, -1):  # row by row, without those that can't be completed
        if len(patterns) * len(rows) > _MOST:
            raise ArgumentError(f"mask_2d_best: there are too many patterns of {n} in {m} to try all; use mask_2d_greedy")
        patterns = [
            [*some, row]
            for some in patterns
            for row in rows
            if ((total := np.sum([*some, row], axis=0)) <= n).all() and (total + left >= n).all()
        ]
    return np.asarray(patterns, float)


def get_mask_2d_best(mat: Array, n: int, m: int) -> Array:
    """A mask of blocks of ``m x m`` with ``n`` ones in a row and a column, of which the numbers that stay have the largest sum.

    The time and memory grow quickly with ``m``: there are 90 patterns for 2 of 4.

    Example:
        >>> mat = np.array([[2, 8, 9, 9], [9, 1, 3, 9], [5, 6, 3, 9], [2, 4, 6, 9]])
        >>> (mat * get_mask_2d_best(mat, 2, 4)).sum()
        61.0
    """
    mat = np.asarray(mat)
    patterns = _patterns(n, m)
    sums = _blocks(mat, m).reshape(-1, m * m) @ patterns.reshape(-1, m * m).T
    return _joined(patterns[np.argmax(sums, axis=1)], mat, m)


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    f.__name__: f for f in (get_mask_1d, get_mask_2d_greedy, get_mask_2d_best, check_mask_1d, check_mask_2d)
}


def _as_matrix(tensor: Array) -> Array:
    """An array of up to 4 dimensions as a matrix; zeros are sought along its rows, of 4 dimensions along the third."""
    if tensor.ndim == 4:
        return tensor.transpose(0, 1, 3, 2).reshape(-1, tensor.shape[2])
    if not 1 <= tensor.ndim < 4:
        raise ShapeError(f"expected an array of 1 to 4 dimensions, got {tensor.ndim}")
    return tensor.reshape(-1, tensor.shape[-1])


def create_mask(tensor: Array, func_name: MaskAlgo = MaskAlgo.MASK_1D, n: int = 2, m: int = 4) -> Array:
    """A mask of the shape and dtype of an array of 1 to 4 dimensions, chosen by ``func_name``.

    Raises TypeError for another ``func_name``, ShapeError for more dimensions, ArgumentError where ``n`` is not in 0..m.

    Example:
        >>> create_mask(np.array([[2, 8, 9, 9], [9, 1, 3, 9]]))
        array([[0, 0, 1, 1],
               [1, 0, 0, 1]])
    """
    if not isinstance(func_name, MaskAlgo):
        raise TypeError(f"create_mask: func_name must be a MaskAlgo, got {type(func_name).__name__}")
    if not 0 <= n <= m:
        raise ArgumentError(f"create_mask: n of every m numbers are zero, but n is {n} and m {m}")
    tensor = np.asarray(tensor)
    mask = _FUNCTIONS[func_name.value](_as_matrix(tensor).astype(float), n, m)
    if tensor.ndim == 4:
        a, b, c, d = tensor.shape
        return mask.reshape(a, b, d, c).transpose(0, 1, 3, 2).astype(tensor.dtype)  # type: ignore[no-any-return]
    return mask.reshape(tensor.shape).astype(tensor.dtype)  # type: ignore[no-any-return]


def check_sparsity(tensor: Array, func_name: CheckMethod = CheckMethod.CHECK_1D, n: int = 2, m: int = 4) -> bool:
    """Return whether an array of 1 to 4 dimensions is sparse as ``func_name`` says. Raises TypeError for another ``func_name``."""
    if not isinstance(func_name, CheckMethod):
        raise TypeError(f"check_sparsity: func_name must be a CheckMethod, got {type(func_name).__name__}")
    return bool(_FUNCTIONS[func_name.value](_as_matrix(np.asarray(tensor)).astype(float), n, m))
