"""A kept `w.grad`, and what shares its memory, follows the gradient as in real Paddle 2.6.2, also in static functions."""

from __future__ import annotations

import numpy as np
import pytest

import to_static as paddle


def backward(w, factor=1.0):
    (w * factor).sum().backward()


def written(w):
    w.grad = paddle.full([2, 2], 7.0)


def computed(w):
    w.grad = w.grad * 0.5


def added_in_place(w):
    with paddle.no_grad():
        w.grad.add_(paddle.ones([2, 2]))


def element(w):
    with paddle.no_grad():
        w.grad[0] = 9.0


def stepped(w):
    paddle.optimizer.SGD(0.1, parameters=[w]).step()


def stepped_and_cleared(w):
    optimizer = paddle.optimizer.SGD(0.1, parameters=[w])
    optimizer.step()
    optimizer.clear_grad()


def clipped_by_value(w):
    paddle.nn.utils.clip_grad_value_([w], 0.1)


def clipped_by_norm(w):
    paddle.nn.utils.clip_grad_norm_([w], 0.1)


def cleared(w):
    w.clear_gradient()


def cleared_twice(w):
    w.clear_gradient()
    w.clear_gradient()


def same(w):
    w.grad = w.grad


def replaced_by_copy(w):
    w.grad = w.grad.clone()


def nothing(w):
    pass


HELD = {
    "itself": lambda w: w.grad, "detached": lambda w: w.grad.detach(), "a view": lambda w: w.grad.reshape([-1]),
    "turned": lambda w: w.grad.T, "a row": lambda w: w.grad[1], "a copy": lambda w: w.grad * 1.0,
    "numbers": lambda w: paddle.to_tensor(w.grad.numpy()),
}  # fmt: skip
# sums of what was held and of the gradient: after the event, and after another backward of ten times the gradient; Paddle's
RECORDED = {
    written: (28, 28, 68, 68), computed: (2, 2, 42, 42), added_in_place: (8, 8, 48, 48), element: (20, 20, 60, 60),
    stepped: (4, 4, 44, 44), stepped_and_cleared: (0, 0, 0, 40), clipped_by_value: (0.4, 0.4, 40.4, 40.4),
    clipped_by_norm: (0.2, 0.2, 40.2, 40.2), cleared: (0, 0, 0, 40), cleared_twice: (0, 0, 0, 40), same: (4, 4, 44, 44),
    replaced_by_copy: (4, 4, 44, 44), nothing: (4, 4, 44, 44),
}  # fmt: skip


@pytest.mark.parametrize("name", HELD)
@pytest.mark.parametrize("event", RECORDED, ids=lambda e: e.__name__)
def test_as_paddle_does(event, name):
    w = paddle.to_tensor(np.ones((2, 2), "float32"), stop_gradient=False)
    backward(w)
    held = HELD[name](w)
    event(w)
    first = float(held.sum()), float(w.grad.sum())
    backward(w, 10.0)
    second = float(held.sum()), float(w.grad.sum())
    mine, grad, later, grad_later = RECORDED[event]
    assert (first[1], second[1]) == pytest.approx((grad, grad_later), abs=1e-4)
    if name in ("a copy", "numbers"):
        assert (first[0], second[0]) == (4, 4)
    elif name != "a row":
        assert (first[0], second[0]) == pytest.approx((mine, later), abs=1e-4)
    elif event is not element:
        assert (first[0], second[0]) == pytest.approx((mine / 2, later / 2), abs=1e-4)


def run(event, name, static, inside):
    w = paddle.to_tensor(np.ones((2, 2), "float32"), stop_gradient=False)
    backward(w)
    held = HELD[name](w)

    def step(x):
        if inside:
            backward(w, x)
        event(w)
        if inside:
            backward(w, 3 * x)
        return x * 2

    step = paddle.jit.to_static(step, full_graph=True) if static else step
    seen = []
    for _ in range(3):
        step(paddle.to_tensor(2.0))
        seen += [held.tolist(), w.grad.tolist()]
        backward(w, 10.0)
        seen += [held.tolist(), w.grad.tolist()]
    return seen


@pytest.mark.parametrize("inside", [False, True])
@pytest.mark.parametrize("name", ["itself", "turned", "a copy"])
@pytest.mark.parametrize("event", [e for e in RECORDED if e is not nothing], ids=lambda e: e.__name__)
def test_events_in_static_functions(event, name, inside):
    expected, found = (run(event, name, static, inside) for static in (False, True))
    np.testing.assert_allclose(np.concatenate([np.ravel(x) for x in found]), np.concatenate([np.ravel(x) for x in expected]), 1e-6)


def test_a_gradient_that_a_static_function_gives_back_is_the_gradient():
    def step(w):
        backward(w)
        return w.grad

    for function in (step, paddle.jit.to_static(step, full_graph=True)):
        w = paddle.to_tensor(np.ones((2, 2), "float32"), stop_gradient=False)
        held = function(w)
        backward(w, 10.0)
        assert (float(held.sum()), float(w.grad.sum())) == (44, 44)


def test_a_gradient_that_was_read_in_the_function_follows_there():
    def step(x):
        backward(w, x)
        g = w.grad
        before = g * 1.0
        backward(w, 10.0)
        return g * 1.0, before

    seen = []
    for function in (step, paddle.jit.to_static(step, full_graph=True)):
        w = paddle.to_tensor(np.ones((2, 2), "float32"), stop_gradient=False)
        seen.append([[float(r.sum()) for r in function(paddle.to_tensor(2.0))] for _ in range(2)])
    assert seen[0] == seen[1] == [[48, 8], [96, 56]]
