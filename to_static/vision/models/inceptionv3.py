"""Inception, third version."""

from __future__ import annotations

from math import sqrt
from typing import Any

from to_static import nn
from to_static.compiler.ops.shapes.concat_split import concat
from to_static.nn.initializer import Uniform
from to_static.nn.layer import Layer
from to_static.nn.parameter import ParamAttr
from to_static.vision.models.weights import with_weights
from to_static.vision.ops.blocks import ConvNormActivation

PUBLISHED = {
    "inception_v3": ("https://paddle-hapi.bj.bcebos.com/models/inception_v3.pdparams", "649a4547c3243e8b59c656f41fe330b8")
}
Size = int | tuple[int, int]


def _conv(width: int, filters: int, size: Size, stride: int = 1) -> ConvNormActivation:
    """A convolution with batch normalisation and ReLU that keeps the size of the image, or (with a stride) uses no border."""
    rows, columns = (size, size) if isinstance(size, int) else size
    border = (rows // 2, columns // 2) if stride == 1 else 0
    return ConvNormActivation(width, filters, size, stride, border)


def _mean() -> nn.AvgPool2D:
    return nn.AvgPool2D(kernel_size=3, stride=1, padding=1, exclusive=False)


class InceptionStem(Layer):
    """The first block: [N, 3, H, W] to [N, 192, H', W'] of about an eighth of the size."""

    def __init__(self) -> None:
        super().__init__()
        self.conv_1a_3x3 = ConvNormActivation(3, 32, 3, stride=2, padding=0)
        self.conv_2a_3x3 = ConvNormActivation(32, 32, 3, padding=0)
        self.conv_2b_3x3 = ConvNormActivation(32, 64, 3, padding=1)
        self.max_pool = nn.MaxPool2D(kernel_size=3, stride=2)
        self.conv_3b_1x1 = ConvNormActivation(64, 80, 1, padding=0)
        self.conv_4a_3x3 = ConvNormActivation(80, 192, 3, padding=0)

    def forward(self, x: Any) -> Any:
        """The features."""
        x = self.max_pool(self.conv_2b_3x3(self.conv_2a_3x3(self.conv_1a_3x3(x))))
        return self.max_pool(self.conv_4a_3x3(self.conv_3b_1x1(x)))


class InceptionA(Layer):
    """Convolutions of 1 x 1, 5 x 5 and twice 3 x 3 beside a pooling: [N, C, H, W] to [N, 224 + pool_features, H, W]."""

    def __init__(self, num_channels: int, pool_features: int) -> None:
        super().__init__()
        self.branch1x1 = _conv(num_channels, 64, 1)
        self.branch5x5_1 = _conv(num_channels, 48, 1)
        self.branch5x5_2 = _conv(48, 64, 5)
        self.branch3x3dbl_1 = _conv(num_channels, 64, 1)
        self.branch3x3dbl_2 = _conv(64, 96, 3)
        self.branch3x3dbl_3 = _conv(96, 96, 3)
        self.branch_pool = _mean()
        self.branch_pool_conv = _conv(num_channels, pool_features, 1)

    def forward(self, x: Any) -> Any:
        """The branches side by side."""
        five = self.branch5x5_2(self.branch5x5_1(x))
        three = self.branch3x3dbl_3(self.branch3x3dbl_2(self.branch3x3dbl_1(x)))
        return concat([self.branch1x1(x), five, three, self.branch_pool_conv(self.branch_pool(x))], axis=1)


class InceptionB(Layer):
    """Half the size, 480 more channels."""

    def __init__(self, num_channels: int) -> None:
        super().__init__()
        self.branch3x3 = _conv(num_channels, 384, 3, stride=2)
        self.branch3x3dbl_1 = _conv(num_channels, 64, 1)
        self.branch3x3dbl_2 = _conv(64, 96, 3)
        self.branch3x3dbl_3 = _conv(96, 96, 3, stride=2)
        self.branch_pool = nn.MaxPool2D(kernel_size=3, stride=2)

    def forward(self, x: Any) -> Any:
        """The branches side by side."""
        twice = self.branch3x3dbl_3(self.branch3x3dbl_2(self.branch3x3dbl_1(x)))
        return concat([self.branch3x3(x), twice, self.branch_pool(x)], axis=1)


class InceptionC(Layer):
    """Rows and columns of 7 beside a convolution of 1 x 1 and a pooling: [N, C, H, W] to [N, 768, H, W]."""

    def __init__(self, num_channels: int, channels_7x7: int) -> None:
        super().__init__()
        inside, row, column = channels_7x7, (1, 7), (7, 1)
        self.branch1x1 = _conv(num_channels, 192, 1)
        self.branch7x7_1 = _conv(num_channels, inside, 1)
        self.branch7x7_2 = _conv(inside, inside, row)
        self.branch7x7_3 = _conv(inside, 192, column)
        self.branch7x7dbl_1 = _conv(num_channels, inside, 1)
        self.branch7x7dbl_2 = _conv(inside, inside, column)
        self.branch7x7dbl_3 = _conv(inside, inside, row)
        self.branch7x7dbl_4 = _conv(inside, inside, column)
        self.branch7x7dbl_5 = _conv(inside, 192, row)
        self.branch_pool = _mean()
        self.branch_pool_conv = _conv(num_channels, 192, 1)

    def forward(self, x: Any) -> Any:
        """The branches side by side."""
        once = self.branch7x7_3(self.branch7x7_2(self.branch7x7_1(x)))
        twice = self.branch7x7dbl_3(self.branch7x7dbl_2(self.branch7x7dbl_1(x)))
        twice = self.branch7x7dbl_5(self.branch7x7dbl_4(twice))
        return concat([self.branch1x1(x), once, twice, self.branch_pool_conv(self.branch_pool(x))], axis=1)


class InceptionD(Layer):
    """Half the size, 512 more channels."""

    def __init__(self, num_channels: int) -> None:
        super().__init__()
        self.branch3x3_1 = _conv(num_channels, 192, 1)
        self.branch3x3_2 = _conv(192, 320, 3, stride=2)
        self.branch7x7x3_1 = _conv(num_channels, 192, 1)
        self.branch7x7x3_2 = _conv(192, 192, (1, 7))
        self.branch7x7x3_3 = _conv(192, 192, (7, 1))
        self.branch7x7x3_4 = _conv(192, 192, 3, stride=2)
        self.branch_pool = nn.MaxPool2D(kernel_size=3, stride=2)

    def forward(self, x: Any) -> Any:
        """The branches side by side."""
        three = self.branch3x3_2(self.branch3x3_1(x))
        seven = self.branch7x7x3_4(self.branch7x7x3_3(self.branch7x7x3_2(self.branch7x7x3_1(x))))
        return concat([three, seven, self.branch_pool(x)], axis=1)


class InceptionE(Layer):
    """Rows and columns of 3 side by side, too: [N, C, H, W] to [N, 2048, H, W]."""

    def __init__(self, num_channels: int) -> None:
        super().__init__()
        self.branch1x1 = _conv(num_channels, 320, 1)
        self.branch3x3_1 = _conv(num_channels, 384, 1)
        self.branch3x3_2a = _conv(384, 384, (1, 3))
        self.branch3x3_2b = _conv(384, 384, (3, 1))
        self.branch3x3dbl_1 = _conv(num_channels, 448, 1)
        self.branch3x3dbl_2 = _conv(448, 384, 3)
        self.branch3x3dbl_3a = _conv(384, 384, (1, 3))
        self.branch3x3dbl_3b = _conv(384, 384, (3, 1))
        self.branch_pool = _mean()
        self.branch_pool_conv = _conv(num_channels, 192, 1)

    def forward(self, x: Any) -> Any:
        """The branches side by side."""
        once = self.branch3x3_1(x)
        twice = self.branch3x3dbl_2(self.branch3x3dbl_1(x))
        return concat(
            [
                self.branch1x1(x), self.branch3x3_2a(once), self.branch3x3_2b(once), self.branch3x3dbl_3a(twice),
                self.branch3x3dbl_3b(twice), self.branch_pool_conv(self.branch_pool(x)),
            ],
            axis=1,
        )  # fmt: skip


class InceptionV3(Layer):
    """The third Inception network.

    Args:
        num_classes: how many scores (default 1000); 0 for the features. with_pool: average over the image (default True).

    Takes [N, 3, H, W] (H and W at least 75; 299 in the paper), gives [N, num_classes].

    Example:
        >>> paddle.vision.models.InceptionV3(num_classes=10)(paddle.ones([1, 3, 299, 299])).shape
        [1, 10]

    Source: Szegedy et al., "Rethinking the Inception Architecture for Computer Vision".
    """

    def __init__(self, num_classes: int = 1000, with_pool: bool = True) -> None:
        super().__init__()
        self.num_classes, self.with_pool = num_classes, with_pool
        self.inception_stem = InceptionStem()
        self.inception_block_list = nn.LayerList(
            [
                *(InceptionA(width, pooled) for width, pooled in ((192, 32), (256, 64), (288, 64))),
                InceptionB(288),
                *(InceptionC(768, inside) for inside in (128, 160, 160, 192)),
                InceptionD(768),
                InceptionE(1280),
                InceptionE(2048),
            ]
        )
        if with_pool:
            self.avg_pool = nn.AdaptiveAvgPool2D(1)
        if num_classes > 0:
            bound = 1.0 / sqrt(2048)
            self.dropout = nn.Dropout(p=0.2, mode="downscale_in_infer")
            self.fc = nn.Linear(2048, num_classes, weight_attr=ParamAttr(initializer=Uniform(-bound, bound)))

    def forward(self, x: Any) -> Any:
        """Scores, without softmax."""
        x = self.inception_stem(x)
        for block in self.inception_block_list:
            x = block(x)
        if self.with_pool:
            x = self.avg_pool(x)
        return self.fc(self.dropout(x.reshape([-1, 2048]))) if self.num_classes > 0 else x


def inception_v3(pretrained: Any = False, **kwargs: Any) -> InceptionV3:
    """`InceptionV3`; ``pretrained`` as in `with_weights`, the rest goes to `InceptionV3`.

    Example:
        >>> net = paddle.vision.models.inception_v3(num_classes=10)
    """
    return with_weights(InceptionV3(**kwargs), "inception_v3", PUBLISHED, pretrained)
