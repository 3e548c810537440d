"""What the terminal shows of an error that nothing catches, in programs without static functions, too."""

import os
import subprocess
import sys

import pytest

from to_static.core.diagnostics import excepthook, tracebacks

HEAD = "import to_static as paddle\nfrom to_static import nn\n\nx = paddle.ones([2, 3])\n"
OWN = """
def check(n):
    try:
        return 1 / n
    except ZeroDivisionError:
        raise ValueError("n is 0")


sorted([1], key=lambda n: check(n - 1))
"""


def ran(tmp_path, text, **environment):
    path = tmp_path / "prog.py"
    path.write_text(text)
    run = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, env={**os.environ, **environment})
    assert run.returncode == 1
    return run


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("x.matmul(x)", "must equal the last but one of y"),
        ("nn.Linear(4, 2)(x)", "Linear"),
        ("paddle.load('nowhere.pdparams')", "FileNotFoundError: load: there is no file 'nowhere.pdparams'"),
        ("paddle.load('.')", "FileNotFoundError: load: '.' is a folder"),
        ("paddle.save({'x': x}, __file__ + '/x.pdparams')", "FileExistsError"),  # which pathlib raises
        ("paddle.save({}, '/proc/nowhere/x')", "Error"),  # which pathlib raises while it handles another
    ],
)
def test_only_the_user_s_lines_are_shown(tmp_path, text, last):
    shown = ran(tmp_path, f"{HEAD}def go():\n    return {text}\n\n\ngo()\n").stderr
    assert [line.split('"')[1].split("/")[-1] for line in shown.splitlines() if line.startswith("  File")] == ["prog.py"] * 2, shown
    assert "During handling" not in shown and last in shown


def test_all_frames_are_shown_where_a_setting_asks(tmp_path):
    assert "matmul.py" in ran(tmp_path, f"{HEAD}x.matmul(x)\n", TO_STATIC_FULL_TRACEBACK="1").stderr


def test_what_was_meant_stands_below(tmp_path):
    assert ran(tmp_path, f"{HEAD}x.shape(0)\n").stderr.endswith("`x.shape[0]` is the size of a dimension\n")


def test_errors_of_the_user_s_own_are_as_they_are(tmp_path):
    shown = ran(tmp_path, HEAD + OWN).stderr
    assert "During handling of the above exception" in shown and shown.endswith("ValueError: n is 0\n")
    assert shown.count("in check") == 2


def test_a_mistake_in_telling_hides_nothing(monkeypatch):
    shown, error = [], ValueError("x")
    monkeypatch.setattr(sys, "excepthook", lambda *given: shown.append(given))
    excepthook.show_without_ours()
    monkeypatch.setattr(tracebacks, "of_uncaught", lambda *given: 1 / 0)
    sys.excepthook(ValueError, error, None)
    assert shown == [(ValueError, error, None)]


def test_the_hook_that_was_there_prints(tmp_path):
    theirs = "import sys\nsys.excepthook = lambda kind, error, trace: print('theirs:', kind.__name__, trace.tb_next)\n"
    assert ran(tmp_path, f"{theirs}{HEAD}x.matmul(x)\n").stdout == "theirs: ShapeError None\n"
