"""The logarithm of the gamma function and its derivatives: lgamma, digamma, polygamma.

Arguments are first moved up to 10 or more by the recurrence, where the asymptotic series (Abramowitz and Stegun 6.1.41, 6.3.18,
6.4.11) is exact to double precision; negative ones are reflected. Those of lgamma are moved down, towards its zeros at 1 and 2,
around which Taylor's series has all digits. Everything is computed in double precision, so positive numbers of float32 need fewer
terms, and lgamma of these no zeros. The recurrence goes by pairs: with ``w = x * (x + n - 1)`` the factors
``x + k`` and ``x + n - 1 - k`` are ``w + k * (n - 1 - k)``.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import GradContext, Sample, method, op
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import dtype_checks
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.pointwise import unary
from to_static.compiler.ops.pointwise.elementwise import f32
from to_static.core.array_types import Array, ArrayModule
from to_static.core.errors import ArgumentError

_SHIFT = 10
_MOST = 1e30  # positive numbers below have a tenth power in double precision
_FEW = 1 << 7  # positive numbers that Python goes through sooner than NumPy takes its steps
_FEW_SHIFTED = 1 << 10  # numbers to which all shifts are added at once
_FACTORS = np.arange(float(_SHIFT))[:, None]
_FEW_DIGITS = 1e-4  # digammas below, next to the zero at 1.46, need all terms in float32, too
_LARGEST = 1e150  # a number whose square double precision still has
_FARTHEST = 1000  # below minus this the higher polygammas give nan: each whole number takes a term of the sum
_BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6)
_AT_HALF = [(2.0 ** (1 - 2 * k) - 1) * b for k, b in enumerate(_BERNOULLI, 1)]  # Bernoulli's polynomials at 1/2
# By powers of 1 / y ** 2, the highest first: digamma(y + 1/2) - log(y), and lgamma(y + 1/2) / y - log(y) + 1 without its constant.
_DIGAMMA_SERIES = [np.asarray(-b / (2 * k)) for k, b in enumerate(_AT_HALF, 1)][::-1]
_TRIGAMMA_SERIES = [np.asarray(b) for b in _AT_HALF][::-1]  # trigamma(y + 1/2) * y - 1
_LGAMMA_SERIES = [np.asarray(b / (2 * k * (2 * k - 1))) for k, b in enumerate(_AT_HALF[:6], 1)][::-1]
_ONE, _HALF_LOG, _NEXT_TO_ZERO = (np.asarray(v) for v in (1.0, 0.5 * math.log(2 * math.pi), 1e-12))
_SHIFTS = {  # by the number n of factors: n - 1, n - 1/2, and k * (n - 1 - k) of the pairs but the first
    n: [np.asarray(v) for v in (n - 1.0, n - 0.5, *(float(k * (n - 1 - k)) for k in range(1, n // 2)))] for n in (6, _SHIFT)
}
_TAYLOR = (  # 1 - gamma, then (-1) ** k * (zeta(k) - 1) / k for k = 2, 3, ...
    0.42278433509846713, 0.3224670334241132, -0.0673523010531981, 0.020580808427784546, -0.007385551028673986,
    0.0028905103307415234, -0.001192753911703261, 0.0005096695247430425, -0.00022315475845357939, 9.945751278180853e-05,
    -4.492623673813314e-05, 2.050721277567069e-05, -9.439488275268397e-06, 4.374866789907488e-06, -2.039215753801366e-06,
    9.55141213040742e-07, -4.492469198764566e-07, 2.1207184805554665e-07, -1.0043224823968099e-07, 4.7698101693639804e-08,
    -2.2711094608943164e-08, 1.0838659214896955e-08, -5.183475041970047e-09, 2.4836745438024785e-09, -1.1921401405860912e-09,
    5.731367241678862e-10, -2.7595228851242334e-10, 1.330476437424449e-10,
)  # fmt: skip


def _finish(result: Array, x: Array, out: Array | None) -> Array:
    result = result.astype(x.dtype, copy=False).reshape(x.shape)
    if out is None:
        return result
    out[...] = result
    return out


def _split(xp: ArrayModule, x: Array) -> tuple[Any, Any, Any]:
    """The argument as doubles, where it must be reflected (below 0.5), and the argument to compute with."""
    doubles = x.astype("float64")
    low = doubles < 0.5
    z = xp.where(low, 1 - doubles, doubles)
    return doubles, low, xp.where(xp.isfinite(z), z, 1.0)


def _is_positive(x: Any) -> bool:
    """True for positive numbers below `_MOST` of float32 or float16, of which doubles computed in either way are rounded alike."""
    flat = x.reshape(-1)
    return bool(x.dtype.char in "ef" and x.size and flat.item(flat.argmin()) > 0 and flat.item(flat.argmax()) < _MOST)


def _operands(xp: ArrayModule, values: list[Any]) -> list[Any]:
    return values if xp is np else [v[()] for v in values]  # other modules take no arrays of NumPy's


def _even_powers(xp: ArrayModule, x: Array, coefficients: list[Any]) -> Any:
    """The polynomial of ``x ** 2`` with these coefficients, the last of which is that of the first power; overwrites ``x``."""
    leading, *following = _operands(xp, coefficients)
    square = x
    square *= x
    total = square * leading
    for c in following:
        total += c
        total *= square
    return total


def _lgamma_of_positive(z: Array) -> Any:
    """``y * (log(y) - 1 + series) + log(2 pi) / 2`` at ``y = z + 9.5``, less the logarithm of the ten factors; overwrites ``z``."""
    width, distance, *lacks = _SHIFTS[_SHIFT]
    first = z * (z + width)
    work = first + lacks[0]
    product = first * work
    for lack in lacks[1:]:
        product *= np.add(first, lack, work)
    z += distance
    total = np.log(z, work)
    total -= _ONE
    total += _even_powers(np, np.reciprocal(z, first), _LGAMMA_SERIES)
    total *= z
    total += _HALF_LOG
    total -= np.log(product, product)
    total[np.abs(total, z) < _NEXT_TO_ZERO] = 0.0  # what rounding left of zeros: numbers of float32 next to 1 and 2 have more
    return total


def _lgamma(xp: ArrayModule, x: Array, out: Array | None = None) -> Array:
    if xp is np and _is_positive(x):
        if x.size <= _FEW:
            return _finish(np.fromiter(map(math.lgamma, x.reshape(-1).tolist()), np.float64, x.size), x, out)
        return _finish(_lgamma_of_positive(x.reshape(-1).astype("float64")), x, out)
    doubles = x.astype("float64")
    mirrored = doubles < -0.5
    z = xp.where(mirrored, 1 - doubles, doubles)
    z = xp.where(xp.isfinite(z), z, 1.0)
    small = z < 0.5  # there it is lgamma(z + 1) - log(|z|)
    w = xp.where(small, z + 1, z)
    far, low = w >= _SHIFT, small | (w < 1.5)
    down, product = xp.where(far, 2.0, w), xp.ones_like(w)
    for _ in range(_SHIFT - 2):
        is_large = down >= 2.5
        down = down - is_large
        product = xp.where(is_large, product * down, product)
    near = _lgamma_near(xp, xp.where(small, z, down - (2 - low)), low, 28 if x.dtype.itemsize == 8 else 16) + xp.log(product)
    total = xp.where(far, _lgamma_far(xp, xp.where(far, w, 10.0)), near)
    zero = z == 0
    total = total - xp.log(xp.abs(xp.where(small & ~zero, z, 1.0)))
    turn = xp.where(mirrored & xp.isfinite(doubles), doubles, 0.5)
    sine = xp.abs(xp.sin(math.pi * (turn - xp.rint(turn))))
    pole = sine == 0
    reflected = math.log(math.pi) - xp.log(xp.where(pole, 1.0, sine)) - total
    value = xp.where(mirrored, xp.where(pole, xp.asarray(math.inf), reflected), xp.where(zero, xp.asarray(math.inf), total))
    return _finish(xp.where(xp.isfinite(doubles), value, xp.abs(doubles)), x, out)


def _lgamma_near(xp: ArrayModule, t: Array, low: Array, terms: int) -> Array:
    """``lgamma(2 + t)`` of ``|t|`` up to 1/2 by Taylor's series (Abramowitz, Stegun 6.1.33); ``lgamma(1 + t)`` where ``low``."""
    total = t * _TAYLOR[terms - 1]
    for c in _TAYLOR[terms - 2 : 0 : -1]:
        total += c
        total *= t
    total += _TAYLOR[0]
    return total * t - xp.log1p(t * low)


