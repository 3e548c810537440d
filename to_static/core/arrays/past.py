"""Arrays as they were at one moment, for those who may ask later: what is written over since is noted, row by row, by who writes.

A run that gradients are recorded of may be done again for a gradient of a gradient, with the numbers that it had. The arrays
themselves are not kept from writes by that, as long as nobody but plans writes to them (`runtime.writes.written_rows`): these
note the rows. Everybody else finds that there is one more who has the array, and takes a copy (`core.arrays.array_ownership`).
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

from to_static.core.atomic import Steps, setting
from to_static.core.caching.weak_tables import WeakKeys

if TYPE_CHECKING:
    from to_static.core.array_types import Array


class Past:
    """An array with the numbers of now: it has the array until rows are written, then these rows, and the moment after that."""

    __slots__ = ("__weakref__", "_array", "_next", "_rows")

    def __init__(self, array: Array) -> None:
        self._array = array
        self._rows: list[tuple[Any, Any]] = []  # each index with the numbers that were there, in order
        self._next: Past | None = None

    def restored(self) -> Any:
        """The array; a copy with the numbers of then where some are others now."""
        moments, last = [], self
        while last._next is not None:
            moments.append(last)
            last = last._next
        if not moments:
            return self._array
        array = last._array.copy()
        for moment in reversed(moments):
            for rows, old in reversed(moment._rows):
                array[rows] = old
        return array

    def giving_way(self, rows: list[tuple[Any, Any]]) -> list[Steps]:
        """The steps that record that ``rows`` are written, to be taken together with the write."""
        newer = Past(self._array)
        last = _LAST.get(self._array)
        return [setting((self, "_rows", rows), (self, "_next", newer), (self, "_array", None), (last, "past", weakref.ref(newer)))]


class _Last:
    """The last moment of an array that somebody keeps."""

    __slots__ = ("past",)

    def __init__(self, past: Past) -> None:
        self.past = weakref.ref(past)


_LAST: WeakKeys[Any, _Last] = WeakKeys()


def latest(array: Array) -> Past | None:
    """The array of now, if somebody keeps it so."""
    last = _LAST.get(array)
    return None if last is None else last.past()


def snapshot(array: Array) -> Past:
    """The array of now."""
    last = _LAST.get(array)
    past = None if last is None else last.past()
    if past is None:
        past = Past(array)
        if last is None:
            _LAST[array] = _Last(past)
        else:
            last.past = weakref.ref(past)
    return past
