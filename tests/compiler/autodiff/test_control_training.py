"""Layers full of control flow train statically as they do dynamically: losses, gradients, random numbers."""

import numpy as np
import pytest

import to_static as paddle
import to_static.nn.functional as F
from to_static import nn
from to_static.jit import to_static


class Looping(nn.Layer):
    """while with break, continue, a list that grows, dropout, batch normalization, two returns."""

    def __init__(self):
        super().__init__()
        self.inner, self.norm, self.head = nn.Linear(4, 4), nn.BatchNorm1D(4), nn.Linear(4, 3)

    def forward(self, x, n):
        outs = []
        h = self.inner(x)
        i = paddle.zeros([], "int64")
        while i < n:
            h = F.dropout(self.norm(paddle.tanh(self.inner(h))), 0.2) + x
            if h.sum() > 1.0:
                h = h * 0.5
                if i > 1:
                    break
            outs.append(h)
            i = i + 1
        for row in x:
            if row.sum() < -2.0:
                continue
            h = h + row * 0.1
        if len(outs) > 2:
            return self.head(paddle.stack(outs).mean(0))
        return self.head(h)


class Recurrent(nn.Layer):
    """A cell in a for loop over a tensor, with an early return."""

    def __init__(self):
        super().__init__()
        self.cell, self.head = nn.GRUCell(4, 4), nn.Linear(4, 3)

    def forward(self, x, n):
        h = paddle.zeros([x.shape[0], 4])
        states = [h]
        for t in range(n):
            _, h = self.cell(x * float(t + 1), h)
            states.append(h)
            if h.max() > 0.9:
                return self.head(h) * 2
        return self.head(paddle.concat(states, 0))


def train(make, static):
    paddle.seed(3)
    net = make()
    call = to_static(net) if static else net
    optimizer = paddle.optimizer.SGD(0.1, parameters=net.parameters())
    rng = np.random.default_rng(0)
    seen = []
    for n in range(5):
        x = paddle.to_tensor(rng.normal(size=(5, 4)).astype("float32"), stop_gradient=False)
        y = call(x, paddle.to_tensor(n))
        loss = (y * y).mean()
        loss.backward()
        grads = [np.zeros(p.shape) if p.grad is None else p.grad.numpy() for p in net.parameters()]
        seen.append([loss.numpy(), np.zeros(x.shape) if x.grad is None else x.grad.numpy(), *grads])
        optimizer.step()
        optimizer.clear_grad()
    return seen


@pytest.mark.parametrize("make", [Looping, Recurrent])
def test_training_is_the_same(make):
    for dynamic, static in zip(train(make, False), train(make, True), strict=True):
        for want, got in zip(dynamic, static, strict=True):
            np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-6)