def _lgamma_far(xp: ArrayModule, y: Array) -> Array:
    square, series = (1 / y) ** 2, xp.zeros_like(y)
    for j in range(len(_BERNOULLI), 0, -1):
        series = series * square + _BERNOULLI[j - 1] / (2 * j * (2 * j - 1))
    return (xp.log(y) - 1) * (y - 0.5) + (0.5 * math.log(2 * math.pi) - 0.5) + series / y


def _digamma_of_positive(xp: ArrayModule, z: Array, limited: Array, shift: int, series: list[Any]) -> Any:
    """``log(y) + series`` at ``y = z + shift - 1/2``, less the factors' reciprocals. ``limited``: ``z``, with finite squares."""
    width, distance, *lacks = _operands(xp, _SHIFTS[shift])
    slope = limited + width
    product = slope * limited
    slope += limited
    below = xp.reciprocal(product)
    for lack in lacks:
        work = product + lack
        below += xp.reciprocal(work, work)
    below *= slope
    y = xp.add(z, distance, product)
    total = xp.log(y)
    total += _even_powers(xp, xp.reciprocal(y, y), series)
    total -= below
    return total


def _digamma(xp: ArrayModule, x: Array, out: Array | None = None) -> Array:
    if xp is np and _is_positive(x):
        z = x.reshape(-1).astype("float64")
        total = _digamma_of_positive(np, z, z, 6, _DIGAMMA_SERIES[-5:])
        near_zero = (np.absolute(total) < _FEW_DIGITS).nonzero()[0]
        if near_zero.size:
            z = z[near_zero]
            total[near_zero] = _digamma_of_positive(np, z, z, _SHIFT, _DIGAMMA_SERIES)
        return _finish(total, x, out)
    doubles, low, z = _split(xp, x.reshape(-1))
    total = _digamma_of_positive(xp, z, xp.minimum(z, _LARGEST), _SHIFT, _DIGAMMA_SERIES)
    turn = xp.where(low & xp.isfinite(doubles), doubles, 0.25)
    angle = math.pi * (turn - xp.rint(turn))
    pole = angle == 0
    reflected = total - math.pi / xp.tan(xp.where(pole, 1.0, angle))
    value = xp.where(low, xp.where(pole, xp.asarray(math.nan), reflected), total)
    return _finish(xp.where(xp.isfinite(doubles), value, xp.where(doubles > 0, doubles, xp.asarray(math.nan))), x, out)


