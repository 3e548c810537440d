"""Batch norm and layer norm.

Each is one operator with Paddle's outputs. They share one gradient operator, `standardize_grad`, on inputs that are reshaped so
that statistics and scales broadcast. It can be differentiated again.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.ir.opdef import AttrValue, FrozenAttrs, GradContext, Sample, op
from to_static.compiler.ir.program import Op
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import blocked_sum, dtype_checks, shape_rules
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.kernel_scalar import operand
from to_static.compiler.ops.reductions import reduce
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.errors import DTypeError, ShapeError

if TYPE_CHECKING:
    from to_static.compiler.ir.file_hooks import FileReader, FileWriter

_HALF = "float16"


def statistics(xp: ArrayModule, x: Array, axes: tuple[int, ...]) -> tuple[Any, Any, Any]:
    """``x`` minus its mean over ``axes``, the mean and the (biased) variance, dimensions kept."""
    mean = reduce.mean_over(xp, x, axes)
    centered = xp.asarray(x - mean)
    return centered, mean, reduce.mean_over(xp, centered * centered, axes)


def scaled(xp: ArrayModule, centered: Array, inv_std: Array, scale: Array | None, bias: Array | None) -> Array:
    """``centered * inv_std * scale + bias``, written over ``centered``."""
    rate = inv_std
    if scale is not None and scale.shape == rate.shape:
        rate, scale = rate * scale, None
    xp.multiply(centered, rate, centered)
    if scale is not None:
        xp.multiply(centered, scale, centered)
    return centered if bias is None else xp.add(centered, bias, centered)


def standardizer(rows: int, length: int, dtype: np.dtype) -> Callable[[Array, float], tuple[Array, ...]]:
    """A function that standardizes so many rows of an array, in one piece, with an epsilon; of them: means, variances and rates."""
    add = blocked_sum.adder((rows, length), dtype.char, (1,), False)
    count, one = np.array(length, dtype), np.array(1, dtype)
    few = rows * length <= _SPREAD

    def broadcast_column(column: Array) -> Array:
        return column.repeat(length).reshape(rows, length) if few else column[:, None]

    def standardizer_run(x: Array, epsilon: float) -> tuple[Array, ...]:
        x = x.reshape(rows, length)
        mean = add(x)
        np.true_divide(mean, count, mean)
        y = np.subtract(x, broadcast_column(mean))
        variance = add(np.multiply(y, y))
        np.true_divide(variance, count, variance)
        rate = np.add(variance, np.array(epsilon, dtype))
        np.sqrt(rate, rate)
        np.divide(one, rate, rate)
        np.multiply(y, broadcast_column(rate), y)
        return y, mean, variance, rate

    return standardizer_run


_SPREAD = 1 << 14  # numbers of which copies of a column are sooner made than NumPy broadcasts it


@op("standardize_grad(X, Scale, Mean, InvStd, G -> DX, DScale, DBias) axes single", file=None)
def standardize_grad(
    x: Tensor,
    scale: Tensor,
    mean: Tensor,
    inv_std: Tensor,
    g: Tensor,
    axes: range | Sequence[int],
    single: bool = False,
) -> tuple[Tensor, ...]:
    """Gradients of ``(x - mean) * inv_std * scale + bias`` for statistics that are those of ``x`` over ``axes``.

    ``mean``, ``inv_std``: ``x`` with ``axes`` reduced, kept as 1. ``scale`` broadcasts against ``x``. ``single``: a group of one
    value was copied instead, as `batch_norm` does; its gradient is ``g``.
    """
    return standardize_grad.emit(x, scale, mean, inv_std, g, axes=tuple(axes), single=single)


@standardize_grad.infer
def _(
    x: TensorSpec,
    scale: TensorSpec,
    mean: TensorSpec,
    inv_std: TensorSpec,
    g: TensorSpec,
    axes: tuple[int, ...],
    single: bool,
) -> tuple[TensorSpec, ...]:
    return x, scale, scale


def input_gradient(x: Array, mean: Array, inv_std: Array, weighted: Array) -> Array:
    """The first result of `standardize_grad` for NumPy's arrays ``x`` whose groups are rows in memory.

    ``mean``, ``inv_std``: a number for each row. ``weighted``: ``g``, or ``g`` times the scale.
    """
    rows = mean.size
    unit = np.subtract(x.reshape(rows, -1), mean.reshape(rows, 1))
    inv_std, weighted = inv_std.reshape(rows, 1), weighted.reshape(rows, -1)
    np.multiply(unit, inv_std, unit)
    through = blocked_sum.mean(np.multiply(weighted, unit), (1,), True)
    np.multiply(unit, through, unit)
    np.subtract(weighted, unit, unit)
    np.subtract(unit, blocked_sum.mean(weighted, (1,), True), unit)
    return np.multiply(unit, inv_std, unit).reshape(x.shape)


def _sum_to(x: Array, shape: tuple[int, ...]) -> Array:
    axes = tuple(i for i, (have, want) in enumerate(zip(x.shape, shape, strict=True)) if want == 1 != have)
    return blocked_sum.total(x, axes, True) if axes else x


@standardize_grad.kernel
def _(
    xp: ArrayModule, x: Any, scale: Array, mean: Array, inv_std: Array, g: Array, axes: tuple[int, ...], single: bool
) -> tuple[Array, ...]:
    count = prod(x.shape[a] for a in axes)
    if single and count == 1:
        return g.copy(), xp.zeros_like(scale), xp.zeros_like(scale)
    unit = xp.asarray(x - mean)
    xp.multiply(unit, inv_std, unit)
    product = xp.asarray(g * unit)
    dscale, dbias = _sum_to(product, scale.shape), _sum_to(g, scale.shape)
    if count == 0:
        return xp.zeros_like(x), dscale, dbias
    if scale.shape == mean.shape:  # the scale is constant in each group: the sums serve twice
        xp.multiply(unit, dscale / count, unit)
        xp.subtract(g, unit, unit)
        xp.subtract(unit, dbias / count, unit)
        xp.multiply(unit, inv_std * scale, unit)
        return unit, dscale, dbias if dbias is not g else g.copy()
    weighted = xp.asarray(g * scale)
    product = xp.multiply(product, scale, None if dscale is product else product)  # of one group it is the gradient of the scale
    xp.multiply(unit, blocked_sum.mean(product, axes, True), unit)
    xp.subtract(weighted, unit, unit)
    xp.subtract(unit, blocked_sum.mean(weighted, axes, True), unit)
    xp.multiply(unit, inv_std, unit)
    return unit, dscale, dbias if dbias is not g else g.copy()


@standardize_grad.grad
def _(ctx: GradContext, u: Tensor, v: Tensor, w: Tensor) -> Any:
    x, scale, mean, inv_std, g = ctx.inputs
    axes = list(ctx.axes)
    if ctx.single and prod(x.shape[a] for a in axes) == 1:
        return None, None, None, None, u

    def average(value: Tensor) -> Tensor:
        return value.mean(axes, keepdim=True)

    one = F.ones_like(mean)

    def project(value: Tensor) -> Tensor:
        return standardize_grad(x, one, mean, inv_std, value, ctx.axes)[0]

    unit = (x - mean) * inv_std
    projected = project(u)
    dg = projected * scale + v * unit + w
    dscale = shape_rules.unbroadcast(g * projected, scale) if ctx.needs[1] else None
    if not ctx.needs[0]:
        return None, dscale, None, None, dg
    k = g * scale
    through = v * g - inv_std * (u * average(k * unit) + k * average(u * unit))
    dx = project(through) - inv_std * unit * average(u * ctx.out)
    return dx, dscale, None, None, dg


def check_affine(name: str, x: TensorSpec, size: int, **parts: TensorSpec | None) -> None:
    """Raise ShapeError or DTypeError unless each part (scale, bias, statistics) has ``size`` elements and x's dtype."""
    dtype_checks.need_float(x, name)
    for what, part in parts.items():
        if part is None:
            continue
        if UNKNOWN not in (size, part.size) and part.size != size:
            expectation = f"for an input {show(x.shape)} {what} must have {size} elements"
            raise ShapeError(f"{name}: {expectation}, got shape {show(part.shape)}; a layer for this input has {size} features")
        if part.dtype is not x.dtype and x.dtype.name != _HALF:
            raise DTypeError(f"{name}: the input is {x.dtype.name} and {what} {part.dtype.name}; cast one of them")


