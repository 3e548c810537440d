"""Special functions that not every array module has."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.clamp import WORTH, at_least, at_most
from to_static.compiler.ops.pointwise import unary
from to_static.core.array_types import Array, ArrayModule

# erf(x) = tanh(x P(x^2)) of |x| up to FAR, fitted by reweighted least squares to a relative error of 1e-7. NumPy's tanh of float32
# takes half as long as its exp, and a polynomial with it is half as many steps as a quotient of two.
_P = (
    1.128379225730896, 0.10276905447244644, -0.00019183054973836988, -0.0006197849288582802,
    8.76374397194013e-05, -5.668495759891812e-06, 1.418534907315916e-07,
)  # fmt: skip
_FAR = 4.5  # where erf has long been 1 in float32, and so is the hyperbolic tangent
# The normal distribution function is (1 + tanh(x R(x^2))) / 2 with R(t) = a t + e + f / (t + h + k / (t + near)), to 5e-8: of all
# forms the one of fewest steps. It is not for `erf`, which near 0 asks for more digits.
_FRACTION = (
    0.01813799338226369, 1.1833157129326222, -2.6669170919607312, -23.591869145783214, 1382.4694511332727, 45.31024387766971,
)  # fmt: skip
_STEP = 1 / 64  # of the grid of expansion points for double precision
_TERMS = 8


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


@functools.lru_cache(maxsize=1)
def _taylor_of_rest() -> np.ndarray:
    """The same of ``1 - erf``, whose first coefficients keep all their digits where erf is nearly 1."""
    table = -_taylor()
    table[0] = [math.erfc(i * _STEP) for i in range(table.shape[1])]
    return table


def _erf64(xp: ArrayModule, x: Array) -> Array:
    return xp.copysign(_of_table(xp, x, xp.asarray(_taylor())), x)


def _of_table(xp: ArrayModule, x: Array, table: Array) -> Array:
    a = xp.minimum(xp.abs(x), 6.0)
    finite = xp.where(xp.isnan(a), xp.zeros_like(a), a)
    cell = xp.rint(finite * (1 / _STEP)).astype(np.intp)
    d = a - cell * _STEP
    total = xp.take(table[_TERMS - 1], cell)
    for row in range(_TERMS - 2, -1, -1):
        total = total * d + xp.take(table[row], cell)
    return total


def _erf(xp: ArrayModule, x: Array, out: Array | None = None) -> Array:
    if x.dtype.itemsize == 8:
        value = _erf64(xp, x)
    else:
        narrow = at_least(xp, at_most(xp, x.astype("float32", copy=False), _FAR), -_FAR)
        square = xp.multiply(narrow, narrow, xp.empty(x.shape, "float32"))
        coefficients = _ERF if xp is np else [c[()] for c in _ERF]  # other modules take no arrays of NumPy's
        value = _tanh_of_polynomial(xp, narrow, square, coefficients).astype(x.dtype, copy=False)
    if out is None:
        return value
    out[...] = value
    return out


def _tanh_of_polynomial(xp: ArrayModule, x: Array, square: Array, coefficients: list[Any]) -> Array:
    multiply, add = xp.multiply, xp.add
    polynomial = multiply(square, coefficients[-1], xp.empty_like(square))
    for c in coefficients[-2:0:-1]:
        add(polynomial, c, polynomial)
        multiply(polynomial, square, polynomial)
    add(polynomial, coefficients[0], polynomial)
    multiply(polynomial, x, polynomial)
    return xp.tanh(polynomial, polynomial)


def _fixed_erf(out: TensorSpec, x: TensorSpec) -> Any:
    """The kernel for a few numbers of float32."""
    if x.dtype.name != "float32" or not x.shape or x.size >= WORTH:
        return None
    lowest, highest = (np.asarray(v, "float32") for v in (-_FAR, _FAR))

    def fixed_erf_run(x: Array) -> Array:
        narrow = np.minimum(x, highest)
        np.maximum(narrow, lowest, out=narrow)
        return _tanh_of_polynomial(np, narrow, np.multiply(narrow, narrow), _ERF)

    return fixed_erf_run


def gelu_into(x: Array, y: Array | None = None, t: Array | None = None) -> Array:
    """GELU of float32 numbers, as its kernel computes them, into memory that is given, or new; ``x`` must not be ``y``."""
    a, e, f, h, k, near = _GELU
    multiply, add, divide = np.multiply, np.add, np.divide
    t = np.empty(x.shape, x.dtype) if t is None else t
    y = np.empty(x.shape, x.dtype) if y is None else y
    multiply(x, x, t)
    at_most(np, t, _END_OF_GELU, t) if t.size >= WORTH else np.minimum(t, _LIMIT, out=t)
    add(t, near, y)
    divide(k, y, y)
    add(y, t, y)
    add(y, h, y)
    divide(f, y, y)
    multiply(t, a, t)
    add(y, t, y)
    add(y, e, y)
    multiply(y, x, y)
    np.tanh(y, y)
    add(y, _ONE, y)
    multiply(y, _HALF, y)
    return multiply(y, x, y)


_END_OF_GELU = 2 * 3.9**2
_ONE, _HALF, _LIMIT = (np.asarray(v, "float32") for v in (1, 0.5, _END_OF_GELU))
_ERF = [np.asarray(c, "float32") for c in _P]
_GELU = [np.asarray(c, "float32") for c in _FRACTION]

erf = unary.declare(
    "erf", _erf, lambda ctx, g: g * F.exp(-ctx.x * ctx.x) * (2 / math.sqrt(math.pi)),
    "The error function, to the precision of the dtype (float32: 3e-7).", unary.REAL,
)  # fmt: skip


erf.specialize(_fixed_erf)


@erf.kernel("cupy")
def _(xp: ArrayModule, x: Any, out: Array | None = None) -> Any:
    from cupyx.scipy.special import erf as device_erf

    return device_erf(x, out)


def inverse_erf(xp: ArrayModule, x: Array, out: Array | None = None) -> Array:
    """Inverse of erf: an approximation, refined by Newton's method in double precision. NumPy computes it in cache-sized blocks."""
    if xp is not np or x.size <= _BLOCK:
        value = _inverse_erf(xp, x)
    else:
        flat, value = x.reshape(-1), np.empty(x.shape, x.dtype)
        each = value.reshape(-1)
        for i in range(0, x.size, _BLOCK):
            each[i : i + _BLOCK] = _inverse_erf(np, flat[i : i + _BLOCK])
    if out is None:
        return value
    out[...] = value
    return out


