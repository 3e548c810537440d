"""What a user sees of an error: his own frames and lines."""

from __future__ import annotations

import os
import re
import sys
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
    assert users(caught.value) == [
        ("test_frames_are_the_users_with_his_lines", "f(paddle.ones([2, 2]))"),
        ("f", "y = helper(x)"),
        ("helper", "return x.reshape([3, 5])  # the line at fault"),
    ]


def users(error):
    """Functions and lines of a traceback, all of this file. Python 3.10 cannot leave out the frames that an error passes."""
    found = frames(error)
    if sys.version_info < (3, 11):
        found = [x for x in found if x[0] not in ("static_function.py", "layer.py", "tracebacks.py")]
    assert {x[0] for x in found} == {"test_tracebacks.py"}
    return [x[1:] for x in found]


class Doubling(paddle.nn.Layer):
    def forward(self, x):
        return helper(x)


def test_frames_of_layers_are_left_out():
    layer = Doubling()
    paddle.jit.to_static(layer)
    with pytest.raises(ValueError, match="do not fill") as caught:
        layer(paddle.ones([2, 2]))
    assert [name for name, _ in users(caught.value)] == ["test_frames_of_layers_are_left_out", "forward", "helper"]


def parts(x):
    def rows(v):
        for row in v:
            yield row.reshape([5])

    total = paddle.zeros([5])
    for row in rows(x):
        total = total + row
    return total


def test_functions_inside_have_their_names():
    with pytest.raises(ValueError, match="do not fill") as caught:
        paddle.jit.to_static(parts)(paddle.ones([2, 2]))
    assert users(caught.value)[1:] == [("parts", "for row in rows(x):"), ("rows", "yield row.reshape([5])")]


def spread(x, w):
    y = (
        x.exp()
        .reshape([2, 2])
        .matmul(w)
    )
    return y.sum() + sum([
        v.reshape(
            [7]) for v in x
    ])


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 knows no columns of running code")
@pytest.mark.parametrize(("size", "line"), [(3, ".matmul(w)"), (2, "v.reshape(")])
def test_the_line_is_the_one_in_a_statement_of_several(size, line):
    with pytest.raises(ValueError) as caught:
        paddle.jit.to_static(spread)(paddle.ones([2, 2]), paddle.ones([size, 2]))
    assert users(caught.value)[-1] == ("spread", line)
    assert re.search(r"-->.*\| +(.*)", str(caught.value))[1] == line


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


def test_a_cause_that_python_raises_for_translated_code_is_kept_without_our_frames():
    @paddle.jit.to_static
    def g(x, key="b"):
        try:
            scale = {"a": 1}[key]
        except KeyError as error:
            raise ValueError("no key") from error
        return x * scale

    with pytest.raises(ValueError, match="no key") as caught:
        g(paddle.ones([1]))
    assert [line for _, line in users(caught.value.__cause__)] == ['scale = {"a": 1}[key]']


def test_errors_of_saving_show_the_users_frames():
    with pytest.raises(ValueError, match="do not fill") as caught:
        paddle.jit.save(Doubling(), "never/written", input_spec=[paddle.static.InputSpec([2, 2])])
    assert [name for name, _ in users(caught.value)][1:] == ["forward", "helper"]


def test_shapes_met_at_run_time_have_the_users_frame():
    static = paddle.jit.to_static(helper, input_spec=[paddle.static.InputSpec([None, 2])])
    with pytest.raises(ValueError, match="do not fill") as caught:
        static(paddle.ones([2, 2]))
    assert [name for name, _ in users(caught.value)][1:] == ["helper"]


def test_what_an_operator_refuses_before_it_is_one_shows_the_line():
    def g(x):
        y = x * 2
        return y.sum(axis=5)

    with pytest.raises(ValueError, match="axis 5 is out of range") as caught:
        paddle.jit.to_static(g)(paddle.ones([2]))
    assert "-->" in str(caught.value) and "return y.sum(axis=5)" in str(caught.value)


def test_a_flag_shows_everything():
    full_traceback.value = True
    try:
        with pytest.raises(ValueError, match="do not fill") as caught:
            f(paddle.ones([2, 3]))
    finally:
        full_traceback.value = False
    assert any(x[0] == "tracer.py" for x in frames(caught.value))


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
