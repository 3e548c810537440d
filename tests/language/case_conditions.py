"""Conditions"""

import math

from language_table import BOTH, COUNTS, NEG, POS, T, case, refused, scenario

import to_static as paddle
from to_static.core.errors import TracedValueError


@case("`if` / `elif` / `else` on a tensor", (T([5.0]),), (T([1.0]),), (T([-1.0]),))
def if_elif_else(x):
    if x > 3:
        y = x * 2
    elif x > 0:
        y = x + 1
    else:
        y = -x
    return y


@case("`if` on a Python value", (POS, True), (POS, False))
def if_python(x, flag):
    if flag:
        return x * 2
    return x


@case("`if` without `else`, and a `pass` branch", *BOTH)
def if_without_else(x):
    if x.sum() > 0:
        x = x + 1
    if x.sum() > 100:
        pass
    else:
        x = x * 3
    return x


@case("nested `if`", *BOTH, (T([1.0, 9.0]),))
def nested_if(x):
    if x.sum() > 0:
        if x[1] > 5:
            y = x * 10
        else:
            y = x
    else:
        y = -x
    return y


@refused("a condition of several elements", POS, error=TracedValueError)
def if_many(x):
    if x > 0:
        return x
    return -x


@case("a variable assigned in one branch only, and used", *BOTH)
def one_branch_only(x):
    if x.sum() > 0:
        y = x * 2
    return y


@case("a variable assigned in one branch only, and not used when it has no value", *BOTH)
def one_branch_only_guarded(x):
    if x.sum() > 0:
        y = x * 2
        z = y + 1
    if x.sum() > 0:
        return z
    return x


@case("a variable that only one branch knows", *BOTH)
def temporary(x):
    if x.sum() > 0:
        t = x * 2
        x = t + t
    return x


@case("Python numbers changed in a branch stay Python numbers", *BOTH)
def numbers(x):
    i, r, b = 0, 1.5, False
    if x.sum() > 0:
        i, r, b = i + 3, r * 2, True
    return i, r, b, i + 1, i / 2, not b


@case("an int in one branch, a float in the other", *BOTH)
def int_or_float(x):
    n = 1
    if x.sum() > 0:
        n = 2.5
    return n


@case("strings chosen by a tensor", *BOTH)
def strings(x):
    mode = "negative"
    if x.sum() > 0:
        mode = "positive"
    return mode


@case("strings chosen by a tensor, then compared", *BOTH)
def strings_compared(x):
    mode = "up" if x.sum() > 0 else "down"
    if mode == "up":
        x = x + 1
    return x, mode == "up", mode != "up"


@case("equal strings in both branches", *BOTH)
def same_string(x):
    if x.sum() > 0:
        s, y = "a", x
    else:
        s, y = "a", -x
    return s, y


@case("`None` before, a tensor in the branch", *BOTH)
def none_or_tensor(x):
    y = None
    if x.sum() > 0:
        y = x * 2
    if y is None:
        return x
    return y + 1


@case("`None` or a tensor is returned", *BOTH)
def none_or_tensor_returned(x):
    if x.sum() > 0:
        return x * 2


@case("`None` used as a tensor fails when it is `None`", POS)
def none_used(x):
    y = None
    if x.sum() > 0:
        y = x * 2
    return y + 1


@case("branches that return different structures", *BOTH)
def structures(x):
    if x.sum() > 0:
        return x, 1
    return x


@case("branches that return tensors of different dtypes and ranks", *BOTH)
def dtypes(x):
    if x.sum() > 0:
        return x.astype("int64")
    return x.sum()


@case("branches of different shapes", *BOTH)
def shapes(x):
    if x.sum() > 0:
        x = paddle.concat([x, x])
    return x


@case("a variable of two dtypes that is computed with", *BOTH)
def two_dtypes(x):
    if x.sum() > 0:
        y = x.astype("int64")
    else:
        y = x
    return y * 2


