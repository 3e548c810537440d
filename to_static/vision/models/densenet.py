"""DenseNet of 121 to 264 layers."""

from __future__ import annotations

from math import sqrt
from typing import Any

from to_static import nn
from to_static.compiler.ops.shapes.concat_split import concat
from to_static.nn.initializer import Uniform
from to_static.nn.layer import Layer
from to_static.nn.parameter import ParamAttr
from to_static.vision.models.weights import with_weights

_HOME = "https://paddle-imagenet-models-name.bj.bcebos.com/dygraph/DenseNet{}_pretrained.pdparams"
_CHECKSUMS = {
    121: "db1b239ed80a905290fd8b01d3af08e4", 161: "62158869cb315098bd25ddbfd308a853", 169: "82cc7c635c3f19098c748850efb2d796",
    201: "16ca29565a7712329cf9e36e02caaf58", 264: "3270ce516b85370bba88cfdd9f60bff4",
}  # fmt: skip
PUBLISHED = {f"densenet{depth}": (_HOME.format(depth), md5) for depth, md5 in _CHECKSUMS.items()}
# first width, what each layer adds to it, layers of each block
SPECS = {
    121: (64, 32, (6, 12, 24, 16)), 161: (96, 48, (6, 12, 36, 24)), 169: (64, 32, (6, 12, 32, 32)),
    201: (64, 32, (6, 12, 48, 32)), 264: (64, 32, (6, 12, 64, 48)),
}  # fmt: skip


class BNACConvLayer(Layer):
    """Batch normalisation, ReLU, a convolution."""

    def __init__(self, width: int, filters: int, size: int, padding: int = 0) -> None:
        super().__init__()
        self._batch_norm = nn.BatchNorm(width, act="relu")
        self._conv = nn.Conv2D(width, filters, size, padding=padding, bias_attr=False)

    def forward(self, input: Any) -> Any:
        """[N, width, H, W] to [N, filters, H, W]."""
        return self._conv(self._batch_norm(input))


class ConvBNLayer(Layer):
    """A convolution of 7 x 7, batch normalisation, ReLU."""

    def __init__(self, width: int, filters: int) -> None:
        super().__init__()
        self._conv = nn.Conv2D(width, filters, 7, stride=2, padding=3, bias_attr=False)
        self._batch_norm = nn.BatchNorm(filters, act="relu")

    def forward(self, input: Any) -> Any:
        """[N, width, H, W] to [N, filters, H / 2, W / 2]."""
        return self._batch_norm(self._conv(input))


class DenseLayer(Layer):
    """Adds ``growth`` channels to those that it gets."""

    def __init__(self, width: int, growth: int, bn_size: int, dropout: float) -> None:
        super().__init__()
        self.dropout = dropout
        self.bn_ac_func1 = BNACConvLayer(width, bn_size * growth, 1)
        self.bn_ac_func2 = BNACConvLayer(bn_size * growth, growth, 3, 1)
        if dropout:
            self.dropout_func = nn.Dropout(p=dropout, mode="downscale_in_infer")

    def forward(self, input: Any) -> Any:
        """[N, width, H, W] to [N, width + growth, H, W]."""
        new_features = self.bn_ac_func2(self.bn_ac_func1(input))
        if self.dropout:
            new_features = self.dropout_func(new_features)
        return concat([input, new_features], axis=1)


class DenseBlock(Layer):
    """Several `DenseLayer`."""

    def __init__(self, width: int, count: int, bn_size: int, growth: int, dropout: float, name: str) -> None:
        super().__init__()
        self.dropout = dropout
        self.dense_layer_func = [
            self.add_sublayer(f"{name}_{k + 1}", DenseLayer(width + k * growth, growth, bn_size, dropout)) for k in range(count)
        ]

    def forward(self, input: Any) -> Any:
        """[N, width, H, W] to [N, width + count * growth, H, W]."""
        for layer in self.dense_layer_func:
            input = layer(input)
        return input


class TransitionLayer(Layer):
    """Fewer channels, and averages of 2 x 2 places."""

    def __init__(self, width: int, filters: int) -> None:
        super().__init__()
        self.conv_ac_func = BNACConvLayer(width, filters, 1)
        self.pool2d_avg = nn.AvgPool2D(kernel_size=2, stride=2)

    def forward(self, input: Any) -> Any:
        """[N, width, H, W] to [N, filters, H / 2, W / 2]."""
        return self.pool2d_avg(self.conv_ac_func(input))


