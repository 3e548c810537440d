"""What was not there when a call was traced, and is now"""

import collections
import contextlib
import functools
import itertools
import operator
import random
import types
import warnings

import numpy as np
from language_table import NEG, POS, T, fresh, scenario

import to_static as paddle
from to_static import nn

VALUES = (POS, NEG, T([3.0, 1.0]), POS)


class Keeper:
    """Keeps what the call before was given."""

    def asked(self, x):
        if not hasattr(self, "last"):
            self.last = x
            return x
        return x + self.last

    def got(self, x):
        last = getattr(self, "last", None)
        self.last = x
        return x if last is None else x + last

    def tried(self, x):
        try:
            return x + self.last
        except AttributeError:
            self.last = x
            return x

    def suppressed(self, x):
        last = 0
        with contextlib.suppress(AttributeError):
            last = self.last
        self.last = x
        return x + last

    def matched(self, x):
        match self:
            case Keeper(last=last):
                del self.last
                return x + last
        self.last = x
        return x


@scenario("an attribute that the first call makes: `hasattr`, `getattr` with a default, `try`, `suppress`, `match`")
def made_by_first(to_static):
    seen = []
    for name in ("asked", "got", "tried", "suppressed", "matched"):
        keeper = Keeper()
        run = to_static(getattr(keeper, name))
        seen += [(run(fresh(x)), dict(vars(keeper))) for x in VALUES]
    return seen


@scenario("attributes that others set and delete between calls, of objects, classes, Layers and functions")
def set_between(to_static):
    class Options:
        pass

    class Net(nn.Layer):
        def forward(self, x):
            return x * 2 if hasattr(self, "doubles") else x

    def scaled(x):
        return x * scaled.scale if hasattr(scaled, "scale") else x

    class Table:
        def __init__(self):
            self.known = {"rate": 2}

        def __getattr__(self, name):
            return self.known[name]

    options, net, table = Options(), Net(), Table()

    @to_static
    def f(x):
        return scaled(x) + (options.step if hasattr(options, "step") else 0) + table.rate

    run, seen = to_static(net), []
    owners = (options, "step"), (Options, "step"), (scaled, "scale"), (table, "rate"), (net, "doubles"), (Net, "doubles")
    for owner, name in owners:
        seen += [f(POS), run(POS)]
        setattr(owner, name, 7)
        seen += [f(POS), run(POS)]
        delattr(owner, name)
    return [*seen, f(POS), run(POS)]


@scenario("global variables that a call makes, or that hide a name of Python's")
def global_made(to_static):
    space = globals()

    @to_static
    def f(x):
        global TOTAL, CALLS
        try:
            TOTAL = TOTAL + x
        except NameError:
            TOTAL = x
        if "CALLS" not in globals():
            CALLS = 0
        CALLS += 1
        return TOTAL * round(1.4)

    seen = []
    for x in VALUES:
        seen.append((f(fresh(x)), TOTAL, CALLS))
    space["round"] = lambda value: 100
    seen.append(f(POS))
    for name in ("round", "TOTAL", "CALLS"):
        del space[name]
    return [*seen, f(POS), space.pop("TOTAL"), space.pop("CALLS")]


@scenario("attributes of functions, also of the static function itself: counters, tensors, lists")
def of_functions(to_static):
    def best(x):
        best.seen = x if best.seen is None else paddle.maximum(best.seen, x)
        best.log.append(x)
        return best.seen

    def counted(function):
        @functools.wraps(function)
        def wrapper(*args):
            wrapper.calls += 1
            return function(*args)

        wrapper.calls = 0
        return wrapper

    @to_static
    @counted
    def f(x):
        f.log.append(x)
        if x.sum() > 0:
            f.positive += 1
            f.last = x
            f.log.append(best(x))
        return x * f.positive

    best.seen, best.log = None, []
    f.positive, f.last, f.log = 0, None, []
    seen = []
    for x in VALUES:
        y = f(fresh(x))
        seen.append((y, f.positive, f.last, list(f.log), best.seen, list(best.log), f.calls))
    f.positive = 50
    seen.append(f(NEG))
    del f.last
    return [*seen, hasattr(f, "last")]


@scenario("attributes of a module of the user's that a call sets and makes")
def of_modules(to_static):
    module = types.ModuleType("settings")
    module.total = T([0.0, 0.0])

    @to_static
    def f(x):
        module.total = module.total + x
        module.last = x
        if not hasattr(module, "calls"):
            module.calls = 0
        module.calls += 1
        return module.total * module.calls

    return [(f(fresh(x)), module.total, module.last, module.calls) for x in VALUES]


RATE = operator.attrgetter("rate")


@scenario("attributes that no text of the function mentions: `operator.attrgetter`, formats, `UserDict` and `ChainMap`")
def not_mentioned(to_static):
    class Group:
        def __init__(self, rate):
            self.rate = rate

    groups = [Group(1), Group(2)]
    options, first = collections.UserDict(k=2), {}
    chain = collections.ChainMap(first, {"k": 3})

    @to_static
    def f(x):
        largest = max(range(2), key=lambda i: RATE(groups[i]))
        return x * largest + sum(map(RATE, groups)), "{0.rate:>3}".format(groups[0]), x * options["k"] + chain["k"]

    seen = [f(POS)]
    groups[0].rate = 5
    seen.append(f(POS))
    options["k"], first["k"] = 7, 9
    return [*seen, f(POS)]


@scenario("functions that are others between calls: new code, new kinds of `functools.singledispatch`")
def changed_functions(to_static):
    def double(x):
        return x * 2

    @functools.singledispatch
    def shown(value, x):
        return x

    @to_static
    def f(x):
        return double(x) + shown(3, x)

    seen = [f(POS)]
    double.__code__ = (lambda x: x * 5).__code__
    seen.append(f(POS))
    shown.register(int, lambda value, x: x * value)
    return [*seen, f(POS)]


@scenario("the one object of a class, which `__new__` makes in the first call, and what a metaclass counts")
def only_object(to_static):
    class Counting(type):
        made = itertools.count(1)

        @property
        def number(cls):
            return next(Counting.made)

    class Only(metaclass=Counting):
        only = None

        def __new__(cls):
            if cls.only is None:
                cls.only = super().__new__(cls)
                cls.only.steps = 0
            return cls.only

        def step(self):
            self.steps += 1
            return self.steps

    run, number = to_static(lambda x: x * Only().step()), to_static(lambda x: x * Only.number)
    return [(run(POS), number(POS), Only.only.steps) for _ in range(3)]


@scenario("Python's and NumPy's random numbers are drawn anew in every call")
def drawn_anew(to_static):
    order = [0, 1]

    @to_static
    def f(x):
        if random.random() < 0.5:
            x = -x
        random.shuffle(order)
        return x[order[0]] * random.randint(1, 9) + float(np.random.rand())

    random.seed(3)
    np.random.seed(3)
    return [f(POS) for _ in range(6)], order, random.random(), np.random.rand()


@scenario("a new attribute of a function that is called after it is set, and has a tensor condition")
def counted_before_call(to_static):
    def helper(x):
        return x + 1 if x.sum() > 0 else x

    def counting(x):
        helper.calls = getattr(helper, "calls", 0) + 1
        return helper(x)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run = to_static(counting)
        return [(run(x), helper.calls) for x in (POS, NEG, POS)]
