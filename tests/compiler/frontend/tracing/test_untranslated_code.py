"""What Python reads by itself of a list that tensors decide, wherever code has it from: a graph break, with Python's numbers."""

from __future__ import annotations

import collections
import dataclasses
import functools

import pytest

import to_static as paddle

SHARED: list = []


class Counted:
    def __init__(self, items):
        self.items = items

    @property
    def count(self):
        return len(self.items)


class Slotted:
    __slots__ = ("items",)
    __init__, count = Counted.__init__, Counted.count


@dataclasses.dataclass(slots=True)
class SlottedData:
    items: list

    @property
    def count(self):
        return len(self.items)


class OfClass:
    items = SHARED

    def __init__(self, items):
        pass

    @property
    def count(self):
        return len(self.items)


class OfModule:
    def __init__(self, items):
        pass

    @property
    def count(self):
        return len(SHARED)


class Called:
    def __init__(self, items):
        self.size = functools.partial(len, items)

    @property
    def count(self):
        return self.size()


class Bound:
    def __init__(self, items):
        self.size = Counted(items).told

    @property
    def count(self):
        return self.size()


Counted.told = lambda self: len(self.items)


class Listed(collections.UserList):
    @property
    def count(self):
        return len(self.data)


KINDS = [Counted, Slotted, SlottedData, OfClass, OfModule, Called, Bound]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_operators_of_objects_that_have_the_list_somewhere(graph_breaks, kind):
    with_operator = type(kind.__name__, (kind,), {"__neg__": kind.count.fget})

    def program(x):
        items = SHARED if kind in (OfClass, OfModule) else []
        holder = with_operator(items)
        if x.sum() > 0:
            items.append(x)
        return x * -holder

    with pytest.warns(UserWarning, match="may read a list that depends on tensors"):
        check(program)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_properties_are_translated(kind):
    def program(x):
        items = SHARED if kind in (OfClass, OfModule) else []
        holder = kind(items)
        if x.sum() > 0:
            items.append(x)
        return x * holder.count

    check(program, full_graph=True)


def test_a_property_that_code_of_python_s_reads_is_a_break(graph_breaks):
    def program(x):
        holder = Counted([])
        if x.sum() > 0:
            holder.items.append(x)
        return x * (hasattr(holder, "count") + 1)

    with pytest.warns(UserWarning, match="may read a list that depends on tensors"):
        check(program)


class Reading:
    scale = 2.0

    def __init__(self, h):
        self.h, self.log = h, []

    @property
    def last(self):
        return self.log[-1] if self.log else self.h

    @property
    def size(self):
        if self.last.sum() > 0:
            return self.last
        return -self.last

    @property
    def missing(self):
        return self.nothing

    def advance(self, e):
        if e.sum() > self.h.sum():
            self.h = e
            self.log.append(e)


class More(Reading):
    @property
    def size(self):
        return super().size * self.scale


class Answers(Reading):
    def __getattr__(self, name):
        return 3.0 if name == "missing" else super().__getattribute__(name)


@pytest.mark.parametrize("kind", [Reading, More, Answers])
def test_a_property_with_a_condition_on_tensors(graph_breaks, kind):
    def program(x):
        state = kind(x)
        state.advance(x * x)
        if x.max() > 2:
            state.advance(x + 7)
        size = state.size + getattr(state, "last")  # noqa: B009
        try:
            return size * state.missing
        except AttributeError as error:
            assert str(error) == f"'{kind.__name__}' object has no attribute 'nothing'"
            return size + state.scale

    if kind is Reading:
        check(program, full_graph=True)
    else:  # Python's `super()` and `__getattr__` ask for properties, too
        with pytest.warns(UserWarning, match="may read a list that depends on tensors"):
            check(program)


def test_lists_of_the_library_that_are_written_in_python(graph_breaks):
    def program(x):
        items = Listed()
        if x.sum() > 0:
            items.append(x)
            items += [x]
        return x * items.count + len(items)

    with pytest.warns(UserWarning, match="the class 'Listed' has an operator"):
        check(program)


def check(program, full_graph=False):
    static = paddle.jit.to_static(program, full_graph=full_graph)
    for numbers in ([1.0, -2.0, 3.0], [-1.0, -2.0, -3.0], [1.0, 2.0, 3.0], [0.5, 0.25, -0.5]):
        found = []
        for function in (program, static):
            SHARED.clear()
            found.append(function(paddle.to_tensor(numbers)).tolist())
        assert found[0] == found[1]
