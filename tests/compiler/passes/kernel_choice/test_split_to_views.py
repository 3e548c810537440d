import numpy as np

from tests.compiler.passes.rewriting import becomes, program_of, stays
from to_static.compiler.passes.kernel_choice import split_to_views
from to_static.compiler.runtime.interpret import interpret
from to_static.compiler.runtime.plan import compile_plan
from to_static.core.backend import NUMPY

SPLIT = """
program(%x: f32[2, 6]) {
  %0: f32[2, 2] stop, %1: f32[2, 4] stop = split(%x) {sizes=(2, 4), axis=-1}
  %2: f32[2] stop, %3: f32[2] stop = unbind(%0) {axis=1}
  %4: f32[2] stop = add(%2, %3)
  return %4
}
"""


def test_pieces_become_views():
    becomes(split_to_views.split_to_views, SPLIT.replace("%4: f32[2] stop", "%4: f32[2] stop"), """
    program(%x: f32[2, 6]) {
      %0: f32[2, 2] stop = slice(%x, []) {axes=(1,), starts=(0,), ends=(2,), steps=(1,), points=()}
      %1: f32[2] stop = slice(%0, []) {axes=(1,), starts=(0,), ends=(1,), steps=(1,), points=(1,)}
      %2: f32[2] stop = slice(%0, []) {axes=(1,), starts=(1,), ends=(2,), steps=(1,), points=(1,)}
      %3: f32[2] stop = add(%1, %2)
      return %3
    }
    """)  # fmt: skip


def test_pieces_that_are_results_keep_memory_of_their_own():
    stays(split_to_views.split_to_views, """
    program(%x: f32[2, 6]) {
      %0: f32[2, 2] stop, %1: f32[2, 4] stop = split(%x) {sizes=(2, 4), axis=-1}
      return %0
    }
    """)  # fmt: skip


def test_buffers_that_pieces_look_at_live_long_enough():
    program = program_of("""
    program(%x: f32[4, 6]) {
      %0: f32[4, 6] stop = tanh(%x)
      %1: f32[4, 3] stop, %2: f32[4, 3] stop = split(%0) {sizes=(3, 3), axis=1}
      %3: f32[4, 3] stop = exp(%1)
      %4: f32[4, 3] stop = exp(%3)
      %5: f32[4, 3] stop = add(%4, %2)
      %6: f32[4, 3] stop = multiply(%5, %1)
      return %6
    }
    """)
    x = np.random.default_rng(0).normal(size=(4, 6)).astype("float32")
    (wanted,) = interpret(program, [x], NUMPY)
    split_to_views.split_to_views(program)
    np.testing.assert_array_equal(compile_plan(program, NUMPY)(x)[0], wanted)


NORM = """
program(%x: f32[4, 6], %g: f32[6], %b: f32[6]) {
  %0: f32[4, 6] stop, %1: f32[4, 1] stop, %2: f32[4, 1] stop = layer_norm(%x, %g, %b) {begin_norm_axis=1, epsilon=0.001}
  return %0
}
"""


def test_norms_without_their_statistics():
    becomes(split_to_views.drop_norm_statistics, NORM, """
    program(%x: f32[4, 6], %g: f32[6], %b: f32[6]) {
      %0: f32[4, 6] stop = packed_norm(%x, %g, %b) {begin_norm_axis=1, epsilon=0.001}
      return %0
    }
    """)  # fmt: skip
    stays(split_to_views.drop_norm_statistics, NORM.replace("return %0", "return %0, %2"))
