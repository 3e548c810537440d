"""GoogLeNet (the first Inception)."""

from __future__ import annotations

from typing import Any

from to_static import nn
from to_static.compiler.ops.shapes.concat_split import concat
from to_static.nn import functional as F
from to_static.nn.initializer import Uniform
from to_static.nn.layer import Layer
from to_static.nn.parameter import ParamAttr
from to_static.vision.models.weights import with_weights

PUBLISHED = {
    "googlenet": (
        "https://paddle-imagenet-models-name.bj.bcebos.com/dygraph/GoogLeNet_pretrained.pdparams",
        "80c06f038e905c53ab32c40eca6e26ae",
    )
}


def xavier(channels: int, filter_size: int) -> ParamAttr:
    """Weights drawn within the root of 3 / (``filter_size``² ``channels``)."""
    bound = (3.0 / (filter_size**2 * channels)) ** 0.5
    return ParamAttr(initializer=Uniform(-bound, bound))


class ConvLayer(Layer):
    """A convolution that keeps the size of the image (but for its stride), without bias."""

    def __init__(self, width: int, filters: int, size: int, stride: int = 1) -> None:
        super().__init__()
        self._conv = nn.Conv2D(width, filters, size, stride=stride, padding=(size - 1) // 2, bias_attr=False)

    def forward(self, inputs: Any) -> Any:
        """[N, width, H, W] to [N, filters, H / stride, W / stride]."""
        return self._conv(inputs)


class Inception(Layer):
    """Convolutions of 1 x 1, 3 x 3, 5 x 5 and a pooling side by side.

    Args:
        width: channels. one: of the convolution of 1 x 1. three, five: before and in those of 3 x 3 and 5 x 5. pooled: after the
            pooling.
    """

    def __init__(self, width: int, one: int, three: tuple[int, int], five: tuple[int, int], pooled: int) -> None:
        super().__init__()
        self._conv1 = ConvLayer(width, one, 1)
        self._conv3r = ConvLayer(width, three[0], 1)
        self._conv3 = ConvLayer(*three, 3)
        self._conv5r = ConvLayer(width, five[0], 1)
        self._conv5 = ConvLayer(*five, 5)
        self._pool = nn.MaxPool2D(kernel_size=3, stride=1, padding=1)
        self._convprj = ConvLayer(width, pooled, 1)

    def forward(self, inputs: Any) -> Any:
        """[N, width, H, W] to [N, one + three[1] + five[1] + pooled, H, W]."""
        three, five = self._conv3(self._conv3r(inputs)), self._conv5(self._conv5r(inputs))
        return F.relu(concat([self._conv1(inputs), three, five, self._convprj(self._pool(inputs))], axis=1))


class GoogLeNet(Layer):
    """GoogLeNet, with its two further classifiers.

    Args:
        num_classes: how many scores (default 1000); 0 for the features. with_pool: average over the image (default True).

    Takes [N, 3, 224, 224], gives a list of three [N, num_classes]: the scores and those of the further classifiers.

    Example:
        >>> out, out1, out2 = paddle.vision.models.GoogLeNet(num_classes=10)(paddle.ones([1, 3, 224, 224]))
        >>> out.shape
        [1, 10]

    Source: Szegedy et al., "Going Deeper with Convolutions".
    """

    def __init__(self, num_classes: int = 1000, with_pool: bool = True) -> None:
        super().__init__()
        self.num_classes, self.with_pool = num_classes, with_pool
        self._conv = ConvLayer(3, 64, 7, 2)
        self._pool = nn.MaxPool2D(kernel_size=3, stride=2)
        self._conv_1 = ConvLayer(64, 64, 1)
        self._conv_2 = ConvLayer(64, 192, 3)
        self._ince3a = Inception(192, 64, (96, 128), (16, 32), 32)
        self._ince3b = Inception(256, 128, (128, 192), (32, 96), 64)
        self._ince4a = Inception(480, 192, (96, 208), (16, 48), 64)
        self._ince4b = Inception(512, 160, (112, 224), (24, 64), 64)
        self._ince4c = Inception(512, 128, (128, 256), (24, 64), 64)
        self._ince4d = Inception(512, 112, (144, 288), (32, 64), 64)
        self._ince4e = Inception(528, 256, (160, 320), (32, 128), 128)
        self._ince5a = Inception(832, 256, (160, 320), (32, 128), 128)
        self._ince5b = Inception(832, 384, (192, 384), (48, 128), 128)
        if with_pool:
            self._pool_5 = nn.AdaptiveAvgPool2D(1)
            self._pool_o1 = nn.AvgPool2D(kernel_size=5, stride=3)
            self._pool_o2 = nn.AvgPool2D(kernel_size=5, stride=3)
        if num_classes > 0:
            self._drop = nn.Dropout(p=0.4, mode="downscale_in_infer")
            self._fc_out = nn.Linear(1024, num_classes, weight_attr=xavier(1024, 1))
            self._conv_o1 = ConvLayer(512, 128, 1)
            self._fc_o1 = nn.Linear(1152, 1024, weight_attr=xavier(2048, 1))
            self._drop_o1 = nn.Dropout(p=0.7, mode="downscale_in_infer")
            self._out1 = nn.Linear(1024, num_classes, weight_attr=xavier(1024, 1))
            self._conv_o2 = ConvLayer(528, 128, 1)
            self._fc_o2 = nn.Linear(1152, 1024, weight_attr=xavier(2048, 1))
            self._drop_o2 = nn.Dropout(p=0.7, mode="downscale_in_infer")
            self._out2 = nn.Linear(1024, num_classes, weight_attr=xavier(1024, 1))

    def forward(self, inputs: Any) -> Any:
        """Three tensors of scores, without softmax."""
        x = self._pool(self._conv(inputs))
        x = self._pool(self._conv_2(self._conv_1(x)))
        x = self._pool(self._ince3b(self._ince3a(x)))
        out1 = self._ince4a(x)
        out2 = self._ince4d(self._ince4c(self._ince4b(out1)))
        x = self._pool(self._ince4e(out2))
        out = self._ince5b(self._ince5a(x))
        if self.with_pool:
            out, out1, out2 = self._pool_5(out), self._pool_o1(out1), self._pool_o2(out2)
        if self.num_classes > 0:
            out = self._fc_out(self._drop(out).squeeze([2, 3]))
            out1 = F.relu(self._fc_o1(self._conv_o1(out1).flatten(1)))
            out1 = self._out1(self._drop_o1(out1))
            out2 = self._fc_o2(self._conv_o2(out2).flatten(1))  # without ReLU, as Paddle has it
            out2 = self._out2(self._drop_o2(out2))
        return [out, out1, out2]


def googlenet(pretrained: Any = False, **kwargs: Any) -> GoogLeNet:
    """`GoogLeNet`; ``pretrained`` as in `with_weights`, the rest goes to `GoogLeNet`.

    Example:
        >>> net = paddle.vision.models.googlenet(num_classes=10)
    """
    return with_weights(GoogLeNet(**kwargs), "googlenet", PUBLISHED, pretrained)
