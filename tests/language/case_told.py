"""Errors that pass from function to function, where tensors decide them"""

import contextlib

from language_table import BOTH, COUNTS, NEG, POS, T, refused

import to_static as paddle

MANY = [*COUNTS, (T(5, "int64"),), (T(9, "int64"),)]


class Negative(ValueError):
    def __init__(self, value, where="here"):
        super().__init__(f"negative: {value}")
        self.value, self.where = value, where


class Other(Exception):
    pass


def check(x):
    if x.sum() < 0:
        raise ValueError("neg")
    return x * 2


def deep(x):
    return check(x) + 1


def deeper(x, k):
    y = deep(x)
    z = deep(y) if k else y
    return y, z


def kinds(n):
    if n == 0:
        raise ValueError("zero")
    if n == 1:
        raise KeyError("one")
    if n == 4:
        raise Negative(n, where=f"at {int(n)}")
    return n + 10


def asserts(x):
    assert x.sum() > 0, f"bad {x.sum().item():.1f}"
    return x


def inloop(xs):
    total = xs[0] * 0
    for i in range(3):
        v = xs.sum() + i
        if v > 4:
            raise Other("big", i)
        total = total + v
    return total


def intensorloop(n):
    s = n * 0
    for i in range(n):
        s = s + i
        if s > 4:
            raise Other(f"at {i}", s)
    return s


class Box:
    def __init__(self, x):
        self.x = x
        self.log = []
        self.count = 0

    def step(self, d):
        self.count += 1
        self.log.append(d)
        if self.x.sum() + d < 0:
            raise ValueError("low")
        self.x = self.x + d
        self.count += 10
        return self.x


def inplace(x):
    x[0] = 9
    if x.sum() < 0:
        raise ValueError("low")
    x.add_(paddle.ones([]))
    return x


@refused("a function that raises under a tensor condition, caught by its caller", *BOTH)
def caught_outside(x):
    try:
        y = check(x)
    except ValueError:
        y = x - 1
    return y


@refused("two calls deep, and twice in one expression", *BOTH)
def caught_deep(x):
    try:
        y = deep(x) + deep(x * 2)
    except ValueError as e:
        return x, str(e)
    return y


@refused("`else` and `finally` around a call that may raise, with several results", (POS, True), (NEG, True), (NEG, False))
def several_results(x, k):
    try:
        a, b = deeper(x, k)
    except ValueError as e:
        return x, e.args
    else:
        b = b + 100
    finally:
        x = x + 1
    return a, b, x


@refused("several clauses for what a called function raises, with its arguments and attributes", *MANY)
def several_clauses(n):
    try:
        r = kinds(n)
    except Negative as e:
        return e.where, e.value, str(e)
    except ValueError as e:
        r = str(e)
    except KeyError as e:
        r = str(e), type(e).__name__
    return r


@refused("an error of a called function that no clause catches", *MANY)
def not_caught(n):
    try:
        r = kinds(n)
    except ValueError:
        r = n - 100
    return r


@refused("`assert` in a called function, caught by its caller", *BOTH)
def asserted_below(x):
    try:
        y = asserts(x)
    except AssertionError as e:
        return str(e)
    return y


@refused("`raise` in a Python loop of a called function", *BOTH, (T([3.0, 3.0]),))
def from_loop(x):
    try:
        return inloop(x)
    except Other as e:
        return e.args


@refused("`raise` in a tensor loop of a called function, with what the loop made", *MANY)
def from_tensor_loop(n):
    try:
        return intensorloop(n)
    except Other as e:
        return e.args


@refused("what a method changed of its object before it raised", *BOTH)
def half_way(x):
    b = Box(x)
    try:
        b.step(1)
        b.step(2)
    except ValueError as e:
        b.log.append(str(e))
    return b.x, b.count, b.log


@refused("a tensor changed in place by a function before it raises", *BOTH)
def in_place(x):
    y = x
    try:
        inplace(x)
    except ValueError as e:
        x = x - 1
    return x, y


@refused("`try` around a call in a Python loop with `continue` and `break` in it, and `finally`", *MANY)
def in_loop(n):
    out = []
    for i in range(4):
        try:
            r = kinds(n - i)
            if i == 2:
                continue
            out.append(r)
        except KeyError:
            break
        except ValueError:
            out.append(-n)
        finally:
            out.append(n * 0 + i)
    return out


