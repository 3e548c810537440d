"""Errors of running plans name the operator and the user's line."""

import subprocess

import numpy as np
import pytest

import to_static  # noqa: F401
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.input_spec import spec_from
from to_static.compiler.ir.registry import FUNCTIONS as F
from to_static.compiler.ir.registry import REGISTRY
from to_static.compiler.runtime import inline
from to_static.compiler.runtime.plan import compile_plan
from to_static.core.backend import NUMPY
from to_static.core.errors import ExecutionError, ShapeError


def traced(function, *specs):
    builder = Builder()
    with mode.use(builder):
        return builder.finish(function(builder, *[builder.feed(s) for s in specs]))


def test_errors_keep_their_built_in_class_and_show_the_line():
    def function(b, i):
        return [b.constant(np.float32([1]))[i]]  # the line that fails

    plan = compile_plan(traced(function, spec_from([], "int64")), NUMPY)
    with pytest.raises(IndexError) as caught:
        plan(np.asarray(3))
    assert isinstance(caught.value, ExecutionError)
    text = str(caught.value)
    assert "out of bounds" in text
    assert __file__ in text and "# the line that fails" in text and "-->" in text
    assert plan(np.asarray(0))[0] == 1  # and the plan still works


def test_a_failing_loop_condition_is_found_too():
    def function(b, i):
        items = F["list_new"]([b.constant(np.asarray(True))])

        def more(k):
            return F["list_get"](items, k)  # the condition

        return b.while_loop(more, lambda k: [k + b.constant(np.asarray(1))], [i])

    plan = compile_plan(traced(function, spec_from([], "int64")), NUMPY)
    with pytest.raises(IndexError, match="# the condition"):
        plan(np.asarray(0))


def test_assertions_stay_assertions():
    def function(b, p):
        REGISTRY["assert"].function(p, (), "must hold")
        return [p]

    plan = compile_plan(traced(function, spec_from([], "bool")), NUMPY)
    with pytest.raises(AssertionError) as caught:
        plan(np.asarray(False))
    assert caught.value.args == ("must hold",)
    assert not isinstance(caught.value, ExecutionError)


def test_errors_of_ours_keep_their_class(monkeypatch):
    program = traced(lambda b, x: [F["list_len"](F["list_new"]([x]))], spec_from([2]))

    def refuse(xp, items):
        raise ShapeError("no room")

    monkeypatch.setitem(REGISTRY["list_len"].kernels, "*", refuse)
    with pytest.raises(ShapeError, match="list_len: no room") as caught:
        compile_plan(program, NUMPY)(np.ones(2, "float32"))
    assert type(caught.value) is ShapeError


@pytest.mark.parametrize("kind", [OSError, UnicodeDecodeError])
def test_classes_that_can_not_be_combined_become_execution_errors(kind, monkeypatch):
    program = traced(lambda b, x: [F["list_len"](F["list_new"]([x]))], spec_from([2]))

    def refuse(xp, items):
        raise OSError("disk") if kind is OSError else UnicodeDecodeError("utf-8", b"x", 0, 1, "bad")

    monkeypatch.setitem(REGISTRY["list_len"].kernels, "*", refuse)
    with pytest.raises(ExecutionError, match="disk|bad"):
        compile_plan(program, NUMPY)(np.ones(2, "float32"))


def raised(function):
    try:
        function()
    except Exception as error:
        return error
    raise AssertionError("it raises nothing")


def every_error():
    """Classes of errors of Python, of NumPy and of libraries, with all that these add: an object of each."""
    made = {
        "NumPy's MemoryError": lambda: raised(lambda: np.empty((1 << 40, 1 << 20), "float32")),
        "NumPy's AxisError": lambda: raised(lambda: np.sum(np.ones(2), axis=5)),
        "LinAlgError": lambda: np.linalg.LinAlgError("Singular matrix"),
        "NumPy's UFuncTypeError": lambda: raised(lambda: np.sin(np.array(["a"]))),
        "CalledProcessError": lambda: subprocess.CalledProcessError(3, "cmd"),
        "UnicodeDecodeError": lambda: UnicodeDecodeError("utf-8", b"x", 0, 1, "bad"),
        "SyntaxError": lambda: SyntaxError("wrong", ("file", 1, 1, "text")),
        "FileNotFoundError": lambda: FileNotFoundError(2, "No such file", "name"),
        "KeyError": lambda: KeyError("key"),
        "StopIteration": lambda: StopIteration(3),
        "ImportError": lambda: ImportError("no module", name="m"),
    }
    return [pytest.param(make, id=name) for name, make in made.items()]


@pytest.mark.parametrize("make", every_error())
def test_errors_of_any_class_tell_what_they_say(make, monkeypatch):
    error = make()

    def kernel(xp, x):
        raise error

    program = traced(lambda b, x: [F["relu"](x)], spec_from([2]))  # the operator
    monkeypatch.setitem(REGISTRY["relu"].kernels, "*", kernel)
    monkeypatch.setitem(inline.RULES, "relu", lambda *args: None)
    plan = compile_plan(program, NUMPY)
    with pytest.raises(type(error)) as caught:
        plan(np.ones(2, "float32"))
    assert isinstance(caught.value, ExecutionError) and caught.value.__cause__ is error
    text = str(caught.value)
    assert str(error) in text and "relu" in text and "# the operator" in text
    for name, value in vars(error).items():
        assert name.startswith("__") or getattr(caught.value, name) == value
