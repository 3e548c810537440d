"""Views of buffers are made with the buffers, and see what every run writes there."""

import numpy as np

from tests.compiler.passes.rewriting import program_of
from to_static.compiler.runtime.interpret import interpret
from to_static.compiler.runtime.plan import compile_plan
from to_static.core.backend import NUMPY

TEXT = """
program(%x: f32[2, 6], %w: f32[3, 5]) {
  %0: f32[2, 6] stop = exp(%x)
  %1: f32[2, 2, 3] stop = reshape(%0, []) {shape=[2, 2, 3]}
  %2: f32[2, 2, 5] stop = matmul(%1, %w) {trans_x=False, trans_y=False}
  %3: f32[5, 2, 2] stop = transpose(%2) {perm=[2, 0, 1]}
  %4: f32[10, 2] stop = reshape(%3, []) {shape=[10, 2]}
  %5: f32[10, 2] stop = tanh(%4)
  %6: f32[3, 2] stop = slice(%5, []) {axes=[0], starts=[1], ends=[4], steps=[1], points=[]}
  %7: f32[3, 2] stop = add(%6, %6)
  return %7
}
"""


def run_of(plan):
    """The lines of what a plan does in every run, and of what it does once."""
    make, run = plan.source.split("    def run(")
    return make, run


def test_views_are_made_once():
    program = program_of(TEXT)
    plan = compile_plan(program, NUMPY)
    make, run = run_of(plan)
    assert ".reshape((2, 2, 3))" in make and ".transpose((2, 0, 1))" in make and "[1:4" in make
    assert ".reshape((10, 2))" in run, "this one is a copy"
    rng = np.random.default_rng(0)
    for _ in range(3):
        x, w = rng.normal(size=(2, 6)).astype("float32"), rng.normal(size=(3, 5)).astype("float32")
        np.testing.assert_allclose(plan(x, w)[0], interpret(program, [x, w], NUMPY)[0], rtol=1e-6)


def test_what_callers_get_is_theirs():
    program = program_of(TEXT.replace("return %7", "return %7, %1, %3"))
    plan = compile_plan(program, NUMPY)
    rng = np.random.default_rng(0)
    x, w = rng.normal(size=(2, 6)).astype("float32"), rng.normal(size=(3, 5)).astype("float32")
    first = plan(x, w)
    kept = [a.copy() for a in first]
    plan(x + 1, w * 2)
    for a, b in zip(first, kept, strict=True):
        np.testing.assert_array_equal(a, b)


def test_operators_with_memory_of_their_own_read_what_is_there_now():
    program = program_of("""
    program(%x: f32[4, 6]) {
      %0: f32[4, 6] stop = exp(%x)
      %1: f32[6, 4] stop = transpose(%0) {perm=[1, 0]}
      %2: f32[6, 4] stop = softmax(%1) {axis=-1}
      %3: f32[6, 4] stop = add(%2, %2)
      return %3
    }
    """)
    plan = compile_plan(program, NUMPY)
    for seed in range(2):
        x = np.random.default_rng(seed).normal(size=(4, 6)).astype("float32")
        np.testing.assert_allclose(plan(x)[0], interpret(program, [x], NUMPY)[0], rtol=1e-6)
