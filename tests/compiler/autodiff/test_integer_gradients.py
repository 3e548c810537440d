"""Integers made of floats by a cast keep a gradient, as in Paddle 2.6.2: straight-through estimators rely on it."""

import json
from pathlib import Path

import numpy as np
import pytest

import to_static as paddle
from tests.compiler.autodiff.record_integer_gradients import described, function
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.runtime.interpret import interpret
from to_static.core import backend

RECORDS = json.loads((Path(__file__).parent / "integer_gradients.json").read_text(encoding="utf-8"))


def near(actual, expected):
    assert actual[:2] == expected[:2]
    assert (actual[2] is None) == (expected[2] is None)
    if expected[2] is not None:
        np.testing.assert_allclose(actual[2], expected[2], rtol=1e-5)


@pytest.mark.parametrize(("text", "expected"), RECORDS.items(), ids=RECORDS)
@pytest.mark.filterwarnings("ignore:.*the left operand is")
def test_dynamic(text, expected):
    near(described(paddle, lambda x: function(text, paddle)(x, x.cast("int32"))), expected)


@pytest.mark.parametrize(("text", "expected"), RECORDS.items(), ids=RECORDS)
@pytest.mark.filterwarnings("ignore:.*the left operand is")
def test_in_a_program(text, expected):
    builder = Builder()
    x = paddle.to_tensor([1.5, 2.5, 0.75])
    with mode.use(builder):
        feed = builder.feed(x.spec, "x", stop_gradient=False)
        y = function(text, paddle)(feed, feed.cast("int32"))
        gradient = None if y.stop_gradient else paddle.static.gradients([y.sum()], [feed])[0]
    found = None if gradient is None else interpret(builder.finish([gradient]), [x.numpy()], backend.NUMPY)[0].tolist()
    near([y.dtype.name, y.stop_gradient, found], expected)


def straight_through(x):
    return (x + (x.round().cast("int32").cast("float32") - x).detach()).sum()


def chosen(x):
    i = x.cast("int32")
    if x.sum() > 0:
        j = i * 2
        for _ in range(paddle.shape(x)[0]):
            j = j + i
    else:
        j = i + 1
    return (j.cast("float32") * x).sum()


def doubled(x):
    i, n = x.cast("int32"), paddle.zeros([], "int32")
    while n < x.sum().cast("int32"):
        i, n = i + i, n + 1
    return i.cast("float32").sum()


def listed(x):
    parts = []
    for row in x:
        parts.append(row.cast("int32"))
    return paddle.stack(parts).cast("float32").sum()


def grown(x):
    parts, n = [], paddle.zeros([], "int32")
    while n < 2:
        parts.append(x.cast("int32") * n)
        n = n + 1
    return paddle.concat(parts).cast("float32").sum()


def written(x):
    i = x.cast("int32")
    i[0] = 7
    return i.cast("float32").sum()


def kept(x):
    values = {"a": x.cast("int64")}
    if x[0] > 1:
        values["a"] = values["a"] * 3
    return values["a"].cast("float32").sum()


@pytest.mark.parametrize("program", [straight_through, chosen, doubled, listed, grown, written, kept])
@pytest.mark.parametrize("batch", [3, None])
def test_through_control_flow(program, batch):
    static = paddle.jit.to_static(program, input_spec=[paddle.static.InputSpec([batch])])
    dynamic = described(paddle, program)
    assert dynamic[2] is not None
    near(described(paddle, static), dynamic)


def test_whole_leaves_have_whole_gradients():
    i = paddle.to_tensor([1, 2], stop_gradient=False)
    (i * 3).sum().backward()
    assert (i.grad.dtype, i.grad.tolist()) == (paddle.int64, [3, 3])
