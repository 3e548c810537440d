import pytest

from tests.compiler.passes.rewriting import program_of
from to_static.compiler.passes.pattern import Pattern, Uses

TEXT = """
program(%x: f32[2, 3], %y: f32[2, 3]) {
  %0: f32[2, 3] stop = multiply(%x, %y)
  %1: f32[2, 3] stop = add(%y, %0)
  %2: f32[2, 3] stop = relu(%1)
  return %2
}
"""


def found(pattern, text=TEXT):
    program = program_of(text)
    return Pattern(pattern).at(program.block.ops[-1], Uses(program.block)), program


def test_names_stand_for_values_and_operators():
    names, program = found("relu(total:add(multiply(a, b), more))")
    x, y = program.feeds
    assert names == {"total": program.block.ops[1], "a": x, "b": y, "more": y}, "add is commutative"


@pytest.mark.parametrize("pattern", ["relu(add(...))", "relu|tanh(_)", "relu(add(multiply(_, same), same))", "relu(x)"])
def test_what_matches(pattern):
    assert found(pattern)[0] is not None


@pytest.mark.parametrize("pattern", ["tanh(_)", "relu(multiply(...))", "relu(add(multiply(same, _), tanh(same)))", "relu(add(_))"])
def test_what_does_not(pattern):
    assert found(pattern)[0] is None


def test_the_same_name_is_the_same_value():
    assert found("relu(add(multiply(v, _), v))")[0] is not None, "both are y: products are commutative"
    assert found("relu(add(multiply(v, v), _))")[0] is None


def test_results_inside_have_no_other_reader():
    twice = TEXT.replace("return %2", "return %2, %0")
    assert found("relu(add(multiply(...), _))", twice)[0] is None
    assert found("relu(add(_, _))", twice)[0] is not None
