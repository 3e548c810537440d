"""no_grad and friends, as context managers and decorators."""

from __future__ import annotations

import pytest

import to_static as paddle
from to_static.core.errors import ModeError


def _x():
    return paddle.to_tensor([1.0, 2.0], stop_gradient=False)


def test_no_grad_as_a_context():
    x = _x()
    with paddle.no_grad():
        assert (x * 2).stop_gradient and not paddle.is_grad_enabled()
        with paddle.enable_grad():
            assert not (x * 2).stop_gradient
    assert not (x * 2).stop_gradient


def test_no_grad_as_a_decorator_with_and_without_parentheses():
    @paddle.no_grad()
    def f(x):
        return x * 2

    @paddle.no_grad
    def g(x):
        return x * 2

    assert f(_x()).stop_gradient and g(_x()).stop_gradient
    assert paddle.is_grad_enabled()


def test_the_mode_survives_errors_and_generators():
    @paddle.no_grad()
    def items(x):
        yield x * 2
        yield x * 3

    for item in items(_x()):
        assert item.stop_gradient and paddle.is_grad_enabled()
    try:
        with paddle.no_grad():
            raise KeyError
    except KeyError:
        pass
    assert paddle.is_grad_enabled()


def test_set_grad_enabled():
    with paddle.set_grad_enabled(False):
        assert (_x() * 2).stop_gradient


def test_a_plain_call_holds_until_the_next_one():
    paddle.set_grad_enabled(False)
    try:
        assert (_x() * 2).stop_gradient and not paddle.is_grad_enabled()
        with paddle.set_grad_enabled(True):
            assert not (_x() * 2).stop_gradient
        assert (_x() * 2).stop_gradient
    finally:
        paddle.set_grad_enabled(True)
    assert not (_x() * 2).stop_gradient


def test_as_a_decorator_it_is_about_the_function_alone():
    @paddle.set_grad_enabled(False)
    def f(x):
        return x * 2

    assert paddle.is_grad_enabled() and f(_x()).stop_gradient and paddle.is_grad_enabled()


@pytest.mark.parametrize("under_a_condition", [False, True])
def test_a_plain_call_in_a_static_function_is_refused_and_undone(under_a_condition):
    def plain(x):
        paddle.set_grad_enabled(False)
        return x * 2

    def conditional(x):
        if x.sum() > 0:
            paddle.set_grad_enabled(False)
        return x * 2

    with pytest.raises(ModeError, match="with paddle.set_grad_enabled"):
        paddle.jit.to_static(conditional if under_a_condition else plain, full_graph=True)(_x())
    assert paddle.is_grad_enabled()


def test_the_gradient_takes_part_in_differentiation():
    x = _x()
    y = x * 2
    y.retain_grads()
    (y * y).sum().backward()
    assert not x.grad.stop_gradient and not y.grad.stop_gradient and not (x.grad * 2).stop_gradient
    x.clear_gradient()
    assert not x.grad.stop_gradient and x.grad.numpy().tolist() == [0, 0]
    [g] = paddle.grad((x * x).sum(), x)
    assert g.stop_gradient


def test_a_leaf_made_in_a_static_function():
    @paddle.jit.to_static(full_graph=True)
    def f(v):
        w = paddle.to_tensor([3.0, 4.0], stop_gradient=False)
        loss = (w * w * v).sum()
        return loss, w, paddle.grad(loss, w)[0]

    loss, w, g = f(paddle.to_tensor([1.0, 2.0]))
    assert (loss.item(), w.stop_gradient, loss.stop_gradient) == (41, False, False)
    assert g.numpy().tolist() == [6, 16]


def test_clones():
    x = paddle.ones([1])
    x.stop_gradient = False
    for made, stops in ((paddle.no_grad(), True), (paddle.enable_grad(), False)):
        with paddle.no_grad(), made.clone():
            assert (x * 2).stop_gradient is stops
    with paddle.set_grad_enabled(False) as _, paddle.set_grad_enabled(True).clone():
        assert not (x * 2).stop_gradient