@case("early return", *BOTH, (T([1.0, 9.0]),))
def early_return(x):
    if x.sum() > 8:
        return x * 10
    x = x + 1
    if x.sum() > 0:
        return x
    x = x - 1
    return -x


@case("ternary, of tensors and of numbers", *BOTH)
def ternary(x):
    return (x if x.sum() > 0 else -x), (1 if x.sum() > 0 else 2), [0.5 if x[0] > 0 else 1.5]


@case("`and`, `or` and `not` in a condition", *BOTH, (T([3.0, -1.0]),))
def logic_condition(x):
    if x.sum() > 0 and not x[1] < 0:
        return x
    if x[0] > 2 or x[1] < -5:
        return x * 2
    return x * 3


@case("operands of different shapes in a condition", *BOTH)
def logic_shapes(x):
    steps = paddle.zeros([1], "int64")
    while steps < 4 and x.sum() < 20:
        x = x + 1
        steps = steps + 1
    return x, steps


@case("`and` gives back an operand", *BOTH)
def logic_value(x):
    s = x.sum()
    return s and s * 2, s or 7.0, 0 or s, 3 and s, (s > 0 and 1)


@case("short circuit: the right operand does not run", (T([], "float32"),), (POS,))
def short_circuit(x):
    return x.shape[0] > 0 and x[0] > 0


@case("short circuit on a tensor: the right operand would fail", (T([0.0, 4.0]), T(9, "int64")), (T([1.0, 4.0]), T(1, "int64")))
def short_circuit_tensor(x, i):
    if i < 2 and x[i] > 0:
        return x * 2
    return x


@case("short circuit on a tensor: the right operand appends to a list", *BOTH)
def short_circuit_appends(x):
    calls = []

    def probe(limit):
        calls.append(limit)
        return x.sum() > limit

    return (probe(-1) and probe(5)) or probe(2), calls, probe(0) and "yes"


@case("short circuit on a tensor: the right operand prints", *BOTH)
def short_circuit_effect(x):
    def shout(v):
        print("evaluated")
        return v > 0

    return x.sum() > 0 and shout(x[0]), x.sum() > 0 or shout(x[0])


@case("chained comparison, the middle evaluated once", *BOTH)
def chained(x):
    def middle():
        print("once")
        return x.sum()

    return 0 < middle() < 5, 0 < x[0] <= x[1]


@case("`not` of a tensor", *BOTH)
def negation(x):
    return not x.sum() > 0, not x[0]


@case("`in` a list of numbers", (T(3.0),), (T(2.0),))
def contains(x):
    return x in [3.0, 1.0], x not in (3, 1), 3 in [1, 2]


@case("`in` a tensor", *BOTH)
def contains_tensor(x):
    return 2.0 in x


@case("`in` as a condition", (T(3.0),), (T(2.0),))
def contains_condition(x):
    if x in [3.0, 1.0]:
        return x * 2
    return x


@case("`any` and `all` over tensors", *BOTH, (T([-1.0, 2.0]),))
def any_all(x):
    return any(v > 0 for v in x), all(v > 0 for v in x), any([x[0] > 0, x[1] > 5]), all([])


@case("`max`, `min` and `sum` over tensors", *BOTH)
def max_min(x):
    return max(x[0], x[1]), min(x[0], 0), max([x[1], x[0]]), sum([x[0], x[1]]), sum(v for v in x), max(1, 2), max(x)


@case("`sorted` over tensors", *BOTH)
def sorting(x):
    return sorted([x[1], x[0]]), sorted([3, 1]), sorted(["b", "a"], reverse=True)


@case("`abs`, `round`, `divmod`, `pow` of tensors", *BOTH)
def builtin_math(x):
    return abs(x), abs(x.sum()), pow(x, 2), x // 2, x % 2


