"""The gradient tape: backward, grad, hooks, higher orders, what is freed and what is kept."""

import gc
import weakref

import numpy as np
import pytest

import to_static as paddle
from to_static.core.errors import AutogradError, ShapeError


def leaf(value, dtype="float64"):
    return paddle.to_tensor(value, dtype=dtype, stop_gradient=False)


def test_backward_adds_up():
    x = leaf([1.0, 2.0])
    y = (x * x).sum()
    y.backward()
    assert x.grad.tolist() == [2, 4]
    (x * 3.0).sum().backward()
    assert x.grad.tolist() == x._grad_ivar().tolist() == [5, 7]
    x.clear_grad()
    assert x.grad.tolist() == [0, 0]
    (x * 3.0).sum().backward()
    x.clear_gradient()
    assert x.grad.tolist() == [0, 0]


def test_gradients_that_are_equal_are_not_one():
    a, b = (paddle.to_tensor([1.0, 2.0], stop_gradient=False) for _ in range(2))
    (a + b).sum().backward()
    with paddle.no_grad():
        a.grad.fill_(5.0)
    assert (a.grad.tolist(), b.grad.tolist()) == ([5, 5], [1, 1])
    held = a.grad
    (a * 2).sum().backward()
    assert (held.tolist(), a.grad.tolist(), a.grad.stop_gradient) == ([7, 7], [7, 7], False)


def test_weights_of_backward():
    x = leaf([1.0, 2.0])
    (x * x).backward(paddle.to_tensor([10.0, 100.0], dtype="float64"))
    assert x.grad.tolist() == [20, 400]
    with pytest.raises(ShapeError, match="has shape"):
        (x * x).backward(paddle.ones([3], "float64"))


def test_a_value_used_twice():
    x = leaf(3.0)
    y = x * x
    (y * y + y).backward()
    assert x.grad.item() == 4 * 27 + 6


def test_long_chains_need_no_recursion():
    x = leaf(1.0)
    y = x
    for _ in range(5000):
        y = y + x
    y.backward()
    assert x.grad.item() == 5001


def test_what_stops_gradients():
    x, z = leaf([1.0]), paddle.to_tensor([2.0], dtype="float64")
    (x * z + (x * 5.0).detach() + (x > 0).astype("float64")).backward()
    assert x.grad.tolist() == [2] and z.grad is None
    with pytest.warns(UserWarning, match="stop_gradient=True, so nothing is differentiated") as seen:
        assert (z * z).backward() is None
    assert z.grad is None and len(seen) == 1 and seen[0].filename == __file__
    with pytest.raises(ShapeError, match=r"has shape \[3\], the tensor \[1\]"):
        (z * z).backward(paddle.ones([3], "float64"))
    with pytest.warns(UserWarning, match="stop_gradient=True"):
        paddle.autograd.backward([z * z, x * 3.0])  # of several losses the others are differentiated
    assert x.grad.tolist() == [5]


def test_the_graph_is_freed():
    x = leaf([1.0])
    y = x * x
    y.backward(retain_graph=True)
    y.backward()
    assert x.grad.tolist() == [4]
    with pytest.raises(AutogradError, match="was freed by an earlier backward"):
        y.backward()


def test_memory_is_released_without_the_collector():
    gc.disable()
    try:
        x = leaf(np.ones(10))
        y = x * 2.0
        inner = weakref.ref(y)
        z = (y * y).sum()
        del y
        z.backward()
        del z
        assert inner() is None
    finally:
        gc.enable()


def test_grad():
    x, y, z = leaf([2.0]), leaf([3.0]), leaf([4.0])
    gx, gy = paddle.grad(x * y, [x, y])
    assert (gx.item(), gy.item()) == (3, 2) and x.grad is None
    with pytest.raises(AutogradError, match="allow_unused"):
        paddle.grad(x * y, z)
    assert paddle.grad(x * y, [z], allow_unused=True) == [None]
    [g] = paddle.grad([x * y, x * x], x, grad_outputs=[paddle.to_tensor([10.0], dtype="float64"), None])
    assert g.item() == 34
    h = x * x
    [g] = paddle.grad(h * y, x, no_grad_vars=[y])
    assert g.item() == 12
    assert paddle.grad(h * y, x, no_grad_vars=[h], allow_unused=True) == [None]


def test_gradients_of_values_in_the_middle():
    x = leaf([2.0])
    y = x * x
    gx, gy = paddle.grad(y * y, [x, y])
    assert gx.item() == 32 and gy.item() == 8


def test_higher_orders():
    x = leaf(2.0)
    y = x * x * x * x
    for want in (32, 48, 48, 24):
        [y] = paddle.grad(y, x, create_graph=True)
        assert y.item() == want


def test_gradient_penalty():
    x = leaf([1.0, 2.0])
    [g] = paddle.grad((x * x * x).sum(), x, create_graph=True)
    (g * g).sum().backward()
    assert x.grad.tolist() == [36, 288]


def test_first_order_gradients_have_no_graph():
    x = leaf(2.0)
    [g] = paddle.grad(x * x, x)
    assert g.stop_gradient


def test_hooks():
    x = leaf([1.0])
    y = x * 2.0
    seen = []
    first = y.register_hook(lambda g: seen.append(g.item()))
    y.register_hook(lambda g: g * 10.0)
    handle = x.register_hook(lambda g: g + 1.0)
    (y * 3.0).backward()
    assert seen == [3] and x.grad.tolist() == [61]
    assert first.remove() and handle.remove()
    x.clear_grad()
    (x * 2.0).backward()
    assert x.grad.tolist() == [2]
    with pytest.raises(AutogradError, match="stop_gradient=True"):
        paddle.ones([1]).register_hook(print)


def test_retained_gradients():
    x = leaf([1.0])
    y = x * 2.0
    y.retain_grads()
    (y * 3.0).backward()
    assert y.grad.tolist() == [3]


def test_changes_in_place_are_differentiated():
    x = leaf([1.0, 2.0])
    y = x * 2.0
    z = y * y
    y.add_(x)
    (z + y).sum().backward()
    assert x.grad.tolist() == [8 + 3, 16 + 3]  # z was computed before the change


def test_devices_move_with_gradients():
    x = leaf([1.0])
    (x.cpu() * 2.0).backward()
    assert x.grad.tolist() == [2]


def test_no_grad():
    x = leaf([1.0])
    with paddle.no_grad():
        assert (x * 2.0).stop_gradient
    assert not (x * 2.0).stop_gradient
