"""Errors of methods, constructors, decorated and local functions, where tensors decide them"""

import contextlib
import functools

from language_table import BOTH, COUNTS, NEG, POS, T, case, refused, scenario

import to_static as paddle
from to_static import nn

LOG = []


class Base(Exception):
    code = 1


class Sub(Base):
    code = 2

    def __init__(self, msg, *, value=None):
        super().__init__(msg)
        self.value = value


class Other(Base):
    pass


def check(x, limit=0.0, *, name="x"):
    if x.sum() < limit:
        raise Sub(f"{name} too small", value=x.sum())
    return x * 2


def logged(f):
    @functools.wraps(f)
    def wrapper(*a, **k):
        try:
            return f(*a, **k)
        finally:
            LOG.append(1)
    return wrapper


def retry(times):
    def deco(f):
        @functools.wraps(f)
        def wrapper(x):
            for i in range(times):
                try:
                    return f(x)
                except Base:
                    x = x + 2
            return None
        return wrapper
    return deco


@retry(3)
def fragile(x):
    if x.sum() < 0:
        raise Other("no")
    return x * 10


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        if x.sum() < 0:
            raise Sub("neg")
        return x + 1


class Outer(nn.Layer):
    def __init__(self):
        super().__init__()
        self.inner = Net()

    def forward(self, x):
        try:
            return self.inner(x)
        except Base as e:
            return x - e.code


class Proc:
    def __init__(self):
        self.hist = []

    def __call__(self, x):
        self.hist.append(1)
        if x.max() > 1.5:
            raise ValueError("max")
        self.hist.append(2)
        return x

    @classmethod
    def make(cls, x):
        if x.sum() < 0:
            raise TypeError("make")
        return cls()

    @staticmethod
    def st(x):
        assert x.sum() < 0
        return x


class Box:
    def __init__(self):
        self.scale = 1.0


class ChildBox(Box):
    def __init__(self, x):
        super().__init__()
        if x.sum() > 0:
            raise ValueError("pos")


def find(xs, v):
    for i, x in enumerate(xs):
        if x == v:
            return i
    raise LookupError(f"no {int(v)}")


def rec(x, d):
    if d == 0:
        if x.sum() < 0:
            raise ValueError("deep")
        return x
    return rec(x + 0.5, d - 1) * 2


def gen_items(x):
    for i in range(3):
        if x.sum() < -2:
            raise ValueError("gen")
        yield x * i


@refused("clauses of a hierarchy of classes, and an error made with keywords", *BOTH)
def keyword_error(x):
    try:
        y = check(x, name="a") + check(-x, -100, name="b")
    except Other:
        y = 0
    except Base as e:
        y = (str(e), e.code, e.value)
    return y


@refused("a decorator that tries again", *BOTH, (T([-5.0, 0.0]),))
def retried(x):
    return fragile(x)


@refused("a callable object that raises", *BOTH)
def callable_object(x):
    pr = Proc()
    try:
        y = pr(x)
    except ValueError as e:
        y = str(e)
    return y, pr.hist


@refused("a class method and a static method that raise", *BOTH)
def class_methods(x):
    try:
        pr = Proc.make(x)
        y = Proc.st(-x)
    except (TypeError, AssertionError) as e:
        return type(e).__name__, str(e)
    return y, len(pr.hist)


@refused("an `__init__` that raises", *BOTH)
def made_below(x):
    try:
        m = ChildBox(x)
    except ValueError as e:
        return str(e)
    return m.scale


@refused("`raise` behind a loop with `return`", *COUNTS, (T(2, "int64"),))
def searched(n):
    xs = [n * 0 + 1, n * 0 + 2]
    try:
        i = find(xs, n)
    except LookupError as e:
        return str(e)
    return i


@refused("an error from a recursion", *BOTH)
def from_recursion(x):
    try:
        y = rec(x, 2)
    except ValueError as e:
        y = e.args[0]
    return y


@refused("a partial function that raises", *BOTH)
def from_partial(x):
    f = functools.partial(check, limit=1.0, name="part")
    try:
        y = f(x)
    except Sub as e:
        return str(e)
    return y


@refused("a lambda that calls a function which raises", *BOTH)
def from_lambda(x):
    f = lambda v: check(v) + 1
    try:
        y = f(x)
    except Sub as e:
        return str(e)
    return y


@refused("how far a `try` came", *BOTH)
def how_far(x):
    k = 0
    try:
        k = 1
        check(x)
        k = 2
        check(-x)
        k = 3
    except Base:
        pass
    return k


@refused("a list with two names that a local function changes before it raises", *BOTH)
def list_of_closure(x):
    a = [1]
    b = a

    def act():
        a.append(2)
        if x.sum() < 0:
            raise ValueError
        a.append(3)
    try:
        act()
    except ValueError:
        b.append(9)
    return a, b, a is b


@refused("a dict that a function changes before it raises", *BOTH)
def dict_of_argument(x):
    d = {"k": x}

    def act(d):
        d["k"] = d["k"] + 1
        d["n"] = 5
        if x.sum() < 0:
            raise ValueError("v")
        d["k"] = d["k"] * 10
    try:
        act(d)
    except ValueError:
        d["e"] = 1
    return sorted(d), d["k"]


