"""Errors that tensors decide: a check of the Program, or a graph break where user code would do something about them."""

import contextlib
import io
import math

import both
import pytest
from both import T

import to_static as paddle
from to_static.core.errors import TranslationError

POS, NEG = paddle.to_tensor([1.0, 2.0]), paddle.to_tensor([-1.0, -2.0])
STEPS = []


class Quiet:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        return kind is ValueError


@contextlib.contextmanager
def cleaned():
    try:
        yield
    finally:
        print("cleaned")


@contextlib.contextmanager
def marked(name):
    print(name)
    yield
    print("end of", name)


def check(x):
    if x.sum() > 0:
        raise ValueError("positive", 2)
    return x


def caught(x):
    try:
        return check(x)
    except ValueError as error:
        return error.args


def followed(x):
    try:
        return check(x)
    finally:
        print("done")


def suppressed(x):
    with Quiet():
        check(x)
        return x + 1
    return x


def suppressed_by_library(x):
    with contextlib.suppress(ValueError):
        x = check(x) * 2
    return x


def cleaned_up(x):
    with cleaned():
        return check(x)


def on_a_stack(x):
    with contextlib.ExitStack() as stack:
        stack.enter_context(Quiet())
        return check(x)


def asserted(x):
    try:
        assert x.sum() < 0, "positive"
    except AssertionError:
        return -x
    return x


def computed(x):
    try:
        return math.sqrt(float(x.sum()))
    except ValueError:
        return -1.0


def not_caught(x):
    try:
        return check(x)
    except KeyError:
        return -x


def behind(x):
    try:
        y = x * 2
    except ValueError:
        y = x
    finally:
        print("done")
    return check(y)


def passes_by(x):
    with marked("block"), paddle.no_grad():
        return check(x)


def decided_by_python(x):
    try:
        if x.ndim == 1:
            raise KeyError("vector")
    except KeyError as error:
        return x + 1, error.args
    finally:
        print("done")
    return x


def put_back(x):
    STEPS.append(1)
    try:
        return check(x)
    finally:
        del STEPS[-1]


BREAKS = [caught, followed, suppressed, suppressed_by_library, cleaned_up, on_a_stack, asserted, computed]
PYTHONS = [passes_by, put_back]
STATIC = [not_caught, behind, decided_by_python]


def seen(function, x):
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        try:
            result = repr(function(x))
        except Exception as error:
            result = type(error).__mro__[-4:], error.args[1:]
    return result, printed.getvalue(), len(STEPS)


@pytest.mark.parametrize("function", BREAKS)
@pytest.mark.filterwarnings("ignore:.*a graph break")
def test_what_user_code_would_be_told_runs_in_python(function, graph_breaks):
    static = paddle.jit.to_static(function)
    for x in (POS, NEG, POS):
        assert seen(static, x) == seen(function, x)
    with pytest.raises(TranslationError, match="depends on a tensor and would be caught|prints something"):
        paddle.jit.to_static(function, full_graph=True)(POS)


@pytest.mark.parametrize("function", PYTHONS)
@pytest.mark.filterwarnings("ignore:.*a graph break")
def test_what_it_would_be_told_by_a_manager_runs_in_python(function, graph_breaks):
    static = paddle.jit.to_static(function)
    for x in (POS, NEG, POS):
        assert seen(static, x) == seen(function, x)


@pytest.mark.parametrize("function", STATIC)
def test_other_errors_are_checks_of_the_program(function):
    static = paddle.jit.to_static(function)
    for x in (POS, NEG, POS):
        assert seen(static, x) == seen(function, x)


def test_arguments_of_an_error_are_what_they_were():
    with pytest.raises(ValueError, match="positive") as found:
        paddle.jit.to_static(check)(POS)
    assert found.value.args[:2] == ("positive", 2)


def test_nullcontext_sees_no_error():
    """As PaddleNLP's GPT has it, around a dropout."""

    def guard(seed):
        return contextlib.nullcontext() if seed is None else Quiet()

    def guarded(x, seed=None):
        with guard(seed):
            return check(x)

    static = paddle.jit.to_static(guarded, full_graph=True)
    assert static(NEG).tolist() == NEG.tolist()
    with pytest.raises(ValueError, match="positive"):
        static(POS)
    with pytest.raises(TranslationError, match="would be caught by an `except`, or be seen by a `finally` or `with`"):
        static(NEG, 1)


@contextlib.contextmanager
def plain(value):
    yield value


@contextlib.contextmanager
def forgiving(value):
    try:
        yield value
    except IndexError:
        pass


def test_a_generator_that_yields_outside_of_try_sees_no_error():
    def picks(manager):
        def f(x, i):
            with manager(x) as y:
                z = y[i]
            return z * 2

        return f

    both.check(picks(plain), (T([1.0, 2.0]), T(1)), (T([1.0, 2.0]), T(0)))
    with pytest.raises(IndexError):
        paddle.jit.to_static(picks(plain), full_graph=True)(paddle.to_tensor([1.0]), paddle.to_tensor(5))
    both.left_to_python(picks(forgiving), (T([1.0, 2.0]), T(1)), why="would be caught")
