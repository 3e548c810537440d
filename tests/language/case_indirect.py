"""What functions read by way of Python's library: context variables, weak references, views of dicts"""

import collections
import configparser
import contextlib
import contextvars
import copy
import dataclasses
import datetime
import functools
import gc
import operator
import os
import queue
import random
import sys
import threading
import time
import types
import uuid
import warnings
import weakref

import numpy as np
from language_table import COUNTS, NEG, POS, T, case, refused, scenario

import to_static as paddle
from to_static import nn

scale = contextvars.ContextVar("scale", default=1.0)
latest = contextvars.ContextVar("latest")
total = contextvars.ContextVar("total", default=0.0)


@contextlib.contextmanager
def scaled(value):
    before = scale.set(value)
    try:
        yield
    finally:
        scale.reset(before)


@scenario("a context variable that a `with` around the call sets, and one that the function sets")
def context_variables(to_static):
    class Net(nn.Layer):
        def forward(self, x):
            total.set(total.get() + x)
            with scaled(scale.get() * 3):
                y = x * scale.get() if x.sum() > 0 else x - scale.get()
            latest.set(y)
            return y * scale.get() + total.get()

    def used():
        net = to_static(Net())
        found = [(net(POS), latest.get(), total.get())]
        with scaled(5.0):
            found += [(net(POS), latest.get(), total.get()), net(NEG)]
        return [*found, net(POS), scale.get()]

    return contextvars.copy_context().run(used)


@scenario("attributes that each thread has for itself")
def of_threads(to_static):
    own, found = threading.local(), []
    own.k = 2.0

    def scaled(x):
        own.calls = getattr(own, "calls", 0) + 1
        own.last = x
        return x * own.k + own.calls

    run = to_static(scaled)

    def elsewhere():
        own.k = 7.0
        found.append((run(POS), own.calls, own.last))

    found.append((run(POS), own.calls, own.last))
    own.k = 3.0
    found.append((run(POS), own.calls, own.last))
    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    return [*found, run(NEG), own.calls, own.last]


class Holder:
    def __init__(self, k):
        self.k = k


@scenario("weak references, and dicts and sets of these")
def weak(to_static):
    holder, other = Holder(2.0), Holder(4.0)
    reference, proxy = weakref.ref(holder), weakref.proxy(holder)
    values, keys, known = weakref.WeakValueDictionary(k=holder), weakref.WeakKeyDictionary({holder: 2.0}), weakref.WeakSet()

    def read(x):
        if x.sum() < 0:
            holder.k = holder.k + x.sum()
        keys[holder] = keys[holder] + x.sum()
        k = 0 if reference() is None else reference().k
        return x * k, x * proxy.k, x * values["k"].k, keys[holder], len(known)

    run, found = to_static(read), []

    def see(x):
        found.append((run(x), holder.k, keys[holder]))

    see(POS)
    holder.k = 3.0
    see(POS)
    values["k"] = other
    see(POS)
    other.k = 9.0
    known.add(other)
    keys[holder] = 1.0
    see(POS)
    see(NEG)
    return found


@scenario("an object that only a weak reference of the function leads to may go")
def weak_and_gone(to_static):
    holder = Holder(2.0)
    reference = weakref.ref(holder)

    def read(x):
        found = reference()
        return x if found is None else x * found.k

    run = to_static(read)
    found = [run(POS), run(POS)]
    del holder
    gc.collect()  # the trace left cycles
    return [*found, reference() is None, run(POS)]


@scenario("dicts and lists inside of objects of Python's library")
def library_objects(to_static):
    base = {"k": 2.0}
    view, chain, user = types.MappingProxyType(base), collections.ChainMap({}, base), collections.UserDict(k=2.0)
    items, waiting, settings = collections.UserList([2.0]), queue.Queue(), configparser.ConfigParser()
    settings.read_string("[a]\nk = 2")

    def read(x):
        user["n"] = user.get("n", 0) + x
        found = view["k"], chain["k"], user["k"], user["n"], items[0], waiting.qsize(), settings.getint("a", "k")
        return [x * k for k in found]

    run, found = to_static(read), []
    for k in (2.0, 2.0, 3.0):
        base["k"] = k
        found.append((run(POS), dict(user)))
    chain["k"] = 4.0
    found.append(run(POS))
    user["k"] = 5.0
    found.append(run(POS))
    items[0] = 6.0
    found.append(run(POS))
    waiting.put(1)
    found.append(run(POS))
    settings["a"]["k"] = "8"
    return [*found, run(POS)]


@scenario("variables of the environment")
def environment(to_static):
    found = []
    for read in (lambda x: x * float(os.environ["TO_STATIC_K"]), lambda x: x * float(os.getenv("TO_STATIC_K", "1"))):
        run = to_static(read)
        for k in ("2", "3"):
            os.environ["TO_STATIC_K"] = k
            found.append(run(POS))
    del os.environ["TO_STATIC_K"]
    return [*found, run(POS)]


@scenario("functions that `singledispatch` chooses, registered between calls")
def dispatched(to_static):
    @functools.singledispatch
    def shown(value):
        return "something"

    class Writer:
        @functools.singledispatchmethod
        def write(self, value):
            return "something"

    run = to_static(lambda x: (shown(1), shown(x), Writer().write(1), Writer().write(x)))
    found = [run(POS)]
    shown.register(int, lambda value: value + 1)
    Writer.write.register(int, lambda self, value: value + 2)
    found.append(run(POS))
    shown.register(paddle.Tensor, lambda value: value * 2 if value.sum() > 0 else value)
    Writer.write.register(paddle.Tensor, lambda self, value: -value if value.sum() > 0 else value)
    return [*found, run(POS), run(T([-1.0]))]


