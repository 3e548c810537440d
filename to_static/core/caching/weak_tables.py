"""Tables that forget what nobody else holds.

Python drops an exception in the callback of a weak reference, a KeyboardInterrupt that comes just then as well. Those of the tables
in `weakref` are functions of Python, which an interrupt may come to; these here are calls into C, which none comes to.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable, MutableMapping
from typing import Any, Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


def forgets(table: MutableMapping[K, Any] | dict[K, Any], key: K) -> Callable[[Any], Any]:
    """The callback of a weak reference after which ``table`` has no entry of ``key``. (The reference itself is `pop`'s default.)"""
    return functools.partial(table.pop, key)


class WeakValues(Generic[K, V]):
    """Values by key, each until it is gone."""

    def __init__(self) -> None:
        self._references: dict[K, weakref.ref[Any]] = {}

    def __setitem__(self, key: K, value: V) -> None:
        self._references[key] = weakref.ref(value, forgets(self._references, key))

    def get(self, key: K) -> V | None:
        """The value of a key, or None."""
        reference = self._references.get(key)
        return None if reference is None else reference()

    def values(self) -> list[V]:
        """All of them."""
        alive = [reference() for reference in self._references.copy().values()]
        return [value for value in alive if value is not None]

    def update(self, source: WeakValues[K, V]) -> None:
        """Take over what another table has."""
        for key, reference in source._references.copy().items():
            value = reference()
            if value is not None:
                self[key] = value


class WeakKeys(Generic[K, V]):
    """Values by object, each until the object is gone. Objects are told apart by identity."""

    def __init__(self) -> None:
        self._entries: dict[int, tuple[weakref.ref[Any], V]] = {}

    def __contains__(self, key: K) -> bool:
        return id(key) in self._entries

    def __setitem__(self, key: K, value: V) -> None:
        self._entries[id(key)] = weakref.ref(key, forgets(self._entries, id(key))), value

    def get(self, key: K) -> V | None:
        """The value of an object, or None."""
        entry = self._entries.get(id(key))
        return None if entry is None else entry[1]

    def objects(self) -> list[K]:
        """The objects that have a value."""
        return [key for reference, _ in self._entries.copy().values() if (key := reference()) is not None]
