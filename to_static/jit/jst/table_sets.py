"""What sets whose members tensors decide can do. Their order is nobody's business, so it can't be asked for."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from to_static.core.errors import TranslationError
from to_static.core.expressions import quoted
from to_static.jit.jst.branch import if_
from to_static.jit.jst.choice import Choice, select
from to_static.jit.jst.chosen import chosen
from to_static.jit.jst.iterate import for_, members_of
from to_static.jit.jst.logic import and_, not_
from to_static.jit.jst.membership import in_
from to_static.jit.jst.table_dicts import require
from to_static.jit.jst.table_kinds import KINDS
from to_static.jit.jst.tables import Table
from to_static.jit.jst.traced import failure
from to_static.jit.jst.updates import updated, updates
from to_static.jit.jst.views import View


class SetTable(Table):
    """A set whose members tensors decide: a table without values."""

    def add(self, item: Any) -> None:
        """``s.add(item)``"""
        chosen(lambda item: self.put(item, 1), item)

    def discard(self, item: Any) -> None:
        """``s.discard(item)``"""
        chosen(lambda item: if_(self.present(item), lambda: self.take_out(item), None), item)

    def remove(self, item: Any) -> None:
        """``s.remove(item)``"""

        def take(item: Any) -> None:
            require(self.present(item), item)
            self.take_out(item)

        chosen(take, item)

    def pop(self) -> Any:
        """``s.pop()``"""
        raise self._unordered()

    def __members__(self) -> View:
        return View(self, "set", lambda key, value: key)

    def entries(self) -> View:
        """The members with what stands for their values."""
        return View(self, "set", lambda key, value: (key, 1))

    def __view__(self) -> View:
        raise self._unordered()

    __iter__ = __view__  # type: ignore[assignment]

    def _unordered(self) -> Exception:
        return failure(
            TranslationError,
            f"the members of a set that tensors decide are asked for in order{quoted()}, and only Python knows its order",
            "`sorted(items)`, or a dict in place of the set: `d[item] = True`",
        )

    # sets from sets ---------------------------------------------------------------------------------------------------

    def update(self, *others: Any) -> None:
        """``s.update(other)``"""
        for other in others:
            members(other, self.add)

    def union(self, *others: Any) -> Any:
        """``s.union(other)``"""
        made = self.duplicate()
        made.update(*others)
        return made

    def intersection_update(self, *others: Any) -> None:
        """``s.intersection_update(other)``"""
        for other in others:
            self._keep(lambda item: in_(item, other))  # noqa: B023

    def intersection(self, *others: Any) -> Any:
        """``s.intersection(other)``"""
        made = self.duplicate()
        made.intersection_update(*others)
        return made

    def difference_update(self, *others: Any) -> None:
        """``s.difference_update(other)``"""
        for other in others:
            members(other, self.discard)

    def difference(self, *others: Any) -> Any:
        """``s.difference(other)``"""
        made = self.duplicate()
        made.difference_update(*others)
        return made

    def _keep(self, test: Callable[[Any], Any]) -> None:
        if self.numbers.spec.element is None:
            for key in list(self.cells):
                if_(and_(self.present(key), lambda: not_(test(key))), lambda: self.take_out(key), None)  # noqa: B023
            return
        for_(self.numbers.elements(), lambda item: if_(test(item), None, lambda: self.take_out(item)))

    def symmetric_difference_update(self, other: Any) -> None:
        """``s.symmetric_difference_update(other)``"""
        both = self.intersection(other)
        self.update(other)
        self._keep(lambda item: not_(in_(item, both)))

    def symmetric_difference(self, other: Any) -> Any:
        """``s ^ other``"""
        made = self.duplicate()
        made.symmetric_difference_update(other)
        return made

    def issubset(self, other: Any) -> Any:
        """``s <= other``"""
        return members(self, lambda item, answer: and_(answer, lambda: in_(item, other)), True)

    def issuperset(self, other: Any) -> Any:
        """``s >= other``"""
        return members(other, lambda item, answer: and_(answer, lambda: in_(item, self)), True)

    def isdisjoint(self, other: Any) -> Any:
        """``s.isdisjoint(other)``"""
        return members(other, lambda item, answer: and_(answer, lambda: not_(in_(item, self))), True)

    def __eq__(self, other: Any) -> Any:
        if not is_set(other):
            return False
        return and_(self.size() == _size(other), lambda: self.issubset(other))

    def __ne__(self, other: Any) -> Any:
        return not_(self == other)

    def __le__(self, other: Any) -> Any:
        return self.issubset(other) if is_set(other) else NotImplemented

    def __ge__(self, other: Any) -> Any:
        return self.issuperset(other) if is_set(other) else NotImplemented

    def __lt__(self, other: Any) -> Any:
        return and_(self.size() < _size(other), lambda: self.issubset(other)) if is_set(other) else NotImplemented

    def __gt__(self, other: Any) -> Any:
        return and_(self.size() > _size(other), lambda: self.issuperset(other)) if is_set(other) else NotImplemented


SetTable.__name__ = SetTable.__qualname__ = "set"  # what errors of Python's call it


def _size(other: Any) -> Any:
    return other.size() if isinstance(other, SetTable) else len(other)


def is_set(value: Any) -> bool:
    """True for sets of Python and of the Program."""
    return isinstance(value, (set, frozenset, SetTable))


def members(items: Any, body: Callable[..., Any], *values: Any) -> Any:
    """``body`` for each of ``items``; of a set in any order, which must not be seen."""
    if isinstance(items, Choice):
        return select(items, lambda option: members(option, body, *values))
    return for_(members_of(items), body, *values)


def _operator(name: str, of_left: Any, in_place: bool = False) -> None:
    def method(self: SetTable, other: Any) -> Any:
        if not is_set(other):
            return NotImplemented
        found = getattr(self, of_left)(other)
        return self if in_place else found

    setattr(SetTable, name, method)


for _name, _method in {
    "ior": "update", "iand": "intersection_update", "isub": "difference_update", "ixor": "symmetric_difference_update",
}.items():  # fmt: skip
    _operator(f"__{_name}__", _method, in_place=True)


def _reflected(name: str, method: str) -> None:
    sign = {"or": "|=", "and": "&=", "sub": "-=", "xor": "^="}[name]

    def run(self: SetTable, other: Any) -> Any:
        if type(other) is set and updates(sys._getframe(1), sign):
            return updated(other, sign, self)
        return getattr(table_of_set(other), method)(self) if is_set(other) else NotImplemented

    setattr(SetTable, f"__r{name}__", run)


for _name, _method in {"or": "union", "and": "intersection", "sub": "difference", "xor": "symmetric_difference"}.items():
    _operator(f"__{_name}__", _method)
    _reflected(_name, _method)


def table_of_set(value: Any) -> SetTable:
    """The table that takes the place of a set."""
    made = SetTable(set)
    for item in sorted(value) if all(type(x) is int for x in value) else value:
        made.put(item, 1)
    return made


KINDS[set] = table_of_set
