"""The rectifiers: piecewise linear activation functions, and others with a kink.

Each takes a floating-point tensor and returns one of the same shape and dtype.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import AttrValue, GradContext, Sample, op
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import clamp, dtype_checks, dynamic_sizes, shape_rules
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.kernel_scalar import operand
from to_static.core.array_types import Array, ArrayModule
from to_static.core.errors import ArgumentError, ShapeError


def _points() -> np.ndarray:
    """Sample points away from the usual kinks, with values far out on both sides."""
    return np.asarray([[-30.0, -4.2, -2.1, -0.7], [-0.2, 0.3, 0.8, 1.9], [2.6, 4.4, 7.5, 40.0]], "float32")


def _empty(xp: ArrayModule, x: Array, out: Array | None) -> Array:
    return xp.empty_like(x) if out is None else out


def _indicator(condition: Tensor, like: Tensor) -> Tensor:
    return condition.astype(like.dtype)


@op("relu(X -> Out)", traits="elementwise")
def relu(x: Tensor, name: str | None = None) -> Tensor:
    """``max(x, 0)``.

    Example:
        >>> F.relu(paddle.to_tensor([-2.0, 0.0, 1.0])).numpy()
        array([0., 0., 1.], dtype=float32)
    """
    return relu.emit(x)


@relu.kernel
def _(xp: ArrayModule, x: Array, out: Array | None = None) -> Array:
    return clamp.at_least(xp, x, 0, out)


@relu.specialize
def _(out: TensorSpec, x: TensorSpec) -> Any:
    zero = operand(np, 0, x.dtype.np)
    return (lambda x: np.maximum(x, zero)) if x.size < clamp.WORTH else None


@relu.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return relu_grad(ctx.out, g)  # from the output, so that the input need not be kept


@op("relu_grad(Out, G -> DX)", file=None, traits="elementwise")
def relu_grad(result: Tensor, g: Tensor) -> Tensor:
    """The gradient ``g`` where a relu's ``result`` is positive, else 0."""
    return relu_grad.emit(result, g)


@relu_grad.infer
def _(result: TensorSpec, g: TensorSpec) -> TensorSpec:
    return result


@relu_grad.kernel
def _(xp: ArrayModule, result: Array, g: Array, out: Array | None = None) -> Array:
    return xp.multiply(g, result > 0, out)


@relu_grad.grad
def _(ctx: GradContext, gg: Tensor) -> Any:
    return None, relu_grad(ctx.inputs[0], gg)


@op("relu6(X -> Out)", traits="elementwise")
def relu6(x: Tensor, name: str | None = None) -> Tensor:
    """``min(max(x, 0), 6)``.

    Example:
        >>> F.relu6(paddle.to_tensor([-1.0, 8.0])).tolist()
        [0.0, 6.0]
    """
    return relu6.emit(x)


@relu6.kernel
def _(xp: ArrayModule, x: Array, out: Array | None = None) -> Array:
    y = clamp.at_least(xp, x, 0, _empty(xp, x, out))
    return clamp.at_most(xp, y, 6, y)


@relu6.specialize
def _(out: TensorSpec, x: TensorSpec) -> Any:
    zero, six = (operand(np, limit, x.dtype.np) for limit in (0, 6))
    return (lambda x: np.minimum(np.maximum(x, zero), six)) if x.size < clamp.WORTH else None


@relu6.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return g * _indicator(ctx.out > 0, g) * _indicator(ctx.out < 6, g)


@op("leaky_relu(X -> Out) negative_slope=alpha:float", traits="elementwise")
def leaky_relu(x: Tensor, negative_slope: float = 0.01, name: str | None = None) -> Tensor:
    """``x`` where it is positive, else ``negative_slope * x``.

    Example:
        >>> F.leaky_relu(paddle.to_tensor([-1.0, 2.0])).tolist()
        [-0.009999999776482582, 2.0]
    """
    return leaky_relu.emit(x, negative_slope=float(negative_slope))


@leaky_relu.kernel
def _(xp: ArrayModule, x: Array, negative_slope: float) -> Array:
    if negative_slope <= 0:
        return xp.where(x > 0, x, x * negative_slope)
    work = xp.multiply(x, operand(xp, negative_slope, x.dtype), xp.empty_like(x))
    return (xp.maximum if negative_slope <= 1 else xp.minimum)(x, work, out=work)


