"""Calls of NumPy's LAPACK ufuncs without the overhead of `numpy.linalg`, which takes longer than a small decomposition.

The shape rules of the operators have checked dtypes and shapes. As in `numpy.linalg`, computation is in double precision. These
generalized ufuncs are not part of NumPy's public interface: if a NumPy version lacks one, or for another array module, the public
function is called.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numpy.linalg import LinAlgError

from to_static.core.array_types import Array, ArrayModule

_ufuncs: Any = getattr(np.linalg, "_umath_linalg", None)
_DTYPES = "fd"


def _ufunc(name: str, xp: ArrayModule, x: Array) -> Any:
    """NumPy's generalized ufunc for such matrices; None if its public function has to do."""
    return getattr(_ufuncs, name, None) if xp is np and x.dtype.char in _DTYPES else None


def _unfit(message: str) -> Any:
    def refuse(flag: str, status: int) -> None:
        raise LinAlgError(message)

    return functools.partial(np.errstate, call=refuse, invalid="call", over="ignore", divide="ignore", under="ignore")


_singular = _unfit("Singular matrix")
_indefinite = _unfit("Matrix is not positive definite")


def inv(xp: ArrayModule, x: Array) -> Array:
    """``xp.linalg.inv(x)``."""
    ufunc = _ufunc("inv", xp, x)
    if ufunc is None:
        return xp.linalg.inv(x)
    with _singular():
        return ufunc(x, signature="d->d").astype(x.dtype, copy=False)  # type: ignore[no-any-return]


def det(xp: ArrayModule, x: Array) -> Array:
    """``xp.linalg.det(x)``."""
    ufunc = _ufunc("det", xp, x)
    if ufunc is None:
        return xp.linalg.det(x)
    return ufunc(x, signature="d->d").astype(x.dtype, copy=False)  # type: ignore[no-any-return]


def slogdet(xp: ArrayModule, x: Array) -> Array:
    """Both results of ``xp.linalg.slogdet(x)``, stacked."""
    ufunc = _ufunc("slogdet", xp, x)
    if ufunc is None:
        return xp.stack(list(xp.linalg.slogdet(x)))
    result = np.empty((2, *x.shape[:-2]))
    sign, logarithm = ufunc(x, signature="d->dd")
    result[0], result[1] = sign, logarithm
    return result.astype(x.dtype, copy=False)


def solve(xp: ArrayModule, x: Array, y: Array) -> Array:
    """``xp.linalg.solve(x, y)`` for matrices ``y``."""
    ufunc = _ufunc("solve", xp, x)
    if ufunc is None or y.dtype != x.dtype:
        return xp.linalg.solve(x, y)
    with _singular():
        return ufunc(x, y, signature="dd->d").astype(x.dtype, copy=False)  # type: ignore[no-any-return]


def triangle(xp: ArrayModule, x: Array, upper: bool, without: int) -> Array:
    """The upper or lower triangle of square matrices, ``without`` so many diagonals; zeros elsewhere."""
    if xp is not np:
        return xp.triu(x, without) if upper else xp.tril(x, -without)
    y, n = x.copy(), x.shape[-1]
    np.copyto(y, _ZERO, where=_lower(n, n, without - 1) if upper else _above(n, 1 - without), casting="unsafe")
    return y


def cholesky(xp: ArrayModule, x: Array) -> Array:
    """``xp.linalg.cholesky(x)``."""
    ufunc = _ufunc("cholesky_lo", xp, x)
    if ufunc is None:
        return xp.linalg.cholesky(x)
    with _indefinite():
        return ufunc(x, signature="d->d").astype(x.dtype, copy=False)  # type: ignore[no-any-return]


def qr(xp: ArrayModule, x: Array) -> tuple[Array, Array]:
    """``xp.linalg.qr(x)``, the reduced factors."""
    in_place, product = _ufunc("qr_r_raw", xp, x), _ufunc("qr_reduced", xp, x)
    if in_place is None or product is None:
        return tuple(xp.linalg.qr(x))  # type: ignore[return-value]
    packed = x.astype("float64")  # always a copy, for it is overwritten
    q = product(packed, in_place(packed, signature="d->d"), signature="dd->d")
    m, n = x.shape[-2:]
    r = packed[..., :n, :].copy() if m > n else packed
    np.copyto(r, _ZERO, where=_lower(min(m, n), n, -1))
    return q.astype(x.dtype, copy=False), r.astype(x.dtype, copy=False)


_ZERO = np.zeros(())


@functools.lru_cache(maxsize=64)
def _lower(rows: int, columns: int, diagonal: int) -> Array:
    return np.tri(rows, columns, diagonal, dtype=bool)


@functools.lru_cache(maxsize=64)
def _above(size: int, diagonal: int) -> Array:
    return ~np.tri(size, size, diagonal - 1, dtype=bool)
