"""Source to source: the printed module imports and runs with the same results, and everything else in it stays as it was."""

import importlib.util
import sys

import pytest

from to_static.compiler.frontend.transpile import transpile_module
from to_static.compiler.frontend.transpile.module import IMPORT
from to_static.core.errors import TranslationError

SOURCE = '''#!/usr/bin/env python
"""A module."""

from __future__ import annotations

import to_static as paddle
from to_static.jit import to_static

LIMIT = 3   # keep   this   as it is


def helper(x):
    return x + 1 if x > LIMIT else x


@to_static
def plain(x, times=2):
    text = """two
    lines"""
    for _ in range(times):
        if x > LIMIT:
            break
        x = helper(x) * 2
    return x, text


class Net:
    scale = 3

    @paddle.jit.to_static
    def method(self, x):
        while x < 10:
            x = x * self.scale
        return x

    @to_static(input_spec=None)
    def with_arguments(self, x):
        return -x if x > 0 else x

    def untouched(self, x):
        if x > 0:
            return 1
        return 2
'''


def load(text, path, name):
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def dynamic(function):
    return getattr(function, "dygraph_function", function)


def test_output_runs_with_the_same_results(tmp_path):
    text = transpile_module(SOURCE, "source.py")
    old = load(SOURCE, tmp_path / "old_module.py", "old_module")
    new = load(text, tmp_path / "new_module.py", "new_module")
    for x in (0, 2, 5, 50):
        assert dynamic(new.plain)(x) == dynamic(old.plain)(x)
        for name in ("method", "with_arguments", "untouched"):
            if x or name != "method":
                assert dynamic(getattr(new.Net(), name))(x) == dynamic(getattr(old.Net(), name))(x)


def test_static_functions_of_the_output_are_not_translated_again(tmp_path):
    import to_static as paddle

    new = load(transpile_module(SOURCE, "source.py"), tmp_path / "tensor_module.py", "tensor_module")
    old = load(SOURCE, tmp_path / "tensor_old.py", "tensor_old")
    for x in (1.0, 2.5, 8.0):
        result, expected = new.plain(paddle.to_tensor(x)), old.plain.dygraph_function(paddle.to_tensor(x))
        assert float(result[0]) == float(expected[0]) and result[1] == expected[1]
        assert float(new.Net().method(paddle.to_tensor(x))) == float(old.Net().method(paddle.to_tensor(x)))
    assert new.plain.code.count("_jst.for_") == 1


def test_only_the_static_functions_change():
    lines = transpile_module(SOURCE, "source.py").splitlines()
    assert lines[:7] == SOURCE.splitlines()[:7] and lines[7] == IMPORT
    assert "LIMIT = 3   # keep   this   as it is" in lines
    kept = SOURCE[SOURCE.index("def helper") : SOURCE.index("@to_static\ndef plain")]
    assert kept in "\n".join(lines)
    assert lines[-4:] == SOURCE.splitlines()[-4:]
    assert "    lines" + '"""' in "\n".join(lines) or "two\\n    lines" in "\n".join(lines)


def test_calls_of_paddle_stay_as_they_are_under_its_own_name():
    head = "import paddle\nfrom paddle.nn import functional as F\n\n\n@to_static\n"
    text = transpile_module(f"{head}def f(x):\n    return F.relu(paddle.zeros_like(x))\n")
    assert "return F.relu(paddle.zeros_like(x))" in text


def test_one_chosen_function():
    text = transpile_module(SOURCE, "source.py", "Net.untouched")
    assert text.count("_jst.if_") == 1 and "while x < 10" in text
    assert transpile_module(text, "again.py", "helper").count(IMPORT) == 1


def many_returns(count):
    return "def f(a):\n" + "".join(f"    if a == {i}:\n        return {i}\n" for i in range(count)) + "    return -1\n"


def test_many_early_returns():
    text = transpile_module(many_returns(60), "many.py", "f")
    assert text.count("_jst.if_") == 60
    with pytest.raises(TranslationError, match="nest too deeply"):
        transpile_module(many_returns(150), "many.py", "f")


@pytest.mark.parametrize(
    ("text", "function", "message"),
    [
        ("x = 1\n", None, "no function decorated with @to_static"),
        ("x = 1\n", "f", "no function 'f'"),
        ("def f(:\n", None, "not valid Python"),
    ],
)
def test_errors(text, function, message):
    with pytest.raises(TranslationError, match=message):
        transpile_module(text, "bad.py", function)


def test_the_print_keeps_signatures_and_comments():
    text = transpile_module(
        "@to_static\ndef f(x: int, n: float = 2.0, *, k: 'a' = 1) -> int:\n    count = 0\n\n"
        "    def g():\n        nonlocal count\n"
        "        count += 1  # one more\n\n"
        "    if x > 0:  # positive\n        x = x + n  # sum\n    else:\n        x = -x  # turned\n"
        "    return x\n"
    )
    lines = [line.strip() for line in text.splitlines()]
    assert "def f(x: int, n: float = 2.0, *, k: 'a' = 1) -> int:" in lines
    assert {"return x + n  # sum", "return -x  # turned"} <= set(lines)
    assert "pass" not in lines
    assert any(line.endswith("# line 9: if x > 0  # positive") for line in lines)
