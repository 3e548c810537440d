import importlib.util
import io
import sys

import numpy as np
import pytest

import to_static as paddle
from to_static import cli

SOURCE = '''"""A module."""

import to_static as paddle
from to_static.jit import to_static

LIMIT = 100  # kept as it is


@to_static
def collatz(n):
    steps = paddle.zeros([1], "int64")
    while n > 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps = steps + 1
    return steps


class Net(paddle.nn.Layer):
    @paddle.jit.to_static
    def forward(self, x):
        if x.sum() > LIMIT:
            x = x / 2
        return x


def plain(x):
    return x if x > 0 else -x
'''


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "net.py"
    path.write_text(SOURCE)
    return path


def converted(capsys, *words):
    assert cli.main(["convert", *map(str, words)]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def imported(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_output_is_a_module_with_the_same_results(source, tmp_path, capsys):
    output = tmp_path / "made" / "net_static.py"
    assert converted(capsys, source, "-o", output) == ""
    text = output.read_text()
    assert text.startswith('"""A module."""')
    assert "_jst.while_(" in text
    assert "_jst.if_(" in text
    assert "LIMIT = 100  # kept as it is" in text
    assert "return x if x > 0 else -x" in text
    before, after = imported(source), imported(output)
    for n in (1, 6, 27):
        x = paddle.to_tensor([n])
        assert after.collatz(x).numpy().tolist() == before.collatz(x).numpy().tolist()
    for size in (3, 300):
        x = paddle.to_tensor(np.ones(size, "float32"))
        assert np.array_equal(after.Net()(x).numpy(), before.Net()(x).numpy())


def test_standard_output_and_standard_input_are_the_same(source, capsys, monkeypatch):
    text = converted(capsys, source)
    stdin = io.TextIOWrapper(io.BytesIO(source.read_bytes()))
    monkeypatch.setattr(sys, "stdin", stdin)
    assert converted(capsys, "-") == text


def test_one_function(source, capsys):
    text = converted(capsys, source, "--function", "plain")
    assert "_jst" in text.partition("def plain")[2]
    assert "while n > 1:" in text
    assert "if x.sum() > LIMIT:" in text


def test_the_file_is_not_executed(tmp_path, capsys):
    path = tmp_path / "boom.py"
    path.write_text("@to_static\ndef f(x):\n    return x\nraise SystemExit('executed')\n")
    assert "raise SystemExit" in converted(capsys, path)


def test_declared_encodings(tmp_path, capsys):
    path = tmp_path / "latin.py"
    path.write_bytes("# -*- coding: latin-1 -*-\n@to_static\ndef f(x):\n    return 'é'\n".encode("latin-1"))
    assert "'é'" in converted(capsys, path)


@pytest.mark.parametrize(
    ("content", "words", "said"),
    [
        (b"def f(:\n", [], "not valid Python"),
        (b"x = 1\n", [], "no function decorated with @to_static"),
        (SOURCE.encode(), ["--function", "missing"], "no function 'missing'"),
        (b"@to_static\ndef f(x):\n    return '\xff'\n", [], "not Python source"),
        (b"@to_static\nasync def f(x):\n    return x\n", [], "async"),
    ],
)
def test_what_cannot_be_converted(tmp_path, capsys, content, words, said):
    path = tmp_path / "net.py"
    path.write_bytes(content)
    assert cli.main(["convert", str(path), *words]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("to_static convert: ")
    assert said in captured.err
    assert "net.py" in captured.err
    assert "Traceback" not in captured.err


def test_the_source_is_not_replaced(source, capsys):
    assert cli.main(["convert", str(source), "-o", str(source)]) == 1
    assert "replace the source" in capsys.readouterr().err
    assert source.read_text() == SOURCE


def test_a_missing_file(capsys):
    assert cli.main(["convert", "/nonexistent/net.py"]) == 1
    assert capsys.readouterr().err == "to_static convert: /nonexistent/net.py: No such file or directory\n"
