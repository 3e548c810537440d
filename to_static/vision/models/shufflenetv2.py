"""ShuffleNet, second version."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from to_static import nn
from to_static.compiler.ops.shapes.concat_split import concat, split
from to_static.nn.layer import Layer
from to_static.vision.models.weights import with_weights
from to_static.vision.ops.blocks import ConvNormActivation

_CHECKSUMS = {
    "shufflenet_v2_x0_25": "1e509b4c140eeb096bb16e214796d03b", "shufflenet_v2_x0_33": "3d7b3ab0eaa5c0927ff1026d31b729bd",
    "shufflenet_v2_x0_5": "5e5cee182a7793c4e4c73949b1a71bd4", "shufflenet_v2_x1_0": "122d42478b9e81eb49f8a9ede327b1a4",
    "shufflenet_v2_x1_5": "faced5827380d73531d0ee027c67826d", "shufflenet_v2_x2_0": "cd3dddcd8305e7bcd8ad14d1c69a5784",
    "shufflenet_v2_swish": "adde0aa3b023e5b0c94a68be1c394b84",
}  # fmt: skip
PUBLISHED = {arch: (f"https://paddle-hapi.bj.bcebos.com/models/{arch}.pdparams", md5) for arch, md5 in _CHECKSUMS.items()}
ACTIVATIONS: dict[str | None, Any] = {None: None, "relu": nn.ReLU, "swish": nn.Swish}
# channels after the first convolution, of the three stages, and at last
WIDTHS = {
    0.25: (24, 24, 48, 96, 512), 0.33: (24, 32, 64, 128, 512), 0.5: (24, 48, 96, 192, 1024), 1.0: (24, 116, 232, 464, 1024),
    1.5: (24, 176, 352, 704, 1024), 2.0: (24, 224, 488, 976, 2048),
}  # fmt: skip
REPEATS = (4, 8, 4)

Activation = Callable[[], Layer] | None


def channel_shuffle(x: Any, groups: int) -> Any:
    """[N, C, H, W] with its channels dealt out: the first of each group, then the second of each group, and so on."""
    n, channels, height, width = x.shape
    x = x.reshape([n, groups, channels // groups, height, width])
    return x.transpose([0, 2, 1, 3, 4]).reshape([n, channels, height, width])


class InvertedResidual(Layer):
    """One half of the channels goes through three convolutions, the other stays; then they are shuffled."""

    def __init__(self, width: int, activation: Activation) -> None:
        super().__init__()
        branch_width = width // 2
        self._conv_pw = ConvNormActivation(branch_width, branch_width, 1, 1, 0, activation_layer=activation)
        self._conv_dw = ConvNormActivation(branch_width, branch_width, 3, 1, 1, groups=branch_width, activation_layer=None)
        self._conv_linear = ConvNormActivation(branch_width, branch_width, 1, 1, 0, activation_layer=activation)

    def forward(self, inputs: Any) -> Any:
        """A tensor shaped as ``inputs`` [N, width, H, W]."""
        branch_width = inputs.shape[1] // 2
        shortcut, branch = split(inputs, [branch_width, branch_width], axis=1)
        branch = self._conv_linear(self._conv_dw(self._conv_pw(branch)))
        return channel_shuffle(concat([shortcut, branch], axis=1), 2)


class InvertedResidualDS(Layer):
    """Two ways, each of which gives half of the channels at half the size; then they are shuffled."""

    def __init__(self, width: int, filters: int, activation: Activation) -> None:
        super().__init__()
        branch_width = filters // 2
        self._conv_dw_1 = ConvNormActivation(width, width, 3, 2, 1, groups=width, activation_layer=None)
        self._conv_linear_1 = ConvNormActivation(width, branch_width, 1, 1, 0, activation_layer=activation)
        self._conv_pw_2 = ConvNormActivation(width, branch_width, 1, 1, 0, activation_layer=activation)
        self._conv_dw_2 = ConvNormActivation(branch_width, branch_width, 3, 2, 1, groups=branch_width, activation_layer=None)
        self._conv_linear_2 = ConvNormActivation(branch_width, branch_width, 1, 1, 0, activation_layer=activation)

    def forward(self, inputs: Any) -> Any:
        """[N, width, H, W] to [N, filters, H / 2, W / 2]."""
        first = self._conv_linear_1(self._conv_dw_1(inputs))
        second = self._conv_linear_2(self._conv_dw_2(self._conv_pw_2(inputs)))
        return channel_shuffle(concat([first, second], axis=1), 2)


class ShuffleNetV2(Layer):
    """A ShuffleNet of the second version.

    Args:
        scale: 0.25, 0.33, 0.5, 1.0 (default), 1.5 or 2.0: how wide it is. act: 'relu' (default), 'swish' or None.
        num_classes: how many scores (default 1000); 0 for the features. with_pool: average over the image (default True).

    Takes [N, 3, H, W], gives [N, num_classes]. Raises ValueError for another scale or activation.

    Example:
        >>> paddle.vision.models.ShuffleNetV2(0.25)(paddle.ones([1, 3, 64, 64])).shape
        [1, 1000]

    Source: Ma et al., "ShuffleNet V2: Practical Guidelines for Efficient CNN Architecture Design".
    """

    def __init__(
        self, scale: float = 1.0, act: str | None = "relu", num_classes: int = 1000, with_pool: bool = True
    ) -> None:
        super().__init__()
        if scale not in WIDTHS:
            raise ValueError(f"ShuffleNetV2: scale must be one of {', '.join(map(str, WIDTHS))}, got {scale!r}")
        if act not in ACTIVATIONS:
            raise ValueError(f"ShuffleNetV2: act must be 'relu', 'swish' or None, got {act!r}")
        self.scale, self.num_classes, self.with_pool = scale, num_classes, with_pool
        activation, widths = ACTIVATIONS[act], WIDTHS[scale]
        self._conv1 = ConvNormActivation(3, widths[0], 3, 2, 1, activation_layer=activation)
        self._max_pool = nn.MaxPool2D(kernel_size=3, stride=2, padding=1)
        self._block_list: list[Layer] = []
        for stage, count in enumerate(REPEATS):
            in_width, width = widths[stage : stage + 2]
            for k in range(count):
                block = InvertedResidual(width, activation) if k else InvertedResidualDS(in_width, width, activation)
                self._block_list.append(self.add_sublayer(f"{stage + 2}_{k + 1}", block))
        self._last_conv = ConvNormActivation(widths[3], widths[4], 1, 1, 0, activation_layer=activation)
        if with_pool:
            self._pool2d_avg = nn.AdaptiveAvgPool2D(1)
        if num_classes > 0:
            self._out_c = widths[4]
            self._fc = nn.Linear(widths[4], num_classes)

    def forward(self, inputs: Any) -> Any:
        """Scores, without softmax."""
        x = self._max_pool(self._conv1(inputs))
        for block in self._block_list:
            x = block(x)
        x = self._last_conv(x)
        if self.with_pool:
            x = self._pool2d_avg(x)
        return self._fc(x.flatten(1)) if self.num_classes > 0 else x


def _shufflenet(arch: str, pretrained: Any, **kwargs: Any) -> ShuffleNetV2:
    return with_weights(ShuffleNetV2(**kwargs), arch, PUBLISHED, pretrained)


def shufflenet_v2_x0_25(pretrained: Any = False, **kwargs: Any) -> ShuffleNetV2:
    """`ShuffleNetV2` of scale 0.25; ``pretrained`` as in `with_weights`, the rest goes to `ShuffleNetV2`.

    Example:
        >>> net = paddle.vision.models.shufflenet_v2_x0_25(num_classes=10)
    """
    return _shufflenet("shufflenet_v2_x0_25", pretrained, scale=0.25, **kwargs)


def shufflenet_v2_x0_33(pretrained: Any = False, **kwargs: Any) -> ShuffleNetV2:
    """`ShuffleNetV2` of scale 0.33; see `shufflenet_v2_x0_25`.

    ``pretrained`` is as there.

    Example:
        >>> net = paddle.vision.models.shufflenet_v2_x0_33(num_classes=10)
    """
    return _shufflenet("shufflenet_v2_x0_33", pretrained, scale=0.33, **kwargs)


def shufflenet_v2_x0_5(pretrained: Any = False, **kwargs: Any) -> ShuffleNetV2:
    """`ShuffleNetV2` of scale 0.5; see `shufflenet_v2_x0_25`.

    ``pretrained`` is as there.

    Example:
        >>> net = paddle.vision.models.shufflenet_v2_x0_5(num_classes=10)
    """
    return _shufflenet("shufflenet_v2_x0_5", pretrained, scale=0.5, **kwargs)


def shufflenet_v2_x1_0(pretrained: Any = False, **kwargs: Any) -> ShuffleNetV2:
    """`ShuffleNetV2` of scale 1.0; see `shufflenet_v2_x0_25`.

    ``pretrained`` is as there.

    Example:
        >>> net = paddle.vision.models.shufflenet_v2_x1_0(num_classes=10)
    """
    return _shufflenet("shufflenet_v2_x1_0", pretrained, scale=1.0, **kwargs)


def shufflenet_v2_x1_5(pretrained: Any = False, **kwargs: Any) -> ShuffleNetV2:
    """`ShuffleNetV2` of scale 1.5; see `shufflenet_v2_x0_25`.

    ``pretrained`` is as there.

    Example:
        >>> net = paddle.vision.models.shufflenet_v2_x1_5(num_classes=10)
    """
    return _shufflenet("shufflenet_v2_x1_5", pretrained, scale=1.5, **kwargs)


def shufflenet_v2_x2_0(pretrained: Any = False, **kwargs: Any) -> ShuffleNetV2:
    """`ShuffleNetV2` of scale 2.0; see `shufflenet_v2_x0_25`.

    ``pretrained`` is as there.

    Example:
        >>> net = paddle.vision.models.shufflenet_v2_x2_0(num_classes=10)
    """
    return _shufflenet("shufflenet_v2_x2_0", pretrained, scale=2.0, **kwargs)


def shufflenet_v2_swish(pretrained: Any = False, **kwargs: Any) -> ShuffleNetV2:
    """`ShuffleNetV2` of scale 1.0 with Swish; see `shufflenet_v2_x0_25`.

    ``pretrained`` is as there.

    Example:
        >>> net = paddle.vision.models.shufflenet_v2_swish(num_classes=10)
    """
    return _shufflenet("shufflenet_v2_swish", pretrained, scale=1.0, act="swish", **kwargs)
