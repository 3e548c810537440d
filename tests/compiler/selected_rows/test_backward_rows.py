"""Static functions that look up tables with ``sparse=True`` give the gradients by rows, as dynamic ones do."""

import numpy as np
import pytest

import to_static as paddle
from to_static import nn
from to_static.compiler.selected_rows.tensor import SelectedRows

IDS = np.asarray([[3, 1, 3], [0, 3, 4]])
WEIGHTS = np.random.default_rng(0).normal(size=(2, 3, 4)).astype("float32")


class Net(nn.Layer):
    def __init__(self, use, sparse=True, padding_idx=None):
        super().__init__()
        self.table = nn.Embedding(6, 4, sparse=sparse, padding_idx=padding_idx)
        self.scale = self.create_parameter([4])
        self.use = use

    def forward(self, ids, other):
        return self.use(self, ids, other)


def once(net, ids, other):
    return (net.table(ids) * net.scale * paddle.to_tensor(WEIGHTS)).sum()


def twice(net, ids, other):
    return (net.table(ids) * net.table(other)).sum()


def to_two_results(net, ids, other):
    return net.table(ids).sum(), (net.table(other) * net.scale).tanh().mean()


def and_all_of_it(net, ids, other):
    return net.table(ids).sum() + net.table.weight.square().sum()


def under_a_condition(net, ids, other):
    found = net.table(ids).sum()
    if found > 100:
        found = found + net.table(other).sum()
    return found


def gradients(use, static, sparse=True, padding_idx=None, spec=None, steps=1, lazy=True):
    paddle.seed(1)
    net = Net(use, sparse, padding_idx)
    called = paddle.jit.to_static(net, input_spec=spec, full_graph=True) if static else net
    adam = paddle.optimizer.Adam(0.1, parameters=net.parameters(), lazy_mode=lazy)
    for step in range(steps):
        if step:
            adam.step()
            adam.clear_grad()
        for ids in (IDS, IDS[::-1] + 1):
            results = called(paddle.to_tensor(ids), paddle.to_tensor(5 - ids))
            sum(results if isinstance(results, tuple) else [results]).backward()
    return net.table.weight, net.scale


@pytest.mark.parametrize("padding_idx", [None, 3])
@pytest.mark.parametrize("use", [once, twice, to_two_results, and_all_of_it, under_a_condition])
def test_they_are_those_of_dynamic_mode(use, padding_idx):
    (table, scale), (dense, other) = gradients(use, True, True, padding_idx), gradients(use, False, False, padding_idx)
    by_rows = use not in (and_all_of_it, under_a_condition)
    assert (type(table.grad) is SelectedRows) is by_rows
    if by_rows:
        assert table.grad._dense is None  # nobody looked
    np.testing.assert_allclose(table.grad.numpy(), dense.grad.numpy(), rtol=1e-6)
    if scale.grad is not None:
        np.testing.assert_allclose(scale.grad.numpy(), other.grad.numpy(), rtol=1e-6)


def test_sizes_may_be_unknown():
    spec = [paddle.static.InputSpec([None, None], "int64")] * 2
    table, dense = gradients(to_two_results, True, spec=spec)[0], gradients(to_two_results, False, False)[0]
    assert type(table.grad) is SelectedRows
    np.testing.assert_allclose(table.grad.numpy(), dense.grad.numpy(), rtol=1e-6)


@pytest.mark.parametrize("lazy", [False, True])
def test_steps_are_those_of_dynamic_mode(lazy):
    static, dynamic = (gradients(to_two_results, static, steps=4, lazy=lazy)[0] for static in (True, False))
    np.testing.assert_allclose(static.numpy(), dynamic.numpy(), rtol=1e-6)


def test_a_gradient_of_a_gradient_goes_through_them():
    net = Net(lambda net, ids, other: net.table(ids).square().sum())
    table = net.table.weight
    results = []
    for called in (net, paddle.jit.to_static(net, full_graph=True)):
        [first] = paddle.grad(called(paddle.to_tensor(IDS), paddle.to_tensor(IDS)), [table], create_graph=True)
        [second] = paddle.grad((first**2).sum(), [table])
        results.append(second.numpy())
    np.testing.assert_allclose(*results, rtol=1e-6)
