"""``max`` and ``min`` of tuples, and sums of what tensors choose: Python's answers."""

from __future__ import annotations

import itertools
import math

import pytest
from both import T, check

import to_static as paddle
from to_static.core.errors import ToStaticError


def best_of_scores(x, y):
    return max(zip([x, y, x * y], range(3), strict=True))


def of_equal_ones_the_next_item(x, y):
    return min((x, 2), (y, 1), (x, 1), (y, 3))


def by_a_key(x, y):
    return max([(x, 0), (y, 1), (x, 2)], key=lambda pair: (pair[0], -pair[1]))


def known(x, y):
    rows = x.expand([2]), y.expand([2])
    return max((), (y,)), max([(1, x), (0, y)]), min([("b", x), ("a", y)], [("a", x)]), max(zip((0, 1), rows, strict=True))[1].sum()


def chosen_before(x, y):
    z = x if y > 1 else y
    return max((x, 1), (z, 2))


def sum_of_nothing(x, y):
    return paddle.where(x > y, x, sum(e for e in [x, y] if e > 1.5))


def plain(value):
    if isinstance(value, (tuple, list)):
        return type(value), [plain(item) for item in value]
    return repr(float(value)) if isinstance(value, paddle.Tensor) else value


@pytest.mark.parametrize("function", [best_of_scores, of_equal_ones_the_next_item, by_a_key, chosen_before, sum_of_nothing])
def test_what_python_would_choose(function):
    static = paddle.jit.to_static(function, full_graph=True)
    for numbers in itertools.product([1.0, 2.0, -1.0, math.nan], repeat=2):
        given = [paddle.to_tensor(number) for number in numbers]
        assert plain(static(*given)) == plain(function(*given)), numbers
    assert static.graph_breaks == 0


def test_what_no_tensor_decides():
    given = paddle.to_tensor(1.0), paddle.to_tensor(math.nan)
    static = paddle.jit.to_static(known, full_graph=True)
    assert plain(static(*given)) == plain(known(*given))
    assert "assert" not in str(static.main_program)


@pytest.mark.parametrize("function", [lambda x, y: max(((x, y), 1), ((y, x), 2)), lambda x, y: min((x.expand([2]), 1), (y, 2))])
def test_what_has_no_truth_is_a_break(function):
    with pytest.raises(ToStaticError):
        paddle.jit.to_static(function, full_graph=True)(paddle.to_tensor(1.0), paddle.to_tensor(2.0))


def test_sum_of_a_generator_expression_with_a_start():
    def f(x):
        return sum((v * 2 for v in [x, x + 1, x - 5] if v.sum() > 0), x)

    check(f, T([1.0, 2.0]), T([-9.0, 1.0]), T([4.0, 4.0]))
