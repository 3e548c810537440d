"""Normalization within each sample: group norm, and instance norm (groups of one channel)."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import GradContext, Sample, op
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.layers import norm
from to_static.compiler.ops.reductions import reduce
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.errors import ShapeError


def _grouped_forward(
    xp: ArrayModule, x: Array, scale: Array | None, bias: Array | None, groups: int, epsilon: float
) -> tuple[Any, Any, Any]:
    """y, mean and variance (``[N, groups]``) of a channel-first array."""
    batch, channels = x.shape[:2]
    split = (batch, groups, channels // groups, prod(x.shape[2:]))
    centered, mean, variance = norm.statistics(xp, xp.ascontiguousarray(x).reshape(split), (2, 3))
    scale_shape = (1, groups, channels // groups, 1)
    scale, bias = (None if part is None else part.reshape(scale_shape) for part in (scale, bias))
    y = norm.scaled(xp, centered, 1 / xp.sqrt(variance + epsilon), scale, bias)
    return y.reshape(x.shape), mean.reshape(batch, groups), variance.reshape(batch, groups)


def _grouped_grad(
    ctx: GradContext, g: Tensor, groups: int, width: int, inv_std: Tensor, last: bool
) -> tuple[Any, Any, Any]:
    """``width``: channels of each group."""
    x, scale, bias = ctx.inputs
    order = [0, x.ndim - 1, *range(1, x.ndim - 1)]
    back = [0, *range(2, x.ndim), 1]

    def split(value: Tensor) -> Tensor:
        value = F.transpose(value, order) if last else value
        return value.reshape([0, groups, width, -1])

    def statistic(value: Tensor) -> Tensor:
        return value.reshape([-1, groups, 1, 1])

    mean = statistic(ctx.outputs[1])
    scale_by_group = F.ones_like(mean) if scale is None else scale.reshape([1, groups, width, 1])
    g4 = split(g)
    dx, dscale, dbias = norm.standardize_grad(split(x), scale_by_group, mean, statistic(inv_std), g4, (2, 3))
    if scale is None and bias is not None:
        dbias = g4.sum([0, 3])
    dx = dx.reshape([x.shape[i] for i in order]) if last else dx.reshape(x.shape)
    return (
        F.transpose(dx, back) if last else dx,
        None if scale is None else dscale.reshape([-1]),
        None if bias is None else dbias.reshape([-1]),
    )


@op("group_norm(X, Scale?, Bias? -> Y, Mean?, Variance?) groups:int epsilon:float data_format=data_layout:str")
def group_norm_op(
    x: Tensor,
    scale: Tensor | None,
    bias: Tensor | None,
    groups: int = 1,
    epsilon: float = 1e-5,
    data_format: str = "NCHW",
) -> tuple[Tensor, ...]:
    """Standardize each sample over groups of channels; returns y, the means and the variances, ``[N, groups]``.

    ``scale``, ``bias``: one element per channel, or None. `group_norm` is the form for models.

    Source: Wu and He, "Group Normalization".
    """
    return group_norm_op.emit(
        x, scale, bias, groups=int(groups), epsilon=float(epsilon), data_format=data_format
    )


@group_norm_op.infer
def _(
    x: TensorSpec, scale: TensorSpec | None, bias: TensorSpec | None, groups: int, epsilon: float, data_format: str
) -> tuple[TensorSpec, ...]:
    if x.ndim < 2:
        raise ShapeError(f"group_norm: expected an input of at least 2 dimensions, got {show(x.shape)}")
    channels = x.shape[norm.channel_axis(x.ndim, data_format)]
    if groups < 1 or (channels != UNKNOWN and channels % groups):
        raise ShapeError(f"group_norm: {channels} channels do not divide into {groups} groups")
    norm.check_affine("group_norm", x, channels, weight=scale, bias=bias)
    stats = x.with_shape((x.shape[0], groups))
    return x, stats, stats


@group_norm_op.kernel
def _(
    xp: ArrayModule, x: Array, scale: Array | None, bias: Array | None, groups: int, epsilon: float, data_format: str
) -> tuple[Array, ...]:
    if norm.channel_axis(x.ndim, data_format) == 1:
        return _grouped_forward(xp, x, scale, bias, groups, epsilon)
    y, mean, variance = _grouped_forward(xp, xp.moveaxis(x, -1, 1), scale, bias, groups, epsilon)
    return xp.ascontiguousarray(xp.moveaxis(y, 1, -1)), mean, variance


@group_norm_op.grad
def _(ctx: GradContext, g: Tensor, *unused: Any) -> Any:
    inv_std = (ctx.outputs[2] + ctx.epsilon) ** -0.5
    last = norm.channel_axis(ctx.x.ndim, ctx.data_format) != 1
    return _grouped_grad(ctx, g, ctx.groups, ctx.x.shape[-1 if last else 1] // ctx.groups, inv_std, last)


def group_norm(
    x: Tensor, num_groups: int, epsilon: float = 1e-05, weight: Tensor | None = None, bias: Tensor | None = None,
    data_format: str = "NCHW", name: str | None = None,
) -> Tensor:  # fmt: skip
    """Standardize each sample over groups of channels, then scale by ``weight`` and shift by ``bias`` (one per channel).

    ``x``: ``[N, C, *]`` (or ``[N, *, C]``, see ``data_format``). Raises ShapeError unless ``num_groups`` divides C.
    ``epsilon``: added to the variance.

    Example:
        >>> F.group_norm(paddle.ones([2, 6, 4]), 3).shape
        [2, 6, 4]
    """
    return group_norm_op(x, weight, bias, num_groups, epsilon, data_format)[0]


@op("instance_norm(X, Scale?, Bias? -> Y, SavedMean?, SavedVariance?) epsilon:float")
def instance_norm_op(x: Tensor, scale: Tensor | None, bias: Tensor | None, epsilon: float = 1e-5) -> tuple[Tensor, ...]:
    """Standardize each channel of each sample; returns y, the means and the inverse standard deviations, ``[N * C]``.

    Source: Ulyanov, Vedaldi and Lempitsky, "Instance Normalization: The Missing Ingredient for Fast Stylization".
    """
    return instance_norm_op.emit(x, scale, bias, epsilon=float(epsilon))


@instance_norm_op.infer
def _(x: TensorSpec, scale: TensorSpec | None, bias: TensorSpec | None, epsilon: float) -> tuple[TensorSpec, ...]:
    if x.ndim < 2:
        raise ShapeError(f"instance_norm: expected an input of at least 2 dimensions, got {show(x.shape)}")
    norm.check_affine("instance_norm", x, x.shape[1], weight=scale, bias=bias)
    static_rows = UNKNOWN not in x.shape[:2]
    stats = x.with_shape((x.shape[0] * x.shape[1] if static_rows else UNKNOWN,))
    return x, stats, stats


@instance_norm_op.kernel
def _(xp: ArrayModule, x: Array, scale: Array | None, bias: Array | None, epsilon: float) -> tuple[Array, ...]:
    y, mean, variance = _grouped_forward(xp, x, scale, bias, x.shape[1], epsilon)
    return y, mean.reshape(-1), 1 / xp.sqrt(variance.reshape(-1) + epsilon)


@instance_norm_op.specialize
def _(out: tuple[TensorSpec, ...], x: TensorSpec, scale: TensorSpec | None, bias: TensorSpec | None) -> Any:
    if x.dtype.name not in ("float32", "float64") or not 0 < x.size < reduce.FEW:
        return None
    shape, channels = x.shape, x.shape[1]
    standardize = norm.standardizer(x.shape[0] * channels, prod(x.shape[2:]), x.dtype.np)

    def instance_norm_run(x: Array, scale: Array | None, bias: Array | None, epsilon: float) -> tuple[Array, ...]:
        y, mean, _, rate = standardize(x, epsilon)
        y = y.reshape(shape[0], channels, -1)
        if scale is not None:
            np.multiply(y, scale.reshape(channels, 1), y)
        if bias is not None:
            np.add(y, bias.reshape(channels, 1), y)
        return y.reshape(shape), mean, rate

    return instance_norm_run


@instance_norm_op.grad_kernel
def _(
    x: Array, scale: Array | None, bias: Array | None, y: Array, mean: Array, rate: Array, g: Array, epsilon: float
) -> Any:
    if not x.size or x.dtype.char not in "fd":
        return None
    weighted = g if scale is None else np.multiply(g.reshape(*x.shape[:2], -1), scale.reshape(-1, 1))
    return norm.input_gradient(x, mean, rate, weighted)


@instance_norm_op.grad
def _(ctx: GradContext, g: Tensor, *unused: Any) -> Any:
    return _grouped_grad(ctx, g, ctx.x.shape[1], 1, ctx.outputs[2], False)


def instance_norm(
    x: Tensor,
    running_mean: Any = None,
    running_var: Any = None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    use_input_stats: bool = True,
    momentum: float = 0.9,
    eps: float = 1e-05,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Tensor:
    """Standardize each channel of each sample, then scale by ``weight`` and shift by ``bias`` (one per channel).

    ``x``: ``[N, C, *]``. As in Paddle, running statistics, ``use_input_stats`` and ``momentum`` have no influence.
    ``eps``: added to the variance; ``running_mean``, ``running_var``: the running statistics; ``data_format``: 'NCHW'
    (default) or 'NHWC'.

    Example:
        >>> F.instance_norm(paddle.ones([1, 2, 3])).tolist()
        [[[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]]
    """
    return instance_norm_op(x, weight, bias, eps)[0]


def _f(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).uniform(-2, 2, shape).astype("float32")


group_norm_op.samples(
    lambda: [
        Sample(_f(2, 4, 2, 2), _f(4, seed=1), _f(4, seed=2), groups=2, epsilon=1e-5, data_format="NCHW"),
        Sample(_f(2, 3, 4), _f(4, seed=1), _f(4, seed=2), groups=2, epsilon=1e-5, data_format="NHWC"),
        Sample(_f(2, 6), None, _f(6, seed=2), groups=2, epsilon=1e-3, data_format="NCHW"),
        Sample(_f(2, 4, 3), None, None, groups=1, epsilon=1e-5, data_format="NCHW"),
    ]
)
instance_norm_op.samples(
    lambda: [
        Sample(_f(2, 3, 2, 2), _f(3, seed=1), _f(3, seed=2), epsilon=1e-5),
        Sample(_f(2, 3, 4), None, None, epsilon=1e-3),
    ]
)
