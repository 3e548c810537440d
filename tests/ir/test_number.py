"""Numbers of the Program compute as Python's do: divisions, divmod and rounding."""

import numpy as np
import pytest

import to_static as paddle
from to_static.core.errors import TracedValueError
from to_static.jit import to_static


@pytest.mark.parametrize("number", [-3, 1, 7])
def test_division_and_divmod_are_pythons(number):
    def f(n):
        k = int(n)
        return k / 3, 7 / k, divmod(k, 3), divmod(-7, k), divmod(k, 2.5), round(k)  # noqa: RUF057

    n = paddle.to_tensor(number)
    assert to_static(f)(n) == f(n)


@pytest.mark.parametrize("number", [-2.5, -1.5, -0.2, 0.5, 1.5, 2.5, 3.7])
def test_a_half_is_rounded_to_the_even_neighbour(number):
    def f(x):
        return round(float(x)), float(x) * 2

    x = paddle.to_tensor(np.float64(number))
    assert to_static(f)(x) == f(x)


def test_rounding_to_digits_is_refused():
    with pytest.raises(TracedValueError, match="not to 1 digits"):
        to_static(lambda x: round(float(x), 1))(paddle.to_tensor(1.25))


@pytest.mark.parametrize("use", [lambda k: [1] * k, lambda k: k * (1, 2), lambda k: "a" * k])
def test_what_needs_the_number_while_tracing_is_refused(use):
    def f(n):
        return use(int(n))

    with pytest.raises(TracedValueError, match="needs the value"):
        to_static(f)(paddle.to_tensor(3))
