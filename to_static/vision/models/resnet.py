"""ResNet, ResNeXt and Wide ResNet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from to_static import nn
from to_static.nn.layer import Layer
from to_static.vision.models.weights import with_weights

_CHECKSUMS = {
    "resnet18": "cf548f46534aa3560945be4b95cd11c4", "resnet34": "8d2275cf8706028345f78ac0e1d31969",
    "resnet50": "ca6f485ee1ab0492d38f323885b0ad80", "resnet101": "02f35f034ca3858e1e54d4036443c92d",
    "resnet152": "7ad16a2f1e7333859ff986138630fd7a", "resnext50_32x4d": "dc47483169be7d6f018fcbb7baf8775d",
    "resnext50_64x4d": "063d4b483e12b06388529450ad7576db", "resnext101_32x4d": "967b090039f9de2c8d06fe994fb9095f",
    "resnext101_64x4d": "98e04e7ca616a066699230d769d03008", "resnext152_32x4d": "18ff0beee21f2efc99c4b31786107121",
    "resnext152_64x4d": "77c4af00ca42c405fa7f841841959379", "wide_resnet50_2": "0282f804d73debdab289bd9fea3fa6dc",
    "wide_resnet101_2": "d4360a2d23657f059216f5d5a1a9ac93",
}  # fmt: skip
PUBLISHED = {arch: (f"https://paddle-hapi.bj.bcebos.com/models/{arch}.pdparams", md5) for arch, md5 in _CHECKSUMS.items()}
BLOCKS = {18: (2, 2, 2, 2), 34: (3, 4, 6, 3), 50: (3, 4, 6, 3), 101: (3, 4, 23, 3), 152: (3, 8, 36, 3)}


class BasicBlock(Layer):
    """Two convolutions of 3 x 3 beside the identity.

    Args:
        inplanes, planes: channels before and after. stride: of the first convolution. downsample: what the identity goes through.
        groups, base_width: not used. dilation: 1. norm_layer: made after each convolution (default `BatchNorm2D`).

    Raises NotImplementedError for another dilation.
    """

    expansion = 1

    def __init__(
        self, inplanes: int, planes: int, stride: int = 1, downsample: Layer | None = None, groups: int = 1, base_width: int = 64,
        dilation: int = 1, norm_layer: Callable[[int], Layer] | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        if dilation > 1:
            raise NotImplementedError(f"BasicBlock: expected dilation 1, got {dilation}; BottleneckBlock takes others")
        norm = norm_layer or nn.BatchNorm2D
        self.conv1 = nn.Conv2D(inplanes, planes, 3, padding=1, stride=stride, bias_attr=False)
        self.bn1 = norm(planes)
        self.relu = nn.ReLU()
        self.conv2 = nn.Conv2D(planes, planes, 3, padding=1, bias_attr=False)
        self.bn2 = norm(planes)
        self.downsample = downsample
        self.stride = stride

    def forward(self, x: Any) -> Any:
        """[N, inplanes, H, W] to [N, planes, H / stride, W / stride]."""
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        return self.relu(out + (x if self.downsample is None else self.downsample(x)))


class BottleneckBlock(Layer):
    """Convolutions of 1 x 1, 3 x 3 and 1 x 1 beside the identity; the result has 4 * ``planes`` channels.

    Args: as of `BasicBlock`; groups, base_width, dilation: of the convolution of 3 x 3, whose width is
        ``planes * base_width / 64 * groups``.
    """

    expansion = 4

    def __init__(
        self, inplanes: int, planes: int, stride: int = 1, downsample: Layer | None = None, groups: int = 1, base_width: int = 64,
        dilation: int = 1, norm_layer: Callable[[int], Layer] | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        norm = norm_layer or nn.BatchNorm2D
        width = int(planes * (base_width / 64.0)) * groups
        self.conv1 = nn.Conv2D(inplanes, width, 1, bias_attr=False)
        self.bn1 = norm(width)
        self.conv2 = nn.Conv2D(
            width, width, 3, padding=dilation, stride=stride, groups=groups, dilation=dilation, bias_attr=False
        )
        self.bn2 = norm(width)
        self.conv3 = nn.Conv2D(width, planes * self.expansion, 1, bias_attr=False)
        self.bn3 = norm(planes * self.expansion)
        self.relu = nn.ReLU()
        self.downsample = downsample
        self.stride = stride

    def forward(self, x: Any) -> Any:
        """[N, inplanes, H, W] to [N, 4 * planes, H / stride, W / stride]."""
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.relu(self.bn2(self.conv2(out)))
        out = self.bn3(self.conv3(out))
        return self.relu(out + (x if self.downsample is None else self.downsample(x)))


class ResNet(Layer):
    """A residual network.

    Args:
        block: `BasicBlock` (for depth 18 and 34) or `BottleneckBlock`, or a class with their arguments.
        depth: 18, 34, 50 (default), 101 or 152.
        width: channels of each group in the narrow part of a block, in 64ths (default 64).
        num_classes: how many scores (default 1000); 0 for the features.
        with_pool: average the features over the image (default True). groups: of the convolutions of 3 x 3 (default 1).

    Takes [N, 3, H, W], gives [N, num_classes]. Raises ValueError for another depth.

    Example:
        >>> net = ResNet(BottleneckBlock, 50, width=4, groups=32)  # ResNeXt
        >>> net(paddle.ones([1, 3, 64, 64])).shape
        [1, 1000]

    Source: He et al., "Deep Residual Learning for Image Recognition".
    """

    def __init__(
        self, block: Any, depth: int = 50, width: int = 64, num_classes: int = 1000, with_pool: bool = True, groups: int = 1
    ) -> None:
        super().__init__()
        if depth not in BLOCKS:
            raise ValueError(f"ResNet: depth must be one of {', '.join(map(str, BLOCKS))}, got {depth!r}")
        self.groups, self.base_width = groups, width
        self.num_classes, self.with_pool = num_classes, with_pool
        self._norm_layer: Callable[[int], Layer] = nn.BatchNorm2D
        self.inplanes, self.dilation = 64, 1
        self.conv1 = nn.Conv2D(3, self.inplanes, kernel_size=7, stride=2, padding=3, bias_attr=False)
        self.bn1 = self._norm_layer(self.inplanes)
        self.relu = nn.ReLU()
        self.maxpool = nn.MaxPool2D(kernel_size=3, stride=2, padding=1)
        counts = BLOCKS[depth]
        self.layer1 = self._make_layer(block, 64, counts[0])
        self.layer2 = self._make_layer(block, 128, counts[1], stride=2)
        self.layer3 = self._make_layer(block, 256, counts[2], stride=2)
        self.layer4 = self._make_layer(block, 512, counts[3], stride=2)
        if with_pool:
            self.avgpool = nn.AdaptiveAvgPool2D((1, 1))
        if num_classes > 0:
            self.fc = nn.Linear(512 * block.expansion, num_classes)

    def _make_layer(self, block: Any, planes: int, blocks: int, stride: int = 1, dilate: bool = False) -> nn.Sequential:
        """Blocks of ``planes`` channels, of which the first one has the stride, or (``dilate``) holes instead."""
        old_dilation = self.dilation
        if dilate:
            self.dilation, stride = self.dilation * stride, 1
        out_channels = planes * block.expansion
        downsample = None
        if stride != 1 or self.inplanes != out_channels:
            downsample = nn.Sequential(
                nn.Conv2D(self.inplanes, out_channels, 1, stride=stride, bias_attr=False), self._norm_layer(out_channels)
            )
        layers = [
            block(self.inplanes, planes, stride, downsample, self.groups, self.base_width, old_dilation, self._norm_layer)
        ]
        self.inplanes = out_channels
        layers += [
            block(out_channels, planes, groups=self.groups, base_width=self.base_width, norm_layer=self._norm_layer)
            for _ in range(1, blocks)
        ]
        return nn.Sequential(*layers)

    def forward(self, x: Any) -> Any:
        """Scores, without softmax."""
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        if self.with_pool:
            x = self.avgpool(x)
        return self.fc(x.flatten(1)) if self.num_classes > 0 else x


def _resnet(arch: str, block: Any, depth: int, pretrained: Any, **kwargs: Any) -> ResNet:
    return with_weights(ResNet(block, depth, **kwargs), arch, PUBLISHED, pretrained)


def resnet18(pretrained: Any = False, **kwargs: Any) -> ResNet:
    """`ResNet` of 18 layers; ``pretrained`` as in `with_weights`, the rest goes to `ResNet`.

    Example:
        >>> net = paddle.vision.models.resnet18(num_classes=10)
    """
    return _resnet("resnet18", BasicBlock, 18, pretrained, **kwargs)


def resnet34(pretrained: Any = False, **kwargs: Any) -> ResNet:
    """`ResNet` of 34 layers; see `resnet18`.

    ``pretrained`` is as there.

    Example:
        >>> net = paddle.vision.models.resnet34(num_classes=10)
    """
    return _resnet("resnet34", BasicBlock, 34, pretrained, **kwargs)


def resnet50(pretrained: Any = False, **kwargs: Any) -> ResNet:
    """`ResNet` of 50 layers; see `resnet18`.

    ``pretrained`` is as there.

    Example:
        >>> net = paddle.vision.models.resnet50(num_classes=10)
    """
    return _resnet("resnet50", BottleneckBlock, 50, pretrained, **kwargs)


def resnet101(pretrained: Any = False, **kwargs: Any) -> ResNet:
    """`ResNet` of 101 layers; see `resnet18`.

    ``pretrained`` is as there.

    Example:
        >>> net = paddle.vision.models.resnet101(num_classes=10)
    """
    return _resnet("resnet101", BottleneckBlock, 101, pretrained, **kwargs)


def resnet152(pretrained: Any = False, **kwargs: Any) -> ResNet:
    """`ResNet` of 152 layers; see `resnet18`.

    ``pretrained`` is as there.

    Example:
        >>> net = paddle.vision.models.resnet152(num_classes=10)
    """
    return _resnet("resnet152", BottleneckBlock, 152, pretrained, **kwargs)


def resnext50_32x4d(pretrained: Any = False, **kwargs: Any) -> ResNet:
    """`ResNet` of 50 layers with 32 groups (Xie et al., "Aggregated Residual Transformations"); see `resnet18`.

    ``pretrained`` is as there.

    Example:
        >>> net = paddle.vision.models.resnext50_32x4d(num_classes=10)
    """
    return _resnet("resnext50_32x4d", BottleneckBlock, 50, pretrained, width=4, groups=32, **kwargs)


def resnext50_64x4d(pretrained: Any = False, **kwargs: Any) -> ResNet:
    """`ResNet` of 50 layers with 64 groups (Xie et al., "Aggregated Residual Transformations"); see `resnet18`.

    ``pretrained`` is as there.

    Example:
        >>> net = paddle.vision.models.resnext50_64x4d(num_classes=10)
    """
    return _resnet("resnext50_64x4d", BottleneckBlock, 50, pretrained, width=4, groups=64, **kwargs)


def resnext101_32x4d(pretrained: Any = False, **kwargs: Any) -> ResNet:
    """`ResNet` of 101 layers with 32 groups (Xie et al., "Aggregated Residual Transformations"); see `resnet18`.

    ``pretrained`` is as there.

    Example:
        >>> net = paddle.vision.models.resnext101_32x4d(num_classes=10)
    """
    return _resnet("resnext101_32x4d", BottleneckBlock, 101, pretrained, width=4, groups=32, **kwargs)


def resnext101_64x4d(pretrained: Any = False, **kwargs: Any) -> ResNet:
    """`ResNet` of 101 layers with 64 groups (Xie et al., "Aggregated Residual Transformations"); see `resnet18`.

    ``pretrained`` is as there.

    Example:
        >>> net = paddle.vision.models.resnext101_64x4d(num_classes=10)
    """
    return _resnet("resnext101_64x4d", BottleneckBlock, 101, pretrained, width=4, groups=64, **kwargs)


def resnext152_32x4d(pretrained: Any = False, **kwargs: Any) -> ResNet:
    """`ResNet` of 152 layers with 32 groups (Xie et al., "Aggregated Residual Transformations"); see `resnet18`.

    ``pretrained`` is as there.

    Example:
        >>> net = paddle.vision.models.resnext152_32x4d(num_classes=10)
    """
    return _resnet("resnext152_32x4d", BottleneckBlock, 152, pretrained, width=4, groups=32, **kwargs)


def resnext152_64x4d(pretrained: Any = False, **kwargs: Any) -> ResNet:
    """`ResNet` of 152 layers with 64 groups (Xie et al., "Aggregated Residual Transformations"); see `resnet18`.

    ``pretrained`` is as there.

    Example:
        >>> net = paddle.vision.models.resnext152_64x4d(num_classes=10)
    """
    return _resnet("resnext152_64x4d", BottleneckBlock, 152, pretrained, width=4, groups=64, **kwargs)


def wide_resnet50_2(pretrained: Any = False, **kwargs: Any) -> ResNet:
    """`ResNet` of 50 layers of twice the width (Zagoruyko and Komodakis, "Wide Residual Networks"); see `resnet18`.

    ``pretrained`` is as there.

    Example:
        >>> net = paddle.vision.models.wide_resnet50_2(num_classes=10)
    """
    return _resnet("wide_resnet50_2", BottleneckBlock, 50, pretrained, width=128, **kwargs)


def wide_resnet101_2(pretrained: Any = False, **kwargs: Any) -> ResNet:
    """`ResNet` of 101 layers of twice the width (Zagoruyko and Komodakis, "Wide Residual Networks"); see `resnet18`.

    ``pretrained`` is as there.

    Example:
        >>> net = paddle.vision.models.wide_resnet101_2(num_classes=10)
    """
    return _resnet("wide_resnet101_2", BottleneckBlock, 101, pretrained, width=128, **kwargs)
