"""Long lines are broken where people break them, and mean the same."""

import ast

import pytest

from to_static.compiler.frontend.transpile.unparse.printing import same
from to_static.compiler.frontend.transpile.unparse.wrapping import wrapped

TEXTS = {
    "arguments": (
        "x = call(alpha, beta(1, 2), gamma=3)",
        "x = call(\n    alpha, beta(1, 2), gamma=3\n)",
    ),
    "one per line": (
        "x = call(alpha_alpha, beta(1, 2, 3), gamma=3, delta=4)",
        "x = call(\n    alpha_alpha,\n    beta(1, 2, 3),\n    gamma=3,\n    delta=4,\n)",
    ),
    "a tuple": (
        "return first_value, second(1, 2), third[3]",
        "return first_value, second(\n    1, 2\n), third[3]",
    ),
    "the parameters of a lambda stay together": (
        "y = apply(lambda a, b=1: a + b, some_list, other_list)",
        "y = apply(\n    lambda a, b=1: a + b,\n    some_list,\n    other_list,\n)",
    ),
    "one argument gets no comma": (
        "y = total(value * 2 for value in values if value)",
        "y = total(\n    value * 2 for value in values if value\n)",
    ),
    "the largest bracket": (
        "y = f(a)(bb, cc, dd) + some_table[index, other]",
        "y = f(a)(bb, cc, dd) + some_table[\n    index, other\n]",
    ),
    "nothing to break in": ("name_of_something = another_name_that_is_long",) * 2,
    "a string": ("name = 'a long text (with, brackets) in it that stays'",) * 2,
}


@pytest.mark.parametrize(("text", "wanted"), TEXTS.values(), ids=TEXTS)
def test_long_lines(text, wanted):
    made = wrapped(text, 34)
    assert made == wanted
    inside = "def f():\n    {}\n"
    assert same(ast.parse(inside.format(made.replace("\n", "\n    "))), ast.parse(inside.format(text)))


def test_same_tells_trees_apart():
    assert same(ast.parse("f(1, 'a')"), ast.parse("f(1,\n  'a')"))
    for other in ("f(1.0, 'a')", "f(1, b'a')", "f(1, 'a', 2)", "f(1)", "g(1, 'a')"):
        assert not same(ast.parse("f(1, 'a')"), ast.parse(other))
    assert not same(ast.parse("0.0"), ast.parse("-0.0"))


def test_a_default_that_is_broken_is_no_tuple():
    line = f"def local(a, b={'function'}({', '.join(f'argument_{i}' for i in range(12))})):"
    made = wrapped(line + "\n    pass")
    assert ast.dump(ast.parse(made)) == ast.dump(ast.parse(line + "\n    pass"))
    assert "b=function(" in made


@pytest.mark.parametrize("width", [20, 34, 60])
@pytest.mark.parametrize(
    "text",
    [
        "made = dict(x=first_value, a=where(condition_value > 0, first_value, second_value))",
        "made = call(name=(first_value, second_value), other=lambda a=1, b=2: (a, b), third=[1, 2])",
        "made = lambda first=1, second=2: first, other_value_of_some_length",
        "first[index] = second = one_value_of_some_length, another_value(with_an_argument=1, and_another=2)",
        "return call(a=one), call(b=two, c=three_values(of_some=length, and_more=length))",
    ],
)
def test_wrapped_text_says_the_same(text, width):
    inside = "def f():\n    {}\n"
    assert same(ast.parse(wrapped(inside.format(text), width)), ast.parse(inside.format(text)))
