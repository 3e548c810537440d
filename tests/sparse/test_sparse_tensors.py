"""Sparse tensors as values: their text, gradients, errors, and life in static functions."""

from __future__ import annotations

import copy
import math

import numpy as np
import pytest

import to_static as paddle
from to_static.core.errors import AutogradError, DTypeError, ShapeError

X = [[0.0, -1.0, 0.0, 2.0], [0.0, 0.0, -3.0, 0.0], [4.0, 5.0, 0.0, 0.0]]


def made(kind="coo", stop_gradient=True):
    x = paddle.to_tensor(X, stop_gradient=stop_gradient)
    return x, x.to_sparse_coo(2) if kind == "coo" else x.to_sparse_csr()


def test_text():
    assert str(made()[1]) == (
        "Tensor(shape=[3, 4], dtype=paddle.float32, place=Place(cpu), stop_gradient=True, \n"
        "       indices=[[0, 0, 1, 2, 2],\n"
        "                [1, 3, 2, 0, 1]], \n"
        "       values=[-1.,  2., -3.,  4.,  5.])"
    )
    assert repr(made("csr", False)[1]) == (
        "Tensor(shape=[3, 4], dtype=paddle.float32, place=Place(cpu), stop_gradient=False, \n"
        "       crows=[0, 2, 3, 5], \n"
        "       cols=[1, 3, 2, 0, 1], \n"
        "       values=[-1.,  2., -3.,  4.,  5.])"
    )


def test_what_it_is():
    dense, x = made()
    assert isinstance(x, paddle.Tensor)
    assert paddle.is_tensor(x)
    assert (x.shape, x.ndim, x.dim(), x.size, len(x), x.nnz()) == ([3, 4], 2, 2, 12, 3, 5)
    assert (x.is_sparse(), x.is_sparse_coo(), x.is_sparse_csr(), x.is_dense()) == (True, True, False, False)
    assert (dense.is_sparse(), dense.is_sparse_csr(), dense.is_dense()) == (False, False, True)
    assert dense.is_same_shape(x)
    assert x.is_same_shape(dense)
    assert dense.to_dense() is dense
    np.testing.assert_array_equal(x.numpy(), X)
    np.testing.assert_array_equal(x.detach().cpu().clone().tolist(), X)
    np.testing.assert_array_equal(copy.deepcopy(x.detach()).numpy(), X)


@pytest.mark.parametrize("kind", ["coo", "csr"])
def test_gradients(kind):
    dense, x = made(kind, stop_gradient=False)
    seen = []
    x.register_hook(seen.append)
    x.retain_grads()
    paddle.sparse.square(x).backward()
    np.testing.assert_array_equal(dense.grad.numpy(), 2 * np.asarray(X, "float32"))
    for gradient in (x.grad, seen[0]):
        assert type(gradient) is type(x)
        np.testing.assert_array_equal(gradient.values().numpy(), [-2, 4, -6, 8, 10])
    leaf = x.detach()
    leaf.stop_gradient = False
    y = paddle.sparse.neg(leaf)
    y.backward(y)
    np.testing.assert_array_equal(leaf.grad.values().numpy(), [-1, 2, -3, 4, 5])
    leaf.clear_gradient(False)
    assert leaf.grad is None


def test_values_that_want_a_gradient_get_it_from_coordinates_only():
    values = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    x = paddle.sparse.sparse_coo_tensor([[0, 1]], values, [2], stop_gradient=False)
    y = paddle.sparse.sparse_csr_tensor([0, 1, 2], [0, 1], values, [2, 2], stop_gradient=False)
    assert (x.is_leaf, y.is_leaf) == (False, True)
    (paddle.sparse.square(x).to_dense().sum() + paddle.sparse.square(y).to_dense().sum()).backward()
    assert values.grad.tolist() == [2.0, 4.0]
    assert y.grad.values().tolist() == [2.0, 4.0]


def test_numbers_at_one_place_are_added():
    x = paddle.sparse.sparse_coo_tensor([[1, 0, 1], [1, 2, 1]], [1.0, 2.0, 4.0], [2, 3])
    assert x.to_dense().tolist() == [[0, 0, 2], [0, 5, 0]]
    y = x.coalesce()
    assert (y.indices().tolist(), y.values().tolist()) == ([[0, 1], [2, 1]], [2.0, 5.0])
    assert x.to_sparse_csr().to_dense().tolist() == x.to_dense().tolist()
    assert paddle.sparse.add(x, y).to_dense().tolist() == [[0, 0, 4], [0, 10, 0]]


def test_sums_of_several_dimensions():
    x = made()[1]
    assert paddle.sparse.sum(x, [0, 1]).values().tolist() == [7.0]
    assert paddle.sparse.sum(x, [0, 1], keepdim=True).shape == [1, 1]
    three = paddle.to_tensor([X, X]).to_sparse_csr()
    assert paddle.sparse.sum(three, -1).to_dense().tolist() == [[1, -3, 9]] * 2
    assert paddle.sparse.sum(three).to_dense().tolist() == [[14]]