@case("`is`, `is None`, `isinstance`", (POS, None), (POS, POS))
def identity(x, mask):
    y = x
    return y is x, mask is None, isinstance(x, paddle.Tensor), mask is not None and isinstance(mask, paddle.Tensor), x is mask


@case("in-place changes in a branch", *BOTH)
def inplace(x):
    y = x.clone()
    if x.sum() > 0:
        y.add_(T([1.0, 1.0]))
        y[0] = 7.0
        y += 1
    return y


@case("in-place changes of an argument in a branch", *BOTH)
def inplace_argument(x):
    if x.sum() > 0:
        x[0] = 9.0
    return x.sum()


@case("`raise` in a branch", *BOTH)
def raising(x):
    if x.sum() < 0:
        raise ValueError("negative")
    return x


@case("`raise` with the number of a tensor in its message", *BOTH)
def raising_number(x):
    if x.sum() < 0:
        raise ValueError(f"negative: {x.sum().item()}")
    return x


@case("`del` in a branch", *BOTH)
def deletion(x):
    if x.sum() > 0:
        t = x * 2
        x = t + 1
        del t
    return x


@case("a tensor's truth outside of translated code", POS)
def truth_of_python(x):
    return bool([x]), bool(x.shape)


@refused("a tensor's truth in library code", POS, error=TracedValueError)
def truth_in_library(x):
    import itertools

    return list(itertools.groupby([x[0], x[1]], bool))


@refused("a tensor's truth in library code, on the line of an `if`", POS, error=TracedValueError)
def truth_on_line(x):
    import itertools

    if x.sum() > 0: return list(itertools.groupby([x[0], x[1]], bool))  # fmt: skip  # noqa: E701
    return [x]


@case("ints of the Program: arithmetic, bits, shifts, powers, rounding, methods", *[(T(n, "int64"),) for n in (5, -5, 0)])
def int_arithmetic(n):
    k = int(n)
    bits = k << 1, k >> 1, ~k, k & 3, k | 8, k ^ 3, k.bit_length()
    floors = k // 3, k % 3, k // -3, k % -3, divmod(k, 3), divmod(k, 2.5), 7 // (k or 1), k / 3
    powers = k**2, k**3, 2.0**k, pow(k, 3, 7), abs(k), -k, round(k, -1), k.real, k.imag
    return bits, floors, powers, k < 2**70, k == 5.0, float(k) == k


@case("floats of the Program: rounding to digits, `math`, methods", *[(T(v, "float64"),) for v in (2.675, -2.5, 1234.5678, 4.0)])
def float_arithmetic(x):
    k = float(x)
    rounds = round(k), round(k, 2), round(k, -2), math.floor(k), math.ceil(k), math.trunc(k)
    return rounds, math.sqrt(abs(k)), math.exp(-k), math.pow(k, 2), math.isnan(k), k.is_integer(), k // 1.5, k % 1.5, k**2


@case("numbers of the Program given to paddle functions: the dtypes are those of Python's numbers", *COUNTS)
def numbers_given(x):
    n, v = int(x), float(x)
    mask = paddle.to_tensor([True, False])
    made = paddle.to_tensor(v), paddle.to_tensor([v, n]), paddle.to_tensor(n), paddle.to_tensor(v, "float64")
    beside = paddle.where(mask, 1.0, v), paddle.where(mask, T([1, 2], "int64"), n), paddle.where(mask, T([1.0, 2.0]), n)
    more = paddle.maximum(n, v), paddle.sqrt(v), paddle.add(v, 1.5), paddle.arange(0, v, 0.5), T([1], "int64").scale(n)
    return made, beside, more, T([1.0]).add_(paddle.to_tensor(v)), len(range(n)), len(range(n, 0, -2))


@case("lists and tuples with tensors in order: `<`, `>=`, `max`, `min`, `sorted`", *COUNTS)
def ordered_sequences(n):
    a, b = (n % 2, n), (1, 3)
    c, d = [int(n), 2, "x"], [3, 2]
    first = "lt" if (n, 1) < (2, 0) and not (n, 1) > (7, 7) else "ge"
    return a < b, a >= b, max(a, b), min([b, a]), sorted([b, a, (0, 5)]), c < d, d <= c, max(c, d), first, (a, 1) > (b, 0)


