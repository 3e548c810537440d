"""Operands in variables: what Python computes before a call is computed before it, and held by name while it runs."""

import textwrap

import pytest

from to_static.jit import jst
from to_static.transpile import load


def body(text):
    """The lines that a function of these lines becomes."""
    return textwrap.dedent(text.partition("\n")[2]).strip()


def translated(function):
    return body(load.transpile_function(function, jst, apart=True)[1])


def call(f, g, log):
    return f(log, g())


def one_call(f, log):
    return f(log, 1)


def method(obj, g):
    return obj.log.append(g())


def stars(f, g, items, options):
    return f(*items, g(), **options)


def pairs(f, g, d):
    return f({**d, "b": g()})


def chosen(f, g, log, x):
    return f(log, g() if x > 0 else x)


def updated(obj, g):
    obj.total += g()


def text(g, log):
    return f"{log:>5} {g()}"


def listed(f, g, log, items):
    return f(log, [f(log, g(v)) for v in items])


CASES = {
    call: "kept = log\nkept_2 = _jst.call(g)()\nreturn _jst.call(f)(kept, kept_2)",
    one_call: "return _jst.call(f)(log, 1)",
    method: "kept = obj.log\nkept_2 = _jst.call(g)()\nreturn _jst.call(kept.append)(kept_2)",
    updated: "value = obj.total\nkept = _jst.call(g)()\nvalue += kept\nobj.total = value",
}


@pytest.mark.parametrize("function", CASES, ids=lambda f: f.__name__)
def test_text(function):
    assert translated(function) == CASES[function]


class Order:
    """Notes when it is asked for its items, its value and its text."""

    def __init__(self, log, name):
        self.log, self.name = log, name

    def __iter__(self):
        self.log.append(f"items of {self.name}")
        return iter([self.name])

    def keys(self):
        self.log.append(f"keys of {self.name}")
        return [self.name]

    def __getitem__(self, key):
        return key

    def __format__(self, spec):
        self.log.append(f"text of {self.name}")
        return self.name


@pytest.mark.parametrize(
    ("function", "args"),
    [(stars, "ab"), (pairs, "a"), (text, "a"), (chosen, "a"), (listed, "a")],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_the_order_stays(function, args):
    def run(of):
        log = []

        def f(*args, **kwargs):
            log.append("f")
            return len(args), kwargs

        def g(*args):
            log.append("g")
            return "g"

        given = {name: Order(log, name) for name in ("items", "options", "d", "log")} | {"f": f, "g": g, "x": 1}
        names = function.__code__.co_varnames[: function.__code__.co_argcount]
        return of(*(given[name] for name in names)), log

    assert run(load.transpile_function(function, jst, apart=True)[0]) == run(function)
