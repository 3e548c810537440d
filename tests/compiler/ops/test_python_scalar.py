"""Operators that are calls of Python's functions: of numbers, and of no others."""

import pytest

from to_static.compiler.ops.python_scalar import resolve
from to_static.core.errors import ProgramError


def test_functions_of_numbers():
    assert resolve("operator.floordiv")(7, 2) == 3
    assert resolve("math.gcd")(4, 6) == 2
    assert resolve("builtins.int.bit_length")(4) == 3


OTHERS = ["os.system", "builtins.exec", "builtins.__import__", "antigravity.x", "math", "math.__loader__", "", "a\nb.c"]


@pytest.mark.parametrize("name", OTHERS)
def test_no_others(name):
    with pytest.raises(ProgramError, match="is no function of numbers"):
        resolve(name)
