"""`Optimizer.minimize` in static mode and inside static functions: the Program trains as dynamic mode does."""

import contextlib

import numpy as np
import pytest

from tests.golden.optimizer_cases import OPTIMIZERS, STEPS
from tests.optimizer.golden import recorded
from to_static import optimizer, regularizer, static
from to_static.compiler.eager.tensor import EagerTensor
from to_static.jit import to_static
from to_static.nn import clip
from to_static.optimizer import SGD, Adam, lr

NAMES = {"o": optimizer, "lr": lr, "nn": clip, "reg": regularizer}


@contextlib.contextmanager
def building(main):
    static.enable_static()
    try:
        with static.program_guard(main):
            yield
    finally:
        static.disable_static()


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_a_program_trains_as_paddle_does(name, parameters):
    main = static.Program()
    with building(main):
        grads = [static.data(f"g{i}", p.shape, "float32") for i, p in enumerate(parameters)]
        loss = sum((p * g).sum() for p, g in zip(parameters, grads, strict=True))
        opt = eval(OPTIMIZERS[name], {**NAMES, "P": parameters})
        _, pairs = opt.minimize(loss)
    assert [p for p, _ in pairs] == parameters
    executor = static.Executor()
    for step in range(STEPS):
        executor.run(main, feed={f"g{i}": recorded()[f"grad{i}"][step] for i in range(2)}, fetch_list=[loss])
        if isinstance(opt._learning_rate, lr.LRScheduler):
            opt._learning_rate.step()
        for i, p in enumerate(parameters):
            expected = recorded()[f"{name}.{i}"][step]
            np.testing.assert_allclose(p.numpy(), expected, rtol=2e-5, atol=2e-6, err_msg=f"step {step}")


def test_parameters_may_be_left_to_the_program(parameters):
    parameters[1].stop_gradient = True
    main = static.Program()
    with building(main):
        x = static.data("x", [3], "float32")
        loss = ((parameters[0] * x).sum() + parameters[1].sum()).mean()
    before = [p.numpy() for p in parameters]
    SGD(0.5).minimize(loss)  # outside of the guard: the loss knows its Program
    static.Executor().run(main, feed={"x": np.ones(3, "float32")}, fetch_list=[])
    np.testing.assert_allclose(parameters[0].numpy(), before[0] - 0.5, rtol=1e-6)
    np.testing.assert_array_equal(parameters[1].numpy(), before[1])


def test_learning_rate_can_change_between_runs(parameters):
    main = static.Program()
    with building(main):
        loss = (parameters[1] * static.data("x", [3], "float32")).sum()
        opt = SGD(0.5, parameters)
        opt.minimize(loss)
    opt.set_lr(0.0)
    before = parameters[1].numpy()
    static.Executor().run(main, feed={"x": np.ones(3, "float32")}, fetch_list=[loss])
    np.testing.assert_array_equal(parameters[1].numpy(), before)
    opt.set_lr_scheduler(lr.StepDecay(0.25, 1, 0.5))
    static.Executor().run(main, feed={"x": np.ones(3, "float32")}, fetch_list=[loss])
    np.testing.assert_allclose(parameters[1].numpy(), before - 0.25, rtol=1e-6)


def test_minimize_in_dynamic_mode_is_a_step(parameters):
    loss = (parameters[0] * 2.0).sum()
    loss.backward()
    before = parameters[0].numpy()
    operators, pairs = SGD(0.5, parameters).minimize(loss)
    assert operators == [] and [p for p, _ in pairs] == parameters[:1]
    np.testing.assert_allclose(parameters[0].numpy(), before - 1.0, rtol=1e-6)


def test_a_whole_step_can_be_one_static_function(parameters):
    opt = Adam(0.1, parameters=parameters)

    @to_static
    def train(x):
        loss = ((parameters[1] - x) * (parameters[1] - x)).sum()
        opt.minimize(loss)
        return loss

    target = EagerTensor(np.float32([1.0, -1.0, 0.5]))
    losses = [float(train(target)) for _ in range(150)]
    assert losses[0] > 1.0 and losses[-1] < 1e-3
    np.testing.assert_allclose(parameters[1].numpy(), target.numpy(), atol=0.05)
