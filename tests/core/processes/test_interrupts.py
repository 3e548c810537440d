"""A Ctrl-C that comes while an object is finished is not lost."""

from __future__ import annotations

import signal
import time

import pytest

from to_static.core.processes import interrupts


class Finished:
    """Ends with ``work``."""

    def __init__(self, work):
        self.work = work

    def __del__(self):
        interrupts.finish(self.work)


@pytest.fixture(autouse=True)
def interrupts_raise():
    """As in a terminal: a shell starts what it runs in the background with Ctrl-C ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_it_comes_a_moment_later_and_the_work_is_done():
    done = []

    def work():
        done.append("begun")
        if len(done) == 1:
            raise KeyboardInterrupt
        done.append("done")

    with pytest.raises(KeyboardInterrupt):
        one = Finished(work)
        del one
        assert done == ["begun", "begun", "done"]
        for _ in range(1000):
            time.sleep(0.01)


def test_other_errors_are_python_s():
    def work():
        raise KeyError(1)

    with pytest.raises(KeyError):
        interrupts.finish(work)
