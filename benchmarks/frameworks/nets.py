"""The networks of the workloads, written once for all frameworks that have the primitives of `Primitives`.

Each takes a framework's primitives ``f``, its inputs and its weights (in the order of `networks.ordered`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Protocol


class Primitives(Protocol):
    """What a framework must do; values are its own, numbers are float32, images are NCHW, weights of linear layers [in, out]."""

    def linear(self, x: Any, w: Any, b: Any) -> Any:
        """``x @ w + b``."""

    def matmul(self, x: Any, y: Any) -> Any:
        """A product of matrices, batched."""

    def conv(self, x: Any, w: Any, b: Any, stride: int, pad: int, groups: int) -> Any:
        """A convolution; ``b`` may be None."""

    def batch_norm(self, x: Any, scale: Any, shift: Any, mean: Any, variance: Any, epsilon: float) -> Any:
        """With fixed statistics."""

    def layer_norm(self, x: Any, scale: Any, shift: Any) -> Any:
        """Over the last dimension; epsilon 1e-5."""

    def max_pool(self, x: Any, size: int, stride: int, pad: int) -> Any:
        """The largest of each window."""

    def mean(self, x: Any) -> Any:
        """Over the image, which becomes 1 x 1."""

    def act(self, kind: str, x: Any) -> Any:
        """relu, gelu (by erf), tanh, sigmoid, hardswish, hardsigmoid (of slope 1/6), or softmax (over the last dimension)."""

    def reshape(self, x: Any, shape: tuple[int, ...]) -> Any:
        """As NumPy's."""

    def transpose(self, x: Any, perm: tuple[int, ...]) -> Any:
        """As NumPy's."""

    def split(self, x: Any, count: int) -> list[Any]:
        """Equal pieces along the first dimension."""

    def concat(self, x: Any, y: Any, axis: int) -> Any:
        """As NumPy's."""


def mlp(f: Primitives, x: Any, w: list[Any]) -> Any:
    """512-256-128-2."""
    x = f.act("relu", f.linear(x, w[0], w[1]))
    return f.linear(f.act("relu", f.linear(x, w[2], w[3])), w[4], w[5])


def lenet(f: Primitives, x: Any, w: list[Any]) -> Any:
    """LeNet."""
    x = f.max_pool(f.act("relu", f.conv(x, w[0], w[1], 1, 1, 1)), 2, 2, 0)
    x = f.max_pool(f.act("relu", f.conv(x, w[2], w[3], 1, 0, 1)), 2, 2, 0)
    x = f.linear(f.reshape(x, (-1, 400)), w[4], w[5])
    return f.linear(f.linear(x, w[6], w[7]), w[8], w[9])


def regression(f: Primitives, x: Any, w: list[Any]) -> Any:
    """784 to 10."""
    return f.linear(x, w[0], w[1])


def encoder(f: Primitives, x: Any, w: list[Any]) -> Any:
    """A Transformer encoder's block."""
    n = x.shape[0]
    q, k, v = (f.reshape(f.linear(x, w[2 * i], w[2 * i + 1]), (n, 128, 4, 64)) for i in range(3))
    q, k, v = f.transpose(q, (0, 2, 1, 3)), f.transpose(k, (0, 2, 3, 1)), f.transpose(v, (0, 2, 1, 3))
    h = f.matmul(f.act("softmax", f.matmul(q, k) * 0.125), v)
    h = f.linear(f.reshape(f.transpose(h, (0, 2, 1, 3)), (n, 128, 256)), w[6], w[7])
    x = f.layer_norm(x + h, w[12], w[13])
    h = f.linear(f.act("gelu", f.linear(x, w[8], w[9])), w[10], w[11])
    return f.layer_norm(x + h, w[14], w[15])


def _conv_norm(f: Primitives, x: Any, w: Iterator[Any], stride: int, groups: int = 1, epsilon: float = 1e-5) -> Any:
    weight = next(w)
    found = f.conv(x, weight, None, stride, weight.shape[2] // 2, groups)
    return f.batch_norm(found, next(w), next(w), next(w), next(w), epsilon)


def resnet18(f: Primitives, x: Any, weights: list[Any]) -> Any:
    """ResNet-18."""
    w = iter(weights)
    x = f.max_pool(f.act("relu", _conv_norm(f, x, w, 2)), 3, 2, 1)
    for stage in range(4):
        for second in (False, True):
            stride = 2 if stage and not second else 1
            y = _conv_norm(f, f.act("relu", _conv_norm(f, x, w, stride)), w, 1)
            x = f.act("relu", y + (_conv_norm(f, x, w, stride) if stride == 2 else x))
    return f.linear(f.reshape(f.mean(x), (-1, 512)), next(w), next(w))


def mobilenet(f: Primitives, x: Any, weights: list[Any]) -> Any:
    """MobileNetV3-small."""
    from networks import MOBILE

    w, in_channels = iter(weights), 16
    x = f.act("hardswish", _conv_norm(f, x, w, 2, 1, 1e-3))
    for _, expanded, out_channels, squeeze, swish, stride in MOBILE:
        act, y = "hardswish" if swish else "relu", x
        if expanded != in_channels:
            y = f.act(act, _conv_norm(f, y, w, 1, 1, 1e-3))
        y = f.act(act, _conv_norm(f, y, w, stride, expanded, 1e-3))
        if squeeze:
            h = f.act("relu", f.conv(f.mean(y), next(w), next(w), 1, 0, 1))
            y = y * f.act("hardsigmoid", f.conv(h, next(w), next(w), 1, 0, 1))
        y = _conv_norm(f, y, w, 1, 1, 1e-3)
        x = x + y if stride == 1 and in_channels == out_channels else y
        in_channels = out_channels
    x = f.act("hardswish", _conv_norm(f, x, w, 1, 1, 1e-3))
    x = f.act("hardswish", f.linear(f.reshape(f.mean(x), (-1, 576)), next(w), next(w)))
    return f.linear(x, next(w), next(w))


def gpt(f: Primitives, x: Any, keys: Any, values: Any, w: list[Any]) -> Any:
    """A token through a block of a decoder."""
    h = f.linear(f.layer_norm(x, w[0], w[1]), w[4], w[5])
    q, k, v = f.split(f.transpose(f.reshape(h, (1, 1, 3, 4, 64)), (2, 0, 3, 1, 4)), 3)
    q, k, v = (f.reshape(part, (1, 4, 1, 64)) for part in (q, k, v))
    keys, values = f.concat(keys, k, 2), f.concat(values, v, 2)
    h = f.matmul(f.act("softmax", f.matmul(q, f.transpose(keys, (0, 1, 3, 2))) * 0.125), values)
    x = x + f.linear(f.reshape(f.transpose(h, (0, 2, 1, 3)), (1, 1, 256)), w[6], w[7])
    h = f.linear(f.act("gelu", f.linear(f.layer_norm(x, w[2], w[3]), w[8], w[9])), w[10], w[11])
    return x + h, keys, values


def chain(f: Primitives, x: Any, w: list[Any]) -> Any:
    """Elementwise operators."""
    return f.act("tanh", x * 2.0 + 1.0) * 0.5 + f.act("sigmoid", x) - x * x


NETS: dict[str, Callable[..., Any]] = {
    "a1": mlp, "a64": mlp, "c1": lenet, "c64": lenet, "e1": encoder, "e8": encoder, "f": resnet18, "g": chain,
    "j": gpt, "k": mobilenet,
}  # fmt: skip
STEPS: dict[str, Callable[..., Any]] = {"ct": lenet, "d": regression}
