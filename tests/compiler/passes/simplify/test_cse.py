from tests.compiler.passes.rewriting import becomes, stays
from to_static.compiler.passes.simplify import cse


def test_equal_ops_merge_and_so_do_their_users():
    becomes(
        cse.eliminate_common_subexpressions,
        """
        program(%x: f32[2], %y: f32[2]) {
          %a: f32[2] = add(%x, %y)
          %b: f32[2] = add(%x, %y)
          %c: f32[2] = multiply(%a, %x)
          %d: f32[2] = multiply(%b, %x)
          %e: f32[2] = subtract(%c, %d)
          return %e
        }
        """,
        """
        program(%x: f32[2], %y: f32[2]) {
          %a: f32[2] = add(%x, %y)
          %c: f32[2] = multiply(%a, %x)
          %e: f32[2] = subtract(%c, %c)
          return %e
        }
        """,
    )


def test_attributes_must_act_alike():
    stays(
        cse.eliminate_common_subexpressions,
        """
        program(%x: f32[2]) {
          %a: f32[2] = full_like(%x) {dtype=f32, value=0.0}
          %b: f32[2] = full_like(%x) {dtype=f32, value=-0.0}
          %c: i64[] = constant() {value=i64[](1)}
          %d: f32[] = constant() {value=f32[](1.0)}
          return %a, %b, %c, %d
        }
        """,
    )


def test_equal_constants_merge():
    becomes(
        cse.eliminate_common_subexpressions,
        """
        program(%x: f32[2]) {
          %a: f32[] = constant() {value=f32[](2.0)}
          %b: f32[] = constant() {value=f32[](2.0)}
          %c: f32[2] = multiply(%x, %a)
          %d: f32[2] = multiply(%c, %b)
          return %d
        }
        """,
        """
        program(%x: f32[2]) {
          %a: f32[] = constant() {value=f32[](2.0)}
          %c: f32[2] = multiply(%x, %a)
          %d: f32[2] = multiply(%c, %a)
          return %d
        }
        """,
    )


def test_effects_never_merge():
    stays(
        cse.eliminate_common_subexpressions,
        """
        program(%x: f32[2]) {
          print([%x]) {end="\\n", template="{}"}
          print([%x]) {end="\\n", template="{}"}
          return %x
        }
        """,
    )
