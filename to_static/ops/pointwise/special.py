"""Special functions that array modules do not all have."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from to_static.ir.registry import FUNCTIONS
from to_static.ops.bounds import at_least, at_most, full
from to_static.ops.pointwise import unary

# erf(x) = x P(x^2) / Q(x^2) on [-4, 4], fitted by reweighted least squares to a relative error of 2.5e-8.
_P = (
    1.128379139312995, 0.1935450556576512, 0.05310174786472591, 0.003883344107077272,
    2.8456598643079647e-04, 1.9867834732680455e-06,
)  # fmt: skip
_Q = (1.0, 0.5048573952715912, 0.1153499997659093, 0.01520725187368934, 0.0011855712555774273, 3.742018947940711e-05)
_STEP = 1 / 64  # of the grid of expansion points for double precision
_TERMS = 8


def _horner(xp: Any, t: Any, coefficients: tuple[float, ...], out: Any) -> Any:
    out[...] = coefficients[-1]
    for c in coefficients[-2::-1]:
        xp.multiply(out, t, out)
        xp.add(out, out.dtype.type(c), out)
    return out


@functools.lru_cache(maxsize=1)
def _taylor() -> np.ndarray:
    """Row i: Taylor coefficients of erf at ``i * _STEP``, up to where erf is 1 in double precision."""
    rows = []
    for i in range(round(6 / _STEP) + 1):
        x = i * _STEP
        slope = 2 / math.sqrt(math.pi) * math.exp(-x * x)
        # derivatives of exp(-x^2): u[n+1] = -2 (x u[n] + n u[n-1]) (Hermite polynomials)
        u = [slope, -2 * x * slope]
        for n in range(1, _TERMS - 2):
            u.append(-2 * (x * u[n] + n * u[n - 1]))
        rows.append([math.erf(x)] + [u[n] / math.factorial(n + 1) for n in range(_TERMS - 1)])
    return np.asarray(rows).T.copy()


def _erf64(xp: Any, x: Any) -> Any:
    table = xp.asarray(_taylor())
    a = xp.minimum(xp.abs(x), 6.0)
    known = xp.where(xp.isnan(a), xp.zeros_like(a), a)
    cell = xp.rint(known * (1 / _STEP)).astype("int64")
    d = a - cell * _STEP
    total = xp.take(table[_TERMS - 1], cell)
    for row in range(_TERMS - 2, -1, -1):
        total = total * d + xp.take(table[row], cell)
    return xp.copysign(total, x)


def _erf(xp: Any, x: Any, out: Any = None) -> Any:
    if x.dtype.itemsize == 8:
        found = _erf64(xp, x)
    else:
        narrow = at_least(xp, at_most(xp, x.astype("float32", copy=False), 4), -4)
        t = xp.multiply(narrow, narrow)
        top = _horner(xp, t, _P, xp.empty(x.shape, "float32"))
        found = top * narrow / _horner(xp, t, _Q, xp.empty(x.shape, "float32"))
        found = at_least(xp, at_most(xp, found, 1), -1).astype(x.dtype, copy=False)
    if out is None:
        return found
    out[...] = found
    return out


def gelu_limits(shape: tuple[int, ...]) -> tuple[Any, ...]:
    """What `gelu_into` compares numbers of a shape with, made beforehand; for at most `bounds.MOST` numbers."""
    return tuple(full(shape, limit, "float32") for limit in (4, -4, 1, -1))


def gelu_into(x: Any, y: Any, t: Any, top: Any, limits: tuple[Any, ...] | None = None) -> None:
    """GELU of float32 numbers with the very steps of the kernels, into memory that is given; ``x`` must not be ``y``."""
    multiply, add = np.multiply, np.add
    multiply(x, _ROOT, y)
    if limits is None:
        at_most(np, y, 4, y)
        at_least(np, y, -4, y)
    else:
        np.minimum(y, limits[0], out=y)
        np.maximum(y, limits[1], out=y)
    multiply(y, y, t)
    multiply(t, _TOP[-1], top)
    for c in _TOP[-2:0:-1]:
        add(top, c, top)
        multiply(top, t, top)
    add(top, _TOP[0], top)
    multiply(top, y, top)
    multiply(t, _BOTTOM[-1], y)
    for c in _BOTTOM[-2:0:-1]:
        add(y, c, y)
        multiply(y, t, y)
    add(y, _BOTTOM[0], y)
    np.divide(top, y, y)
    if limits is None:
        at_most(np, y, 1, y)
        at_least(np, y, -1, y)
    else:
        np.minimum(y, limits[2], out=y)
        np.maximum(y, limits[3], out=y)
    add(y, _ONE, y)
    multiply(y, x, y)
    multiply(y, _HALF, y)


_ROOT, _ONE, _HALF = (np.asarray(v, "float32") for v in (math.sqrt(0.5), 1, 0.5))
_TOP, _BOTTOM = ([np.asarray(c, "float32") for c in coefficients] for coefficients in (_P, _Q))

erf = unary.declare(
    "erf", _erf, lambda ctx, g: g * FUNCTIONS["exp"](-ctx.x * ctx.x) * (2 / math.sqrt(math.pi)),
    "The error function, to the precision of the dtype (float32: 4e-7).", unary.REAL,
)  # fmt: skip


@erf.kernel("cupy")
def _(xp: Any, x: Any, out: Any = None) -> Any:
    from cupyx.scipy.special import erf as device_erf

    return device_erf(x, out)


def inverse_erf(xp: Any, x: Any, out: Any = None) -> Any:
    """An approximation, then Newton's method in double precision; on the host as many numbers at once as fit into the cache."""
    if xp is not np or x.size <= _BLOCK:
        found = _inverse_erf(xp, x)
    else:
        flat, found = x.reshape(-1), np.empty(x.shape, x.dtype)
        each = found.reshape(-1)
        for i in range(0, x.size, _BLOCK):
            each[i : i + _BLOCK] = _inverse_erf(np, flat[i : i + _BLOCK])
    if out is None:
        return found
    out[...] = found
    return out