class DenseNet(Layer):
    """A DenseNet.

    Args:
        layers: 121 (default), 161, 169, 201 or 264. bn_size: how many times ``growth`` a layer has inside (default 4).
        dropout: after each layer (default 0). num_classes: how many scores (default 1000); 0 for the features.
        with_pool: average over the image (default True).

    Takes [N, 3, H, W], gives [N, num_classes]. Raises ValueError for another depth.

    Example:
        >>> paddle.vision.models.DenseNet(121, num_classes=10)(paddle.ones([1, 3, 64, 64])).shape
        [1, 10]

    Source: Huang et al., "Densely Connected Convolutional Networks".
    """

    def __init__(
        self, layers: int = 121, bn_size: int = 4, dropout: float = 0.0, num_classes: int = 1000, with_pool: bool = True
    ) -> None:
        super().__init__()
        if layers not in SPECS:
            raise ValueError(f"DenseNet: layers must be one of {', '.join(map(str, SPECS))}, got {layers!r}")
        self.num_classes, self.with_pool = num_classes, with_pool
        width, growth, self.block_config = SPECS[layers]
        self.conv1_func = ConvBNLayer(3, width)
        self.pool2d_max = nn.MaxPool2D(kernel_size=3, stride=2, padding=1)
        self.dense_block_func_list: list[Layer] = []
        self.transition_func_list: list[Layer] = []
        for k, count in enumerate(self.block_config, 2):
            block = DenseBlock(width, count, bn_size, growth, dropout, f"conv{k}")
            self.dense_block_func_list.append(self.add_sublayer(f"db_conv_{k}", block))
            width += count * growth
            if k < len(self.block_config) + 1:
                self.transition_func_list.append(self.add_sublayer(f"tr_conv{k}_blk", TransitionLayer(width, width // 2)))
                width //= 2
        self.batch_norm = nn.BatchNorm(width, act="relu")
        if with_pool:
            self.pool2d_avg = nn.AdaptiveAvgPool2D(1)
        if num_classes > 0:
            bound = 1.0 / sqrt(width)
            self.out = nn.Linear(width, num_classes, weight_attr=ParamAttr(initializer=Uniform(-bound, bound)))

    def forward(self, input: Any) -> Any:
        """Scores, without softmax."""
        x = self.pool2d_max(self.conv1_func(input))
        for k, block in enumerate(self.dense_block_func_list):
            x = block(x)
            if k < len(self.transition_func_list):
                x = self.transition_func_list[k](x)
        x = self.batch_norm(x)
        if self.with_pool:
            x = self.pool2d_avg(x)
        return self.out(x.flatten(1)) if self.num_classes > 0 else x


def _densenet(layers: int, pretrained: Any, **kwargs: Any) -> DenseNet:
    return with_weights(DenseNet(layers=layers, **kwargs), f"densenet{layers}", PUBLISHED, pretrained)


def densenet121(pretrained: Any = False, **kwargs: Any) -> DenseNet:
    """`DenseNet` of 121 layers; ``pretrained`` as in `with_weights`, the rest goes to `DenseNet`.

    Example:
        >>> net = paddle.vision.models.densenet121(num_classes=10)
    """
    return _densenet(121, pretrained, **kwargs)


def densenet161(pretrained: Any = False, **kwargs: Any) -> DenseNet:
    """`DenseNet` of 161 layers; see `densenet121`.

    ``pretrained`` is as there.

    Example:
        >>> net = paddle.vision.models.densenet161(num_classes=10)
    """
    return _densenet(161, pretrained, **kwargs)


def densenet169(pretrained: Any = False, **kwargs: Any) -> DenseNet:
    """`DenseNet` of 169 layers; see `densenet121`.

    ``pretrained`` is as there.

    Example:
        >>> net = paddle.vision.models.densenet169(num_classes=10)
    """
    return _densenet(169, pretrained, **kwargs)


def densenet201(pretrained: Any = False, **kwargs: Any) -> DenseNet:
    """`DenseNet` of 201 layers; see `densenet121`.

    ``pretrained`` is as there.

    Example:
        >>> net = paddle.vision.models.densenet201(num_classes=10)
    """
    return _densenet(201, pretrained, **kwargs)


def densenet264(pretrained: Any = False, **kwargs: Any) -> DenseNet:
    """`DenseNet` of 264 layers; see `densenet121`.

    ``pretrained`` is as there.

    Example:
        >>> net = paddle.vision.models.densenet264(num_classes=10)
    """
    return _densenet(264, pretrained, **kwargs)
