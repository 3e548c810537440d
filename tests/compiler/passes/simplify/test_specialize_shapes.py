import numpy as np
import pytest

import to_static as paddle
from tests.compiler.passes import growing
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.input_spec import spec_from
from to_static.compiler.ir.parser import parse_program
from to_static.compiler.ir.registry import FUNCTIONS as F
from to_static.compiler.ir.verifier import verify
from to_static.compiler.passes.simplify.specialize_shapes import optimize_for, specialize
from to_static.compiler.runtime.executor import PlanExecutor
from to_static.compiler.runtime.interpret import interpret
from to_static.core.backend import NUMPY
from to_static.core.errors import ShapeError

TEXT = """
program(%x: f32[?, 3], %p: bool[]) {
  %n: i64[] = dim_size(%x) {axis=0}
  %three: i64[] = constant() {value=i64[](3)}
  %m: i64[] = multiply(%n, %three)
  %a: f32[?] = reshape(%x, [%m]) {shape=(-2,)}
  %b: f32[?] = cond(%p, [%a, %m])
    true(%u: f32[?], %k: i64[]) {
      %c: f32[?] = full([%k]) {dtype=f32, shape=(-2,), value=2.0}
      %d: f32[?] = add(%c, %u)
      return %d
    }
    false(%v: f32[?], %l: i64[]) {
      return %v
    }
  return %b
}
"""


def specs(block):
    return [str(op.out.spec) for op in block.ops]


def test_shapes_follow_from_those_of_the_feeds():
    general = parse_program(TEXT)
    special = specialize(general, [(4, 3), None])
    verify(special)
    assert specs(special.block) == ["i64[]", "i64[]", "i64[]", "f32[12]", "f32[12]"]
    assert specs(special.block.ops[-1].blocks[0]) == ["f32[12]", "f32[12]"]
    assert specs(general.block)[-1] == "f32[?]"
    best = optimize_for(general, [(4, 3), None])
    assert {op.name for op in best.block.walk()} <= {"reshape", "cond", "constant", "add"}
    arrays = [np.arange(12, dtype="float32").reshape(4, 3), np.asarray(True)]
    for program in (special, best):
        np.testing.assert_array_equal(interpret(program, arrays, NUMPY)[0], interpret(general, arrays, NUMPY)[0])


def test_loop_variables_that_grow_stay_unknown():
    builder = Builder()
    with mode.use(builder):
        x = builder.feed(spec_from([-1]))
        y = builder.feed(spec_from([-1]))
        n = builder.feed(spec_from([], "int64"))
        _, grown, fixed = builder.while_loop(
            lambda n, a, b: F["cast"](n, "bool"),
            lambda n, a, b: [n - 1, F["concat"]([a, a]), b * b],
            [n, x, y],
        )
        program = builder.finish([grown, fixed])
    special = specialize(program, [(2,), (3,), ()])
    verify(special)
    assert [str(v.spec) for v in special.outputs] == ["f32[?]", "f32[3]"]


def test_shapes_that_do_not_fit_are_refused():
    program = parse_program(TEXT)
    with pytest.raises(ShapeError, match=r"feed x is f32\[\?, 3\], it can't have the shape \[2, 4\]"):
        specialize(program, [(2, 4), None])


def test_an_impossible_operation_shows_the_line():
    builder = Builder()
    with mode.use(builder):
        x, y = builder.feed(spec_from([-1])), builder.feed(spec_from([-1]))
        program = builder.finish([x + y])  # does not broadcast
    with pytest.raises(ShapeError, match="# does not broadcast"):
        specialize(program, [(2,), (3,)])


def test_sizes_of_the_first_trip_are_not_those_of_the_next():
    builder = Builder()
    with mode.use(builder):
        x, n = builder.feed(spec_from([-1])), builder.feed(spec_from([], "int64"))
        _, grown = builder.while_loop(
            lambda n, a: F["cast"](n, "bool"),
            lambda n, a: [n - 1, F["concat"]([a, paddle.ones([F["shape"](a)[0]])])],
            [n, x],
        )
        program = builder.finish([grown])
    special = specialize(program, [(2,), ()])
    verify(special)
    for trips in range(4):
        [found] = interpret(special, [np.zeros(2, "float32"), np.asarray(trips)], NUMPY)
        assert found.shape == (2 << trips,)


@pytest.mark.parametrize("seed", range(60))
def test_random_loops_that_change_sizes(seed):
    program = growing.build(growing.script(seed))
    run = PlanExecutor(program, NUMPY, optimize_for)
    for trips in (3, 0, 1):
        arrays = growing.inputs(seed, trips)
        expected = interpret(program, arrays, NUMPY)
        special = specialize(program, [a.shape for a in arrays])
        verify(special)
        for found in (interpret(special, arrays, NUMPY), run(*arrays)):
            for actual, right in zip(found, expected, strict=True):
                assert (actual.dtype, actual.shape) == (right.dtype, right.shape)
                np.testing.assert_allclose(actual, right, rtol=1e-5)


def test_what_runs_before_an_impossible_operation_is_a_program_without_outputs():
    builder = Builder()
    with mode.use(builder):
        x, y = builder.feed(spec_from([-1])), builder.feed(spec_from([-1]))
        program = builder.finish([x * 2 + y], ["total"])
    with pytest.raises(ShapeError, match="do not broadcast") as caught:
        specialize(program, [(2,), (3,)])
    before = caught.value.__completed__
    verify(before)
    assert before.outputs == []