@leaky_relu.specialize
def _(out: TensorSpec, x: TensorSpec) -> Any:
    if not x.shape:
        return None
    dtype, kernel = x.dtype.np, leaky_relu.op.kernel_for("numpy")

    def leaky_relu_run(x: Array, negative_slope: float) -> Any:
        if negative_slope <= 0:
            return kernel(np, x, negative_slope)
        work = np.multiply(x, np.array(negative_slope, dtype))
        return (np.maximum if negative_slope <= 1 else np.minimum)(x, work, out=work)

    return leaky_relu_run


@leaky_relu.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return g * (_indicator(ctx.x >= 0, g) * (1 - ctx.negative_slope) + ctx.negative_slope)  # 1 at 0, as in Paddle


@op("prelu(X, Alpha -> Out) data_format:str mode:str")
def prelu(x: Tensor, weight: Tensor, data_format: str = "NCHW", name: str | None = None) -> Tensor:
    """``x`` where it is positive, else ``weight * x``; ``weight`` has one element, or one for each channel.

    Raises ShapeError when a weight of several elements does not have one per channel of ``x``, DTypeError for one of another dtype.
    ``data_format``: where the channels are, such as 'NCHW' (default) or 'NHWC'.

    Example:
        >>> F.prelu(paddle.to_tensor([-2.0, 2.0]), paddle.to_tensor([0.25])).tolist()
        [-0.5, 2.0]
    """
    dtype_checks.need_one_dtype("prelu", x, weight)
    if weight.spec.size == UNKNOWN:
        weight = _per_channel(x, weight, data_format)
    mode = "all" if weight.spec.size == 1 else "channel"
    return prelu.emit(x, weight, data_format=data_format, mode=mode)


def _channel_axis(x: Array | Tensor | TensorSpec, data_format: str) -> int:
    return x.ndim - 1 if data_format[-1] == "C" else min(1, x.ndim - 1)


def _per_channel(x: Any, weight: Any, data_format: str) -> Any:
    """One weight per channel, of as many weights as only the Program knows."""
    count, channels = (dynamic_sizes.as_tensor_size(n) for n in (F.numel(weight), x.shape[_channel_axis(x, data_format)]))
    fits = F.logical_or(F.equal(count, 1), F.equal(count, channels))
    dynamic_sizes.check(fits, "ShapeError", "prelu: weight has {} elements, expected 1 or one per channel ({})", count, channels)
    return F.expand(F.reshape(weight, [-1]), [channels])


def _alpha_shape(x: Array | TensorSpec, data_format: str, mode: str) -> list[int]:
    """Shape in which the weights broadcast against ``x``: a spec or an array."""
    shape = [1] * x.ndim
    if mode == "element":
        shape = [1, *x.shape[1:]]
    elif mode == "channel":
        axis = _channel_axis(x, data_format)
        shape[axis] = x.shape[axis]
    return shape


@prelu.infer
def _(x: TensorSpec, weight: TensorSpec, data_format: str, mode: str) -> TensorSpec:
    shape = _alpha_shape(x, data_format, mode)
    want = TensorSpec(tuple(shape), x.dtype).size
    if want >= 0 and weight.size >= 0 and weight.size != want:
        raise ShapeError(f"prelu: weight has {weight.size} elements, expected 1 or one per channel ({want})")
    return dtype_checks.need_float(x, "prelu")


@prelu.kernel
def _(xp: ArrayModule, x: Array, weight: Array, data_format: str, mode: str) -> Array:
    return xp.where(x > 0, x, x * weight.reshape(_alpha_shape(x, data_format, mode)))


@prelu.specialize
def _(out: TensorSpec, x: TensorSpec, weight: TensorSpec, data_format: str, mode: str) -> Any:
    if mode != "all" or not x.shape or x.dtype.kind != "f" or weight.dtype is not x.dtype:
        return None
    zero = operand(np, 0, x.dtype.np)
    return lambda x, weight: np.where(np.greater(x, zero), x, np.multiply(x, weight.reshape(())))


@prelu.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    x, weight = ctx.inputs
    shape = [1] * x.ndim
    if ctx.mode == "channel":
        shape[_channel_axis(x, ctx.data_format)] = -1
    alpha = weight.reshape([1, *x.shape[1:]] if ctx.mode == "element" else shape)
    negative = 1 - _indicator(x > 0, g)
    gx = g * (1 - negative) + g * negative * alpha if ctx.needs[0] else None
    gw = shape_rules.unbroadcast(g * negative * x, alpha).reshape(weight.shape) if ctx.needs[1] else None
    return gx, gw