def channel_axis(ndim: int, data_format: str) -> int:
    """Dimension of the channels: the last in 'NHWC' and its like, the first in 'CHWN' (which plans use), else the second."""
    if data_format == "CHWN":
        return 0
    return ndim - 1 if data_format[-1] == "C" and data_format != "NC" else 1


# batch norm ----------------------------------------------------------------------------------------------------------


@op(
    "batch_norm(X, Scale, Bias, Mean, Variance -> Y, MeanOut?, VarianceOut?, SavedMean?, SavedVariance?) "
    "momentum:float epsilon:float is_test:bool use_global_stats:bool trainable_statistics:bool data_format=data_layout:str",
    traits="check_shapes",
)
def batch_norm(
    x: Tensor,
    scale: Tensor,
    bias: Tensor,
    mean: Tensor,
    variance: Tensor,
    momentum: float = 0.9,
    epsilon: float = 1e-5,
    is_test: bool = False,
    use_global_stats: bool = False,
    trainable_statistics: bool = False,
    data_format: str = "NCHW",
) -> tuple[Tensor, ...]:
    """``(x - mean) / sqrt(variance + epsilon) * scale + bias`` per channel, with the statistics of the batch or given ones.

    Returns y, the new running mean ``momentum * mean + (1 - momentum) * batch_mean`` and variance, the batch's mean and
    the inverse of its standard deviation. With ``is_test`` (and not ``trainable_statistics``) or ``use_global_stats`` the
    given statistics are used and returned. A batch of one value per channel has no variance: it is copied, and the statistics
    stay, as in Paddle. `nn.functional.batch_norm` is the form for models.

    Source: Ioffe and Szegedy, "Batch Normalization" (2015).
    """
    switches = bool(is_test), bool(use_global_stats), bool(trainable_statistics), data_format
    return batch_norm.call((x, scale, bias, mean, variance), _frozen_attrs(momentum + 0.0, epsilon + 0.0, *switches))


