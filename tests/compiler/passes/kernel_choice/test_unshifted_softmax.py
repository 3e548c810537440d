import numpy as np
import pytest

from tests.compiler.passes.rewriting import becomes, program_of, stays
from to_static.compiler.passes import pipeline
from to_static.compiler.passes.kernel_choice import unshifted_softmax
from to_static.compiler.runtime.interpret import interpret
from to_static.compiler.runtime.plan import compile_plan
from to_static.core.backend import NUMPY

WEIGHTS = """
program(%x: f32[2, 40, 60]) {
  %0: f32[2, 40, 60] stop = tanh(%x)
  %1: f32[2, 40, 60] stop = softmax(%0) {axis=AXIS}
  return %1
}
"""


@pytest.mark.parametrize("axis", ["-1", "2"])
def test_softmaxes_along_the_last_axis(axis):
    becomes(unshifted_softmax.unshift_softmax, WEIGHTS.replace("AXIS", axis), """
    program(%x: f32[2, 40, 60]) {
      %0: f32[2, 40, 60] stop = tanh(%x)
      %1: f32[2, 40, 60] stop = packed_softmax(%0)
      return %1
    }
    """)  # fmt: skip


def test_others_stay():
    stays(unshifted_softmax.unshift_softmax, WEIGHTS.replace("AXIS", "1"))
    stays(unshifted_softmax.unshift_softmax, WEIGHTS.replace("AXIS", "-1").replace("2, 40, 60", "-1, 40, 60"))
    stays(unshifted_softmax.unshift_softmax, WEIGHTS.replace("AXIS", "-1").replace("2, 40, 60", "2, 40, 50"))
    stays(unshifted_softmax.unshift_softmax, "program(%x: f32[]) {\n  %0: f32[] stop = softmax(%x) {axis=-1}\n  return %0\n}\n")


def test_strict_plans_keep_every_bit(monkeypatch):
    names = {p.name for p in (*pipeline.inference_passes("numpy"), *pipeline.training_passes("numpy"))}
    monkeypatch.setattr(pipeline.strict, "value", True)
    strict = {p.name for p in (*pipeline.inference_passes("numpy"), *pipeline.training_passes("numpy"))}
    assert "unshift_softmax" in names - strict


ROWS = {
    "near zero": [[0, 1, 2, 3], [-3, 0.5, 0, 1]],
    "too large for an exponential": [[0, 1, 2, 300], [-3, 0.5, 0, 1]],
    "too small for one": [[-800, -801, -802, -803], [-3, 0.5, 0, 1]],
    "masked": [[0, 1, -np.inf, -1e9], [-3, 0.5, 0, -1e9]],
    "nothing left": [[-np.inf] * 4, [-3, 0.5, 0, 1]],
    "not a number": [[0, 1, np.nan, 3], [-3, 0.5, 0, 1]],
    "infinite": [[0, 1, np.inf, 3], [-3, 0.5, 0, 1]],
}


@pytest.mark.parametrize("rows", ROWS.values(), ids=ROWS)
@pytest.mark.filterwarnings("ignore:invalid value")
def test_every_row_gets_what_it_should(monkeypatch, rows):
    monkeypatch.setattr(unshifted_softmax, "LEAST", 0)
    program = program_of("program(%x: f32[2, 4]) {\n  %0: f32[2, 4] stop = softmax(%x) {axis=-1}\n  return %0\n}\n")
    x = np.asarray(rows, "float32")
    (wanted,) = interpret(program, [x], NUMPY)
    assert unshifted_softmax.unshift_softmax(program)
    np.testing.assert_allclose(compile_plan(program, NUMPY)(x)[0], wanted, rtol=1e-6)
    np.testing.assert_array_equal(x, np.asarray(rows, "float32"))
