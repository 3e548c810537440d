"""AlexNet."""

from __future__ import annotations

from math import sqrt
from typing import Any

from to_static import nn
from to_static.nn import functional as F
from to_static.nn.initializer import Uniform
from to_static.nn.layer import Layer
from to_static.nn.parameter import ParamAttr
from to_static.vision.models.weights import with_weights

PUBLISHED = {
    "alexnet": (
        "https://paddle-imagenet-models-name.bj.bcebos.com/dygraph/AlexNet_pretrained.pdparams",
        "7f0f9f737132e02732d75a1459d98a43",
    )
}


def _uniform(fan_in: int) -> dict[str, Any]:
    """Weight and bias drawn within one over the root of ``fan_in``."""
    bound = 1.0 / sqrt(fan_in)
    return {attr_name: ParamAttr(initializer=Uniform(-bound, bound)) for attr_name in ("weight_attr", "bias_attr")}


class ConvPoolLayer(Layer):
    """A convolution, ReLU, and the maxima of 3 x 3 places, two apart."""

    def __init__(self, width: int, filters: int, size: int, stride: int, padding: int, fan_in: int) -> None:
        super().__init__()
        self.relu = nn.ReLU()
        self._conv = nn.Conv2D(width, filters, size, stride, padding, **_uniform(fan_in))
        self._pool = nn.MaxPool2D(kernel_size=3, stride=2)

    def forward(self, inputs: Any) -> Any:
        """[N, width, H, W] to [N, filters, H', W']."""
        return self._pool(self.relu(self._conv(inputs)))


class AlexNet(Layer):
    """AlexNet.

    Args:
        num_classes: how many scores (default 1000); 0 for the features.

    Takes [N, 3, 224, 224], gives [N, num_classes].

    Example:
        >>> paddle.vision.models.AlexNet(num_classes=10)(paddle.ones([1, 3, 224, 224])).shape
        [1, 10]

    Source: Krizhevsky et al., "ImageNet Classification with Deep Convolutional Neural Networks".
    """

    def __init__(self, num_classes: int = 1000) -> None:
        super().__init__()
        self.num_classes = num_classes
        self._conv1 = ConvPoolLayer(3, 64, 11, 4, 2, 3 * 11 * 11)
        self._conv2 = ConvPoolLayer(64, 192, 5, 1, 2, 64 * 5 * 5)
        self._conv3 = nn.Conv2D(192, 384, 3, padding=1, **_uniform(192 * 3 * 3))
        self._conv4 = nn.Conv2D(384, 256, 3, padding=1, **_uniform(384 * 3 * 3))
        self._conv5 = ConvPoolLayer(256, 256, 3, 1, 1, 256 * 3 * 3)
        if num_classes > 0:
            drawn = _uniform(256 * 6 * 6)
            self._drop1 = nn.Dropout(p=0.5, mode="downscale_in_infer")
            self._fc6 = nn.Linear(256 * 6 * 6, 4096, **drawn)
            self._drop2 = nn.Dropout(p=0.5, mode="downscale_in_infer")
            self._fc7 = nn.Linear(4096, 4096, **drawn)
            self._fc8 = nn.Linear(4096, num_classes, **drawn)

    def forward(self, inputs: Any) -> Any:
        """Scores, without softmax."""
        x = self._conv2(self._conv1(inputs))
        x = F.relu(self._conv3(x))
        x = self._conv5(F.relu(self._conv4(x)))
        if self.num_classes <= 0:
            return x
        x = F.relu(self._fc6(self._drop1(x.flatten(1))))
        x = F.relu(self._fc7(self._drop2(x)))
        return self._fc8(x)


def alexnet(pretrained: Any = False, **kwargs: Any) -> AlexNet:
    """`AlexNet`; ``pretrained`` as in `with_weights`, the rest goes to `AlexNet`.

    Example:
        >>> net = paddle.vision.models.alexnet(num_classes=10)
    """
    return with_weights(AlexNet(**kwargs), "alexnet", PUBLISHED, pretrained)
