"""SqueezeNet 1.0 and 1.1."""

from __future__ import annotations

from typing import Any

from to_static import nn
from to_static.compiler.ops.shapes.concat_split import concat
from to_static.nn import functional as F
from to_static.nn.layer import Layer
from to_static.vision.models.weights import with_weights

_HOME = "https://paddle-imagenet-models-name.bj.bcebos.com/dygraph/SqueezeNet1_{}_pretrained.pdparams"
PUBLISHED = {
    "squeezenet1_0": (_HOME.format(0), "30b95af60a2178f03cf9b66cd77e1db1"),
    "squeezenet1_1": (_HOME.format(1), "a11250d3a1f91d7131fd095ebbf09eee"),
}
FIRES = ((16, 64), (16, 64), (32, 128), (32, 128), (48, 192), (48, 192), (64, 256), (64, 256))  # squeezed, expanded
POOLED = {"1.0": (3, 7), "1.1": (2, 4)}  # after which of them a pooling comes


class MakeFireConv(Layer):
    """A convolution and ReLU."""

    def __init__(self, width: int, filters: int, size: int, padding: int = 0) -> None:
        super().__init__()
        self._conv = nn.Conv2D(width, filters, size, padding=padding)

    def forward(self, x: Any) -> Any:
        """[N, width, H, W] to [N, filters, H', W']."""
        return F.relu(self._conv(x))


class MakeFire(Layer):
    """Few channels, and from them many: half of these by a convolution of 1 x 1, half by one of 3 x 3."""

    def __init__(self, width: int, squeezed: int, expanded: int) -> None:
        super().__init__()
        self._conv = MakeFireConv(width, squeezed, 1)
        self._conv_path1 = MakeFireConv(squeezed, expanded, 1)
        self._conv_path2 = MakeFireConv(squeezed, expanded, 3, padding=1)

    def forward(self, inputs: Any) -> Any:
        """[N, width, H, W] to [N, 2 * expanded, H, W]."""
        x = self._conv(inputs)
        return concat([self._conv_path1(x), self._conv_path2(x)], axis=1)


class SqueezeNet(Layer):
    """A SqueezeNet.

    Args:
        version: '1.0' or '1.1'. num_classes: how many scores (default 1000); 0 for the features.
        with_pool: average over the image (default True).

    Takes [N, 3, H, W], gives [N, num_classes]. Raises ValueError for another version.

    Example:
        >>> paddle.vision.models.SqueezeNet("1.1", num_classes=10)(paddle.ones([1, 3, 64, 64])).shape
        [1, 10]

    Source: Iandola et al., "SqueezeNet: AlexNet-level accuracy with 50x fewer parameters".
    """

    def __init__(self, version: str, num_classes: int = 1000, with_pool: bool = True) -> None:
        super().__init__()
        if version not in POOLED:
            raise ValueError(f"SqueezeNet: version must be one of {', '.join(POOLED)}, got {version!r}")
        self.version, self.num_classes, self.with_pool = version, num_classes, with_pool
        first = nn.Conv2D(3, 96, 7, stride=2) if version == "1.0" else nn.Conv2D(3, 64, 3, stride=2, padding=1)
        self._conv = first
        self._pool = nn.MaxPool2D(kernel_size=3, stride=2)
        width = 96 if version == "1.0" else 64
        for k, (squeezed, expanded) in enumerate(FIRES, 1):
            setattr(self, f"_conv{k}", MakeFire(width, squeezed, expanded))
            width = 2 * expanded
        self._drop = nn.Dropout(p=0.5, mode="downscale_in_infer")
        self._conv9 = nn.Conv2D(width, num_classes, 1)
        self._avg_pool = nn.AdaptiveAvgPool2D(1)

    def forward(self, inputs: Any) -> Any:
        """Scores, without softmax."""
        x = self._pool(F.relu(self._conv(inputs)))
        for k in range(1, len(FIRES) + 1):
            x = getattr(self, f"_conv{k}")(x)
            if k in POOLED[self.version]:
                x = self._pool(x)
        if self.num_classes > 0:
            x = self._conv9(self._drop(x))
        if self.with_pool:
            x = self._avg_pool(F.relu(x)).squeeze([2, 3])
        return x


def squeezenet1_0(pretrained: Any = False, **kwargs: Any) -> SqueezeNet:
    """`SqueezeNet` 1.0; ``pretrained`` as in `with_weights`, the rest goes to `SqueezeNet`.

    Example:
        >>> net = paddle.vision.models.squeezenet1_0(num_classes=10)
    """
    return with_weights(SqueezeNet("1.0", **kwargs), "squeezenet1_0", PUBLISHED, pretrained)


def squeezenet1_1(pretrained: Any = False, **kwargs: Any) -> SqueezeNet:
    """`SqueezeNet` 1.1; see `squeezenet1_0`.

    ``pretrained`` is as there.

    Example:
        >>> net = paddle.vision.models.squeezenet1_1(num_classes=10)
    """
    return with_weights(SqueezeNet("1.1", **kwargs), "squeezenet1_1", PUBLISHED, pretrained)
