"""Gradients of tables that are looked up with ``sparse=True``: tensors like others, but rows until somebody looks."""

import copy
import pickle

import numpy as np
import pytest

import to_static as paddle
from to_static.compiler.selected_rows.tensor import SelectedRows
from to_static.nn import functional as F

IDS = [[3, 1, 3], [0, 3, 4]]
WEIGHTS = np.random.default_rng(0).normal(size=(2, 3, 4)).astype("float32")


def _table(sparse=True, padding_idx=None):
    paddle.seed(1)
    return paddle.nn.Embedding(6, 4, sparse=sparse, padding_idx=padding_idx)


def _backward(net, ids=IDS):
    (net(paddle.to_tensor(ids)) * paddle.to_tensor(WEIGHTS)).sum().backward()
    return net.weight.grad


@pytest.mark.parametrize("padding_idx", [None, 3])
def test_its_numbers_are_those_of_the_dense_one(padding_idx):
    found, dense = _backward(_table(True, padding_idx)), _backward(_table(False, padding_idx))
    assert type(found) is SelectedRows and isinstance(found, paddle.Tensor)
    assert (found.shape, found.ndim, found.size, found.dtype) == ([6, 4], 2, 24, paddle.float32)
    assert found.by_rows[0].tolist() == ([0, 1, 3, 4] if padding_idx is None else [0, 1, 4])
    assert found._dense is None  # nobody looked
    np.testing.assert_allclose(found.numpy(), dense.numpy(), rtol=1e-6)  # the order of the sums differs
    np.testing.assert_array_equal((found * 2 + 1).numpy(), found.numpy() * 2 + 1)
    assert not found.stop_gradient and not found.is_selected_rows()


def test_the_function_means_its_parameter():
    table = paddle.create_parameter([6, 4], "float32")
    F.embedding(paddle.to_tensor(IDS), table, sparse=True).sum().backward()
    assert table.grad.by_rows is not None
    computed = table * 2
    F.embedding(paddle.to_tensor(IDS), computed, sparse=True).sum().backward()
    assert type(table.grad) is not SelectedRows


@pytest.mark.parametrize("padding_idx", [None, 3])
def test_a_second_backward_adds_rows(padding_idx):
    nets = _table(True, padding_idx), _table(False, padding_idx)
    for net in nets:
        _backward(net)
        _backward(net, [[2, 2, 2], [3, 3, 0]])
    assert nets[0].weight.grad.by_rows[0].tolist() == ([0, 1, 2, 3, 4] if padding_idx is None else [0, 1, 2, 4])
    np.testing.assert_allclose(nets[0].weight.grad.numpy(), nets[1].weight.grad.numpy(), rtol=1e-6)


def test_another_use_of_the_table_adds_all_of_it():
    found = []
    for sparse in (True, False):
        net = _table(sparse)
        ((net(paddle.to_tensor(IDS)) * paddle.to_tensor(WEIGHTS)).sum() + net.weight.square().sum()).backward()
        found.append(net.weight.grad)
    np.testing.assert_allclose(found[0].numpy(), found[1].numpy(), rtol=1e-6)
    net = _table()
    for _ in range(2):  # one after the other, and the other way round
        net.weight.square().sum().backward()
        _backward(net)
    np.testing.assert_allclose(net.weight.grad.numpy(), 2 * found[1].numpy(), rtol=1e-6)


def test_changed_in_place_it_has_no_rows_any_more():
    grad = _backward(_table())
    wanted = grad.numpy() * 3 + 1
    with paddle.no_grad():
        grad.scale_(3.0)
        assert grad.by_rows is None
        grad.add_(paddle.ones([6, 4]))
    np.testing.assert_allclose(grad.numpy(), wanted, rtol=1e-6)


def test_copies_views_and_files():
    grad = _backward(_table())
    wanted = grad.numpy()
    view = grad.detach()
    for other in (view, grad.clone(), copy.deepcopy(grad), pickle.loads(pickle.dumps(grad)), paddle.assign(grad)):
        np.testing.assert_array_equal(other.numpy(), wanted)
    with paddle.no_grad():
        view.zero_()
    assert not grad.numpy().any()


def test_hooks_see_it_and_may_change_it():
    net, seen = _table(), []
    net.weight.register_hook(lambda g: seen.append(g.numpy()) or g * 2)
    grad = _backward(net)
    np.testing.assert_array_equal(grad.numpy(), 2 * seen[0])


def test_asked_for_by_grad_it_is_dense():
    net = _table()
    [found] = paddle.grad((net(paddle.to_tensor(IDS)) * paddle.to_tensor(WEIGHTS)).sum(), net.weight)
    np.testing.assert_array_equal(found.numpy(), _backward(_table(False)).numpy())