@op("elu(X -> Out) alpha:float", traits="elementwise")
def elu(x: Tensor, alpha: float = 1.0, name: str | None = None) -> Tensor:
    """``x`` where it is positive, else ``alpha * (exp(x) - 1)``.

    Source: Clevert, Unterthiner and Hochreiter, "Fast and Accurate Deep Network Learning by Exponential Linear Units".

    Example:
        >>> F.elu(paddle.to_tensor([-1.0, 2.0])).tolist()
        [-0.6321205496788025, 2.0]
    """
    return elu.emit(x, alpha=float(alpha))


@elu.kernel
def _(xp: ArrayModule, x: Array, alpha: float) -> Array:
    return _elu(xp, x, alpha, 1.0)


def _elu(xp: ArrayModule, x: Array, alpha: float, rate: float) -> Array:
    """``max(x, 0) + alpha * (exp(rate * min(x, 0)) - 1)``."""
    zero = operand(xp, 0, x.dtype)
    work = xp.asarray(xp.minimum(x, zero))
    if rate != 1.0:
        xp.multiply(work, operand(xp, rate, x.dtype), work)
    xp.expm1(work, work)
    if alpha != 1.0:
        xp.multiply(work, operand(xp, alpha, x.dtype), work)
    return xp.add(work, xp.maximum(x, zero), work)


def _fixed_elu(x: TensorSpec) -> Any:
    """`_elu` of a few numbers."""
    if not x.shape or x.size >= clamp.WORTH:
        return None
    dtype = x.dtype.np
    zero = clamp.full(x.shape, 0, dtype)

    def fixed_elu_run(x: Array, alpha: float, rate: float = 1.0) -> Array:
        work = np.minimum(x, zero)
        if rate != 1.0:
            np.multiply(work, np.array(rate, dtype), work)
        np.expm1(work, work)
        if alpha != 1.0:
            np.multiply(work, np.array(alpha, dtype), work)
        return np.add(work, np.maximum(x, zero), work)

    return fixed_elu_run


def _elu_grad(x: Tensor, g: Tensor, alpha: float, rate: float = 1.0, scale: float = 1.0) -> Tensor:
    positive = _indicator(x > 0, g)
    bounded = F.where(x > 0, F.zeros_like(x), x)  # the exponential of a positive x might overflow
    return g * (positive * scale + (1 - positive) * F.exp(bounded * rate) * (alpha * rate * scale))


def _elu_grad_kernel(x: Array, g: Array, alpha: float, rate: float = 1.0, scale: float = 1.0) -> Array:
    """`_elu_grad` on NumPy's arrays."""
    dtype = x.dtype
    positive = np.greater(x, np.array(0, dtype))
    slope = np.where(positive, np.array(0, dtype), x)
    slope = np.exp(np.multiply(slope, np.array(rate, dtype)))
    slope = np.multiply(slope, np.array(alpha * rate * scale, dtype))
    return np.multiply(g, np.where(positive, np.array(scale, dtype), slope))


@elu.specialize
def _(out: TensorSpec, x: TensorSpec) -> Any:
    return _fixed_elu(x)


@elu.grad_kernel
def _(x: Array, out: Array, g: Array, alpha: float) -> Array:
    return _elu_grad_kernel(x, g, alpha)


@elu.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return _elu_grad(ctx.x, g, ctx.alpha)


@op("celu(X -> Out) alpha:float", traits="elementwise")
def celu(x: Tensor, alpha: float = 1.0, name: str | None = None) -> Tensor:
    """``max(x, 0) + min(alpha * (exp(x / alpha) - 1), 0)``. Raises ZeroDivisionError when ``alpha`` is 0.

    Example:
        >>> F.celu(paddle.to_tensor([-1.0, 2.0])).tolist()
        [-0.6321205496788025, 2.0]
    """
    if alpha == 0:
        raise ZeroDivisionError("celu: alpha must not be 0")
    return celu.emit(x, alpha=float(alpha))


@celu.kernel
def _(xp: ArrayModule, x: Array, alpha: float) -> Array:
    return _elu(xp, x, alpha, 1 / alpha)


