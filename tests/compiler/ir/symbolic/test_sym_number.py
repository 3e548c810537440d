"""Numbers of the Program compute as Python's do: divisions, divmod and rounding."""

import math

import numpy as np
import pytest
from both import left_to_python

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


@pytest.mark.parametrize("number", [2.345, 2.675, -2.5, 1234.5678, 0.5])
def test_rounding_to_digits(number):
    def f(x):
        k = float(x)
        return round(k, 2), round(k, 0), round(k, 1), round(k, -2), round(int(x), -1), math.floor(k), math.ceil(k), math.trunc(k)

    x = paddle.to_tensor(np.float64(number))
    assert repr(to_static(f)(x)) == repr(f(x))


@pytest.mark.parametrize("number", [5, -5, 0, 1 << 20])
def test_shifts_bits_and_methods_of_whole_numbers(number):
    def f(n):
        k = int(n)
        return k << 1, k >> 2, ~k, k & 6, 6 | k, 3 ^ k, -k, abs(k), k**3, 2.0**k if k < 9 else 0.0, k.bit_length(), k.real, k.imag

    n = paddle.to_tensor(number)
    assert repr(to_static(f)(n)) == repr(f(n))


@pytest.mark.parametrize(
    ("use", "error"),
    [
        (lambda k: 10 // k, ZeroDivisionError), (lambda k: 10 % k, ZeroDivisionError), (lambda k: 10 / k, ZeroDivisionError),
        (lambda k: 1.5 / k, ZeroDivisionError), (lambda k: 1.5 % float(k), ZeroDivisionError), (lambda k: k**-1, ZeroDivisionError),
        (lambda k: k // 0, ZeroDivisionError), (lambda k: 1 << (k - 1), ValueError), (lambda k: math.sqrt(k - 1), ValueError),
        (lambda k: int(float("nan") * k), ValueError), (lambda k: math.exp(k + 1000), OverflowError),
        (lambda k: k < "a", TypeError),
        (lambda k: "a" + k, TypeError), (lambda k: k + None, TypeError), (lambda k: k.shape, AttributeError),
        (lambda k: k[0], TypeError), (lambda k: len(k), TypeError), (lambda k: [i for i in k], TypeError),
    ],
)  # fmt: skip
def test_errors_are_pythons(use, error):
    def f(n):
        return use(int(n))

    n = paddle.to_tensor(0)
    with pytest.raises(error) as dynamic:
        f(n)
    with pytest.raises(error) as static:
        to_static(f)(n)
    assert str(static.value).split("\n")[0] == str(dynamic.value)


@pytest.mark.parametrize(
    "use",
    [lambda k: k * 4, lambda k: k + k + k, lambda k: k**3, lambda k: k << 2, lambda k: -k - k - k, lambda k: int(float(k) * 100)],
)
def test_more_than_64_bits_are_python_s(use):
    def f(n):
        return use(int(n))

    static = to_static(f)
    assert static(paddle.to_tensor(7)) == f(paddle.to_tensor(7))
    assert static(paddle.to_tensor(1 << 62)) == f(paddle.to_tensor(1 << 62))


def test_whole_numbers_that_do_not_fit_are_refused_or_compared():
    def f(n):
        k = int(n)
        return k < 1 << 70, k > -(1 << 70), k == 1 << 70, k != 1 << 70, k / 3 == (1 << 60) / 3, k == float(k)

    n = paddle.to_tensor((1 << 53) + 1)
    assert to_static(f)(n) == f(n)
    with pytest.raises(TracedValueError, match="64 bits"):
        to_static(lambda n: int(n) + (1 << 70))(n)


def test_a_number_has_no_hash():
    with pytest.raises(TracedValueError, match="compare it with the keys"):
        to_static(lambda n: hash(int(n)))(paddle.to_tensor(1))


@pytest.mark.parametrize("use", [lambda k: [1] * k, lambda k: k * (1, 2), lambda k: "a" * k])
def test_sequences_are_repeated_by_python(use):
    def f(n):
        return use(int(n))

    left_to_python(f, *(paddle.to_tensor(n) for n in (0, 1, 3)), why="repeating a sequence needs the value")


@pytest.mark.parametrize("use", [lambda k: b"a" * k, lambda k: k * bytearray(b"ab")])
def test_what_needs_the_number_while_tracing_is_refused(use):
    def f(n):
        return use(int(n))

    with pytest.raises(TracedValueError, match="needs the value"):
        to_static(f)(paddle.to_tensor(3))


@pytest.mark.parametrize("name", ["sqrt", "ceil", "log2"])
def test_functions_of_numpy_are_refused_with_those_of_python(name):
    def f(n):
        return getattr(np, name)(int(n))

    with pytest.raises(TracedValueError, match=rf"numpy\.{name}\(\) needs the value(?s:.*)`math\.{name}\(n\)`"):
        to_static(f)(paddle.to_tensor(4))
