"""Sums of columns are products with ones."""

import numpy as np
import pytest

from tests.compiler.passes.rewriting import becomes, program_of, stays
from to_static.compiler.passes.kernel_choice import sum_as_matmul
from to_static.compiler.runtime.interpret import interpret
from to_static.compiler.runtime.plan import compile_plan
from to_static.core.backend import NUMPY

TEXT = """
program(%x: f32[3, 4], %y: f32[4]) {
  %0: f32[3, 4] stop = tanh(%x)
  %1: f32[4] stop = sum_to(%0, %y)
  return %1
}
"""
DEEP = """
program(%x: f32[2, 3, 4]) {
  %0: f32[2, 3, 4] stop = tanh(%x)
  %1: f32[4] stop = sum(%0) {axis=(0, 1), dtype=None, keepdim=False}
  return %1
}
"""


def test_a_matrix():
    becomes(sum_as_matmul.sums_to_matmul, TEXT, """
    program(%x: f32[3, 4], %y: f32[4]) {
      %0: f32[3, 4] stop = tanh(%x)
      %1: f32[3] = constant() {value=f32[3](1.0, 1.0, 1.0)}
      %2: f32[4] stop = matmul(%1, %0) {trans_x=False, trans_y=False}
      return %2
    }
    """)


def test_what_has_more_dimensions():
    program = program_of(DEEP)
    wanted = program.clone()
    assert sum_as_matmul.sums_to_matmul(program) == 1
    assert [op.name for op in program.block.ops] == ["tanh", "reshape", "constant", "matmul"]
    x = np.random.default_rng(0).normal(size=(2, 3, 4)).astype("float32")
    np.testing.assert_allclose(compile_plan(program, NUMPY)(x)[0], interpret(wanted, [x], NUMPY)[0], rtol=1e-6)


def test_all_numbers_of_a_small_array():
    program = program_of(DEEP.replace("axis=(0, 1)", "axis=(0, 1, 2)").replace("%1: f32[4]", "%1: f32[]"))
    wanted = program.clone()
    assert sum_as_matmul.sums_to_matmul(program) == 1
    assert [op.name for op in program.block.ops] == ["tanh", "reshape", "constant", "matmul", "reshape"]
    x = np.random.default_rng(0).normal(size=(2, 3, 4)).astype("float32")
    (found,) = compile_plan(program, NUMPY)(x)
    assert found.shape == ()
    np.testing.assert_allclose(found, interpret(wanted, [x], NUMPY)[0], rtol=1e-5)


@pytest.mark.parametrize(
    "text",
    [
        TEXT.replace("%y: f32[4]", "%y: f32[3, 1]").replace("%1: f32[4]", "%1: f32[3, 1]"),
        TEXT.replace("f32", "i32").replace("tanh(%x)", "add(%x, %x)"),
        TEXT.replace("[3, 4]", "[?, 4]"),
        DEEP.replace("tanh(%x)", "transpose(%x) {perm=[0, 1, 2]}"),
        DEEP.replace("axis=(0, 1)", "axis=(0, 2)").replace("%1: f32[4]", "%1: f32[3]"),
        DEEP.replace("axis=(0, 1)", "axis=(0, 1, 2)").replace("%1: f32[4]", "%1: f32[]").replace("[2, 3, 4]", "[2, 3, 4000]"),
    ],
    ids=["rows", "integers", "an unknown size", "a view", "others", "all of many"],
)  # fmt: skip
def test_what_stays(text):
    stays(sum_as_matmul.sums_to_matmul, text)
