"""What a user sees of an error: his own frames and lines."""

from __future__ import annotations

import os
import traceback

import pytest

import to_static as paddle
from to_static.core.flags import full_traceback


def helper(x):
    return x.reshape([3, 5])  # the line at fault


@paddle.jit.to_static
def f(x):
    if x.mean() > 0:
        y = helper(x)
    else:
        y = x
    return y


def frames(error):
    return [(os.path.basename(s.filename), s.name, s.line) for s in traceback.extract_tb(error.__traceback__)]


def test_frames_are_the_users_with_his_lines():
    with pytest.raises(ValueError, match="do not fill") as caught:
        f(paddle.ones([2, 2]))
    found = frames(caught.value)
    assert [x for x in found if x[0] not in ("static_function.py",)] == [
        ("test_tracebacks.py", "test_frames_are_the_users_with_his_lines", "f(paddle.ones([2, 2]))"),
        ("test_tracebacks.py", "f", "y = helper(x)"),
        ("test_tracebacks.py", "helper", "return x.reshape([3, 5])  # the line at fault"),
    ]
    assert sum(x[0] == "static_function.py" for x in found) == 1


def test_errors_of_a_run_are_told_once():
    g = paddle.jit.to_static(lambda x, i: x[i])
    with pytest.raises(IndexError, match="index 7") as caught:
        g(paddle.ones([2]), paddle.to_tensor(7))
    assert caught.value.__cause__ is None
    assert "<plan" not in "".join(traceback.format_exception(caught.value))


def test_errors_of_the_user_keep_their_cause():
    @paddle.jit.to_static
    def g(x):
        try:
            {}["key"]
        except KeyError as error:
            raise ValueError("no key") from error
        return x

    with pytest.raises(ValueError, match="no key") as caught:
        g(paddle.ones([1]))
    assert isinstance(caught.value.__cause__, KeyError)


def test_a_flag_shows_everything():
    full_traceback.value = True
    try:
        with pytest.raises(ValueError, match="do not fill") as caught:
            f(paddle.ones([2, 3]))
    finally:
        full_traceback.value = False
    assert any(x[0] == "trace.py" for x in frames(caught.value))


class Refusal(ValueError):
    """An error class of the user's own."""


def test_errors_of_the_users_own_class_keep_it():
    class Local(Exception):
        pass

    @paddle.jit.to_static
    def g(x):
        if x.sum() < 0:
            raise Refusal("negative")
        if x.sum() > 100:
            raise Local("large")
        return x

    assert g(paddle.ones([1])).item() == 1.0
    with pytest.raises(Refusal, match="^negative$"):
        g(-paddle.ones([1]))
    with pytest.raises(Local, match="^large$"):
        g(paddle.ones([1]) * 1000)
