"""`backward` through one run of a static function takes a shorter way, with the gradients of the long one."""

import numpy as np
import pytest

import to_static as paddle
from to_static.compiler.eager import tape
from to_static.compiler.frontend.function.program.training import ProgramNode
from to_static.core.errors import AutogradError

X = np.float32([[1.0, -2.0], [3.0, 0.5]])


def tensors(*arrays):
    return [paddle.to_tensor(array, stop_gradient=False) for array in arrays]


def parameters(*arrays):
    assign = paddle.nn.initializer.Assign
    return [paddle.create_parameter(list(a.shape), "float32", default_initializer=assign(a)) for a in arrays]


def gradients(makes_fresh, use, monkeypatch, leaves=tensors):
    """What ``use(function, x, w, b)`` gives, by the shorter way or by the long one."""
    monkeypatch.setattr(ProgramNode, "makes_fresh", makes_fresh)
    w, b = leaves(X.T, np.float32([1, 2]))

    @paddle.jit.to_static
    def f(x):
        return (paddle.tanh(x @ w) + b).sum()

    return use(f, paddle.to_tensor(X), w, b)


def once(f, x, w, b):
    f(x).backward()
    return w.grad, b.grad


def twice(f, x, w, b):
    f(x).backward()
    f(x).backward()
    return w.grad, b.grad


def of_an_input(f, x, w, b):
    x.stop_gradient = False
    f(x).backward()
    return x.grad, w.grad


def by_a_computed_input(f, x, w, b):
    x.stop_gradient = False
    f(x * w).backward()
    return x.grad, w.grad


def after_other_operators(f, x, w, b):
    (f(x) ** 2).backward()
    return w.grad, b.grad


def with_hooks(f, x, w, b):
    w.register_hook(lambda g: g * 3)
    f(x).backward()
    return w.grad, b.grad


def hooked_later(f, x, w, b):
    f(x).backward()
    b.clear_gradient()
    f(x).backward()
    w.register_hook(lambda g: g * 3)
    f(x).backward()
    return w.grad, b.grad


def with_a_hook_of_the_result(f, x, w, b):
    y = f(x)
    y.register_hook(lambda g: g * 5)
    y.retain_grads()
    y.backward()
    return w.grad, y.grad


def weighted(f, x, w, b):
    f(x).backward(paddle.to_tensor(0.25))
    return w.grad, b.grad


def cleared(f, x, w, b):
    f(x).backward()
    w.clear_gradient()
    b.clear_grad()
    f(x).backward()
    return w.grad, b.grad


def kept_graph(f, x, w, b):
    y = f(x)
    y.backward(retain_graph=True)
    y.backward()
    return w.grad, b.grad


def changed_in_place(f, x, w, b):
    f(x).backward()
    first = w.grad
    with paddle.no_grad():
        w.grad.multiply_(paddle.to_tensor(2.0))
    return first, b.grad


USES = [
    once, twice, of_an_input, by_a_computed_input, after_other_operators, with_hooks, hooked_later, with_a_hook_of_the_result,
    weighted, cleared, kept_graph, changed_in_place,
]  # fmt: skip


@pytest.mark.parametrize("leaves", [tensors, parameters])  # for parameters a function of their own is written
@pytest.mark.parametrize("use", USES, ids=lambda use: use.__name__)
def test_both_ways_give_the_same(use, leaves, monkeypatch):
    short, long = gradients(True, use, monkeypatch, leaves), gradients(False, use, monkeypatch, leaves)
    for a, b in zip(short, long, strict=True):
        np.testing.assert_array_equal(a.numpy(), b.numpy())
        assert a.stop_gradient == b.stop_gradient and a.is_leaf == b.is_leaf and a.dtype == b.dtype


def test_the_shorter_way_is_taken(monkeypatch):
    monkeypatch.setattr(tape, "_swept", None)
    assert gradients(True, once, monkeypatch)[0] is not None
    assert gradients(True, twice, monkeypatch)[0] is not None
    for use in (weighted, with_hooks, after_other_operators):
        with pytest.raises(TypeError):
            gradients(True, use, monkeypatch)


def test_a_freed_graph_is_refused(monkeypatch):
    def again(f, x, w, b):
        y = f(x)
        y.backward()
        y.backward()

    with pytest.raises(AutogradError, match="was freed"):
        gradients(True, again, monkeypatch)


def test_gradients_are_recorded_afterwards_as_before(monkeypatch):
    assert paddle.is_grad_enabled()
    gradients(True, once, monkeypatch)
    assert paddle.is_grad_enabled()


def test_what_a_run_has_done_is_not_done_again_for_gradients_of_gradients(capsys):
    schedule = paddle.optimizer.lr.StepDecay(1.0, 1, 0.5)

    @paddle.jit.to_static(full_graph=True)
    def cubed(x):
        print("here", x)
        assert x > 0
        schedule.step()
        return x * x * x

    x = paddle.to_tensor([2.0], stop_gradient=False)
    (once,) = paddle.grad([cubed(x)], [x], create_graph=True)
    (twice,) = paddle.grad([once], [x])
    assert (once.tolist(), twice.tolist(), schedule.last_lr) == ([12.0], [12.0], 0.5)
    assert capsys.readouterr().out.count("here") == 1

    scaled = paddle.jit.to_static(lambda x: x * x * schedule.last_lr, full_graph=True)
    with pytest.raises(AutogradError, match="reads a learning rate"):
        paddle.grad([scaled(x)], [x], create_graph=True)
