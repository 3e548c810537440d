"""Operators of quantized models: quantization to integers with a scale, and dequantization.

An integer of ``bit_length`` bits has a magnitude of at most ``most = 2 ** (bit_length - 1) - 1``; it represents
``integer * scale / most``. With ``round_type`` 0, halves round to the even integer, and the least integer is ``-most - 1``; with 1,
they round away from zero, and the least is ``-most``. Gradients pass as if nothing were rounded (a straight-through estimator).
``quant_axis``: the dimension that has a scale for each index, -1 for one scale.

Source: PaddlePaddle 2.6 (`quantize_linear`, `fake_quantize_dequantize_abs_max` and their like); Jacob et al., "Quantization and
Training of Neural Networks for Efficient Integer-Arithmetic-Only Inference", CVPR 2018.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import AttrValue, GradContext, Sample, op
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import dtype_checks
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.errors import ShapeError

_LEAST = 1e-6  # scales up to it are counted from there on


def max_magnitude(bits: int) -> int:
    """The largest number of so many bits."""
    return (1 << (bits - 1)) - 1


def along(xp: ArrayModule, scale: Array, x: Array, axis: int) -> Array:
    """The scales so that they broadcast against ``x``."""
    if axis < 0:
        return scale.reshape(())
    return scale.reshape([-1 if i == axis else 1 for i in range(x.ndim)])


def rounded(xp: ArrayModule, x: Array, scale: Array, bits: int, away: bool) -> Array:
    """``x`` as whole multiples of ``scale / most``."""
    top = x.dtype.type(max_magnitude(bits))
    rate = top / xp.where(scale <= _LEAST, scale + x.dtype.type(_LEAST), scale)
    if not away:
        return xp.clip(xp.rint(x * rate), -top - x.dtype.type(1), top)
    scaled = xp.clip(x, -scale, scale) * rate
    truncated = xp.trunc(scaled)
    return truncated + xp.trunc((scaled - truncated) * x.dtype.type(2))  # which has no digits to lose


def back(xp: ArrayModule, levels: Array, scale: Any, bits: int) -> Array:
    """Dequantize integers: multiples of ``scale / most``, in the dtype of ``scale``."""
    return levels * scale / scale.dtype.type(max_magnitude(bits))


def check_scale(name: str, x: TensorSpec, scale: TensorSpec, axis: int) -> None:
    """Raise DTypeError or ShapeError unless there is a scale for each index of the axis, or one."""
    dtype_checks.need_float(scale, name)
    if axis >= x.ndim:
        raise ShapeError(f"{name}: quant_axis is {axis}, but the input has {x.ndim} dimensions")
    wanted = 1 if axis < 0 else x.shape[axis]
    if UNKNOWN not in (wanted, scale.size) and scale.size != wanted:
        raise ShapeError(f"{name}: expected {wanted} scales, got {show(scale.shape)}")


def _f(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).uniform(-2, 2, shape).astype("float32")


def _s(*values: float) -> np.ndarray:
    return np.asarray(values, "float32")


def _z(count: int) -> np.ndarray:
    return np.zeros(count, "int32")


@op(
    "quantize_linear(X, Scale!, ZeroPoint?! -> Y) quant_axis:int bit_length:int round_type:int only_observer:bool",
    traits="check_shapes",
)
def quantize_linear(
    x: Tensor,
    scale: Tensor,
    zero_point: Tensor | None = None,
    quant_axis: int = -1,
    bit_length: int = 8,
    round_type: int = 0,
    only_observer: bool = False,
) -> Tensor:
    """``x`` as whole numbers (in its own dtype), see above; as it is with ``only_observer``, which notes a scale for others.

    ``zero_point`` is zeros and not read, as in PaddlePaddle.
    """
    attrs = {"quant_axis": quant_axis, "bit_length": bit_length, "round_type": round_type, "only_observer": only_observer}
    return quantize_linear.emit(x, scale, zero_point, **attrs)


@quantize_linear.infer
def _(
    x: TensorSpec, scale: TensorSpec, zero_point: TensorSpec | None, quant_axis: int, **attrs: AttrValue
) -> TensorSpec:
    dtype_checks.need_float(x, "quantize_linear")
    check_scale("quantize_linear", x, scale, quant_axis)
    return x


@quantize_linear.kernel
def _(
    xp: ArrayModule,
    x: Array,
    scale: Array,
    zero_point: Array | None,
    quant_axis: int,
    bit_length: int,
    round_type: int,
    only_observer: bool,
) -> Array:
    if only_observer:
        return x.copy()
    return rounded(xp, x, along(xp, scale, x, quant_axis).astype(x.dtype), bit_length, round_type == 1)


@quantize_linear.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return g, None, None


quantize_linear.samples(
    lambda: [
        Sample(_f(3, 4), _s(1.5), _z(1), quant_axis=-1, bit_length=8, round_type=0, only_observer=False, grad=()),
        Sample(_f(3, 4), _s(1.5, 2, 0.5), _z(3), quant_axis=0, bit_length=4, round_type=1, only_observer=False, grad=()),
        Sample(_f(3, 4), _s(1.5), _z(1), quant_axis=-1, bit_length=8, round_type=0, only_observer=True, grad=(0,)),
        Sample(_f(1)[0], _s(1.5), _z(1), quant_axis=-1, bit_length=8, round_type=0, only_observer=False, grad=()),
        Sample(_f(1)[0], _s(1.5), _z(1), quant_axis=-1, bit_length=8, round_type=1, only_observer=False, grad=()),
    ]
)


@op("dequantize_linear(X, Scale!, ZeroPoint?! -> Y) quant_axis:int bit_length:int only_observer:bool", traits="check_shapes")
def dequantize_linear(
    x: Tensor,
    scale: Tensor,
    zero_point: Any = None,
    quant_axis: int = -1,
    bit_length: int = 8,
    only_observer: bool = False,
) -> Tensor:
    """Dequantize integers of any dtype, see above, in the dtype of ``scale``; with ``only_observer`` return ``x``."""
    attrs = {"quant_axis": quant_axis, "bit_length": bit_length, "only_observer": only_observer}
    return dequantize_linear.emit(x, scale, zero_point, **attrs)


@dequantize_linear.infer
def _(
    x: TensorSpec, scale: TensorSpec, zero_point: TensorSpec | None, quant_axis: int, **attrs: AttrValue
) -> TensorSpec:
    check_scale("dequantize_linear", x, scale, quant_axis)
    return TensorSpec(x.shape, scale.dtype)


@dequantize_linear.kernel
def _(
    xp: ArrayModule,
    x: Array,
    scale: Array,
    zero_point: Array | None,
    quant_axis: int,
    bit_length: int,
    only_observer: bool,
) -> Array:
    if only_observer:
        return x.astype(scale.dtype)
    return back(xp, x.astype(scale.dtype), along(xp, scale, x, quant_axis), bit_length)


@dequantize_linear.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    x, scale, _ = ctx.inputs
    if ctx.only_observer:
        return g, None, None
    if ctx.quant_axis >= 0:
        scale = F.reshape(scale, [-1 if i == ctx.quant_axis else 1 for i in range(x.ndim)])
    return g * scale / float(max_magnitude(ctx.bit_length)), None, None


dequantize_linear.samples(
    lambda: [
        Sample(_f(3, 4), _s(1.5), _z(1), quant_axis=-1, bit_length=8, only_observer=False, grad=(0,)),
        Sample(_f(3, 4), _s(1.5, 2, 0.5, 1), _z(4), quant_axis=1, bit_length=4, only_observer=False, grad=(0,)),
        Sample(np.asarray([[-3, 127]], "int8"), _s(2), _z(1), quant_axis=-1, bit_length=8, only_observer=False, grad=()),
        Sample(_f(3, 4), _s(1.5), _z(1), quant_axis=-1, bit_length=8, only_observer=True, grad=(0,)),
    ]
)
