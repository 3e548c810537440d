"""Changing Programs."""

import numpy as np
import pytest

import to_static  # noqa: F401
from to_static.compiler.ir import rewriter
from to_static.compiler.ir.parser import parse_program
from to_static.compiler.ir.registry import get
from to_static.compiler.ir.verifier import verify
from to_static.compiler.runtime.interpret import interpret
from to_static.core.backend import NUMPY


def program(text):
    found = parse_program(text)
    verify(found)
    return found


@pytest.fixture
def straight():
    return program("""program(%x: f32[2], %y: f32[2]) {
      %a: f32[2] = add(%x, %y)
      %b: f32[2] = multiply(%a, %a)
      %c: f32[2] = add(%b, %x)
      return %b
    }""")


def test_replace_all(straight):
    x, y = straight.feeds
    b = straight.find("b")
    rewriter.replace_all(straight.block, {x: y, b: y})
    assert straight.outputs == [y] and straight.block.ops[0].inputs == (y, y)
    assert straight.block.ops[2].inputs == (y, y)
    rewriter.replace_all(straight.block, {})
    verify(straight)


def test_needed_ops_and_remove_dead_ops(straight):
    a, b, _ = straight.block.ops
    assert rewriter.needed_ops(straight.block.ops, [a.out]) == [a]
    assert rewriter.needed_ops(straight.block.ops, [straight.feeds[0]]) == []
    assert rewriter.remove_dead_ops(straight.block) == 1 and straight.block.ops == [a, b]


def test_effects_and_random_numbers_stay():
    p = program("""program(%x: f32[2], %p: bool[]) {
      print([%x]) {template="{}", end=""}
      %r: f32[2], %m: u8[2] = dropout(%x) {p=0.5, is_test=False, mode="upscale_in_train", seed=0, fix_seed=False, axis=None}
      %s: f32[2], %n: u8[2] = dropout(%x) {p=0.5, is_test=True, mode="upscale_in_train", seed=0, fix_seed=False, axis=None}
      %c: f32[2] = cond(%p, [%x])
        true(%u: f32[2]) {
          print([%u]) {template="{}", end=""}
          return %u
        }
        false(%v: f32[2]) {
          return %v
        }
      return %x
    }""")
    show, drop, test, branch = p.block.ops
    assert (
        rewriter.has_side_effects(show)
        and rewriter.has_side_effects(drop)
        and not rewriter.has_side_effects(test)
        and rewriter.has_side_effects(branch)
    )
    assert rewriter.needed_ops(p.block.ops, [], effects=()) == []
    rewriter.prune(p.block)
    assert p.block.ops == [show, drop, branch] and branch.outputs == []
    verify(p)


def test_prune_branches():
    p = program("""program(%x: f32[2], %y: f32[2], %p: bool[]) {
      %0: f32[2], %1: f32[2] = cond(%p, [%x, %y])
        true(%2: f32[2], %3: f32[2]) {
          %4: f32[2] = add(%2, %2)
          return %4, %3
        }
        false(%5: f32[2], %6: f32[2]) {
          return %5, %6
        }
      return %1
    }""")
    assert rewriter.prune(p.block) == 3  # a result, an op and an operand
    [op] = p.block.ops
    assert len(op.outputs) == 1 and op.outputs[0].index == 0 and op.inputs[1] == (p.feeds[1],)
    verify(p)


LOOP = """program(%x: f64[], %y: f64[], %n: i64[]) {
  %0: i64[], %1: f64[], %2: f64[], %3: f64[] = while_loop([%n, %x, %x, %y, %y]) {carried=4}
    while(%4: i64[], %5: f64[], %6: f64[], %7: f64[], %8: f64[]) {
      %9: i64[] = constant() {value=i64[](0)}
      %10: bool[] = greater_than(%4, %9)
      return %10
    }
    do(%11: i64[], %12: f64[], %13: f64[], %14: f64[], %15: f64[]) {
      %16: i64[] = constant() {value=i64[](1)}
      %17: i64[] = subtract(%11, %16)
      %18: f64[] = multiply(%12, %13)
      %19: f64[] = add(%13, %13)
      %20: f64[] = add(%14, %15)
      return %17, %18, %19, %20
    }
  return %1
}"""


def test_prune_loops():
    p = program(LOOP)
    feeds = [np.array(3.0), np.array(1.0), np.array(3)]
    [want] = interpret(p, feeds, NUMPY)
    assert rewriter.prune(p.block) > 0
    verify(p)
    [op] = p.block.ops
    assert op.attrs["carried"] == 3 and len(op.inputs[0]) == 3  # what %1 depends on, and the counter; %3 and %y are gone
    assert interpret(p, feeds, NUMPY) == [want]


def test_a_loop_keeps_what_its_effects_read():
    p = program(LOOP)
    body = p.block.ops[0].blocks[1]
    new = rewriter.insert_before(body, body.ops[-1], get("print"), ((body.args[3],),), {"template": "{}", "end": ""}, ())
    assert body.ops[-2] is new
    rewriter.prune(p.block)
    verify(p)
    assert p.block.ops[0].attrs["carried"] == 4


def test_inline():
    p = program(LOOP)
    body = p.block.ops[0].blocks[1]
    n, x, y = p.feeds[2], p.feeds[0], p.feeds[1]
    seen = rewriter.inline(body, p.block, [n, x, x, y, y], skip=lambda op: op.name == "subtract")
    p.block.results = [seen[body.results[1]]]
    verify(p)
    assert interpret(p, [np.array(3.0), np.array(1.0), np.array(3)], NUMPY) == [9]


def test_unused_params():
    p = parse_program("""program(%x: f32[2]) {
      param %w: f32[2]
      param %unused: f32[2]
      buffer %b: f32[2]
      state %b = %w
      return %x
    }""")
    assert rewriter.remove_unused_params(p) == 1
    assert [v.name for v in p.params] == ["w", "b"]
