"""After a seed, random numbers are those that real Paddle 2.6.2 draws: the same bits, in one stream, dynamic and in Programs."""

from __future__ import annotations

import json

import numpy as np
import pytest

import to_static as paddle
from tests.compiler.ops.record_seeded import HERE, LINES, drawn, expressions, kept, namespace
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.runtime.interpret import interpret
from to_static.core import backend

RECORDS = json.loads((HERE / "seeded.json").read_text(encoding="utf-8"))
OUTSIDE = ("made(", "parameters(", ".weight", "io.", "_(", "nn.LSTM")  # what is no part of Programs
IN_PROGRAMS = [line for line in LINES if not any(word in line for word in OUTSIDE)]


@pytest.mark.parametrize(("line", "seed", "expected"), RECORDS, ids=[f"{r[1]}: {r[0]}" for r in RECORDS])
def test_the_numbers_are_paddle_s(line, seed, expected):
    for array, text, (dtype, shape, numbers, total) in zip(drawn(paddle, line, seed), expressions(line), expected, strict=True):
        found = kept(array)
        assert found[:2] == [dtype, shape], text
        if line.startswith("~") and text != expressions("")[-1]:
            np.testing.assert_allclose(found[2], numbers, rtol=1e-6, atol=1e-6, err_msg=text)
            np.testing.assert_allclose(found[3], total, rtol=1e-6, atol=1e-6 * max(array.size, 1), err_msg=text)
        else:
            assert found[2:] == [numbers, total], text


@pytest.mark.parametrize("line", IN_PROGRAMS)
def test_programs_draw_the_same(line):
    builder = Builder()
    with mode.use(builder):
        outputs = [eval(text, namespace(paddle)) for text in expressions(line)]
    program = builder.finish(outputs)
    eager = drawn(paddle, line, 42)
    paddle.seed(42)
    for expected, found in zip(eager, interpret(program, [], backend.NUMPY), strict=True):
        np.testing.assert_array_equal(found, expected)
