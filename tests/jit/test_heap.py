"""What can be reached from functions and values, whether it changed, and giving it back."""

from __future__ import annotations

import random

import numpy as np

from to_static.jit.heap import Heap
from to_static.jit.reach import Reach
from to_static.jit.shallow import copy_of, put_back

KEPT: list[int] = [1]


class Box:
    def __init__(self) -> None:
        self.items = {"a": [1, 2]}


def _reads_a_global() -> list[int]:
    return KEPT


def test_what_values_hold_is_reached_and_what_is_new_is_not() -> None:
    box = Box()
    reach = Reach([box])
    assert reach.has(box) and reach.has(box.items) and reach.has(box.items["a"])
    assert not reach.has([1, 2])


def test_what_functions_close_over_and_read_is_reached() -> None:
    closed = [3]
    assert Reach(lambda: closed).has(closed)
    assert Reach(_reads_a_global).has(KEPT)


def test_a_function_that_is_only_kept_may_be_called_in_a_call_but_not_by_a_block() -> None:
    assert Heap([_reads_a_global]).has(KEPT)
    assert not Reach([_reads_a_global]).has(KEPT)


def test_changes_are_of_the_object_that_holds_other_things() -> None:
    box = Box()
    reach = Reach(box)
    assert reach.same()
    box.items["a"].append(3)
    assert [value for value, _, _ in reach.changes()] == [box.items["a"]]
    assert not reach.same()


def test_what_can_be_put_back() -> None:
    box, items = Box(), iter([1, 2])
    heap = Heap(box, items)
    box.items["a"].append(3)
    box.more = random.random()
    assert heap.can_restore() and not heap.same()
    heap.restore()
    assert heap.same() and not hasattr(box, "more")
    next(items)
    assert not heap.can_restore()


def test_numbers_that_python_draws_are_a_change() -> None:
    reach = Reach()
    state = random.getstate()
    random.random()
    assert reach.drawn() == ["random"] and not reach.same()
    random.setstate(state)
    assert reach.same()
    numpys = np.random.get_state()
    np.random.rand()
    assert reach.drawn() == ["numpy.random"]
    np.random.set_state(numpys)


def test_a_heap_gives_all_objects_back_what_they_held() -> None:
    box, count = Box(), 0

    def bump() -> None:
        nonlocal count
        count += 1

    heap = Heap(box, bump)
    bump()
    box.items["a"].append(3)
    box.items["b"] = []
    box.more = 1  # type: ignore[attr-defined]
    heap.restore()
    assert count == 0 and box.items == {"a": [1, 2]} and vars(box).keys() == {"items"}
    assert heap.same()


def test_what_is_put_back_is_the_same_object() -> None:
    for value, change in ([1], lambda x: x.append(2)), ({1}, lambda x: x.clear()), ({"a": 1}, lambda x: x.update(b=2)):
        before, expected = copy_of(value), type(value)(value)  # type: ignore[call-arg]
        change(value)  # type: ignore[no-untyped-call]
        put_back(value, before)
        assert value == expected
