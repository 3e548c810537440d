"""Functions whose calls are handed over: what is asked, and that nothing else changes."""

import traceback

import pytest

from to_static.compiler.frontend.transpile.rebind.intercept import intercepting


def helper(x):
    return x + 1


def plain(x, *rest, k=2, **more):
    """Doc."""
    return [helper(i) for i in range(x)], len(rest), "a".join(map(str, (k, more))), (lambda y: helper(y))(1)


def raises(x):
    y = helper(x)
    return y / 0


def own_names(x):
    return helper(x), locals()


def generated(x):
    yield helper(x)


class Base:
    def value(self):
        return 1


class Derived(Base):
    def __init__(self):
        self.__own = 3

    def value(self):
        return super().value() + helper(1)

    def private(self):
        return helper(self.__own)


def asked(function, *args, **kwargs):
    """What a function gives, and what it calls."""
    seen = []

    def note(called):
        seen.append(getattr(called, "__name__", type(called).__name__))
        return called

    made = intercepting(function, note)
    return made(*args, **kwargs), seen


def test_calls_are_handed_over():
    found, seen = asked(plain, 2, 5, z=1)
    assert found == plain(2, 5, z=1)
    assert seen == ["helper", "helper", "<lambda>"]
    assert asked(Derived.value, Derived()) == (3, ["value", "helper"])


def test_closures_keep_their_cells():
    n = 1

    def inner(x):
        nonlocal n
        n += 1
        return helper(x) + n

    assert asked(inner, 1) == (4, ["helper"])
    assert n == 2


def test_what_is_inside_keeps_its_name():
    def outer(x):
        def inner():
            return x

        return inner, lambda: helper(x), helper(x)

    made = asked(outer, 1)[0][:2]
    assert [f.__qualname__ for f in made] == [f.__qualname__ for f in outer(1)[:2]]


@pytest.mark.parametrize("function", [own_names, generated, Derived.private, lambda x: helper(x), len, eval("lambda x: x")])
def test_others_are_left_alone(function):
    assert intercepting(function, None) is function


def test_tracebacks_are_the_same():
    def trace(function):
        try:
            function(1)
        except ZeroDivisionError as error:
            return traceback.format_tb(error.__traceback__)[1:]

    assert trace(intercepting(raises, lambda called: called)) == trace(raises)
    made = intercepting(plain, lambda called: called)
    assert made.__doc__ == "Doc."
    assert made.__code__.co_firstlineno == plain.__code__.co_firstlineno
