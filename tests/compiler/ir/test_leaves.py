"""Tensors that are changed outside of the graph: dynamic and static gradients are the same."""

import numpy as np
import pytest

import to_static as paddle


def scattered_view(x):
    y = x.clone()
    flat = y.flatten()
    flat.scatter_(paddle.to_tensor([1, 4]), paddle.zeros([2]))
    return y, flat


def written_base(x):
    y = x * 2
    flat = y.reshape([-1])
    y[0, 0] = 99.0
    y[1, 1] = -3.0
    return flat


def view_of_view(x):
    part = (x + x[0, 0])[0:1]
    first = part.squeeze()
    part[0] = 0.0
    part[0] = 2.0
    return first, part


def computed_afterwards(x):
    y = x * 3
    row = y[1]
    y[1, 0] = 5.0
    return (row * row).sum() + y.exp().mean()


def in_a_branch(x):
    y = x * 3
    row = y[1]
    if x.sum() > 0:
        y[1, 0] = 5.0
    return row * x[0]


def backward_inside(x):
    y = x * 3
    row = y[1]
    y[1, 0] = 5.0
    (row * row).sum().backward()
    return x.grad * 1


def leaf_through_a_view(x):
    y = paddle.ones([2, 3])
    y.stop_gradient = False
    with paddle.no_grad():
        y.reshape([-1])[0] = 7.0
    return (x * y), y.is_leaf


def in_no_grad(x):
    y = x * 2
    with paddle.no_grad():
        y[0] = 4.0
    y.scale_(2.0)
    return y


def in_no_grad_of_a_branch(x):
    y = x * 2
    if x.sum() > 0:
        with paddle.no_grad():
            y.clip_(0.0, 0.5)
    return y * x, y


def in_no_grad_and_backward(x):
    y = x * 2
    with paddle.no_grad():
        y.scale_(3.0)
    (y * y).sum().backward()
    return x.grad * 1


def in_no_grad_through_a_view(x):
    y = x * 2
    flat = y.flatten()
    with paddle.no_grad():
        flat[0] = 4.0
        y.add_(paddle.ones([2, 3]))
    return flat, y * 3


PROGRAMS = [
    scattered_view, written_base, view_of_view, computed_afterwards, in_a_branch, backward_inside, leaf_through_a_view,
    in_no_grad, in_no_grad_of_a_branch, in_no_grad_and_backward, in_no_grad_through_a_view,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_gradients_are_those_of_dynamic_mode(program):
    results = []
    for function in (program, paddle.jit.to_static(program, full_graph=True)):
        for _ in range(2):
            x = paddle.to_tensor(np.arange(1, 7, dtype="float32").reshape(2, 3) / 7, stop_gradient=False)
            outputs = paddle.utils.flatten(function(x))
            tensors = [v for v in outputs if isinstance(v, paddle.Tensor) and not v.stop_gradient]
            if tensors:
                sum((v * v).sum() for v in tensors).backward()
            results.append([*(np.asarray(v) for v in outputs), len(tensors), x.grad.numpy()])
    for other in results[1:]:
        for got, want in zip(other, results[0], strict=True):
            np.testing.assert_allclose(got, want, rtol=1e-6)


def test_a_tensor_of_the_graph_stays_no_leaf_when_a_view_of_it_changes():
    @paddle.jit.to_static(full_graph=True)
    def f(x):
        y = x * 2
        row = y[0]
        y[0, 0] = 1.0
        assert not row.is_leaf
        return row

    row = f(paddle.to_tensor([[1.0, 2.0]], stop_gradient=False))
    assert not row.is_leaf and row.grad_fn is not None


@pytest.mark.parametrize("static", [False, True], ids=["dynamic", "static"])
def test_a_change_in_no_grad_leaves_a_computed_tensor_in_the_graph_as_in_paddle(static):
    def change(y):
        with paddle.no_grad():
            y[0] = 4.0
        return y

    x = paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]], stop_gradient=False)
    y = x * 2
    z = (paddle.jit.to_static(change, full_graph=True) if static else change)(y)
    assert z is y and not y.is_leaf
    (y * y).sum().backward()
    assert x.grad.tolist() == [[16.0, 16.0], [24.0, 32.0]]  # Paddle 2.6.2
