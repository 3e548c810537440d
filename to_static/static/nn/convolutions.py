"""Convolutions as functions: each call makes its parameters."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ir.spec import UNKNOWN
from to_static.compiler.ops import arguments
from to_static.core.errors import ShapeError
from to_static.nn import functional as F
from to_static.nn import initializer
from to_static.nn.op_helper import activated
from to_static.static.nn.parameters import Maker, channels_of
from to_static.vision import ops as vision_ops

_LAST = ("NHWC", "NDHWC")


def _convolution(
    n: int, x: Any, filters: int, size: Any, stride: Any, padding: Any, dilation: Any, groups: int | None, weight_attr: Any,
    bias_attr: Any, act: str | None, name: str | None, layout: str,
) -> Any:  # fmt: skip
    op_type = f"conv{n}d"
    channels = channels_of(op_type, x, layout in _LAST)
    if weight_attr is False:
        raise ValueError(f"{op_type}: param_attr should not be False")
    groups = groups or 1
    if channels % groups:
        raise ShapeError(f"{op_type}: the number of channels must be divisible by groups, got {channels} and {groups}")
    kernel = arguments.repeat_ints(size, n, f"{op_type} filter_size")
    make = Maker(op_type, name, x.dtype)
    spread = channels
    for width in kernel:
        spread *= width
    weight = make.weight([filters, channels // groups, *kernel], weight_attr, initializer.Normal(0.0, (2.0 / spread) ** 0.5))
    bias = make.bias([filters], bias_attr)
    return activated(getattr(F, op_type)(x, weight, bias, stride, padding, dilation, groups, layout), act)


def conv2d(
    input: Any, num_filters: int, filter_size: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1,
    groups: int | None = None, param_attr: Any = None, bias_attr: Any = None, use_cudnn: bool = True, act: str | None = None,
    name: str | None = None, data_format: str = "NCHW",
) -> Any:  # fmt: skip
    """A convolution with new parameters ``conv2d_0.w_0`` [num_filters, channels / groups, height, width] and ``conv2d_0.b_0``.

    Args:
        input: floating Tensor [N, C, H, W], or as ``data_format`` says.
        num_filters: the channels of the result.
        filter_size, stride, padding, dilation: an int or two; ``padding`` also 'SAME' or 'VALID'.
        groups: groups of channels (default 1).
        param_attr, bias_attr: how the parameters are made; ``bias_attr=False``: no bias.
        act: the name of an activation, or None.

    Raises:
        ShapeError: the number of channels is unknown, or shapes do not fit.
        use_cudnn: accepted, without an effect.

    Example:
        >>> image = static.data('image', [None, 3, 32, 32], 'float32')
        >>> y = paddle.static.nn.conv2d(image, 32, 3, act='relu')
    """
    return _convolution(
        2, input, num_filters, filter_size, stride, padding, dilation, groups, param_attr, bias_attr, act, name, data_format
    )


def conv3d(
    input: Any, num_filters: int, filter_size: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1,
    groups: int | None = None, param_attr: Any = None, bias_attr: Any = None, use_cudnn: bool = True, act: str | None = None,
    name: str | None = None, data_format: str = "NCDHW",
) -> Any:  # fmt: skip
    """`conv2d` over three dimensions: [N, C, D, H, W].

    ``input``, ``num_filters``, ``filter_size``, ``stride``, ``padding``, ``dilation``, ``groups``, ``param_attr``,
    ``bias_attr``, ``use_cudnn``, ``act``, ``data_format``: as there.

    Example:
        >>> static.nn.conv3d(static.data("a", [1, 2, 4, 4, 4]), 3, 3).shape
        (1, 3, 2, 2, 2)
    """
    return _convolution(
        3, input, num_filters, filter_size, stride, padding, dilation, groups, param_attr, bias_attr, act, name, data_format
    )


def _transposed(
    n: int, x: Any, filters: int, output_size: Any, size: Any, padding: Any, stride: Any, dilation: Any, groups: int | None,
    weight_attr: Any, bias_attr: Any, act: str | None, name: str | None, layout: str,
) -> Any:  # fmt: skip
    op_type = f"conv{n}d_transpose"
    last = layout in _LAST
    channels = channels_of(op_type, x, last)
    if weight_attr is False:
        raise ValueError(f"{op_type}: param_attr should not be False")
    groups = groups or 1
    if filters < 1 or filters % groups:
        raise ShapeError(f"{op_type}: num_filters must be positive and divisible by groups, got {filters} and {groups}")
    if size is None:
        if output_size is None:
            raise ValueError(f"{op_type}: output_size must be set when filter_size is None")
        steps, gaps, pads = (arguments.repeat_ints(v, n, op_type) for v in (stride, dilation, padding))
        sizes = x.spec.shape[1:-1] if last else x.spec.shape[2:]
        if UNKNOWN in sizes:
            raise ShapeError(f"{op_type}: sizes must be known where filter_size is None, the input is {x.spec}")
        output_sizes = arguments.repeat_ints(output_size, n, f"{op_type} output_size")
        size = [
            (out - (i - 1) * s + 2 * p - 1) // d + 1
            for out, i, s, p, d in zip(output_sizes, sizes, steps, pads, gaps, strict=True)
        ]
    kernel = arguments.repeat_ints(size, n, f"{op_type} filter_size")
    make = Maker(op_type, name, x.dtype)
    weight = make.weight([channels, filters // groups, *kernel], weight_attr)
    bias = make.bias([filters], bias_attr)
    function = getattr(F, op_type)
    out = function(
        x, weight, bias, stride=stride, padding=padding, groups=groups, dilation=dilation, output_size=output_size,
        data_format=layout,
    )  # fmt: skip
    return activated(out, act)


def conv2d_transpose(
    input: Any, num_filters: int, output_size: Any = None, filter_size: Any = None, padding: Any = 0, stride: Any = 1,
    dilation: Any = 1, groups: int | None = None, param_attr: Any = None, bias_attr: Any = None, use_cudnn: bool = True,
    act: str | None = None, name: str | None = None, data_format: str = "NCHW",
) -> Any:  # fmt: skip
    """A transposed convolution with new parameters [channels, num_filters / groups, height, width] and [num_filters].

    Args:
        input: floating Tensor [N, C, H, W], or as ``data_format`` says.
        num_filters: the channels of the result.
        output_size: an int or two, to choose among the sizes that are possible; or to find ``filter_size`` from (None).
        filter_size, padding, stride, dilation, groups, param_attr, bias_attr, act: as for `conv2d`.

    Raises:
        ValueError: neither ``output_size`` nor ``filter_size`` is given.
        ShapeError: the number of channels is unknown, or shapes do not fit.
        use_cudnn: accepted, without an effect.

    Example:
        >>> features = static.data('features', [None, 8, 16, 16], 'float32')
        >>> y = paddle.static.nn.conv2d_transpose(features, 2, filter_size=3, stride=2)
    """
    return _transposed(
        2, input, num_filters, output_size, filter_size, padding, stride, dilation, groups, param_attr, bias_attr, act, name,
        data_format,
    )  # fmt: skip


def conv3d_transpose(
    input: Any, num_filters: int, output_size: Any = None, filter_size: Any = None, padding: Any = 0, stride: Any = 1,
    dilation: Any = 1, groups: int | None = None, param_attr: Any = None, bias_attr: Any = None, use_cudnn: bool = True,
    act: str | None = None, name: str | None = None, data_format: str = "NCDHW",
) -> Any:  # fmt: skip
    """`conv2d_transpose` over three dimensions: [N, C, D, H, W].

    ``input``, ``num_filters``, ``output_size``, ``filter_size``, ``padding``, ``stride``, ``dilation``, ``groups``,
    ``param_attr``, ``bias_attr``, ``use_cudnn``, ``act``, ``data_format``: as there.

    Example:
        >>> static.nn.conv3d_transpose(static.data("a", [1, 2, 4, 4, 4]), 3, filter_size=3).shape
        (1, 3, 6, 6, 6)
    """
    return _transposed(
        3, input, num_filters, output_size, filter_size, padding, stride, dilation, groups, param_attr, bias_attr, act, name,
        data_format,
    )  # fmt: skip


def deform_conv2d(
    x: Any, offset: Any, mask: Any, num_filters: int, filter_size: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1,
    groups: int = 1, deformable_groups: int = 1, im2col_step: int = 1, weight_attr: Any = None, bias_attr: Any = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """A convolution whose windows are read at shifted points, with new parameters; see `vision.ops.deform_conv2d`.

    ``stride``, ``dilation``, ``groups``, ``deformable_groups``, ``im2col_step``: as there; ``weight_attr``,
    ``bias_attr``: how the parameters are made.

    Example:
        >>> y = paddle.static.nn.deform_conv2d(x, offset, mask, num_filters=2, filter_size=3, padding=1)
    """
    channels = channels_of("deform_conv2d", x, False)
    kernel = arguments.repeat_ints(filter_size, 2, "deform_conv2d filter_size")
    make = Maker("deformable_conv", name, x.dtype)
    std = (2.0 / (kernel[0] * kernel[1] * channels)) ** 0.5
    weight = make.weight([num_filters, channels // groups, *kernel], weight_attr, initializer.Normal(0.0, std))
    bias = make.bias([num_filters], bias_attr)
    return vision_ops.deform_conv2d(x, offset, weight, bias, stride, padding, dilation, deformable_groups, groups, mask)
