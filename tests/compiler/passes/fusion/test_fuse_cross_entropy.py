"""The mean cross-entropy and its gradient become one operator where nothing else is asked of them."""

import numpy as np
import pytest

from tests.compiler.passes.rewriting import becomes, program_of, stays
from to_static.compiler.passes.fusion import fuse_cross_entropy
from to_static.compiler.runtime.interpret import interpret
from to_static.compiler.runtime.plan import compile_plan
from to_static.core.backend import NUMPY

CE = "{soft_label=False, ignore_index=3, use_softmax=True, axis=-1}"
TEXT = f"""
program(%x: f32[5, 4], %y: i64[5]) {{
  %0: i64[5, 1] = unsqueeze(%y) {{axes=(1,)}}
  %1: f32[5, 1] stop = cross_entropy(%x, %0) {CE}
  %2: f32[] stop = sum(%1) {{axis=(0, 1), dtype=None, keepdim=False}}
  %3: f32[] = count_labels(%0) {{ignore_index=3, dtype=f32}}
  %4: f32[] stop = divide(%2, %3)
  %5: f32[] = constant() {{value=f32[](1.0)}}
  %6: f32[] stop = divide(%5, %3)
  %7: f32[5, 1] stop = expand_as(%6, %1)
  %8: f32[5, 4] stop = cross_entropy_grad(%x, %0, %7) {{soft_label=False, ignore_index=3, axis=-1}}
  return %4, %8
}}
"""


def test_a_loss_with_its_gradient():
    becomes(fuse_cross_entropy.fuse_cross_entropy, TEXT, """
    program(%x: f32[5, 4], %y: i64[5]) {
      %0: f32[] stop, %1: f32[5, 4] stop = label_loss(%x, %y) {ignore_index=3}
      return %0, %1
    }
    """)


def test_a_loss_that_is_scaled():
    becomes(fuse_cross_entropy.fuse_cross_entropy, TEXT.replace("(1.0)", "(2.0)"), """
    program(%x: f32[5, 4], %y: i64[5]) {
      %0: f32[] stop, %1: f32[5, 4] = label_loss(%x, %y) {ignore_index=3}
      %2: f32[] = constant() {value=f32[](2.0)}
      %3: f32[5, 4] stop = multiply(%1, %2)
      return %0, %3
    }
    """)


def test_losses_that_are_read_by_others_stay():
    program = program_of(TEXT.replace("return %4", "return %1, %4"))
    assert fuse_cross_entropy.fuse_cross_entropy(program) == 1
    assert [op.name for op in program.block.ops] == ["unsqueeze", "label_loss", "cross_entropy"]


@pytest.mark.parametrize(
    ("old", "new"),
    [("divide(%2, %3)", "divide(%3, %2)"), ("i64", "i32"), ("f32[5, 4]", "f32[?, 4]"), ("expand_as(%6", "expand_as(%5"),
     ("dtype=None", "dtype=f64")],
    ids=["another quotient", "labels of 32 bits", "an unknown size", "another gradient", "another sum"],
)  # fmt: skip
def test_what_stays(old, new):
    text = TEXT.replace(old, new)
    if "f64" in new:
        text = text.replace("%2: f32[]", "%2: f64[]").replace("%4: f32[] stop = divide(%2, %3)", "%4: f64[] stop = add(%2, %2)")
    stays(fuse_cross_entropy.fuse_cross_entropy, text)


def test_another_count_stays():
    stays(
        fuse_cross_entropy.fuse_cross_entropy,
        TEXT.replace("count_labels(%0) {ignore_index=3", "count_labels(%0) {ignore_index=-100"),
    )


@pytest.mark.parametrize("rows", [5, 60], ids=["few labels", "many labels"])
def test_numbers_with_and_without_ignored_labels(rows):
    program = program_of(TEXT.replace("5", str(rows)))
    better = program.clone()
    fuse_cross_entropy.fuse_cross_entropy(better)
    plan = compile_plan(better, NUMPY)
    rng = np.random.default_rng(0)
    for top, scale in ((3, 1), (4, 1), (3, 80)):
        x, y = rng.normal(scale=scale, size=(rows, 4)).astype("float32"), rng.integers(0, top, rows)
        wanted = interpret(program, [x, y], NUMPY)
        for found in (interpret(better, [x, y], NUMPY), plan(x, y)):
            np.testing.assert_allclose(found[0], wanted[0], rtol=1e-5)
            np.testing.assert_allclose(found[1], wanted[1], rtol=1e-5, atol=1e-7)
            assert [a.shape for a in found] == [(), (rows, 4)]


@pytest.mark.parametrize("wrong", [-1, 4, 1 << 40])
@pytest.mark.parametrize("rows", [5, 60], ids=["few labels", "many labels"])
def test_labels_that_are_no_classes_are_refused(rows, wrong):
    program = program_of(TEXT.replace("5", str(rows)))
    fuse_cross_entropy.fuse_cross_entropy(program)
    y = np.zeros(rows, "int64")
    y[2] = wrong
    with pytest.raises(IndexError, match="labels must lie in"):
        compile_plan(program, NUMPY)(np.zeros((rows, 4), "float32"), y)
