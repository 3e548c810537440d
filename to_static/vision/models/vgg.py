"""VGG networks of 11, 13, 16 and 19 layers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from to_static import nn
from to_static.nn.layer import Layer
from to_static.vision.models.weights import with_weights

PUBLISHED = {
    "vgg16": ("https://paddle-hapi.bj.bcebos.com/models/vgg16.pdparams", "89bbffc0f87d260be9b8cdc169c991c4"),
    "vgg19": ("https://paddle-hapi.bj.bcebos.com/models/vgg19.pdparams", "23b18bb13d8894f60f54e642be79a0dd"),
}
REPEATS = {11: (1, 1, 2, 2, 2), 13: (2, 2, 2, 2, 2), 16: (2, 2, 3, 3, 3), 19: (2, 2, 4, 4, 4)}  # convolutions before each pooling
WIDTHS = (64, 128, 256, 512, 512)


class VGG(Layer):
    """A VGG network.

    Args:
        features: what comes before the classifier, as `make_layers` gives it.
        num_classes: how many scores (default 1000); 0 for the features.
        with_pool: average the features to 7 x 7 first (default True).

    Takes [N, 3, H, W] (H and W at least 32), gives [N, num_classes].

    Example:
        >>> net = VGG(make_layers([64, "M", 128, "M", 256, 256, "M", 512, 512, "M", 512, 512, "M"]), num_classes=10)

    Source: Simonyan and Zisserman, "Very Deep Convolutional Networks for Large-Scale Image Recognition".
    """

    def __init__(self, features: Layer, num_classes: int = 1000, with_pool: bool = True) -> None:
        super().__init__()
        self.features = features
        self.num_classes, self.with_pool = num_classes, with_pool
        if with_pool:
            self.avgpool = nn.AdaptiveAvgPool2D((7, 7))
        if num_classes > 0:
            self.classifier = nn.Sequential(
                nn.Linear(512 * 7 * 7, 4096), nn.ReLU(), nn.Dropout(), nn.Linear(4096, 4096), nn.ReLU(), nn.Dropout(),
                nn.Linear(4096, num_classes),
            )  # fmt: skip

    def forward(self, x: Any) -> Any:
        """Scores, without softmax."""
        x = self.features(x)
        if self.with_pool:
            x = self.avgpool(x)
        return self.classifier(x.flatten(1)) if self.num_classes > 0 else x


def make_layers(cfg: Sequence[int | str], batch_norm: bool = False) -> nn.Sequential:
    """Convolutions of 3 x 3 with ReLU, of the widths in ``cfg``, where 'M' is a pooling of 2 x 2.

    ``batch_norm``: with batch normalisation between (default False).
    """
    layers: list[Layer] = []
    width = 3
    for item in cfg:
        if isinstance(item, str):
            layers.append(nn.MaxPool2D(kernel_size=2, stride=2))
            continue
        layers.append(nn.Conv2D(width, item, kernel_size=3, padding=1))
        if batch_norm:
            layers.append(nn.BatchNorm2D(item))
        layers.append(nn.ReLU())
        width = item
    return nn.Sequential(*layers)


def _vgg(depth: int, batch_norm: bool, pretrained: Any, **kwargs: Any) -> VGG:
    cfg = [item for width, n in zip(WIDTHS, REPEATS[depth], strict=True) for item in [width] * n + ["M"]]
    arch = f"vgg{depth}_bn" if batch_norm else f"vgg{depth}"
    return with_weights(VGG(make_layers(cfg, batch_norm), **kwargs), arch, PUBLISHED, pretrained)


def vgg11(pretrained: Any = False, batch_norm: bool = False, **kwargs: Any) -> VGG:
    """`VGG` of 11 layers; ``pretrained`` as in `with_weights`, ``batch_norm`` as in `make_layers`, the rest goes to `VGG`.

    Example:
        >>> net = paddle.vision.models.vgg11(num_classes=10)
    """
    return _vgg(11, batch_norm, pretrained, **kwargs)


def vgg13(pretrained: Any = False, batch_norm: bool = False, **kwargs: Any) -> VGG:
    """`VGG` of 13 layers; see `vgg11`.

    ``pretrained`` and ``batch_norm`` are as there.

    Example:
        >>> net = paddle.vision.models.vgg13(num_classes=10)
    """
    return _vgg(13, batch_norm, pretrained, **kwargs)


def vgg16(pretrained: Any = False, batch_norm: bool = False, **kwargs: Any) -> VGG:
    """`VGG` of 16 layers; see `vgg11`.

    ``pretrained`` and ``batch_norm`` are as there.

    Example:
        >>> net = paddle.vision.models.vgg16(num_classes=10)
    """
    return _vgg(16, batch_norm, pretrained, **kwargs)


def vgg19(pretrained: Any = False, batch_norm: bool = False, **kwargs: Any) -> VGG:
    """`VGG` of 19 layers; see `vgg11`.

    ``pretrained`` and ``batch_norm`` are as there.

    Example:
        >>> net = paddle.vision.models.vgg19(num_classes=10)
    """
    return _vgg(19, batch_norm, pretrained, **kwargs)
