"""What people wrote is printed as they wrote it."""

import linecache
import sys

import pytest

import to_static as paddle
from to_static.compiler.frontend.transpile import transpile_module


def body(source):
    """The translation of a function's body, without its head."""
    text = transpile_module("@to_static\ndef f(x):\n" + "".join(f"    {line}\n" for line in source.splitlines()))
    return "\n".join(line[4:] for line in text.split("def f(x):\n")[1].splitlines())


@pytest.mark.parametrize(
    "text",
    [
        "return x * 1e-5 + 0xFF - 1_000",
        "return {0: x, 'a': \"b\", \"c\": b'd'}",
        "return (5).real + 1.5.real, 2 ** -1, (-1) ** 2, -1 ** 2",
        "y = 'single'\nz = \"double\"\n\n# why\ny = r'\\d' + z\n\nreturn y, True, None, ...",
        "return ['\\n', 'it\\'s', \"it's\", 'größe']",
    ],
)
def test_unchanged(text):
    assert body(text) == text


def test_constants_of_ours_are_not_taken_from_the_line_they_stand_for():
    assert body("if x > 0:\n    y = 1\nreturn y").startswith("y = _jst.unbound('y')")


def test_f_strings_that_stay_keep_their_quotes_apart():
    text = body("class A:\n    a = f\"{x['a']!r:>{10}}\"\nreturn A")
    assert eval(text.split("=")[1].split("\n")[0], {"x": {"a": 1}}) == "         1"


def test_blank_lines_are_the_users():
    text = body("y = x + 1\nz = y\n\nif z > 0:\n    z = z * 2\n\n    y = z\nreturn y, z")
    assert "y = x + 1\nz = y\n\ndef if_true" in text
    assert "z = z * 2\n\n    y = z\n" in text
    assert "\n\n\n" not in text


@pytest.mark.skipif(sys.version_info < (3, 12), reason="type parameters came with Python 3.12")
def test_functions_with_type_parameters():
    text = (
        "def f[T](x: T) -> T:\n    kinds = [T]\n    def g[U](v: U):\n        return v if v.sum() > 0 else -v\n"
        "    type Pair = tuple[T, T]\n    return g(x), len(kinds), Pair.__name__\n"
    )
    assert "def f[T](x: T) -> T:" in transpile_module("@to_static\n" + text)
    linecache.cache["<generic>"] = (len(text), None, text.splitlines(keepends=True), "<generic>")
    space = {}
    exec(compile(text, "<generic>", "exec"), space)
    for sign in (1, -1):
        made, count, name = paddle.jit.to_static(space["f"])(paddle.ones([2]) * sign)
        assert made.numpy().tolist() == [1.0, 1.0]
        assert (count, name) == (1, "Pair")


def test_annotations_keep_their_form():
    text = transpile_module("@to_static\ndef f(x: A | B, y: A | None = None, *z: A | B) -> A | B:\n    return x if y > 0 else z\n")
    assert "def f(x: A | B, y: A | None = None, *z: A | B) -> A | B:" in text


def test_a_comment_behind_a_loop_stays_with_it():
    text = body("for v in x:  # rows\n    if v > 0:\n        break\nreturn x")
    assert "# line 3: for v in x  # rows\n" in text and "broke = False\n" in text


def test_comments_show_lines_of_the_user_only():
    text = body("for v in x:\n    if v > 0:\n        return v\nz = x + 1\nreturn z")
    notes = [line.partition("# line ")[2] for line in text.splitlines() if "# line" in line]
    assert notes == ["3: for v in x", "4: if v > 0"]


def test_a_condition_on_which_nothing_depends_is_asked_for_its_truth():
    assert body("if x > 0:\n    pass\nreturn x") == "_jst.if_(x > 0, None, None)\nreturn x"