@refused("a value that an error takes along out of a loop", *COUNTS)
def value_of_error(n):
    s = n * 1.0
    for i in range(10):
        try:
            s = check(s - 1.0)
            if s > 50:
                break
        except Sub as e:
            return i, e.value, s
    return i, None, s


@refused("an error that wraps another one", *BOTH)
def wrapped_error(x):
    try:
        try:
            check(x)
        except Sub as e:
            raise Other(f"wrapped {e}") from e
    except Base as e:
        return str(e), e.code
    return "ok"


@refused("a bare `except` around a ternary with a call", *BOTH)
def bare_except(x):
    try:
        y = check(x) if x.sum() < 100 else x
    except:  # noqa: E722
        y = x * 0
    return y


@refused("`return` inside of `contextlib.suppress`, behind a call that raises", *BOTH)
def return_suppressed(x):
    with contextlib.suppress(Base):
        check(x)
        return x * 5
    return x


@refused("messages of errors in a loop", *BOTH)
def messages_of_loop(x):
    msgs = []
    for v in (x, -x, x * 0):
        try:
            check(v)
            msgs.append("ok")
        except Sub as e:
            msgs.append(str(e))
    return msgs


@case("a clause for another error", *BOTH)
def other_clause(x):
    try:
        check(x)
    except KeyError:
        return "wrong"
    return x


@refused("`finally` that prints, around a call that raises", *BOTH)
def always_printed(x):
    try:
        check(x)
    finally:
        print("always")
    return x


@refused("a call in a clause", *BOTH)
def called_again(x):
    try:
        y = check(x)
    except Sub:
        y = check(-x)
    return y


@refused("a call in a clause that raises as well", *BOTH)
def fails_again(x):
    try:
        y = check(x)
    except Sub:
        y = check(x, name="again")
    return y


@refused("an error that passes a `try` of a local function", *BOTH)
def two_tries(x):
    def inner():
        try:
            return check(x)
        except Other:
            return None
    try:
        return inner()
    except Sub as e:
        return e.value


@refused("`continue` in a clause until a call raises nothing", *BOTH)
def until_it_works(x):
    total = 0
    while True:
        try:
            total += 1
            x = check(x, limit=3.0)
        except Sub:
            x = x + 1.5
            continue
        break
    return total, x


@refused("`with` of libraries in a `try`", *BOTH)
def library_with(x):
    try:
        with contextlib.nullcontext():
            check(x)
        with paddle.no_grad():
            y = check(x * 2)
    except Base as e:
        return str(e)
    return y


@refused("an item that a local function takes, in a tensor loop", *COUNTS)
def item_below(n):
    items = [1.0, 2.0]

    def get(i):
        return items[i]
    out = 0.0
    for i in range(n):
        try:
            out = out + get(i)
        except IndexError:
            out = out + 100.0
    return out


@scenario("a sublayer whose `forward` raises")
def sublayer(to_static):
    f = to_static(Outer())
    return [f(POS), f(NEG), f(POS), f(NEG)]


@scenario("attributes that a method of an object from outside sets before it raises")
def object_before_error(to_static):
    class Acc:
        def __init__(self):
            self.ok = 0
            self.bad = 0
            self.last = None
        def add(self, x):
            self.last = x
            if x.sum() < 0:
                raise ValueError("bad")
            self.ok += 1
    acc = Acc()

    @to_static
    def f(x):
        try:
            acc.add(x)
        except ValueError:
            acc.bad += 1
        return acc.ok
    return [f(POS), f(NEG), f(NEG), f(POS)], acc.ok, acc.bad, acc.last


@scenario("a decorated function that raises, and what its decorator notes")
def decorated_call(to_static):
    calls = []

    @logged
    def g(x):
        if x.sum() < 0:
            raise Other("g")
        return x * 2

    @to_static
    def f(x):
        try:
            return g(x)
        except Base:
            return x
    del LOG[:]
    return [f(POS), f(NEG), f(NEG)], list(LOG)


@refused("a generator that raises under a tensor condition, caught around the loop over it", *BOTH)  # fmt: skip
def generator_raises(x):
    try:
        y = x * 0
        for v in gen_items(x):
            y = y + v
    except ValueError as e:
        return x, str(e)
    return y


@refused("a function that raises, handed to `map` inside of a `try`", *BOTH)
def mapped(x):
    try:
        y = list(map(check, [x, -x]))
    except Sub as e:
        return str(e)
    return y


@refused("`for` and `sum` over `map` inside of a `try`", *BOTH, (T([2.0, 1.0]),))
def mapped_and_taken(x):
    log = []
    try:
        for y in map(check, [x, x - 1]):
            log.append(y)
        log.append(sum(map(lambda v, w: check(v * w), [x, x], [1, -1])))
    except Sub as e:
        log.append(str(e))
    return log


@refused("a call that raises in a generator expression that `sum` takes", *BOTH)
def summed(x):
    try:
        return sum(check(v) for v in (x, x + 1))
    except Sub as e:
        return str(e)
