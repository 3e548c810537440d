"""MobileNet, third version: small and large."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from to_static import nn
from to_static.nn.layer import Layer
from to_static.vision.models.divisible import divisible
from to_static.vision.models.weights import with_weights
from to_static.vision.ops.blocks import ConvNormActivation

PUBLISHED = {
    "mobilenet_v3_small_x1.0": (
        "https://paddle-hapi.bj.bcebos.com/models/mobilenet_v3_small_x1.0.pdparams", "34fe0e7c1f8b00b2b056ad6788d0590c"
    ),
    "mobilenet_v3_large_x1.0": (
        "https://paddle-hapi.bj.bcebos.com/models/mobilenet_v3_large_x1.0.pdparams", "118db5792b4e183b925d8e8e334db3df"
    ),
}  # fmt: skip
ACTIVATIONS: dict[str | None, Any] = {None: None, "relu": nn.ReLU, "hardswish": nn.Hardswish}
# channels, kernel, channels inside, channels after, squeeze and excitation, activation, stride
SMALL = (
    (16, 3, 16, 16, True, "relu", 2), (16, 3, 72, 24, False, "relu", 2), (24, 3, 88, 24, False, "relu", 1),
    (24, 5, 96, 40, True, "hardswish", 2), (40, 5, 240, 40, True, "hardswish", 1), (40, 5, 240, 40, True, "hardswish", 1),
    (40, 5, 120, 48, True, "hardswish", 1), (48, 5, 144, 48, True, "hardswish", 1), (48, 5, 288, 96, True, "hardswish", 2),
    (96, 5, 576, 96, True, "hardswish", 1), (96, 5, 576, 96, True, "hardswish", 1),
)  # fmt: skip
LARGE = (
    (16, 3, 16, 16, False, "relu", 1), (16, 3, 64, 24, False, "relu", 2), (24, 3, 72, 24, False, "relu", 1),
    (24, 5, 72, 40, True, "relu", 2), (40, 5, 120, 40, True, "relu", 1), (40, 5, 120, 40, True, "relu", 1),
    (40, 3, 240, 80, False, "hardswish", 2), (80, 3, 200, 80, False, "hardswish", 1), (80, 3, 184, 80, False, "hardswish", 1),
    (80, 3, 184, 80, False, "hardswish", 1), (80, 3, 480, 112, True, "hardswish", 1), (112, 3, 672, 112, True, "hardswish", 1),
    (112, 5, 672, 160, True, "hardswish", 2), (160, 5, 960, 160, True, "hardswish", 1), (160, 5, 960, 160, True, "hardswish", 1),
)  # fmt: skip


class SqueezeExcitation(Layer):
    """Channels weighed by a small network of their averages over the image.

    Args:
        input_channels: of the image. squeeze_channels: inside. activation, scale_activation: Layers (called without arguments)
            after the first and the second convolution (default: ReLU, Sigmoid).

    Source: Hu et al., "Squeeze-and-Excitation Networks".
    """

    def __init__(
        self, input_channels: int, squeeze_channels: int, activation: Callable[[], Layer] = nn.ReLU,
        scale_activation: Callable[[], Layer] = nn.Sigmoid,
    ) -> None:  # fmt: skip
        super().__init__()
        self.avgpool = nn.AdaptiveAvgPool2D(1)
        self.fc1 = nn.Conv2D(input_channels, squeeze_channels, 1)
        self.fc2 = nn.Conv2D(squeeze_channels, input_channels, 1)
        self.activation = activation()
        self.scale_activation = scale_activation()

    def forward(self, input: Any) -> Any:
        """A tensor shaped as ``input`` [N, C, H, W]."""
        weights = self.fc2(self.activation(self.fc1(self.avgpool(input))))
        return self.scale_activation(weights) * input


class InvertedResidualConfig:
    """The settings of a block; all widths are multiplied by ``scale``. Raises ValueError for an unknown activation."""

    def __init__(
        self, in_channels: int, kernel: int, expanded_channels: int, out_channels: int, use_se: bool, activation: str | None,
        stride: int, scale: float = 1.0,
    ) -> None:  # fmt: skip
        if activation not in ACTIVATIONS:
            raise ValueError(f"activation must be None, 'relu' or 'hardswish', got {activation!r}")
        self.in_channels = self.adjust_channels(in_channels, scale)
        self.kernel = kernel
        self.expanded_channels = self.adjust_channels(expanded_channels, scale)
        self.out_channels = self.adjust_channels(out_channels, scale)
        self.use_se = use_se
        self.activation_layer = ACTIVATIONS[activation]
        self.stride = stride

    @staticmethod
    def adjust_channels(channels: int, scale: float = 1.0) -> int:
        """``channels * scale`` as a multiple of 8."""
        return divisible(channels * scale, 8)


class InvertedResidual(Layer):
    """A block that is wide inside, with squeeze and excitation where asked for, beside the identity where shapes allow it."""

    def __init__(self, config: InvertedResidualConfig, norm_layer: Callable[[int], Layer]) -> None:
        super().__init__()
        width, inside, filters = config.in_channels, config.expanded_channels, config.out_channels
        self.use_res_connect = config.stride == 1 and width == filters
        self.use_se, self.expand = config.use_se, width != inside
        layer_types: dict[str, Any] = {"norm_layer": norm_layer, "activation_layer": config.activation_layer}
        if self.expand:
            self.expand_conv = ConvNormActivation(width, inside, 1, 1, 0, **layer_types)
        self.bottleneck_conv = ConvNormActivation(
            inside, inside, config.kernel, config.stride, (config.kernel - 1) // 2, groups=inside, **layer_types
        )
        if self.use_se:
            self.mid_se = SqueezeExcitation(inside, divisible(inside // 4), scale_activation=nn.Hardsigmoid)
        self.linear_conv = ConvNormActivation(inside, filters, 1, 1, 0, norm_layer=norm_layer, activation_layer=None)

    def forward(self, x: Any) -> Any:
        """[N, in_channels, H, W] to [N, out_channels, H / stride, W / stride]."""
        y = self.bottleneck_conv(self.expand_conv(x) if self.expand else x)
        if self.use_se:
            y = self.mid_se(y)
        y = self.linear_conv(y)
        return x + y if self.use_res_connect else y


class MobileNetV3(Layer):
    """A MobileNet of the third version.

    Args:
        config: its blocks, as `InvertedResidualConfig`. last_channel: width before the scores.
        scale: what widths are multiplied by (default 1.0). num_classes: how many scores (default 1000); 0 for the features.
        with_pool: average over the image (default True).

    Takes [N, 3, H, W], gives [N, num_classes].

    Source: Howard et al., "Searching for MobileNetV3".
    """

    def __init__(
        self, config: Sequence[InvertedResidualConfig], last_channel: int, scale: float = 1.0, num_classes: int = 1000,
        with_pool: bool = True,
    ) -> None:  # fmt: skip
        super().__init__()
        self.config, self.scale, self.last_channel = config, scale, last_channel
        self.num_classes, self.with_pool = num_classes, with_pool
        self.firstconv_in_channels = config[0].in_channels
        self.lastconv_in_channels = config[-1].in_channels
        self.lastconv_out_channels = self.lastconv_in_channels * 6
        norm = partial(nn.BatchNorm2D, epsilon=0.001, momentum=0.99)
        layer_types: dict[str, Any] = {"norm_layer": norm, "activation_layer": nn.Hardswish}
        self.conv = ConvNormActivation(3, self.firstconv_in_channels, 3, 2, 1, **layer_types)
        self.blocks = nn.Sequential(*[InvertedResidual(block, norm) for block in config])
        self.lastconv = ConvNormActivation(self.lastconv_in_channels, self.lastconv_out_channels, 1, 1, 0, **layer_types)
        if with_pool:
            self.avgpool = nn.AdaptiveAvgPool2D(1)
        if num_classes > 0:
            self.classifier = nn.Sequential(
                nn.Linear(self.lastconv_out_channels, last_channel), nn.Hardswish(), nn.Dropout(p=0.2),
                nn.Linear(last_channel, num_classes),
            )  # fmt: skip

    def forward(self, x: Any) -> Any:
        """Scores, without softmax."""
        x = self.lastconv(self.blocks(self.conv(x)))
        if self.with_pool:
            x = self.avgpool(x)
        return self.classifier(x.flatten(1)) if self.num_classes > 0 else x


class MobileNetV3Small(MobileNetV3):
    """The small `MobileNetV3`; arguments as there.

    They are ``scale``, ``num_classes`` and ``with_pool``.

    Example:
        >>> paddle.vision.models.MobileNetV3Small(scale=0.5)(paddle.ones([1, 3, 64, 64])).shape
        [1, 1000]
    """

    def __init__(self, scale: float = 1.0, num_classes: int = 1000, with_pool: bool = True) -> None:
        config = [InvertedResidualConfig(*row, scale=scale) for row in SMALL]
        super().__init__(config, divisible(1024 * scale), scale, num_classes, with_pool)


class MobileNetV3Large(MobileNetV3):
    """The large `MobileNetV3`; arguments as there.

    They are ``scale``, ``num_classes`` and ``with_pool``.

    Example:
        >>> paddle.vision.models.MobileNetV3Large(scale=0.5)(paddle.ones([1, 3, 64, 64])).shape
        [1, 1000]
    """

    def __init__(self, scale: float = 1.0, num_classes: int = 1000, with_pool: bool = True) -> None:
        config = [InvertedResidualConfig(*row, scale=scale) for row in LARGE]
        super().__init__(config, divisible(1280 * scale), scale, num_classes, with_pool)


def mobilenet_v3_small(pretrained: Any = False, scale: float = 1.0, **kwargs: Any) -> MobileNetV3Small:
    """`MobileNetV3Small`; ``pretrained`` as in `with_weights`, the rest goes to `MobileNetV3Small`.

    ``scale``: factor on the numbers of channels.

    Example:
        >>> net = paddle.vision.models.mobilenet_v3_small(num_classes=10)
    """
    return with_weights(MobileNetV3Small(scale=scale, **kwargs), f"mobilenet_v3_small_x{scale}", PUBLISHED, pretrained)


def mobilenet_v3_large(pretrained: Any = False, scale: float = 1.0, **kwargs: Any) -> MobileNetV3Large:
    """`MobileNetV3Large`; ``pretrained`` as in `with_weights`, the rest goes to `MobileNetV3Large`.

    ``scale``: factor on the numbers of channels.

    Example:
        >>> net = paddle.vision.models.mobilenet_v3_large(num_classes=10)
    """
    return with_weights(MobileNetV3Large(scale=scale, **kwargs), f"mobilenet_v3_large_x{scale}", PUBLISHED, pretrained)
