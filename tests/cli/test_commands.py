import os
import subprocess
import sys

import pytest

from to_static import cli
from to_static.cli import commands
from to_static.core.errors import FormatError
from to_static.core.release import RELEASE


def test_help_shows_every_command_and_examples(capsys):
    with pytest.raises(SystemExit) as left:
        cli.main(["--help"])
    assert left.value.code == 0
    text = capsys.readouterr().out
    for name, module in commands.COMMANDS.items():
        assert f"    {name}" in text
        assert module.SUMMARY in text
    assert "to_static inspect model/net" in text


@pytest.mark.parametrize("name", commands.COMMANDS)
def test_each_command_has_help_with_examples(name, capsys):
    with pytest.raises(SystemExit) as left:
        cli.main([name, "--help"])
    assert left.value.code == 0
    text = capsys.readouterr().out
    assert f"usage: to_static {name}" in text
    assert f"  to_static {name} " in text.partition("examples:")[2]


@pytest.mark.parametrize("words", [[], ["train"], ["convert"], ["inspect", "model", "--nothing"]])
def test_wrong_usage_is_exit_code_2_on_standard_error(words, capsys):
    with pytest.raises(SystemExit) as left:
        cli.main(words)
    assert left.value.code == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "usage: to_static" in captured.err


WRONG = {
    "convert": (["net.py", "--chekc"], "--chekc; did you mean --check?"),
    "explain": (["net.py", "--plans"], "--plans; did you mean --plan?"),
    "inspect": (["model", "--nothing"], "--nothing"),
    "predict": (["model", "--inputs=x.npy", "--outptu"], "--inputs=x.npy --outptu; did you mean --input, --output?"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_option_prints_the_usage_of_its_command(name, capsys):
    words, said = WRONG[name]
    with pytest.raises(SystemExit) as left:
        cli.main([name, *words])
    captured = capsys.readouterr()
    assert left.value.code == 2 and captured.out == ""
    assert captured.err.startswith(f"usage: to_static {name} [-h]")
    assert captured.err.endswith(f"to_static {name}: error: unrecognized arguments: {said}\n")


def test_a_wrong_option_of_run_and_one_before_the_command(capsys):
    for words, usage in (("run --nothing net.py", "to_static run [-h]"), ("--nothing run net.py", "to_static [-h]")):
        with pytest.raises(SystemExit) as left:
            cli.main(words.split())
        assert left.value.code == 2 and capsys.readouterr().err.startswith(f"usage: {usage}")


def test_version(capsys):
    with pytest.raises(SystemExit):
        cli.main(["--version"])
    assert capsys.readouterr().out == f"to_static {RELEASE}\n"


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (
            FormatError("net.pdmodel", "a model", "nothing", 7),
            1,
            "net.pdmodel, byte 7: expected a model, found nothing",
        ),
        (FileNotFoundError(2, "No such file or directory", "net.py"), 1, "net.py: No such file or directory"),
        (KeyboardInterrupt(), 130, None),
    ],
)
def test_errors_become_exit_codes(error, code, said, monkeypatch, capsys):
    def run(args):
        raise error

    monkeypatch.setattr(commands.convert, "run", run)
    assert cli.main(["convert", "x.py"]) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == (f"to_static convert: {said}\n" if said else "")


def test_mistakes_of_the_program_itself_are_not_hidden(monkeypatch):
    monkeypatch.setattr(commands.convert, "run", lambda args: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        cli.main(["convert", "x.py"])


def test_python_m_and_a_reader_that_leaves_early(tmp_path):
    source = tmp_path / "net.py"
    source.write_text("@to_static\ndef f(x):\n    return x\n" + "# a line\n" * 200_000)
    process = subprocess.Popen(
        [sys.executable, "-m", "to_static", "convert", str(source)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline()
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert (process.wait(), errors) == (0, b"")


def test_inputs_without_their_word(capsys):
    with pytest.raises(SystemExit):
        cli.main(["predict", "net", "x.npy"])
    assert capsys.readouterr().err.endswith("unrecognized arguments: x.npy; inputs have a word before them, --input x.npy\n")