def test_windows_that_paddle_places_differently():
    """Padding on one side, 'SAME' and `ceil_mode`, which Paddle does not look at: as the dense functions do it."""
    numbers = np.random.RandomState(0).normal(size=(1, 3, 5, 4, 2)).astype("float32")
    x, w = paddle.to_tensor(numbers), paddle.randn([3, 3, 3, 2, 3])
    sparse = x.to_sparse_coo(4)
    for padding in ([0, 1, 1, 2, 0, 1], "same"):
        made = paddle.sparse.nn.functional.conv3d(sparse, w, padding=padding, stride=2)
        wanted = paddle.nn.functional.conv3d(x, w.transpose([4, 3, 0, 1, 2]), padding=padding, stride=2, data_format="NDHWC")
        np.testing.assert_allclose(made.to_dense().numpy(), wanted.numpy(), atol=1e-4)
    made = paddle.sparse.nn.functional.max_pool3d(sparse, 2, stride=2, ceil_mode=True)
    wanted = paddle.nn.functional.max_pool3d(x, 2, stride=2, ceil_mode=True, data_format="NDHWC")
    np.testing.assert_array_equal(made.to_dense().numpy(), wanted.numpy())


def test_in_a_static_function():
    """A structure of tensors: given, branched on, returned, its gradients the dynamic ones; no Program for each new one."""

    def f(x, w):
        y = paddle.sparse.square(x)
        if w.sum() > 0:
            y = paddle.sparse.neg(y)
        return y, paddle.sparse.matmul(y, w), w.to_sparse_coo(2)

    static = paddle.jit.to_static(f)
    for sign in (1.0, -1.0):
        results = []
        for function in (f, static):
            dense, x = made(stop_gradient=False)
            w = paddle.full([4, 2], sign)
            y, product, back = function(x, w)
            assert y.is_sparse_coo()
            assert back.nnz() == 8
            (product.sum() + y.values().sum()).backward()
            results.append([y.numpy(), product.numpy(), dense.grad.numpy()])
        for a, b in zip(*results, strict=True):
            np.testing.assert_allclose(a, b)
    assert len(static.program_cache) == 1


def test_a_layer_of_points_trains():
    paddle.seed(0)
    net = paddle.nn.Sequential(
        paddle.sparse.nn.SubmConv3D(2, 4, 3, padding=1), paddle.sparse.nn.BatchNorm(4), paddle.sparse.nn.ReLU(),
        paddle.sparse.nn.Conv3D(4, 3, 2), paddle.sparse.nn.MaxPool3D(2),
    )  # fmt: skip
    points = np.random.RandomState(0).normal(size=(2, 4, 4, 4, 2)) * (np.random.RandomState(1).uniform(size=(2, 4, 4, 4, 1)) < 0.3)
    x = paddle.to_tensor(points.astype("float32")).to_sparse_coo(4)
    optimizer = paddle.optimizer.SGD(0.05, parameters=net.parameters())
    losses = []
    for _ in range(4):
        loss = ((net(x).values() - 1) ** 2).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        losses.append(float(loss))
    assert losses == sorted(losses, reverse=True)


def test_sync_batch_norms_take_the_place_of_others():
    nn = paddle.sparse.nn
    net = nn.SyncBatchNorm.convert_sync_batchnorm(paddle.nn.Sequential(nn.BatchNorm(3), paddle.nn.BatchNorm2D(3)))
    assert (type(net[0]), type(net[1])) == (nn.SyncBatchNorm, paddle.nn.SyncBatchNorm)
    assert net[0](paddle.randn([1, 2, 2, 2, 3]).to_sparse_coo(4)).shape == [1, 2, 2, 2, 3]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda x: paddle.tanh(x), "expected a"),
        (lambda x: x + x, "paddle.sparse.add"),
        (lambda x: 2 * x, "paddle.sparse.multiply"),
        (lambda x: -x, "paddle.sparse.neg"),
        (lambda x: x[0], "paddle.sparse.slice"),
        (lambda x: np.asarray(x), "to_dense"),
        (lambda x: paddle.sparse.sin(x.to_dense()), "to_sparse_coo"),
        (lambda x: paddle.sparse.add(x, x.to_sparse_csr()), "expected a sparse COO tensor"),
        (lambda x: x.to_dense().values(), "to_sparse_coo"),
        (lambda x: x.to_dense().crows(), "to_sparse_csr"),
    ],
)
def test_dense_and_sparse_are_told_apart(call, words):
    with pytest.raises(TypeError, match=words):
        call(made()[1])


def test_a_method_of_dense_tensors():
    with pytest.raises(AttributeError, match=r"paddle\.sparse, or x\.to_dense\(\)\.tanh"):
        made()[1].tanh()
    assert not hasattr(made()[1], "no_such_thing")


