"""Attributes that tensors decide about: what a trace does to the classes of the objects, and how long."""

import pytest
from both import T

import to_static as paddle
from to_static.core.errors import TracedValueError, TranslationError

X = T([1.0, 2.0])


class Notes:
    pass


class Looked:
    def __getattribute__(self, name):
        return object.__getattribute__(self, name)


def untouched():
    return "__getattribute__" not in vars(Notes) and "__delattr__" not in vars(Notes)


def test_a_class_looks_into_what_is_read_while_the_trace_goes_on_only():
    seen = []

    def f(x):
        o = Notes()
        if x.sum() > 0:
            o.new = x
        seen.append(untouched())
        return getattr(o, "new", None)

    assert paddle.jit.to_static(f)(X) is not None
    assert seen[-1] is False
    assert untouched()


def test_a_trace_that_fails_gives_the_class_back():
    def f(x):
        o = Notes()
        if x.sum() > 0:
            o.new = x
        return dict(o.__dict__)

    with pytest.raises(TracedValueError, match="tensors decide whether it has 'new'"):
        paddle.jit.to_static(f)(X)
    assert untouched()


def test_a_class_with_a_look_up_of_its_own_is_refused():
    def f(x):
        o = Looked()
        if x.sum() > 0:
            o.new = x
        return o

    with pytest.raises(TranslationError, match="attribute 'new'"):
        paddle.jit.to_static(f)(X)
