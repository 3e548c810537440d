"""The seed decides dynamic and static random numbers alike."""

from __future__ import annotations

import numpy as np
import pytest

import to_static as paddle
from to_static.core.errors import ModeError


def test_the_same_seed_gives_the_same_numbers_in_both_modes():
    static = paddle.jit.to_static(lambda x: paddle.rand([3]) + x)
    x = paddle.zeros([3])
    found = []
    for function in (static, static, static.dygraph_function):
        paddle.seed(5)
        found.append(function(x).numpy())
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])
    assert not np.array_equal(static(x).numpy(), static(x).numpy())


def test_a_seed_inside_a_static_function_is_refused():
    @paddle.jit.to_static
    def f(x):
        paddle.seed(3)
        return paddle.rand([2]) + x

    with pytest.raises(ModeError, match=r"(?s)only once.*paddle\.seed\(3\)"):
        f(paddle.zeros([2]))
