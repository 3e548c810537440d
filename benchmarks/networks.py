"""The networks that the workloads run. Each function takes the package that it uses, `to_static` or PaddlePaddle, as `paddle`."""

from __future__ import annotations

from typing import Any


def mlp(paddle: Any) -> Any:
    """512-256-128-2 with ReLU (the d2l book's hybridize benchmark)."""
    nn = paddle.nn
    return nn.Sequential(
        nn.Linear(512, 256), nn.ReLU(), nn.Linear(256, 128), nn.ReLU(), nn.Linear(128, 2)
    )  # fmt: skip


def recurrence(paddle: Any) -> Any:
    """A function with a loop whose trips a tensor counts, and a branch that the data decide."""

    def recurrent(x, w, b, n):
        i = paddle.zeros([], "int64")
        while i < n:
            x = paddle.tanh(paddle.matmul(x, w) + b)
            if x.sum() > 0:
                x = x * 0.5
            i = i + 1
        return x

    return recurrent


def lenet(paddle: Any) -> Any:
    """Two convolutions with max pooling, three linear layers; ``[N, 1, 28, 28]`` to ``[N, 10]``."""
    nn = paddle.nn

    class LeNet(nn.Layer):
        def __init__(self):
            super().__init__()
            self.features = nn.Sequential(
                nn.Conv2D(1, 6, 3, padding=1), nn.ReLU(), nn.MaxPool2D(2, 2),
                nn.Conv2D(6, 16, 5), nn.ReLU(), nn.MaxPool2D(2, 2),
            )  # fmt: skip
            self.fc = nn.Sequential(nn.Linear(400, 120), nn.Linear(120, 84), nn.Linear(84, 10))

        def forward(self, x):
            return self.fc(paddle.flatten(self.features(x), 1))

    return LeNet()


def softmax_regression(paddle: Any) -> Any:
    """784 to 10."""
    return paddle.nn.Linear(784, 10)


def encoder(paddle: Any) -> Any:
    """One Transformer block: width 256, 4 heads, 1024 inside, GELU, norms after the sums."""
    return paddle.nn.TransformerEncoderLayer(256, 4, 1024, dropout=0.0, activation="gelu")


def resnet18(paddle: Any) -> Any:
    """ResNet-18 for images of 224x224 and 1,000 classes."""
    nn = paddle.nn

    class Block(nn.Layer):
        def __init__(self, in_channels, channels, stride):
            super().__init__()
            self.conv1 = nn.Conv2D(in_channels, channels, 3, stride, 1, bias_attr=False)
            self.bn1 = nn.BatchNorm2D(channels)
            self.conv2 = nn.Conv2D(channels, channels, 3, 1, 1, bias_attr=False)
            self.bn2 = nn.BatchNorm2D(channels)
            self.relu = nn.ReLU()
            self.down = None
            if stride != 1 or in_channels != channels:
                self.down = nn.Sequential(
                    nn.Conv2D(in_channels, channels, 1, stride, bias_attr=False), nn.BatchNorm2D(channels)
                )  # fmt: skip

        def forward(self, x):
            y = self.relu(self.bn1(self.conv1(x)))
            y = self.bn2(self.conv2(y))
            return self.relu(y + (x if self.down is None else self.down(x)))

    class ResNet18(nn.Layer):
        def __init__(self):
            super().__init__()
            self.conv1 = nn.Conv2D(3, 64, 7, 2, 3, bias_attr=False)
            self.bn1 = nn.BatchNorm2D(64)
            self.relu = nn.ReLU()
            self.pool = nn.MaxPool2D(3, 2, 1)
            blocks, in_channels = [], 64
            for channels, stride in ((64, 1), (128, 2), (256, 2), (512, 2)):
                blocks += [Block(in_channels, channels, stride), Block(channels, channels, 1)]
                in_channels = channels
            self.blocks = nn.Sequential(*blocks)
            self.mean = nn.AdaptiveAvgPool2D(1)
            self.fc = nn.Linear(512, 1000)

        def forward(self, x):
            x = self.pool(self.relu(self.bn1(self.conv1(x))))
            return self.fc(paddle.flatten(self.mean(self.blocks(x)), 1))

    return ResNet18()


def chain(paddle: Any) -> Any:
    """An elementwise function of many operators."""

    def chained(x):
        return paddle.tanh(2 * x + 1) / 2 + paddle.nn.functional.sigmoid(x) - x * x

    return chained


def lstm(paddle: Any) -> Any:
    """An LSTM of 128 over sequences of 128."""
    return paddle.nn.LSTM(128, 128)


MOBILE = (  # kernel, expanded, out, squeeze and excite, hardswish, stride
    (3, 16, 16, True, False, 2), (3, 72, 24, False, False, 2), (3, 88, 24, False, False, 1), (5, 96, 40, True, True, 2),
    (5, 240, 40, True, True, 1), (5, 240, 40, True, True, 1), (5, 120, 48, True, True, 1), (5, 144, 48, True, True, 1),
    (5, 288, 96, True, True, 2), (5, 576, 96, True, True, 1), (5, 576, 96, True, True, 1),
)  # fmt: skip


