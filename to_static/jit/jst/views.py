"""Walking through a `Table`: its keys, values or items, and what a `for` over them becomes.

Keys that Python knows are walked through one by one, each under the condition that it is there. Numbers that only the Program knows
are walked through by a loop of the Program.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from to_static.ir.number import number
from to_static.ir.registry import FUNCTIONS
from to_static.jit.jst.branch import if_
from to_static.jit.jst.catching import check
from to_static.jit.jst.chosen import chosen
from to_static.jit.jst.collect import list_
from to_static.jit.jst.counted import Counted
from to_static.jit.jst.items import plain
from to_static.jit.jst.logic import and_, not_, or_
from to_static.jit.jst.loops import unpack
from to_static.jit.jst.tables import Table
from to_static.jit.jst.traced import as_place, is_traced
from to_static.jit.jst.unpacking import unpacked_by


class View:
    """What ``d.items()`` and the like give: ``item(key, value)`` for each entry, where ``value()`` looks it up."""

    def __init__(self, table: Table, name: str, item: Callable[[Any, Callable[[], Any]], Any], order: Any = None) -> None:
        self.table = table
        self.name = name
        self.item = item
        self.order = order  # of keys that Python knows, where it is not that in which they came

    def __held__(self) -> Any:
        return None, [self.table]

    def __view__(self) -> View:
        return self

    def __len__(self) -> Any:  # type: ignore[override]
        return self.table.size()

    def __contains__(self, item: Any) -> Any:
        from to_static.jit.jst.membership import in_

        return in_(item, self.table if self.name == "dict_keys" else list_(self))

    def __iter__(self) -> Any:
        return self.unpacked(sys._getframe(1))

    def unpacked(self, frame: Any) -> Any:
        """The entries for ``a, b = view`` in ``frame``."""
        return iter([self.at(key) for key in self.there()]) if self.known else unpacked_by(list_(self), frame)

    def _refuse(self, *args: Any) -> Any:
        raise self.table.refused(f"has its {self.name} used", "a list of them: `list(d.keys())`")

    __str__ = __repr__ = __format__ = __eq__ = _refuse  # type: ignore[assignment]
    __hash__ = None  # type: ignore[assignment]

    def _as_set(self) -> Any:
        from to_static.jit.jst.displays import set_of

        if self.name != "dict_keys":
            raise self._refuse()
        return set_of(lambda key: key, self)

    def __or__(self, other: Any) -> Any:
        return self._as_set().union(other)

    def __and__(self, other: Any) -> Any:
        return self._as_set().intersection(other)

    def __sub__(self, other: Any) -> Any:
        return self._as_set().difference(other)

    def __xor__(self, other: Any) -> Any:
        return self._as_set().symmetric_difference(other)

    @property
    def counted(self) -> Counted | None:
        """The entries by index, where their keys are numbers that only the Program knows."""
        table = self.table
        table.check_kinds()
        if self.order is None and table.order is not None and table.order.spec.element is not None:
            return Counted(lambda: number(FUNCTIONS["list_len"](table.order)), lambda i: self.at(table.key_at(as_place(i))))
        if table.numbers.spec.element is None:
            return None
        return Counted(
            lambda: number(FUNCTIONS["list_len"](table.numbers)),
            lambda i: self.item(table.numbers.item(i), lambda: table.at(i)),
        )

    @property
    def known(self) -> bool:
        """Whether Python knows which keys there are."""
        return self.counted is None and all(type(self.table.present(key)) is bool for key in self.table.cells)

    def there(self) -> list[Any]:
        """The keys that may be there, in order."""
        keys = list(self.table.cells) if self.order is None else self.order
        return [key for key in keys if self.table.present(key) is not False]

    def in_order(self, reverse: bool) -> Any:
        """``sorted`` of it, where known keys alone decide the order; else None."""
        if self.name == "dict_values" or self.table.numbers.spec.element is not None:
            return None
        order = sorted(self.there(), reverse=reverse)
        return list_(View(self.table, self.name, self.item, order))

    def sort_key(self) -> Any:
        """What decides the order of its entries, if not they themselves: no two have the same key."""
        return (lambda pair: pair[0]) if self.name == "dict_items" else None

    def at(self, key: Any) -> Any:
        """What it gives for a key that is there."""
        return self.item(key, lambda: chosen(self.table.get_value, key))

    def walk(self, loop: Callable[..., Any], body: Callable[..., Any], values: tuple[Any, ...], breaks: bool) -> Any:
        """``values = body(item, *values)`` for each entry; ``loop`` runs one over what goes by index."""
        table, count = self.table, len(values)
        before = table.inserts, table.removals
        size = None

        def step(item: Any, *now: Any) -> tuple[Any, ...]:
            after = unpack(body(item, *now), count)
            if table.removals != before[1]:
                raise table.refused("loses entries while it is iterated over", "a loop over a copy: `for key in list(d):`")
            if table.inserts != before[0]:
                same = table.size() == size
                if breaks:
                    same = or_(after[0], lambda: same)
                _check(same)
            return after

        counted = self.counted
        size = table.size()
        if counted is not None:
            return loop(counted, lambda *v: _packed(step(*v)), values, breaks)
        for key in self.there():
            if breaks and not is_traced(values[0]) and values[0]:
                break
            test = table.present(key)
            if breaks and is_traced(values[0]):
                test = _and(not_(values[0]), test)

            def one(*now: Any, key: Any = key) -> Any:
                known = key in table.assumed
                table.assumed.add(key)
                try:
                    return _packed(step(self.at(key), *now))
                finally:
                    if not known:
                        table.assumed.discard(key)

            values = unpack(if_(test, one, None, *values), count)
        return _packed(values)


def _and(first: Any, second: Any) -> Any:
    return and_(first, lambda: second)


def _packed(values: tuple[Any, ...]) -> Any:
    return values if len(values) > 1 else values[0] if values else None


def _check(same: Any) -> None:
    error = RuntimeError("dictionary changed size during iteration")
    if is_traced(same):
        check(plain(same), error)
    elif not same:
        raise error
