"""Special functions of two tensors, elementwise with broadcasting: heaviside, hypot, logaddexp, atan2, gcd, lcm."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.ir.opdef import GradContext, Sample, method, op
from to_static.compiler.ir.program import Op
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import dtype_checks, operands, shape_rules
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.double_precision import in_float64
from to_static.compiler.ops.pointwise.elementwise import both, declare, f32, pairs
from to_static.compiler.ops.pointwise.min_max import maximum
from to_static.core.array_types import Array, ArrayModule
from to_static.core.dtypes import default_dtype, float64
from to_static.core.errors import DTypeError

if TYPE_CHECKING:
    from to_static.compiler.ir.file_hooks import FileReader, FileWriter


@op("heaviside(X, Y -> Out)", file=None, traits="elementwise", method=True)
def heaviside(x: Tensor, y: Any, name: str | None = None) -> Tensor:
    """The Heaviside step function: 0 for negative ``x``, 1 for positive ``x``, and ``y`` for 0.

    ``x`` and ``y`` broadcast.

    Example:
        >>> paddle.heaviside(paddle.to_tensor([-1.0, 0.0, 2.0]), paddle.to_tensor(0.5)).tolist()
        [0.0, 0.5, 1.0]
    """
    if type(x) is not type(y) or x.dtype is not y.dtype:
        dtype_checks.need_one_dtype("heaviside", x, y)
        x, y = operands.binary_operands(x, y, "heaviside")
    return heaviside.emit(x, y)


@heaviside.infer
def _(x: TensorSpec, y: TensorSpec) -> TensorSpec:
    if x.dtype.kind in "bc":
        raise DTypeError(f"heaviside: {x.dtype.name} tensors are not supported")
    dtype_checks.need_one_dtype("heaviside", x, y)
    return x.with_shape(shape_rules.broadcast(x.shape, y.shape, "heaviside"))


@heaviside.kernel
def _(xp: ArrayModule, x: Array, y: Array, out: Array | None = None) -> Array:
    if x.dtype.kind == "f":
        return xp.heaviside(x, y, out)
    step = xp.where(x == 0, y, (x > 0).astype(x.dtype))
    if out is None:
        return step
    out[...] = step
    return out


@heaviside.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    x, y = ctx.inputs
    of_y = F.where(x == 0, g, F.zeros_like(g)) if ctx.needs[1] else None
    return F.zeros_like(x), None if of_y is None else shape_rules.unbroadcast(of_y, y)


@heaviside.composition
def _(x: Tensor, y: Tensor) -> Tensor:
    step = F.maximum(F.sign(x), operands.constant(0, x.dtype))  # a step of x: its gradient is zeros
    return F.where(x == 0, y, step)


heaviside.samples(
    lambda: [
        Sample(np.asarray([-1.0, 0.0, 2.0], "float32"), np.asarray([[0.5], [2.0]], "float32"), grad=(1,)),
        Sample(np.asarray([-1, 0, 2]), np.asarray([[5], [-2]])),
    ]
)


@op("hypot(X, Y -> Out)", file=None, traits="elementwise", method=True, inplace=True)
def hypot(x: Tensor, y: Any, name: str | None = None) -> Tensor:
    """``sqrt(x * x + y * y)``.

    ``x`` and ``y`` broadcast; integers become float32. The squares do not overflow.

    Example:
        >>> paddle.hypot(paddle.to_tensor([3.0]), paddle.to_tensor([4.0])).tolist()
        [5.0]
    """
    x, y = operands.binary_operands(x, y, "hypot")
    if not x.dtype.is_floating:
        x, y = (F.cast(v, default_dtype()) for v in (x, y))
    return hypot.emit(x, y)


@hypot.infer
def _(x: TensorSpec, y: TensorSpec) -> TensorSpec:
    dtype_checks.need_float(x, "hypot")
    dtype_checks.need_one_dtype("hypot", x, y)
    return x.with_shape(shape_rules.broadcast(x.shape, y.shape, "hypot"))


@hypot.kernel
def _(xp: ArrayModule, x: Array, y: Array, out: Array | None = None) -> Array:
    if x.dtype.char in "ef":  # whose squares do not overflow as float64

        def root(x: Array, y: Array) -> Array:
            total = xp.add(xp.multiply(x, x, x), xp.multiply(y, y, y), x if x.shape == y.shape else None)
            return xp.sqrt(total, total)

        return in_float64(xp, root, (x, y), out)
    top = xp.maximum(xp.abs(x), xp.abs(y))
    top = xp.where(xp.isfinite(top) & (top > 0), top, xp.ones((), x.dtype))
    return xp.multiply(top, xp.sqrt(xp.square(x / top) + xp.square(y / top)), out)


@hypot.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    x, y = ctx.inputs
    rate = g / ctx.out
    return (
        shape_rules.unbroadcast(rate * x, x) if ctx.needs[0] else None,
        shape_rules.unbroadcast(rate * y, y) if ctx.needs[1] else None,
    )


@hypot.composition
def _(x: Tensor, y: Tensor) -> Tensor:
    top = F.maximum(F.abs(x), F.abs(y)).detach()  # divided by it, no square overflows
    usual = F.logical_and(F.isfinite(top), top > 0)
    top = F.where(usual, top, F.ones_like(top))
    return top * F.sqrt(F.square(x / top) + F.square(y / top))


hypot.samples(
    lambda: [Sample(f32(2, 3, low=0.5), f32(3, seed=1, low=0.5)), Sample(f32(2, 1, low=0.5), f32(1, 2, seed=1, low=0.5))]
)


@method()
def logaddexp(x: Tensor, y: Any, name: str | None = None) -> Tensor:
    """``log(exp(x) + exp(y))`` without overflow.

    ``x`` and ``y`` broadcast; integers become float32.

    Example:
        >>> paddle.logaddexp(paddle.to_tensor([100.0]), paddle.to_tensor([100.0])).tolist()
        [100.69314575195312]
    """
    x, y = operands.binary_operands(x, y, "logaddexp")
    if not x.dtype.is_floating:
        x, y = (F.cast(v, operands.FLOAT_OF_INTEGERS) for v in (x, y))
    where, same = F.where, x == y
    apart = where(same, F.zeros_like(x - y), x - y)  # infinities that are equal are not apart
    top = where(same, x * 0.5 + y * 0.5, maximum(x, y))  # each of two equal numbers gets half of the gradient
    return top + F.log1p(F.exp(-F.abs(apart)))


def _atan2_grad(ctx: GradContext, g: Tensor) -> tuple[Tensor, ...]:
    y, x = ctx.inputs
    return both(ctx, lambda: g * x / (x * x + y * y), lambda: -g * y / (x * x + y * y))


def _arctan2(xp: ArrayModule, y: Array, x: Array, out: Array | None = None) -> Array:
    if y.dtype.kind in "iu":
        y, x = y.astype("float64"), x.astype("float64")
    return xp.arctan2(y, x, out=out)


atan2 = declare(
    "atan2", "atan2", _arctan2,
    "The angle of the point (y, x) given as ``atan2(y, x)``, elementwise with broadcasting; of integers in float64.",
    _atan2_grad, pairs(ints=True), dtype_kinds="iuf", file_axis=False,
)  # fmt: skip


@atan2.infer
def _(y: TensorSpec, x: TensorSpec) -> TensorSpec:
    dtype = float64 if y.dtype.kind in "iu" else y.dtype
    if dtype.kind != "f":
        raise DTypeError(f"atan2: {y.dtype.name} tensors are not supported")
    return TensorSpec(shape_rules.broadcast(y.shape, x.shape, "atan2"), dtype)


@atan2.to_file
def _(w: FileWriter, op: Op) -> None:
    w.write("atan2", {"X1": op.inputs[0], "X2": op.inputs[1]}, {"Out": op.out}, {})


@atan2.from_file
def _(r: FileReader) -> Tensor:
    return atan2(r.input("X1"), r.input("X2"))


def _common(name: str, doc: str) -> Any:
    return declare(name, None, name, doc, None, pairs_of_integers, True, widen=False, dtype_kinds="iu", file_axis=False)


def pairs_of_integers() -> list[Sample]:
    """Samples for functions of integers."""
    return [Sample(np.asarray([12, 0, -8]), np.asarray([[18], [5]]))]


gcd = _common("gcd", "The greatest common divisor of integers, elementwise with broadcasting.")
lcm = _common("lcm", "The least common multiple of integers, elementwise with broadcasting.")
