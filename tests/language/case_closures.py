"""Closures, and `with` that suppresses errors"""

import contextlib

from language_table import BOTH, COUNTS, NEG, POS, T, case, network, refused, scenario

from to_static import nn


def counter():
    n = 0

    def count():
        nonlocal n
        n += 1
        return n

    return count


@case("a closure over a variable that a tensor branch assigns later", *BOTH)
def late_capture(x):
    k = 1
    f = [lambda: k]
    if x.sum() > 0:
        k = 2
    return f[0]()


@case("a closure over variables that a loop assigns later", T([1.0]), T([-4.0, 2.0]), T([20.0]))
def loop_capture(x, k=2):
    f = lambda: x * k
    while k < 5 and x.sum() < 10:
        x = x + k
        k = k + 1
    return f(), k, x


@case("closures made in a loop see its last item", T([1.0, 2.0, 3.0]))
def closures_in_loop(x):
    functions = []
    for i in range(3):
        functions.append(lambda: x[i])  # noqa: B023
    return [f() for f in functions]


@case("a variable that only a branch assigns, seen by a closure", *BOTH)
def late_unbound(x):
    def get():
        return k

    if x.sum() > 0:
        k = 3
    return get()


@case("`nonlocal`, assigned by a function that a branch calls", *BOTH)
def nonlocal_branch(x):
    n, mode = 0, "a"

    def change(m):
        nonlocal n, mode
        n, mode = n + 1, m

    if x.sum() > 0:
        change("b")
    return n, mode, x if mode == "b" else x * 2


@case("`nonlocal`, assigned by a function that a loop calls", T([1.0, 3.0, 2.0]), T([-1.0]), T([2.0, 1.0]))
def nonlocal_loop(x):
    best, count = None, 0

    def see(v):
        nonlocal best, count
        if best is None or v > best:
            best = v
            count += 1

    for v in x:
        see(v)
    return best, count


@case("`nonlocal`, of two functions around", *BOTH)
def nonlocal_deep(x):
    a = 1

    def outer():
        b = 2

        def inner():
            nonlocal a, b
            if x.sum() > 0:
                a = a + b
                b = b * 2
            return a

        inner()
        inner()
        return b

    return outer(), a


@case("a function from a factory that counts its calls", *BOTH)
def factory(x):
    count = counter()
    a = count()
    b = count()
    if x.sum() > 0:
        b = count() + 10
    return a, b, count()


@case("a counter called in a tensor loop", *COUNTS)
def factory_loop(n):
    count = counter()
    for _ in range(n):
        count()
    return count()


@case("a method that sees a variable of the function around", *BOTH)
def method_capture(x):
    k = 1

    class Box:
        def get(self):
            return k

    box = Box()
    if x.sum() > 0:
        k = 2
    return box.get()


@case("a decorator inside that counts calls, and gradients through `nonlocal`", T([1.0, -2.0, 3.0]), T([-1.0]))
def decorator(x):
    calls, total = 0, x.sum() * 0

    def counted(f):
        def wrapper(*args):
            nonlocal calls
            calls += 1
            return f(*args)

        return wrapper

    @counted
    def add(v):
        nonlocal total
        if v > 0:
            total = total + v * v

    for v in x:
        add(v)
    return total, calls


@case("a `nonlocal` list changed in place in a branch", *BOTH)
def nonlocal_list(x):
    items = [1]
    same = items

    def grow():
        nonlocal items
        items += [2]

    if x.sum() > 0:
        grow()
    return len(items), items, same is items


@scenario("a closure that outlives the call")
def outliving(to_static):
    @to_static
    def f(x):
        k = 1
        g = lambda: k
        if x.sum() > 0:
            k = 2
        return g

    return f(POS)(), f(NEG)()


class Loud:
    def __enter__(self):
        print("enter")
        return self

    def __exit__(self, kind, error, trace):
        if kind is None:
            print("exit")


class Silent(Loud):
    def __exit__(self, kind, error, trace):
        print("exit", kind is None)
        return True


@contextlib.contextmanager
def forgiving():
    try:
        yield 3
    except ValueError:
        print("forgiven")


@case("`with` that suppresses errors of Python", (POS, 0), (POS, 1))
def suppressing(x, n):
    with Silent():
        x = x * 2
        raise ValueError("always")
    with contextlib.suppress(ZeroDivisionError):
        x = x + 1 // n
        x = x * 10
    with forgiving() as k:
        if n:
            raise ValueError("sometimes")
        x = x * k
    return x


@refused("`raise` under a tensor condition inside of `with` that lets errors pass", *BOTH)
def passing(x):
    with Loud():
        if x.sum() < 0:
            raise TypeError("negative")
    return x


@refused("`raise` under a tensor condition inside of `with` that suppresses it", *BOTH)
def suppressed(x):
    with contextlib.suppress(ValueError):
        if x.sum() > 0:
            raise ValueError("positive")
    return x


