"""Modified Bessel functions of the first kind, orders 0 and 1, plain and scaled by ``exp(-|x|)``: i0, i0e, i1, i1e.

Up to ``_FAR`` the power series (Abramowitz and Stegun 9.6.10), whose terms are all positive, so that nothing cancels; beyond it
the asymptotic series (9.7.1), of which enough terms fall there. Everything is computed in double precision.
"""

from __future__ import annotations

from typing import Any

from to_static.compiler.ir.opdef import GradContext
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.pointwise import unary
from to_static.core.array_types import Array, ArrayModule

_FAR = 20.0
_NEAR_TERMS = 60  # the power series at _FAR
_FAR_TERMS = 30  # the asymptotic one there
_OVERFLOWS = 1000.0  # both functions do, long before


def _near(xp: ArrayModule, size: Array, order: int) -> Array:
    """The function itself by its power series."""
    quarter = size * size / 4
    term = size / 2 if order else xp.ones_like(size)
    total = term
    for k in range(1, _NEAR_TERMS):
        term = term * quarter / (k * (k + order))
        total = total + term
    return total


def _far(xp: ArrayModule, size: Array, order: int) -> Array:
    """The scaled function by its asymptotic series."""
    term = xp.ones_like(size)
    total = term
    for k in range(1, _FAR_TERMS):
        term = term * ((2 * k - 1) ** 2 - 4 * order * order) / (8 * k * size)
        total = total + term
    return total / (xp.sqrt(2 * xp.pi) * xp.sqrt(size))


def _kernel(order: int, scaled: bool) -> Any:
    def kernel(xp: ArrayModule, x: Array, out: Array | None = None) -> Array:
        doubles = x.astype("float64")
        size = xp.abs(doubles)
        far = size > _FAR
        near = xp.where(far | xp.isnan(size), 0.0, size)
        beyond = xp.where(far, size, _FAR + 1)
        if scaled:
            value = xp.where(far, _far(xp, beyond, order), xp.exp(-near) * _near(xp, near, order))
        else:
            beyond = xp.minimum(beyond, _OVERFLOWS)
            root_factor = xp.exp(beyond / 2)  # in two steps, so that it overflows no earlier than the result does
            value = xp.where(far, root_factor * _far(xp, beyond, order) * root_factor, _near(xp, near, order))
        value = xp.where(xp.isnan(size), doubles, value)
        value = (value * xp.sign(doubles) if order else value).astype(x.dtype)
        if out is None:
            return value
        out[...] = value
        return out

    return kernel


def _over_x(ctx: GradContext, value: Tensor) -> Tensor:
    """A function that is odd, by x: half its slope at 0."""
    zero = ctx.x == 0
    some = F.where(zero, F.ones_like(ctx.x), ctx.x)
    return F.where(zero, F.full_like(ctx.x, 0.5), value / some)


def _sign(ctx: GradContext) -> Tensor:
    return F.sign(ctx.x)


_SLOTS = "x -> out"
i0 = unary.declare(
    "i0", _kernel(0, False), lambda ctx, g: g * F.i1(ctx.x), "The modified Bessel function of order 0.", unary.REAL,
    slots=_SLOTS,
)  # fmt: skip
i0e = unary.declare(
    "i0e", _kernel(0, True), lambda ctx, g: g * (F.i1e(ctx.x) - _sign(ctx) * ctx.out),
    "``exp(-|x|) * i0(x)``, which does not overflow.", unary.REAL, slots=_SLOTS,
)  # fmt: skip
i1: Any = unary.declare(
    "i1", _kernel(1, False), lambda ctx, g: g * (F.i0(ctx.x) - _over_x(ctx, ctx.out)),
    "The modified Bessel function of order 1.", unary.REAL, slots=_SLOTS,
)  # fmt: skip
i1e: Any = unary.declare(
    "i1e", _kernel(1, True), lambda ctx, g: g * (F.i0e(ctx.x) - _sign(ctx) * ctx.out - _over_x(ctx, ctx.out)),
    "``exp(-|x|) * i1(x)``, which does not overflow.", unary.REAL, slots=_SLOTS,
)  # fmt: skip
for _front in (i0, i1, i0e, i1e):
    _front.precision(2, 16)