def divisible(width: float) -> int:
    """The nearest multiple of 8 that is not smaller by more than a tenth."""
    found = max(8, int(width + 4) // 8 * 8)
    return found + 8 if found < 0.9 * width else found


def mobilenet(paddle: Any) -> Any:
    """MobileNetV3-small for images of 224x224 and 1,000 classes."""
    nn = paddle.nn

    def conv(in_channels, out_channels, kernel, stride=1, groups=1, act=None):
        layers = [
            nn.Conv2D(in_channels, out_channels, kernel, stride, kernel // 2, groups=groups, bias_attr=False),
            nn.BatchNorm2D(out_channels, epsilon=0.001),
        ]
        return nn.Sequential(*layers, *([] if act is None else [act()]))

    class Squeeze(nn.Layer):
        def __init__(self, channels):
            super().__init__()
            inside = divisible(channels / 4)
            self.mean = nn.AdaptiveAvgPool2D(1)
            self.fc1, self.fc2 = nn.Conv2D(channels, inside, 1), nn.Conv2D(inside, channels, 1)
            self.relu, self.sigmoid = nn.ReLU(), nn.Hardsigmoid()

        def forward(self, x):
            return x * self.sigmoid(self.fc2(self.relu(self.fc1(self.mean(x)))))

    class Block(nn.Layer):
        def __init__(self, in_channels, kernel, expanded, out_channels, squeeze, swish, stride):
            super().__init__()
            act = nn.Hardswish if swish else nn.ReLU
            layers = [conv(in_channels, expanded, 1, act=act)] if expanded != in_channels else []
            layers += [conv(expanded, expanded, kernel, stride, expanded, act)]
            layers += [Squeeze(expanded)] if squeeze else []
            self.body = nn.Sequential(*layers, conv(expanded, out_channels, 1))
            self.short = stride == 1 and in_channels == out_channels

        def forward(self, x):
            y = self.body(x)
            return x + y if self.short else y

    class MobileNet(nn.Layer):
        def __init__(self):
            super().__init__()
            layers, in_channels = [conv(3, 16, 3, 2, act=nn.Hardswish)], 16
            for kernel, expanded, out_channels, squeeze, swish, stride in MOBILE:
                layers.append(Block(in_channels, kernel, expanded, out_channels, squeeze, swish, stride))
                in_channels = out_channels
            self.features = nn.Sequential(*layers, conv(96, 576, 1, act=nn.Hardswish))
            self.mean = nn.AdaptiveAvgPool2D(1)
            self.classifier = nn.Sequential(nn.Linear(576, 1024), nn.Hardswish(), nn.Linear(1024, 1000))

        def forward(self, x):
            return self.classifier(paddle.flatten(self.mean(self.features(x)), 1))

    return MobileNet()


def gpt(paddle: Any) -> Any:
    """One block of a decoder with a cache: 256 wide, 4 heads. Takes a token ``[N, 1, 256]`` and the cache, twice ``[N, 4, T, 64]``,
    returns the block's result and the cache with the token's keys and values behind it."""
    nn, functional = paddle.nn, paddle.nn.functional

    class Decoder(nn.Layer):
        def __init__(self):
            super().__init__()
            self.norm1, self.norm2 = nn.LayerNorm(256), nn.LayerNorm(256)
            self.qkv, self.out = nn.Linear(256, 768), nn.Linear(256, 256)
            self.up, self.down = nn.Linear(256, 1024), nn.Linear(1024, 256)

        def forward(self, x, keys, values):
            h = self.qkv(self.norm1(x)).reshape([x.shape[0], 1, 3, 4, 64]).transpose([2, 0, 3, 1, 4])
            q, k, v = h[0], h[1], h[2]
            keys, values = paddle.concat([keys, k], 2), paddle.concat([values, v], 2)
            weights = functional.softmax(paddle.matmul(q, keys, transpose_y=True) * 0.125)
            h = paddle.matmul(weights, values).transpose([0, 2, 1, 3]).reshape([x.shape[0], 1, 256])
            x = x + self.out(h)
            return x + self.down(functional.gelu(self.up(self.norm2(x)))), keys, values

    return Decoder()


def ordered(paddle: Any, name: str, net: Any) -> list[Any]:
    """A network's weights in the order in which an image meets them: after a convolution the four of its batch norm."""
    if name == "encoder":
        tensors = dict(net.named_parameters())
        layers = [*(f"self_attn.{p}_proj" for p in ("q", "k", "v", "out")), "linear1", "linear2", "norm1", "norm2"]
        return [tensors[f"{layer}.{kind}"] for layer in layers for kind in ("weight", "bias")]
    if name == "mobilenet":
        return _convolutions(paddle, net)
    if name != "resnet18":
        return list(net.parameters()) if hasattr(net, "parameters") else []
    found = _convolutions(paddle, net.conv1, net.bn1)
    for block in net.blocks:
        found += _convolutions(paddle, block.conv1, block.bn1, block.conv2, block.bn2)
        found += [] if block.down is None else _convolutions(paddle, block.down)
    return found + _convolutions(paddle, net.fc)


def _convolutions(paddle: Any, *layers: Any) -> list[Any]:
    found = []
    for layer in (inner for outer in layers for inner in outer.sublayers(include_self=True)):
        if isinstance(layer, paddle.nn.BatchNorm2D):
            found += [layer.weight, layer.bias, layer._mean, layer._variance]
        elif isinstance(layer, (paddle.nn.Conv2D, paddle.nn.Linear)):
            found += [layer.weight] if layer.bias is None else [layer.weight, layer.bias]
    return found
