"""``explain`` runs a program and tells of its static functions."""

import sys
import textwrap

import pytest

from to_static import cli
from to_static.compiler.frontend.function.settings import Settings

TEXT = """
    import sys
    import to_static as paddle
    from to_static.static import InputSpec

    class Net(paddle.nn.Layer):
        @paddle.jit.to_static
        def forward(self, x):
            if x.sum() > 0:
                return x * 2
            return x

    @paddle.jit.to_static(input_spec=[InputSpec([None], "float32", "x")])
    def declared(x):
        return x + 1

    @paddle.jit.to_static
    def never(x):
        return x

    print("words", sys.argv[1:])
    Net()(paddle.ones([1, 2]))
"""


@pytest.fixture
def program(tmp_path, monkeypatch):
    path = tmp_path / "net.py"
    path.write_text(textwrap.dedent(TEXT))
    monkeypatch.setattr("sys.argv", ["to_static"])
    monkeypatch.setattr("sys.path", [*sys.path])
    monkeypatch.setitem(sys.modules, "__main__", None)
    return str(path)


def test_all_functions_that_have_a_program_are_told_of(program, capsys):
    assert cli.main(["explain", program, "--", "a", "b"]) == 0
    shown = capsys.readouterr()
    assert "words ['a', 'b']" in shown.err and "words" not in shown.out
    assert shown.out == (
        f"# declared, {program}:13\n"
        "declared: 1 Program in the cache\n"
        "  Program of the input_spec: for (f32[?])\n"
        "\n"
        f"# Net.forward, {program}:7\n"
        "forward: 1 Program in the cache\n"
        "  Program 1: for (f32[1, 2])\n"
        "    tests in each run, net.py:9: `if x.sum() > 0:`\n"
    )
    assert Settings.created is None


def test_one_function_with_its_program_and_plan(program, capsys):
    assert cli.main(["explain", program, "--function", "Net.forward", "--plan", "--program"]) == 0
    text = capsys.readouterr().out
    assert "declared" not in text
    assert "the plan of calls without gradients, 3 steps" in text and "    def run(x0):" in text and ".item() > 0.0:" in text
    assert "= cond(" in text and "# net.py:9" in text


def test_a_function_that_is_not_called_is_refused(program, capsys):
    assert cli.main(["explain", program, "--function", "never"]) == 1
    told = capsys.readouterr().err
    assert "calls no static function 'never'" in told and "rewrite: call it, or give it an input_spec" in told


def test_check_is_for_scripts(program, capsys, graph_breaks):
    assert cli.main(["explain", program, "--check"]) == 0
    with open(program, "a") as file:
        file.write("import warnings\nwarnings.simplefilter('ignore')\n")
        file.write("to = paddle.jit.to_static(lambda x: x * x.numpy().max())\nto(paddle.ones([2]))\n")
    assert cli.main(["explain", program]) == 0
    assert cli.main(["explain", program, "--check"]) == 1
    assert "Graph break 1" in capsys.readouterr().out
    assert cli.main(["explain", program, "--check", "--function", "Net.forward"]) == 0


def test_a_name_that_no_function_has_tells_those_that_are_there(program, capsys):
    assert cli.main(["explain", program, "--function", "forwrd"]) == 1
    assert "calls no static function 'forwrd'; it has Net.forward, declared, never" in capsys.readouterr().err


def test_a_program_that_fails_first_is_told_so(tmp_path, capsys, monkeypatch):
    path = tmp_path / "net.py"
    path.write_text("1 / 0\n")
    monkeypatch.setattr("sys.argv", ["to_static"])
    monkeypatch.setattr("sys.path", [*sys.path])
    monkeypatch.setitem(sys.modules, "__main__", None)
    assert cli.main(["explain", str(path)]) == 1
    told = capsys.readouterr().err
    assert "ZeroDivisionError" in told and "net.py ended with exit code 1 before it called a static function" in told
    assert "rewrite" not in told
