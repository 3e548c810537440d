"""What explain_module says is what the translation holds."""

from __future__ import annotations

import ast
import builtins
import importlib
import re

import pytest

from to_static.compiler.frontend.jst import operators
from to_static.compiler.frontend.transpile import explain_module, transpile_module
from to_static.compiler.frontend.transpile.builtin_table import BUILTINS
from to_static.compiler.frontend.transpile.explain import BECAME
from to_static.core.errors import TranslationError

SOURCE = '''\
from to_static import to_static


def helper(x):
    return -x


@to_static
def f(x, n):
    total = x
    for i in range(n):
        if x.sum() > 0 and i > 1:
            break
        total = total + helper(x)
    assert total.sum() > 0, "positive"
    return total if n else x


@to_static
def plain(x):
    return x * 2
'''


def test_every_changed_line_is_told_with_its_operators():
    text = explain_module(SOURCE, "net.py")
    for line, operator in ((11, "for_"), (11, "range"), (12, "if_"), (12, "and_"), (14, "call"), (15, "assert_"), (16, "if_")):
        assert re.search(rf"net.py:{line}: .*\n(      .*\n)*      _jst.{operator}: ", text), (line, operator)
    assert "plain (net.py:20): nothing to change" in text


def test_the_operators_told_are_those_of_the_translation():
    used = {
        node.attr
        for node in ast.walk(ast.parse(transpile_module(SOURCE, "net.py")))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "_jst"
    }
    assert used == set(re.findall(r"_jst\.(\w+):", explain_module(SOURCE, "net.py")))


def test_every_operator_has_an_explanation():
    assert set(operators.__all__) - {"ignore_modules", "TensorList"} == set(BECAME)


def test_every_builtin_of_the_table_is_an_operator_and_stands_for_the_builtin():
    for name in BUILTINS:
        assert operators.call(getattr(builtins, name)) is getattr(operators, name), name
    homes = {importlib.import_module(f"to_static.compiler.frontend.jst.{row.module}") for row in BUILTINS.values()}
    written = {name[:-1] for home in homes for name in vars(home) if name.endswith("_") and hasattr(builtins, name[:-1])}
    assert written == set(BUILTINS)


def test_one_function_can_be_chosen():
    assert "helper (net.py:4): nothing to change" in explain_module(SOURCE, "net.py", "helper")
    with pytest.raises(TranslationError, match="no function 'nothing'"):
        explain_module(SOURCE, "net.py", "nothing")


def test_jumps_and_what_stays_are_told_too():
    text = explain_module(
        "@to_static\ndef f(x, mask=None):\n    if mask is None:\n        return x\n    for k in (1, 2):\n        x = x * k\n"
        "    while x.sum() < 9:\n        x = x + 1\n        if x[0] > 5:\n            continue\n"
        "        if x[1] > 5:\n            break\n"
        "        if x[1] > 6:\n            return x\n    return x\n"
    )
    said = dict(re.findall(r"<module>:(\d+): .*\n      (\w+)", text))
    assert {"3": "if", "5": "for", "10": "continue", "12": "break", "14": "return"}.items() <= said.items()
    assert "4" not in said
    assert "15" not in said
