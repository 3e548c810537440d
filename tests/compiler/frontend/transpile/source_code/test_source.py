"""Functions that no file holds: given to ``python -c`` they are translated, read from standard input they run in Python."""

import subprocess
import sys

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


def test_functions_of_a_program_given_as_an_argument():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=60)
    assert done.stdout.split("\n")[:3] == list(WANTED), done.stderr
    assert "graph break" not in done.stderr


def test_functions_of_standard_input_are_pythons():
    done = subprocess.run([sys.executable], input=PROGRAM, capture_output=True, text=True, timeout=60)
    assert done.stdout.split("\n")[:3] == list(WANTED), done.stderr
    assert "cannot read the source of 'f'" in done.stderr
    assert "put it into a file and import it, `from functions import f`" in done.stderr
