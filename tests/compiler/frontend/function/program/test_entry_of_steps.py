"""The entry of calls that make a training step does what the step does dynamically, call by call."""

import numpy as np
import pytest

import to_static as paddle
from to_static.compiler.frontend.function import fast_path


class Task:
    """A network with an optimizer, and what there is to see of them."""

    def __init__(self):
        paddle.seed(1)
        self.net = paddle.nn.Linear(3, 2)
        self.opt = paddle.optimizer.Momentum(0.1, parameters=self.net.parameters())

    def seen(self):
        grads = [None if p._grad is None else p.grad.numpy().tolist() for p in self.net.parameters()]
        weights = [p.numpy().tolist() for p in self.net.parameters()]
        return weights, grads, [v.numpy().tolist() for v in self.opt.state_dict().values()]


def cleared(task, x):
    loss = (task.net(x) ** 2).mean()
    loss.backward()
    task.opt.step()
    task.opt.clear_grad()
    return loss


def forgotten(task, x):
    loss, out = (task.net(x) ** 2).mean(), x * 2
    loss.backward()
    task.opt.step()
    task.opt.clear_grad(set_to_zero=False)
    return {"loss": loss, "out": (out, 3)}


def left(task, x):
    task.opt.clear_grad()
    (task.net(x) ** 2).mean().backward()
    task.opt.step()


def cleared_if_there(task, x):
    task.opt.clear_grad()
    return x + 1, task.net.bias * 2


STEPS = [cleared, forgotten, left, cleared_if_there]
X = [paddle.to_tensor(np.random.default_rng(i).normal(size=(4, 3)).astype("float32")) for i in range(8)]


def shown(value):
    if isinstance(value, dict):
        return {k: shown(v) for k, v in value.items()}
    if isinstance(value, tuple):
        return tuple(map(shown, value))
    return (value.stop_gradient, value.is_leaf, value.tolist()) if isinstance(value, paddle.Tensor) else value


def check(step, between=lambda task, i: None):
    """Dynamically and statically the same, after each call."""
    tasks = Task(), Task()
    static = paddle.jit.to_static(lambda x: step(tasks[1], x))
    for i, x in enumerate(X):
        for task in tasks:
            between(task, i)
        found, expected = static(x), step(tasks[0], x)
        np.testing.assert_equal(str(shown(found)).count("True"), str(shown(expected)).count("True"))
        for ours, wanted in zip(flat([shown(found), tasks[1].seen()]), flat([shown(expected), tasks[0].seen()]), strict=True):
            assert ours == wanted if wanted is None else np.allclose(ours, wanted, rtol=1e-5, atol=1e-6)


def flat(value):
    if isinstance(value, dict):
        return flat(list(value.values()))
    return [y for x in value for y in flat(x)] if isinstance(value, (list, tuple)) else [value]


@pytest.mark.parametrize("step", STEPS)
def test_steps_are_python_s(step):
    check(step)


@pytest.mark.parametrize("step", STEPS)
def test_views_of_weights_see_the_step(step):
    views = []

    def between(task, i):
        if i in (3, 6):
            views.append(task.net.weight.detach())
        for view in views[-2:]:
            assert i < 3 or view.shape == [3, 2]

    check(step, between)
    assert np.allclose(views[0], views[1], rtol=1e-5)


@pytest.mark.parametrize("step", STEPS)
def test_freezing_and_gradients_of_before(step):
    def between(task, i):
        task.net.bias.stop_gradient = i in (2, 3, 4)
        if i in (3, 6):
            task.net.weight.grad = None
        if i in (4, 7) and step is not cleared_if_there:
            task.opt.clear_grad(set_to_zero=False)

    check(step, between)


def test_known_calls_are_not_looked_up(monkeypatch):
    task, found, key_of = Task(), [], fast_path.key_of
    monkeypatch.setattr(fast_path, "key_of", lambda *args: (found.append(1), key_of(*args))[1])
    static = paddle.jit.to_static(lambda x: cleared(task, x))
    for x in X[:3]:
        static(x)
    del found[:]
    for x in X:
        static(x)
    assert not found


@pytest.mark.parametrize("argument", [lambda p: p, lambda p: p.detach()], ids=["weight", "view"])
def test_an_argument_that_is_a_weight_or_a_view_of_one(argument):
    def making(task):
        return lambda x: (cleared(task, X[0]), x * 1)[1]

    tasks = Task(), Task()
    calls = making(tasks[0]), paddle.jit.to_static(making(tasks[1]))
    for task, call in zip(tasks, calls, strict=True):
        given = argument(task.net.bias)
        for _ in range(3):
            call(paddle.to_tensor([1.0, 2.0], stop_gradient=given.stop_gradient))
        task.found = call(given)
    np.testing.assert_allclose(tasks[1].found, tasks[0].found, rtol=1e-5)


def test_an_argument_that_is_a_tensor_which_changes():
    def making(count):
        return lambda x: (count.add_(X[0].sum()), x * 2)[1]

    found = []
    for count, convert in ((paddle.zeros([]), paddle.jit.to_static), (paddle.zeros([]), lambda f: f)):
        call = convert(making(count))
        for _ in range(3):
            call(paddle.ones([]))
        found.append(call(count).numpy())
    np.testing.assert_allclose(*found, rtol=1e-5)


def test_a_step_that_fails_has_done_what_python_has():
    def step(task, x):
        loss = (task.net(x) ** 2).mean()
        loss.backward()
        assert loss < 100, "diverged"
        task.opt.step()
        task.opt.clear_grad()
        return loss

    tasks = Task(), Task()
    static = paddle.jit.to_static(lambda x: step(tasks[1], x))
    for x in (*X[:3], X[3] * 1000, *X[3:5], X[5] * 1000):
        found = []
        for call in (lambda x: step(tasks[0], x), static):
            try:
                found.append(call(x).item())
            except AssertionError as error:
                found.append(str(error).splitlines()[0])
        assert found[0] == found[1] or np.allclose(found[0], found[1], rtol=1e-5)
        for ours, wanted in zip(flat(tasks[1].seen()), flat(tasks[0].seen()), strict=True):
            assert ours == wanted if wanted is None else np.allclose(ours, wanted, rtol=1e-4)
