"""Scopes and statements"""

import contextlib

from language_table import BOTH, POS, case, refused

import to_static as paddle
from to_static.core.errors import ToStaticError, TranslationError

SCALE = 3
counter = 0


class Guard:
    def __init__(self):
        self.log = []

    def __enter__(self):
        self.log.append("in")
        return self

    def __exit__(self, *error):
        self.log.append("out" if error[0] is None else error[0].__name__)
        return False


@case("nested functions and closures", *BOTH)
def closures(x):
    k = 2

    def scale(v):
        if v.sum() > 0:
            return v * k
        return v

    k = 5
    return scale(x)


@case("`nonlocal` under a condition", *BOTH)
def nonlocal_condition(x):
    n = x

    def step():
        nonlocal n
        if n.sum() > 0:
            n = n + 1

    step()
    step()
    return n


@case("`nonlocal` in a nested function", POS)
def nonlocal_plain(x):
    n = 0

    def step(v):
        nonlocal n
        n += 1
        return v * n

    return step(x), step(x), n


@case("reading globals", POS)
def read_global(x):
    return x * SCALE


@case("`try` / `except` of Python errors", POS)
def try_except(x):
    try:
        y = {}["missing"]
    except KeyError as error:
        y = x * len(error.args)
    else:
        y = x * 100
    finally:
        x = x + 1
    return x, y


@case("a tensor condition inside `try`", *BOTH)
def try_condition(x):
    try:
        if x.sum() > 0:
            y = x * 2
        else:
            y = x
    finally:
        z = 1
    return y, z


@case("`return` inside `try` with `finally`", *BOTH)
def try_return(x):
    try:
        if x.sum() > 0:
            return x * 2
    finally:
        print("done")
    return x


@refused("an error that depends on a tensor, caught", *BOTH)
def try_raise(x):
    try:
        if x.sum() > 0:
            raise ValueError("positive")
        y = x
    except ValueError:
        y = x * 0
    return y


@case("a Python error under a Python condition, caught inside of a tensor branch", *BOTH)
def try_python_raise(x):
    if x.sum() > 0:
        try:
            y = [x][3]
        except (IndexError, KeyError):
            y = x * 7
    else:
        y = x
    return y


@refused("a tensor condition that Python can't decide, inside of `try` / `except`", POS, error=ToStaticError)
def try_refusal(x):
    try:
        y = dict.fromkeys(v for v in x if bool.__call__(v > 0))
    except Exception:
        y = None
    return y


@case("an error of another kind than the `except`", *BOTH)
def try_other(x):
    try:
        if x.sum() < 0:
            raise ValueError("negative")
    except KeyError:
        x = x * 0
    return x


@case("`with` blocks", *BOTH)
def with_blocks(x):
    g = Guard()
    with g as same, paddle.no_grad():
        if x.sum() > 0:
            y = x * 2
        else:
            y = x
    return y, g.log, same is g


@case("`return` out of `with`", *BOTH)
def with_return(x):
    with contextlib.suppress(KeyError):
        if x.sum() > 0:
            return x * 2
    return x


@case("`del` of variables, entries and attributes", POS)
def deletions(x):
    d = {"a": x, "b": x * 2}
    t = x + 1
    y = t * 2
    del t, d["a"]
    return y, list(d)


@case("annotated assignments, several targets, augmented assignment", POS)
def assignments(x):
    a: int = 3
    b: float
    c = d = x + a
    c += 1
    return c, d


@case("`import` inside", POS)
def imports(x):
    import math as m
    from os.path import basename

    return x * m.floor(2.5), basename("a/b")


@case("a variable read before its assignment", POS)
def read_early(x):
    if x.shape[0] == 99:
        y = 1
    return x + y


@case("names like the translator's own", *BOTH)
def own_names(x):
    if_true, result, returned, broke = 1, 2, 3, 4
    if x.sum() > 0:
        return x * if_true, result
    return x * returned, broke


@case("a lambda's default keeps the loop's value", POS)
def lambda_default(x):
    fs = [lambda v, k=k: v * k for k in range(3)]
    return [f(x) for f in fs]


@case("global functions that call each other", *BOTH)
def mutual(x):
    return even(x, 4)


def even(x, n):
    return x if n == 0 else odd(x + (1 if x.sum() > 0 else 2), n - 1)


def odd(x, n):
    return even(x * 2, n - 1)


@refused("a jump out of `finally`", POS, error=TranslationError)
def jump_from_finally(x):
    try:
        x = x * 2
    finally:
        return x


@case("a default that reads a name with no value on one path", *BOTH)
def default_without_value(x):
    if x.sum() > 0:
        w = x * 2

    def inner(e, b=w):
        return (lambda a, c=w: a + c)(e + b)

    return inner(x)


@case("a class whose body reads a name with no value on one path", *BOTH)
def class_without_value(x):
    if x.sum() > 0:
        w = x * 2

    class Holder:
        kept = w

    return Holder.kept


@case("a default that reads a name which its own function assigns later", (POS,))
def default_too_early(x):
    def outer(e):
        def inner(a, b=max(x)):  # noqa: B008, F823
            return a + b

        x = inner(e)
        return x

    try:
        return outer(1.0)
    except UnboundLocalError:
        return "no value"
