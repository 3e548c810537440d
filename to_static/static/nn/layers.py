"""Layers as functions: each call makes its parameters."""

from __future__ import annotations

from typing import Any

from to_static.core.errors import ShapeError
from to_static.ir.registry import FUNCTIONS
from to_static.ir.spec import UNKNOWN
from to_static.nn import functional as F
from to_static.nn import initializer
from to_static.nn.layer import Layer


def fc(
    x: Any,
    size: int,
    num_flatten_dims: int = 1,
    weight_attr: Any = None,
    bias_attr: Any = None,
    activation: str | None = None,
    name: str | None = None,
) -> Any:
    """``activation(x @ weight + bias)`` of a tensor, or of the sum over a list of tensors.

    ``num_flatten_dims``: how many leading dimensions are kept (-1: all but the last); the others are flattened.
    ``bias_attr=False``: no bias. Parameters are called ``fc_0.w_0``, ``fc_0.b_0``. Raises ShapeError when flattened
    dimensions are unknown.

    Example:
        >>> y = paddle.static.nn.fc(x, 10, activation='relu')
    """
    layer = Layer(name_scope="fc" if name is None else name)
    total: Any = None
    for item in x if isinstance(x, (list, tuple)) else [x]:
        shape = item.spec.shape
        keep = num_flatten_dims % len(shape) if num_flatten_dims < 0 else num_flatten_dims
        width = 1
        for dim in shape[keep:]:
            if dim == UNKNOWN:
                raise ShapeError(f"fc: the dimensions from {keep} on must be known, the input is {item.spec}")
            width *= dim
        flat = item if keep == len(shape) - 1 else FUNCTIONS["flatten"](item, keep, -1)
        weight = layer.create_parameter([width, size], attr=weight_attr, dtype=item.dtype.name)
        product = FUNCTIONS["matmul"](flat, weight)
        total = product if total is None else total + product
    bias = layer.create_parameter([size], attr=bias_attr, dtype=total.dtype.name, is_bias=True)
    return _activated(total if bias is None else total + bias, activation)


def embedding(
    input: Any,
    size: Any,
    is_sparse: bool = False,
    is_distributed: bool = False,
    padding_idx: int | None = None,
    param_attr: Any = None,
    dtype: Any = "float32",
) -> Any:
    """Rows of a new ``size`` = [count, width] table, chosen by integers; row ``padding_idx`` counts as zeros.

    Example:
        >>> vectors = paddle.static.nn.embedding(ids, [1000, 16])
    """
    weight = Layer(name_scope="embedding").create_parameter(
        list(size), attr=param_attr, dtype=dtype, default_initializer=initializer.XavierUniform()
    )
    padding = None if padding_idx in (None, -1) else padding_idx
    return F.embedding(input, weight, padding_idx=padding)


def conv2d(
    input: Any,
    num_filters: int,
    filter_size: Any,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int | None = None,
    param_attr: Any = None,
    bias_attr: Any = None,
    use_cudnn: bool = True,
    act: str | None = None,
    name: str | None = None,
    data_format: str = "NCHW",
) -> Any:
    """A convolution with new parameters ``conv2d_0.w_0`` [num_filters, channels / groups, height, width] and ``conv2d_0.b_0``.

    Example:
        >>> y = paddle.static.nn.conv2d(image, 32, 3, act='relu')
    """
    layer = Layer(name_scope="conv2d" if name is None else name)
    channels = input.spec.shape[1 if data_format == "NCHW" else 3]
    if channels == UNKNOWN:
        raise ShapeError(f"conv2d: the number of channels must be known, the input is {input.spec}")
    kernel = [filter_size] * 2 if isinstance(filter_size, int) else list(filter_size)
    shape = [num_filters, channels // (groups or 1), *kernel]
    std = (2.0 / (kernel[0] * kernel[1] * channels)) ** 0.5
    weight = layer.create_parameter(
        shape, attr=param_attr, dtype=input.dtype.name, default_initializer=initializer.Normal(0.0, std)
    )
    bias = layer.create_parameter([num_filters], attr=bias_attr, dtype=input.dtype.name, is_bias=True)
    return _activated(F.conv2d(input, weight, bias, stride, padding, dilation, groups or 1, data_format), act)


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

    Example:
        >>> y = paddle.static.nn.batch_norm(x, act='relu')
    """
    layer = Layer(name_scope="batch_norm" if name is None else name)
    channels = input.spec.shape[1 if data_layout == "NCHW" or input.spec.ndim == 2 else -1]
    one = initializer.Constant(1.0)
    weight = layer.create_parameter([channels], attr=param_attr, default_initializer=one)
    bias = layer.create_parameter([channels], attr=bias_attr, is_bias=True)
    mean = layer.create_parameter([channels], default_initializer=initializer.Constant(0.0))
    variance = layer.create_parameter([channels], default_initializer=one)
    for statistic, title in ((mean, moving_mean_name), (variance, moving_variance_name)):
        statistic.stop_gradient = True
        if title is not None:
            statistic.name = title
    out = F.batch_norm(
        input, mean, variance, weight, bias, training=not is_test, momentum=momentum, epsilon=epsilon,
        data_format=data_layout, use_global_stats=use_global_stats or None,
    )  # fmt: skip
    return _activated(out, act)


def _activated(x: Any, activation: str | None) -> Any:
    if activation is None:
        return x
    function = getattr(F, activation, None) or FUNCTIONS.get(activation)
    if function is None:
        raise ShapeError(f"unknown activation {activation!r}")
    return function(x)
