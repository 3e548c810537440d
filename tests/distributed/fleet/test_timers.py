"""Clocks that training loops start and stop by name."""

import pytest

from to_static.core.errors import ModeError
from to_static.distributed.fleet.utils import timer_helper


@pytest.fixture(autouse=True)
def none_yet(monkeypatch):
    monkeypatch.setattr(timer_helper, "_timers", [])


def test_a_loop_may_ask_for_clocks_that_nobody_made():
    for error in (AssertionError, ModeError):  # Paddle's is an AssertionError, which training loops catch
        with pytest.raises(error, match="call set_timers"):
            timer_helper.get_timers()
    assert not timer_helper.is_timer_initialized()


def test_clocks_are_made_once_and_added_up(capsys):
    timer_helper.set_timers()
    with pytest.raises(AssertionError, match="already initialized"):
        timer_helper.set_timers()
    timers = timer_helper.get_timers()
    with pytest.raises(AssertionError, match="not started"):
        timers("forward").stop()
    timers("forward").start()
    with pytest.raises(AssertionError, match="already started"):
        timers("forward").start()
    assert timers("forward").elapsed() >= 0 and timers("forward").started_
    timers("forward").stop()
    timers.log(["forward"])
    assert capsys.readouterr().out.startswith("time (ms) | forward: ")
