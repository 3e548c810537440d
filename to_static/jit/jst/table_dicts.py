"""What dicts whose keys tensors decide can do: those of Python's methods that need no key known now."""

from __future__ import annotations

import collections
import sys
from collections.abc import Callable
from typing import Any

from to_static.core.namespace import type_of
from to_static.ir.number import Number
from to_static.ir.registry import FUNCTIONS
from to_static.jit.jst.blocks import raises
from to_static.jit.jst.branch import if_
from to_static.jit.jst.casts import bool_
from to_static.jit.jst.catching import check, check_uncaught
from to_static.jit.jst.choice import Choice, select
from to_static.jit.jst.chosen import chosen
from to_static.jit.jst.folds import sorted_
from to_static.jit.jst.groups import Grouped, group
from to_static.jit.jst.items import plain
from to_static.jit.jst.iterate import for_
from to_static.jit.jst.logic import and_, not_
from to_static.jit.jst.membership import in_
from to_static.jit.jst.owners import has_other_names
from to_static.jit.jst.table_kinds import DICTS, KINDS
from to_static.jit.jst.tables import Table
from to_static.jit.jst.text import pieces_of, template
from to_static.jit.jst.traced import as_place
from to_static.jit.jst.updates import updates
from to_static.jit.jst.views import View

_EMPTY = object()


