"""Norms of vectors and matrices, and the vector product: norm, dist, cross."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.ir.opdef import FrozenAttrs, GradContext, Sample, method, op
from to_static.compiler.ir.program import Op
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import blocked_sum, dtype_checks, dynamic_sizes, shape_rules
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.kernel_scalar import operand
from to_static.compiler.ops.pointwise.elementwise import f32
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.dtypes import bool_
from to_static.core.errors import ArgumentError, DTypeError, ShapeError

if TYPE_CHECKING:
    from to_static.compiler.ir.file_hooks import FileReader, FileWriter


@op("p_norm(X -> Out) power! axis keepdim")
def p_norm(x: Tensor, power: float, axis: int | None, keepdim: bool) -> Tensor:
    """``sum(|x| ** power) ** (1 / power)`` along one axis, or all (None); also for powers inf, -inf and 0 (count of non-zeros)."""
    if power == 2:
        return p_norm.call((x,), _euclidean(axis, bool(keepdim)))
    return p_norm.emit(x, power=float(power), axis=axis, keepdim=bool(keepdim))


@functools.lru_cache(256)
def _euclidean(axis: int | None, keepdim: bool) -> FrozenAttrs:
    return FrozenAttrs(power=2.0, axis=axis, keepdim=keepdim)


@p_norm.infer
def _(x: TensorSpec, power: float, axis: int | None, keepdim: bool) -> TensorSpec:
    if x.dtype.kind != "f":
        raise DTypeError(
            f"norm: expected a floating-point tensor, got {x.dtype.name}; convert it with x.astype('float32')"
        )
    return x.with_shape(shape_rules.reduced_shape(x.shape, _axes(x, axis), keepdim))


def _axes(x: TensorSpec, axis: int | None) -> tuple[int, ...]:
    return tuple(range(x.ndim)) if axis is None else (shape_rules.axis_index(axis, x.ndim, "norm"),)


@p_norm.kernel
def _(xp: ArrayModule, x: Array, power: float, axis: int | None, keepdim: bool) -> Array:
    if power == 2:
        return xp.sqrt(blocked_sum.total(x * x, axis, keepdim))
    size = xp.abs(x)
    if power == math.inf:
        return size.max(axis, keepdims=keepdim)
    if power == -math.inf:
        return size.min(axis, keepdims=keepdim)
    if power == 0:
        return (size != 0).sum(axis, keepdims=keepdim).astype(x.dtype)
    if power == 1:
        return blocked_sum.total(size, axis, keepdim)
    total = blocked_sum.total(xp.power(size, operand(xp, power, x.dtype)), axis, keepdim)
    return xp.power(total, operand(xp, 1 / power, x.dtype))


@p_norm.specialize
def _(out: TensorSpec, x: TensorSpec, axis: int | None, keepdim: bool) -> Any:
    total, dtype = blocked_sum.adder(x.shape, x.dtype.np.char, _axes(x, axis), keepdim), x.dtype.np
    kernel = p_norm.op.kernel_for("numpy")

    def p_norm_run(x: Array, power: float) -> Any:
        if power == 2:
            return np.sqrt(total(np.multiply(x, x)))
        if power in (0, 1) or math.isinf(power) or not x.ndim:
            return kernel(np, x, power, axis, keepdim)
        size = np.absolute(x)
        return np.power(total(np.power(size, np.array(power, dtype), size)), np.array(1 / power, dtype))

    return p_norm_run


@p_norm.grad_kernel
def _(x: Array, out: Array, g: Array, power: float, axis: int | None, keepdim: bool) -> Any:
    if not x.ndim:
        return None
    if axis is not None and not keepdim:
        out, g = np.expand_dims(out, axis), np.expand_dims(g, axis)
    if power == 0:
        return np.zeros(x.shape, x.dtype)
    if power == 1:
        return g * np.sign(x)
    if math.isinf(power):
        return g * np.sign(x) * (np.absolute(x) == out).astype(x.dtype)
    none = out == 0
    some = bool(np.count_nonzero(none))
    safe = np.where(none, np.ones((), x.dtype), out) if some else out
    if power == 2:
        slope = g * x / safe
    else:
        size = np.absolute(x)
        missing = size == 0
        size[missing] = 1
        slope = np.copysign(np.power(size, np.array(power - 1, x.dtype), size), x, size)
        slope *= np.power(safe, np.array(1 - power, x.dtype))
        slope *= g
        slope[missing] = 0
    return np.where(none, np.zeros((), x.dtype), slope) if some else slope


@p_norm.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    x, p = ctx.x, ctx.power
    if p == 0:
        return F.zeros_like(x)

    def with_axis(t: Tensor) -> Tensor:
        flat = not ctx.keepdim and ctx.axis is not None
        return F.expand_as(F.unsqueeze(t, ctx.axis % x.ndim) if flat else t, x)

    out, g, size = with_axis(ctx.out), with_axis(g), F.abs(x)
    zeros = F.zeros_like(x)
    where, sign = F.where, F.sign(x)
    if abs(p) == math.inf:  # the elements that give the extreme share it, as in Paddle
        return g * sign * F.cast(size == out, x.dtype)
    if p == 1:
        return g * sign
    safe = where(out == 0, F.ones_like(out), out)  # where the norm is 0 the gradient is 0
    if p == 2:
        return where(out == 0, zeros, g * x / safe)
    positive = where(size == 0, F.ones_like(size), size)
    slope = sign * F.pow(positive, p - 1) * F.pow(safe, 1 - p)
    return where(F.logical_or(out == 0, size == 0), zeros, g * slope)


@p_norm.to_file
def _(w: FileWriter, op: Op) -> None:
    a = op.attrs
    attrs = {
        "porder": ("float", a["power"]), "axis": ("int", -1 if a["axis"] is None else a["axis"]), "keepdim": ("bool", a["keepdim"]),
        "epsilon": ("float", 1e-12), "asvector": ("bool", a["axis"] is None),
    }  # fmt: skip
    w.write("p_norm", {"X": op.inputs[0]}, {"Out": op.out}, attrs)


@p_norm.from_file
def _(r: FileReader) -> Tensor:
    x, keepdim = r.input("X"), r.attr("keepdim", False)
    return p_norm(x, r.attr("porder", 2.0), None if r.attr("asvector", False) else r.attr("axis", -1), keepdim)


p_norm.samples(
    lambda: [
        Sample(f32(2, 3), power=2.0, axis=1, keepdim=False),
        Sample(f32(2, 3), power=3.0, axis=0, keepdim=True),
        Sample(f32(2, 3), power=2.0, axis=None, keepdim=False),
        Sample(f32(2, 3), power=3.0, axis=None, keepdim=True),
        Sample(f32(), power=2.0, axis=None, keepdim=False),
        Sample(f32(2, 3), power=1.0, axis=1, keepdim=False),
        Sample(f32(2, 3), power=math.inf, axis=1, keepdim=False),
        Sample(f32(2, 3), power=0.0, axis=1, keepdim=False, grad=()),
        Sample(np.asarray([[0.0, 0.0], [3.0, 4.0]], "float32"), power=2.0, axis=1, keepdim=False, grad=()),
    ]
)


@method()
def norm(
    x: Tensor,
    p: float | str = "fro",
    axis: int | Sequence[int] | None = None,
    keepdim: bool = False,
    name: str | None = None,
) -> Tensor:
    """The p-norm: of the flattened tensor (``axis`` None), along one axis, or of matrices in two axes.

    ``p``: 'fro' (the root of the sum of squares), a number, inf or -inf. Over two axes a number is taken of all their
    elements together, as Paddle does.
    ``x``: floats; ``keepdim`` keeps the dimensions with size 1. Raises ArgumentError for another ``p``.

    Example:
        >>> paddle.norm(paddle.to_tensor([3.0, 4.0]))          # 5.0
    """
    if isinstance(p, str) and p != "fro":
        raise ArgumentError(f"norm: p must be 'fro' or a number, got {p!r}")
    power = 2.0 if p == "fro" else float(p)
    if axis is None and isinstance(x, Tensor):
        return p_norm(x, power, None, keepdim)
    axes = dynamic_sizes.axes_of(axis, x.ndim, "norm")
    if len(axes) == 1 and axis is not None:
        return p_norm(x, power, axes[0], keepdim)
    if power == 2:
        return (
            F.sqrt(F.sum(F.square(x), list(axes), keepdim=keepdim))
            if len(axes) != x.ndim
            else p_norm(x, power, None, keepdim)
        )
    if len(axes) == x.ndim:
        return p_norm(x, power, None, keepdim)
    if abs(power) == math.inf:
        return (F.max if power > 0 else F.min)(F.abs(x), list(axes), keepdim)
    if power == 0:
        return F.sum(F.cast(x != 0, x.dtype), list(axes), keepdim=keepdim)
    total = F.sum(F.pow(F.abs(x), power), list(axes), keepdim=keepdim)
    return F.pow(total, 1 / power)


@method()
def dist(x: Tensor, y: Any, p: float = 2, name: str | None = None) -> Tensor:
    """The p-norm of ``x - y``, a 0-D tensor.

    ``x`` and ``y`` broadcast. ``p``: inf is the largest difference, 0 the number of elements that differ.

    Example:
        >>> paddle.dist(paddle.to_tensor([3.0, 4.0]), paddle.zeros([2])).item()
        5.0
    """
    dtype_checks.need_one_dtype("dist", x, y)
    return p_norm(x - y, float(p), None, False)


_NEXT = np.array([1, 2, 0])  # the place after each


_MANY = 1 << 14  # numbers from which on NumPy takes more time to pick those that meet than for calls for each of the three
_FIRST_OF_THREE = 9  # as an axis: the first dimension of size 3, as in Paddle's files


def _is_unsure(shape: tuple[int, ...]) -> bool:
    """True if only a run knows the first dimension of size 3."""
    return UNKNOWN in shape[: shape.index(3) if 3 in shape else None]


def _first_of_three(shape: tuple[int, ...]) -> int:
    """The first dimension of size 3. Raises ShapeError."""
    if 3 not in shape:
        raise ShapeError(f"cross: {show(shape)} has no dimension of size 3")
    return shape.index(3)


@op("cross(X, Y -> Out) axis=dim:int", traits="integral", method=True)
def cross(x: Tensor, y: Tensor, axis: int = _FIRST_OF_THREE, name: str | None = None) -> Tensor:
    """The vector product along ``axis`` (default: the first of size 3).

    ``x``, ``y``: of one shape, with size 3 along ``axis``. Raises ShapeError for other shapes.

    Example:
        >>> paddle.cross(paddle.to_tensor([1.0, 0.0, 0.0]), paddle.to_tensor([0.0, 1.0, 0.0])).tolist()
        [0.0, 0.0, 1.0]
    """
    shape = x.spec.shape
    if axis != _FIRST_OF_THREE:
        axis = shape_rules.axis_index(axis, len(shape), "cross")
    if type(x) is not type(y) or x.spec != y.spec or UNKNOWN in shape:
        dtype_checks.need_one_dtype("cross", x, y)
        at = "" if axis == _FIRST_OF_THREE else f" with size 3 at axis {axis}"

        def unlike(have: str, want: str) -> str:
            return f"cross: expected equal shapes{at}, got {have} and {want}"

        if not shape_rules.compatible(shape, y.spec.shape):
            raise ShapeError(unlike(show(shape), show(y.spec.shape)))
        dynamic_sizes.check_alike(x, y, "ShapeError", unlike)
    return cross.emit(x, y, axis=axis)


@cross.infer
def _(x: TensorSpec, y: TensorSpec, axis: int) -> TensorSpec:
    if x.dtype is bool_:
        raise DTypeError("cross: bool tensors are not supported")
    if axis == _FIRST_OF_THREE:
        if not _is_unsure(x.shape):
            _first_of_three(x.shape)
    elif x.shape[axis] != 3:
        have = f"{show(x.shape)} and {show(y.shape)}"
        raise ShapeError(f"cross: expected equal shapes with size 3 at axis {axis}, got {have}")
    return x.with_shape(tuple([b if a == UNKNOWN else a for a, b in zip(x.shape, y.shape, strict=True)]))


@cross.kernel
def _(xp: ArrayModule, x: Array, y: Array, axis: int) -> Array:
    if axis == _FIRST_OF_THREE:
        axis = _first_of_three(x.shape)
    if x.size > _MANY and x.shape == y.shape:
        return _cross_of_parts(xp, x, y, axis)
    following = _NEXT if xp is np else xp.asarray(_NEXT)
    product, second = y.take(following, axis), x.take(following, axis)
    xp.multiply(x, product, product)
    xp.multiply(second, y, second)
    return xp.subtract(product, second, product).take(following, axis)  # what stands at 0 belongs to 2


def _cross_of_parts(xp: ArrayModule, x: Array, y: Array, axis: int) -> Array:
    out = xp.empty(x.shape, x.dtype)
    a, b, result = (xp.moveaxis(v, axis, 0) for v in (x, y, out))
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        xp.multiply(a[j], b[k], result[i])
        xp.subtract(result[i], a[k] * b[j], result[i])
    return out


@cross.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    x, y = ctx.inputs
    axis = ctx.axis
    return cross.emit(y, g, axis=axis) if ctx.needs[0] else None, cross.emit(g, x, axis=axis) if ctx.needs[1] else None


@cross.composition
def _(x: Tensor, y: Tensor, axis: int) -> Any:
    axis = _first_of_three(x.spec.shape) if axis == _FIRST_OF_THREE else axis
    a, b = F.unbind(x, axis), F.unbind(y, axis)
    return F.stack([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]], axis)


@cross.from_file
def _(r: FileReader) -> Tensor:
    return cross(r.input("X"), r.input("Y"), r.attr("dim", _FIRST_OF_THREE))


cross.may_raise(lambda x, y, axis: axis == _FIRST_OF_THREE and _is_unsure(x.spec.shape))
cross.samples(
    lambda: [
        Sample(f32(2, 3), f32(2, 3, seed=1), axis=1),
        Sample(f32(3, 2), f32(3, 2, seed=1), axis=0),
        Sample(f32(2, 3), f32(2, 3, seed=1), axis=9),
        Sample(np.asarray([1, 2, 3]), np.asarray([3, 1, 2]), axis=0),
        Sample(f32(2, 3, 3000), f32(2, 3, 3000, seed=1), axis=1, grad=()),
    ]
)
