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
def test_properties_of_objects_that_have_the_list_somewhere(graph_breaks, kind):
    def program(x):
        items = SHARED if kind in (OfClass, OfModule) else []
        holder = kind(items)
        if x.sum() > 0:
            items.append(x)
        return x * holder.count

    check(program)


def test_lists_of_the_library_that_are_written_in_python(graph_breaks):
    def program(x):
        items = Listed()
        if x.sum() > 0:
            items.append(x)
            items += [x]
        return x * items.count + len(items)

    check(program)


def check(program):
    static = paddle.jit.to_static(program)
    with pytest.warns(UserWarning, match="may read a list that tensors decide|the class 'Listed' has an operator"):
        for numbers in ([1.0, -2.0, 3.0], [-1.0, -2.0, -3.0], [1.0, 2.0, 3.0]):
            found = []
            for function in (program, static):
                SHARED.clear()
                found.append(function(paddle.to_tensor(numbers)).tolist())
            assert found[0] == found[1]