lgamma = unary.declare(
    "lgamma", _lgamma, lambda ctx, g: g * F.digamma(ctx.x), "``log(|gamma(x)|)``.", unary.REAL, 0.3, 4.0
)


def _digamma_grad(ctx: GradContext, g: Tensor) -> Tensor:
    return g * polygamma(ctx.x, 1)


digamma: Any = unary.declare("digamma", _digamma, _digamma_grad, "The derivative of `lgamma`.", unary.REAL, 0.3, 4.0)


lgamma.precision(2, 8, "1", "the function has zeros between its poles below -2")
digamma.precision(2, 8, "1", "the function has zeros")


@op("polygamma(x -> out) n:int", traits="elementwise")
def polygamma_op(x: Tensor, n: int) -> Tensor:
    """The ``n``-th derivative of `digamma`, n at least 1 (at 0, -1, ... infinite)."""
    return polygamma_op.emit(x, n=n)


@polygamma_op.infer
def _(x: TensorSpec, n: int) -> TensorSpec:
    if n < 1:
        raise ArgumentError(f"polygamma: n must be at least 1 here, got {n}")
    return dtype_checks.need_float(x, "polygamma")


def _trigamma_of_positive(z: Array) -> Any:
    """``1 / y + series / y`` at ``y = z + 9.5``, and the squared reciprocals of the ten factors; ``z`` has one dimension."""
    if z.size <= _FEW_SHIFTED:
        parts = np.add(_FACTORS, z)
        np.reciprocal(parts, parts)
        total = np.add.reduce(np.multiply(parts, parts, parts), 0)
    else:
        total, part = np.zeros_like(z), np.empty_like(z)
        for k in range(_SHIFT):
            np.reciprocal(np.add(z, float(k), part), part)
            total += np.multiply(part, part, part)
    inverse = np.reciprocal(np.add(z, _SHIFTS[_SHIFT][1]))
    total += inverse
    total += _even_powers(np, inverse.copy(), _TRIGAMMA_SERIES) * inverse
    return total


