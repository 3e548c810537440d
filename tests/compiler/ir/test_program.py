"""Programs: copies, lookups, results and state."""

import numpy as np

import to_static  # noqa: F401
from to_static.compiler.ir.parser import parse_program
from to_static.compiler.ir.program import Stored
from to_static.compiler.ir.verifier import verify
from to_static.compiler.runtime.interpret import interpret
from to_static.core.backend import NUMPY

TEXT = """program(%x: f32[2] grad, %p: bool[]) {
  param %w: f32[2]
  buffer %b: f32[2]
  %0: f32[2] = multiply(%x, %w)
  %y: f32[2] = cond(%p, [%0])
    true(%1: f32[2]) {
      %2: f32[2] = add(%1, %1)
      return %2
    }
    false(%3: f32[2]) {
      return %3
    }
  state %b = %0
  return %y as "out"
}
"""


def program():
    return parse_program(TEXT, {"w": Stored(np.array([2, 3], "float32")), "b": Stored(np.zeros(2, "float32"))})


def test_parts():
    p = program()
    assert [v.name for v in p.feeds] == ["x", "p"] and [v.name for v in p.outputs] == ["y"]
    assert [v.name for v in p.state] == ["b"] and p.state_values == [p.block.ops[0].out]
    assert p.all_parameters() == [p.params[0]]
    assert p.find("y") is p.outputs[0] and p.find("w") is p.params[0] and p.find("x") is p.feeds[0]
    assert p.find("nothing") is None
    assert str(p) == repr(p) == TEXT
    assert [op.name for op in p.block.walk()] == ["multiply", "cond", "add"]
    assert repr(p.feeds[0]) == "%x: f32[2]" and repr(p.block.ops[0]) == "<%_: f32[2] = multiply>"


def test_a_copy_is_separate_and_shares_the_holders():
    p = program()
    copy, seen = p.clone_with_map()
    verify(copy)
    assert str(copy) == TEXT and seen[p.outputs[0]] is copy.outputs[0]
    assert [v.holder for v in copy.params] == [v.holder for v in p.params]
    ours = {id(op) for op in p.block.walk()}
    assert not ours & {id(op) for op in copy.block.walk()}
    copy.block.ops[1].blocks[0].ops.clear()
    copy.block.ops[0].attrs["new"] = 1
    copy.output_names.append("more")
    assert str(p) == TEXT


def test_operands_can_be_mapped():
    p = program()
    op = p.block.ops[1]
    x = p.feeds[0]
    op.map_operands(lambda v: x if v is p.block.ops[0].out else v)
    assert list(op.operands()) == [p.feeds[1], x]
    [out] = interpret(p, [np.array([1, 1], "float32"), np.asarray(True)], NUMPY)
    assert out.tolist() == [2, 2]
