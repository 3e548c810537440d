"""What a refused call leaves: nothing. What an error of Python's leaves: what ran before it."""

import logging

import pytest

import to_static as paddle
from to_static.core.errors import ToStaticError

X = paddle.ones([2])
TOTAL = 0
LOGGER = logging.getLogger("test_refused")


class Counter:
    def __init__(self):
        self.calls, self.seen = 0, []

    def count(self):
        global TOTAL
        TOTAL += 1
        self.calls += 1
        self.seen.append(self.calls)

    def asks(self, x):
        self.count()
        return x.numpy().tolist()

    def yields(self, x):
        self.count()
        found = {}
        if x.sum() > 0:
            found[x] = x
        return found

    def sets_level(self, x):
        LOGGER.setLevel(logging.ERROR)
        return self.asks(x)

    def fails(self, x):
        self.count()
        return x[5], self.seen[7]


@pytest.mark.parametrize("name", ["asks", "yields", "sets_level"])
def test_a_refusal_leaves_everything_as_it_was(name):
    counter, total = Counter(), TOTAL
    LOGGER.setLevel(logging.DEBUG)
    assert LOGGER.isEnabledFor(logging.INFO)
    for _ in range(2):
        with pytest.raises(ToStaticError):
            paddle.jit.to_static(getattr(counter, name))(X)
        assert (counter.calls, counter.seen, TOTAL) == (0, [], total)
        assert LOGGER.isEnabledFor(logging.INFO)


def test_errors_of_python_leave_what_ran_before():
    dynamic, static = Counter(), Counter()
    for _ in range(2):
        with pytest.raises(IndexError):
            dynamic.fails(X)
        with pytest.raises(IndexError):
            paddle.jit.to_static(static.fails)(X)
        assert (static.calls, static.seen) == (dynamic.calls, dynamic.seen)
