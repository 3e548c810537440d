"""Lengths of vectors and matrices: norm, dist, cross."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from to_static.core.errors import ArgumentError, DTypeError, ShapeError
from to_static.ir.opdef import Sample, method, op
from to_static.ir.registry import FUNCTIONS
from to_static.ir.spec import UNKNOWN, TensorSpec
from to_static.ops import late, rules, sums
from to_static.ops.pointwise.elementwise import f32


@op("p_norm(X -> Out) power axis keepdim")
def p_norm(x: Any, power: float, axis: int, keepdim: bool) -> Any:
    """``sum(|x| ** power) ** (1 / power)`` along one axis; also for powers inf, -inf and 0 (the count of non-zeros)."""
    return p_norm.emit(x, power=float(power), axis=axis, keepdim=bool(keepdim))


@p_norm.infer
def _(x: TensorSpec, power: float, axis: int, keepdim: bool) -> TensorSpec:
    if x.dtype.kind != "f":
        raise DTypeError(
            f"norm: expected a floating-point tensor, got {x.dtype.name}; convert it with x.astype('float32')"
        )
    return x.with_shape(rules.reduced(x.shape, (rules.axis_index(axis, x.ndim, "norm"),), keepdim))


@p_norm.kernel
def _(xp: Any, x: Any, power: float, axis: int, keepdim: bool) -> Any:
    if power == 2:
        return xp.sqrt(sums.total(x * x, axis, keepdim))
    size = xp.abs(x)
    if power == math.inf:
        return size.max(axis, keepdims=keepdim)
    if power == -math.inf:
        return size.min(axis, keepdims=keepdim)
    if power == 0:
        return (size != 0).sum(axis, keepdims=keepdim).astype(x.dtype)
    if power == 1:
        return sums.total(size, axis, keepdim)
    return xp.power(sums.total(xp.power(size, x.dtype.type(power)), axis, keepdim), x.dtype.type(1 / power))


@p_norm.fixed
def _(out: TensorSpec, x: TensorSpec, power: float, axis: int, keepdim: bool) -> Any:
    total = functools.partial(sums.total, axes=axis, keepdims=keepdim)
    if x.shape[axis] < sums.DEEP and x.dtype.name != "float16":
        total = functools.partial(np.add.reduce, axis=axis, keepdims=keepdim)
    return (lambda x: np.sqrt(total(x * x))) if power == 2 else None


@p_norm.grad
def _(ctx: Any, g: Any) -> Any:
    x, p = ctx.x, ctx.power
    axis = ctx.axis % x.ndim
    if p == 0:
        return FUNCTIONS["zeros_like"](x)

    def wide(t: Any) -> Any:
        return FUNCTIONS["expand_as"](t if ctx.keepdim else FUNCTIONS["unsqueeze"](t, axis), x)

    out, g, size = wide(ctx.out), wide(g), FUNCTIONS["abs"](x)
    zeros = FUNCTIONS["zeros_like"](x)
    where, sign = FUNCTIONS["where"], FUNCTIONS["sign"](x)
    if abs(p) == math.inf:  # the elements that give the extreme share it, as in Paddle
        return g * sign * FUNCTIONS["cast"](size == out, x.dtype)
    if p == 1:
        return g * sign
    safe = where(out == 0, FUNCTIONS["ones_like"](out), out)  # where the norm is 0 the gradient is 0
    if p == 2:
        return where(out == 0, zeros, g * x / safe)
    positive = where(size == 0, FUNCTIONS["ones_like"](size), size)
    slope = sign * FUNCTIONS["pow"](positive, p - 1) * FUNCTIONS["pow"](safe, 1 - p)
    return where(FUNCTIONS["logical_or"](out == 0, size == 0), zeros, g * slope)


@p_norm.to_file
def _(w: Any, op: Any) -> None:
    a = op.attrs
    attrs = {
        "porder": ("float", a["power"]), "axis": ("int", a["axis"]), "keepdim": ("bool", a["keepdim"]),
        "epsilon": ("float", 1e-12), "asvector": ("bool", False),
    }  # fmt: skip
    w.write("p_norm", {"X": op.inputs[0]}, {"Out": op.out}, attrs)


@p_norm.from_file
def _(r: Any) -> Any:
    x, keepdim = r.input("X"), r.attr("keepdim", False)
    if r.attr("asvector", False):
        flat = p_norm(FUNCTIONS["flatten"](x), r.attr("porder", 2.0), 0, False)
        return FUNCTIONS["reshape"](flat, [1] * x.ndim) if keepdim else flat
    return p_norm(x, r.attr("porder", 2.0), r.attr("axis", -1), keepdim)


p_norm.samples(
    lambda: [
        Sample(f32(2, 3), power=2.0, axis=1, keepdim=False),
        Sample(f32(2, 3), power=3.0, axis=0, keepdim=True),
        Sample(f32(2, 3), power=1.0, axis=1, keepdim=False),
        Sample(f32(2, 3), power=math.inf, axis=1, keepdim=False),
        Sample(f32(2, 3), power=0.0, axis=1, keepdim=False, grad=()),
        Sample(np.asarray([[0.0, 0.0], [3.0, 4.0]], "float32"), power=2.0, axis=1, keepdim=False, grad=()),
    ]
)


@method()
def norm(x: Any, p: Any = "fro", axis: Any = None, keepdim: bool = False, name: Any = None) -> Any:
    """The p-norm: of the flattened tensor (``axis`` None), along one axis, or of matrices in two axes.

    ``p``: 'fro' (the root of the sum of squares), a number, inf or -inf. Over two axes a number is taken of all their
    elements together, as Paddle does.

    Example:
        >>> paddle.norm(paddle.to_tensor([3.0, 4.0]))          # 5.0
    """
    if isinstance(p, str) and p != "fro":
        raise ArgumentError(f"norm: p must be 'fro' or a number, got {p!r}")
    power = 2.0 if p == "fro" else float(p)
    axes = late.axes_of(axis, x.ndim, "norm")
    if len(axes) == 1 and axis is not None:
        return p_norm(x, power, axes[0], keepdim)
    if power == 2:
        return (
            FUNCTIONS["sqrt"](FUNCTIONS["sum"](FUNCTIONS["square"](x), list(axes), keepdim=keepdim))
            if len(axes) != x.ndim
            else _whole(x, power, keepdim)
        )
    if len(axes) == x.ndim:
        return _whole(x, power, keepdim)
    if abs(power) == math.inf:
        return FUNCTIONS["max" if power > 0 else "min"](FUNCTIONS["abs"](x), list(axes), keepdim)
    if power == 0:
        return FUNCTIONS["sum"](FUNCTIONS["cast"](x != 0, x.dtype), list(axes), keepdim=keepdim)
    total = FUNCTIONS["sum"](FUNCTIONS["pow"](FUNCTIONS["abs"](x), power), list(axes), keepdim=keepdim)
    return FUNCTIONS["pow"](total, 1 / power)


def _whole(x: Any, power: float, keepdim: bool) -> Any:
    found = p_norm(FUNCTIONS["flatten"](x), power, 0, False)
    return FUNCTIONS["reshape"](found, [1] * x.ndim) if keepdim else found


@method()
def dist(x: Any, y: Any, p: float = 2, name: Any = None) -> Any:
    """The p-norm of ``x - y``, a 0-D tensor."""
    return norm(x - y, float(p))


@method()
def cross(x: Any, y: Any, axis: int = 9, name: Any = None) -> Any:
    """The vector product along ``axis`` (default: the first of size 3)."""
    shape = x.spec.shape
    if axis == 9:
        if 3 not in shape:
            raise ShapeError(f"cross: {rules.show(shape)} has no dimension of size 3")
        axis = shape.index(3)
        if UNKNOWN in shape[:axis]:
            raise ShapeError(f"cross: the first dimension of size 3 of {rules.show(shape)} is not known; give its axis")
    axis = rules.axis_index(axis, len(shape), "cross")

    def unlike(have: str, other: str) -> str:
        return f"cross: expected equal shapes with size 3 at axis {axis}, got {have} and {other}"

    if shape[axis] != 3 or not rules.compatible(shape, y.spec.shape):
        raise ShapeError(unlike(rules.show(shape), rules.show(y.spec.shape)))
    late.check_alike(x, y, "ShapeError", unlike)
    a, b = FUNCTIONS["unbind"](x, axis), FUNCTIONS["unbind"](y, axis)
    return FUNCTIONS["stack"]([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]], axis)
