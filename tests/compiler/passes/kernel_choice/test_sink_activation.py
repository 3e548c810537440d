import numpy as np
import pytest

from tests.compiler.passes.rewriting import becomes, program_of, stays
from to_static.compiler.passes.kernel_choice import sink_activation
from to_static.compiler.runtime.interpret import interpret
from to_static.core.backend import NUMPY

POOL = (
    'pool2d({}) {{pooling_type="{}", kernel_size=[2, 2], stride=[2, 2], padding=[0, 0], padding_algorithm="EXPLICIT", '
    'ceil_mode=False, exclusive=True, adaptive=False, global_pooling=False, data_format="NCHW"}}'
)
TEXT = f"""
program(%x: f32[2, 3, 4, 6], %b: f32[1, 3, 1, 1]) {{
  %0: f32[2, 3, 4, 6] stop = add(%x, %b)
  %1: f32[2, 3, 4, 6] stop = relu(%0)
  %2: f32[2, 3, 2, 3] stop = {POOL.format("%1", "max")}
  return %2
}}
"""


def test_bias_and_activation_go_behind_the_pooling():
    becomes(sink_activation.sink_activation, TEXT, f"""
    program(%x: f32[2, 3, 4, 6], %b: f32[1, 3, 1, 1]) {{
      %0: f32[2, 3, 2, 3] stop = {POOL.format("%x", "max")}
      %1: f32[2, 3, 2, 3] stop = add(%0, %b)
      %2: f32[2, 3, 2, 3] stop = relu(%1)
      return %2
    }}
    """)  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new"),
    [("max", "avg"), ("= relu(", "= tanh("), ("return %2", "return %2, %1")],
    ids=["averages", "not one of them", "read by others"],
)
def test_what_stays(old, new):
    stays(sink_activation.sink_activation, TEXT.replace(f'pooling_type="{old}"', f'pooling_type="{new}"').replace(old, new))


def test_what_differs_within_a_window_stays_in_front():
    text = TEXT.replace("%b: f32[1, 3, 1, 1]", "%b: f32[1, 1, 4, 6]")
    program = program_of(text)
    sink_activation.sink_activation(program)
    assert [op.name for op in program.block.ops] == ["add", "pool2d", "relu"]


def test_every_bit_is_the_same():
    rng = np.random.default_rng(0)
    x, b = rng.normal(size=(2, 3, 4, 6)).astype("float32"), rng.normal(size=(1, 3, 1, 1)).astype("float32")
    x[0, 0, 0, 0], x[1, 1, 2, 2] = np.nan, np.inf
    program = program_of(TEXT)
    wanted = interpret(program, [x, b], NUMPY)
    sink_activation.sink_activation(program)
    np.testing.assert_array_equal(interpret(program, [x, b], NUMPY)[0], wanted[0])
