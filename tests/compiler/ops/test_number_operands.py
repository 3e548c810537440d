"""Operators between tensors and numbers that only the Program knows: values, dtypes and errors are those of Python's numbers."""

import operator

import numpy as np
import pytest

import to_static as paddle
from to_static.core.errors import ExecutionError
from to_static.static import InputSpec

NUMBERS = {
    "int": (int, [2, -1, 0, 200, 70000, 2**40]), "float": (float, [2.0, 0.5, -1.5]), "bool": (lambda t: t > 0, [1.0, 0.0]),
}  # fmt: skip
OPERATORS = [
    *(getattr(operator, n) for n in "add sub mul truediv floordiv mod pow lt le eq ne and_ or_ xor lshift".split()),
    lambda x, n: n - x, lambda x, n: n // x, lambda x, n: n**x,
]  # fmt: skip
VALUES = {"bool": [True, False], "uint8": [1, 200, 3]}


def outcome(function, *values):
    try:
        found = function(*values)
    except ExecutionError as error:
        return next(c.__name__ for c in type(error).__mro__ if c.__module__ == "builtins" and c is not RuntimeError)
    except Exception as error:
        return next(c.__name__ for c in type(error).__mro__ if c.__module__ == "builtins")
    values = found.tolist()
    if found.dtype.is_floating:  # NumPy before 2.3 rounds a root in another way than a power of a half
        values = [f"{value:.6g}" for value in values]
    return found.dtype.name, repr(values)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", NUMBERS)
@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int16", "int32", "int64", "float16", "float32"])
def test_an_operator_of_a_tensor_and_a_number(dtype, kind):
    convert, numbers = NUMBERS[kind]
    for compute in OPERATORS:

        def f(x, t, compute=compute):
            return compute(x, convert(t))

        static = paddle.jit.to_static(f, input_spec=[InputSpec([None], dtype), InputSpec([], "float64")])
        for number in numbers:
            x, t = paddle.to_tensor(np.asarray(VALUES.get(dtype, [1, 100, -3])).astype(dtype)), paddle.to_tensor(number, "float64")
            assert outcome(static, x, t) == outcome(f, x, t), (compute, number)


def test_a_number_that_does_not_fit_the_tensor_it_is_beside():
    static = paddle.jit.to_static(lambda x: x.astype("int8") + x.shape[0], input_spec=[InputSpec([None])])
    assert static(paddle.ones([100])).tolist() == [101] * 100
    with pytest.raises(OverflowError, match="Python integer 200 out of bounds for int8"):
        static(paddle.ones([200]))


@pytest.mark.parametrize("power", [2.0, 1.0, 3.0, 0.0])
def test_integers_to_the_power_of_a_float_are_floats(power):
    x = paddle.to_tensor([1, 2, 3])
    assert (x**power).dtype == paddle.float32
    assert (x**power).tolist() == [1.0, 2.0**power, 3.0**power]


def put(x, n):
    x[0] = n
    return x


@pytest.mark.parametrize("compute", [
    put, lambda x, n: x.clip(0, n), lambda x, n: paddle.full_like(x, n), lambda x, n: paddle.full([2], n, "int8"),
    lambda x, n: paddle.where(x > 0, x, n), lambda x, n: paddle.masked_fill(x, x > 0, n), lambda x, n: x.add_(n),
    lambda x, n: x.fill_(n),
])  # fmt: skip
def test_a_number_that_does_not_fit_a_narrow_tensor(compute):
    static = paddle.jit.to_static(lambda x, t: compute(x, int(t)), input_spec=[InputSpec([None], "int8"), InputSpec([], "int64")])
    for number in (3, -100, 200, -70000):
        x, t = np.asarray([0, 1, 2], "int8"), paddle.to_tensor(number)
        want = outcome(lambda x, t: compute(x, int(t)), paddle.to_tensor(x), t)
        assert outcome(static, paddle.to_tensor(x), t) == want
        assert (want == "OverflowError") is (number not in (3, -100))


def test_a_bool_tensor_and_a_number_bit_by_bit():
    f = paddle.jit.to_static(lambda x, t: (x & int(t), x | int(t), int(t) ^ x))
    x = paddle.to_tensor([True, False])
    assert [y.tolist() for y in f(x, paddle.to_tensor(2))] == [[True, False], [True, True], [False, True]]


def test_rolling_no_rows():
    f = paddle.jit.to_static(lambda x, t: paddle.roll(x, int(t), 0), input_spec=[InputSpec([None, 2]), InputSpec([], "int64")])
    assert f(paddle.ones([0, 2]), paddle.to_tensor(1)).shape == [0, 2]
    assert f(paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]]), paddle.to_tensor(1)).tolist() == [[3.0, 4.0], [1.0, 2.0]]
