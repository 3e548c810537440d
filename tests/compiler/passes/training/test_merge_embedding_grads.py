"""Sums of the gradients of one table's lookups."""

import numpy as np
import pytest

import to_static as paddle
from tests.compiler.passes.rewriting import becomes, stays
from to_static import nn
from to_static.compiler.passes.training import merge_embedding_grads

TEXT = """
program(%i: i64[2], %j: i64[3], %k: i64[1], %w: f32[5, 4], %x: f32[2, 4], %y: f32[3, 4], %z: f32[1, 4]) {
  %0: f32[5, 4] = embedding_grad([%i], %w, [%x]) {padding_idx=-1}
  %1: f32[5, 4] = embedding_grad([%j], %w, [%y]) {padding_idx=-1}
  %2: f32[5, 4] = add(%0, %1)
  %3: f32[5, 4] = embedding_grad([%k], %w, [%z]) {padding_idx=-1}
  %4: f32[5, 4] = add(%2, %3)
  return %4
}
"""


def test_a_sum_of_three():
    becomes(merge_embedding_grads.merge_embedding_grads, TEXT, """
    program(%i: i64[2], %j: i64[3], %k: i64[1], %w: f32[5, 4], %x: f32[2, 4], %y: f32[3, 4], %z: f32[1, 4]) {
      %0: f32[5, 4] = embedding_grad([%i, %j, %k], %w, [%x, %y, %z]) {padding_idx=-1}
      return %0
    }
    """)


def test_what_somebody_reads_stays():
    one = TEXT.replace("%3: f32[5, 4] = embedding_grad([%k], %w, [%z]) {padding_idx=-1}", "%3: f32[5, 4] = tanh(%0)")
    stays(
        merge_embedding_grads.merge_embedding_grads,
        one.replace("%4: f32[5, 4] = add(%2, %3)", "%4: f32[5, 4] = multiply(%2, %3)"),
    )


@pytest.mark.parametrize("old, new", [("%y]) {padding_idx=-1", "%y]) {padding_idx=2"), ("[%j], %w", "[%j], %v")])
def test_other_tables_stay(old, new):
    text = TEXT.replace("%x: f32[2, 4]", "%x: f32[2, 4], %v: f32[5, 4]").replace(old, new)
    stays(merge_embedding_grads.merge_embedding_grads, text)


def test_a_training_step():
    def gradient(static):
        paddle.seed(1)
        table = nn.Embedding(6, 4)
        head = nn.Linear(4, 1)
        optimizer = paddle.optimizer.SGD(0.5, parameters=[*table.parameters(), *head.parameters()])

        def step(a, b, c):
            loss = head(table(a) * table(b) + table(c)).square().mean()
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
            return loss

        run = paddle.jit.to_static(step) if static else step
        ids = [paddle.to_tensor(np.random.default_rng(i).integers(0, 6, 3)) for i in range(3)]
        losses = [run(*ids).item() for _ in range(3)]
        return losses, table.weight.numpy(), run

    losses, weight, _ = gradient(False)
    found, moved, run = gradient(True)
    np.testing.assert_allclose(found, losses, rtol=1e-5)
    np.testing.assert_allclose(moved, weight, rtol=1e-5, atol=1e-7)
    assert str(run.plan).count("row_sgd_kernel(") == 1, str(run.plan)
