"""Powers: `pow` and the operator ``**``."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import GradContext, method
from to_static.compiler.ir.registry import FUNCTIONS
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions as F
from to_static.compiler.ops import operands
from to_static.compiler.ops.pointwise.elementwise import both, declare, in_place, pairs
from to_static.core.array_types import Array, ArrayModule


def _pow_grad(ctx: GradContext, g: Tensor) -> tuple[Tensor | None, ...]:
    x, y = ctx.inputs
    where = F.where
    at_zero = x == 0

    def by_x() -> Tensor:  # 0**0 has slope 0, which 0 * 0**-1 would make nan
        base = where(F.logical_and(at_zero, y == 0), F.ones_like(x), x)
        return g * y * power.emit(base, y - 1)

    def by_y() -> Tensor:  # 0**y does not change with y (y > 0), but log(0) is -inf
        return g * ctx.out * F.log(where(at_zero, F.ones_like(x), x))

    return both(ctx, by_x, by_y)


def _power(xp: ArrayModule, x: Array, y: Array, out: Array | None = None) -> Array:
    if y.dtype.kind == "i" and bool((y < 0).any()):
        return _integer_power(xp, x, y, out)
    if xp is np and x.dtype.kind == "f":
        if y.size == 1:
            exponent = y.item()
            if exponent == 3 and y.ndim <= x.ndim:  # a cube is two products
                return xp.multiply(x * x, x, out)
            if exponent == 0.5:
                x = _unsigned(x, True)
        elif y.shape != x.shape or 0 in y.strides:
            at = y == 0.5
            if at.any():
                x = _unsigned(x, at)
    return xp.power(x, y, out)


def _unsigned(x: Array, at: Array | bool) -> Array:
    """``x`` with inf and 0.0 for -inf and -0.0 at ``at``. NumPy broadcasts an exponent 0.5 as a square root, which is nan of -inf
    and -0.0 of -0.0.
    """
    return np.where(at & ((x == 0) | (x == -np.inf)), np.abs(x), x)


def _integer_power(xp: ArrayModule, x: Any, y: Any, out: Any) -> Array:
    """Integers to powers of which some are negative: the closest whole number, and the least one for what 0 would be divided by."""
    value = xp.power(x, xp.maximum(y, 0))
    odd = xp.where((x == -1) & (y % 2 == 1), xp.full_like(x, -1), (xp.abs(x) == 1).astype(x.dtype))
    below = xp.where(x == 0, xp.full_like(x, np.iinfo(x.dtype).min), odd)
    value = xp.where(y < 0, below, value)
    if out is None:
        return value
    out[...] = value
    return out


power = declare(
    "pow", "elementwise_pow", _power,
    "``x ** y``, elementwise with broadcasting. Integers to negative powers are rounded: 0, but for 1 and -1.",
    _pow_grad, pairs(low=0.5), widen=False, dtype_kinds="iuf",
)  # fmt: skip


def pow(x: Tensor, y: Tensor | float, name: str | None = None) -> Tensor:
    """``x ** y``, elementwise with broadcasting. Integers to negative powers are rounded: 0, but for 1 and -1.

    Integers to a whole power stay integers, also where it is written as a float (only the operator ``**`` gives floats then).
    Raises ShapeError when the shapes do not broadcast.

    Example:
        >>> paddle.pow(paddle.to_tensor([2.0, 3.0]), 2).tolist()
        [4.0, 9.0]
    """
    if type(y) is float and y.is_integer() and isinstance(x, Tensor) and x.dtype.kind in "iu":
        y = int(y)
    return operator_pow(x, y)


def operator_pow(x: Tensor, y: Any) -> Tensor:
    """``x ** y`` as the operator computes it: integers to a float power become float32 first."""
    if isinstance(y, np.generic):
        y = operands.python_number(y)
    if type(y) in (int, float) and isinstance(x, Tensor) and x.dtype.kind in "iuf":
        if type(y) is float and x.dtype.kind != "f":
            x = F.cast(x, operands.FLOAT_OF_INTEGERS)
        if y == 2:
            return F.square(x)
        if y == 1:
            return F.assign(x)
        if y == 0.5 and x.dtype.kind == "f":
            return F.sqrt(x)
    return power(x, y)


FUNCTIONS["operator_pow"] = operator_pow
method()(pow)
in_place(pow, "pow_")