@polygamma_op.kernel
def _polygamma(xp: ArrayModule, x: Array, n: int, out: Array | None = None) -> Array:
    if n == 1 and xp is np and _is_positive(x):
        return _finish(_trigamma_of_positive(x.reshape(-1).astype("float64")), x, out)
    s = n + 1  # (-1)**s * n! * zeta(s, x), by the Euler-Maclaurin formula
    doubles = x.astype("float64")
    mirrored = (doubles < 0.5) & (n == 1)
    z = xp.where(mirrored, 1 - doubles, doubles)
    below = xp.where(xp.isfinite(z), z, 0.0).min() if z.size else 0.0
    if below < -_FARTHEST:
        z = xp.where(z < -_FARTHEST, xp.asarray(math.nan), z)
    shift = _SHIFT + min(int(max(-below, 0.0)) + 1, _FARTHEST)
    poles = (z <= 0) & (z == xp.floor(z))
    z = xp.where(poles, 1.0, z)
    total = xp.zeros_like(z)
    for k in range(shift):
        total = total + (z + k) ** float(-s)
    y = z + shift
    total = total + y ** float(1 - s) / (s - 1) + 0.5 * y ** float(-s)
    rising = float(s)
    for j, b in enumerate(_BERNOULLI, 1):
        total = total + b / math.factorial(2 * j) * rising * y ** float(1 - s - 2 * j)
        rising *= (s + 2 * j - 1) * (s + 2 * j)
    if n == 1:
        sine = xp.sin(math.pi * (doubles - xp.rint(doubles)))
        poles = mirrored & (sine == 0)
        total = xp.where(mirrored, (math.pi / xp.where(sine == 0, 1.0, sine)) ** 2 - total, total)
    total = xp.where(poles, xp.asarray(math.inf), total)
    return _finish(total * ((-1) ** s * math.factorial(n)), x, out)


lgamma.grad_kernel(lambda x, out, g: np.multiply(g, _digamma(np, x)))
digamma.grad_kernel(lambda x, out, g: np.multiply(g, _polygamma(np, x, 1)))


@polygamma_op.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return g * polygamma_op(ctx.x, ctx.n + 1)


polygamma_op.precision(2, 16)
polygamma_op.samples(
    lambda: [Sample(f32(2, 3, low=0.4, high=5), n=1), Sample(f32(3, low=0.5, high=20), n=3)]
)


@method(inplace=True)
def polygamma(x: Tensor, n: int, name: str | None = None) -> Tensor:
    """The ``n``-th derivative of `digamma` (n = 0: digamma itself).

    ``x``: floats; the result has its shape and dtype.

    Example:
        >>> paddle.polygamma(paddle.to_tensor([1.0]), 1)          # pi ** 2 / 6
    """
    return digamma(x) if n == 0 else polygamma_op(x, int(n))


@method(inplace=True)
def multigammaln(x: Tensor, p: int, name: str | None = None) -> Tensor:
    """The logarithm of the gamma function of ``p`` dimensions; each element must be greater than ``(p - 1) / 2``.

    ``x``: floats; ``p``: an integer; below 1 it raises ArgumentError.

    Example:
        >>> paddle.multigammaln(paddle.to_tensor([2.5]), 2)          # 0.85704780
    """
    if p < 1:
        raise ArgumentError(f"multigammaln: p must be at least 1, got {p}")
    parts = [lgamma(x - 0.5 * k) for k in range(p)]
    return sum(parts[1:], parts[0]) + p * (p - 1) / 4 * math.log(math.pi)
