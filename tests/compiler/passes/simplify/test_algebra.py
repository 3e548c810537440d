import numpy as np
import pytest

from tests.compiler.passes.rewriting import becomes, stays
from to_static.compiler.ir.parser import parse_program
from to_static.compiler.passes.simplify import algebra
from to_static.compiler.runtime.interpret import interpret
from to_static.core.backend import NUMPY


def one_op(op, constant, spec="f32[?, 3]"):
    return f"""
        program(%x: {spec}) {{
          %y: {spec} = add(%x, %x)
          %c: {constant.split("(")[0]} = constant() {{value={constant}}}
          %a: {spec} = {op}
          %b: {spec} = multiply(%a, %x)
          return %b
        }}
        """


@pytest.mark.parametrize(
    ("op", "constant"),
    [
        ("multiply(%y, %c)", "f32[](1.0)"),
        ("multiply(%c, %y)", "f32[3](1.0, 1.0, 1.0)"),
        ("divide(%y, %c)", "f32[](1.0)"),
        ("add(%y, %c)", "f32[](-0.0)"),
        ("subtract(%y, %c)", "f32[](0.0)"),
    ],
)
def test_identities(op, constant):
    program = parse_program(one_op(op, constant))
    assert algebra.simplify_algebra(program) == 1
    y, _, _, b = program.block.ops
    assert b.inputs[0] is y.out
    x = np.asarray([[0.0, -0.0, np.nan], [np.inf, -np.inf, 1e-42]], "float32")
    before = parse_program(one_op(op, constant))
    with np.errstate(all="ignore"):
        (found,), (wanted,) = interpret(program, [x], NUMPY), interpret(before, [x], NUMPY)
    assert found.tobytes() == wanted.tobytes()


@pytest.mark.parametrize(
    ("op", "constant"),
    [
        ("multiply(%y, %c)", "f32[](0.0)"),
        ("multiply(%y, %c)", "f32[](-1.0)"),
        ("add(%y, %c)", "f32[](0.0)"),  # -0.0 + 0.0 is 0.0
        ("subtract(%y, %c)", "f32[](-0.0)"),
        ("subtract(%c, %y)", "f32[](0.0)"),
        ("divide(%c, %y)", "f32[](1.0)"),
        ("multiply(%y, %c)", "f32[3](1.0, 1.0, 2.0)"),
    ],
)
def test_what_is_no_identity_stays(op, constant):
    stays(algebra.simplify_algebra, one_op(op, constant))


def test_integers_have_one_zero():
    assert algebra.simplify_algebra(parse_program(one_op("add(%y, %c)", "i64[](0)", "i64[3]"))) == 1


def test_a_constant_that_broadcasts_the_other_side_stays():
    stays(
        algebra.simplify_algebra,
        """
        program(%x: f32[3]) {
          %y: f32[3] = add(%x, %x)
          %c: f32[2, 1] = constant() {value=f32[2, 1](1.0, 1.0)}
          %a: f32[2, 3] = multiply(%y, %c)
          return %a
        }
        """,
    )


def test_shapes_back_and_forth():
    becomes(
        algebra.simplify_algebra,
        """
        program(%x: f32[2, 3]) {
          %y: f32[2, 3] = add(%x, %x)
          %a: f32[6] = reshape(%y, []) {shape=(6,)}
          %b: f32[2, 3] = reshape(%a, []) {shape=(2, 3)}
          %c: f32[3, 2] = transpose(%b) {perm=(1, 0)}
          %d: f32[2, 3] = transpose(%c) {perm=(1, 0)}
          %e: f32[2, 3] = sum_to(%d, %x)
          %f: f32[2, 3] = neg(%e)
          %g: f32[2, 3] = neg(%f)
          return %g
        }
        """,
        """
        program(%x: f32[2, 3]) {
          %y: f32[2, 3] = add(%x, %x)
          %a: f32[6] = reshape(%y, []) {shape=(6,)}
          %b: f32[2, 3] = reshape(%y, []) {shape=(2, 3)}
          %c: f32[3, 2] = transpose(%y) {perm=(1, 0)}
          %d: f32[2, 3] = transpose(%y) {perm=(0, 1)}
          %e: f32[2, 3] = sum_to(%y, %x)
          %f: f32[2, 3] = neg(%y)
          %g: f32[2, 3] = neg(%f)
          return %y
        }
        """,
    )


def test_casts_there_and_back_go_only_when_nothing_is_lost():
    def casts(first, second):
        return f"""
        program(%x: {first}[3]) {{
          %y: {first}[3] = add(%x, %x)
          %a: {second}[3] = cast(%y) {{dtype={second}}}
          %b: {first}[3] = cast(%a) {{dtype={first}}}
          %c: {first}[3] = add(%b, %x)
          return %c
        }}
        """

    for first, second, gone in [
        ("f32", "f64", True), ("f64", "f32", False), ("i16", "f32", True), ("i32", "f32", False), ("i64", "f64", False),
        ("i32", "c64", False), ("i32", "c128", True), ("u8", "i16", True), ("u8", "i8", False), ("i8", "u8", False),
    ]:  # fmt: skip
        program = parse_program(casts(first, second))
        algebra.simplify_algebra(program)
        ops = program.block.ops
        assert (ops[-1].inputs[0] is ops[0].out) is gone, (first, second)


def test_copies_stay_where_a_caller_gets_them():
    stays(
        algebra.simplify_algebra,
        """
        program(%x: f32[3]) {
          %y: f32[3] = add(%x, %x)
          %a: f32[3] = assign(%y)
          %c: f32[] = constant() {value=f32[](1.0)}
          %b: f32[3] = multiply(%x, %c)
          return %y, %a, %b
        }
        """,
    )


def test_operands_need_not_be_expanded():
    becomes(
        algebra.simplify_algebra,
        """
        program(%x: f32[3], %y: f32[2, 3], %s: f32[]) {
          %a: f32[2, 3] = expand_as(%x, %y)
          %b: f32[2, 3] = multiply(%y, %a)
          %c: f32[2, 3] = expand(%s, []) {shape=(2, 3)}
          %d: f32[2, 3] = subtract(%c, %b)
          %e: f32[2, 3] = add(%c, %a)
          return %d, %e
        }
        """,
        """
        program(%x: f32[3], %y: f32[2, 3], %s: f32[]) {
          %a: f32[2, 3] = expand_as(%x, %y)
          %b: f32[2, 3] = multiply(%y, %x)
          %c: f32[2, 3] = expand(%s, []) {shape=(2, 3)}
          %d: f32[2, 3] = subtract(%s, %b)
          %e: f32[2, 3] = add(%s, %a)
          return %d, %e
        }
        """,
    )


def test_dropout_outside_of_training_is_nothing():
    from to_static.compiler.ir import mode
    from to_static.compiler.ir.building.builder import Builder
    from to_static.compiler.ir.spec import TensorSpec
    from to_static.compiler.ops.layers.dropout import dropout
    from to_static.core.dtypes import float32

    in_infer = {"training": False, "mode": "downscale_in_infer"}
    for options, count in (({"training": False}, 1), ({"training": True}, 0), (in_infer, 0)):
        builder = Builder()
        with mode.use(builder):
            x = builder.feed(TensorSpec((2, 3), float32))
            program = builder.finish([dropout(x * 2.0, 0.5, **options) * 3.0])
        assert algebra.simplify_algebra(program) == count