@dataclasses.dataclass
class Point:
    u: float
    v: float
    notes: list = dataclasses.field(default_factory=list)


rate_of = operator.attrgetter("u", "inner.rate")
times_two = operator.methodcaller("times", 2)


class Rated:
    rate = 1.0

    def __init__(self, u):
        self.u, self.inner = u, types.SimpleNamespace(rate=2.0)

    def times(self, k):
        return self.u * k * self.rate


@scenario("attributes that no text of the function names: `operator.attrgetter`, formats, class patterns, copies, `repr`")
def unnamed_attributes(to_static):
    rated, point, space = Rated(1.0), Point(1.0, 2.0), types.SimpleNamespace(k=1)

    def getters(x):
        u, rate = rate_of(rated)
        return x * u + rate + times_two(rated)

    def matched(x):
        match point:
            case Point(1.0, b):
                return x * b
            case Point(a, b):
                return x * (a + b) * 10

    def copied(x):
        return x, copy.copy(point), copy.deepcopy([point]), dataclasses.replace(point, v=0.0)

    def told(x):
        return x, "{0.u} {p.v}".format(point, p=point), repr(space), f"{space}"

    runs = [to_static(f) for f in (getters, matched, copied, told)]
    found = [run(POS) for run in runs]
    rated.u, rated.inner.rate, point.v, space.k = 3.0, 4.0, 5.0, 2
    found += [run(POS) for run in runs]
    Rated.rate, point.u, space.new = 7.0, 8.0, [9]
    point.notes.append(Point(1.0, 1.0))
    found += [run(POS) for run in runs]
    point.notes[0].u = 6.0
    Rated.rate = 1.0
    return [*found, *(run(POS) for run in runs)]


class Added:
    def __init__(self, v):
        self.v = v

    def __add__(self, other):
        return self.v + other

    def __len__(self):
        return 1

    def __getattr__(self, name):
        return len(name)


@scenario("methods that Python calls by itself, and the code of functions, replaced between calls")
def methods_replaced(to_static):
    kept = {name: vars(Added)[name] for name in ("__init__", "__add__", "__len__", "__getattr__")}

    def init(self, v):
        self.v = v * 100

    def helper(x):
        return x * 2

    def other(x):
        return x * 3

    used = Added(2.0)
    run, found = to_static(lambda x: helper(used + x) * len(used) + used.abc + Added(1.0).v), []
    found.append(run(POS))
    changes = {
        "__init__": init, "__add__": lambda self, o: o - self.v, "__len__": lambda self: 5, "__getattr__": lambda self, name: 8
    }  # fmt: skip
    for name, method in changes.items():
        setattr(Added, name, method)
        found.append(run(POS))
    helper.__code__ = other.__code__
    found.append(run(POS))
    for name, method in kept.items():
        setattr(Added, name, method)
    return [*found, run(POS)]


lazy = types.ModuleType("lazy_settings")
exec("state = {'k': 2.0}\ndef __getattr__(name):\n    return state[name]", vars(lazy))


@scenario("what a module has: `__getattr__`, `globals()`, `sys.argv`")
def of_modules(to_static):
    given, found = sys.argv, []
    for read in (lambda x: x * lazy.k, lambda x: x * globals()["NUMBER"], lambda x: x * len(sys.argv)):
        run = to_static(read)
        for k in (2, 3):
            lazy.state["k"], globals()["NUMBER"], sys.argv = k, k, ["a"] * k
            found.append(run(POS))
    sys.argv = given
    return found


@scenario("Python's random numbers, drawn in every call")
def drawn_anew(to_static):
    def noisy(x):
        keep = random.random() < 0.5
        return (x if keep else -x) + float(np.random.rand())

    random.seed(3)
    np.random.seed(3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run = to_static(noisy)
        return [run(POS) for _ in range(4)]


class Noisy:
    def __init__(self):
        self.old, self.new = np.random.RandomState(3), np.random.default_rng(3)

    def forward(self, x):
        noise = self.old.rand() + self.new.standard_normal()
        return x + noise if x.sum() > 0 else x * noise

    def in_branch(self, x):
        if x.sum() > 0:
            return x + float(self.old.rand())
        return x


NOISY = Noisy()


@scenario("generators of NumPy that an object holds, drawn from in every call")
def drawn_from_own(to_static):
    run = to_static(Noisy().forward)
    return [run(x) for x in (POS, -POS, POS)]


@case("a generator of NumPy that an object holds, drawn from in a branch", (POS,))
def drawn_in_branch(x):
    return NOISY.in_branch(x)


@scenario("the clock and the system, asked in every call; a flag of another thread")
def asked_anew(to_static):
    stop = threading.Event()

    def timed(x):
        return x * 0 if stop.is_set() else x, time.perf_counter_ns(), uuid.uuid4(), datetime.datetime.now()

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run = to_static(timed)
        first, second = run(POS), run(POS)
        stop.set()
        third = run(POS)
    return first[1] < second[1] < third[1], len({first[2], second[2], third[2]}), first[3] <= third[3], third[0]


@refused("the clock asked in a tensor loop", *COUNTS)
def asked_in_loop(n):
    spent = 0.0
    for _ in range(n):
        spent = time.perf_counter()
    return n + spent * 0
