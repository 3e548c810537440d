"""One place that code may read: a global variable, an attribute, an item."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

MISSING = object()
CODE = "__code__"


class Entry:
    """One place that code may read: how it is read and written, its name for people, and what was found there.

    ``place`` tells it from others; ``space`` is the namespace that has it under ``name``, where there is one. What is ``fixed`` is
    always the same object, of which the contents may change. What is ``absent`` is that names are not there: once they are, these
    have entries of their own.
    """

    __slots__ = ("absent", "fixed", "key", "label", "name", "place", "read", "space", "value", "write")

    def __init__(
        self, place: Any, label: str, read: Callable[[], Any], write: Any = None, space: Any = None, name: str = ""
    ) -> None:
        self.place = place
        self.label = label
        self.read = read
        self.write = write
        self.space = space
        self.name = name
        self.fixed = False
        self.absent = False
        self.value = read()
        self.key: Any = None


def entry_of(space: Any, name: str, label: str, owner: Any = None) -> Entry:
    """The entry of a name in a namespace (of ``owner``)."""

    def write(value: Any) -> None:
        if isinstance(owner, type):
            setattr(owner, name, value)
        else:
            space[name] = value

    place = id(space if owner is None else owner), name
    return Entry(place, label, functools.partial(space.get, name, MISSING), write, space, name)


def kept(place: Any, label: str, value: Any) -> Entry:
    """The entry of an object that is always the same one."""
    entry = Entry(place, label, lambda: value)
    entry.fixed = True
    return entry
