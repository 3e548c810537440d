"""Generated code: what may be in it, and that nothing else makes code of text."""

import ast
from pathlib import Path

import pytest

import to_static
from to_static.core.code_generation import define, evaluate, lines_of, remarked, word
from to_static.core.errors import GeneratedCodeError

ROOT = Path(to_static.__file__).parent
# who else compiles or runs text or trees, and whose that is
OTHERS = {
    "core/code_generation.py": "the one place for ours",
    "core/diagnostics/tracebacks.py": "a code object without any text, which raises an error at a line of the user's",
    "cli/run.py": "the user's own script: `to_static run`",
    "compiler/frontend/jst/calls/eval_call.py": "the text that the user's own code gives to eval()",
}


def test_text_of_ours_is_run():
    space = {"k0": len}
    assert define("def run(x0):\n    return (k0(x0), x0[1:, ::2], -1e-05, x0 is not None)", space) is space
    assert evaluate("x0[k]", {"k": 1}, {"x0": [1, 2]}) == 2


@pytest.mark.parametrize("other", [*"'\"#\\\r\f\v\t{`$;é", "\x00", "\x1c", "\x85", "\u2028"])
def test_text_of_others_is_not(other):
    told = []
    with pytest.raises(GeneratedCodeError):
        define(f"told.append(1)\n{other}", {"told": told})
    with pytest.raises(GeneratedCodeError):
        evaluate(f"told.append(1){other}", {"told": told}, {})
    assert not told


@pytest.mark.parametrize("name", ["a b", "a\n", "a=1", "", "1a", "é", "if", "a.b", "a,b", "a("])
def test_names_are_names(name):
    assert word("axis_1") == "axis_1"
    with pytest.raises(GeneratedCodeError):
        word(name)


def test_remarks_stay_on_their_lines():
    text = "def f():\n    return 1\n"
    for bad in ("\n", "\r", "\f", "\v", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029", "\\\n", '"""'):
        shown = remarked(text, {2: f"w{bad}import os{bad}"})
        assert shown.isascii() and shown.count("\n") == 2 == len(shown.splitlines())
        assert ast.dump(ast.parse(shown)) == ast.dump(ast.parse(text))


def test_lines_are_those_of_python():
    assert lines_of("a\n'\x0c\u2028'\nb") == ["a\n", "'\x0c\u2028'\n", "b"] and lines_of("") == []


def test_one_place_makes_code_of_text():
    found = set()
    for path in ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("exec", "eval", "compile"):
                found.add(path.relative_to(ROOT).as_posix())
    assert found == set(OTHERS), "code is made of text in core/code_generation.py only: use `define`, or say here whose text it is"
