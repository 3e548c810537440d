"""`Table`: a dict or set of Python's whose keys depend on traced tensors.

Each key that Python knows has a cell: a list of the Program that holds the value of the key, or nothing where there is no such key.
Whole numbers may be keys that only the Program knows; they stand in one list, and their values in another. A dict is replaced by a
`Table` everywhere (see `growth`), so all its names mean one object, and what branches and loops do to its lists is joined and
carried as for any list of the Program.

Python keeps keys in the order in which they came. Cells are in that order, too, and where it depends on tensors one more list has
the numbers of the keys in it (``order``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from to_static.core.dtypes import int64
from to_static.core.namespace import type_of
from to_static.ir import mode
from to_static.ir.number import Number, number
from to_static.ir.registry import FUNCTIONS
from to_static.ir.tensor import Tensor
from to_static.jit.jst.chosen import chosen
from to_static.jit.jst.groups import group, lose, put, take_out
from to_static.jit.jst.kinds import Leaf, joined_kinds, kinds_of
from to_static.jit.jst.lists import TensorList, wrap
from to_static.jit.jst.rows import Widens, widen
from to_static.jit.jst.stands import Stand
from to_static.jit.jst.table_kinds import KINDS, is_key
from to_static.jit.jst.traced import constant

NOTHING = object()


class Table(Stand):
    """See above. ``kind`` is the class of Python's that it stands for."""

    def __init__(self, kind: type) -> None:
        self.stands_for = kind
        self.frame = mode.state.mode.frame
        self.cells: dict[Any, TensorList] = {}
        self.fixed: dict[Any, Any] = {}  # values that no list of the Program can hold: a cell says whether the key is there
        self.made: set[Any] = set()  # keys whose fixed value was made for a block
        self.sure: set[Any] = set()  # keys that are there in any case
        self.assumed: set[Any] = set()  # keys that are there in the block that is being traced
        self.slots: list[Any] = []  # the keys by number
        self.order: Any = None
        self.inserts = self.removals = 0  # changes of the keys that traced code made
        self.numbers = wrap(FUNCTIONS["list_new"]([]), int)
        self.contents = wrap(FUNCTIONS["list_new"]([]))
        self.grouped = False  # the values of numbers are lists: their items are in one list, and the numbers of these in another
        self.members, self.owners = wrap(FUNCTIONS["list_new"]([])), wrap(FUNCTIONS["list_new"]([]), int)
        self.source: Any = None  # the dict whose place it takes, while it does
        self.handed: list[Any] = []  # weak references to the lists that others have
        self.seen: dict[Any, list[Any]] = {}  # key -> the kinds of values that it got; NOTHING: those of all numbers

    # what others see of it --------------------------------------------------------------------------------------------

    def __held__(self) -> Any:
        lists = [self.numbers, self.contents, self.members, self.owners, self.order]
        factory = getattr(self, "default_factory", None)  # which may change what it sees
        return None, [*self.cells.values(), *self.cells, *lists, *self.fixed.values(), *([] if factory is None else [factory])]

    def recipe(self) -> tuple[Any, list[Any]]:
        """How every run makes it: kind, factory, the keys in order, those with objects as values; and the parts that it takes."""
        self.check_kinds()
        keys, factory = tuple(self.cells if self.order is None else self.slots), getattr(self, "default_factory", None)
        fixed = [key for key in keys if key in self.fixed]
        order = [] if self.order is None else [self.order]
        contents = [self.owners, self.members] if self.grouped else [self.contents]
        return (self.stands_for, factory, keys, frozenset(fixed), bool(order), self.grouped), [
            *order, self.numbers, *contents, *(self.cells[key] for key in keys), *(self.fixed[key] for key in fixed)
        ]  # fmt: skip

    def objects(self) -> list[Any]:
        """The objects among its values."""
        return list(self.fixed.values())

    def describe(self) -> str:
        """What it is, in words."""
        return f"a {self.stands_for.__name__} whose keys tensors decide"

    # keys ------------------------------------------------------------------------------------------------------------

    @property
    def own(self) -> bool:
        """Whether it was made in the block that is being traced, so that what happens now happens in any case."""
        return self.frame is mode.state.mode.frame

    def widened(self, change: Callable[[], None]) -> None:
        """Do ``change`` in the block that it was made in, which is traced again."""
        if not self.own:
            raise Widens(self, change)  # type: ignore[arg-type]
        change()

    def is_number(self, key: Any) -> bool:
        """Whether ``key`` belongs to the numbers; raises for what can't be a key, and for a key unlike the others."""
        if isinstance(key, Tensor) and not isinstance(key, Number):
            raise self.refused("has a tensor as key, by its identity, which a static Program can't tell", "a number: `d[int(key)]`")
        kind = key.python_type if isinstance(key, Number) else type(key)
        if kind in (bool, float) or not (kind is int or is_key(key)):
            hash(key)
            raise self.refused(f"is asked for a {kind.__name__}", "whole numbers, strings or None as keys, `d[int(key)]`")
        self.check_kinds(kind is int, kind is not int)
        return kind is int

    def check_kinds(self, number: bool = False, other: bool = False) -> None:
        """Refuse whole numbers beside other keys: nobody knows the order of both."""
        if (number or self.numbers.spec.element is not None) and (other or self.cells):
            raise self.refused("has both whole numbers and other keys", "two dicts, or strings in place of the numbers")

    def present(self, key: Any) -> Any:
        """Whether ``key`` is there: a Python bool where that is known."""
        if self.is_number(key):
            place = self.find(key)
            return place if place is False else number(FUNCTIONS["greater_equal"](place, 0))
        cell = self.cells.get(key)
        if cell is None or cell.spec.element is None:
            return False
        made_by = cell.main.ssa.op
        if key in self.sure or key in self.assumed or (made_by is not None and made_by.opdef.name == "list_append"):
            return True
        return number(FUNCTIONS["greater_than"](FUNCTIONS["list_len"](cell.main), 0))

    def find(self, key: Any) -> Any:
        """The position (traced) of a number, -1 where it is not there; False when there are no numbers at all."""
        if self.numbers.spec.element is None:
            return False
        return FUNCTIONS["list_find"](self.numbers, key if isinstance(key, Number) else constant(key, int64))

    def size(self) -> Any:
        """How many keys there are."""
        self.check_kinds()
        if self.numbers.spec.element is not None:
            return number(FUNCTIONS["list_len"](self.numbers))
        total: Any = 0
        for key in self.cells:
            total = total + self.present(key)
        return total

    # values ----------------------------------------------------------------------------------------------------------

    def get_value(self, key: Any) -> Any:
        """The value of a key that is there."""
        if key in self.fixed if not isinstance(key, Number) else False:
            return self.fixed[key]
        if self.is_number(key):
            return group(self, key) if self.grouped else self.contents.item(self.find(key))
        return self.cells[key].item(0)

    def at(self, index: Any) -> Any:
        """The value of a number by its place."""
        return group(self, self.numbers.item(index)) if self.grouped else self.contents.item(index)

    def put(self, key: Any, value: Any, absent: bool = False) -> None:
        """``table[key] = value``; ``absent``: such a key is not there."""
        if self.is_number(key):
            self._put_number(key, value, absent)
            return
        if key not in self.cells:
            self.widened(lambda: self.add_key(key))
        self._arrange(key)
        cell = self.cells[key]
        if None in kinds_of(value):
            self._fix(key, value, absent or self.present(key) is False)
            value = 1
        elif key in self.fixed:
            if not self.own:
                raise self._unfit(value)
            del self.fixed[key]
            self.made.discard(key)
        kinds = self._kinds(key, value)
        if self.own:
            self.cells[key] = TensorList.of([value])
            self.seen[key] = kinds_of(value)
            self.sure.add(key)
            return
        if len(kinds) > 1 or not isinstance(kinds[0], Leaf):
            widen(cell, kinds)
        cell.clear()
        cell.append(value)

    def _kinds(self, key: Any, value: Any) -> list[Any]:
        kinds = self.seen[key] = joined_kinds(self.seen.get(key, []), kinds_of(value))
        return kinds

    def add_key(self, key: Any) -> None:
        """Make room for a key."""
        self.cells[key] = wrap(FUNCTIONS["list_new"]([]))
        self.slots.append(key)

    def _arrange(self, key: Any) -> None:
        """Notice where a key comes among the others."""
        present = self.present(key)
        if present is True:
            return
        self.inserts += 1
        keys = list(self.cells)
        if self.order is None:
            if present is False and self.own:
                self.cells[key] = self.cells.pop(key)
            elif any(self.present(other) is not False for other in keys[keys.index(key) + 1 :]):
                self.widened(self.begin_order)
        if self.order is not None:
            self._when(_not(present), lambda: self.order.append(self.slots.index(key)))

    def begin_order(self) -> None:
        """From now on the order in which the keys came is in a list of the Program."""
        self.order = wrap(FUNCTIONS["list_new"]([]), int)
        for key in self.cells:
            self._when(self.present(key), lambda: self.order.append(self.slots.index(key)))  # noqa: B023

    @staticmethod
    def _when(test: Any, action: Callable[[], None]) -> None:
        from to_static.jit.jst.branch import if_

        if_(test, action, None)

    def key_at(self, place: Any) -> Any:
        """The key at a place in ``order``."""
        from to_static.jit.jst.choice import Choice

        there = [key for key in self.slots if self.present(key) is not False]
        if len(there) == 1:
            return there[0]
        numbers = [there.index(key) if key in there else 0 for key in self.slots]
        return Choice(mode.state.mode.constant(np.asarray(numbers, "int64"))[FUNCTIONS["list_get"](self.order, place)], there)

    def _fix(self, key: Any, value: Any, absent: bool) -> None:
        """Let a key have an object as its value; of a key that is not there it is empty, since such keys are never taken out."""
        if self.fixed.get(key, NOTHING) is value:
            return
        if self.own:
            self.fixed[key] = value
        elif ((kind := _kind(value)) is list or (kind in KINDS and not value)) and not _has_names(value):
            if key not in self.fixed:
                self.widened(lambda: self._make(key, value))
            if key not in self.made or getattr(self.fixed[key], "stands_for", list) is not kind:
                raise self._unfit(value)
            if not absent and _has_names(self.fixed[key], apart=self):
                what = f"gets a new {type(value).__name__} for {key!r} in place of one that has other names"
                raise self.refused(what, f"empty it, `d[{key!r}].clear()`, or give it a key of its own")
            if not absent:
                self.fixed[key].clear()
            if isinstance(value, TensorList) or value:
                self.fixed[key].extend(value)
        else:
            raise self._unfit(value)

    def _make(self, key: Any, value: Any) -> None:
        if self.seen.get(key):
            raise self._unfit(value)
        self.fixed[key] = wrap(FUNCTIONS["list_new"]([])) if _kind(value) is list else KINDS[type_of(value)](value)
        self.made.add(key)

    def _unfit(self, value: Any) -> Exception:
        return self.refused(
            f"gets a {getattr(value, 'stands_for', type_of(value)).__name__} under a tensor condition or in a tensor loop, where "
            "its values can be tensors, numbers, strings, None, tuples of these, and new lists and empty dicts and sets without "
            "a name",
            "put it in before the condition or loop, and change what it holds there",
        )

    def _put_number(self, key: Any, value: Any, absent: bool) -> None:
        from to_static.jit.jst.branch import if_

        self.inserts += 1
        if type(value) is list or (isinstance(value, TensorList) and value.stands_for is list):
            put(self, key, value, absent)
            return
        kinds = self._kinds(NOTHING, value)
        if None in kinds or self.grouped:
            what = f"gets a {type(value).__name__} under a number that tensors decide"
            raise self.refused(what, "one for every number before, `d = {k: set() for k in range(10)}`, and `d[k].add(x)`")
        if len(kinds) > 1 or not isinstance(kinds[0], Leaf):
            widen(self.contents, kinds)
        place = False if absent else self.find(key)
        if place is False:
            self.add_number(key, value)
        else:
            at = FUNCTIONS["maximum"](place, 0)
            if_(
                FUNCTIONS["greater_equal"](place, 0), lambda: self.contents.set_item(at, value), lambda: self.add_number(key, value)
            )

    def add_number(self, key: Any, value: Any) -> None:
        """Add a number that is not there."""
        lose(self, borrowed=True)
        self.numbers.append(key)
        self.contents.append(value)

    def take_out(self, key: Any) -> None:
        """Take out a key that is there."""
        self.removals += 1
        if self.is_number(key):
            if self.grouped:
                take_out(self, key)
            place = self.find(key)
            self.numbers.take_out(place)
            self.contents.take_out(place)
            return
        if key in self.made:
            raise self.refused(f"loses {key!r}, whose list was made under a tensor condition or in a tensor loop", "clear the list")
        if key in self.sure:
            self.widened(lambda: self.sure.discard(key))
        self.assumed.discard(key)
        self.cells[key].clear()
        if self.order is not None:
            self.order.take_out(FUNCTIONS["list_find"](self.order, constant(self.slots.index(key), int64)))

    def clear(self) -> None:
        """Take out everything."""
        for key in list(self.cells):
            if self.present(key) is not False:
                self.take_out(key)
        lose(self)
        for items in (self.numbers, self.contents, self.members, self.owners):
            items.clear()
        self.removals += 1

    def empty(self) -> Any:
        """A table without entries, of the same kind."""
        return type(self)(self.stands_for)

    def take_all(self, other: Table) -> None:
        """Put in all entries of another table, in their order."""
        from to_static.jit.jst.iterate import for_

        for_(other.entries(), lambda pair: self.put(*pair))

    def duplicate(self, made: Any = None) -> Any:
        """Another table of the same entries: ``made``, an empty one, or of the same kind."""
        made = self.empty() if made is None else made
        vars(made).update(
            cells={key: cell.copy() for key, cell in self.cells.items()}, fixed=dict(self.fixed), made=set(self.made),
            sure=set(self.sure), assumed=set(self.assumed), slots=list(self.slots), numbers=self.numbers.copy(),
            contents=self.contents.copy(), order=None if self.order is None else self.order.copy(),
            members=self.members.copy(), owners=self.owners.copy(), grouped=self.grouped,
            seen={key: list(kinds) for key, kinds in self.seen.items()},
        )  # fmt: skip
        return made

    def copy(self, made: Any = None) -> Any:
        """``d.copy()``, or ``made``, an empty table, with the same entries."""
        if self.grouped:
            rewrite = "copies of the lists, too: `{k: list(v) for k, v in d.items()}`"
            raise self.refused("is copied, and both would have the same lists", rewrite)
        made = self.duplicate(made)
        made.made = set()  # these go on belonging to this one
        return made

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> Any:
        if self.fixed:
            raise self.refused("is copied with what it holds", "copy its parts: `{k: v for k, v in d.items()}`")
        return self.duplicate()

    def __contains__(self, key: Any) -> Any:
        return chosen(self.present, key)

    def __len__(self) -> Any:  # type: ignore[override]
        return self.size()

    def fill(self, entries: Iterable[tuple[Any, Any]], source: Any = None) -> Any:
        """Put in these, which ``source`` has, and give it back."""
        self.source = source
        for key, value in entries:
            self.put(key, value)
        self.source = None
        return self


def _not(value: Any) -> Any:
    return number(FUNCTIONS["logical_not"](value)) if isinstance(value, Tensor) else not value


def _kind(value: Any) -> type:
    return value.stands_for if isinstance(value, TensorList) else type_of(value)


def _has_names(value: Any, apart: Any = None) -> bool:
    from to_static.jit.jst.owners import has_other_names

    return has_other_names(value, apart=apart)
