"""Scaling and limiting: scale, increment, clip, lerp, stanh, logit, nan_to_num."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.ir.opdef import GradContext, Sample, method, op
from to_static.compiler.ir.program import Op
from to_static.compiler.ir.registry import FUNCTIONS
from to_static.compiler.ir.spec import ListSpec, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import dtype_checks, dynamic_sizes, operands
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.kernel_scalar import operand
from to_static.compiler.ops.pointwise.elementwise import f32
from to_static.core.array_types import Array, ArrayModule
from to_static.core.dtypes import DType
from to_static.core.errors import INVALID_ARGUMENT, ArgumentError, ShapeError

if TYPE_CHECKING:
    from to_static.compiler.ir.file_hooks import FileReader, FileWriter


@op(
    "scale(X -> Out) factor=scale:float bias:float bias_after_scale:bool",
    traits="integral elementwise",
    method=True,
    inplace=True,
)
def scale(
    x: Tensor,
    scale: Tensor | float = 1.0,
    bias: float = 0.0,
    bias_after_scale: bool = True,
    act: Any = None,
    name: str | None = None,
) -> Tensor:
    """``scale * x + bias``, or ``scale * (x + bias)`` with ``bias_after_scale=False``; the dtype stays that of ``x``.

    ``scale`` may be a tensor of one element. ``act``: the name of an activation applied to the result, such as ``'relu'``.

    Example:
        >>> paddle.scale(paddle.to_tensor([1.0, 2.0]), scale=2.0, bias=1.0).tolist()
        [3.0, 5.0]
    """
    if isinstance(scale, Tensor):
        factor = F.cast(scale, x.dtype)
        bias = bias if x.dtype.is_floating or isinstance(bias, Tensor) else int(bias)
        y = x * factor + bias if bias_after_scale else (x + bias) * factor
    else:
        y = _emit(x, factor=float(scale), bias=float(bias), bias_after_scale=bool(bias_after_scale))
    return y if act is None else FUNCTIONS[act](y)


_emit = scale.emit  # the parameter `scale` hides the function in its own body


@scale.infer
def _(x: TensorSpec, factor: float, bias: float, bias_after_scale: bool) -> TensorSpec:
    return x


@scale.kernel
def _(xp: ArrayModule, x: Array, factor: float, bias: float, bias_after_scale: bool, out: Array | None = None) -> Array:
    dtype = x.dtype
    if dtype.kind == "f":
        if xp is np and x.ndim and bias_after_scale:
            scaled = np.multiply(x, np.array(factor, dtype), out)
            return np.add(scaled, np.array(bias, dtype), scaled)
        s, b = operand(xp, factor, dtype), operand(xp, bias, dtype)
    else:  # of integers the numbers are cut to integers first, as Paddle does
        s, b = (np.asarray(v).astype(x.dtype)[()] for v in (factor, bias))
    out = xp.empty_like(x) if out is None else out
    if bias_after_scale:
        xp.multiply(x, s, out=out)
        return xp.add(out, b, out=out)
    xp.add(x, b, out=out)
    return xp.multiply(out, s, out=out)


@scale.specialize
def _(out: TensorSpec, x: TensorSpec, bias_after_scale: bool) -> Any:
    if x.dtype.kind != "f" or not x.shape:
        return None
    dtype, multiply, add, array = x.dtype.np, np.multiply, np.add, np.array

    def scale_run(x: Array, factor: float, bias: float) -> Array:
        scaled = multiply(x, array(factor, dtype))
        return add(scaled, array(bias, dtype), scaled)

    def moved_run(x: Array, factor: float, bias: float) -> Array:
        shifted = add(x, array(bias, dtype))
        return multiply(shifted, array(factor, dtype), shifted)

    return scale_run if bias_after_scale else moved_run


@scale.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    if isinstance(ctx.factor, Tensor):  # a number of which a plan has to know nothing
        return g * ctx.factor
    return scale.emit(g, factor=ctx.factor, bias=0.0, bias_after_scale=True)


@scale.from_file
def _(r: FileReader) -> Tensor:
    factor = r.input("ScaleTensor") if r.has("ScaleTensor") else r.attr("scale", 1.0)
    return F.scale(r.input("X"), factor, r.attr("bias", 0.0), r.attr("bias_after_scale", True))


scale.samples(
    lambda: [
        Sample(f32(2, 3), factor=2.5, bias=1.0, bias_after_scale=True),
        Sample(f32(2, 3), factor=2.5, bias=1.0, bias_after_scale=False),
        Sample(np.asarray([1, 2]), factor=2.5, bias=0.0, bias_after_scale=True),
    ]
)


@method()
def increment(x: Tensor, value: float = 1.0, name: str | None = None) -> Any:
    """Add ``value`` to ``x``, a tensor of one element, in place; returns ``x``.

    Raises ShapeError when ``x`` has another number of elements.

    Example:
        >>> paddle.increment(paddle.zeros([1])).tolist()
        [1.0]
    """
    if x.spec.size != 1:
        raise ShapeError(f"increment: expected a tensor of one element, got {x.spec}")
    return x._become(scale.emit(x, factor=1.0, bias=float(value), bias_after_scale=True))


@op("clip(X, Min?, Max? -> Out)", traits="integral elementwise", method=True, inplace=True)
def clip(
    x: Tensor, min: Tensor | float | None = None, max: Tensor | float | None = None, name: str | None = None
) -> Tensor:
    """``x`` limited to ``[min, max]``, numbers or 0-D tensors; a bound that is None does not limit.

    Raises ValueError for a number ``max`` below the number ``min``.

    Example:
        >>> paddle.clip(paddle.to_tensor([-2.0, 0.5, 9.0]), min=0.0, max=1.0).tolist()
        [0.0, 0.5, 1.0]
    """

    bounds = _bound(min, x.dtype), _bound(max, x.dtype)
    python_bounds = [v for v in (min, max) if isinstance(v, (int, float)) or getattr(v, "python_type", None) is not None]
    if len(python_bounds) == 2:
        _check_bounds(*python_bounds)
    return clip.emit(x, *bounds)


def _bound(value: Tensor | float | None, dtype: DType) -> Any:
    if value is None:
        return None
    if isinstance(value, Tensor):
        return F.reshape(F.cast(value, dtype), [])
    return operands.hidden_constant(value, dtype)


def _check_bounds(low: Any, high: Any) -> None:
    """Raise ValueError, here or in the Program, unless the Python numbers are in order."""
    words = f"clip: max must not be less than min, got min={{}} and max={{}} {INVALID_ARGUMENT}"
    if dynamic_sizes.is_dynamic((low, high)):
        spelled = ["{}" if dynamic_sizes.is_dynamic(v) else str(v) for v in (low, high)]
        dynamic_sizes.check(
            low <= high, "ValueError", words.format(*spelled), *(v for v in (low, high) if dynamic_sizes.is_dynamic(v))
        )
    elif high < low:
        raise ArgumentError(words.format(low, high))


@clip.infer
def _(x: TensorSpec, low: TensorSpec | None, high: TensorSpec | None) -> TensorSpec:
    return dtype_checks.need_order(x, "clip")


@clip.kernel
def _(xp: ArrayModule, x: Array, low: Array | None, high: Array | None, out: Array | None = None) -> Array:
    clipped = x
    if low is not None:
        clipped = xp.maximum(clipped, low, out=out)
    if high is not None:
        clipped = xp.minimum(clipped, high, out=out)
    if clipped is not x:
        return clipped
    if out is None:
        return x.copy()
    out[...] = x
    return out


@clip.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    x, low, high = ctx.inputs
    zeros = F.zeros_like(g)
    inside, below, above = g, None, None
    if low is not None:
        under = F.logical_not(x > low)  # at a bound, and at nan, there is no slope, as in Paddle
        inside = F.where(under, zeros, inside)
        below = F.sum(F.where(under, g, zeros)) if ctx.needs[1] else None
    if high is not None:
        is_above = F.logical_not(x < high)
        inside = F.where(is_above, zeros, inside)
        above = F.sum(F.where(is_above, g, zeros)) if ctx.needs[2] else None
    return inside, below, above


@clip.to_file
def _(w: FileWriter, op: Op) -> None:
    x, low, high = op.inputs
    limits = np.finfo("float32")
    attrs = {"min": ("float", float(limits.min)), "max": ("float", float(limits.max))}
    w.write("clip", {"X": x, "Min": low, "Max": high}, {"Out": op.out}, attrs)


@clip.from_file
def _(r: FileReader) -> Tensor:
    x = r.input("X")
    low = r.input("Min") if r.has("Min") else r.attr("min", None)
    high = r.input("Max") if r.has("Max") else r.attr("max", None)
    if x.dtype.kind in "iu":  # the attributes are floats, cut to integers when the op runs
        info = np.iinfo(x.dtype.np)
        low, high = (
            v if isinstance(v, Tensor) or v is None else int(v) if info.min < v < info.max else None
            for v in (low, high)
        )
    return clip(x, low, high)


clip.samples(
    lambda: [
        Sample(f32(3, 4), np.float32(-1), np.float32(0.5)),
        Sample(f32(3, 4), None, np.float32(0.5)),
        Sample(np.asarray([1, 5, 9]), np.asarray(2), np.asarray(7)),
    ]
)


@method(inplace=True)
def lerp(x: Tensor, y: Any, weight: Any, name: str | None = None) -> Tensor:
    """``x + weight * (y - x)``; ``weight`` is a number or a tensor, into which no gradient flows.

    ``x``, ``y`` and ``weight`` broadcast; the result has the dtype of ``x``.

    Example:
        >>> paddle.lerp(paddle.to_tensor([0.0, 10.0]), paddle.to_tensor([1.0, 20.0]), 0.5).tolist()
        [0.5, 15.0]
    """
    dtype_checks.need_one_dtype("lerp", x, y, weight)
    return x + (y - x) * (weight.detach() if isinstance(weight, Tensor) else weight)


@method(inplace=True)
def stanh(x: Tensor, scale_a: float = 0.67, scale_b: float = 1.7159, name: str | None = None) -> Tensor:
    """``scale_b * tanh(scale_a * x)``.

    ``x``: floats; the result has its shape and dtype.

    Example:
        >>> paddle.stanh(paddle.to_tensor([1.0])).numpy()
        array([1.003767], dtype=float32)
    """
    return F.tanh(x * scale_a) * scale_b


@op("logit(X -> Out) eps:float", traits="elementwise", method=True, inplace=True)
def logit(x: Tensor, eps: float | None = None, name: str | None = None) -> Tensor:
    """``log(x / (1 - x))``; with ``eps``, ``x`` is first limited to ``[eps, 1 - eps]``.

    ``x``: floats; the result has its shape and dtype. Without ``eps`` the result is nan outside of [0, 1]. The gradient there, and
    of what is limited, is 0, as in Paddle.

    Example:
        >>> paddle.logit(paddle.to_tensor([0.5, 0.9])).numpy()
        array([0.       , 2.1972244], dtype=float32)
    """
    return logit.emit(x, eps=float(eps or 0))


@logit.infer
def _(x: TensorSpec, eps: float) -> TensorSpec:
    return dtype_checks.need_order(dtype_checks.need_float(x, "logit"), "logit")


@logit.kernel
def _(xp: ArrayModule, x: Array, eps: float) -> Array:
    if eps:
        low, high = operand(xp, eps, x.dtype), operand(xp, 1 - eps, x.dtype)
        x = xp.where(x < low, low, xp.where(x > high, high, x))
    return _log_odds(xp, x, operand(xp, 0, x.dtype), operand(xp, 1, x.dtype), operand(xp, 0.5, x.dtype))


def _log_odds(xp: ArrayModule, x: Array, zero: Array, one: Array, center: Array) -> Array:
    """``2 * asinh((x - 1/2) / sqrt(x * (1 - x)))``, which is `logit` and has all digits near 1/2 and near 0, too."""
    root = xp.asarray(xp.subtract(one, x))
    xp.multiply(root, x, root)
    xp.add(root, zero, root)  # for x = -0.0: its root is 0, not -0, so that the result is -inf
    xp.sqrt(root, root)
    work = xp.asarray(xp.subtract(x, center))
    xp.divide(work, root, work)
    xp.arcsinh(work, work)
    return xp.add(work, work, work)


@logit.specialize
def _(out: TensorSpec, x: TensorSpec) -> Any:
    zero, one, center = (operand(np, value, x.dtype.np) for value in (0, 1, 0.5))
    kernel = logit.op.kernel_for("numpy")
    return lambda x, eps: kernel(np, x, eps) if eps else _log_odds(np, x, zero, one, center)


@logit.grad_kernel
def _(x: Array, out: Array, g: Array, eps: float) -> Any:
    one = np.array(1, x.dtype)
    outside = np.logical_or(np.less(x, np.array(eps, x.dtype)), np.greater(x, np.array(1 - eps, x.dtype)))
    slope = np.multiply(x, np.subtract(one, x))
    if not np.count_nonzero(outside):
        return np.divide(g, slope)
    return np.where(outside, np.zeros((), x.dtype), np.divide(g, np.where(outside, one, slope)))


@logit.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    x, eps = ctx.x, ctx.eps
    outside = F.logical_or(x < eps, x > 1 - eps)
    return F.where(outside, F.zeros_like(g), g / F.where(outside, F.ones_like(x), x * (1 - x)))


@logit.from_file
def _(r: FileReader) -> Tensor:
    return logit(r.input("X"), r.attr("eps", 1e-6))


logit.samples(lambda: [Sample(f32(3, 4, low=0.05, high=0.95), eps=0.0), Sample(f32(3, 4, low=0.05, high=0.95), eps=0.125)])


@method(inplace=True)
def frac(x: Tensor, name: str | None = None) -> Tensor:
    """The fraction ``x - trunc(x)``.

    ``x``: numbers; the result has its shape and dtype.

    Example:
        >>> paddle.frac(paddle.to_tensor([1.5, -2.25])).tolist()
        [0.5, -0.25]
    """
    return x - F.trunc(x)


@method()
def nan_to_num(
    x: Tensor, nan: float = 0.0, posinf: float | None = None, neginf: float | None = None, name: str | None = None
) -> Tensor:
    """nan and the infinities replaced by numbers; the infinities by default by the largest finite ones.

    ``x``: floats; the result has its shape and dtype. ``posinf``, ``neginf``: what replaces inf and -inf.
    Raises DTypeError on other tensors, which PaddlePaddle refuses, too.

    Example:
        >>> paddle.nan_to_num(paddle.to_tensor([float("nan"), float("inf")]), posinf=9.0).tolist()
        [0.0, 9.0]
    """
    info = np.finfo(dtype_checks.need_order(dtype_checks.need_float(x.spec, "nan_to_num"), "nan_to_num").dtype.np)
    high = float(info.max) if posinf is None else posinf
    low = float(info.min) if neginf is None else neginf
    where = F.where
    x = where(F.isnan(x), operands.constant(nan, x.dtype), x)
    infinite = F.isinf(x)
    return where(F.logical_and(infinite, x > 0), operands.constant(high, x.dtype), where(
        F.logical_and(infinite, x < 0), operands.constant(low, x.dtype), x
    ))  # fmt: skip


def multiplex(inputs: Any, index: Any, name: str | None = None) -> Tensor:
    """Row ``i`` of the result is row ``i`` of tensor ``inputs[index[i]]``; it has as many rows as ``index``.

    Raises ShapeError where the tensors have fewer.
    ``inputs``: tensors ``[n, ...]`` of one shape and dtype; ``index``: ``[m, 1]``, integers.

    Example:
        >>> inputs = [paddle.to_tensor([[1], [2]]), paddle.to_tensor([[10], [20]])]
        >>> paddle.multiplex(inputs, paddle.to_tensor([[1], [0]])).tolist()
        [[10], [2]]
    """
    choice = F.reshape(index, [-1])
    rows, wanted = inputs[0].shape[0], choice.shape[0]
    words = "multiplex: the index has {} rows, the tensors have {}"
    if dynamic_sizes.is_dynamic((rows, wanted)):
        dynamic_sizes.check(rows >= wanted, "ShapeError", words, wanted, rows)
    elif rows < wanted:
        raise ShapeError(words.format(wanted, rows))
    return F.stack(list(inputs))[choice, F.arange(wanted)]


def add_n(inputs: Sequence[Any], name: str | None = None) -> Tensor:
    """The sum of a list of tensors (or the one tensor given).

    ``inputs``: tensors that broadcast, of one dtype. Raises ArgumentError for an empty list.

    Example:
        >>> paddle.add_n([paddle.ones([2]), paddle.ones([2]) * 2]).tolist()
        [3.0, 3.0]
    """
    if isinstance(inputs, Tensor):
        if not isinstance(inputs.spec, ListSpec):
            return F.assign(inputs)
        dynamic_sizes.check(F.list_len(inputs) > 0, "IndexError", "list index out of range")
        stacked = F.list_stack(inputs, 0)
        return F.cast(F.sum(stacked, 0), stacked.spec.dtype)
    if not len(inputs):
        raise ArgumentError(f"add_n: expected at least one tensor, got {inputs!r}")
    dtype_checks.need_one_dtype("add_n", *inputs)
    total = inputs[0]
    for x in inputs[1:]:
        total = total + x
    return total if len(inputs) > 1 else F.assign(total)