@celu.specialize
def _(out: TensorSpec, x: TensorSpec) -> Any:
    run = _fixed_elu(x)
    return None if run is None else lambda x, alpha: run(x, alpha, 1 / alpha)


@celu.grad_kernel
def _(x: Array, out: Array, g: Array, alpha: float) -> Array:
    return _elu_grad_kernel(x, g, alpha, 1 / alpha)


@celu.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return _elu_grad(ctx.x, g, ctx.alpha, 1 / ctx.alpha)


@op("selu(X -> Out) scale:float alpha:float", traits="elementwise")
def selu(
    x: Tensor, scale: float = 1.0507009873554804934193349852946, alpha: float = 1.6732632423543772848170429916717,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """``scale * x`` where it is positive, else ``scale * alpha * (exp(x) - 1)``.

    Raises ValueError when ``scale <= 1`` or ``alpha < 0``.

    Source: Klambauer et al., "Self-Normalizing Neural Networks".

    Example:
        >>> F.selu(paddle.to_tensor([0.0, 1.0])).tolist()
        [0.0, 1.0507010221481323]
    """
    if scale <= 1.0 or alpha < 0:
        raise ArgumentError(f"selu: expected scale > 1 and alpha >= 0, got scale={scale}, alpha={alpha}")
    return selu.emit(x, scale=float(scale), alpha=float(alpha))


@selu.kernel
def _(xp: ArrayModule, x: Array, scale: float, alpha: float) -> Array:
    work = _elu(xp, x, alpha, 1.0)
    return xp.multiply(work, operand(xp, scale, x.dtype), work)


@selu.specialize
def _(out: TensorSpec, x: TensorSpec) -> Any:
    inner, dtype = _fixed_elu(x), x.dtype.np
    return None if inner is None else lambda x, scale, alpha: np.multiply(y := inner(x, alpha), np.array(scale, dtype), y)


@selu.grad_kernel
def _(x: Array, out: Array, g: Array, scale: float, alpha: float) -> Array:
    return _elu_grad_kernel(x, g, alpha, scale=scale)


@selu.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return _elu_grad(ctx.x, g, ctx.alpha, scale=ctx.scale)


@op("thresholded_relu(X -> Out) threshold:float", traits="elementwise")
def thresholded_relu(x: Tensor, threshold: float = 1.0, name: str | None = None) -> Tensor:
    """``x`` where it is greater than ``threshold``, else 0.

    Example:
        >>> F.thresholded_relu(paddle.to_tensor([0.5, 2.0])).tolist()
        [0.0, 2.0]
    """
    return thresholded_relu.emit(x, threshold=float(threshold))


@thresholded_relu.kernel
def _(xp: ArrayModule, x: Array, threshold: float, out: Array | None = None) -> Array:
    return xp.multiply(x, x > operand(xp, threshold, x.dtype), out)


@thresholded_relu.grad_kernel
def _(x: Array, out: Array, g: Array, threshold: float) -> Any:
    return np.multiply(g, np.greater(x, np.array(threshold, x.dtype)))


@thresholded_relu.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return g * _indicator(ctx.x > ctx.threshold, g)


@op("hardtanh(X -> Out) min=t_min:float max=t_max:float", file="brelu", traits="elementwise")
def hardtanh(x: Tensor, min: float = -1.0, max: float = 1.0, name: str | None = None) -> Tensor:
    """``x`` clamped to ``[min, max]``.

    Example:
        >>> F.hardtanh(paddle.to_tensor([-4.0, 0.5])).tolist()
        [-1.0, 0.5]
    """
    return hardtanh.emit(x, min=float(min), max=float(max))


@hardtanh.kernel
def _(xp: ArrayModule, x: Array, min: float, max: float, out: Array | None = None) -> Array:
    y = clamp.at_least(xp, x, min, _empty(xp, x, out))
    return clamp.at_most(xp, y, max, y)


@hardtanh.specialize
def _(out: TensorSpec, x: TensorSpec) -> Any:
    if not x.shape or x.size >= clamp.WORTH:
        return None
    dtype = x.dtype.np

    def hardtanh_run(x: Array, min: float, max: float) -> Array:
        y = np.maximum(x, np.array(min, dtype))
        return np.minimum(y, np.array(max, dtype), out=y)

    return hardtanh_run


@hardtanh.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return g * _indicator(ctx.x > ctx.min, g) * _indicator(ctx.x < ctx.max, g)


@op("hardshrink(X -> Out) threshold:float", file="hard_shrink", traits="elementwise")
def hardshrink(x: Tensor, threshold: float = 0.5, name: str | None = None) -> Tensor:
    """``x`` where its absolute value is greater than ``threshold``, else 0.

    Example:
        >>> F.hardshrink(paddle.to_tensor([-1.0, 0.3, 2.0])).tolist()
        [-1.0, 0.0, 2.0]
    """
    return hardshrink.emit(x, threshold=float(threshold))


@hardshrink.kernel
def _(xp: ArrayModule, x: Array, threshold: float, out: Array | None = None) -> Array:
    far = xp.asarray(xp.greater(xp.absolute(x), operand(xp, threshold, x.dtype)))
    return xp.multiply(x, far.astype(x.dtype), out)


@hardshrink.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    both = F.logical_or(ctx.x > ctx.threshold, ctx.x < -ctx.threshold)  # which overlap where the threshold is below 0
    return g * _indicator(both, g)


@op("softshrink(X -> Out) threshold=lambda:float", traits="elementwise")
def softshrink(x: Tensor, threshold: float = 0.5, name: str | None = None) -> Tensor:
    """``x`` moved towards 0 by ``threshold``, and 0 where it is closer to 0 than that. Raises ValueError below 0.

    Example:
        >>> F.softshrink(paddle.to_tensor([-1.0, 0.3, 2.0])).tolist()
        [-0.5, 0.0, 1.5]
    """
    if threshold < 0:
        raise ArgumentError(f"softshrink: threshold must not be negative, got {threshold}")
    return softshrink.emit(x, threshold=float(threshold))


@softshrink.kernel
def _(xp: ArrayModule, x: Array, threshold: float) -> Array:
    work = xp.maximum(x, -threshold, out=xp.empty_like(x))
    xp.minimum(work, threshold, out=work)
    return xp.subtract(x, work, work)


@softshrink.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return g * (_indicator(ctx.x > ctx.threshold, g) + _indicator(ctx.x < -ctx.threshold, g))


def _floating(front: Any) -> None:
    @front.infer
    def infer(x: TensorSpec, **attrs: AttrValue) -> TensorSpec:
        return dtype_checks.need_order(dtype_checks.need_float(x, front.__name__), front.__name__)


for _front in (relu, relu6, leaky_relu, elu, celu, selu, thresholded_relu, hardtanh, hardshrink, softshrink):
    _floating(_front)
for _front in (relu, relu6):
    _front.samples(lambda: [Sample(_points()), Sample(np.asarray(0.5, "float32")), Sample(np.zeros((0, 3), "float32"))])
relu_grad.samples(lambda: [Sample(np.maximum(_points(), 0), _points() + 1, grad=(1,))])
leaky_relu.samples(lambda: [Sample(_points(), negative_slope=0.01), Sample(_points(), negative_slope=1.5)])
prelu.samples(
    lambda: [
        Sample(_points(), np.asarray([0.25], "float32"), data_format="NCHW", mode="all"),
        Sample(_points(), np.asarray([0.1, 0.2, 0.3, 0.4], "float32"), data_format="NCHW", mode="channel"),
        Sample(_points().reshape(1, 4, 3), np.asarray([0.1, 0.2, 0.3], "float32"), data_format="NLC", mode="channel"),
        Sample(_points().reshape(2, 2, 3), np.full((2, 3), 0.2, "float32"), data_format="NCHW", mode="element"),
    ]
)
elu.samples(lambda: [Sample(_points(), alpha=1.0), Sample(_points(), alpha=0.2)])
celu.samples(lambda: [Sample(_points(), alpha=1.0), Sample(_points(), alpha=2.0)])
selu.samples(lambda: [Sample(_points(), scale=1.0507009873554805, alpha=1.6732632423543772)])
thresholded_relu.samples(lambda: [Sample(_points(), threshold=1.0)])
hardtanh.samples(lambda: [Sample(_points(), min=-1.0, max=1.0), Sample(_points(), min=-2.5, max=0.5)])
hardshrink.samples(lambda: [Sample(_points(), threshold=0.5), Sample(_points(), threshold=-0.6)])
softshrink.samples(lambda: [Sample(_points(), threshold=0.5)])
