"""`Rows`: a list of the Program whose items are tuples, strings, None, or values of several kinds.

Each kind of item is taken apart into tensors and numbers (its leaves). Every leaf has a list of its own, and one more list says
which kind an item is of; where it is of another kind, the leaves hold filler that nothing reads. A list becomes one when it is
given an item that a `TensorList` can't hold. In a block that must happen around it, where the list lives: `Widens`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from to_static.core.dtypes import int64
from to_static.core.errors import TracedValueError, TranslationError
from to_static.core.expressions import quoted
from to_static.ir import mode
from to_static.ir.number import number
from to_static.ir.registry import FUNCTIONS
from to_static.ir.spec import ListSpec, TensorSpec
from to_static.ir.tensor import Tensor
from to_static.jit.jst.joined import from_list, kept_in_list
from to_static.jit.jst.kinds import (
    LIMIT,
    Const,
    Leaf,
    Made,
    alike,
    apart,
    as_item,
    held,
    joined_kinds,
    kind_of,
    kinds_of,
    layout,
    place_of,
    refused_item,
    together,
)
from to_static.jit.jst.levels import Back
from to_static.jit.jst.lists import TensorList, list_methods, wrap
from to_static.jit.jst.traced import as_place, constant, failure


class Widens(Back):
    """``items`` (of a block around this one) is to hold items of these ``kinds`` as well."""

    def __init__(self, items: TensorList, kinds: list[Any]) -> None:
        self.items = items
        self.kinds = kinds


class Rows(TensorList):
    """See above. ``kinds`` are those of its items; ``columns``: the list of their numbers, then one list for each leaf."""

    __slots__ = ()

    @staticmethod
    def made(kinds: list[Any], columns: list[Any]) -> Rows:
        """The list of these columns."""
        rows = Rows.__new__(Rows)
        first = columns[0]
        rows.builder, rows.frame, rows.persistable = first.builder, first.frame, False
        rows._name = rows._stop_gradient = rows.holds = None
        rows.kinds, rows.columns = list(kinds), list(columns)
        return rows

    @staticmethod
    def empty(kinds: list[Any]) -> Rows:
        """A list without items."""
        columns = (_WHICH, *layout(kinds)[0])
        return Rows.made(kinds, [wrap(FUNCTIONS["list_new"]([]), leaf.number or Tensor) for leaf in columns])

    @property
    def main(self) -> TensorList:
        """A list of the Program that is as long."""
        return self.columns[0]

    @property
    def spec(self) -> Any:
        return self.columns[0].spec

    @property
    def ssa(self) -> Any:  # type: ignore[override]
        """Not there: it is no one value of the Program."""
        what = held(self.kinds)
        if what == "tuples":
            rewrite = "take the tensors out: `paddle.stack([i[0] for i in items])`"
        elif what == "tensors of several dtypes or ranks":
            rewrite = "make them alike: `items.append(x.reshape([-1]))`"
        else:
            rewrite = "return the list as it is, and go on with it outside of the static function"
        raise failure(
            TracedValueError,
            f"a list of {what} that changes under a tensor condition or in a tensor loop stands{quoted()} where a list of tensors "
            "of one kind is needed",
            rewrite,
        )

    def _become(self, new: Any) -> Rows:
        for mine, other in zip(self.columns, conform(new, self.kinds).columns, strict=True):
            mine._become(other)
        return self

    def _each(self, item: Any, change: Callable[[Any, Any], Any]) -> None:
        """``change(column, value)`` for every column and what an item puts there."""
        from to_static.jit.jst.chosen import chosen

        item = as_item(item)
        found = kinds_of(item)
        if None in found:
            raise refused_item(item)
        widen(self, found)

        def put(option: Any) -> None:
            own = place_of(self.kinds, kind_of(option))
            columns, places = layout(self.kinds)
            mine = dict(zip(places[own], apart(option, self.kinds[own]), strict=True))  # type: ignore[index]
            values = [mine[i] if i in mine else _filler(leaf) for i, leaf in enumerate(columns)]
            for column, value in zip(self.columns, [constant(own, int64), *values], strict=True):
                column._become(change(column, kept_in_list(value)))

        chosen(put, item)

    def _put_together(self, which: Any, leaves: list[Any]) -> Any:
        from to_static.jit.jst.choice import Choice

        held = zip(leaves, layout(self.kinds)[0], strict=True)
        values = [from_list(x) if leaf.number is None else number(x) for x, leaf in held]
        return together(self.kinds, values, lambda options: Choice(which, options))

    def append(self, item: Any) -> None:
        """Add ``item`` at the end."""
        self._each(item, lambda column, value: FUNCTIONS["list_append"](column, value))

    def insert(self, index: Any, item: Any) -> None:
        """Put ``item`` before position ``index``, or at the nearest end."""
        place = as_place(list_methods().bounded(self, index))
        self._each(item, lambda column, value: FUNCTIONS["list_insert"](column, place, value))

    def set_item(self, index: Any, item: Any) -> None:
        """``self[index] = item`` for one index."""
        place = as_place(index)
        self._each(item, lambda column, value: FUNCTIONS["list_set"](column, place, value))

    def compared(self) -> list[TensorList] | None:
        """The lists of what is compared of its items, one after the other; None where they are of several kinds."""
        first = self.kinds[0]
        if len(self.kinds) > 1 or not isinstance(first, Made) or not issubclass(first.type, tuple):
            return None
        return [self.columns[i + 1] for i in layout(self.kinds)[1][0]] or None

    def elements(self) -> Rows:
        """Another list of the same items."""
        return Rows.made(self.kinds, [column.copy() for column in self.columns])

    def clear(self) -> None:
        """Remove all items."""
        for column in self.columns:
            column.clear()

    def take_out(self, index: Any) -> Any:
        """Remove and return the item at ``index``."""
        place = as_place(index)
        pairs = [FUNCTIONS["list_pop"](column, place) for column in self.columns]
        for column, (rest, _) in zip(self.columns, pairs, strict=True):
            column._become(rest)
        return self._put_together(pairs[0][1], [x for _, x in pairs[1:]])

    def item(self, index: Any) -> Any:  # type: ignore[override]
        """The item at ``index``, which is there."""
        place = as_place(index)
        which, *leaves = [FUNCTIONS["list_get"](column, place) for column in self.columns]
        return self._put_together(which, leaves)

    def is_spelled(self) -> bool:
        """Its kinds are of many forms."""
        return False

    def __repr__(self) -> str:
        return f"<list of {len(self.kinds)} kinds of items>"


_WHICH = Leaf(int, int64, ())


def _filler(leaf: Leaf) -> Any:
    return constant(0, leaf.dtype, leaf.shape)


def rows_of(items: list[Any]) -> Rows:
    """The `Rows` that holds the items of a Python list."""
    kinds: list[Any] = []
    for item in items:
        kinds = joined_kinds(kinds, kinds_of(item))
    made = Rows.empty(kinds)
    for item in items:
        made.append(item)
    return made


def kinds_in(items: TensorList) -> list[Any]:
    """The kinds of items of a list of the Program."""
    if isinstance(items, Rows):
        return items.kinds
    element = items.spec.element
    return [] if element is None else [Leaf(None if items.holds in (None, Tensor) else items.holds, element.dtype, element.shape)]


def widen(items: TensorList, kinds: list[Any]) -> None:
    """Let a list of the Program hold items of these kinds as well; raises `Widens` for one of a block around this one."""
    mine = kinds_in(items)
    missing = joined_kinds(mine, kinds)[len(mine) :]
    if not missing and isinstance(items, Rows):
        return
    if len(mine) + len(missing) > LIMIT:
        new = missing[-1]
        if isinstance(new, Const) and callable(new.value):  # another one in every trip
            raise refused_item(new.value)
        raise failure(
            TranslationError,
            f"a list that changes under a tensor condition or in a tensor loop is given{quoted()} items of more than {LIMIT} kinds",
            "tensors of one dtype and number of dimensions",
        )
    if items.frame is not mode.state.mode.frame:
        raise Widens(items, kinds)
    if not isinstance(items, Rows):
        which = _filled(items, constant(0, int64))
        which.holds = int
        items.columns, items.kinds = [which, *([items.copy()] if mine else [])], mine
        items.__class__ = Rows
    items.kinds = mine + missing
    items.columns += [_column(items, leaf) for leaf in layout(items.kinds)[0][len(items.columns) - 1 :]]


def _column(items: TensorList, leaf: Leaf) -> Any:
    made = _filled(items, _filler(leaf))
    made.holds = leaf.number or Tensor
    return made


def _filled(items: TensorList, value: Any) -> Any:
    """A list as long as ``items`` that holds this value everywhere."""
    from to_static.jit.jst.casts import len_
    from to_static.jit.jst.iterate import for_
    from to_static.jit.jst.ranges import range_

    made = wrap(FUNCTIONS["list_new"]([]))
    if items.spec.element is None:
        return made

    def add(_: Any, made: Any) -> Any:
        made.append(value)
        return made

    return for_(range_(len_(items)), add, made)


def conform(items: Any, kinds: list[Any]) -> Rows:
    """A list of the same items that has these kinds (and no others), in this order."""
    if not isinstance(items, TensorList):
        items = rows_of(items)
    made: Any = items.copy()
    mine = kinds_in(made)
    if all(alike(a, b) for a, b in zip(mine, kinds, strict=False)):
        widen(made, kinds)
        return made  # type: ignore[no-any-return]
    made = Rows.empty(kinds)
    made.extend(items)
    return made  # type: ignore[no-any-return]


class RowsTree:
    """`Rows` to be: the trees of its columns (see `trees`)."""

    __slots__ = ("columns", "kinds")

    def __init__(self, kinds: list[Any], columns: list[Any]) -> None:
        self.kinds = kinds
        self.columns = columns


def column_specs(kinds: list[Any]) -> list[ListSpec]:
    """The specs of the columns, once there are items."""
    return [ListSpec(TensorSpec(leaf.shape, leaf.dtype)) for leaf in (_WHICH, *layout(kinds)[0])]
