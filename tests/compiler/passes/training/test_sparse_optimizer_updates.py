"""Steps along the gradients of lookups move rows."""

import pytest

from tests.compiler.passes.rewriting import becomes, stays
from to_static.compiler.passes.training import sparse_optimizer_updates

SGD = """
program(%i: i64[2], %w: f32[5, 4], %x: f32[2, 4], %r: f32[]) {
  %0: f32[5, 4] = embedding_grad([%i], %w, [%x]) {padding_idx=3}
  %1: f32[5, 4] = sgd(%w, %0, %r)
  return %1
}
"""
ADAM = """
program(%i: i64[2], %w: f32[5, 4], %x: f32[2, 4], %m: f32[5, 4], %v: f32[5, 4], %a: f32[1], %b: f32[1], %r: f32[]) {
  %0: f32[5, 4] = embedding_grad([%i], %w, [%x]) {padding_idx=-1}
  %1: f32[5, 4], %2: f32[5, 4], %3: f32[5, 4], %4: f32[1], %5: f32[1] = adam(%w, %0, %m, %v, %a, %b, %r) {
beta1=0.9, beta2=0.99, epsilon=1e-08, lazy_mode=True}
  return %1, %2, %3, %4, %5
}
""".replace("{\nbeta1", "{beta1")


def test_plain_descent():
    becomes(sparse_optimizer_updates.sparse_optimizer_updates, SGD, """
    program(%i: i64[2], %w: f32[5, 4], %x: f32[2, 4], %r: f32[]) {
      %0: f32[5, 4] = row_sgd(%w, [%i], [%x], %r) {padding_idx=3}
      return %0
    }
    """)


def test_lazy_adam():
    text = "program(%i: i64[2], %w: f32[5, 4], %x: f32[2, 4], %m: f32[5, 4], %v: f32[5, 4], %a: f32[1], %b: f32[1], %r: f32[]) {"
    becomes(sparse_optimizer_updates.sparse_optimizer_updates, ADAM, f"""
    {text}
      %0: f32[5, 4], %1: f32[5, 4], %2: f32[5, 4], %3: f32[1], %4: f32[1] = row_adam(%w, [%i], [%x], %m, %v, %a, %b, %r) """
    """{padding_idx=-1, beta1=0.9, beta2=0.99, epsilon=1e-08}
      return %0, %1, %2, %3, %4
    }
    """)


@pytest.mark.parametrize(
    "text",
    [
        SGD.replace("return %1", "return %1, %0"),
        SGD.replace("sgd(%w, %0, %r)", "add(%w, %0)"),
        ADAM.replace("lazy_mode=True", "lazy_mode=False"),
    ],
    ids=["a gradient that is wanted", "no step", "all rows move by their means"],
)
def test_others_stay(text):
    stays(sparse_optimizer_updates.sparse_optimizer_updates, text)
