"""`Group`: the list that a dict has under a number which only the Program knows.

The lists of all numbers are in two lists of the dict's `Table`: the items, and the number that each is under. What asks for the
items of a group takes them out, so it is one list under all its names; what changes it changes these two.
"""

from __future__ import annotations

import weakref
from typing import Any

from to_static.core.errors import TracedValueError
from to_static.core.expressions import quoted, shown
from to_static.ir.registry import FUNCTIONS
from to_static.jit.jst.lists import TensorList, list_methods
from to_static.jit.jst.rows import Rows
from to_static.jit.jst.traced import failure


class Grouped:
    """What a `Group` does, whatever its items are."""

    __slots__ = ()
    table: Any
    key: Any
    borrowed: bool  # what `d.get(k, [])` gives

    def elements(self) -> Any:
        """Another list of the same items."""
        return _picked(self.table, self.table.members, lambda owner: owner == self.key)

    copy = __copy__ = elements

    def append(self, item: Any) -> None:
        """Add ``item`` at the end."""
        self.check_own()
        self.table.members.append(item)
        self.table.owners.append(self.key)

    def clear(self) -> None:
        """Remove all items."""
        self.check_own()
        _leave_out(self.table, self.key)

    def check_own(self) -> None:
        """Refuse to change what may be the dict's, and may be another list."""
        if self.borrowed:
            raise failure(
                TracedValueError,
                f"a list changes that is the dict's or a new one{quoted()}, which tensors decide",
                "`d.setdefault(k, [])` in place of `d.get(k, [])`",
            )

    def recipe(self) -> Any:
        """The dict that has the list, and where."""
        return ("item",), [self.table, self.key]

    def __deepcopy__(self, memo: Any) -> Any:
        return self.elements()


def _by_copy(name: str) -> Any:
    """A method that changes another list of the same items, which then takes the place of these."""

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        self.check_own()
        made = self.elements()
        found = getattr(made, name)(*args, **kwargs)
        _leave_out(self.table, self.key)
        self.extend(made)
        return self if found is made else found

    return method


for _name in ("insert", "pop", "remove", "reverse", "sort", "take_out", "set_item", "__setitem__", "__delitem__", "__imul__"):
    setattr(Grouped, _name, _by_copy(_name))


class Group(Grouped, TensorList):
    """A group of tensors or numbers of one kind."""

    __slots__ = ("borrowed", "key", "table")

    @property
    def ssa(self) -> Any:  # type: ignore[override]
        """The items as they are now."""
        return self.elements().ssa

    @property
    def holds(self) -> Any:  # type: ignore[override]
        """What Python sees in them."""
        return self.table.members.holds


class GroupRows(Grouped, Rows):
    """A group of other items."""

    __slots__ = ("borrowed", "key", "table")

    @property
    def kinds(self) -> Any:  # type: ignore[override]
        """Of the items."""
        return self.table.members.kinds

    @property
    def columns(self) -> Any:  # type: ignore[override]
        """The items as they are now."""
        return self.elements().columns


def group(table: Any, key: Any, borrowed: bool = False) -> Any:
    """The list under the number ``key``; ``borrowed``: or an empty one, where there is none."""
    kind: Any = GroupRows if isinstance(table.members, Rows) else Group
    made, like = kind.__new__(kind), table.numbers
    made.table, made.key, made.builder, made.frame, made.persistable = table, key, like.builder, like.builder.frame, False
    made.borrowed = borrowed
    made._name = made._stop_gradient = None
    table.handed.append(weakref.ref(made))
    return made


def put(table: Any, key: Any, value: Any, absent: bool) -> None:
    """Put a list under a number; it is there by no other name."""
    from to_static.jit.jst.branch import if_
    from to_static.jit.jst.owners import has_other_names

    if isinstance(value, Grouped) and value.table is table and value.key is key:
        return  # d[k] += items
    if not table.grouped and table.numbers.spec.element is not None:
        raise table.refused("gets a list under one number, and no list under another", "a list for each: `d[k] = [x]`")
    named = isinstance(value, Grouped) or has_other_names(value, apart=table.source)
    if named and table.source is not None:
        raise table.refused("has lists that others may see", "a dict that the function makes, `d = {}`: add its lists to yours")
    if named:
        raise table.refused("gets a list under a number, and the list has another name", "a copy: `d[k] = list(items)`")
    table.grouped, place = True, False if absent else table.find(key)
    if place is False:
        table.add_number(key, 0)
    else:
        if_(FUNCTIONS["greater_equal"](place, 0), lambda: take_out(table, key), lambda: table.add_number(key, 0))
    TensorList.extend(group(table, key), value)


def take_out(table: Any, key: Any) -> None:
    """Remove the items of a group, which is one no more."""
    lose(table)
    _leave_out(table, key)


def lose(table: Any, borrowed: bool = False) -> None:
    """Refuse to take lists out of a table that others have, or to put in others (``borrowed``)."""
    table.handed = [ref for ref in table.handed if ref() is not None]
    if any(not borrowed or ref().borrowed for ref in table.handed):
        raise table.refused("gets or loses a list that has another name", "a copy of it before: `items = list(d[k])`")


def same(a: Any, b: Any) -> Any:
    """``a is b`` of two groups."""
    a.check_own()
    b.check_own()
    return a.table is b.table and a.key == b.key


def _leave_out(table: Any, key: Any) -> None:
    members, owners = (_picked(table, items, lambda owner: owner != key) for items in (table.members, table.owners))
    table.members._become(members)
    table.owners._become(owners)


def _picked(table: Any, items: Any, test: Any) -> Any:
    """A list of those of ``items`` whose owners fit."""
    from to_static.jit.jst.branch import if_
    from to_static.jit.jst.casts import len_
    from to_static.jit.jst.iterate import for_
    from to_static.jit.jst.ranges import range_

    made = list_methods().empty(items)
    if table.owners.spec.element is None:
        return made

    def add(i: Any, made: Any) -> Any:
        if_(test(table.owners.item(i)), lambda: made.append(items.item(i)), None)
        return made

    return for_(range_(len_(table.owners)), add, made)


def check_shared(*values: Any) -> None:
    """Refuse to join or carry a group: what it becomes would be another list than the dict's."""
    if any(isinstance(value, Grouped) for value in values):
        raise failure(
            TracedValueError,
            f"a condition or loop decides which list of a dict this is{shown()}, and which ones there are tensors decide too",
            "name it by its key where it is used, `d[k].append(x)`, or take a copy, `list(d[k])`",
        )
