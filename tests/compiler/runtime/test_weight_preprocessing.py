"""What depends on weights alone is computed once, and again when a weight changes."""

import numpy as np
import pytest

from tests.compiler.passes.rewriting import program_of
from to_static.compiler.ir.program import Stored
from to_static.compiler.runtime import weight_preprocessing
from to_static.compiler.runtime.codegen import FEW
from to_static.compiler.runtime.diagnostics.failure import StaleProgramError
from to_static.compiler.runtime.interpret import run_block
from to_static.compiler.runtime.plan import compile_plan
from to_static.core.backend import NUMPY

TEXT = """
program(%x: f32[2, 3]) {
  param %w: f32[3, 3]
  param %v: f32[3, 3]
  %0: f32[3, 3] stop = exp(%w)
  %1: f32[3, 3] stop = tanh(%v)
  %2: f32[3, 3] stop = multiply(%0, %1)
  %3: f32[2, 3] stop = matmul(%x, %2) {trans_x=False, trans_y=False}
  return %3, %1
}
"""


@pytest.fixture
def program():
    made = program_of(TEXT)
    rng = np.random.default_rng(0)
    for param in made.params:
        param.holder = Stored(rng.normal(size=(3, 3)).astype("float32"))
    return made


def by_hand(program, x):
    w, v = (p.holder._array for p in program.params)
    return x @ (np.exp(w) * np.tanh(v))


def test_once_and_again_when_weights_change(program, monkeypatch):
    plan = compile_plan(program, NUMPY, weights_frozen=True)
    x = np.ones((2, 3), "float32")
    calls = []
    compute = plan.prologue._compute
    monkeypatch.setattr(plan.prologue, "_compute", lambda: calls.append(1) or compute())
    for _ in range(3):
        np.testing.assert_allclose(plan(x)[0], by_hand(program, x), rtol=1e-6)
    assert len(calls) == 1
    program.params[0].holder._array = program.params[0].holder._array * 2
    np.testing.assert_allclose(plan(x)[0], by_hand(program, x), rtol=1e-6)
    assert len(calls) == 2
    plan.release()
    np.testing.assert_allclose(plan(x)[0], by_hand(program, x), rtol=1e-6)
    assert len(calls) == 3


def test_results_have_memory_of_their_own(program):
    plan = compile_plan(program, NUMPY, weights_frozen=True)
    x = np.ones((2, 3), "float32")
    first, second = plan(x)[1], plan(x)[1]
    assert not np.shares_memory(first, second)
    np.testing.assert_array_equal(first, second)


def test_without_settled_nothing_is_kept(program):
    assert compile_plan(program, NUMPY).prologue is None


def test_roots_that_a_run_changes_are_no_weights(program):
    program.state, program.block.results = [program.params[0]], [*program.block.results, program.block.ops[2].out]
    plan = compile_plan(program, NUMPY, weights_frozen=True)
    x = np.ones((2, 3), "float32")
    for _ in range(3):
        wanted = by_hand(program, x)
        np.testing.assert_allclose(plan(x)[0], wanted, rtol=1e-6)
    assert "exp" in plan.source


def test_a_weight_of_another_shape_is_refused(program):
    plan = compile_plan(program, NUMPY, weights_frozen=True)
    plan(np.ones((2, 3), "float32"))
    program.params[0].holder._array = np.ones((1, 3), "float32")
    with pytest.raises(StaleProgramError):
        plan(np.ones((2, 3), "float32"))


def test_constants_alone_are_computed_once(monkeypatch):
    made = program_of("""
    program(%x: f32[2]) {
      %0: f32[2] stop = constant() {value=f32[2](1.0, 2.0)}
      %1: f32[2] stop = exp(%0)
      %2: f32[2] stop = multiply(%x, %1)
      return %2
    }
    """)
    plan = compile_plan(made, NUMPY, weights_frozen=True)
    calls, compute = [], plan.prologue._compute
    monkeypatch.setattr(plan.prologue, "_compute", lambda: calls.append(1) or compute())
    for _ in range(3):
        np.testing.assert_allclose(plan(np.ones(2, "float32"))[0], np.exp(np.float32([1, 2])), rtol=1e-6)
    assert calls == [1] and not plan.prologue.holders


@pytest.mark.parametrize("count", [3, FEW + 1])
def test_each_of_the_weights_counts(count):
    params = "".join(f"  param %w{i}: f32[2]\n" for i in range(count))
    lines = "".join(f"  %{i}: f32[2] stop = add(%{'w0' if i == 0 else i - 1}, %w{i})\n" for i in range(count))
    last = f"  %{count}: f32[2] stop = add(%x, %{count - 1})\n  return %{count}\n"
    made = program_of(f"program(%x: f32[2]) {{\n{params}{lines}{last}}}\n")
    for param in made.params:
        param.holder = Stored(np.zeros(2, "float32"))
    plan = compile_plan(made, NUMPY, weights_frozen=True)
    assert plan(np.zeros(2, "float32"))[0].tolist() == [0, 0]
    for i, param in enumerate(made.params):
        param.holder._array = np.ones(2, "float32")
        assert plan(np.zeros(2, "float32"))[0].tolist() == [i + 2] * 2  # the first counts twice


def test_values_that_only_other_weights_are_made_of_are_let_go(monkeypatch):
    """While they are computed there are not all of them at a time."""
    seen = []

    def watched(block, args, backend, env=None, watch=None, spent=None):
        found = run_block(block, args, backend, env, watch, spent)
        seen.append((len(env), len(found)))
        return found

    monkeypatch.setattr(weight_preprocessing, "run_block", watched)
    made = program_of(
        """
program(%x: f32[3, 3]) {
  param %w: f32[3, 3]
  %0: f32[3, 3] stop = exp(%w)
  %1: f32[3, 3] stop = tanh(%0)
  %2: f32[3, 3] stop = exp(%1)
  %3: f32[3, 3] stop = matmul(%x, %2) {trans_x=False, trans_y=False}
  return %3
}
"""
    )
    made.params[0].holder = Stored(np.ones((3, 3), "float32"))
    x = np.ones((3, 3), "float32")
    [found] = compile_plan(made, NUMPY, weights_frozen=True).call(x)
    np.testing.assert_allclose(found, x @ np.exp(np.tanh(np.exp(x))), rtol=1e-6)
    assert seen == [(1, 1)]
