"""Assignment expressions and `match`"""

import dataclasses
import enum

from language_table import BOTH, COUNTS, NEG, POS, T, case, refused

import to_static as paddle
from to_static.core.errors import TranslationError


def shown(value):
    print("shown", value.sum())
    return value * 2


@case("assignment expression", *BOTH)
def walrus(x):
    if (s := x.sum()) > 0:
        return s
    return s * 2


@case("assignment expression in `while`", (T([1.0]),), (T([70.0]),))
def walrus_while(x):
    while (s := x.sum()) < 50 and x[0] < 40:
        x = x * 3
        if x[0] > 8:
            continue
        x = x + 1
    return s, x


@case("`match` on Python values", (POS, "a"), (POS, "zz"), (POS, 3), (POS, None))
def match_python(x, what):
    match what:
        case "a" | "b":
            return x
        case 3 if x.shape[0] == 2:
            return x * 3
        case None:
            return x * 5
        case "q" as name:
            return name
        case _:
            return -x


@case("`match` on a traced number", (T(0, "int64"),), (T(1, "int64"),), (T(7, "int64"),))
def match_tensor(n):
    match n:
        case 0:
            return n + 10
        case 1 | 2:
            return n * 3
        case _:
            return n


@case("assignment expression in a lazy operand", *BOTH)
def walrus_lazy(x):
    t = x
    if x.sum() > 0 and (t := shown(x)).sum() > 7:
        return t
    elif (u := shown(t)).sum() < 0 or (v := shown(u)).sum() > 0:
        return t, u
    return v


@case("assignment expression in a lazy operand that did not run, used", *BOTH)
def walrus_unbound(x):
    y = x.sum() > 0 and (t := x * 2).sum() > 0
    return y, t


@case("assignment expression in a ternary, after other parts of the statement", *BOTH)
def walrus_ternary(x):
    y = shown(x) + (x if x.sum() > 0 else (t := shown(x)))
    if x.sum() < 0:
        y = y + t
    return y


@case("assignment expression in a chained comparison", POS, NEG, T([0.0, 1.0]))
def walrus_chain(x):
    if 0 < (a := x.sum()) < 5:
        return a
    return -a


@case("assignment expression in comprehensions binds outside", T([1.0, 2.0, 3.0]), T([-1.0, -5.0]), T([[1.0], [-2.0]]))
def walrus_comprehension(x):
    ys = [y for v in x if (y := v * 2).sum() > 2]
    pairs = {i: (last := i * 2) for i in [1, 2]}
    return len(ys), y, pairs, last


@refused("assignment expression in `any` and `all`", T([1.0, 2.0, 3.0]), T([-1.0, -5.0]))
def walrus_any(x):
    some = any((y := v) > 1 for v in x)
    every = all((z := v) < 2 for v in x)
    return some, y, every, z


@refused("assignment expression in `sum`", T([1.0, 2.0, 3.0]), T([-1.0, -5.0]))
def walrus_sum(x):
    total = 0
    return sum((total := total + v) for v in x), total


@case("assignment expression in `while` with `and`, and with `else`", POS, NEG, T([10.0, 20.0]))
def walrus_while_else(x):
    n = 0
    while n < 5 and (s := x.sum()) < 20:
        x = x + s.abs() + 1
        n = n + 1
    while (s := s + 3) < 40:
        if s > 36:
            break
    else:
        return x * 0, s
    return x, s, n


@case("assignment expression in a lambda", *BOTH)
def walrus_lambda(x):
    double = lambda v: v + (t if v.sum() > 0 and (t := shown(v)).sum() > 2 else 1)
    return double(x), (lambda v: (t := v) + t)(x)


@refused("assignment expression beside a changed item", POS, error=TranslationError)
def walrus_item(x):
    d = {"a": 1}
    d["a"] += x.shape[0] and (t := 2)
    return d, t


class Color(enum.Enum):
    RED = 1
    BLUE = 2


@dataclasses.dataclass
class Point:
    x: object
    y: object


