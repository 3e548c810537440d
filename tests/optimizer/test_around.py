"""LBFGS, LookAhead and ModelAverage: Paddle's numbers, and what they do in static functions."""

import json
import pathlib

import numpy as np
import pytest

import to_static as paddle
from tests.optimizer.around_cases import CASES
from to_static.core.errors import ModeError, TranslationError
from to_static.incubate.optimizer import LBFGS, LookAhead, ModelAverage

RECORDED = json.loads((pathlib.Path(__file__).parent / "paddle_around.json").read_text())


@pytest.mark.parametrize("name", CASES)
def test_as_paddle(name):
    np.testing.assert_allclose(CASES[name](paddle), RECORDED[name], rtol=2e-3 if "lbfgs" in name else 1e-5)


def test_lbfgs_finds_the_bottom_of_a_valley():
    x = paddle.to_tensor([-1.2, 1.0], stop_gradient=False)
    opt = LBFGS(parameters=[x], max_iter=60, line_search_fn="strong_wolfe")

    @paddle.jit.to_static(full_graph=True)
    def value(x):
        return 100 * (x[1] - x[0] ** 2) ** 2 + (1 - x[0]) ** 2

    def closure():
        opt.clear_grad()
        loss = value(x)
        loss.backward()
        return loss

    opt.step(closure)
    np.testing.assert_allclose(x.numpy(), [1.0, 1.0], atol=2e-3)
    state = opt.state_dict()
    assert state["state"]["n_iter"] > 10
    other = LBFGS(parameters=[x])
    other.set_state_dict(state)
    assert len(other._history) == len(opt._history)


def test_lbfgs_refuses():
    x = paddle.to_tensor([1.0], stop_gradient=False)
    opt = LBFGS(parameters=[x])
    with pytest.raises(RuntimeError, match="only 'strong_wolfe'"):
        LBFGS(parameters=[x], line_search_fn="armijo")
    with pytest.raises(NotImplementedError, match="call step"):
        opt.minimize(x)
    with pytest.raises(ModeError, match="made without parameters"):
        LBFGS().step(lambda: x)
    with pytest.raises(TranslationError, match="LBFGS.step"):
        paddle.jit.to_static(lambda: opt.step(lambda: x), full_graph=True)()


def test_lookahead_in_a_static_step():
    def weights(static):
        paddle.seed(0)
        net = paddle.nn.Linear(3, 2)
        opt = LookAhead(paddle.optimizer.SGD(0.1, parameters=net.parameters()), k=2)

        def step(x):
            loss = net(x).square().mean()
            loss.backward()
            opt.step()
            opt.clear_grad()
            return loss

        step = paddle.jit.to_static(step, full_graph=True) if static else step
        for _ in range(5):
            step(paddle.ones([2, 3]))
        return net.weight.numpy()

    np.testing.assert_allclose(weights(True), weights(False), rtol=1e-6)


def test_lookahead_and_average_refuse():
    x = paddle.to_tensor([1.0], stop_gradient=False)
    inner = paddle.optimizer.SGD(0.1, parameters=[x])
    assert LookAhead(inner).get_lr() == 0.1
    with pytest.raises(TypeError, match="must be an Optimizer"):
        LookAhead(None)
    with pytest.raises(ValueError, match="alpha should be"):
        LookAhead(inner, alpha=2)
    with pytest.raises(ValueError, match="positive integer"):
        LookAhead(inner, k=0)
    average = ModelAverage(0.5, [x], 1, 4)
    x.grad = paddle.ones([1])
    average.minimize(x)
    x.set_value(paddle.to_tensor([3.0]))
    with average.apply(need_restore=False):
        assert x.tolist() == [1.0]
    assert x.tolist() == [1.0]
    average.restore()
    assert x.tolist() == [3.0]
