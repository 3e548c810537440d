"""Matrices of all combinations, or all powers, of the elements of a vector: combinations, vander."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import method
from to_static.compiler.ir.spec import UNKNOWN
from to_static.compiler.ops import functions as F
from to_static.compiler.ops import operands
from to_static.compiler.ops.shape_rules import show
from to_static.compiler.ops.shapes.create import empty
from to_static.core.dtypes import int64
from to_static.core.errors import ArgumentError, ShapeError


def _vector(x: Any, name: str) -> int:
    if x.ndim != 1:
        raise ShapeError(f"{name}: expected a vector, got {show(x.spec.shape)}")
    if x.spec.shape[0] == UNKNOWN:
        raise ShapeError(f"{name}: the length of the vector must be known when the Program is built")
    return int(x.spec.shape[0])


@method()
def combinations(x: Any, r: int = 2, with_replacement: bool = False, name: str | None = None) -> Any:
    """All choices of ``r`` elements of a vector, one a row, in the order of Python's `itertools.combinations`.

    Raises ShapeError unless ``x`` is a vector, ValueError for a negative ``r``.
    ``with_replacement``: an element may come several times.

    Example:
        >>> paddle.combinations(paddle.to_tensor([1, 2, 3])).tolist()
        [[1, 2], [1, 3], [2, 3]]
    """
    n = _vector(x, "combinations")
    if isinstance(r, bool) or not isinstance(r, int) or r < 0:
        raise ArgumentError(f"combinations: r must be a non-negative integer, got {r!r}")
    if r == 0:
        return empty([0], x.dtype)
    choose = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    rows = np.asarray(list(choose(range(n), r)), "int64").reshape(-1, r)
    if not len(rows):
        return empty([0, r], x.dtype)
    return F.reshape(F.gather(x, operands.constant(rows.reshape(-1), int64)), [len(rows), r])


@method()
def vander(x: Any, n: int | None = None, increasing: bool = False, name: str | None = None) -> Any:
    """The powers of each element of a vector, one row for each: ``x**(n-1) ... x**0``, or ``x**0 ...`` when ``increasing``.

    ``n``: the number of columns (default: the length of ``x``). Raises ShapeError unless ``x`` is a vector, ValueError for a
    negative ``n``.

    Example:
        >>> paddle.vander(paddle.to_tensor([2, 3]), 3).tolist()
        [[4, 2, 1], [9, 3, 1]]
    """
    n = _vector(x, "vander") if n is None else n
    if x.ndim != 1:
        raise ShapeError(f"vander: expected a vector, got {show(x.spec.shape)}")
    if n < 0:
        raise ArgumentError(f"vander: n must not be negative, got {n}")
    if n == 0:
        return empty([*x.shape, 0], x.dtype)
    powers = [F.ones_like(x)]
    for _ in range(n - 1):
        powers.append(powers[-1] * x)
    return F.stack(powers if increasing else powers[::-1], 1)
