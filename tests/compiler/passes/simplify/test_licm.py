import numpy as np
import pytest

from tests.compiler.passes.rewriting import becomes, program_of, stays
from to_static.compiler.passes.simplify import licm
from to_static.compiler.runtime.interpret import interpret
from to_static.compiler.runtime.plan import compile_plan
from to_static.core.backend import NUMPY

LOOP = """
program(%x: f32[2, 3], %w: f32[3, 3], %n: i64[]) {
  %0: i64[] = constant() {value=i64[](0)}
  %1: f32[2, 3], %2: i64[], %3: f32[3, 3] = while_loop([%x, %0, %w, %n]) {carried=3}
    while(%4: f32[2, 3], %5: i64[], %6: f32[3, 3], %7: i64[]) {
      %8: bool[] = less_than(%5, %7)
      return %8
    }
    do(%10: f32[2, 3], %11: i64[], %12: f32[3, 3], %13: i64[]) {
      %14: f32[3, 3] = tanh(%12)
      %15: f32[3, 3] = transpose(%14) {perm=(1, 0)}
      %16: f32[2, 3] = matmul(%10, %15) {trans_x=False, trans_y=False}
      %17: i64[] = constant() {value=i64[](1)}
      %18: i64[] = add(%11, %17)
      return %16, %18, %12
    }
  %20: f32[3, 3] = tanh(%3)
  return %1, %20
}
"""
AFTER = """
program(%x: f32[2, 3], %w: f32[3, 3], %n: i64[]) {
  %0: i64[] = constant() {value=i64[](0)}
  %1: f32[3, 3] = tanh(%w)
  %2: f32[3, 3] = transpose(%1) {perm=(1, 0)}
  %3: f32[2, 3], %4: i64[] = while_loop([%x, %0, %n, %w, %2]) {carried=2}
    while(%5: f32[2, 3], %6: i64[], %7: i64[], %8: f32[3, 3], %9: f32[3, 3]) {
      %10: bool[] = less_than(%6, %7)
      return %10
    }
    do(%11: f32[2, 3], %12: i64[], %13: i64[], %14: f32[3, 3], %15: f32[3, 3]) {
      %16: f32[2, 3] = matmul(%11, %15) {trans_x=False, trans_y=False}
      %17: i64[] = constant() {value=i64[](1)}
      %18: i64[] = add(%12, %17)
      return %16, %18
    }
  %19: f32[3, 3] = tanh(%w)
  return %3, %19
}
"""


def test_what_turns_repeat_moves_before_the_loop():
    becomes(licm.hoist_loop_invariants, LOOP, AFTER)


@pytest.mark.parametrize("turns", [0, 1, 3])
def test_numbers_stay(turns):
    rng = np.random.default_rng(0)
    arrays = [rng.normal(size=s).astype("float32") for s in ((2, 3), (3, 3))] + [np.asarray(turns)]
    program = program_of(LOOP)
    wanted = interpret(program, arrays, NUMPY)
    licm.hoist_loop_invariants(program)
    for found in (interpret(program, arrays, NUMPY), compile_plan(program, NUMPY)(*arrays)):
        for a, b in zip(found, wanted, strict=True):
            np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("operator", ["log(%14)", "divide(%14, %14)"])
def test_what_may_warn_stays_where_it_may_never_run(operator):
    product = "%16: f32[2, 3] = matmul(%11, %15)"
    stays(licm.hoist_loop_invariants, AFTER.replace(product, f"%30: f32[3, 3] = {operator}\n      {product.replace('%15', '%30')}"))


def test_values_that_are_results_stay_results_of_the_loop():
    text = LOOP.replace("return %1, %20", "return %1, %3")
    program = program_of(text)
    licm.hoist_loop_invariants(program)
    assert program.block.results[1].op.name == "while_loop"  # memory of its own, and not the caller's


def test_loops_in_loops():
    program = program_of("""
    program(%x: f32[3], %w: f32[3], %n: i64[]) {
      %0: i64[] = constant() {value=i64[](0)}
      %1: f32[3], %2: i64[] = while_loop([%x, %0, %n, %w]) {carried=2}
        while(%3: f32[3], %4: i64[], %5: i64[], %6: f32[3]) {
          %7: bool[] = less_than(%4, %5)
          return %7
        }
        do(%8: f32[3], %9: i64[], %10: i64[], %11: f32[3]) {
          %12: i64[] = constant() {value=i64[](0)}
          %13: f32[3], %14: i64[] = while_loop([%8, %12, %10, %11]) {carried=2}
            while(%15: f32[3], %16: i64[], %17: i64[], %18: f32[3]) {
              %19: bool[] = less_than(%16, %17)
              return %19
            }
            do(%20: f32[3], %21: i64[], %22: i64[], %23: f32[3]) {
              %24: f32[] = constant() {value=f32[](2.0)}
              %25: f32[3] = add(%23, %24)
              %26: f32[3] = tanh(%25)
              %27: f32[3] = add(%20, %26)
              %28: i64[] = constant() {value=i64[](1)}
              %29: i64[] = add(%21, %28)
              return %27, %29
            }
          %30: i64[] = constant() {value=i64[](1)}
          %31: i64[] = add(%9, %30)
          return %13, %31
        }
      return %1
    }
    """)
    arrays = [np.ones(3, "float32"), np.arange(3, dtype="float32"), np.asarray(2)]
    (wanted,) = interpret(program, arrays, NUMPY)
    assert licm.hoist_loop_invariants(program) > 0
    assert "tanh" in [op.name for op in program.block.ops]
    np.testing.assert_array_equal(interpret(program, arrays, NUMPY)[0], wanted)
    np.testing.assert_array_equal(compile_plan(program, NUMPY)(*arrays)[0], wanted)


def test_a_result_that_is_one_operand_in_both_branches():
    becomes(licm.hoist_loop_invariants, """
    program(%p: bool[], %x: f32[3], %y: f32[3]) {
      %0: f32[3], %1: f32[3] = cond(%p, [%x, %y])
        true(%2: f32[3], %3: f32[3]) {
          %4: f32[3] = tanh(%2)
          return %4, %3
        }
        false(%5: f32[3], %6: f32[3]) {
          return %5, %6
        }
      %7: f32[3] = add(%0, %1)
      return %7
    }
    """, """
    program(%p: bool[], %x: f32[3], %y: f32[3]) {
      %0: f32[3], %1: f32[3] = cond(%p, [%x, %y])
        true(%2: f32[3], %3: f32[3]) {
          %4: f32[3] = tanh(%2)
          return %4, %3
        }
        false(%5: f32[3], %6: f32[3]) {
          return %5, %6
        }
      %7: f32[3] = add(%0, %y)
      return %7
    }
    """)  # fmt: skip
