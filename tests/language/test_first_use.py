"""A program may be the first of its process: operators are loaded while it is traced, which is not a change of the user's."""

import os
import subprocess
import sys

import daily
import pytest
from language_table import rows, run
from record_language import written

RECORDED = written()

PROGRAM = """
import to_static as paddle

@paddle.jit.to_static
def f(x, n):
    for i in range(n):
        if x.sum() > 100:
            break
        x = x + 1
    return x

print(float(f(paddle.zeros([]), paddle.to_tensor(3))))
"""


def ran(*arguments):
    """What a process does that finds the modules that this one finds."""
    paths = os.pathsep.join(p or os.getcwd() for p in sys.path)
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, timeout=3000, env={**os.environ, "PYTHONPATH": paths}
    )


def test_loop_left_by_a_break(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    done = ran(str(tmp_path / "program.py"))
    assert done.stdout == "3.0\n", done.stderr


@pytest.mark.slow
@pytest.mark.timeout(3000)
@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system can't copy a process")
def test_constructs_in_processes_of_their_own():
    done = ran("-c", "import sys; from test_first_use import alone; sys.exit(alone())")
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


def alone():
    """How many of the day's constructs fail in a copy of this process, which has run nothing."""
    failed = 0
    alike = [row for row in rows() if "differs" not in RECORDED[row.name]]
    for row in daily.some("first use", alike, 20):
        child = os.fork()
        if child == 0:
            try:
                run(row)
            except BaseException as error:
                os.write(2, f"{row.name}: {type(error).__name__}: {error}\n".encode())
                os._exit(1)
            os._exit(0)
        failed += os.waitpid(child, 0)[1] != 0
    return failed
