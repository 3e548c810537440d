"""The record of effects: scopes take back what was written, say what it was, and leave what was made inside alone."""

from __future__ import annotations

import collections
import copy
import types
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from to_static.compiler.frontend.tracing.graph_break import GraphBreak
from to_static.compiler.frontend.tracing.side_effects import (
    MISSING,
    AttributeTarget,
    GlobalTarget,
    ItemsTarget,
    SideEffects,
    VariableTarget,
    reachable,
)
from to_static.nn import Linear


class Box:
    def __init__(self, value: Any) -> None:
        self.value = value


class Slotted:
    __slots__ = ("value",)


MAKE = [lambda: [1, 2], lambda: {"a": 1, "b": 2}, lambda: {1, 2}, lambda: collections.deque([1, 2]), lambda: bytearray(b"ab")]
MAKE += [lambda: collections.OrderedDict(a=1, b=2), lambda: np.zeros(2)]
CHANGE = {
    list: lambda x: x.append(3), dict: lambda x: x.update(c=3), set: lambda x: x.add(3), collections.deque: lambda x: x.popleft(),
    bytearray: lambda x: x.extend(b"c"), collections.OrderedDict: lambda x: x.move_to_end("a"), np.ndarray: lambda x: x.fill(7),
}  # fmt: skip


@pytest.mark.parametrize("make", MAKE)
def test_a_container_is_taken_back_and_told(make: Any) -> None:
    owner, other = make(), make()
    CHANGE[type(owner)](other)
    record = SideEffects()
    record.begin()
    record.record_items_write(owner)
    CHANGE[type(owner)](owner)
    ((place, state),) = record.end([owner]).values()
    assert place.owner is owner
    np.testing.assert_equal(owner, make())
    assert list(owner) == list(make())
    place.write(state)
    np.testing.assert_equal(owner, other)
    assert list(owner) == list(other)


def test_attributes_that_were_not_there_are_gone_again() -> None:
    for owner in (Box(1), Slotted(), types.SimpleNamespace(value=1)):
        before = getattr(owner, "value", MISSING)
        record = SideEffects()
        record.begin()
        record.record_attribute_write(owner, "value")
        owner.value = 5
        (state,) = (state for _, state in record.end([owner]).values())
        assert state == 5 and getattr(owner, "value", MISSING) is before


def test_a_parameter_of_a_layer_is_one_again() -> None:
    layer = Linear(2, 2)
    weight, names = layer.weight, list(layer._parameters)
    record = SideEffects()
    record.begin()
    record.record_attribute_write(layer, "weight")
    layer.weight = None
    record.end()
    assert layer.weight is weight and list(layer._parameters) == names


def test_cells_and_globals() -> None:
    def make() -> Any:
        value = 1
        return lambda: value

    function = make()
    (cell,) = function.__closure__
    space = {"a": 1}
    record = SideEffects()
    record.begin()
    for place in (VariableTarget(cell, "value"), GlobalTarget(space, "a"), GlobalTarget(space, "b")):
        record.record_write(place)
        place.write(2)
    assert function() == 2 and space == {"a": 2, "b": 2}
    assert [state for _, state in record.end().values()] == [2, 2, 2]
    assert function() == 1 and space == {"a": 1}


def test_what_was_made_inside_stays_as_it_is() -> None:
    outer: list[int] = []
    record = SideEffects()
    record.begin()
    inner: list[int] = []
    for owner in (outer, inner):
        record.record_items_write(owner)
        owner.append(1)
    assert len(record.end([outer])) == 1
    assert outer == [] and inner == [1]


def test_what_another_took_the_place_of_was_there() -> None:
    record, first = SideEffects(), [1]
    shared = types.SimpleNamespace(value=first)
    record.begin()
    record.record_items_write(first)
    first.append(2)
    record.record_attribute_write(shared, "value")
    shared.value = [3]
    written = record.end([shared])
    assert first == [1] and shared.value is first
    assert [state for _, state in written.values()] == [[1, 2], [3]]


