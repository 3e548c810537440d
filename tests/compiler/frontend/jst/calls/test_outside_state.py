"""Objects of the standard library in a `forward`: which of them break the graph, and which leave it whole."""

import calendar
import contextlib
import difflib
import http
import inspect
import multiprocessing
import socket
import string
import textwrap
import threading
import urllib.parse
from time import time as clock

import pytest

import to_static as paddle
from to_static.compiler.frontend.jst.calls.outside_state import hides_state
from to_static.core.errors import TranslationError


class Held(paddle.nn.Layer):
    def __init__(self, held, use=None):
        super().__init__()
        self.held = held
        self.use = use
        self.table = None

    def forward(self, x):
        return self.use(x, self.held)


class Guarded(Held):
    def forward(self, x):
        with self.held:
            if self.table is None or self.table.shape[0] < x.shape[-1]:
                self.table = paddle.arange(x.shape[-1]).astype("float32")
        return x + self.table


@pytest.mark.parametrize("make", [threading.Lock, threading.RLock, threading.Condition, threading.Semaphore, multiprocessing.Lock])
def test_a_statement_that_holds_a_lock_is_traced_and_saved(make, tmp_path):
    x = paddle.to_tensor([[1.0, 2.0]])
    lock = make()
    run = paddle.jit.to_static(Guarded(lock), full_graph=True)
    for _ in range(3):
        assert run(x).tolist() == [[1.0, 3.0]]
        assert lock.acquire(False)  # free again
        lock.release()
    assert run.forward.graph_breaks == 0
    paddle.jit.save(Guarded(lock), str(tmp_path / "m"), input_spec=[paddle.static.InputSpec([None, 2])])
    assert paddle.jit.load(str(tmp_path / "m"))(x).tolist() == [[1.0, 3.0]]


def test_a_lock_is_free_after_an_error_in_the_statement(graph_breaks):
    lock = threading.Lock()

    def failing(x):
        with lock:
            raise ValueError("in the body")

    with pytest.raises(ValueError, match="in the body"):
        paddle.jit.to_static(failing)(paddle.ones([1]))
    assert not lock.locked()


@pytest.mark.parametrize("call", [lambda x, o: x * o.locked(), lambda x, o: x * o.acquire(False)])
def test_questions_to_a_lock_break_the_graph(call):
    run = paddle.jit.to_static(Held(threading.Lock(), call), full_graph=True)
    with pytest.raises(TranslationError, match="its effect cannot be traced"):
        run(paddle.ones([1]))


@pytest.mark.parametrize(
    ("held", "use"),
    [
        (urllib.parse.urlparse("http://a/b"), lambda x, o: x * len(o.geturl())),
        (urllib.parse.urlsplit("http://a/b"), lambda x, o: x * len(o._replace(path="").geturl())),
        (http.HTTPStatus.OK, lambda x, o: x * o.bit_length()),
        (socket.AF_INET, lambda x, o: x * o.bit_length()),
        (string.Template("$a"), lambda x, o: x * len(o.substitute(a=1))),
        (string.Formatter(), lambda x, o: x * len(o.format("{}", 12))),
        (textwrap.TextWrapper(3), lambda x, o: x * len(o.wrap("a b c"))),
        (calendar.Calendar(), lambda x, o: x * len(o.monthdatescalendar(2020, 1))),
        (difflib.Differ(), lambda x, o: x * len(list(o.compare(["a"], ["b"])))),
    ],
)
def test_objects_without_hidden_state(held, use):
    assert not hides_state(held)
    x = paddle.to_tensor([1.0, 2.0])
    run = paddle.jit.to_static(Held(held, use), full_graph=True)
    assert run(x).tolist() == use(x, held).tolist()
    assert run.forward.graph_breaks == 0


@paddle.jit.not_to_static
def scaled_by_a_local_function(x):
    clock = lambda: 3.0  # captured below: a variable in a cell
    return x * clock() + (lambda: clock())()


@paddle.jit.not_to_static
def scaled_by_the_time(x):
    return x * clock()


def test_a_captured_local_variable_hides_a_global_one():
    static = paddle.jit.to_static(lambda x: scaled_by_a_local_function(x), full_graph=True)
    assert static(paddle.ones([2])).tolist() == [6.0, 6.0]


def test_the_clock_breaks_the_graph():
    static = paddle.jit.to_static(lambda x: scaled_by_the_time(x), full_graph=True)
    with pytest.raises(TranslationError, match=r"time\(\) is called in `scaled_by_the_time\(\)`"):
        static(paddle.ones([2]))


@paddle.jit.not_to_static
def taken(options, name):
    """As libraries take arguments of former versions."""
    value = options.pop(name, None)
    if options:
        raise TypeError(f"{inspect.currentframe().f_back.f_code.co_name}() got an unexpected argument {next(iter(options))!r}")
    return value


def test_a_helper_that_asks_for_its_caller_for_an_error_is_no_graph_break(tmp_path):
    class Net(paddle.nn.Layer):
        def forward(self, x, **options):
            scale = taken(options, "scale")
            return x * 2 if scale is None else x * scale

    x = paddle.to_tensor([1.0, 2.0])
    run = paddle.jit.to_static(Net(), full_graph=True)
    assert run(x).tolist() == [2.0, 4.0]
    assert run(x, scale=3.0).tolist() == [3.0, 6.0]
    paddle.jit.save(Net(), str(tmp_path / "m"), input_spec=[paddle.static.InputSpec([2])])
    assert paddle.jit.load(str(tmp_path / "m"))(x).tolist() == [2.0, 4.0]


@contextlib.contextmanager
def without_random():
    """As ppdiffusers computes parts again with the same random numbers of GPUs."""
    state = paddle.get_cuda_rng_state()
    yield
    paddle.set_cuda_rng_state(state)


def test_random_states_of_gpus_are_kept_in_a_context():
    @paddle.jit.to_static(full_graph=True)
    def f(x):
        with without_random():
            return x * 2

    assert f(paddle.ones([1])).item() == 2


@paddle.jit.not_to_static
def _since_start(x):
    return x + round(clock() * 0.0) + 1.0


def test_a_file_has_the_answers_of_untranslated_code_at_the_time_of_saving(tmp_path):
    def shifted(x):
        return _since_start(x) * 2

    x = paddle.to_tensor([1.0, 2.0])
    with pytest.raises(TranslationError, match="time"):
        paddle.jit.to_static(shifted, full_graph=True)(x)
    paddle.jit.save(paddle.jit.to_static(shifted), str(tmp_path / "m"), input_spec=[paddle.static.InputSpec([None])])
    assert paddle.jit.load(str(tmp_path / "m"))(x).tolist() == [4.0, 6.0]
