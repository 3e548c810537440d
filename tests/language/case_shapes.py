"""Shapes"""

from language_table import POS, T, case, scenario

import to_static as paddle
from to_static.static import InputSpec

SIZES = [T([[1.0, 2.0, 3.0]]), T([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), T([[0.5, 0.5, 0.5]] * 5)]


def unknown(title, spec=(None, 3)):
    """A scenario that runs ``function`` on several sizes through one Program with an unknown dimension."""

    def decorate(function):
        def run(to_static):
            static = to_static(function, input_spec=[InputSpec(list(spec), "float32", "x")])
            return [static(x) for x in SIZES]

        run.__name__, run.__module__ = function.__name__, function.__module__
        return scenario(title)(run)

    return decorate


@case("`x.shape`, `ndim`, `size`, `dtype` known", POS)
def known(x):
    return x.shape, x.ndim, x.shape[0] * 2, x.dtype is paddle.float32, len(x), x.shape == [2]


@case("loops and conditions on known dimensions stay Python", POS)
def known_flow(x):
    total = 0
    for i in range(x.shape[0]):
        total += i
    return x if x.shape[-1] == 2 else -x, total


@unknown("arithmetic with an unknown dimension computes as Python ints do")
def arithmetic(x):
    n = x.shape[0]
    return n, n * 2, n / 2, n // 2, n % 2, -n, n ** 2, n + 0.5, 10 - n, x * n, x.sum() / n


@unknown("an unknown dimension as a condition")
def condition(x):
    if x.shape[0] > 1:
        return x * 2
    return x


@unknown("`range` of an unknown dimension")
def ranges(x):
    total = 0
    for i in range(x.shape[0]):
        total = total + i
    return total


@unknown("`for` over an unknown dimension")
def iteration(x):
    total = paddle.zeros([3])
    for row in x:
        total = total + row
    return total


@unknown("`reshape`, `zeros`, `expand`, slices with an unknown dimension")
def uses(x):
    b, c = x.shape
    return x.reshape([b * c]), paddle.zeros([b, 2]), x.reshape([-1, 3]), x[: b - 1], paddle.ones([b]).sum()


@unknown("unpacking `x.shape`, `len`, products")
def products(x):
    b, c = x.shape
    return b * c, len(x), x.numel() if False else b, max(b, c), min(b, 2)


@unknown("an unknown dimension compared and joined")
def joined(x):
    n = x.shape[0]
    m = n if n > 1 else 7
    return m, n == 2, 0 < n < 3, n > 1 and n < 5


@unknown("`x.shape` in a string that is printed")
def printed(x):
    print(f"batch {x.shape[0]}")
    return x.sum()


@unknown("f-string of a known dimension")
def known_string(x):
    return f"{x.shape[1]} columns"


@scenario("a sum that starts as 0 over an unknown number of rows, none and many, with gradients")
def sum_from_zero(to_static):
    def f(x):
        total = 0
        for row in x:
            total = total + (row * row).sum()
        return total

    static = to_static(f, input_spec=[InputSpec([None, 3], "float32", "x", stop_gradient=False)])
    seen = [static(paddle.zeros([0, 3]))]
    for x in SIZES:
        x = T(x.numpy(), stop_gradient=False)
        static(x).backward()
        seen.append(x.grad)
    return seen


@unknown("shapes compared with lists, tuples and each other")
def compared_shapes(x):
    y = x.transpose([1, 0])
    if x.shape == [2, 3]:
        return x.sum()
    other = x.shape != [5, 3], tuple(x.shape) == (1, 3), x.shape[:1] == [5], x.shape == y.shape, list(x.shape) == [1, 3, 1]
    assert x.shape != [7, 3], f"{x.shape[0]} rows"
    return other, paddle.repeat_interleave(x, x.shape[0], axis=0)
