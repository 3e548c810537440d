"""Gradients of several lookups in one table are added up at once."""

import numpy as np
import pytest

import to_static as paddle
from to_static import nn
from to_static.nn import functional as F

IDS = [[3, 1, 3], [0, 3, 4], [2, 2, 1]]


def _losses(table, padding_idx=None):
    weights = [paddle.to_tensor(np.random.default_rng(i).normal(size=(3, 4)).astype("float32")) for i in range(3)]
    return [(F.embedding(paddle.to_tensor(ids), table, padding_idx) * w).sum() for ids, w in zip(IDS, weights, strict=True)]


def _table():
    return nn.Embedding(6, 4).weight


@pytest.mark.parametrize("padding_idx", [None, 3])
@pytest.mark.parametrize("beside", [False, True], ids=["lookups", "and another use"])
def test_as_one_by_one(padding_idx, beside):
    table = _table()
    losses = [*_losses(table, padding_idx), *([table.square().sum()] if beside else [])]
    wanted = sum(paddle.grad(loss, table, retain_graph=True)[0].numpy() for loss in losses)
    paddle.add_n(losses).backward()
    np.testing.assert_allclose(table.grad.numpy(), wanted, rtol=1e-5, atol=1e-6)
    assert wanted[3].any() == (padding_idx is None or beside)


def test_they_cost_one_table(monkeypatch):
    from to_static.compiler.ops.indexing import embedding

    made = []
    kernels = embedding.embedding_grad.op.kernels
    kernel = kernels["*"]
    monkeypatch.setitem(kernels, "*", lambda xp, *args, **attrs: made.append(1) or kernel(xp, *args, **attrs))
    paddle.add_n(_losses(_table())).backward()
    assert len(made) == 1


def test_hooks_see_the_sum():
    table, seen = _table(), []
    table.register_hook(lambda g: seen.append(g.numpy().copy()))
    paddle.add_n(_losses(table)).backward()
    assert len(seen) == 1
    np.testing.assert_array_equal(seen[0], table.grad.numpy())


def test_a_second_backward_adds():
    table = _table()
    loss = paddle.add_n(_losses(table))
    loss.backward(retain_graph=True)
    once = table.grad.numpy().copy()
    loss.backward()
    np.testing.assert_allclose(table.grad.numpy(), 2 * once, rtol=1e-6)
