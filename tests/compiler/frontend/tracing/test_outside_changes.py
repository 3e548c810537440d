"""What changes outside between calls, by kind of object: at each call the static function gives what Python gives."""

import argparse
import array
import asyncio
import calendar
import collections
import concurrent.futures
import configparser
import contextlib
import ctypes
import dataclasses
import decimal
import difflib
import enum
import functools
import gettext
import hashlib
import io
import logging
import operator
import optparse
import queue
import random
import re
import reprlib
import string
import sys
import textwrap
import threading
import time
import types
import unittest.mock
import warnings
import weakref
import xml.etree.ElementTree

import numpy as np
import pytest

import to_static as paddle
from to_static.core import log

CALLS = 6
KINDS = []


def kind(make, change, use, name=None):
    """A kind of object: ``make()``, what ``change(o, i)`` changes before call ``i``, and the function ``use(x, o)``."""
    KINDS.append(pytest.param(make, change, use, id=name or f"{len(KINDS)}"))


def first(o, i):
    o[0] = i


def attribute(o, i):
    o.k = i


def value_of_k(x, o):
    return x * o.k


def local_object():
    local = threading.local()
    local.k = 1
    return local


class OwnLocal(threading.local):
    k = 5


kind(local_object, attribute, value_of_k, "thread-local")
kind(OwnLocal, attribute, value_of_k, "thread-local of a class")
kind(threading.local, lambda o, i: vars(o).update(k=1) if i % 2 else vars(o).clear(), lambda x, o: x * 2 if hasattr(o, "k") else x)


def logger():
    made = logging.getLogger(f"test_outside_changes.{random.random()}")
    made.setLevel(logging.INFO)
    return made


def set_level(o, i):
    o.setLevel(logging.DEBUG if i % 2 else logging.INFO)


kind(logger, set_level, lambda x, o: x * 2 if o.isEnabledFor(logging.DEBUG) else x, "isEnabledFor")
kind(logger, set_level, lambda x, o: x * o.level, "level of a logger")
kind(logging.NullHandler, set_level, lambda x, o: x * o.level, "level of a handler")
kind(logger, lambda o, i: setattr(o, "disabled", i % 2 == 1), lambda x, o: x * 2 if o.disabled else x, "disabled logger")
kind(logger, lambda o, i: o.addHandler(logging.NullHandler()), lambda x, o: x * len(o.handlers), "handlers")


@dataclasses.dataclass(slots=True)
class Slotted:
    k: float = 1.0


class Child(Slotted):
    __slots__ = ("m",)


@dataclasses.dataclass
class Record:
    k: float = 1.0


def matched(x, o):
    match o:
        case Record(k):
            return x * k
    return x


kind(Slotted, attribute, value_of_k, "slots")
kind(Child, attribute, value_of_k, "slots of a base")
kind(Slotted, lambda o, i: delattr(o, "k") if i % 2 else setattr(o, "k", i), lambda x, o: x * getattr(o, "k", 7), "an empty slot")
kind(Record, attribute, matched, "a class pattern")
kind(Record, lambda o, i: vars(o).update({f"m{i % 3}": i}), lambda x, o: x * sum(vars(o).values()), "vars")
kind(types.SimpleNamespace, lambda o, i: vars(o).update({f"m{i}": i}), lambda x, o: x * len(o.__dict__), "all of a namespace")


class Color(enum.Enum):
    RED = 1

    def __init__(self, value):
        self.k = value


kind(lambda: Color.RED, attribute, value_of_k, "attribute of an enum member")
kind(lambda: Color.RED, lambda o, i: setattr(o, "late", i), lambda x, o: x * getattr(o, "late", 9), "late attribute of a member")
SHOWN = {"a": 1}
kind(
    lambda: types.MappingProxyType(SHOWN), lambda o, i: SHOWN.update(a=i), lambda x, o: x * o["a"], "a mapping behind a proxy"
)


class Meta(type):
    n = 1

    @property
    def count(cls):
        return cls.n

    def __call__(cls):
        return cls.n


class Counted(metaclass=Meta):
    pass


kind(lambda: Counted, lambda o, i: setattr(Meta, "n", i), lambda x, o: x * o.n, "attribute of a metaclass")
kind(lambda: Counted, lambda o, i: setattr(Meta, "n", i), lambda x, o: x * o.count, "property of a metaclass")
kind(lambda: Counted, lambda o, i: setattr(Meta, "n", i), lambda x, o: x * o(), "call of a metaclass")


