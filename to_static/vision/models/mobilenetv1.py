"""MobileNet, first version."""

from __future__ import annotations

from typing import Any

from to_static import nn
from to_static.nn.layer import Layer
from to_static.vision.models.weights import with_weights
from to_static.vision.ops.blocks import ConvNormActivation

PUBLISHED = {
    "mobilenetv1_1.0": ("https://paddle-hapi.bj.bcebos.com/models/mobilenetv1_1.0.pdparams", "3033ab1975b1670bef51545feb65fc45")
}
# name, channels before and after, stride
BLOCKS = (
    ("conv2_1", 32, 64, 1), ("conv2_2", 64, 128, 2), ("conv3_1", 128, 128, 1), ("conv3_2", 128, 256, 2),
    ("conv4_1", 256, 256, 1), ("conv4_2", 256, 512, 2), *((f"conv5_{k}", 512, 512, 1) for k in range(1, 6)),
    ("conv5_6", 512, 1024, 2), ("conv6", 1024, 1024, 1),
)  # fmt: skip


class DepthwiseSeparable(Layer):
    """A convolution of 3 x 3 for each channel, then one of 1 x 1 over the channels."""

    def __init__(self, width: int, filters: int, stride: int) -> None:
        super().__init__()
        self._depthwise_conv = ConvNormActivation(width, width, 3, stride, 1, groups=width)
        self._pointwise_conv = ConvNormActivation(width, filters, 1, 1, 0)

    def forward(self, x: Any) -> Any:
        """[N, width, H, W] to [N, filters, H / stride, W / stride]."""
        return self._pointwise_conv(self._depthwise_conv(x))


class MobileNetV1(Layer):
    """A MobileNet of the first version.

    Args:
        scale: what all widths are multiplied by (default 1.0). num_classes: how many scores (default 1000); 0 for the features.
        with_pool: average over the image (default True).

    Takes [N, 3, H, W], gives [N, num_classes].

    Example:
        >>> paddle.vision.models.MobileNetV1(scale=0.25)(paddle.ones([1, 3, 64, 64])).shape
        [1, 1000]

    Source: Howard et al., "MobileNets: Efficient Convolutional Neural Networks for Mobile Vision Applications".
    """

    def __init__(self, scale: float = 1.0, num_classes: int = 1000, with_pool: bool = True) -> None:
        super().__init__()
        self.scale, self.num_classes, self.with_pool = scale, num_classes, with_pool
        self.conv1 = ConvNormActivation(3, int(32 * scale), 3, 2, 1)
        self.dwsl = [
            self.add_sublayer(name, DepthwiseSeparable(int(width * scale), int(filters * scale), stride))
            for name, width, filters, stride in BLOCKS
        ]
        if with_pool:
            self.pool2d_avg = nn.AdaptiveAvgPool2D(1)
        if num_classes > 0:
            self.fc = nn.Linear(int(1024 * scale), num_classes)

    def forward(self, x: Any) -> Any:
        """Scores, without softmax."""
        x = self.conv1(x)
        for block in self.dwsl:
            x = block(x)
        if self.with_pool:
            x = self.pool2d_avg(x)
        return self.fc(x.flatten(1)) if self.num_classes > 0 else x


def mobilenet_v1(pretrained: Any = False, scale: float = 1.0, **kwargs: Any) -> MobileNetV1:
    """`MobileNetV1`; ``pretrained`` as in `with_weights`, the rest goes to `MobileNetV1`.

    ``scale``: factor on the numbers of channels.

    Example:
        >>> net = paddle.vision.models.mobilenet_v1(num_classes=10)
    """
    return with_weights(MobileNetV1(scale=scale, **kwargs), f"mobilenetv1_{scale}", PUBLISHED, pretrained)
