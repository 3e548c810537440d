"""Tables that forget: nothing of Python's runs when something goes."""

from __future__ import annotations

import gc
import sys

from to_static.core.caching.weak_tables import WeakKeys, WeakValues


class Thing:
    """Something that may be gone."""

    def __eq__(self, other):
        raise AssertionError("things are told apart by identity")

    __hash__ = None


def functions_that_run(work):
    """The names of Python's functions that run in ``work``, but for itself."""
    names = []

    def note(frame, event, arg):
        if event == "call":
            names.append(frame.f_code.co_name)

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return names[1:]


def test_values_go():
    table, things = WeakValues(), [Thing() for _ in range(3)]
    for i, thing in enumerate(things):
        table[i] = thing
    assert table.get(1) is things[1] and len(table.values()) == 3 and table.get(7) is None
    del thing

    def drop():
        del things[1:]

    assert (
        functions_that_run(drop) == [] and table.get(1) is None and [v is things[0] for v in table.values()] == [True]
    )
    assert list(table._references) == [0]


def test_a_later_value_of_a_key_stays_when_the_first_one_goes():
    table, first, second = WeakValues(), Thing(), Thing()
    table["key"] = first
    table["key"] = second
    del first
    assert table.get("key") is second
    other = WeakValues()
    other.update(table)
    del table
    assert other.get("key") is second
    del second
    assert other.get("key") is None and not other._references


def test_keys_go():
    table, things = WeakKeys(), [Thing() for _ in range(3)]
    for i, thing in enumerate(things):
        table[thing] = i
    table[thing] = 7
    assert things[2] in table and [table.get(t) for t in things] == [0, 1, 7] and table.get(Thing()) is None
    del thing

    def drop():
        del things[1:]

    assert functions_that_run(drop) == [] and list(table._entries) == [id(things[0])]


def test_what_only_the_collector_finds():
    table, thing = WeakKeys(), Thing()
    thing.itself = thing
    table[thing] = 1
    del thing
    gc.collect()
    assert not table._entries
