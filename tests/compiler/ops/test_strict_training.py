"""Layers, losses, optimizers, static functions and saved models on arrays that refuse to become NumPy arrays."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import to_static as paddle
from tests.compiler.ops.strict_arrays import StrictArray
from to_static import nn
from to_static.core import backend


class Net(nn.Layer):
    """A bit of everything: convolution, statistics, pooling, dropout, an embedding, a branch and a loop over tensors."""

    def __init__(self, dropout=0.3):
        super().__init__()
        self.conv, self.bn, self.pool = nn.Conv2D(1, 2, 3, padding=1), nn.BatchNorm2D(2), nn.MaxPool2D(2)
        self.fc, self.drop = nn.Linear(8, 3), nn.Dropout(dropout)
        self.emb, self.ln = nn.Embedding(7, 3), nn.LayerNorm(3)

    def forward(self, x, ids):
        h = self.pool(nn.functional.relu(self.bn(self.conv(x))))
        h = self.drop(h.flatten(1))
        if h.sum() > 1e9:
            h = h * 0.5
        i = paddle.to_tensor(0)
        while i < 2:
            h = h * 1.01
            i = i + 1
        return self.ln(self.fc(h) + self.emb(ids).mean(1))


OPTIMIZERS = {
    "sgd": lambda p: paddle.optimizer.SGD(0.1, parameters=p),
    "momentum": lambda p: paddle.optimizer.Momentum(0.01, parameters=p, weight_decay=0.01),
    "adamw": lambda p: paddle.optimizer.AdamW(0.01, parameters=p, grad_clip=nn.ClipGradByGlobalNorm(1.0)),
}


def inputs(rng):
    x = rng.normal(size=(5, 1, 4, 4)).astype("float32")
    return [paddle.to_tensor(a) for a in (x, rng.integers(0, 7, (5, 3)), rng.integers(0, 3, 5))]


def losses(optimizer, static, dropout=0.0):
    paddle.seed(0)
    rng = np.random.default_rng(0)
    net = Net(dropout)
    layer = paddle.jit.to_static(net) if static else net
    steps = OPTIMIZERS[optimizer](net.parameters())
    found = []
    for _ in range(3):
        x, ids, y = inputs(rng)
        loss = nn.functional.cross_entropy(layer(x, ids), y)
        loss.backward()
        steps.step()
        steps.clear_grad()
        found.append(float(loss))
    for p in net.parameters():
        assert backend.backend_of(p._array) is backend.current()
    return found


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_training_gives_the_losses_of_numpy(here, optimizer):
    ours = [losses(optimizer, static) for static in (False, True)]
    backend.set_device("cpu")
    expected = losses(optimizer, False)
    np.testing.assert_allclose(ours, [expected, expected], rtol=1e-4)


def test_dropout_draws_on_the_device(here):
    np.testing.assert_allclose(losses("sgd", True, 0.3), losses("sgd", False, 0.3), rtol=1e-4)


def test_saved_models_run(here, tmp_path):
    net = Net()
    net.eval()
    spec = paddle.static.InputSpec
    paddle.jit.save(net, str(tmp_path / "m"), input_spec=[spec([None, 1, 4, 4], "float32"), spec([None, 3], "int64")])
    x, ids, _ = inputs(np.random.default_rng(0))
    found = paddle.jit.load(str(tmp_path / "m"))(x, ids)
    assert isinstance(found._array, StrictArray)
    np.testing.assert_allclose(found.numpy(), net(x, ids).numpy(), rtol=1e-5)
    paddle.save(net.state_dict(), str(tmp_path / "net.pdparams"))
    net.set_state_dict(paddle.load(str(tmp_path / "net.pdparams")))


def test_what_users_do_with_a_tensor(here):
    x = paddle.to_tensor([[3.0, 1.0], [2.0, 5.0]])
    x[0] = 1.0
    x[x > 2] = 0.0
    x[:, 1] += 1
    assert x.tolist() == [[1, 2], [2, 1]]
    assert (len(x), x[1, 1].item(), bool(x.sum() > 0), float(x.mean())) == (2, 1, True, 1.5)
    assert "Place(strict:0)" in str(x)
    y = copy.deepcopy(x)
    y.set_value(np.zeros((2, 2), "float32"))
    assert isinstance(paddle.concat([x, y])._array, StrictArray)
    assert x.cpu().numpy().tolist() == x.numpy().tolist()
    assert sum(row.sum().item() for row in x) == 6