@functools.lru_cache(256)
def _frozen_attrs(
    momentum: float, epsilon: float, is_test: bool, use_global_stats: bool, trainable_statistics: bool, form: str
) -> FrozenAttrs:
    """The attributes of a batch norm. The numbers are not -0.0."""
    return FrozenAttrs(
        momentum=float(momentum), epsilon=float(epsilon), is_test=is_test, use_global_stats=use_global_stats,
        trainable_statistics=trainable_statistics, data_format=form,
    )  # fmt: skip


def _uses_given(attrs: dict[str, Any] | dict[str, Any]) -> bool:
    return attrs["use_global_stats"] or (attrs["is_test"] and not attrs["trainable_statistics"])


@batch_norm.infer
def _(
    x: TensorSpec, scale: TensorSpec, bias: TensorSpec, mean: TensorSpec, variance: TensorSpec, **attrs: Any
) -> tuple[TensorSpec, ...]:
    if x.ndim < 2:
        raise ShapeError(f"batch_norm: expected an input of at least 2 dimensions, got {show(x.shape)}")
    channels = x.shape[channel_axis(x.ndim, attrs["data_format"])]
    check_affine("batch_norm", x, channels, weight=scale, bias=bias, running_mean=mean, running_var=variance)
    return x, mean, variance, mean, mean


@batch_norm.kernel
def _(
    xp: ArrayModule,
    x: Any,
    scale: Array,
    bias: Array,
    mean: Array,
    variance: Array,
    momentum: float,
    epsilon: float,
    is_test: bool,
    use_global_stats: bool,
    trainable_statistics: bool,
    data_format: str,
) -> tuple[Array, ...]:
    channel = channel_axis(x.ndim, data_format)
    shape = tuple(-1 if i == channel else 1 for i in range(x.ndim))
    if use_global_stats or (is_test and not trainable_statistics):
        inv_std = 1 / xp.sqrt(variance + epsilon)
        rate = scale * inv_std
        y = xp.asarray(x * rate.reshape(shape))
        xp.add(y, (bias - mean * rate).reshape(shape), y)
        return y, mean.copy(), variance.copy(), mean.copy(), inv_std
    if x.size == x.shape[channel]:
        return x.copy(), mean.copy(), variance.copy(), xp.zeros_like(mean), xp.zeros_like(mean)
    axes = tuple(i for i in range(x.ndim) if i != channel)
    centered, batch_mean, batch_variance = statistics(xp, x, axes)
    inv_std = 1 / xp.sqrt(batch_variance + epsilon)
    y = scaled(xp, centered, inv_std, scale.reshape(shape), bias.reshape(shape))
    found_mean, found_variance = batch_mean.reshape(mean.shape), batch_variance.reshape(mean.shape)
    new_mean = momentum * mean + (1 - momentum) * found_mean
    new_variance = momentum * variance + (1 - momentum) * found_variance
    return y, new_mean, new_variance, found_mean, inv_std.reshape(mean.shape)


