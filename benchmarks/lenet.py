"""LeNet on 28x28 images, batches of 1 and 64: dynamic, static, by hand (windows as columns, one product each).

    python benchmarks/lenet.py
"""

from __future__ import annotations

import timing  # isort: skip (it fixes the number of BLAS threads, before NumPy looks)

import numpy as np

import to_static as paddle


class LeNet(paddle.nn.Layer):
    """Two convolutions with max pooling, three linear layers."""

    def __init__(self) -> None:
        super().__init__()
        nn = paddle.nn
        self.features = nn.Sequential(
            nn.Conv2D(1, 6, 3, padding=1), nn.ReLU(), nn.MaxPool2D(2, 2),
            nn.Conv2D(6, 16, 5), nn.ReLU(), nn.MaxPool2D(2, 2),
        )  # fmt: skip
        self.fc = nn.Sequential(nn.Linear(400, 120), nn.Linear(120, 84), nn.Linear(84, 10))

    def forward(self, x):
        """[N, 1, 28, 28] to [N, 10]."""
        return self.fc(paddle.flatten(self.features(x), 1))


def by_hand(arrays, x):
    """The same in NumPy."""
    k1, c1, k2, c2, w1, b1, w2, b2, w3, b3 = arrays

    def convolve(x, kernel, bias):
        size = kernel.shape[2:]
        windows = np.lib.stride_tricks.sliding_window_view(x, size, (2, 3))
        n, _, h, w = windows.shape[:4]
        columns = windows.transpose(0, 2, 3, 1, 4, 5).reshape(n * h * w, -1)
        y = columns @ kernel.reshape(len(kernel), -1).T + bias
        return y.reshape(n, h, w, -1).transpose(0, 3, 1, 2)

    def pool(x):
        n, c, h, w = x.shape
        return x.reshape(n, c, h // 2, 2, w // 2, 2).max((3, 5))

    def run():
        h = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
        h = pool(np.maximum(convolve(h, k1, c1), 0))
        h = pool(np.maximum(convolve(h, k2, c2), 0))
        return ((h.reshape(len(x), -1) @ w1 + b1) @ w2 + b2) @ w3 + b3

    return run


def compare(batch: int) -> None:
    """Print the table of one batch size."""
    dynamic, static = LeNet(), paddle.jit.to_static(LeNet())
    static.set_state_dict(dynamic.state_dict())
    array = np.random.default_rng(0).normal(size=(batch, 1, 28, 28)).astype("float32")
    x = paddle.to_tensor(array)
    hand = by_hand([p.numpy() for p in dynamic.parameters()], array)
    ways = {"NumPy by hand": hand, "to_static(net)(x)": lambda: static(x), "net(x)": lambda: dynamic(x)}
    with paddle.no_grad():
        np.testing.assert_allclose(static(x).numpy(), hand(), rtol=1e-3, atol=1e-5)
        timing.report(f"LeNet, batch {batch}, no_grad", ways, "NumPy by hand")


if __name__ == "__main__":
    paddle.seed(0)
    for size in (1, 64):
        compare(size)
