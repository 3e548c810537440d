"""Layers that many networks for images are made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from to_static.nn.activation import ReLU
from to_static.nn.batch_norm import BatchNorm2D
from to_static.nn.container import Sequential
from to_static.nn.conv import Conv2D
from to_static.nn.layer import Layer


class ConvNormActivation(Sequential):
    """A convolution, what normalises it, and an activation.

    Args:
        in_channels, out_channels, kernel_size, stride, groups, dilation: of `Conv2D` (defaults: 3 x 3, stride 1).
        padding: default: what keeps the size of the image for a stride of 1.
        norm_layer: called with ``out_channels``, or None (default `BatchNorm2D`).
        activation_layer: called without arguments, or None (default `ReLU`).
        bias: default: where nothing normalises.

    Takes [N, in_channels, H, W], gives [N, out_channels, H / stride, W / stride].

    Example:
        >>> paddle.vision.ops.ConvNormActivation(3, 8, stride=2)(paddle.ones([1, 3, 8, 8])).shape
        [1, 8, 4, 4]
    """

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any = 3, stride: Any = 1, padding: Any = None, groups: int = 1,
        norm_layer: Callable[[int], Layer] | None = BatchNorm2D, activation_layer: Callable[[], Layer] | None = ReLU,
        dilation: Any = 1, bias: bool | None = None,
    ) -> None:  # fmt: skip
        if padding is None:
            padding = (kernel_size - 1) // 2 * dilation
        if bias is None:
            bias = norm_layer is None
        layers: list[Layer] = [
            Conv2D(in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias_attr=None if bias else False)
        ]
        if norm_layer is not None:
            layers.append(norm_layer(out_channels))
        if activation_layer is not None:
            layers.append(activation_layer())
        super().__init__(*layers)
