"""Operands of as many numbers as the result get its shape."""

import numpy as np
import pytest

from tests.compiler.passes.rewriting import becomes, program_of, stays
from to_static.compiler.passes.kernel_choice import squeeze_broadcast
from to_static.compiler.runtime.interpret import interpret
from to_static.compiler.runtime.plan import compile_plan
from to_static.core.backend import NUMPY

TEXT = """
program(%x: f32[1, 4], %b: f32[4]) {
  %0: f32[1, 4] stop = add(%x, %b)
  %1: f32[1, 4] stop = multiply(%b, %0)
  return %1
}
"""


def test_a_bias_on_one_row():
    becomes(squeeze_broadcast.squeeze_leading_dims, TEXT, """
    program(%x: f32[1, 4], %b: f32[4]) {
      %0: f32[1, 4] = reshape(%b, []) {shape=[1, 4]}
      %1: f32[1, 4] stop = add(%x, %0)
      %2: f32[1, 4] stop = multiply(%0, %1)
      return %2
    }
    """)


@pytest.mark.parametrize(
    ("old", "new"),
    [("[1, 4]", "[2, 4]"), ("[1, 4]", "[?, 4]"), ("f32[4]", "f32[1, 4]")],
    ids=["several rows", "an unknown size", "one shape"],
)
def test_what_stays(old, new):
    stays(squeeze_broadcast.squeeze_leading_dims, TEXT.replace(old, new))


def test_every_bit_is_the_same():
    program = program_of(TEXT)
    rng = np.random.default_rng(0)
    x, b = rng.normal(size=(1, 4)).astype("float32"), rng.normal(size=4).astype("float32")
    wanted = interpret(program, [x, b], NUMPY)
    squeeze_broadcast.squeeze_leading_dims(program)
    np.testing.assert_array_equal(compile_plan(program, NUMPY)(x, b)[0], wanted[0])
