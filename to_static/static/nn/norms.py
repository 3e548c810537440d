"""Normalisations as functions: each call makes its parameters."""

from __future__ import annotations

import math
from typing import Any

from to_static.compiler.ir.spec import UNKNOWN
from to_static.core import unique_name
from to_static.core.errors import ShapeError
from to_static.nn import functional as F
from to_static.nn import initializer
from to_static.nn.functional.norm import spectrally_normal
from to_static.nn.op_helper import activated
from to_static.nn.parameter import ParamAttr, make_parameter
from to_static.static.nn.parameters import Maker, channels_of


def batch_norm(
    input: Any,
    act: str | None = None,
    is_test: bool = False,
    momentum: float = 0.9,
    epsilon: float = 1e-05,
    param_attr: Any = None,
    bias_attr: Any = None,
    data_layout: str = "NCHW",
    in_place: bool = False,
    name: str | None = None,
    moving_mean_name: str | None = None,
    moving_variance_name: str | None = None,
    do_model_average_for_mean_and_var: bool = True,
    use_global_stats: bool = False,
) -> Any:
    """Batch normalization with new parameters; every run that trains updates the running statistics.

    ``input``: ``[N, C, *]``. ``momentum``, ``epsilon``, ``param_attr``, ``bias_attr``, ``data_layout``, ``is_test``,
    ``in_place``, ``moving_mean_name``, ``moving_variance_name``, ``do_model_average_for_mean_and_var``,
    ``use_global_stats``: see `paddle.nn.BatchNorm` for these arguments. ``act``: the name of an activation, or None.

    Example:
        >>> y = paddle.static.nn.batch_norm(x, act='relu')
    """
    channels = channels_of("batch_norm", input, data_layout != "NCHW" and input.spec.ndim > 2)
    make = Maker("batch_norm", name, input.dtype)
    one = initializer.Constant(1.0)
    weight, bias = make.weight([channels], param_attr, one), make.bias([channels], bias_attr)
    mean = make.weight([channels], ParamAttr(moving_mean_name), initializer.Constant(0.0))
    variance = make.weight([channels], ParamAttr(moving_variance_name), one)
    mean.stop_gradient = variance.stop_gradient = True
    out = F.batch_norm(
        input, mean, variance, weight, bias, training=not is_test, momentum=momentum, epsilon=epsilon,
        data_format=data_layout, use_global_stats=use_global_stats or None,
    )  # fmt: skip
    return activated(out, act)


def layer_norm(
    input: Any, scale: bool = True, shift: bool = True, begin_norm_axis: int = 1, epsilon: float = 1e-05,
    param_attr: Any = None, bias_attr: Any = None, act: str | None = None, name: str | None = None,
) -> Any:  # fmt: skip
    """Layer normalisation over the dimensions from ``begin_norm_axis`` on, with new parameters of as many elements.

    ``scale``, ``shift``: whether there is a weight, and a bias. Raises ShapeError when one of these dimensions is unknown.
    ``input``: the tensor; ``epsilon``: added to the variance; ``param_attr``, ``bias_attr``: how they are made;
    ``act``: the name of an activation, or None.

    Example:
        >>> y = paddle.static.nn.layer_norm(x, begin_norm_axis=1)
    """
    sizes = input.spec.shape[begin_norm_axis:]
    if UNKNOWN in sizes:
        raise ShapeError(f"layer_norm: the dimensions from {begin_norm_axis} on must be known, the input is {input.spec}")
    make = Maker("layer_norm", name, input.dtype)
    weight = make.weight([math.prod(sizes)], param_attr, initializer.Constant(1.0)) if scale else None
    bias = make.bias([math.prod(sizes)], bias_attr) if shift else None
    return activated(F.layer_norm(input, list(sizes), weight, bias, epsilon), act)


def group_norm(
    input: Any, groups: int, epsilon: float = 1e-05, param_attr: Any = None, bias_attr: Any = None, act: str | None = None,
    data_layout: str = "NCHW", name: str | None = None,
) -> Any:  # fmt: skip
    """Group normalisation; as in Paddle there is a weight, or a bias, only if ``param_attr``, ``bias_attr`` is given.

    ``input``: ``[N, C, *]``; ``epsilon``: added to the variance; ``act``: the name of an activation, or None;
    ``data_layout``: 'NCHW' (default) or 'NHWC'.

    Example:
        >>> y = paddle.static.nn.group_norm(x, groups=4)
    """
    channels = channels_of("group_norm", input, data_layout != "NCHW")
    make = Maker("group_norm", name, input.dtype)
    weight = make.weight([channels], param_attr, initializer.Constant(1.0)) if param_attr else None
    bias = make.bias([channels], bias_attr) if bias_attr else None
    return activated(F.group_norm(input, groups, epsilon, weight, bias, data_layout), act)


