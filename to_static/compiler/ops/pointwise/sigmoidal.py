"""The sigmoidal activation functions: smooth gates, their piecewise linear approximations, and logarithms of sigmoids.

Each takes a floating-point tensor and returns one of the same shape and dtype.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import AttrValue, GradContext, Prepared, Sample, op
from to_static.compiler.ir.registry import REGISTRY
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import clamp, dtype_checks, operands
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.kernel_scalar import operand
from to_static.compiler.ops.pointwise import logistic
from to_static.compiler.ops.pointwise.special import gelu_into
from to_static.core.array_types import Array, ArrayModule

_TANH_RATE = math.sqrt(2 / math.pi)
_SATURATED = 400.0  # squares from which on tanh is 1 in GELU's other formula
_SHRINK = (  # (x - tanh(x)) / x ** 3 by powers of x ** 2
    0.3333333333333333, -0.13333333333333333, 0.05396825396825397, -0.021869488536155203, 0.008863235529902197,
    -0.003592128036572481, 0.0014558343870513183, -0.000590027440945586, 0.00023912911424355248, -9.691537956929451e-05,
    3.927832388331683e-05, -1.5918905069328964e-05, 6.451689215655431e-06, -2.6147711512907546e-06, 1.0597268320104654e-06,
    -4.294911078273806e-07, 1.7406618963571648e-07,
)  # fmt: skip
_CUBIC = 0.044715 * _TANH_RATE


def _points() -> np.ndarray:
    """Sample points away from kinks, with values far out on both sides."""
    return np.asarray([[-30.0, -4.2, -2.1, -0.7], [-0.2, 0.3, 0.8, 1.9], [2.6, 4.4, 7.5, 40.0]], "float32")


def _indicator(condition: Tensor, like: Tensor) -> Tensor:
    return condition.astype(like.dtype)


def _silu(xp: ArrayModule, x: Array, out: Array | None = None) -> Array:
    work = 1 / (1 + xp.exp(-x)) if x.dtype.kind == "c" else logistic.into(xp, x, xp.empty_like(x))
    return xp.multiply(x, work, work if out is None else out)


def _silu_grad(ctx: GradContext, g: Tensor) -> Tensor:
    s = F.sigmoid(ctx.x)
    return g * s * (1 + ctx.x * (1 - s))


@op("silu(X -> Out)", traits="elementwise")
def silu(x: Tensor, name: str | None = None) -> Tensor:
    """``x * sigmoid(x)``, also known as `swish`.

    Example:
        >>> F.silu(paddle.to_tensor([0.0, 1.0])).numpy().round(4)
        array([0.    , 0.7311], dtype=float32)
    """
    return silu.emit(x)


@op("swish(X -> Out)", traits="elementwise", file_attrs={"beta": ("float", 1.0)})
def swish(x: Tensor, name: str | None = None) -> Tensor:
    """``x * sigmoid(x)``.

    Source: Ramachandran, Zoph and Le, "Searching for Activation Functions".

    Example:
        >>> F.swish(paddle.to_tensor([-1.0, 2.0])).tolist()
        [-0.26894140243530273, 1.761594295501709]
    """
    return swish.emit(x)


def _fixed_silu(out: TensorSpec, x: TensorSpec) -> Any:
    gate = logistic.specialized_kernel(x.dtype.np, x.shape)
    return None if gate is None else lambda x: np.multiply(x, y := gate(x), y)


for _front in (silu, swish):
    _front.kernel(_silu)
    _front.specialize(_fixed_silu)
    _front.grad(_silu_grad)


@op("gelu(X -> Out) approximate:bool", traits="elementwise")
def gelu(x: Tensor, approximate: bool = False, name: str | None = None) -> Tensor:
    """``x`` times the normal distribution function of ``x``; ``approximate=True`` uses the tanh formula.

    Source: Hendrycks and Gimpel, "Gaussian Error Linear Units (GELUs)".

    Example:
        >>> F.gelu(paddle.to_tensor([-1.0, 2.0])).tolist()
        [-0.15865525603294373, 1.95449960231781]
    """
    return gelu.emit(x, approximate=bool(approximate))


@gelu.kernel
def _(xp: ArrayModule, x: Array, approximate: bool) -> Array:
    if not approximate and xp is np and x.dtype == np.float32:
        return gelu_into(x)
    if approximate:
        work = xp.multiply(x, x, xp.empty_like(x))
        xp.multiply(work, _CUBIC, work)
        xp.add(work, _TANH_RATE, work)
        xp.multiply(work, x, work)
        xp.tanh(work, work)
    else:
        erf = REGISTRY["erf"].kernel_for(xp.__name__)
        work = xp.asarray(erf(xp, xp.asarray(x * math.sqrt(0.5))))
    xp.add(work, 1, work)
    xp.multiply(work, 0.5, work)
    return xp.multiply(work, x, work)


@gelu.specialize
def _(out: TensorSpec, x: TensorSpec, approximate: bool) -> Any:
    if not x.shape or x.size >= clamp.WORTH or x.dtype.name not in ("float32", "float64"):
        return None
    if not approximate:
        return gelu_into if x.dtype.name == "float32" else None
    cubic, rate, one, one_half = (operand(np, constant, x.dtype.np) for constant in (_CUBIC, _TANH_RATE, 1, 0.5))

    def gelu_run(x: Array) -> Array:
        work = np.multiply(x, x)
        np.multiply(work, cubic, work)
        np.add(work, rate, work)
        np.multiply(work, x, work)
        np.tanh(work, work)
        np.add(work, one, work)
        np.multiply(work, one_half, work)
        return np.multiply(work, x, work)

    return gelu_run


@gelu.prepare
def _(specs: tuple[TensorSpec, ...], approximate: bool) -> Prepared | None:
    (x,) = specs
    if approximate or x.dtype.name != "float32" or x.size == 0:
        return None

    def bind(
        inputs: list[Array | None],
        out: Array | None,
        work: list[Any],
        persistent: list[Any],
        empty: Callable[..., Any] = np.empty,
    ) -> Any:
        (square,) = work

        def gelu_run(x: Array) -> Array:
            y = empty(x.shape, x.dtype) if out is None else out
            gelu_into(x, y, square)
            return y

        return gelu_run

    return Prepared([x], [], bind)


_RATE, _SHARE, _DENSITY, _WHOLE, _MINUS_HALF = (
    {dtype: np.array(v, dtype) for dtype in (np.dtype("float16"), np.dtype("float32"), np.dtype("float64"))}
    for v in (math.sqrt(0.5), 0.5, 1 / math.sqrt(2 * math.pi), 1, -0.5)
)


@gelu.grad_kernel
def _(x: Array, out: Array, g: Array, approximate: bool) -> Any:
    if approximate:
        return None
    dtype = x.dtype
    density = np.exp(np.multiply(np.multiply(x, x), _MINUS_HALF[dtype]))
    density = np.multiply(np.multiply(density, _DENSITY[dtype]), x)
    below = np.add(REGISTRY["erf"].kernel_for("numpy")(np, np.asarray(np.multiply(x, _RATE[dtype]))), _WHOLE[dtype])
    return np.multiply(g, np.add(np.multiply(below, _SHARE[dtype]), density))


@gelu.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    x = ctx.x
    if ctx.approximate:
        square = F.minimum(x * x, operands.constant(_SATURATED, x.dtype))
        t = F.tanh(x * (square * _CUBIC + _TANH_RATE))
        return g * ((t + 1) * 0.5 + (1 - t * t) * x * (square * (3 * _CUBIC) + _TANH_RATE) * 0.5)
    density = F.exp(x * x * -0.5) * (1 / math.sqrt(2 * math.pi))
    return g * ((F.erf(x * math.sqrt(0.5)) + 1) * 0.5 + x * density)


@op("mish(X -> Out)", traits="elementwise", file_attrs={"threshold": ("float", 20.0)})
def mish(x: Tensor, name: str | None = None) -> Tensor:
    """``x * tanh(softplus(x))``.

    Source: Misra, "Mish: A Self Regularized Non-Monotonic Activation Function".

    Example:
        >>> F.mish(paddle.to_tensor([-1.0, 2.0])).tolist()
        [-0.3034014105796814, 1.9439588785171509]
    """
    return mish.emit(x)


@mish.kernel
def _(xp: ArrayModule, x: Array, out: Array | None = None) -> Array:
    work = _softplus(xp, x)
    xp.tanh(work, work)
    return xp.multiply(x, work, work if out is None else out)


@mish.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    t = F.tanh(softplus(ctx.x))
    return g * (t + ctx.x * F.sigmoid(ctx.x) * (1 - t * t))


def _softplus(xp: ArrayModule, x: Array) -> Array:
    """``log(1 + exp(x))`` as ``max(x, 0) + log1p(exp(-|x|))``, which overflows nowhere."""
    if x.dtype.kind == "c":
        return xp.log1p(xp.exp(x))
    work = xp.absolute(x, xp.empty_like(x))
    xp.negative(work, work)
    xp.exp(work, work)
    xp.log1p(work, work)
    return xp.add(work, xp.maximum(x, operand(xp, 0, x.dtype)), work)


@op("softplus(X -> Out) beta:float threshold:float", traits="elementwise")
def softplus(x: Tensor, beta: float = 1, threshold: float = 20, name: str | None = None) -> Tensor:
    """``log(1 + exp(beta * x)) / beta``, and ``x`` itself where ``beta * x`` is greater than ``threshold``.

    Example:
        >>> F.softplus(paddle.to_tensor([0.0, 30.0])).tolist()
        [0.6931471824645996, 30.0]
    """
    return softplus.emit(x, beta=float(beta), threshold=float(threshold))


@softplus.kernel
def _(xp: ArrayModule, x: Array, beta: float, threshold: float) -> Array:
    if beta == 1:
        scaled, work = x, _softplus(xp, x)
    elif beta > 0 and x.dtype.kind == "f":  # max(x, 0) + log1p(exp(-|beta * x|)) / beta, of which the first part is exact
        work = xp.absolute(x, xp.empty_like(x))
        xp.multiply(work, operand(xp, -beta, x.dtype), work)
        xp.exp(work, work)
        xp.log1p(work, work)
        xp.divide(work, operand(xp, beta, x.dtype), work)
        xp.add(work, xp.maximum(x, operand(xp, 0, x.dtype)), work)
        if threshold >= 20 and x.dtype.itemsize <= 4:
            return work
        scaled = xp.asarray(x * operand(xp, beta, x.dtype))
    else:
        rate = operand(xp, beta, x.dtype)
        scaled = xp.asarray(x * rate)
        work = _softplus(xp, scaled)
        xp.divide(work, rate, work)
    if threshold >= 20 and x.dtype.itemsize <= 4 and abs(beta) <= 1:
        return work  # beyond such a threshold log(1 + exp(x)) rounds to x
    linear = scaled > operand(xp, threshold, x.dtype)
    if xp is not np:
        return xp.where(linear, x, work)
    np.copyto(work, x, where=linear)
    return work


@softplus.specialize
def _(out: TensorSpec, x: TensorSpec) -> Any:
    if not x.shape or x.size >= clamp.WORTH or x.dtype.kind != "f" or x.dtype.itemsize > 4:
        return None
    dtype, kernel = x.dtype.np, softplus.op.kernel_for("numpy")
    zero = clamp.full(x.shape, 0, dtype)

    def softplus_run(x: Array, beta: float, threshold: float) -> Any:
        if beta <= 0 or threshold < 20:
            return kernel(np, x, beta, threshold)
        work = np.absolute(x)
        np.multiply(work, np.array(-beta, dtype), work)
        np.exp(work, work)
        np.log1p(work, work)
        if beta != 1:
            np.divide(work, np.array(beta, dtype), work)
        return np.add(work, np.maximum(x, zero), work)

    return softplus_run


@softplus.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    linear = _indicator(ctx.x * ctx.beta > ctx.threshold, g)
    return g * (linear + (1 - linear) * F.sigmoid(ctx.x * ctx.beta))


@op("log_sigmoid(X -> Out)", file="logsigmoid", traits="elementwise")
def log_sigmoid(x: Tensor, name: str | None = None) -> Tensor:
    """``log(sigmoid(x))``, without overflow for large negative ``x``.

    Example:
        >>> F.log_sigmoid(paddle.to_tensor([-100.0, 0.0])).tolist()
        [-100.0, -0.6931471824645996]
    """
    return log_sigmoid.emit(x)


@log_sigmoid.kernel
def _(xp: ArrayModule, x: Array) -> Array:
    work = _softplus(xp, xp.negative(x, xp.empty_like(x)))
    return xp.negative(work, work)


@log_sigmoid.specialize
def _(out: TensorSpec, x: TensorSpec) -> Any:
    if not x.shape or x.dtype.kind != "f" or x.size >= clamp.WORTH:
        return None
    zero = operand(np, 0, x.dtype.np)

    def log_sigmoid_run(x: Array) -> Array:
        work = np.absolute(x)
        np.negative(work, work)
        np.exp(work, work)
        np.log1p(work, work)
        return np.subtract(np.minimum(x, zero), work, work)

    return log_sigmoid_run


@log_sigmoid.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return g * F.sigmoid(-ctx.x)


@op("softsign(X -> Out)", traits="elementwise")
def softsign(x: Tensor, name: str | None = None) -> Tensor:
    """``x / (1 + |x|)``.

    Example:
        >>> F.softsign(paddle.to_tensor([-1.0, 3.0])).tolist()
        [-0.5, 0.75]
    """
    return softsign.emit(x)


@softsign.kernel
def _(xp: ArrayModule, x: Array, out: Array | None = None) -> Array:
    work = xp.absolute(x, xp.empty_like(x))
    xp.add(work, operand(xp, 1, x.dtype), work)
    return xp.divide(x, work, work if out is None else out)


@softsign.specialize
def _(out: TensorSpec, x: TensorSpec) -> Any:
    if not x.shape or x.dtype.kind != "f":
        return None
    one = operand(np, 1, x.dtype.np)

    def softsign_run(x: Array) -> Array:
        work = np.absolute(x)
        np.add(work, one, work)
        return np.divide(x, work, work)

    return softsign_run


@softsign.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    root = F.reciprocal(F.abs(ctx.x) + 1)
    return g * root * root


@op("tanhshrink(X -> Out)", file="tanh_shrink", traits="elementwise")
def tanhshrink(x: Tensor, name: str | None = None) -> Tensor:
    """``x - tanh(x)``.

    Example:
        >>> F.tanhshrink(paddle.to_tensor([-1.0, 2.0])).tolist()
        [-0.23840582370758057, 1.0359723567962646]
    """
    return tanhshrink.emit(x)


@tanhshrink.kernel
def _(xp: ArrayModule, x: Array, out: Array | None = None) -> Array:
    work = xp.tanh(x, xp.empty_like(x))
    xp.subtract(x, work, work)
    near = xp.abs(x) < 0.5  # there the difference has lost its digits, and Taylor's series has few terms
    t = xp.where(near, x, x.dtype.type(0))
    square = t * t
    series = xp.full_like(t, _SHRINK[-1])
    for c in _SHRINK[-2::-1] if x.dtype.itemsize == 8 else _SHRINK[9::-1]:
        series = series * square + x.dtype.type(c)
    value = xp.where(near, t * square * series, work)
    if out is None:
        return value
    out[...] = value
    return out


@tanhshrink.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    t = F.tanh(ctx.x)
    return g * t * t


@op("hardsigmoid(X -> Out) slope:float offset:float", file="hard_sigmoid", traits="elementwise")
def hardsigmoid(x: Tensor, slope: float = 0.1666667, offset: float = 0.5, name: str | None = None) -> Tensor:
    """``slope * x + offset``, clamped to ``[0, 1]``.

    Example:
        >>> F.hardsigmoid(paddle.to_tensor([-4.0, 0.0, 4.0])).tolist()
        [0.0, 0.5, 1.0]
    """
    return hardsigmoid.emit(x, slope=float(slope), offset=float(offset))


@hardsigmoid.kernel
def _(xp: ArrayModule, x: Array, slope: float, offset: float, out: Array | None = None) -> Array:
    out = xp.multiply(x, operand(xp, slope, x.dtype), xp.empty_like(x) if out is None else out)
    xp.add(out, operand(xp, offset, x.dtype), out)
    clamp.at_least(xp, out, 0, out)
    return clamp.at_most(xp, out, 1, out)


@hardsigmoid.specialize
def _(out: TensorSpec, x: TensorSpec) -> Any:
    if not x.shape or x.size >= clamp.WORTH:
        return None
    dtype = x.dtype.np
    zero, one = clamp.full(x.shape, 0, dtype), clamp.full(x.shape, 1, dtype)

    def hardsigmoid_run(x: Array, slope: float, offset: float) -> Array:
        y = np.multiply(x, np.array(slope, dtype))
        np.add(y, np.array(offset, dtype), y)
        np.maximum(y, zero, out=y)
        return np.minimum(y, one, out=y)

    return hardsigmoid_run


@hardsigmoid.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return g * _indicator(ctx.out > 0, g) * _indicator(ctx.out < 1, g) * ctx.slope


@op(
    "hardswish(X -> Out)",
    file="hard_swish",
    traits="elementwise",
    file_attrs={"threshold": ("float", 6.0), "scale": ("float", 6.0), "offset": ("float", 3.0)},
)
def hardswish(x: Tensor, name: str | None = None) -> Tensor:
    """``x * clamp(x + 3, 0, 6) / 6``.

    Source: Howard et al., "Searching for MobileNetV3".

    Example:
        >>> F.hardswish(paddle.to_tensor([-4.0, 0.0, 4.0])).tolist()
        [-0.0, 0.0, 4.0]
    """
    return hardswish.emit(x)


@hardswish.kernel
def _(xp: ArrayModule, x: Array, out: Array | None = None) -> Array:
    work = xp.add(x, operand(xp, 3, x.dtype), xp.empty_like(x))
    clamp.at_least(xp, work, 0, work)
    clamp.at_most(xp, work, 6, work)
    xp.multiply(work, operand(xp, 1 / 6, x.dtype), work)
    return xp.multiply(x, work, work if out is None else out)


@hardswish.specialize
def _(out: TensorSpec, x: TensorSpec) -> Any:
    if not x.shape or x.size >= clamp.WORTH:
        return None
    three, sixth = (operand(np, constant, x.dtype.np) for constant in (3, 1 / 6))
    zero, six = clamp.full(x.shape, 0, x.dtype.np), clamp.full(x.shape, 6, x.dtype.np)

    def hardswish_run(x: Array) -> Array:
        work = np.add(x, three)
        np.maximum(work, zero, out=work)
        np.minimum(work, six, out=work)
        np.multiply(work, sixth, work)
        return np.multiply(x, work, work)

    return hardswish_run


@hardswish.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    x = ctx.x
    upper = _indicator(x >= 3, g)
    middle = _indicator(x > -3, g) - upper
    return g * (upper + middle * (x * (1 / 3) + 0.5))


def _floating(front: Any) -> None:
    @front.infer
    def infer(x: TensorSpec, **attrs: AttrValue) -> TensorSpec:
        return dtype_checks.need_float(x, front.__name__)


_PLAIN = (silu, swish, mish, log_sigmoid, softsign, tanhshrink, hardswish)
for _front in (*_PLAIN, gelu, softplus, hardsigmoid):
    _floating(_front)
for _front in _PLAIN:
    _front.samples(lambda: [Sample(_points()), Sample(np.asarray(0.5, "float32")), Sample(np.zeros((0, 3), "float32"))])
for _front in (silu, swish, mish):
    _front.precision(4, 4, "small", "the exponential is subnormal")
gelu.precision(4, 4, "x", "1 + erf, or 1 + tanh, cancels digits far below 0, as in Paddle")
softplus.precision(128, 1024, "small", "the exponential amplifies the rounding of the product with beta")
tanhshrink.precision(12, 12)
gelu.samples(lambda: [Sample(_points(), approximate=False), Sample(_points(), approximate=True)])
softplus.samples(lambda: [Sample(_points(), beta=1.0, threshold=20.0), Sample(_points(), beta=0.5, threshold=2.0)])
hardsigmoid.samples(lambda: [Sample(_points(), slope=0.1666667, offset=0.5), Sample(_points(), slope=0.2, offset=0.3)])
