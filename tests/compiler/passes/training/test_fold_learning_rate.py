"""Learning rates multiply what is pushed back, where that is smaller than the gradients."""

import numpy as np
import pytest

from tests.compiler.passes.rewriting import becomes, program_of, stays
from to_static.compiler.ir.program import Stored
from to_static.compiler.passes.training import fold_learning_rate
from to_static.compiler.runtime.interpret import interpret
from to_static.compiler.runtime.plan import compile_plan
from to_static.core.backend import NUMPY

HEAD = """
program(%x: f32[2, 8], %g: f32[2, 4], %ones: f32[2]) {
  param %w: f32[8, 4]
  param %b: f32[4]
  buffer %lr: f32[]
"""
SGD = """  %2: f32[8, 4] stop = sgd(%w, %0, %lr)
  %3: f32[4] stop = sgd(%b, %1, %lr)
"""
TEXT = HEAD + """  %0: f32[8, 4] stop = matmul(%x, %g) {trans_x=True, trans_y=False}
  %1: f32[4] stop = matmul(%ones, %g) {trans_x=False, trans_y=False}
""" + SGD + """  state %w = %2
  state %b = %3
  return
}
"""


def test_a_layer():
    becomes(fold_learning_rate.fold_learning_rate, TEXT, HEAD + """  %0: f32[2, 4] = multiply(%g, %lr)
  %1: f32[8, 4] = matmul(%x, %0) {trans_x=True, trans_y=False}
  %2: f32[4] = matmul(%ones, %0) {trans_x=False, trans_y=False}
  %3: f32[8, 4] stop = subtract(%w, %1)
  %4: f32[4] stop = subtract(%b, %2)
  state %w = %3
  state %b = %4
  return
}
""")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("return", "return %0, %1"), ("lr: f32[]", "lr: f32[1]"), ("f32[2", "f32[99"), ("f32[2", "f32[?"),
        (SGD, "  %4: f32[] = exp(%lr)\n" + SGD.replace("%lr", "%4")),
    ],
    ids=["gradients are read", "a rate with a dimension", "more is pushed back", "an unknown size", "a rate that is computed"],
)
def test_what_stays(old, new):
    stays(fold_learning_rate.fold_learning_rate, TEXT.replace(old, new))


def test_numbers():
    program = program_of(TEXT)
    rng = np.random.default_rng(0)
    for param in program.params:
        param.holder = Stored(np.asarray(rng.normal(size=param.shape), "float32"))
    better = program.clone()
    assert fold_learning_rate.fold_learning_rate(better) == 2
    inputs = [rng.normal(size=v.shape).astype("float32") for v in program.feeds]
    before = [v.holder._array for v in program.params]
    interpret(program, inputs, NUMPY)
    wanted = [v.holder._array for v in program.params]
    for v, array in zip(program.params, before, strict=True):
        v.holder._array = array
    compile_plan(better, NUMPY)(*inputs)
    for v, array in zip(program.params, wanted, strict=True):
        np.testing.assert_allclose(v.holder._array, array, rtol=1e-5, atol=1e-6)
    assert not np.array_equal(wanted[0], before[0])
