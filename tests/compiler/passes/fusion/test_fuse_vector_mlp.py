"""Linear layers on one row are one operator, where nothing else reads what is between them."""

import numpy as np
import pytest

from tests.compiler.passes.rewriting import becomes, program_of, stays
from to_static.compiler.ir.program import Stored
from to_static.compiler.passes.fusion import fuse_vector_mlp
from to_static.compiler.passes.pipeline import inference_passes, optimize
from to_static.compiler.runtime.interpret import interpret
from to_static.compiler.runtime.plan import compile_plan
from to_static.core.backend import NUMPY

HEAD = """
program(%x: f32[1, 4]) {
  param %w: f32[4, 6]
  param %b: f32[6]
  param %v: f32[6, 3]
  param %c: f32[3]
"""
BODY = """  %0: f32[1, 6] stop = matmul(%x, %w) {trans_x=False, trans_y=False}
  %1: f32[1, 6] stop = add(%0, %b)
  %2: f32[1, 6] stop = relu(%1)
  %3: f32[1, 3] stop = matmul(%2, %v) {trans_x=False, trans_y=False}
  %4: f32[1, 3] stop = add(%c, %3)
  return %4
}
"""


def test_a_chain():
    becomes(fuse_vector_mlp.fuse_vector_mlp, HEAD + BODY, HEAD + """  %0: f32[1, 6] stop = reshape(%b, []) {shape=[1, 6]}
  %1: f32[5, 6] stop = concat([%w, %0]) {axis=0}
  %2: f32[1, 3] stop = reshape(%c, []) {shape=[1, 3]}
  %3: f32[7, 3] stop = concat([%v, %2]) {axis=0}
  %4: f32[1, 3] stop = packed_rows(%x, [%1, %3]) {activations=["relu", ""]}
  return %4
}
""")


@pytest.mark.parametrize(
    ("old", "new"),
    [("f32[1,", "f32[2,"), ("return %4", "return %4, %1"), ("return %4", "return %4, %2"), ("relu(%1)", "sigmoid(%1)"),
     ("%v) {trans_x=False, trans_y=False", "%u) {trans_x=False, trans_y=True")],
    ids=["two rows", "read by others", "the activation is read", "another activation", "a weight the other way round"],
)  # fmt: skip
def test_what_stays(old, new):
    stays(
        fuse_vector_mlp.fuse_vector_mlp,
        HEAD.replace(old, new) + ("  param %u: f32[3, 6]\n" if "%u" in new else "") + BODY.replace(old, new),
    )


def test_numbers_also_when_a_weight_changes():
    program = program_of(HEAD + BODY)
    rng = np.random.default_rng(0)
    for param in program.params:
        param.holder = Stored(rng.normal(size=param.shape).astype("float32"))
    better = program.clone()
    assert fuse_vector_mlp.fuse_vector_mlp(better) == 1
    plan = compile_plan(better, NUMPY, weights_frozen=True)
    for k in range(4):
        x = rng.normal(size=(4, 1)).astype("float32").T  # not in one piece of memory
        np.testing.assert_allclose(plan(x)[0], interpret(program, [x], NUMPY)[0], rtol=1e-5, atol=1e-6)
        holder = program.params[k].holder
        holder._array = holder._array * np.float32(1.5)
    program.params[1].holder._array = np.full(6, -1e30, "float32")  # switched off: nothing of it is left
    np.testing.assert_allclose(plan(x)[0], interpret(program, [x], NUMPY)[0], rtol=1e-5, atol=1e-6)
    assert plan.source.count(" = k0(") == 1


LOOP = """
program(%x: f32[1, 4], %n: i64[], %w: f32[4, 4], %b: f32[4]) {
  %0: f32[1, 4], %1: i64[] = while_loop([%x, %n, %w, %b]) {carried=2}
    while(%2: f32[1, 4], %3: i64[], %4: f32[4, 4], %5: f32[4]) {
      %6: i64[] = constant() {value=i64[](0)}
      %7: bool[] = greater_than(%3, %6)
      return %7
    }
    do(%8: f32[1, 4], %9: i64[], %10: f32[4, 4], %11: f32[4]) {
"""
LAYER = """      %12: f32[1, 4] stop = matmul(%8, %10) {trans_x=False, trans_y=False}
      %13: f32[1, 4] stop = add(%12, %11)
"""
JOINED = """      %12: f32[1, 4] stop = reshape(%11, []) {shape=[1, 4]}
      %13: f32[5, 4] stop = concat([%10, %12]) {axis=0}
      %14: f32[1, 4] stop = packed_rows(%8, [%13]) {activations=[""]}
"""
REST = """      %15: f32[1, 4] stop = tanh(%14)
      %16: i64[] = constant() {value=i64[](1)}
      %17: i64[] = subtract(%9, %16)
      return %15, %17
    }
  return %0
}
"""


def test_a_layer_on_the_row_that_a_loop_carries():
    becomes(fuse_vector_mlp.fuse_vector_mlp, LOOP + LAYER + REST.replace("%14", "%13"), LOOP + JOINED + REST)


ABS = "      %20: f32[1, 4] stop = abs(%8)\n"
SQUARE = "      %20: f32[4, 4] stop = matmul(%8, %8) {trans_x=True, trans_y=False}\n"


@pytest.mark.parametrize(
    ("more", "old", "new"),
    [(ABS, "(%8, %10)", "(%20, %10)"), ("", "[4, 4]", "[100, 100]"),
     (SQUARE, "(%8, %10)", "(%8, %20)"), (ABS, "(%12, %11)", "(%12, %20)")],
    ids=["not the row that is carried", "a large weight", "a weight of the turn", "a bias of the turn"],
)  # fmt: skip
def test_what_stays_in_loops(more, old, new):
    text = LOOP + more + LAYER.replace(old, new) + REST.replace("%14", "%13")
    if "100" in new:
        text = text.replace("[4, 4]", "[100, 100]").replace("[1, 4]", "[1, 100]").replace("f32[4]", "f32[100]")
    stays(fuse_vector_mlp.fuse_vector_mlp, text)


def test_layers_in_loops_are_packed_before_the_first_turn():
    text = LOOP + LAYER + REST.replace("%14", "%13")
    program = optimize(program_of(text), inference_passes("numpy"))
    rng = np.random.default_rng(0)
    arrays = [rng.normal(size=s).astype("float32") for s in ((1, 4), (4, 4), (4,))]
    plan = compile_plan(program, NUMPY, weights_frozen=True)
    for n in (0, 1, 5):
        given = [arrays[0], np.asarray(n), *arrays[1:]]
        np.testing.assert_allclose(plan(*given)[0], interpret(program_of(text), given, NUMPY)[0], rtol=1e-5, atol=1e-6)
    turn = plan.source[plan.source.index("for ") :]
    assert "add(" not in turn and "concat" not in turn
