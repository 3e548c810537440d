"""Logs and warnings are written at every run, with the user's line, and once by a run that fails; models with them are saved."""

import logging
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


def logging_and_warning(x):
    LOG.debug("not shown %s", x)
    if x.sum() > 0:
        LOG.warning("sum %.1f of %d", x.sum(), x.shape[0])
        warnings.warn(f"sum {float(x.sum())}", RuntimeWarning, stacklevel=2)
    else:
        logging.getLogger(LOG.name).error(f"bad {{{float(x.sum()):.1f}}}")
    LOG.info("of %(name)s: 100%%", {"name": "x"})
    LOG.log(logging.INFO, "level %d", 20)
    return x * 2


FIRST = logging_and_warning.__code__.co_firstlineno


def test_they_are_written_at_every_run_with_the_users_line(records):
    f = paddle.jit.to_static(logging_and_warning)
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        for x in (UP, DOWN, UP):
            f(x)
    name = "logging_and_warning"
    warned, bad = ("WARNING", "sum 3.0 of 2", name, FIRST + 3), ("ERROR", "bad {-3.0}", name, FIRST + 6)
    last = [("INFO", "of x: 100%", name, FIRST + 7), ("INFO", "level 20", name, FIRST + 8)]
    assert records == [warned, *last, bad, *last, warned, *last]
    told = [(str(w.message), w.category, w.filename, w.lineno) for w in found]
    assert told == [("sum 3.0", RuntimeWarning, __file__, FIRST + 4)] * 2
    assert len(f.program_cache) == 1


def test_a_warning_is_shown_once_for_its_line_unless_filters_say_otherwise():
    @paddle.jit.to_static
    def f(x):
        warnings.warn("old", stacklevel=1)
        return x

    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("default")
        f(UP), f(UP)
        assert len(found) == 1
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match="old"):
            f(UP)


def test_models_with_them_are_saved(tmp_path):
    class Net(paddle.nn.Layer):
        def forward(self, x):
            return logging_and_warning(x)

    paddle.jit.save(Net(), str(tmp_path / "net"), input_spec=[paddle.static.InputSpec([None])])
    assert paddle.jit.load(str(tmp_path / "net"))(UP).tolist() == [2.0, 4.0]


def test_a_run_that_fails_has_written_once(records):
    calls = []

    @paddle.jit.to_static
    def f(x):
        calls.append(1)
        LOG.info("sum %.1f", x.sum())
        assert x.sum() > 0, "must be positive"
        return x

    f(UP)
    with pytest.raises(AssertionError, match="must be positive"):
        f(DOWN)
    f(UP)
    assert len(calls) == 3
    assert [text for _, text, *_ in records] == ["sum 3.0", "sum -3.0", "sum 3.0"]


def test_what_asks_a_log_is_pythons(records, graph_breaks):
    @paddle.jit.to_static
    def f(x):
        LOG.exception("no error")
        return x * 2 if LOG.isEnabledFor(logging.INFO) else x

    with pytest.warns(UserWarning, match="changes the Logger"):
        assert f(UP).tolist() == [2.0, 4.0]
    LOG.setLevel(logging.CRITICAL)
    assert f(UP).tolist() == [1.0, 2.0]
    assert f.graph_breaks
