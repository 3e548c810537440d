"""Functions that no file holds: typed at the prompt of a terminal, or read from standard input."""

import os
import subprocess
import sys

import pytest

PROGRAM = """\
import to_static as paddle
@paddle.jit.to_static
def f(x):
    if x > 0:
        return x + 1
    else:
        return x - 1

print('first', float(f(paddle.to_tensor(-1.0))))
@paddle.jit.to_static
def f(x):
    return x * 2 if x > 0 else x

print('second', float(f(paddle.to_tensor(3.0))))
g = paddle.jit.to_static(lambda x: x if x > 0 else -x)
print('lambda', float(g(paddle.to_tensor(-3.0))))
"""
WANTED = ("first -2.0", "second 6.0", "lambda 3.0")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo terminals")
def test_functions_typed_at_the_prompt():
    pytest.importorskip("readline", reason="this Python was built without a line editor, whose history is read")
    import pty

    here, there = pty.openpty()
    settings = dict(os.environ, PYTHON_BASIC_REPL="1", TERM="dumb")
    process = subprocess.Popen([sys.executable, "-i", "-q"], stdin=there, stdout=there, stderr=there, env=settings)
    os.close(there)
    os.write(here, (PROGRAM + "exit()\n").encode())
    shown = b""
    while True:
        try:
            some = os.read(here, 4096)
        except OSError:  # Linux tells the end of a terminal by an error
            break
        if not some:
            break
        shown += some
    process.wait(60)
    os.close(here)
    text = shown.decode()
    for wanted in WANTED:
        assert wanted in text, text


@pytest.mark.skipif(not hasattr(os, "pread"), reason="Windows cannot read standard input again")
def test_functions_read_from_standard_input(tmp_path):
    (tmp_path / "program").write_text(PROGRAM)
    with open(tmp_path / "program", encoding="utf-8") as given:
        done = subprocess.run([sys.executable], stdin=given, capture_output=True, text=True, timeout=60)
    assert done.stdout.split("\n")[:3] == list(WANTED), done.stderr


def test_a_pipe_cannot_be_read_again():
    done = subprocess.run([sys.executable], input=PROGRAM, capture_output=True, text=True, timeout=60)
    assert "cannot read the source of 'f'" in done.stderr
    assert "put it into a file and import it, `from functions import f`" in done.stderr


def test_history_is_believed_only_where_it_makes_the_function(monkeypatch):
    """Lines that the editor keeps only once, or that were typed elsewhere, would make another function."""
    from to_static.transpile.reading import interactive

    class Editor:
        lines = ["def k(x):", "    x = x + 1", "    return x", "k(1)"]

        def get_current_history_length(self):
            return len(self.lines)

        def get_history_item(self, position):
            return self.lines[position - 1]

    monkeypatch.setitem(sys.modules, "readline", Editor())

    def typed_as(text):
        space = {}
        exec(compile(text, "<stdin>", "exec"), space)
        return interactive.lines_of(space["k"].__code__)[1]

    assert typed_as("def k(x):\n    x = x + 1\n    return x\n") == ["def k(x):\n", "    x = x + 1\n", "    return x\n"]
    assert typed_as("def k(x):\n    x = x + 1\n    x = x + 1\n    return x\n") == []
