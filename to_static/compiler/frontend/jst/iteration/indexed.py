"""`IndexedIterable`: an iterable whose items or number of items depend on tensors; loops over it count an index."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

from to_static.compiler.frontend.jst import protocol
from to_static.compiler.frontend.jst.control.logic import and_
from to_static.compiler.frontend.jst.control.raising import check
from to_static.compiler.frontend.jst.values.number import int_
from to_static.compiler.frontend.tracing.graph_break import broken
from to_static.compiler.frontend.tracing.untranslated_code import STAND_INS
from to_static.compiler.ir.symbolic.sym_number import SymNumber, as_sym_number
from to_static.compiler.ops import functions as F
from to_static.core.diagnostics.source_expressions import in_expression


class IndexedIterable:
    """``item(i)`` for ``i`` below ``length``; both may be Python ints or numbers of the Program.

    ``length_now``: where a loop over the items may change how many there are. ``calls``: taking an item calls a function.
    """

    def __init__(
        self,
        length: int | SymNumber,
        item: Callable[[Any], Any],
        cls: type = builtins.range,
        length_now: Callable[[], Any] | None = None,
        calls: bool = False,
    ) -> None:
        self.length = length
        self.item = item
        self.iterator_type = cls
        self.length_now = length_now
        self.calls = calls

    @property
    def size(self) -> Any:
        """Return its `len`; a range that ends before it starts has the length 0."""
        length = self.length
        return as_sym_number(F.maximum(length, 0), int) if isinstance(length, SymNumber) else max(length, 0)

    def __getitem__(self, index: int | SymNumber | slice) -> Any:
        if isinstance(index, slice) or self.iterator_type is not builtins.range:
            raise self._refused()
        size = self.size
        position = index + size * int_(index < 0)
        check(and_(position >= 0, lambda: position < size), IndexError("range object index out of range"))
        return self.item(position)

    def _refused(self, *args: object) -> BaseException:
        return broken(
            f"untranslated code iterates over a value that depends on a tensor{in_expression()}",
            "a `for` statement in a function that to_static translates: `for v in items: ...`",
        )

    def __iter__(self) -> Any:
        if isinstance(self.length, int):
            return builtins.map(self.item, builtins.range(self.length))
        raise self._refused()

    def _refuse(self, *args: object) -> Any:
        raise self._refused()

    __len__ = __contains__ = __bool__ = __str__ = __repr__ = __hash__ = __eq__ = __next__ = _refuse  # type: ignore[assignment]


def _length(value: IndexedIterable) -> Any:
    if value.iterator_type is not builtins.range:
        raise TypeError(f"object of type {value.iterator_type.__name__!r} has no len()")
    return value.size


STAND_INS[IndexedIterable] = False
protocol.LENGTHS[IndexedIterable] = _length
protocol.TRUTHS[IndexedIterable] = lambda value: F.greater_than(value.length, 0)
