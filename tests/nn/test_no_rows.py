"""A batch without rows goes through layers and losses: shapes, gradients, dynamic and static, training and not."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import to_static as paddle
from to_static import nn
from to_static.nn import functional as F


class Loss(nn.Layer):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x):
        return self.function(x)


def convolutions():
    return nn.Sequential(
        nn.Conv2D(3, 8, 3, padding=1), nn.BatchNorm2D(8), nn.ReLU(), nn.MaxPool2D(2), nn.Conv2D(8, 8, 3, groups=2), nn.AvgPool2D(2),
        nn.Flatten(), nn.Linear(8, 5), nn.LayerNorm(5), nn.Softmax(),
    )  # fmt: skip


CASES = {
    "convolutions": (convolutions, [0, 3, 8, 8], [0, 5]),
    "group norm": (lambda: nn.GroupNorm(2, 4), [0, 4, 2], [0, 4, 2]),
    "group norm, channels last": (lambda: nn.GroupNorm(2, 4, data_format="NHWC"), [0, 2, 2, 4], [0, 2, 2, 4]),
    "instance norm": (lambda: nn.InstanceNorm1D(4), [0, 4, 2], [0, 4, 2]),
    "attention": (lambda: nn.MultiHeadAttention(4, 2), [0, 3, 4], [0, 3, 4]),
    "encoder": (lambda: nn.TransformerEncoderLayer(4, 2, 8), [0, 3, 4], [0, 3, 4]),
    "transposed": (lambda: nn.Conv2DTranspose(3, 4, 3), [0, 3, 5, 5], [0, 4, 7, 7]),
    "adaptive pool": (lambda: nn.AdaptiveMaxPool2D(2), [0, 4, 7, 7], [0, 4, 2, 2]),
    "upsample": (lambda: nn.Upsample(scale_factor=2), [0, 3, 3, 3], [0, 3, 6, 6]),
    "cross entropy": (
        lambda: Loss(lambda x: F.cross_entropy(x, paddle.zeros([0], "int64"), reduction="none")),
        [0, 5],
        [0],
    ),
    "kron": (lambda: Loss(lambda x: paddle.kron(x, paddle.ones([2, 2]))), [0, 3], [0, 6]),
    **{
        f"{kind.__name__} {ways} {steps}": (
            lambda kind=kind, ways=ways: nn.Sequential(kind(3, 4, direction=ways), Loss(lambda found: found[0])),
            [rows, steps, 3],
            [rows, steps, 8 if ways == "bidirect" else 4],
        )
        for kind in (nn.GRU, nn.LSTM, nn.SimpleRNN)
        for ways in ("forward", "bidirect")
        for rows, steps in ((0, 5), (2, 0))
    },
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("static", [True, False])
def test_no_rows(name, training, static):
    make, shape, wanted = CASES[name]
    net = make()
    (net.train if training else net.eval)()
    if static:
        net = paddle.jit.to_static(net, full_graph=True)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")  # means of nothing
        with paddle.no_grad():
            assert net(paddle.zeros(shape)).shape == wanted
        x = paddle.zeros(shape)
        x.stop_gradient = False
        y = net(x)
        y.sum().backward()
    assert x.grad.shape == shape


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ([2, 0], [2, 2]),
        ([0, 2], [2, 2]),
        ([2, 2], [2, 0]),
        ([0], [2]),
        ([0, 0], [3, 2]),
        ([2], [2, 0]),
        ([3, 2, 0], [2, 2]),
        ([0, 0, 2], [2]),
    ],
)
def test_kron_of_no_elements(a, b):
    x, y = (paddle.to_tensor(np.ones(shape, "float32"), stop_gradient=False) for shape in (a, b))
    z = paddle.kron(x, y)
    assert tuple(z.shape) == np.kron(x.numpy(), y.numpy()).shape
    z.sum().backward()
    assert (x.grad.shape, y.grad.shape) == (a, b)
    f = paddle.jit.to_static(lambda x, y: paddle.kron(x, y), full_graph=True)
    assert f(x, y).shape == z.shape


def test_a_shape_of_zeros_for_no_elements():
    x = paddle.zeros([0, 3])
    assert (
        x.reshape([0, -1]).shape == [0, 3]
        and x.reshape([2, 0]).shape == [2, 0]
        and x.reshape([2, 3, 0]).shape == [2, 3, 0]
    )