SUBJECTS = [
    [1, 2], [5], [], "ab", (1, 2, 3), {"a": 1}, {"a": 1, "b": 2, "c": 3}, 3, None, True, {"a": 2, "z": 9}, 2.5, range(4),
    Color.RED, Color.BLUE,
]  # fmt: skip


@case("`match` on structure: every kind of pattern but one", *[(POS, s) for s in SUBJECTS])
def match_structure(x, what):
    match what:
        case []:
            r = x * 0
        case [1, y]:
            r = x * y
        case [first, *rest] if len(rest) == 2:
            r = x * first, rest
        case [a, *_, b]:
            r = x * a - b
        case (a,):
            r = x + a
        case bool(v):
            r = "bool", v
        case int(n) | float(n):
            r = n * x
        case str() as s:
            r = s, x
        case None:
            r = x
        case Color.RED:
            r = x * 5
        case dict():
            r = len(what) * x
        case other:
            r = other.name, x
    return r


@case("mapping patterns", (POS, {"a": 1, "b": 2, "c": 3}), (POS, {"a": 2, "z": 9}), (POS, {}))
def match_mapping(x, what):
    match what:
        case {"a": 1, "b": b, **others}:
            return x + b, others
        case {"a": 1 | 2 as k}:
            return x + k
    return x


@case("`match` with guards on tensors", *BOTH)
def match_guard(x):
    match (x.sum(), [x, x * 2]):
        case (s, [a, b]) if s > 0:
            r = a + b
        case (s, [a, *rest]):
            r = a - len(rest) + s
    return r, s, a


@case("`match` with literals against tensors inside of a list", T(0.0), T(1.0), T(2.0), T(7.0), T(-3.0))
def match_literals(x):
    match [x, x + 1]:
        case [0, y]:
            r = y
        case [1, y] | [y, 3]:
            r = y * 10
        case [_, y] if y > 100:
            r = y
        case [z, 8]:
            r = z * 100
        case _:
            r = x
    return r


@case("`match` with classes", T(0.0), T(1.0), T(9.0))
def match_classes(x):
    match Point(x, [x * 2, 5]):
        case Point(x=0):
            r = x + 100
        case Point(1, [a, b]):
            r = a + b
        case Point(y=[c, 5 as d]):
            r = c * d
    return r


@case("`match` on a list that a loop made", *COUNTS)
def match_list(n):
    out = []
    for i in range(n):
        out.append(i * 2)
    match out:
        case [a]:
            return a + 100
        case [a, *rest, b]:
            return a + b + len(rest)
        case _:
            return -1


@case("`match` on a value of one kind or another", *BOTH)
def match_kinds(x):
    k = 2
    if x.sum() > 0:
        k = (x, 3)
    match k:
        case (a, b):
            return a + b
        case int(n):
            return x * n


@case("a name that no `case` bound", (POS, 1), (POS, 7))
def match_unbound(x, v):
    match [v, x.sum()]:
        case [1, t]:
            pass
    return t


@case("`match` in a loop, with `continue` and `break`", T([1.0, 2.0, 3.0]), T([-1.0, 2.0, -3.0]), T([4.0, 2.0]))
def match_loop(x):
    total = x.sum() * 0
    for v in x:
        match v:
            case 2:
                continue
            case n if n < 0:
                break
            case n:
                total = total + n
    else:
        total = total * 10
    return total


@case("`match` on the shape, and on tensors", T(3.0), T([5.0]), T([[1.0, 2.0]]))
def match_shape(x):
    match x.shape:
        case []:
            y = x.reshape([1])
        case [n]:
            y = x * n
        case _:
            y = x.sum()
    match y:
        case paddle.Tensor(shape=[1], ndim=d):
            return y + d
    return y


@case("wrong class patterns raise Python's errors", (POS, 3), (POS, Point))
def match_errors(x, kind):
    match Point(1, 2):
        case kind.thing:
            return x
        case Point(1, 2, 3):
            return x
    return x * 2