@pytest.mark.parametrize(
    ("error", "arguments"),
    [
        (ShapeError, ([0, 1], [1.0, 2.0])),
        (ShapeError, ([[0, 1]], [1.0, 2.0, 3.0])),
        (ShapeError, ([[0, 1], [1, 0]], [1.0, 2.0], [1, 3])),
        (ShapeError, ([[0, 1], [1, 0]], [1.0, 2.0], [3])),
        (ShapeError, ([[0, -1]], [1.0, 2.0], [3])),
        (DTypeError, ([[0.0, 1.0]], [1.0, 2.0])),
    ],
)
def test_coordinates_that_do_not_fit(error, arguments):
    with pytest.raises(error, match="sparse_coo_tensor"):
        paddle.sparse.sparse_coo_tensor(*arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        ([0, 1, 2], [0, 1], [1.0, 2.0], [3, 2]),
        ([0, 1, 3], [0, 1], [1.0, 2.0], [2, 2]),
        ([1, 1, 2], [0, 1], [1.0, 2.0], [2, 2]),
        ([0, 2, 1], [0, 1], [1.0, 2.0], [2, 2]),
        ([0, 1, 2], [0, 2], [1.0, 2.0], [2, 2]),
        ([0, 1, 2], [0, 1], [1.0], [2, 2]),
        ([0, 1, 2], [0, 1], [1.0, 2.0], [4]),
    ],
)
def test_rows_that_do_not_fit(arguments):
    with pytest.raises(ShapeError, match="sparse_csr_tensor"):
        paddle.sparse.sparse_csr_tensor(*arguments)


def test_grad_and_backward_take_sparse_tensors():
    x, y = (paddle.sparse.sparse_coo_tensor([[0, 1]], [1.0, -2.0], [3]) for _ in range(2))
    x.stop_gradient = y.stop_gradient = False
    squares = paddle.sparse.square(x)
    for found in (
        paddle.grad(squares, x, retain_graph=True)[0],
        paddle.grad([squares], [x, y], [None], retain_graph=True, allow_unused=True)[0],
        paddle.grad(squares.to_dense().sum(), [x], retain_graph=True)[0],
    ):
        assert found.is_sparse_coo() and found.values().tolist() == [2.0, -4.0]
    assert paddle.grad(squares, [x], [x], retain_graph=True)[0].values().tolist() == [2.0, 8.0]
    assert paddle.grad(squares, [x, y], retain_graph=True, allow_unused=True)[1] is None
    with pytest.raises(AutogradError, match="does not influence"):
        paddle.grad(squares, [y], retain_graph=True)
    paddle.autograd.backward([squares], [x])
    assert x.grad.values().tolist() == [2.0, 8.0]


def test_rows_of_a_dense_tensor_keep_their_gradient():
    """In Paddle, where no gradient goes on to the dense tensor, they are a leaf."""
    x = paddle.to_tensor(X, stop_gradient=False)
    rows = x.to_sparse_csr()
    paddle.sparse.square(rows).to_dense().sum().backward()
    assert rows.grad.to_dense().tolist() == x.grad.tolist() == (2 * x).tolist()


def test_the_sum_of_all_is_of_the_dtype_before_it_is_added_others_after():
    x = paddle.sparse.sparse_coo_tensor([[0, 0, 1, 1], [0, 1, 0, 2]], [1.7, 2.6, -0.9, 0.8], [2, 3])
    for form in (x, x.to_sparse_csr()):
        assert paddle.sparse.sum(form, dtype="int64").values().tolist() == [3]
        assert paddle.sparse.sum(form, -1, dtype="int64").values().tolist() == [4, 0]
        whole = paddle.sparse.cast(form, None, "int32")
        assert paddle.sparse.sum(whole).dtype == paddle.int64 and paddle.sparse.sum(whole, -1).dtype == paddle.int32


@pytest.mark.parametrize("shape", [[0, 3], [3, 0], [2, 0, 3], [0, 2, 3]])
def test_rows_of_an_empty_tensor(shape):
    x = paddle.zeros(shape).to_sparse_csr()
    assert (x.shape, x.crows().tolist(), x.cols().shape) == (shape, [0] * (math.prod(shape[:-2]) * (shape[-2] + 1)), [0])
    assert x.to_dense().shape == shape and x.numel().item() == 0


def test_copies_are_leaves_with_numbers_of_their_own():
    x = paddle.sparse.sparse_coo_tensor([[0, 2]], [1.0, 2.0], [4], stop_gradient=False)
    for form in (x, paddle.sparse.square(x), paddle.to_tensor([[0.0, 3.0]]).to_sparse_csr()):
        copied = copy.deepcopy(form)
        assert type(copied) is type(form) and copied.is_leaf and copied.stop_gradient == form.stop_gradient
        assert copied.to_dense().tolist() == form.to_dense().tolist() and copied._values is not form._values
    assert x.numel().item() == 4 and x.numel().dtype == paddle.int64
