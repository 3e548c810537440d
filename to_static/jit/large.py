"""Containers and arrays that are too large to be compared in every call.

Each look compares some of what they hold, spread evenly and starting at another place every time: a change of all of it is seen at
once, one of a single item some calls later, with a warning that says so.
"""

from __future__ import annotations

import array
import collections
import operator
import zlib
from typing import Any

import numpy as np

from to_static.core.log import warn_once

ITEMS = 1024  # of a container: those with more are large
BYTES = 1 << 16  # of an array
_SAMPLE = 128  # items that one look compares (of an array: 8 times as many)
_KINDS = (list, dict, set, frozenset, collections.deque, bytearray, array.array)


def is_large(value: Any) -> bool:
    """Whether it is one of them."""
    if isinstance(value, np.ndarray):
        return value.nbytes > BYTES
    return isinstance(value, _KINDS) and len(value) > ITEMS


class Large:
    """The large objects that one static function may read, which it keeps alive."""

    def __init__(self) -> None:
        self._known: dict[int, _Known] = {}

    def version(self, value: Any) -> int:
        """How many changes of an object were seen so far."""
        known = self._known.get(id(value))
        if known is None:
            known = self._known[id(value)] = _Known(value)
        elif not known.same():
            seen = known.version + 1
            warn_once(
                f"large:{id(value)}",
                f"a {type(value).__name__} of {len(value)} items changed, and Programs have its values built in. A call compares "
                "only some of so many, so those since the change may have used the old ones: pass what is read of it as an "
                "argument, make a new object instead of changing it, or keep the numbers in a tensor",
                self,  # which keeps it alive, so that its id is its own
            )
            known = self._known[id(value)] = _Known(value, seen)
        return known.version


class _Known:
    """One large object, and what it held."""

    def __init__(self, value: Any, version: int = 0) -> None:
        self.value = value
        self.version = version
        self._size = _size(value)
        self._step = max(1, self._size // (_SAMPLE * 8 if isinstance(value, np.ndarray) else _SAMPLE))
        self._start = 0
        if isinstance(value, np.ndarray):
            self._held: Any = [self._sum(i) for i in range(self._step)]
        elif isinstance(value, dict):
            self._held = list(dict.keys(value)), list(dict.values(value))
        else:
            self._held = list(value)

    def same(self) -> bool:
        """Whether the next sample of it is the same."""
        value = self.value
        if _size(value) != self._size:
            return False
        self._start = (self._start + 1) % self._step
        sample = slice(self._start, None, self._step)
        if isinstance(value, np.ndarray):
            return bool(self._sum(self._start) == self._held[self._start])
        if isinstance(value, dict):
            keys, values = self._held
            return all(map(operator.is_, map(value.get, keys[sample]), values[sample]))
        if isinstance(value, (set, frozenset)):
            return all(map(value.__contains__, self._held[sample]))
        if isinstance(value, (list, collections.deque)):
            places = range(self._size)[sample]
            return all(map(operator.is_, map(value.__getitem__, places), self._held[sample]))
        return list(value[sample]) == self._held[sample]

    def _sum(self, start: int) -> int:
        flat = self.value.reshape(-1) if self.value.flags.c_contiguous else self.value.flat
        return zlib.adler32(flat[start :: self._step].tobytes())


def _size(value: Any) -> int:
    return value.size if isinstance(value, np.ndarray) else len(value)
