"""Each rule of the verifier: a good Program with one thing broken is refused, with a message that names it."""

import pytest

import to_static  # noqa: F401
from to_static.compiler.ir.parser import parse_program
from to_static.compiler.ir.program import Var
from to_static.compiler.ir.spec import ListSpec
from to_static.compiler.ir.verifier import verify
from to_static.core.errors import ProgramError

TEXT = """
program(%x: f32[2], %p: bool[]) {
  param %w: f32[2]
  buffer %b: f32[2]
  %0: f32[2] = multiply(%x, %w)
  %1: f32[2] = add(%0, %b)
  %2: f32[2] = cond(%p, [%0, %1])
    true(%3: f32[2], %4: f32[2]) {
      %5: f32[2] = add(%3, %4)
      return %5
    }
    false(%6: f32[2], %7: f32[2]) {
      return %7
    }
  %8: f32[2] = while_loop([%2, %1, %p]) {carried=1}
    while(%9: f32[2], %10: f32[2], %11: bool[]) {
      return %11
    }
    do(%12: f32[2], %13: f32[2], %14: bool[]) {
      %15: f32[2] = add(%12, %13)
      return %15
    }
  print([%8]) {template="{}", end=""}
  %16: list<f32[2]> = list_new([%8])
  state %b = %1
  return %8 as "y"
}
"""


@pytest.fixture
def program():
    return parse_program(TEXT)


def op(program, name, number=0):
    return [o for o in program.block.walk() if o.name == name][number]


def test_a_good_program_passes(program):
    verify(program)
    verify(program.clone())


def broken(message):
    return pytest.raises(ProgramError, match=message)


def test_order(program):
    program.block.ops[0], program.block.ops[1] = program.block.ops[1], program.block.ops[0]
    with broken(r"add: .*read before it is defined.*\n    %.*add\("):
        verify(program)


def test_removed_definition(program):
    del program.block.ops[0]
    with broken("read before it is defined"):
        verify(program)


def test_blocks_are_closed(program):
    inner = op(program, "cond").blocks[0].ops[0]
    inner.inputs = (program.block.ops[0].out, inner.inputs[1])
    with broken("belongs to another block"):
        verify(program)


def test_results_of_blocks_are_closed(program):
    op(program, "cond").blocks[1].results = [program.block.ops[0].out]
    with broken("cond: .*belongs to another block"):
        verify(program)


def test_an_op_stands_once(program):
    program.block.ops.append(program.block.ops[0])
    with broken("twice"):
        verify(program)


def test_a_value_is_defined_once(program):
    program.block.args.append(program.block.args[0])
    with broken("two feeds|twice"):
        verify(program)


def test_number_of_inputs(program):
    o = op(program, "add")
    o.inputs = o.inputs[:1]
    with broken("add: expected 2 inputs, found 1"):
        verify(program)


@pytest.mark.parametrize("item, message", [(None, "input X is missing"), ((), "input X takes one value, found 0")])
def test_kinds_of_inputs(program, item, message):
    o = op(program, "add")
    o.inputs = (item, o.inputs[1])
    with broken(message):
        verify(program)


def test_list_inputs_are_tuples(program):
    o = op(program, "print")
    o.inputs = (o.inputs[0][0],)
    with broken("takes a tuple"):
        verify(program)


def test_attributes(program):
    op(program, "print").attrs["extra"] = 1
    with broken(r"expected attributes \['end', 'template'\]"):
        verify(program)


def test_specs_follow_the_shape_rule(program):
    out = op(program, "multiply").out
    out.spec = out.spec.with_shape((3,))
    with broken(r"result 0 is f32\[3\], but its shape rule says f32\[2\]"):
        verify(program)


def test_unknown_dimensions_fit_anything(program):
    out = op(program, "multiply").out
    out.spec = out.spec.with_shape((-1,))
    verify(program)


def test_the_shape_rule_may_refuse(program):
    x = program.feeds[0]
    x.spec = x.spec.with_shape((5,))
    with broken("multiply: its shape rule refuses it.*do not broadcast"):
        verify(program)


def test_lists_are_no_tensors(program):
    out = op(program, "add").out
    out.spec = ListSpec(out.spec)
    with broken("shape rule says"):
        verify(program)


def test_cond(program):
    o = op(program, "cond")
    o.blocks[0].results.append(o.blocks[0].results[0])
    with broken("cond: results of the true block: expected 1, found 2"):
        verify(program)


def test_cond_arguments(program):
    o = op(program, "cond")
    o.inputs = (o.inputs[0], o.inputs[1][:1])
    with broken("arguments of the true block: expected 2, found 1|defined twice"):
        verify(program)


def test_cond_predicate(program):
    o = op(program, "cond")
    o.inputs = (program.block.ops[0].out, o.inputs[1])
    with broken("predicate must have one element"):
        verify(program)


def test_loop_body(program):
    op(program, "while_loop").blocks[1].results.clear()
    with broken("results of the body: expected 1, found 0"):
        verify(program)


def test_loop_condition(program):
    op(program, "while_loop").blocks[0].results.clear()
    with broken("one value of one element"):
        verify(program)


def test_loop_results(program):
    o = op(program, "while_loop")
    o.attrs["carried"] = 2
    with broken("results of the body: expected 2, found 1"):
        verify(program)


def test_carried(program):
    op(program, "while_loop").attrs["carried"] = 9
    with broken("can't carry 9 of 3"):
        verify(program)


def test_blocks_of_other_ops(program):
    o = op(program, "multiply")
    o.blocks = op(program, "cond").blocks
    with broken("twice|only cond and while_loop|arguments"):
        verify(program)


def test_state(program):
    program.state.append(program.feeds[0])
    with broken("no parameter"):
        verify(program)


def test_state_values_keep_their_spec(program):
    program.block.results[-1] = op(program, "list_new").out
    with broken("state value .* would become"):
        verify(program)


def test_names(program):
    program.params[0].name = "x"
    with broken("two feeds or parameters are called 'x'"):
        verify(program)


def test_output_names(program):
    program.output_names = []
    with broken("1 outputs but 0 output names"):
        verify(program)


def test_results_know_their_op(program):
    o = op(program, "multiply")
    o.outputs[0].index = 3
    with broken("does not know its op"):
        verify(program)


def test_the_pass_is_named(program):
    program.feeds.append(Var(program.feeds[0].spec, "temp", block=program.block))
    with pytest.raises(ProgramError, match="malformed Program after fold: .*of kind 'temp'"):
        verify(program, "fold")


def test_constants_are_shown():
    with_constant = parse_program('program() { %0: f32[2] = constant() {value=f32[3](1, 2, 3)} return %0 }')
    with broken(r"constant: result 0 is f32\[2\], but its shape rule says f32\[3\]\n    %0: .*f32\[3\]\(1.0, 2.0, 3.0\)"):
        verify(with_constant)

