"""`Gaps`: the free parts of an arena, taken and given back in time independent of their number. `arena` uses it for large plans."""

from __future__ import annotations

import heapq


class Gaps:
    """Free parts of an arena by their sizes. Adjacent parts are merged.

    Example:
        >>> gaps = Gaps()
        >>> gaps.give(64, 128)
        >>> gaps.take(64, 192)
        64
    """

    def __init__(self) -> None:
        self._ends: dict[int, int] = {}  # start of a gap -> its end
        self._starts: dict[int, int] = {}  # end of a gap -> its start
        self._exact: dict[int, list[int]] = {}  # size -> heap of starts of gaps; some of these gaps may be gone
        self._classes: list[list[int]] = []  # bit length of the size -> heap of starts of gaps; some of these gaps may be gone

    def take(self, room: int, end: int) -> int:
        """Return the offset of ``room`` free bytes: a gap of that size, else the lowest gap of a larger size class, else the end.

        ``end``: the end of the arena so far; a gap at the end may grow beyond it.
        """
        sure = max(room - 1, 0).bit_length() + 1
        for gaps, size in ((self._exact.get(room, []), room), *((size_class, 0) for size_class in self._classes[sure:])):
            while gaps:
                start = heapq.heappop(gaps)
                stop = self._ends.get(start, 0)
                if stop - start >= room and size in (0, stop - start):
                    return self._cut(start, stop, room)
        start = self._starts.get(end)
        return end if start is None else self._cut(start, end, room)

    def give(self, offset: int, room: int) -> None:
        """Free ``room`` bytes at ``offset``."""
        start = self._starts.get(offset, offset)
        stop = self._ends.get(offset + room, offset + room)
        if start < offset:
            self._remove(start, offset)
        if stop > offset + room:
            self._remove(offset + room, stop)
        if stop > start:
            self._add(start, stop)

    def _cut(self, start: int, stop: int, room: int) -> int:
        self._remove(start, stop)
        if stop - start > room:
            self._add(start + room, stop)
        return start

    def _add(self, start: int, stop: int) -> None:
        self._ends[start], self._starts[stop] = stop, start
        heapq.heappush(self._exact.setdefault(stop - start, []), start)
        n = (stop - start).bit_length()
        while len(self._classes) <= n:
            self._classes.append([])
        heapq.heappush(self._classes[n], start)

    def _remove(self, start: int, stop: int) -> None:
        del self._ends[start], self._starts[stop]
