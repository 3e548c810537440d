"""`Counted`: what is iterated over by index, because tensors decide how many items there are or what they are."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

from to_static.core.expressions import quoted
from to_static.ir.number import Number, number
from to_static.ir.registry import FUNCTIONS
from to_static.lower.values import number as numbers
from to_static.tracing.graph_break import broken


class Counted:
    """``item(i)`` for ``i`` below ``length``; both may be Python ints or numbers of the Program."""

    def __init__(self, length: Any, item: Callable[[Any], Any], kind: Any = builtins.range) -> None:
        self.length = length
        self.item = item
        self.kind = kind

    @property
    def size(self) -> Any:
        """Its `len`: a range that ends before it starts has the length 0."""
        length = self.length
        return number(FUNCTIONS["maximum"](length, 0), int) if isinstance(length, Number) else max(length, 0)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice) or self.kind is not builtins.range:
            raise self._refused()
        from to_static.lower.control.checks import check
        from to_static.lower.control.logic import and_

        size = self.size
        place = index + size * numbers.int_(index < 0)
        check(and_(place >= 0, lambda: place < size), IndexError("range object index out of range"))
        return self.item(place)

    def _refused(self, *args: Any) -> BaseException:
        return broken(
            f"Python's own code iterates over what depends on a tensor{quoted()}",
            "a `for` statement in a function that to_static translates: `for v in items: ...`",
        )

    def __iter__(self) -> Any:
        if isinstance(self.length, int):
            return builtins.map(self.item, builtins.range(self.length))
        raise self._refused()

    def _refuse(self, *args: Any) -> Any:
        raise self._refused()

    __len__ = __contains__ = __bool__ = __str__ = __repr__ = __hash__ = __eq__ = __next__ = _refuse  # type: ignore[assignment]


def _length(value: Counted) -> Any:
    if value.kind is not builtins.range:
        raise TypeError(f"object of type {value.kind.__name__!r} has no len()")
    return value.size


numbers.LENGTHS[Counted] = _length
numbers.TRUTHS[Counted] = lambda value: FUNCTIONS["greater_than"](value.length, 0)
