"""Signatures and InputSpec"""

import numpy as np
from language_table import NEG, POS, T, case, scenario

import to_static as paddle
from to_static.static import InputSpec

RATE, SIZES = np.float64(0.5), (np.int64(2), np.float32(3))


def attempt(function, *args, **kwargs):
    try:
        return function(*args, **kwargs)
    except Exception as error:
        return type(error).__name__, str(error).split("\n")[0]


@case("NumPy arrays as arguments become tensors", (np.ones(2, "float32"),))
def numpy_argument(x):
    return paddle.to_tensor(x) + 1


@case(
    "numbers of NumPy as arguments and defaults stay what they are",
    (POS, np.int64(1)), (POS, np.int64(2)), (POS, np.float64(0.1)), (NEG, np.float32(-0.0)), (POS, np.float32(0.0)),
    (POS, np.bool_(True)),
)  # fmt: skip
def numpy_numbers(x, k, rate=RATE, sizes=SIZES):
    word = {0: "zero", 1: "one"}.get(k, "other")
    if x.sum() > 0:
        x = x * rate
    return x * k, word, f"layer_{k}", isinstance(rate, float), type(k).__name__, k == 1, x.dtype, round(rate, 1), sizes


@case("Python arguments: each value is its own Program", (POS, 1), (POS, 1.0), (POS, True), (POS, "s"), (POS, None))
def python_arguments(x, k):
    return x, k, type(k).__name__


@case("the same tensor passed twice", POS)
def one_tensor(x):
    y = x
    y[0] = 5.0
    return x


@scenario("the same tensor as two arguments")
def same_twice(to_static):
    def f(x, y):
        y[0] = 5.0
        return x + 0

    static = to_static(f)
    x = T([1.0, 2.0])
    return [static(x, x), static(T([1.0, 2.0]), T([1.0, 2.0]))]


@scenario("wrong calls raise Python's errors")
def wrong_calls(to_static):
    def f(x, *, k=1):
        return x * k

    static = to_static(f)
    return [attempt(static)[0], attempt(static, POS, 2)[0], attempt(static, POS, z=2)[0], attempt(static, POS, k=2)]


@scenario("a first parameter not called `self`")
def first_parameter(to_static):
    class Odd(paddle.nn.Layer):
        @to_static
        def forward(this, x):
            return x * 2 if x.sum() > 0 else x

    return [Odd()(POS), Odd()(NEG)]


@scenario("static and class methods")
def static_methods(to_static):
    class Tools:
        k = 4

        @staticmethod
        @to_static
        def s(x):
            return x if x.sum() > 0 else -x

        @classmethod
        @to_static
        def c(cls, x):
            return x * cls.k

    return [Tools.s(NEG), Tools().s(POS), Tools.c(POS)]


@scenario("nested specs, and dynamic dimensions")
def nested_specs(to_static):
    def f(data, k=2):
        return data["a"] * k + data["b"][0].sum()

    spec = {"a": InputSpec([None, 2]), "b": [InputSpec([None])]}
    static = to_static(f, input_spec=[spec])
    return [static({"a": T([[1.0, 2.0]] * n), "b": [T([1.0] * n)]}) for n in (1, 3)]