def scale(k, x, y=1):
    return x * k * y


def other_scale(k, x, y=1):
    return x + k * y


kind(
    lambda: functools.partial(scale, 2),
    lambda o, i: o.__setstate__((other_scale if i % 2 else scale, (i,), {"y": 2}, {})),
    lambda x, o: o(x),
    "state of a partial",
)
kind(lambda: functools.partial(scale, 2), lambda o, i: setattr(o, "k", i), lambda x, o: x * getattr(o, "k", 3), "name of a partial")
kind(lambda: lambda: 0, lambda o, i: setattr(o, "__name__", "a" * (i + 1)), lambda x, o: x * len(o.__name__), "name of a function")
kind(lambda: lambda: 0, lambda o, i: setattr(o, "__doc__", "a" * i), lambda x, o: x * len(o.__doc__ or ""), "docstring")
kind(lambda: types.ModuleType("made"), attribute, lambda x, o: x * getattr(o, "k", 3), "attribute of a module")
kind(lambda: ValueError(1), lambda o, i: setattr(o, "args", (i,)), lambda x, o: x * o.args[0], "arguments of an error")
kind(lambda: ValueError(1), attribute, lambda x, o: x * getattr(o, "k", 3), "attribute of an error")
kind(contextlib.ExitStack, lambda o, i: o.callback(print), lambda x, o: x * len(o._exit_callbacks), "callbacks")
kind(lambda: decimal.Context(prec=3), lambda o, i: setattr(o, "prec", i + 1), lambda x, o: x * o.prec, "precision")
kind(lambda: decimal.Context(prec=3), lambda o, i: setattr(o, "prec", i + 1), lambda x, o: x * float(o.divide(1, 3)), "division")
kind(io.StringIO, lambda o, i: o.close() if i == 3 else None, lambda x, o: x * 2 if o.closed else x, "a closed file")
kind(io.StringIO, lambda o, i: o.write("a"), lambda x, o: x * o.tell(), "position in a file")


class Held:
    k = 1

    def get(self):
        return self.k


HELD = Held()
kind(lambda: weakref.proxy(HELD), lambda o, i: setattr(HELD, "k", i), value_of_k, "weak proxy")
kind(lambda: weakref.ref(HELD), lambda o, i: setattr(HELD, "k", i), lambda x, o: x * o().k, "weak reference")
kind(lambda: weakref.WeakMethod(HELD.get), lambda o, i: setattr(HELD, "k", i), lambda x, o: x * o()(), "weak method")
KEPT = []
kind(weakref.WeakSet, lambda o, i: (KEPT.append(Held()), o.add(KEPT[-1])), lambda x, o: x * len(o), "weak set")


def nested_array():
    return np.array([[1], None], object)


