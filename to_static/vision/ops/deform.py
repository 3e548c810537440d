"""Deformable convolution, as a function and as a Layer."""

from __future__ import annotations

from math import prod, sqrt
from typing import Any

from to_static.compiler.ops import arguments, dtype_checks
from to_static.compiler.ops.layers.deform import deformable_conv
from to_static.nn.initializer import Normal
from to_static.nn.layer import Layer


def deform_conv2d(
    x: Any, offset: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1,
    deformable_groups: int = 1, groups: int = 1, mask: Any = None, name: Any = None,
) -> Any:  # fmt: skip
    """A convolution whose windows are read at shifted points, between elements bilinearly and outside of the image as zeros.

    Args:
        x: [N, C, H, W]. weight: [O, C / groups, kh, kw]. bias: [O] or None.
        offset: [N, 2 * deformable_groups * kh * kw, H', W']: for each point of the window how far it is moved down, then right.
        mask: [N, deformable_groups * kh * kw, H', W'], what each point is multiplied by; None in the first version of the operator.
        stride, padding, dilation: an integer or two. deformable_groups: parts of the channels with offsets of their own.

    Returns [N, O, H', W']. Gradients flow to all tensors. Raises ShapeError, DTypeError.

    Example:
        >>> paddle.vision.ops.deform_conv2d(paddle.ones([1, 3, 8, 8]), paddle.zeros([1, 18, 6, 6]), paddle.ones([4, 3, 3, 3])).shape
        [1, 4, 6, 6]

    Source: Zhu et al., "Deformable ConvNets v2: More Deformable, Better Results".
    """
    y = deformable_conv(x, offset, weight, mask, stride, padding, dilation, groups, deformable_groups)
    dtype_checks.need_one_dtype("deform_conv2d", y, bias, promotable_kinds="fc")
    return y if bias is None else y + bias.reshape([1, -1, 1, 1])


class DeformConv2D(Layer):
    """`deform_conv2d` with a weight and a bias of its own.

    Args:
        in_channels, out_channels, kernel_size, stride, padding, dilation, groups: as of `Conv2D`.
        deformable_groups: see `deform_conv2d`.
        weight_attr, bias_attr: how weight and bias are made (default: normal numbers, zeros); False for no bias.

    Raises ValueError when ``groups`` does not divide ``in_channels``, or for a ``weight_attr`` that is False.

    Example:
        >>> paddle.vision.ops.DeformConv2D(3, 4, 3)(paddle.ones([1, 3, 8, 8]), paddle.zeros([1, 18, 6, 6])).shape
        [1, 4, 6, 6]
    """

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1,
        deformable_groups: int = 1, groups: int = 1, weight_attr: Any = None, bias_attr: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        if weight_attr is False:
            raise ValueError("DeformConv2D: weight_attr must not be False, a convolution needs its weight")
        if in_channels % groups:
            raise ValueError(f"DeformConv2D: in_channels={in_channels} is not divisible by groups={groups}")
        self._weight_attr, self._bias_attr = weight_attr, bias_attr
        self._deformable_groups, self._groups = deformable_groups, groups
        self._in_channels, self._out_channels, self._channel_dim = in_channels, out_channels, 1
        self._stride = arguments.repeat_ints(stride, 2, "DeformConv2D: stride")
        self._padding = arguments.repeat_ints(padding, 2, "DeformConv2D: padding")
        self._dilation = arguments.repeat_ints(dilation, 2, "DeformConv2D: dilation")
        self._kernel_size = arguments.repeat_ints(kernel_size, 2, "DeformConv2D: kernel_size")
        spread = Normal(0.0, sqrt(2.0 / (prod(self._kernel_size) * in_channels)))
        shape = [out_channels, in_channels // groups, *self._kernel_size]
        self.weight = self.create_parameter(shape, weight_attr, default_initializer=spread)
        self.bias = self.create_parameter([out_channels], bias_attr, is_bias=True)

    def forward(self, x: Any, offset: Any, mask: Any = None) -> Any:
        """See `deform_conv2d`."""
        return deform_conv2d(
            x, offset, self.weight, self.bias, self._stride, self._padding, self._dilation, self._deformable_groups,
            self._groups, mask,
        )  # fmt: skip