class DictTable(Table):
    """A dict, OrderedDict, defaultdict or Counter whose keys tensors decide."""

    def __init__(self, kind: type, default_factory: Any = None) -> None:
        super().__init__(kind)
        self.default_factory = default_factory

    def empty(self) -> Any:
        """One without entries, of the same kind."""
        return type(self)(self.stands_for, self.default_factory)

    # entries ---------------------------------------------------------------------------------------------------------

    def __getitem__(self, key: Any) -> Any:
        if type(key) is Choice:
            return select(key, self.__getitem__)
        present = self.present(key)
        if present is True:
            return self.get_value(key)
        if self.stands_for is collections.Counter:
            return if_(present, lambda: self.get_value(key), lambda: 0)
        if self.default_factory is not None:
            self.setdefault(key, _EMPTY)
            return self.get_value(key)
        require(present, key)
        return self.get_value(key)

    def __setitem__(self, key: Any, value: Any) -> None:
        chosen(lambda key: self.put(key, value), key)

    def __delitem__(self, key: Any) -> None:
        def delete(key: Any) -> None:
            present = self.present(key)
            if self.stands_for is collections.Counter and present is not True:
                if_(present, lambda: self.take_out(key), None)
                return
            require(present, key)
            self.take_out(key)

        chosen(delete, key)

    def get(self, key: Any, default: Any = None) -> Any:
        """``d.get(key, default)``"""
        if type(key) is Choice:
            return select(key, lambda key: self.get(key, default))
        if self.grouped and type(default) is list and not default and self.is_number(key) and not has_other_names(default):
            return group(self, key, borrowed=True)
        return if_(self.present(key), lambda: self.get_value(key), lambda: default)

    def setdefault(self, key: Any, default: Any = None) -> Any:
        """``d.setdefault(key, default)``"""
        if type(key) is Choice:
            return select(key, lambda key: self.setdefault(key, default))

        def put() -> None:
            self.put(key, self.default_factory() if default is _EMPTY else default, absent=True)

        present = self.present(key)
        if present is False:
            put()
        elif present is not True:
            if_(present, None, put)
        return self.get_value(key)

    def pop(self, key: Any, *default: Any) -> Any:
        """``d.pop(key, *default)``"""
        if type(key) is Choice:
            return select(key, lambda key: self.pop(key, *default))

        def take() -> Any:
            value = self.get_value(key)
            value = value.elements() if isinstance(value, Grouped) else value
            self.take_out(key)
            return value

        present = self.present(key)
        if default:
            return if_(present, take, lambda: default[0])
        require(present, key)
        return take()

    def popitem(self, last: Any = True) -> Any:
        """``d.popitem()``: the last entry."""
        self.check_kinds()
        if self.order is not None:
            check(plain(self.size() > 0), KeyError("popitem(): dictionary is empty"))
            key = self.key_at(as_place(-1 if last else 0))
            return key, self.pop(key)
        if self.numbers.spec.element is not None:
            check(plain(self.size() > 0), KeyError("popitem(): dictionary is empty"))
            key = self.numbers.item(-1 if last else 0)
            return key, self.pop(key)
        keys = list(self.cells) if last else list(reversed(self.cells))

        def first(left: list[Any]) -> Any:
            if not left:
                raise raises(KeyError("dictionary is empty" if self.stands_for is not dict else "popitem(): dictionary is empty"))
            key = left[-1]
            return if_(self.present(key), lambda: (key, self.pop(key)), lambda: first(left[:-1]))

        return first(keys)

    def move_to_end(self, key: Any, last: bool = True) -> None:
        """``d.move_to_end(key)``"""
        if not last or self.stands_for is not collections.OrderedDict:
            raise self.refused("has an entry moved to its beginning", "build a new dict in that order")
        self.put(key, self.pop(key))

    def update(self, *others: Any, **more: Any) -> None:
        """``d.update(others, **more)``; a Counter adds up."""
        self._change(others, more, 1)

    def subtract(self, *others: Any, **more: Any) -> None:
        """``counter.subtract(others)``"""
        self._change(others, more, -1)

    def _change(self, others: Any, more: Any, sign: int) -> None:
        counter = self.stands_for is collections.Counter

        def put(pair: Any) -> None:
            key, value = pair
            self[key] = self[key] + sign * value if counter else value

        for other in (*others, more):
            if isinstance(other, Choice):
                select(other, lambda option: self._change((option,), {}, sign))
            elif isinstance(other, (DictTable, dict)):
                for_(other.items(), put)
            elif counter:
                for_(other, lambda key: put((key, 1)))
            else:
                for_(other, put)

    # views -----------------------------------------------------------------------------------------------------------

    def keys(self) -> View:
        """``d.keys()``"""
        if updates(sys._getframe(1), "|="):  # Python asks for them to update a dict of its own
            raise self.refused("updates another of Python's by |=", "`d.update(other)`")
        return View(self, "dict_keys", lambda key, value: key)

    def values(self) -> View:
        """``d.values()``"""
        return View(self, "dict_values", lambda key, value: value())

    def items(self) -> View:
        """``d.items()``"""
        return View(self, "dict_items", lambda key, value: (key, value()))

    entries = items

    def __view__(self) -> View:
        return self.keys()

    def __iter__(self) -> Any:
        return self.keys().unpacked(sys._getframe(1))

    def most_common(self, n: Any = None) -> Any:
        """``counter.most_common(n)``"""
        found = sorted_(self.items(), key=lambda pair: pair[1], reverse=True)
        return found if n is None else found[:n]

    def elements(self) -> Any:
        """``counter.elements()``"""
        raise self.refused("is asked for its elements", "a loop over items()")

    def total(self) -> Any:
        """``counter.total()``"""
        return for_(self.values(), lambda value, total: total + value, 0)

    def matched(self, keys: list[Any], found: Any, failed: Any, rest: bool) -> Any:
        """``found(values, [the other entries])`` where all ``keys`` are there, else ``failed()``."""

        def there() -> Any:
            values = [self.get_value(key) for key in keys]
            others: list[Any] = [self.copy()] if rest else []
            for key in keys if rest else []:
                others[0].take_out(key)
            return found(values, others)

        test: Any = True
        for key in keys:
            test = self._and_present(test, key)
        return if_(test, there, failed)

    def _and_present(self, test: Any, key: Any) -> Any:
        return and_(test, lambda: self.present(key))

    # operators -------------------------------------------------------------------------------------------------------

    def _counters(self, other: Any) -> Any:
        if self.stands_for is collections.Counter and isinstance(other, (DictTable, collections.Counter)):
            raise self.refused("is combined with another by an operator", "`both = a.copy()` and `both.update(b)`, or a loop")
        return NotImplemented

    __add__ = __radd__ = __sub__ = __rsub__ = __and__ = __rand__ = _counters

    def __or__(self, other: Any) -> Any:
        if not isinstance(other, (DictTable, dict)) or self.stands_for is collections.Counter:
            return self._counters(other)
        made = self.copy()
        made.update(other)
        return made

    def __ror__(self, other: Any) -> Any:
        if not isinstance(other, dict) or self.stands_for is collections.Counter:
            return self._counters(other)
        made = KINDS[type_of(other)](other)
        made.update(self)  # type: ignore[attr-defined]
        return made

    def __ior__(self, other: Any) -> Any:  # type: ignore[misc]
        if self.stands_for is collections.Counter:
            raise self.refused("is joined by |=", "`counter.update(other)`, or a loop")
        self.update(other)
        return self

    def __eq__(self, other: Any) -> Any:
        if not isinstance(other, (DictTable, dict)):
            return False
        kinds = (self.stands_for, getattr(other, "stands_for", type_of(other)))
        if collections.Counter in kinds or kinds == (collections.OrderedDict,) * 2:
            raise self.refused("is compared with another", "compare its entries")
        if other is self:
            return True

        def same(pair: Any, answer: Any) -> Any:
            key, value = pair
            look = self.get_value if self.grouped else self.get
            return and_(answer, lambda: and_(in_(key, self), lambda: bool_(look(key) == value)))

        size = other.size() if isinstance(other, DictTable) else len(other)
        return and_(self.size() == size, lambda: for_(other.items(), same, True))

    def __ne__(self, other: Any) -> Any:
        return not_(self == other)


DictTable.__name__ = DictTable.__qualname__ = "dict"  # what errors of Python's call it


def require(present: Any, key: Any) -> None:
    """KeyError unless it is there: at once, or where the Program comes to it."""
    if present is True:
        return
    if present is False:
        raise raises(KeyError(key))
    check_uncaught(KeyError)
    values, words = template(pieces_of(key) if isinstance(key, Number) else [repr(key)])
    FUNCTIONS["assert"](plain(present), values, f"({words},)", "KeyError()")


def _maker(kind: type) -> Callable[[Any], Table]:
    def made(value: Any) -> Table:
        return DictTable(kind, getattr(value, "default_factory", None)).fill(value.items(), value)

    return made


KINDS.update({kind: _maker(kind) for kind in DICTS})
