import numpy as np
import pytest

from tests.compiler.passes.rewriting import program_of
from to_static.compiler.ir.program import Stored
from to_static.compiler.ir.verifier import verify
from to_static.compiler.passes.fusion import fold_linears
from to_static.compiler.runtime.interpret import interpret
from to_static.compiler.runtime.plan import compile_plan
from to_static.core.backend import NUMPY

HEAD = """
program(%x: f32[2, {k}]) {{
  param %w: f32[{k}, {h}]
  param %b: f32[{h}]
  param %v: f32[{h}, {m}]
  param %c: f32[{m}]
  param %u: f32[{m}, 3]
  param %d: f32[3]
"""
TEXT = """  %0: f32[2, {h}] stop = matmul(%x, %w) {{trans_x=False, trans_y=False}}
  %1: f32[2, {h}] stop = add(%0, %b)
  %2: f32[2, {m}] stop = matmul(%1, %v) {{trans_x=False, trans_y=False}}
  %3: f32[2, {m}] stop = add(%2, %c)
  %4: f32[2, 3] stop = matmul(%3, %u) {{trans_x=False, trans_y=False}}
  %5: f32[2, 3] stop = add(%4, %d)
  return %5
}}
"""


def network(text=TEXT, k=8, h=6, m=4):
    program = program_of((HEAD + text).format(k=k, h=h, m=m))
    rng = np.random.default_rng(0)
    for param in program.params:
        param.holder = Stored(rng.uniform(-1, 1, param.shape).astype("float32"))
    return program, rng.uniform(-1, 1, (2, k)).astype("float32")


def test_all_layers_become_one():
    program, x = network()
    (wanted,) = interpret(program, [x], NUMPY)
    assert fold_linears.fold_linears(program) == 2
    verify(program)
    plan = compile_plan(program, NUMPY, weights_frozen=True)
    np.testing.assert_allclose(plan(x)[0], wanted, rtol=1e-5, atol=1e-5)
    assert plan.source.count("dot(") == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [("add(%0, %b)", "tanh(%0)"), ("return %5", "return %5, %1"), ("matmul(%1, %v)", "matmul(%1, %1)")],
    ids=["an activation between", "read by others", "no weight"],
)
def test_what_stays_apart(old, new):
    text = TEXT.replace(old, new)
    if "%1, %1" in text:
        text = text.replace("trans_x=False, trans_y=False", "trans_x=True, trans_y=False", 2).replace("True", "False", 1)
        text = text.split("  %3")[0] + "  return %2\n}}\n"
        text = text.replace("%2: f32[2, {m}]", "%2: f32[{h}, {h}]")
    program, x = network(text)
    wanted = interpret(program, [x], NUMPY)
    assert fold_linears.fold_linears(program) <= 1
    for a, b in zip(interpret(program, [x], NUMPY), wanted, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-5)


def test_a_narrow_middle_stays():
    program, _ = network(k=30, h=2, m=30)
    before = [op.name for op in program.block.ops].count("matmul")
    fold_linears.fold_linears(program)
    assert program.block.ops[0].name == "matmul" and before == 3, "30 x 2 x 30 is less than 30 x 30"


def test_weights_that_a_run_changes_stay():
    program, _ = network()
    program.state, program.block.results = [program.params[0]], [*program.block.results, program.params[0]]
    assert fold_linears.fold_linears(program) <= 1