kind(lambda: np.array([1.0, 2.0]), first, lambda x, o: x * float(o[0]), "array")
kind(lambda: np.array(1.0), lambda o, i: o.__setitem__((), i), lambda x, o: x * float(o), "0-D array")
kind(nested_array, lambda o, i: o[0].__setitem__(0, i), lambda x, o: x * o[0][0], "list in an array")
kind(lambda: np.arange(4.0).flat, first, lambda x, o: x * float(o[0]), "flat view of an array")
kind(lambda: np.array([(1, 2.0)], [("a", "i"), ("b", "f")]), lambda o, i: first(o["a"], i), lambda x, o: x * int(o["a"][0]))
kind(lambda: np.ma.array([1.0, 2.0], mask=[0, 0]), lambda o, i: first(o.mask, i % 2), lambda x, o: x * float(o.sum()), "mask")
kind(lambda: array.array("d", [1, 2]), first, lambda x, o: x * o[0], "array.array")
kind(lambda: memoryview(bytearray(b"abc")), first, lambda x, o: x * o[0], "memoryview")
kind(lambda: (ctypes.c_double * 3)(), first, lambda x, o: x * o[0], "ctypes")
kind(lambda: collections.deque([1, 2], 2), lambda o, i: o.append(i), lambda x, o: x * o[0], "deque")
kind(lambda: collections.defaultdict(int), lambda o, i: o.update(a=i) if i % 2 else o.clear(), lambda x, o: x * o["a"])
kind(lambda: collections.OrderedDict(a=1, b=2), lambda o, i: o.move_to_end("ab"[i % 2]), lambda x, o: x * next(iter(o.values())))
kind(lambda: collections.UserString("a"), lambda o, i: setattr(o, "data", "a" * i), lambda x, o: x * len(o), "UserString")
kind(lambda: argparse.Namespace(k=1), attribute, value_of_k, "argparse")
kind(lambda: string.Template("a"), lambda o, i: setattr(o, "template", "a" * i), lambda x, o: x * len(o.substitute()), "Template")
kind(queue.SimpleQueue, lambda o, i: o.put(i), lambda x, o: x * o.qsize(), "queue")
kind(threading.Event, lambda o, i: o.set() if i % 2 else o.clear(), lambda x, o: x * 2 if o.is_set() else x, "event")
kind(asyncio.Event, lambda o, i: o.set() if i % 2 else o.clear(), lambda x, o: x * 2 if o.is_set() else x, "asyncio.Event")
kind(threading.Lock, lambda o, i: o.acquire(False) if i == 3 else None, lambda x, o: x * 2 if o.locked() else x, "lock")
kind(concurrent.futures.Future, lambda o, i: o.set_result(1) if i == 3 else None, lambda x, o: x * 2 if o.done() else x, "future")
kind(lambda: textwrap.TextWrapper(3), lambda o, i: setattr(o, "width", i + 3), lambda x, o: x * len(o.wrap("a b c d e")), "wrap")
kind(calendar.Calendar, lambda o, i: o.setfirstweekday(i % 7), lambda x, o: x * next(o.iterweekdays()), "calendar")
kind(lambda: difflib.SequenceMatcher(None, "abc"), lambda o, i: o.set_seq2("abcd"[: i % 4]), lambda x, o: x * o.ratio(), "matcher")
kind(lambda: optparse.Values({"k": 1}), attribute, lambda x, o: x * o.ensure_value("k", 7), "values of optparse")
kind(reprlib.Repr, lambda o, i: setattr(o, "maxlist", 3 + i % 3), lambda x, o: x * len(o.repr([1, 2, 3, 4, 5, 6])), "Repr")
kind(
    gettext.NullTranslations,
    lambda o, i: o.add_fallback(Spanish()) if i == 3 else None,
    lambda x, o: x * len(o.gettext("a")),
    "translations",
)
kind(hashlib.md5, lambda o, i: o.update(b"a"), lambda x, o: x * o.digest()[0], "hash")
kind(lambda: xml.etree.ElementTree.Element("a"), lambda o, i: o.set("k", str(i)), lambda x, o: x * float(o.get("k")), "element")
kind(unittest.mock.Mock, lambda o, i: setattr(o, "k", i), value_of_k, "attribute of a mock")
kind(unittest.mock.Mock, lambda o, i: setattr(o, "return_value", i), lambda x, o: x * o(), "result of a mock")
kind(lambda: iter(range(30)), lambda o, i: next(o), lambda x, o: x * operator.length_hint(o), "length of an iterator")
kind(lambda: iter("123456789"), lambda o, i: None, lambda x, o: x * float(next(o)), "next of an iterator")
kind(lambda: {"k": 1 << 70}, lambda o, i: o.update(k=(1 << 70) + i if i % 3 else i), lambda x, o: x * (o["k"] % 1000), "big ints")
kind(lambda: random.Random(3), lambda o, i: None, lambda x, o: x * o.random(), "Random")
kind(lambda: np.random.RandomState(3), lambda o, i: None, lambda x, o: x * float(o.rand()), "RandomState")
kind(lambda: np.random.default_rng(3), lambda o, i: None, lambda x, o: x * 2 if o.random() < 0.5 else x, "Generator")


def parser():
    made = configparser.ConfigParser()
    made.read_string("[s]\nk=1")
    return made


kind(parser, lambda o, i: o.set("s", "k", str(i)), lambda x, o: x * o.getfloat("s", "k"), "configparser")


class Spanish(gettext.NullTranslations):
    def gettext(self, message):
        return message * 3


def direct(to_static, make, use):
    made = make()
    return to_static(lambda x: use(x, made)), made


