"""MobileNet, second version."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from to_static import nn
from to_static.nn.layer import Layer
from to_static.vision.models.divisible import divisible
from to_static.vision.models.weights import with_weights
from to_static.vision.ops.blocks import ConvNormActivation

PUBLISHED = {
    "mobilenetv2_1.0": ("https://paddle-hapi.bj.bcebos.com/models/mobilenet_v2_x1.0.pdparams", "0340af0a901346c8d46f4529882fb63d")
}
# how much wider a block is inside, its channels, how many such blocks, the stride of the first
STAGES = ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1))


class InvertedResidual(Layer):
    """A block that is wide inside and narrow outside, beside the identity where shapes allow it.

    Raises ValueError for a stride other than 1 and 2.
    """

    def __init__(
        self, inp: int, oup: int, stride: int, expand_ratio: float, norm_layer: Callable[[int], Layer] = nn.BatchNorm2D
    ) -> None:
        super().__init__()
        if stride not in (1, 2):
            raise ValueError(f"InvertedResidual: stride must be 1 or 2, got {stride}")
        self.stride = stride
        self.use_res_connect = stride == 1 and inp == oup
        width = round(inp * expand_ratio)
        layer_types: dict[str, Any] = {"norm_layer": norm_layer, "activation_layer": nn.ReLU6}
        layers: list[Layer] = []
        if expand_ratio != 1:
            layers.append(ConvNormActivation(inp, width, kernel_size=1, **layer_types))
        layers.append(ConvNormActivation(width, width, stride=stride, groups=width, **layer_types))
        layers += [nn.Conv2D(width, oup, 1, bias_attr=False), norm_layer(oup)]
        self.conv = nn.Sequential(*layers)

    def forward(self, x: Any) -> Any:
        """[N, inp, H, W] to [N, oup, H / stride, W / stride]."""
        return x + self.conv(x) if self.use_res_connect else self.conv(x)


class MobileNetV2(Layer):
    """A MobileNet of the second version.

    Args:
        scale: what all widths are multiplied by (default 1.0). num_classes: how many scores (default 1000); 0 for the features.
        with_pool: average over the image (default True).

    Takes [N, 3, H, W], gives [N, num_classes].

    Example:
        >>> paddle.vision.models.MobileNetV2(scale=0.5)(paddle.ones([1, 3, 64, 64])).shape
        [1, 1000]

    Source: Sandler et al., "MobileNetV2: Inverted Residuals and Linear Bottlenecks".
    """

    def __init__(self, scale: float = 1.0, num_classes: int = 1000, with_pool: bool = True) -> None:
        super().__init__()
        self.num_classes, self.with_pool = num_classes, with_pool
        width = divisible(32 * scale)
        self.last_channel = divisible(1280 * max(1.0, scale))
        features: list[Layer] = [ConvNormActivation(3, width, stride=2, activation_layer=nn.ReLU6)]
        for ratio, channels, count, first in STAGES:
            filters = divisible(channels * scale)
            for k in range(count):
                features.append(InvertedResidual(width, filters, first if k == 0 else 1, ratio))
                width = filters
        features.append(ConvNormActivation(width, self.last_channel, kernel_size=1, activation_layer=nn.ReLU6))
        self.features = nn.Sequential(*features)
        if with_pool:
            self.pool2d_avg = nn.AdaptiveAvgPool2D(1)
        if num_classes > 0:
            self.classifier = nn.Sequential(nn.Dropout(0.2), nn.Linear(self.last_channel, num_classes))

    def forward(self, x: Any) -> Any:
        """Scores, without softmax."""
        x = self.features(x)
        if self.with_pool:
            x = self.pool2d_avg(x)
        return self.classifier(x.flatten(1)) if self.num_classes > 0 else x


def mobilenet_v2(pretrained: Any = False, scale: float = 1.0, **kwargs: Any) -> MobileNetV2:
    """`MobileNetV2`; ``pretrained`` as in `with_weights`, the rest goes to `MobileNetV2`.

    ``scale``: factor on the numbers of channels.

    Example:
        >>> net = paddle.vision.models.mobilenet_v2(num_classes=10)
    """
    return with_weights(MobileNetV2(scale=scale, **kwargs), f"mobilenetv2_{scale}", PUBLISHED, pretrained)