@case("lists and tuples of numbers of the Program compared", *COUNTS)
def numbers_in_lists(x):
    n = int(x)
    pair = [n, 2]
    same = pair == [1, 2], [n] != [4], (n, (n, 1)) == (4, (4, 1)), [n, 2] == (1, 2), [n] == [1, 2], [] == [n][:0]
    return same, [n] in [[1], [4]], x * 2 if (n, n) == (4, 4) else x


@refused("a complex number beside a number of the Program", COUNTS[1])
def complex_number(x):
    return float(x) + 1j


@case("bools count as ints", *BOTH)
def bool_arithmetic(x):
    b = True
    if x.sum() > 0:
        b = False
    return b + 1, b * 3, -b, ~b, b & True, b | True, b ^ True, b == 1, b is False, b / 2, b << 1, b**2, sum([b, b])


@case("NaN and infinity compare as Python's", *BOTH)
def nan_compare(x):
    k, limit = float("nan"), float("inf")
    if x.sum() > 0:
        k, limit = 1.0, 2.0
    return k == k, k != k, k < limit, max(2.0, k), limit > 1e300, -limit


@case("a division by zero is Python's error", *[(T(n, "int64"),) for n in (5, 0)])
def zero_division(n):
    return 10 / int(n)


@case("a number out of the domain of a function is Python's error", (T(4.0),), (T(-1.0),))
def math_domain(x):
    return math.sqrt(float(x))


@case("NaN has no int", (T(3.7),), (T(float("nan")),))
def nan_int(x):
    return int(x)


@case("an int of more than 64 bits in a branch", *BOTH)
def large_int(x):
    k = 1
    if x.sum() > 0:
        k = 2**70
    return k


@scenario("an int that grows beyond 64 bits in a loop: Python gives the result, with a warning that names the line")
def growing_int(to_static):
    def power(n):
        k = 1
        for _ in range(n):
            k = k * 10
        return k

    static = to_static(power)
    seen = [static(T(n, "int64")) for n in (0, 3, 18)]
    seen.append(static(T(30, "int64")))
    return seen


@case("an int of the Program as a key", *BOTH)
def number_key(x):
    k = 1
    if x.sum() > 0:
        k = 3
    return {k: "a"}


@case("an early `return` after `callable()` or `hasattr()`", (POS, len, "zz"), (POS, "s", "upper"), (POS, "s", "zz"))
def return_after_callable(x, value, name):
    if callable(value):
        return x + 100
    if hasattr(value, name):
        return x + 7
    return x


@case("`callable()` and `hasattr()` of what a tensor chose", *BOTH)
def questions_about_a_choice(x):
    value, name = (len, "sum") if x.sum() > 0 else ("s", "nope")
    if callable(value) and hasattr(x, name):
        return x + 100
    return x


def _less(a, b):
    return a < b, a == b


@case("tuples and lists with tensors in them, compared where the text does not tell what they are", *BOTH)
def hidden_sequences(x):
    a, b = (float(x[0]), 1), (float(x[1]), 2)
    return _less(a, b), _less(b, a), _less([x[0], 1], [x[0], 2]), max(a, b)


@scenario("dicts and lists of one item with tensors in them, compared")
def compared_dicts(to_static):
    @to_static
    def compared(x):
        a, b = {"w": x[0], "l": [x[1], {"z": x[0]}]}, {"l": [x[1] * 1, {"z": x[0] * 1}], "w": x[0] * 1}
        return a == b, a != b, a == {"w": 1}, [a] == [b], (a,) != (b,), [x[0]] == [x[1]], {1: 2} == {1: 2}

    return compared(POS), compared(NEG)
