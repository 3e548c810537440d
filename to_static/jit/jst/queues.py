"""`Queue`: a `deque` of Python's that changes where tensors decide."""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

from to_static.core.expressions import quoted
from to_static.ir.registry import FUNCTIONS
from to_static.ir.tensor import Tensor
from to_static.jit.jst.catching import check
from to_static.jit.jst.lists import TensorList
from to_static.jit.jst.stands import Stand
from to_static.jit.jst.table_kinds import KINDS


class Queue(Stand):
    """A list of the Program that loses items at one end when it gets more than ``maxlen`` of them."""

    stands_for = collections.deque

    def __init__(self, items: Any = (), maxlen: int | None = None) -> None:
        self.items = TensorList.of([])
        self.maxlen = maxlen
        self.changes = 0
        self.extend(items)

    def __held__(self) -> Any:
        return None, [self.items]

    def recipe(self) -> tuple[Any, list[Any]]:
        """How every run makes it: class and ``maxlen``; and the list of its items."""
        return (collections.deque, self.maxlen), [self.items]

    @staticmethod
    def holding(items: TensorList, maxlen: int | None) -> Queue:
        """The queue of these items."""
        made = Queue((), maxlen)
        made.items = items
        return made

    def copy(self) -> Queue:
        """``q.copy()``"""
        return Queue.holding(self.items.copy(), self.maxlen)

    __copy__ = copy

    def __len__(self) -> Any:  # type: ignore[override]
        from to_static.jit.jst.casts import len_

        return len_(self.items)

    # what changes it -------------------------------------------------------------------------------------------------

    def append(self, item: Any) -> None:
        """``q.append(item)``"""
        self._put(item, None)

    def appendleft(self, item: Any) -> None:
        """``q.appendleft(item)``"""
        self._put(item, 0)

    def _put(self, item: Any, place: int | None) -> None:
        from to_static.jit.jst.branch import if_

        self.changes += 1
        if self.maxlen == 0:
            return
        if place is None:
            self.items.append(item)
        else:
            self.items.insert(place, item)
        if self.maxlen is not None:
            if_(self.__len__() > self.maxlen, lambda: self._drop(0 if place is None else -1), None)

    def _drop(self, place: int) -> None:
        self.items.take_out(place)

    def extend(self, items: Any) -> None:
        """``q.extend(items)``"""
        self._extend(items, self.append)

    def extendleft(self, items: Any) -> None:
        """``q.extendleft(items)``"""
        self._extend(items, self.appendleft)

    def _extend(self, items: Any, put: Callable[[Any], None]) -> None:
        from to_static.jit.jst.iterate import for_

        for_(self.items.elements() if items is self else items, put)

    __iadd__: Any

    def pop(self) -> Any:
        """``q.pop()``"""
        return self._take(-1)

    def popleft(self) -> Any:
        """``q.popleft()``"""
        return self._take(0)

    def _take(self, place: int) -> Any:
        self.changes += 1
        if self.items.spec.element is None:
            raise IndexError("pop from an empty deque")
        check(FUNCTIONS["greater_than"](FUNCTIONS["list_len"](self.items.main), 0), IndexError("pop from an empty deque"))
        return self.items.take_out(place)

    def clear(self) -> None:
        """Take out all items."""
        self.changes += 1
        self.items.clear()

    def reverse(self) -> None:
        """Turn the order of the items round."""
        self.changes += 1
        self.items.reverse()

    def rotate(self, n: Any = 1) -> None:
        """``q.rotate(n)``"""
        from to_static.jit.jst.iterate import for_
        from to_static.jit.jst.ranges import range_

        if isinstance(n, Tensor) or n >= 0:
            for_(range_(n), lambda i: self._turn(-1))
        if isinstance(n, Tensor) or n < 0:
            for_(range_(-n), lambda i: self._turn(0))

    def _turn(self, place: int) -> None:
        from to_static.jit.jst.branch import if_

        self.changes += 1

        def turn() -> None:
            item = self.items.take_out(place)
            self.items.insert(0, item) if place else self.items.append(item)

        if self.items.spec.element is not None:
            if_(self.__len__() > 0, turn, None)

    # items -----------------------------------------------------------------------------------------------------------

    def _place(self, index: Any) -> Any:
        if isinstance(index, slice):
            raise TypeError("sequence index must be integer, not 'slice'")
        if self.items.spec.element is None:
            raise IndexError("deque index out of range")
        size = self.__len__()
        there = FUNCTIONS["logical_and"](_tensor(size > index), _tensor(-size <= index))
        check(there, IndexError("deque index out of range"))
        return index

    def __getitem__(self, index: Any) -> Any:
        return self.items.item(self._place(index))

    def __setitem__(self, index: Any, item: Any) -> None:
        self.items.set_item(self._place(index), item)

    def __contains__(self, item: Any) -> Any:
        from to_static.jit.jst.membership import in_

        return in_(item, self.items)

    def count(self, item: Any) -> Any:
        """``q.count(item)``"""
        return self.items.count(item)

    def __eq__(self, other: Any) -> Any:
        if isinstance(other, collections.deque):
            other = list(other)
        return self.items == (other.items if isinstance(other, Queue) else other) if isinstance(other, (list, Queue)) else False

    def __ne__(self, other: Any) -> Any:
        from to_static.jit.jst.logic import not_

        return not_(self == other)

    # walking through it ----------------------------------------------------------------------------------------------

    def __view__(self) -> Queue:
        return self

    def __iter__(self) -> Any:
        return iter(self.items)

    @property
    def counted(self) -> Any:
        """Its items by index."""
        from to_static.jit.jst.counted import Counted

        return Counted(self.__len__, self.items.item)

    def walk(self, loop: Callable[..., Any], body: Callable[..., Any], values: tuple[Any, ...], breaks: bool) -> Any:
        """``values = body(item, *values)`` for each item."""
        before = self.changes
        if self.items.spec.element is None:
            return values if len(values) != 1 else values[0]
        after = loop(self.counted, body, values, breaks)
        if self.changes != before:
            raise self.refused("changes while it is iterated over", f"a loop over a copy: `for item in list(q):`{quoted()}")
        return after

    def in_order(self, reverse: bool) -> None:
        """None: its items decide the order of ``sorted``."""

    def sort_key(self) -> None:
        """None: as they are."""


def _iadd(self: Queue, items: Any) -> Queue:
    self.extend(items)
    return self


Queue.__iadd__ = _iadd
Queue.__name__ = Queue.__qualname__ = "deque"  # what errors of Python's call it


def _tensor(value: Any) -> Any:
    from to_static.jit.jst.items import plain

    return plain(value) if isinstance(value, Tensor) else value


KINDS[collections.deque] = lambda value: Queue(value, value.maxlen)
