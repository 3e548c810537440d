"""Logs and standard error are written at every run, with the user's line, and once by a run that fails."""

import logging
import sys
import warnings

import pytest

import to_static as paddle

LOG = logging.getLogger("to_static.tests.records")
UP, DOWN = paddle.to_tensor([1.0, 2.0]), paddle.to_tensor([-1.0, -2.0])


@pytest.fixture
def records():
    found = []
    handler = logging.Handler()
    handler.emit = lambda record: found.append((record.levelname, record.getMessage(), record.funcName, record.lineno))
    LOG.addHandler(handler)
    LOG.setLevel(logging.INFO)
    yield found
    LOG.removeHandler(handler)


def test_a_log_is_written_at_every_run_with_the_users_line(records):
    @paddle.jit.to_static
    def f(x):
        LOG.debug("not shown %s", x)
        if x.sum() > 0:
            LOG.warning("sum %.1f of %d", x.sum(), x.shape[0])
        else:
            logging.getLogger(LOG.name).error(f"bad {float(x.sum()):.1f}")
        return x

    for x in (UP, DOWN, UP):
        f(x)
    first = f.dygraph_function.__code__.co_firstlineno
    warned, bad = ("WARNING", "sum 3.0 of 2", "f", first + 4), ("ERROR", "bad -3.0", "f", first + 6)
    assert records == [warned, bad, warned]
    assert len(f.program_cache) == 1


def test_the_level_that_a_function_asks_for_is_pythons(records, graph_breaks):
    @paddle.jit.to_static
    def f(x):
        return x * 2 if LOG.isEnabledFor(logging.INFO) else x

    with pytest.warns(UserWarning, match="changes the Logger"):
        assert f(UP).tolist() == [2.0, 4.0]
    LOG.setLevel(logging.ERROR)
    assert f(UP).tolist() == [1.0, 2.0]
    assert f.graph_breaks


def test_warnings_are_pythons_and_standard_error(capsys, graph_breaks):
    @paddle.jit.to_static
    def f(x):
        print("x", x.sum(), file=sys.stderr)
        if x.sum() > 0:
            warnings.warn(f"sum {float(x.sum())}", RuntimeWarning, stacklevel=1)
        return x

    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        for x in (UP, DOWN, UP):
            f(x)
    assert [str(w.message) for w in found if w.category is RuntimeWarning] == ["sum 3.0"] * 2
    assert capsys.readouterr().err.count("x Tensor") == 3


def test_a_run_that_fails_has_written_once(records, capsys):
    class Net(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            self.calls = 0

        def forward(self, x):
            self.calls += 1
            LOG.info("sum %.1f", x.sum())
            print("err", file=sys.stderr)
            assert x.sum() > 0, "must be positive"
            return x

    net = Net()
    run = paddle.jit.to_static(net)
    run(UP)
    with pytest.raises(AssertionError, match="must be positive"):
        run(DOWN)
    assert net.calls == 2
    assert [text for _, text, *_ in records] == ["sum 3.0", "sum -3.0"]
    assert capsys.readouterr().err == "err\nerr\n"
