from tests.compiler.passes.rewriting import becomes, stays
from to_static.compiler.ir.parser import parse_program
from to_static.compiler.passes.simplify import dce


def test_unused_ops_go():
    becomes(
        dce.eliminate_dead_code,
        """
        program(%x: f32[2]) {
          %a: f32[2] = add(%x, %x)
          %b: f32[2] = multiply(%a, %x)
          %c: f32[2] = subtract(%x, %x)
          return %a
        }
        """,
        """
        program(%x: f32[2]) {
          %a: f32[2] = add(%x, %x)
          return %a
        }
        """,
    )


def test_effects_and_random_numbers_stay():
    stays(
        dce.eliminate_dead_code,
        """
        program(%x: f32[2], %p: bool[]) {
          print([%x]) {end="\\n", template="{}"}
          cond(%p, [%x])
            true(%y: f32[2]) {
              print([%y]) {end="\\n", template="{}"}
              return
            }
            false(%z: f32[2]) {
              return
            }
          return %x
        }
        """,
    )


def test_results_and_operands_of_branches_that_nobody_uses_go():
    becomes(
        dce.eliminate_dead_code,
        """
        program(%x: f32[2], %y: f32[2], %p: bool[]) {
          %a: f32[2], %b: f32[2] = cond(%p, [%x, %y])
            true(%u: f32[2], %v: f32[2]) {
              %c: f32[2] = add(%u, %u)
              %d: f32[2] = multiply(%v, %v)
              return %c, %d
            }
            false(%s: f32[2], %t: f32[2]) {
              return %s, %t
            }
          return %a
        }
        """,
        """
        program(%x: f32[2], %y: f32[2], %p: bool[]) {
          %a: f32[2] = cond(%p, [%x])
            true(%u: f32[2]) {
              %c: f32[2] = add(%u, %u)
              return %c
            }
            false(%s: f32[2]) {
              return %s
            }
          return %a
        }
        """,
    )


def test_loop_variables_that_nothing_needs_go():
    program = parse_program(
        """
        program(%n: i64[], %x: f32[2], %y: f32[2], %z: f32[2]) {
          %a: i64[], %b: f32[2], %c: f32[2], %d: f32[2] = while_loop([%n, %x, %y, %z]) {carried=4}
            while(%i: i64[], %p: f32[2], %q: f32[2], %r: f32[2]) {
              %t: bool[] = cast(%i) {dtype=bool}
              return %t
            }
            do(%j: i64[], %u: f32[2], %v: f32[2], %w: f32[2]) {
              %one: i64[] = constant() {value=i64[](1)}
              %k: i64[] = subtract(%j, %one)
              %e: f32[2] = add(%u, %v)
              %f: f32[2] = multiply(%v, %v)
              %g: f32[2] = multiply(%w, %u)
              return %k, %e, %f, %g
            }
          return %b
        }
        """
    )
    assert dce.eliminate_dead_code(program)
    (loop,) = program.block.ops
    assert loop.attrs["carried"] == 3  # d is not needed; c is, by b
    assert [len(b.args) for b in loop.blocks] == [3, 3]
    assert [op.name for op in loop.blocks[1].ops] == ["constant", "subtract", "add", "multiply"]
    assert [v.index for v in loop.outputs] == [0, 1, 2]
