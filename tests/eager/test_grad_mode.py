"""no_grad and friends, as context managers and decorators."""

from __future__ import annotations

import to_static as paddle


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