@batch_norm.specialize
def _(
    outs: tuple[TensorSpec, ...],
    x: TensorSpec,
    scale: TensorSpec,
    bias: TensorSpec,
    mean: TensorSpec,
    variance: TensorSpec,
    data_format: str,
    **attrs: Any,
) -> Any:
    """The kernel for statistics of a batch."""
    channel = channel_axis(x.ndim, data_format)
    alike = {part.dtype for part in (x, scale, bias, mean, variance)} == {x.dtype} and x.dtype.name in ("float32", "float64")
    if _uses_given(attrs) or not alike or not x.shape[channel] < x.size < reduce.FEW:
        return None
    axes, channels = tuple(i for i in range(x.ndim) if i != channel), mean.shape
    shape = tuple(d if i == channel else 1 for i, d in enumerate(x.shape))
    add = blocked_sum.adder(x.shape, x.dtype.np.char, axes, True)
    dtype, array = x.dtype.np, np.array
    count, one = array(x.size // x.shape[channel], dtype), array(1, dtype)
    multiply, divide = np.multiply, np.true_divide

    def batch_norm_run(
        x: Array, scale: Array, bias: Array, mean: Array, variance: Array, momentum: float, epsilon: float
    ) -> tuple[Array, ...]:
        mean_now = add(x)
        divide(mean_now, count, mean_now)
        y = np.subtract(x, mean_now)
        spread = add(multiply(y, y))
        divide(spread, count, spread)
        inverse = np.add(spread, array(epsilon, dtype))
        np.sqrt(inverse, inverse)
        divide(one, inverse, inverse)
        multiply(y, multiply(inverse, scale.reshape(shape)), y)
        np.add(y, bias.reshape(shape), y)
        mean_now, spread = mean_now.reshape(channels), spread.reshape(channels)
        old_share, share = array(momentum, dtype), array(1 - momentum, dtype)
        mean, variance = multiply(mean, old_share), multiply(variance, old_share)
        np.add(mean, multiply(mean_now, share), mean)
        np.add(variance, multiply(spread, share), variance)
        return y, mean, variance, mean_now, inverse.reshape(channels)

    return batch_norm_run


@batch_norm.grad
def _(ctx: GradContext, g: Tensor, *unused: Any) -> Any:
    x, scale, _, mean, _ = ctx.inputs
    channel = channel_axis(x.ndim, ctx.data_format)
    shape = [-1 if i == channel else 1 for i in range(x.ndim)]
    axes = [i for i in range(x.ndim) if i != channel]
    scale_by_axis = scale.reshape(shape)
    if not _uses_given(ctx.attrs):
        saved = (ctx.outputs[3].reshape(shape), ctx.outputs[4].reshape(shape))
        dx, dscale, dbias = standardize_grad(x, scale_by_axis, *saved, g, axes, True)
        return dx, dscale.reshape([-1]), dbias.reshape([-1]), None, None
    inv_std = ctx.outputs[4].reshape(shape)
    dx = g * (scale_by_axis * inv_std) if ctx.needs[0] else None
    dscale = (g * (x - mean.reshape(shape)) * inv_std).sum(axes) if ctx.needs[1] else None
    return dx, dscale, g.sum(axes) if ctx.needs[2] else None, None, None


@batch_norm.from_file
def _(r: FileReader) -> tuple[Tensor, ...]:
    """As declared; a file whose layer has no weight or no bias lacks that slot."""
    if r.has("Scale") and r.has("Bias"):
        return r.read_declared(batch_norm.op)
    if r.has("MomentumTensor"):
        r.refuse("a momentum that is a tensor")
    mean = r.input("Mean")
    scale = r.input("Scale") if r.has("Scale") else F.ones_like(mean)
    bias = r.input("Bias") if r.has("Bias") else F.zeros_like(mean)
    return batch_norm(
        r.input("X"), scale, bias, mean, r.input("Variance"), r.attr("momentum", 0.9), r.attr("epsilon", 1e-5),
        r.attr("is_test", False), r.attr("use_global_stats", False), r.attr("trainable_statistics", False),
        r.attr("data_layout", "NCHW"),
    )  # fmt: skip


@batch_norm.to_file
def _(w: FileWriter, op: Op) -> None:
    if op.attrs["is_test"]:  # as Paddle writes it: a reader that switches to training then finds the statistics updated
        w.default(op, outputs={"MeanOut": w.name(op.inputs[3]), "VarianceOut": w.name(op.inputs[4])})
    else:
        w.default(op)


# layer norm ----------------------------------------------------------------------------------------------------------


@op("layer_norm(X, Scale?, Bias? -> Y, Mean?, Variance?) begin_norm_axis:int epsilon:float")
def layer_norm(
    x: Tensor, scale: Tensor | None, bias: Tensor | None, begin_norm_axis: int = 1, epsilon: float = 1e-5
) -> tuple[Tensor, ...]:
    """Standardize each slice over the dimensions from ``begin_norm_axis`` on; returns y, the means and the variances.

    ``scale``, ``bias``: as many elements as such a slice, or None. `nn.functional.layer_norm` is the form for models.

    Source: Ba, Kiros and Hinton, "Layer Normalization".
    """
    return layer_norm.emit(x, scale, bias, begin_norm_axis=int(begin_norm_axis), epsilon=float(epsilon))


@layer_norm.infer
def _(
    x: TensorSpec, scale: TensorSpec | None, bias: TensorSpec | None, begin_norm_axis: int, epsilon: float
) -> tuple[TensorSpec, ...]:
    if not 0 < begin_norm_axis < x.ndim:
        raise ShapeError(f"layer_norm: can't normalize from dimension {begin_norm_axis} on in {show(x.shape)}")
    tail = x.with_shape(x.shape[begin_norm_axis:])
    check_affine("layer_norm", x, tail.size, weight=scale, bias=bias)
    momentum = x.with_shape((*x.shape[:begin_norm_axis], *[1] * tail.ndim))
    return x, momentum, momentum


@layer_norm.kernel
def _(
    xp: ArrayModule, x: Any, scale: Array | None, bias: Array | None, begin_norm_axis: int, epsilon: float
) -> tuple[Array, ...]:
    tail = x.shape[begin_norm_axis:]
    centered, mean, variance = statistics(xp, x, tuple(range(begin_norm_axis, x.ndim)))
    scale, bias = (None if part is None else part.reshape(tail) for part in (scale, bias))
    root = xp.sqrt(variance + operand(xp, epsilon, x.dtype))
    return scaled(xp, centered, operand(xp, 1, x.dtype) / root, scale, bias), mean, variance


@layer_norm.specialize
def _(
    out: tuple[TensorSpec, ...],
    x: TensorSpec,
    scale: TensorSpec | None,
    bias: TensorSpec | None,
    begin_norm_axis: int,
) -> Any:
    if x.dtype.name not in ("float32", "float64") or not 0 < x.size < reduce.FEW:
        return None
    shape, tail, dtype = x.shape, x.shape[begin_norm_axis:], x.dtype.np
    lead = shape[:begin_norm_axis]
    standardize, single = standardizer(prod(lead), prod(tail), dtype), (*lead, *[1] * len(tail))

    def layer_norm_run(x: Array, scale: Array | None, bias: Array | None, epsilon: float) -> tuple[Array, ...]:
        y, mean, variance, _ = standardize(x, epsilon)
        y = y.reshape(shape)
        if scale is not None:
            np.multiply(y, scale.reshape(tail), y)
        if bias is not None:
            np.add(y, bias.reshape(tail), y)
        return y, mean.reshape(single), variance.reshape(single)

    return layer_norm_run


@layer_norm.grad_kernel
def _(
    x: Array,
    scale: Array | None,
    bias: Array | None,
    y: Array,
    mean: Array,
    variance: Array,
    g: Array,
    begin_norm_axis: int,
    epsilon: float,
) -> Any:
    if not x.size or x.dtype.char not in "fd":
        return None
    rate = np.add(variance, np.array(epsilon, x.dtype))
    rate = np.divide(np.array(1, x.dtype), np.sqrt(rate))
    return input_gradient(x, mean, rate, g if scale is None else np.multiply(g, scale.reshape(x.shape[begin_norm_axis:])))


@layer_norm.grad
def _(ctx: GradContext, g: Tensor, *unused: Any) -> Any:
    x, scale, bias = ctx.inputs
    begin = ctx.begin_norm_axis
    mean, inv_std = ctx.outputs[1], (ctx.outputs[2] + ctx.epsilon) ** -0.5
    scale_by_axis = F.ones_like(mean) if scale is None else scale.reshape([*[1] * begin, *x.shape[begin:]])
    dx, dscale, dbias = standardize_grad(x, scale_by_axis, mean, inv_std, g, range(begin, x.ndim))
    if scale is None and bias is not None:
        dbias = g.sum(list(range(begin)))
    return (
        dx,
        None if scale is None else dscale.reshape(scale.shape),
        None if bias is None else dbias.reshape(bias.shape),
    )


def _f(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).uniform(-2, 2, shape).astype("float32")


def _positive(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).uniform(0.5, 2, shape).astype("float32")


def _statistics_of(x: np.ndarray, axes: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    return x.mean(axes, keepdims=True), 1 / np.sqrt(x.var(axes, keepdims=True) + np.float32(1e-5))


def _standardize_sample(shape: tuple[int, ...], scale: tuple[int, ...], axes: tuple[int, ...]) -> Sample:
    x = _f(*shape)
    # the statistics belong to x, so only a gradient through g and the scale can be checked with x held still
    return Sample(x, _f(*scale, seed=1), *_statistics_of(x, axes), _f(*shape, seed=2), grad=(1, 4), axes=axes, single=False)


standardize_grad.samples(
    lambda: [
        _standardize_sample((3, 2, 4), (1, 2, 1), (0, 2)),
        _standardize_sample((3, 4), (1, 4), (1,)),
        _standardize_sample((3, 3), (1, 3), (1,)),
    ]
)
_BATCH: dict[str, Any] = {
    "momentum": 0.9, "epsilon": 1e-5, "is_test": False, "use_global_stats": False, "trainable_statistics": False,
    "data_format": "NCHW",
}  # fmt: skip


def _batch_sample(shape: tuple[int, ...], channels: int, **attrs: AttrValue) -> Sample:
    parts = (_f(channels, seed=1), _f(channels, seed=2), _f(channels, seed=3), _positive(channels, seed=4))
    return Sample(_f(*shape), *parts, grad=(0, 1, 2), **(_BATCH | attrs))


batch_norm.samples(
    lambda: [
        _batch_sample((3, 2, 2, 3), 2),
        _batch_sample((1, 3, 1, 1), 3),
        _batch_sample((4, 3), 3, momentum=0.5, epsilon=1e-3),
        _batch_sample((2, 3, 2), 2, data_format="NHWC"),
        _batch_sample((3, 2, 2), 2, is_test=True),
        _batch_sample((3, 2, 2), 2, use_global_stats=True),
        _batch_sample((3, 2, 2), 2, is_test=True, trainable_statistics=True),
    ]
)
layer_norm.samples(
    lambda: [
        Sample(_f(2, 3, 4), _f(4, seed=1), _f(4, seed=2), begin_norm_axis=2, epsilon=1e-5),
        Sample(_f(3, 3), _f(3, seed=1), _f(3, seed=2), begin_norm_axis=1, epsilon=1e-5),
        Sample(_f(1, 4), _f(4, seed=1), _f(4, seed=2), begin_norm_axis=1, epsilon=1e-5),
        Sample(_f(2, 3, 2), _f(6, seed=1), None, begin_norm_axis=1, epsilon=1e-2),
        Sample(_f(2, 3), None, _f(3, seed=1), begin_norm_axis=1, epsilon=1e-5),
        Sample(_f(2, 5), None, None, begin_norm_axis=1, epsilon=1e-5),
    ]
)