def test_what_changes_back_is_no_write() -> None:
    owner = [1]
    record = SideEffects()
    record.begin()
    record.record_items_write(owner)
    owner.append(2)
    owner.pop()
    assert record.end([owner]) == {}


actions = st.lists(
    st.tuples(st.sampled_from(["append", "pop", "key", "attribute", "begin", "end"]), st.integers(0, 2), st.integers(0, 9)),
    max_size=25,
)


@given(actions)
def test_any_nest_of_scopes_is_taken_back(steps: list[Any]) -> None:
    """Each region gives back what there was when it began, whatever is written in it and in those inside; the whole trace does."""
    owners = [([0], {"k": 0}, Box(0)) for _ in range(3)]
    seen = lambda: copy.deepcopy([(a, b, c.value) for a, b, c in owners])
    start, record, stack = seen(), SideEffects(), []
    for what, i, value in steps:
        items, table, box = owners[i]
        if what == "begin":
            record.begin()
            stack.append(seen())
        elif what == "end":
            if stack:
                record.end([owners])
                assert seen() == stack.pop()
        elif what == "attribute":
            record.record_attribute_write(box, "value")
            box.value = value
        elif what == "key":
            record.record_items_write(table)
            table[value] = value
        else:
            record.record_items_write(items)
            items.append(value) if what == "append" or not items else items.pop()
    record.finish()
    assert seen() == start


def test_the_places_of_the_whole_trace_are_told_without_taking_them_back() -> None:
    box = Box(1)
    record = SideEffects()
    record.record_attribute_write(box, "value")
    box.value = 2
    ((place, state),) = record.states()
    assert isinstance(place, AttributeTarget) and state == box.value == 2 and record.value_before_trace(place) == 1
    record.finish()
    assert box.value == 1


def test_a_list_of_the_program_stands_for_all_names_of_a_list() -> None:
    items, made = [1, 2], object()
    same = items
    record = SideEffects()
    record.begin()
    record.substitute(items, made)
    assert record.resolved(same) is made and record.resolved([1]) is not made
    with pytest.raises(GraphBreak):
        same[0] + 1  # who meets it past the translated code
    ((place, state),) = record.end([items]).values()
    assert isinstance(place, ItemsTarget) and state is made
    assert items == [1, 2] and record.resolved(items) is items


def test_a_write_past_the_list_of_the_program_ends_the_trace() -> None:
    items = [1]
    record = SideEffects()
    record.substitute(items, object())
    items.append(2)
    with pytest.raises(GraphBreak):
        record.resolved(items)
    with pytest.raises(GraphBreak):
        record.check()


def test_what_is_one_of_several_is_not_written() -> None:
    items = [1]
    record = SideEffects()
    record.mark_ambiguous(items)
    with pytest.raises(GraphBreak, match="whose object a tensor chose"):
        record.record_items_write(items)
    record.record_items_write([1])  # an equal list is another one


def test_classes_that_write_by_themselves_are_breaks() -> None:
    class Own:
        def __setattr__(self, name: str, value: Any) -> None:
            OUTSIDE.append(value)
            object.__setattr__(self, name, value)

    class WithProperty:
        @property
        def value(self) -> int:
            return 1

        @value.setter
        def value(self, given: int) -> None:
            self.other = given

    for owner in (Own(), WithProperty()):
        with pytest.raises(GraphBreak, match="attribute 'value'"):
            SideEffects().record_attribute_write(owner, "value")


OUTSIDE = [1]


def test_what_leads_to_an_object() -> None:
    closed, kept, item = [2], [3], [4]

    def function(x: Any = kept) -> Any:
        return closed, OUTSIDE

    lives = reachable([function, Box({"a": (item,)})])
    for found in (closed, kept, item, OUTSIDE):
        assert id(found) in lives
    assert id([1]) not in lives
