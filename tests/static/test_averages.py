"""Averages of parameters over training steps."""

import numpy as np
import pytest

import to_static as paddle
from to_static.core.errors import ModeError


@pytest.mark.parametrize("with_steps", [False, True])
def test_averages_are_those_of_the_formula(static, with_steps):
    x = static.data("x", [None, 2])
    loss = (static.nn.fc(x, 1, bias_attr=False)).mean()
    test = static.default_main_program().clone(for_test=True)
    paddle.optimizer.SGD(0.1).minimize(loss)
    steps = static.create_global_var([1], 0, "int64", True) if with_steps else None
    if with_steps:
        paddle.assign(steps + 1, steps)
    ema = static.ExponentialMovingAverage(0.9, steps, name="slow_")
    ema.update()
    [weight] = test.all_parameters()
    executor, feed = static.Executor(), {"x": np.ones((1, 2), "float32")}
    average, remaining = 0.0, 1.0
    for step in range(1, 4):
        executor.run(feed=feed)
        decay = min(0.9, (step + 1) / (step + 10)) if with_steps else 0.9
        average, remaining = average * decay + weight.numpy() * (1 - decay), remaining * decay
    trained = weight.numpy().copy()
    with ema.apply(executor):
        np.testing.assert_allclose(weight.numpy(), average / (1 - remaining), rtol=1e-5)
        [inside] = executor.run(test, feed=feed, fetch_list=[loss])
        np.testing.assert_allclose(inside, weight.numpy().sum(), rtol=1e-5)
    np.testing.assert_array_equal(weight.numpy(), trained)
    with ema.apply(executor, need_restore=False):
        pass
    assert not np.array_equal(weight.numpy(), trained)
    ema.restore(executor)
    np.testing.assert_array_equal(weight.numpy(), trained)


def test_only_for_programs():
    with pytest.raises(ModeError, match="enable_static"):
        paddle.static.ExponentialMovingAverage()
