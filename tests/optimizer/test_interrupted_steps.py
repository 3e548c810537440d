"""Interrupts, errors and warnings at any line of a training step: all state is of before the step, or all of it is of after it."""

import gc
import itertools
import signal
import sys
import threading
import warnings

import numpy as np
import pytest

import to_static as paddle
import to_static.nn.functional as F
from to_static import nn
from to_static.compiler.ir import mode

OPTIMIZERS = {
    "SGD": {}, "Momentum": {"use_nesterov": True}, "Adam": {}, "AdamW": {}, "Lamb": {}, "RMSProp": {"centered": True},
    "Adagrad": {}, "Adamax": {}, "Adadelta": {}, "lazy": {"lazy_mode": True},
}  # fmt: skip
WAYS = ["dynamic", "static step", "static forward"]
LAST = 7  # lines at the end of a step that are all tried


class Net(nn.Layer):
    """Small and large parameters, a table of rows, running statistics, and a count of its own."""

    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(20, 4, sparse=True)
        self.wide = nn.Linear(4, 2500)
        self.norm = nn.BatchNorm1D(2500)
        self.last = nn.Linear(2500, 1)
        self.count = paddle.zeros([1])

    def forward(self, ids):
        self.count = self.count + 1
        return self.last(self.norm(self.wide(self.table(ids))))


class Training:
    def __init__(self, kind, way):
        paddle.seed(0)
        self.net = Net()
        name = "Adam" if kind == "lazy" else kind
        others = [self.net.table.weight, *self.net.norm.parameters(), *self.net.last.parameters()]
        parameters = [{"params": self.net.wide.parameters()}, {"params": others}]
        self.trained = [p for p in self.net.parameters() if not p.stop_gradient]
        rate = 1e-6 if kind in ("SGD", "Momentum") else 0.01
        self.optimizer = getattr(paddle.optimizer, name)(learning_rate=rate, parameters=parameters, **OPTIMIZERS[kind])
        forward = paddle.jit.to_static(lambda ids: self.net(ids)) if way == "static forward" else self.net
        self.ids = paddle.to_tensor(np.arange(6) % 4)

        def step(scale):
            loss = (F.square_error_cost(forward(self.ids), paddle.ones([6, 1])) * scale).mean()
            loss.backward()
            self.optimizer.step()
            self.optimizer.clear_grad()
            return loss

        self.step = paddle.jit.to_static(step, full_graph=True) if way == "static step" else step

    def state(self):
        """Weights and what the optimizer keeps of them; what the forward pass changes; how many gradients there are."""
        kept = [t.numpy() for table in self.optimizer._tables.values() for t in table.values()]
        weights = [p.numpy() for p in self.trained]
        statistics = [self.net.norm._mean.numpy(), self.net.norm._variance.numpy(), self.net.count.numpy()]
        held = [p._grad for p in self.trained if p._grad is not None and p._grad is not paddle.eager.tape.CLEARED]
        return [*weights, *kept], statistics, len(held)


def equal(a, b):
    return len(a) == len(b) and all(np.array_equal(x, y, equal_nan=True) for x, y in zip(a, b, strict=True))


class Interrupting:
    """Raises an error at one line that our code runs, counted from the start of a ``with`` block."""

    def __init__(self, at, error):
        self.left, self.error = at, error

    def __enter__(self):
        sys.settrace(self._trace)

    def __exit__(self, kind, error, trace):
        sys.settrace(None)
        mode.set_grad_enabled(True)  # a line of a `finally` may have been the one, where Python looks for no signals
        return isinstance(error, self.error)

    def _trace(self, frame, event, argument):
        file = frame.f_code.co_filename
        if "to_static" not in file and not file.startswith("<"):
            return None
        if event == "line":
            self.left -= 1
            if self.left == 0:
                raise self.error
        return self._trace


def lines_of(training):
    counting = Interrupting(0, ZeroDivisionError)
    with counting:
        training.step(1.0)
    return -counting.left


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", OPTIMIZERS)
def test_an_interrupt_at_any_line(kind, way):
    training, known = Training(kind, way), Training(kind, way)
    for _ in range(3):
        training.step(1.0), known.step(1.0)
    count = lines_of(training)
    known.step(1.0)
    state = known.state()[0]
    for at in itertools.chain(range(1, count, max(1, count // 25)), range(max(1, count - LAST), count)):
        with Interrupting(at, KeyboardInterrupt):
            training.step(1.0)
        found, _, held = training.state()
        assert held in (0, len(training.trained)), at
        if not equal(found, state):
            known.step(1.0)
            state, statistics, _ = known.state()
            assert equal(found, state), at
            if way == "static step":
                assert equal(training.state()[1], statistics), at
        training.optimizer.clear_grad()
        if way != "static step":  # the forward pass has written its statistics by itself
            for name in ("_mean", "_variance"):
                getattr(training.net.norm, name).set_value(getattr(known.net.norm, name))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", OPTIMIZERS)
@pytest.mark.parametrize("action", ["raise", "warn"])
def test_numbers_that_overflow(kind, way, action):
    """With NumPy's errors, or warnings as errors, a step ends in one: before anything is written, or when all is."""
    training, known = Training(kind, way), Training(kind, way)
    for _ in range(2):
        training.step(1.0), known.step(1.0)
    for scale in (1e25, 1e38):
        with np.errstate(all="ignore"):
            before = training.state()[0]
            known.step(scale)
        with np.errstate(over=action, invalid=action, divide=action), warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            try:
                training.step(scale)
            except (FloatingPointError, RuntimeWarning):
                pass
        found, _, held = training.state()
        assert held in (0, len(training.trained))
        training.optimizer.clear_grad()
        assert equal(found, before) or equal(found, known.state()[0])
        if equal(found, before):
            return


@pytest.fixture
def no_callbacks_of_gc():
    """Those of hypothesis are functions of Python: a signal that comes there is dropped, with a warning."""
    callbacks = gc.callbacks[:]
    gc.callbacks.clear()
    yield
    gc.callbacks[:] = callbacks


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", ["Adam", "Momentum", "Lamb"])
def test_signals_at_random_moments(kind, way, no_callbacks_of_gc):
    assert threading.current_thread() is threading.main_thread()
    training, known = Training(kind, way), Training(kind, way)
    training.step(1.0), known.step(1.0)
    rng = np.random.default_rng(0)

    def interrupt(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        state = known.state()[0]
        for _ in range(30):
            try:
                signal.setitimer(signal.ITIMER_REAL, rng.uniform(1e-4, 4e-3))
                training.step(1.0)
                signal.setitimer(signal.ITIMER_REAL, 0)
            except KeyboardInterrupt:
                pass
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
            found, _, held = training.state()
            assert held in (0, len(training.trained))
            if not equal(found, state):
                known.step(1.0)
                state = known.state()[0]
                assert equal(found, state)
            training.optimizer.clear_grad()
            for name in ("_mean", "_variance"):
                getattr(training.net.norm, name).set_value(getattr(known.net.norm, name))
    finally:
        signal.signal(signal.SIGALRM, before)