def in_layer(to_static, make, use):
    class Net(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            self.made = make()

        def forward(self, x):
            return use(x, self.made)

    net = Net()
    return to_static(net), net.made


def untranslated(to_static, make, use):
    made = make()

    @paddle.jit.not_to_static
    def helper(x):
        return use(x, made)

    return to_static(lambda x: helper(x)), made


def in_items(to_static, make, use):
    made = ({"k": [make()]},)
    return to_static(lambda x: [use(x, item) for item in made[0]["k"]][0]), made[0]["k"][0]


def results(way, to_static, make, change, use):
    run, made = way(to_static, make, use)
    found = []
    for i in range(CALLS):
        change(made, i)
        found.append(run(paddle.to_tensor([1.0, -2.0])).tolist())
    return found


@pytest.fixture(autouse=True)
def quiet(monkeypatch, graph_breaks):
    monkeypatch.setattr(log.Log, "quiet", True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.mark.parametrize("way", [direct, in_layer, untranslated, in_items])
@pytest.mark.parametrize(("make", "change", "use"), KINDS)
def test_static_is_python(way, make, change, use):
    expected = results(way, lambda f: f, make, change, use)
    assert results(way, paddle.jit.to_static, make, change, use) == expected


def test_each_thread_has_its_own_number():
    local = threading.local()
    run = paddle.jit.to_static(lambda x: x * getattr(local, "k", 7))

    def call(k, found):
        if k:
            local.k = k
        found.append(run(paddle.ones([1])).item())

    found: list[float] = []
    for k in (2, 3, 4, 5):
        call(k, found)
        thread = threading.Thread(target=call, args=(0 if k == 4 else 10 * k, found))
        thread.start()
        thread.join()
    assert found == [2, 20, 3, 30, 4, 7, 5, 50]


def test_a_number_of_a_thread_becomes_an_input():
    local = local_object()
    run = paddle.jit.to_static(lambda x: x * local.k)
    for k in range(8):
        local.k = k
        assert run(paddle.ones([1])).item() == k
    assert len(run.program_cache) == 2


def test_modules_of_the_library():
    run = paddle.jit.to_static(lambda x: x * 2 if "made_by_a_test" in sys.modules else x * 3 if sys.stdout is None else x)
    x = paddle.ones([1])
    assert run(x).item() == 1
    try:
        sys.modules["made_by_a_test"] = types.ModuleType("made_by_a_test")
        assert run(x).item() == 2
    finally:
        del sys.modules["made_by_a_test"]
    assert run(x).item() == 1
    kept = sys.stdout
    try:
        sys.stdout = None
        assert run(x).item() == 3
    finally:
        sys.stdout = kept


def test_the_context_of_decimal():
    one, three = decimal.Decimal(1), decimal.Decimal(3)
    run = paddle.jit.to_static(lambda x: x * float(one / three))
    with decimal.localcontext() as context:
        for precision in (2, 3, 2):
            context.prec = precision
            assert run(paddle.ones([1])).item() == pytest.approx(float(one / three), 1e-6)
    assert run.graph_breaks == 0


def test_errors_of_numpy():
    zero = np.zeros(1)

    def f(x):
        try:
            1.0 / zero
        except FloatingPointError:
            return x * 7
        return x

    run = paddle.jit.to_static(f)
    for action in ("ignore", "raise", "ignore", "raise"):
        with np.errstate(divide=action):
            assert run(paddle.ones([1])).item() == f(paddle.ones([1])).item()


def test_a_warning_that_is_an_error_in_the_next_call():
    def f(x):
        try:
            warnings.warn("careful", stacklevel=1)
        except UserWarning:
            return x * 2
        return x

    run = paddle.jit.to_static(f)
    for action in ("ignore", "error", "ignore"):
        with warnings.catch_warnings():
            warnings.simplefilter(action)
            assert run(paddle.ones([1])).item() == (2 if action == "error" else 1)


@pytest.mark.parametrize("method", ["__getattr__", "__getitem__", "__float__", "ticks"])
def test_a_clock_that_untranslated_code_asks(method):
    def ask(*_):
        return time.perf_counter_ns() % 1000003

    member = property(ask) if method == "ticks" else lambda self, *_: float(ask())
    clock = type("Clock", (), {method: member})()
    uses = {"__getattr__": lambda: clock.now, "__getitem__": lambda: clock[0], "__float__": lambda: float(clock)}
    use = uses.get(method, lambda: clock.ticks)
    run = paddle.jit.to_static(lambda x: x * use())
    assert len({run(paddle.ones([1])).item() for _ in range(4)}) > 1
    assert re.search(r"perf_counter_ns\(\) is called in `ask\(\)`", run.explain()) or method == "ticks"


def test_a_clock_that_nobody_asks():
    class Timer:
        k = 2

        @property
        def elapsed(self):
            return time.time()

    timer = Timer()
    run = paddle.jit.to_static(lambda x: x * timer.k)
    assert run(paddle.ones([1])).item() == 2 and run.graph_breaks == 0
