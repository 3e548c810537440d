from to_static.compiler.ir.parser import parse_program
from to_static.compiler.ir.registry import get
from to_static.compiler.ir.rewriter import insert_before
from to_static.compiler.ir.uses import Uses, values_read

TEXT = """program(%x: f32[2], %y: f32[2]) {
  %a: f32[2] = add(%x, %y)
  %b: f32[2] = multiply(%a, %a)
  %c: f32[2] = add(%b, %x)
  return %b
}"""


def test_uses_of_values():
    program = parse_program(TEXT)
    x, y = program.feeds
    a, b, c = program.block.ops
    uses = Uses(program.block)
    assert uses.ops == {x: [a, c], y: [a], a.out: [b], b.out: [c]}
    assert uses.users(x) == [a, c] and uses.users(c.out) == []
    assert a.out in uses and b.out in uses and c.out not in uses


def test_one_use_is_one_operand_of_one_op():
    program = parse_program(TEXT)
    x, y = program.feeds
    a, b, _ = program.block.ops
    uses = Uses(program.block)
    assert uses.has_one_use(y)
    assert not uses.has_one_use(x), "two ops read it"
    assert not uses.has_one_use(a.out), "one op reads it twice"
    assert not uses.has_one_use(b.out), "it is a result, too"


def test_added_and_replaced():
    program = parse_program(TEXT)
    y = program.feeds[1]
    _, b, c = program.block.ops
    uses = Uses(program.block)
    new = insert_before(program.block, None, get("neg"), (y,), {}, (y.spec,))
    uses.added(new)
    assert not uses.has_one_use(y)
    uses.replaced(b.out, new.out)
    assert uses.users(new.out) == [c] and new.out in uses and b.out not in uses.ops


def test_reads_are_counted_with_results():
    program = parse_program(TEXT)
    a, b, c = program.block.ops
    uses = Uses(program.block)
    assert [uses.count(v) for v in (*program.feeds, a.out, b.out, c.out)] == [2, 1, 2, 2, 0]
    assert values_read(program.block) == {*program.feeds, a.out, b.out}