@case("dict comprehensions over tensors", T([1.0, -2.0]))
def dict_comprehension(x):
    doubled = {i: v if v > 0 else -v for i, v in enumerate(x)}
    return doubled, {k: v for k, v in zip("ab", x, strict=True)}, dict(enumerate(x))


@refused("`filter` with a tensor condition", T([1.0, -2.0, 3.0]), T([-1.0, 5.0]))
def filtered(x):
    total = x.sum()
    for v in filter(lambda v: v > 0, x):
        total = total + v
    for v in filter(None, [x[0], x[1] - 5]):
        total = total * 2 + v
    return total, len(list(filter(lambda v: v > 1, x)))


SIGNS = [(T([1.0, 2.0, 3.0]),), (T([-1.0, 2.0, -3.0]),), (T([-1.0, -2.0, -3.0]),)]


@refused("methods of a class that the function makes change its variables, called by Python in a loop", *SIGNS)
def seen_by_methods(x):
    log = ["begin"]

    class Step:
        def __init__(self, name):
            self.name = name

        def __enter__(self):
            log.append("+" + self.name)

        def __exit__(self, kind, error, traceback):
            log.append("-" + self.name)
            return kind is ValueError and self.name == "a"

        def __getitem__(self, index):
            log.append(index)
            return index

        def __len__(self):
            log.append("len")
            return 2

    with Step("a"), Step("b"):
        for v in x:
            if v < -2:
                raise ValueError("too small")
            with Step("c") as step:
                if v < 0:
                    continue
                log.append("in")
    for v in x:
        if v > 0:
            step = Step("d")
            log.append(step[1] + len(step))
    return log


@case("methods of a class that the function makes change its objects, called in a branch", *SIGNS)
def objects_seen_by_methods(x):
    class State:
        n = 0

    state, entries, count = State(), {"k": 0}, 0
    state.n = 1

    class Steps:
        def go(self):
            nonlocal count
            count += 1
            state.n += 1

        def __enter__(self):
            entries["k"] += 1
            return self

        def __exit__(self, *error):
            state.n *= 2

        @property
        def value(self):
            state.n += 10
            return 1

        @staticmethod
        def plain():
            entries["s"] = 1

        @classmethod
        def of_class(cls):
            entries["k"] -= 3

    steps = Steps()
    with steps:
        for v in x:
            if v > 0:
                steps.go()
                with Steps() as inner:
                    entries["v"] = inner.value
            else:
                steps.plain()
                Steps.of_class()
    return state.n, entries, count


@network("a Layer of a class that `__init__` makes changes a list and a dict of the other", *SIGNS)
class Observed(nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)
        seen, counts = self.seen, self.counts = [], {"calls": 0}

        class Activation(nn.Layer):
            def forward(self, x):
                counts["calls"] += 1
                if x.sum() > 0:
                    seen.append(1)
                return x.tanh()

        self.activation = Activation()

    def forward(self, x):
        return self.activation(self.linear(x)), self.counts["calls"], len(self.seen)


@case("functions that call themselves and each other, made in tensor loops and branches", *COUNTS)
def recursive_in_loops(n):
    total, found = n * 1.0, []
    for i in range(n):

        def down(k, left):
            return k if left == 0 else down(k + i, left - 1)  # noqa: B023

        if total > 2:

            def walk(k):
                return total if k == 0 else walk(k - 1) + 1  # noqa: B023

        else:

            def walk(k):
                return total * k  # noqa: B023

        total = walk(2) + down(total, 2)
        found.append(walk(1))
    while total < 4:

        def even(k):
            return True if k == 0 else odd(k - 1)

        def odd(k):
            return False if k == 0 else even(k - 1)

        total = total + (2 if even(4) else 1)
    return total, found


@case("closures made in a branch see what is assigned behind it", *COUNTS)
def seen_behind(n):
    y = 0
    if n > 1:
        y = n * 2

        def f():
            return y

    else:
        y = 1

        def f():
            return 0

    y = y + 5
    z = f()
    y = y * 2
    return z, f()


@case("closures made in a tensor loop that see what changes behind them, and functions of their own", *COUNTS)
def changed_behind(n):
    total = n * 1.0
    for i in range(n):
        h = total * i
        g = lambda: h  # noqa: B023

        def square(k):
            return k * k

        def both(k):
            return square(k) + g()  # noqa: B023

        if h > 1:
            h = h - 1
        total = total + both(i)
        h = h + 2
        total = total + both(i)
    return total


@refused("functions of two branches that hold what each made", *COUNTS)
def chosen_functions(n):
    if n > 1:
        h = n * 2

        def g():
            return h

    else:
        h = n * 3

        def g():
            return h + 1

    if n > 0:
        n = n + g()
    return n


@case("lambdas made in a comprehension see its last item, whatever it goes over", *[(*call, 2) for call in BOTH])
def last_of_comprehension(x, n):
    shifts = [lambda v: v + i for i in range(n)]  # noqa: B023
    kept = [lambda v: v * i for i in range(5) if i != 1]  # noqa: B023
    rows = [lambda v: v - row for row in x]  # noqa: B023
    return shifts[0](x), kept[0](x), rows[0](x)