def _inverse_erf(xp: ArrayModule, x: Array) -> Array:
    doubles = x.astype("float64")
    inner = xp.abs(doubles) < 1
    argument = xp.where(inner, doubles, 0.5)
    log = xp.log1p(-argument * argument)
    if x.dtype.itemsize < 8:  # Giles, "Approximating the erfinv function" (2010): to 4e-7 for all numbers of float32
        near = log > -5
        place_of = xp.where(near, -2.5 - log, xp.sqrt(-log) - 3)
        estimate = xp.where(near, _GILES[0][0], _GILES[1][0])
        for centre, coefficient in zip(_GILES[0][1:], _GILES[1][1:], strict=True):
            estimate = estimate * place_of + xp.where(near, centre, coefficient)
        estimate = estimate * argument
    else:  # Winitzki's approximation is near enough everywhere
        offset = 2 / (math.pi * _WINITZKI) + log / 2
        estimate = xp.copysign(xp.sqrt(xp.sqrt(offset * offset - log / _WINITZKI) - offset), argument)
        is_close, distance_to_one = xp.abs(argument) > 0.5, 1 - xp.abs(argument)  # exact where it is far
    for _ in range(2 if x.dtype.itemsize < 8 else 4):
        residual = _erf64(xp, estimate) - argument
        if x.dtype.itemsize == 8:
            residual = xp.where(
                is_close,
                xp.copysign(1.0, argument) * (distance_to_one - _of_table(xp, estimate, xp.asarray(_taylor_of_rest()))),
                residual,
            )
        estimate = estimate - residual * (math.sqrt(math.pi) / 2) * xp.exp(estimate * estimate)
    edge = xp.where(xp.abs(doubles) == 1, xp.copysign(xp.asarray(math.inf), doubles), xp.asarray(math.nan))
    return xp.where(inner, estimate, edge).astype(x.dtype, copy=False)


_BLOCK = 1 << 13
_GILES = (
    (2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087, -0.00125372503, -0.00417768164, 0.246640727,
     1.50140941),
    (-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773, -0.0076224613, 0.00943887047, 1.00167406,
     2.83297682),
)  # fmt: skip
_WINITZKI = 0.147

erfinv = unary.declare(
    "erfinv", inverse_erf, lambda ctx, g: g * F.exp(ctx.out * ctx.out) * (math.sqrt(math.pi) / 2),
    "The inverse of `erf`: infinite at -1 and 1, nan beyond.", unary.REAL, -0.9, 0.9,
)  # fmt: skip