@refused("`try` around a call in a tensor loop with `continue` and `return`", *MANY)
def in_tensor_loop(n):
    s = n * 0
    while s < 20:
        s = s + 3
        try:
            s = s + kinds(n - 1)
        except KeyError:
            s = s + 1
            continue
        except ValueError as e:
            return s, str(e)
    return s, None


@refused("`contextlib.suppress` around a call that raises", *BOTH)
def suppressed_call(x):
    y = x * 1
    with contextlib.suppress(ValueError):
        y = check(x)
        y = y + 1
    return y


@refused("`finally` inside of `try`, around a call that raises", *BOTH)
def finally_inside(x):
    try:
        try:
            y = check(x)
        finally:
            print("inner")
        y = y + 1
    except ValueError:
        y = x
    return y


@refused("another error raised for one of a called function", *BOTH)
def other_error(x):
    try:
        y = check(x)
    except ValueError as e:
        raise KeyError("again") from e
    return y


@refused("an error of a called function raised again", *BOTH)
def raised_again(x):
    try:
        y = check(x)
    except ValueError:
        print("seen")
        raise
    return y


@refused("an error that a local function raises, with a number in it", *BOTH)
def local_function(x):
    def local(v):
        if v.sum() < 0:
            raise Negative(v.sum().item())
        return v
    try:
        return local(x)
    except Negative as e:
        return -x, e.value


@refused("a call that raises behind `or`, in a `try`", *BOTH)
def behind_or(x):
    try:
        y = x.sum() > 100 or check(x).sum() > 3
    except ValueError:
        y = "error"
    return y


@refused("a call that raises in a comprehension", *BOTH)
def in_comprehension(x):
    try:
        ys = [check(x * k) for k in (1, 2, -1)]
    except ValueError as e:
        return str(e)
    return ys


@refused("a call that raises in the test of a loop, and in an assignment that adds", *BOTH)
def in_test(x):
    total = x.sum()
    try:
        total += check(x).sum()
        while check(total) < 50:
            total = total + 10
    except ValueError:
        total -= 5
    return total


class Account:
    """A setter that refuses what is too little."""

    def __init__(self, level):
        self.count, self.trail = 0, []
        self._level = level

    @property
    def level(self):
        return self._level

    @level.setter
    def level(self, value):
        self.count += 1
        if value.sum() < 0:
            raise Negative(value.sum(), "account")
        self.trail.append(value)
        self._level = value


def spend(account, value):
    account.level -= value
    return account


@refused("a setter that raises, in a `try`, and of a called function", *BOTH)
def setter_raises(x):
    account = Account(x)
    try:
        account.level = x - 1
        account.level += 2
        spend(account, x * 0.5).count += 10
    except Negative as e:
        return e.where, account.level, account.count
    return account.trail, account.level, account.count


@refused("the same in loops, and under a `with` that suppresses", *COUNTS)
def setter_in_loops(n):
    account, missed = Account(n), 0
    for i in range(n):
        with contextlib.suppress(Negative):
            account.level = account.level - i
            continue
        missed += 1
    for step in (1, -3, 2):
        try:
            account.level += step
        except Negative:
            missed += 10
        finally:
            missed += 100
    return account.level, account.count, missed


@refused("lambdas in a comprehension that take its variable, where something may fail", *BOTH)
def lambdas_of_comprehension(x):
    j, out = 7, []
    try:
        out = [(lambda e, j=j, *, k=j: e * j + k)(check(x)) for j in range(3)]
        out += [(lambda e, k=j: e * j + k)(check(x + 1)) for j in range(2)]
    except ValueError:
        out.append(x * j)
    return out, j


@refused("the width of a formatted number comes from a function that raises", *BOTH)
def width_told(x):
    def width(y):
        check(y)
        return 8

    try:
        text = f"{x.sum().item():{width(x)}.2f}|{float(x[0]) / 2:.1f}|{x.max().item():>{width(x - 1)}}"
    except ValueError as error:
        return f"{type(error).__name__:>{4 * 3}}", f"{x.min().item():.1f}"
    return text
