"""Calls that Python makes again after an error: when, and what they leave alone."""

import io
import sys
import threading
import warnings

import pytest

import to_static as paddle
from to_static.jit import again, jst
from to_static.jit.jst import casts


def counted(monkeypatch):
    """How often a function ran by Python."""
    found = []
    told = again._tells_more
    monkeypatch.setattr(again, "_tells_more", lambda *args: found.append(told(*args)) or found[-1])
    return found


def test_a_function_without_effects_is_not_made_again(monkeypatch):
    found = counted(monkeypatch)

    @paddle.jit.to_static
    def f(x, n):
        if x.sum() > 100:
            raise ValueError(f"large: {x.sum()}")
        return x[n] * 2

    with pytest.raises(IndexError, match="(?s)index.*test_again.py"):
        f(paddle.ones([2]), paddle.to_tensor(5))
    with pytest.raises(ValueError, match="large"):
        f(paddle.ones([2]) * 100, paddle.to_tensor(0))
    assert found == [False, False]


def test_the_error_names_the_place_and_the_stream_is_as_before():
    @paddle.jit.to_static
    def f(x, n):
        print("before")
        x.add_(x)
        return x[n]

    out, sys.stdout = sys.stdout, io.StringIO()
    try:
        stream = sys.stdout
        x = paddle.ones([2])
        for _ in range(2):
            with pytest.raises(IndexError, match=r"(?s)test_again.py.*return x\[n\]"):
                f(x, paddle.to_tensor(5))
        assert sys.stdout is stream
        assert stream.getvalue() == "before\nbefore\n"
        assert x.tolist() == [4, 4]
    finally:
        sys.stdout = out


def test_python_s_result_comes_with_a_warning():
    @paddle.jit.to_static
    def f(x, n):
        try:
            return x[n]
        except IndexError:
            return x[0] * 10

    assert f(paddle.ones([2]), paddle.to_tensor(1)).item() == 1
    with pytest.warns(UserWarning, match="Python gave the result of this call"):
        assert f(paddle.ones([2]), paddle.to_tensor(5)).item() == 10
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # it is said once
        assert f(paddle.ones([2]), paddle.to_tensor(5)).item() == 10


@pytest.mark.parametrize("rows", [0, 1, 2], ids=["none", "one", "two"])
@pytest.mark.parametrize("axis", [None, 0], ids=["all", "first"])
def test_another_number_of_dimensions_than_in_the_program(rows, axis):
    def f(x, mask):
        y = x[mask].squeeze() if axis is None else x[mask].squeeze(axis)
        return y * 2

    x, mask = paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]]), paddle.to_tensor([k < rows for k in range(2)])
    static = paddle.jit.to_static(f)
    wanted = f(x, mask)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        got = static(x, mask)
    assert got.shape == wanted.shape
    assert got.tolist() == wanted.tolist()
    assert bool(told) is ((rows == 1) is (axis is None))
    assert all("squeeze: dimension 0 is" in str(warning.message) for warning in told)


def test_what_other_threads_wrote_does_not_count():
    @paddle.jit.to_static
    def f(x, n):
        print("before")
        x.add_(x)
        return x[n]

    def call(n):
        try:
            f(paddle.ones([2]), paddle.to_tensor(n))
        except IndexError:
            pass

    out, sys.stdout = sys.stdout, io.StringIO()
    try:
        call(0)
        thread = threading.Thread(target=call, args=(1,))
        thread.start()
        thread.join()
        call(5)
        assert sys.stdout.getvalue() == "before\n" * 3
    finally:
        sys.stdout = out


def test_refusals_are_not_made_again():
    @paddle.jit.to_static
    def f(x):
        print("before")
        return bool(x > 0) if (x > 0).numpy() else None

    with pytest.raises(paddle.core.errors.TracedValueError):
        f(paddle.ones([2]))


def broken(monkeypatch):
    """``len`` of translated code, with a mistake of ours in it."""
    space = {}
    exec(compile("def broken(items): return None.length", casts.__file__, "exec"), space)
    monkeypatch.setattr(jst, "len", space["broken"])


def test_a_mistake_of_ours_is_told_as_one(monkeypatch):
    broken(monkeypatch)

    @paddle.jit.to_static
    def f(x):
        rows = [x, x]
        try:
            return len(rows) if x.sum() > 0 else 0
        except Exception:  # does not catch it
            return "caught"

    told = r"could not be built \(AttributeError in jit/jst/casts.py, line 1: .*\), and Python gave .* please report"
    with pytest.warns(UserWarning, match=told):
        assert f(paddle.ones([2])) == 2


def test_a_mistake_of_ours_is_refused_where_the_function_cannot_run_again(monkeypatch):
    broken(monkeypatch)
    numbers = iter([1, 2])

    @paddle.jit.to_static
    def f(x):
        rows = [x, next(numbers)]
        return len(rows)

    with pytest.raises(paddle.core.errors.TranslationError, match=r"(?s)mistake of to_static.*test_again.py.*rewrite: `f.dygraph"):
        f(paddle.ones([2]))
