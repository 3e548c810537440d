"""Schedules against the rates that real Paddle gave (tests/golden/record_optimizers.py)."""

import numpy as np
import pytest

from tests.golden.optimizer_cases import METRICS, PLATEAU, SCHEDULES
from tests.optimizer.golden import recorded
from to_static.optimizer import SGD, lr


@pytest.mark.parametrize("name", SCHEDULES)
def test_rates_are_paddles(name):
    scheduler = eval(SCHEDULES[name], {"lr": lr})
    rates = [scheduler()]
    for _ in range(20):
        scheduler.step()
        rates.append(scheduler())
    np.testing.assert_allclose(rates, recorded()[f"lr.{name}"], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", PLATEAU)
def test_plateau_rates_are_paddles(name):
    scheduler = eval(PLATEAU[name], {"lr": lr})
    rates = [scheduler()]
    for metric in METRICS:
        scheduler.step(metric)
        rates.append(scheduler())
    np.testing.assert_allclose(rates, recorded()[f"lr.{name}"], rtol=1e-12)


@pytest.mark.parametrize("name", SCHEDULES)
def test_state_continues_where_it_was(name):
    first, second = (eval(SCHEDULES[name], {"lr": lr}) for _ in range(2))
    for _ in range(7):
        first.step()
    second.set_state_dict(first.state_dict())
    assert second() == first()
    for _ in range(5):
        first.step()
        second.step()
    assert second() == pytest.approx(first(), rel=1e-12)


def test_step_to_an_epoch_uses_the_closed_form():
    scheduler = lr.CosineAnnealingDecay(1.0, 10)
    scheduler.step(5)
    assert scheduler() == pytest.approx(0.5)
    restarts = lr.CosineAnnealingWarmRestarts(1.0, 2, 2)
    restarts.step(3)  # one epoch into the second period, which has four
    assert restarts() == pytest.approx((1 + np.cos(np.pi / 4)) / 2)


def test_verbose_tells(capsys):
    lr.StepDecay(0.5, 1, 0.5, verbose=True).step()
    assert capsys.readouterr().out == (
        "Epoch 0: StepDecay set learning rate to 0.5.\nEpoch 1: StepDecay set learning rate to 0.25.\n"
    )


def test_state_that_does_not_fit_is_refused():
    scheduler = lr.StepDecay(0.5, 2)
    with pytest.raises(KeyError, match="last_lr"):
        scheduler.set_state_dict({"last_epoch": 3})
    with pytest.warns(UserWarning, match="unused entries .*'extra'"):
        scheduler.set_state_dict({"last_epoch": 3, "last_lr": 0.05, "extra": 1})


@pytest.mark.parametrize(
    "make",
    [
        lambda: lr.StepDecay(-0.1, 2),
        lambda: lr.StepDecay(0.1, 0),
        lambda: lr.StepDecay(0.1, 2, gamma=1.5),
        lambda: lr.MultiStepDecay(0.1, [5, 2]),
        lambda: lr.PiecewiseDecay([], [0.1]),
        lambda: lr.PiecewiseDecay([1, 2], [0.1, 0.2]),
        lambda: lr.ExponentialDecay(0.1, 1.0),
        lambda: lr.LinearWarmup(0.1, 3, 0.2, 0.1),
        lambda: lr.OneCycleLR(0.1, 10, phase_pct=1.5),
        lambda: lr.OneCycleLR(0.1, 10, anneal_strategy="square"),
        lambda: lr.CyclicLR(0.1, 0.2, 3, mode="zigzag"),
        lambda: lr.ReduceOnPlateau(0.1, "low"),
        lambda: lr.ReduceOnPlateau(0.1, factor=1.0),
    ],
)
def test_bad_arguments_are_refused(make):
    with pytest.raises(ValueError):
        make()


def test_one_cycle_ends():
    scheduler = lr.OneCycleLR(0.1, 2)
    scheduler.step()
    scheduler.step()
    with pytest.raises(ValueError, match="total_steps is 2"):
        scheduler.step()


def test_plateau_needs_one_number():
    with pytest.raises(TypeError, match="one number"):
        lr.ReduceOnPlateau(0.1).step(np.ones(3))


def test_optimizer_asks_its_scheduler(parameters):
    scheduler = lr.StepDecay(0.5, 1, 0.5)
    opt = SGD(scheduler, parameters)
    assert opt.get_lr() == 0.5
    scheduler.step()
    assert opt.get_lr() == 0.25