def instance_norm(
    input: Any, epsilon: float = 1e-05, param_attr: Any = None, bias_attr: Any = None, name: str | None = None
) -> Any:
    """Instance normalisation of [N, C, ...]; as in Paddle there are a weight and a bias only if both attributes are given.

    Raises ValueError when only one of them is False.
    ``input``: the tensor; ``epsilon``: added to the variance; ``param_attr``, ``bias_attr``: how they are made.

    Example:
        >>> y = paddle.static.nn.instance_norm(x)
    """
    if param_attr is False and bias_attr is not False:
        raise ValueError("instance_norm: param_attr and bias_attr must be set to False at the same time")
    channels = channels_of("instance_norm", input, False)
    make = Maker("instance_norm", name, input.dtype)
    has_both = bool(param_attr and bias_attr)
    weight = make.weight([channels], param_attr, initializer.Constant(1.0)) if has_both else None
    bias = make.bias([channels], bias_attr) if has_both else None
    return F.instance_norm(input, weight=weight, bias=bias, eps=epsilon)


def data_norm(
    input: Any, act: str | None = None, epsilon: float = 1e-05, param_attr: Any = None, data_layout: str = "NCHW",
    in_place: bool = False, name: str | None = None, moving_mean_name: str | None = None,
    moving_variance_name: str | None = None, do_model_average_for_mean_and_var: bool = True, slot_dim: int = -1,
    sync_stats: bool = False, summary_decay_rate: float = 0.9999999, enable_scale_and_shift: bool = False,
) -> Any:  # fmt: skip
    """``(x - mean) * scale`` by channel: ``mean = batch_sum / batch_size``, ``scale = sqrt(batch_size / batch_square_sum)``.

    Args:
        input: floating Tensor [N, C] or more.
        param_attr: a dict of what the parameters begin with: ``batch_size`` (1e4), ``batch_sum`` (0), ``batch_square`` (1e4), and
            with ``enable_scale_and_shift`` ``scale_w`` (1) and ``bias`` (0).
        name: what the parameters' names begin with (default 'dn').
        enable_scale_and_shift: whether the result is scaled and shifted by two more parameters.

    The summaries are parameters that a run reads; what adds a batch to them is the training of Paddle's parameter servers.

    ``act``: the name of an activation, or None; ``data_layout``: 'NCHW' (default) or 'NHWC'. ``epsilon``, ``slot_dim``,
    ``in_place``, ``moving_mean_name``, ``moving_variance_name``, ``do_model_average_for_mean_and_var``, ``sync_stats``,
    ``summary_decay_rate``: accepted, without an effect.

    Example:
        >>> y = paddle.static.nn.data_norm(x)
    """
    channels = channels_of("data_norm", input, data_layout != "NCHW")
    attrs = param_attr if isinstance(param_attr, dict) else {}
    name = name or "dn"

    def summary(title: str, default: float, key: str) -> Any:
        attr = ParamAttr(f"{name}.{title}", initializer=initializer.Constant(float(attrs.get(key, default))))
        return make_parameter(unique_name.generate("data_norm"), [channels], attr, input.dtype.name)

    scale, shift = None, None
    if enable_scale_and_shift:
        scale, shift = summary("scale_w", 1.0, "scale_w"), summary("bias", 0.0, "bias")
    size, total = summary("batch_size", 1e4, "batch_size"), summary("batch_sum", 0.0, "batch_sum")
    squares = summary("batch_square_sum", 1e4, "batch_square")
    form = [1] * (input.spec.ndim - 1) + [channels] if data_layout != "NCHW" else [1, channels] + [1] * (input.spec.ndim - 2)
    mean, factor = (value.detach().reshape(form) for value in (total / size, (size / squares).sqrt()))
    out = (input - mean) * factor
    if scale is not None and shift is not None:
        out = out * scale.reshape(form) + shift.reshape(form)
    return activated(out, act)


def spectral_norm(weight: Any, dim: int = 0, power_iters: int = 1, eps: float = 1e-12, name: str | None = None) -> Any:
    """``weight`` divided by its largest singular value, which power iteration finds from two new parameters.

    Args:
        weight: floating Tensor.
        dim: 0 (the weight of `fc`) or 1 (of a convolution).
        power_iters: steps of power iteration in each run (default 1).
        eps: added to norms (default 1e-12).

    Raises:
        ValueError: ``dim`` is something else.

    Example:
        >>> weight = static.data('weight', [8, 16], 'float32')
        >>> y = paddle.static.nn.spectral_norm(weight, dim=1, power_iters=2)
    """
    if dim not in (0, 1):
        raise ValueError(f"spectral_norm: `dim` must be 0 (if weight in fc) or 1 (if weight in conv), but received dim={dim}")
    make = Maker("spectral_norm", name, weight.dtype)
    height = weight.spec.shape[dim]
    sizes = (height, math.prod(weight.spec.shape) // height)
    u, v = (make.weight([size], None, initializer.Normal(0.0, 1.0)) for size in sizes)
    u.stop_gradient = v.stop_gradient = True
    return spectrally_normal(weight, u, v, dim, power_iters, eps)