def _inverse_erf(xp: Any, x: Any) -> Any:
    wide = x.astype("float64")
    inner = xp.abs(wide) < 1
    place = xp.where(inner, wide, 0.5)
    log = xp.log1p(-place * place)
    if x.dtype.itemsize < 8:  # Giles, "Approximating the erfinv function" (2010): to 4e-7 for all numbers of float32
        near = log > -5
        place_of = xp.where(near, -2.5 - log, xp.sqrt(-log) - 3)
        found = xp.where(near, _GILES[0][0], _GILES[1][0])
        for centre, tail in zip(_GILES[0][1:], _GILES[1][1:], strict=True):
            found = found * place_of + xp.where(near, centre, tail)
        found = found * place
    else:  # Winitzki's approximation is near enough everywhere
        half = 2 / (math.pi * _WINITZKI) + log / 2
        found = xp.copysign(xp.sqrt(xp.sqrt(half * half - log / _WINITZKI) - half), place)
    for _ in range(2 if x.dtype.itemsize < 8 else 4):
        found = found - (_erf64(xp, found) - place) * (math.sqrt(math.pi) / 2) * xp.exp(found * found)
    edge = xp.where(xp.abs(wide) == 1, xp.copysign(xp.asarray(math.inf), wide), xp.asarray(math.nan))
    return xp.where(inner, found, edge).astype(x.dtype, copy=False)


_BLOCK = 1 << 13
_GILES = (
    (2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087, -0.00125372503, -0.00417768164, 0.246640727,
     1.50140941),
    (-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773, -0.0076224613, 0.00943887047, 1.00167406,
     2.83297682),
)  # fmt: skip
_WINITZKI = 0.147

erfinv = unary.declare(
    "erfinv", inverse_erf, lambda ctx, g: g * FUNCTIONS["exp"](ctx.out * ctx.out) * (math.sqrt(math.pi) / 2),
    "The inverse of `erf`: infinite at -1 and 1, nan beyond.", unary.REAL, -0.9, 0.9,
)  # fmt: skip
