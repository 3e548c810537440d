"""Dicts, sets and deques that tensors change, made in a branch: what two branches left becomes one, as a new one."""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

from to_static.core.namespace import type_of
from to_static.jit.jst.kinds import joined_kinds
from to_static.jit.jst.queues import Queue
from to_static.jit.jst.rows import kinds_in
from to_static.jit.jst.stands import Stand
from to_static.jit.jst.table_kinds import KINDS
from to_static.jit.jst.tables import Table


class TableTree:
    """A `Table` to be: one like ``like``, with the trees of its lists, of their order and of the objects that it holds."""

    __slots__ = ("cells", "contents", "fixed", "grouped", "like", "members", "numbers", "order", "owners", "seen", "sure")

    def __init__(self, like: Table) -> None:
        self.like = like
        self.cells: dict[Any, Any] = {}
        self.fixed: dict[Any, Any] = {}
        self.order: Any = None
        self.numbers: Any = None
        self.contents: Any = None
        self.members: Any = None
        self.owners: Any = None
        self.grouped = like.grouped
        self.sure = set(like.sure)
        self.seen = {key: list(kinds) for key, kinds in like.seen.items()}

    def filled(self, fill: Callable[[Any], Any]) -> Table:
        """The table, where ``fill`` gives what trees stand for."""
        made = self.like.empty()
        vars(made).update(
            cells={key: fill(tree) for key, tree in self.cells.items()},
            fixed={key: fill(tree) for key, tree in self.fixed.items()},
            slots=list(self.like.slots), order=None if self.order is None else fill(self.order), seen=self.seen, sure=self.sure,
            numbers=fill(self.numbers), contents=fill(self.contents), members=fill(self.members), owners=fill(self.owners),
            grouped=self.grouped,
        )  # fmt: skip
        return made


class QueueTree:
    """A `Queue` to be."""

    __slots__ = ("items", "maxlen")

    def __init__(self, items: Any, maxlen: int | None) -> None:
        self.items = items
        self.maxlen = maxlen

    def filled(self, fill: Callable[[Any], Any]) -> Queue:
        """The queue, where ``fill`` gives what trees stand for."""
        return Queue.holding(fill(self.items), self.maxlen)


def alone(table: Any, only: Callable[[Any], Any]) -> TableTree | QueueTree:
    """The tree of a table that one branch made; ``only`` gives the trees of what exists there."""
    if isinstance(table, Queue):
        return QueueTree(only(table.items), table.maxlen)
    tree = TableTree(table)
    tree.cells = {key: only(cell) for key, cell in table.cells.items()}
    tree.fixed = {key: only(value) for key, value in table.fixed.items()}
    tree.numbers, tree.contents = only(table.numbers), only(table.contents)
    tree.members, tree.owners = only(table.members), only(table.owners)
    tree.order = None if table.order is None else only(table.order)
    return tree


def joinable(a: Any, b: Any) -> bool:
    """Whether one table can take the place of both: of two tables, or of one and a dict or set of Python's."""
    kinds = [value.stands_for if isinstance(value, Stand) else type_of(value) for value in (a, b)]
    same = kinds[0] is kinds[1] and kinds[0] in KINDS
    return same and (kinds[0] is not collections.deque or a.maxlen == b.maxlen)


def together(merge: Any, a: Any, b: Any, name: str) -> TableTree | QueueTree:
    """The tree of what is table ``a`` after one branch and ``b`` after the other."""
    if isinstance(a, Queue) or isinstance(b, Queue):
        first, second = (_as_queue(merge, value, side) for side, value in enumerate((a, b)))
        return QueueTree(merge.lists(first.items, second.items, name), first.maxlen)
    sides = [_as_table(merge, value, side) for side, value in enumerate((a, b))]
    if list(sides[0].cells) != list(sides[1].cells) or sides[0].order is not None or sides[1].order is not None:
        slots = list(dict.fromkeys([*sides[0].slots, *sides[1].slots]))
        sides = [_in_order(merge, table, side, slots) for side, table in enumerate(sides)]
    first, second = sides  # type: ignore[assignment]
    apart = first.grouped is not second.grouped and None not in (first.numbers.spec.element, second.numbers.spec.element)
    if first.fixed.keys() != second.fixed.keys() or apart:
        raise merge.differ(a, b, name)
    tree = TableTree(first)
    tree.sure &= second.sure
    for key, kinds in second.seen.items():
        tree.seen[key] = joined_kinds(tree.seen.get(key, []), kinds)
    tree.cells = {key: merge.lists(cell, second.cells[key], f"{name}[{key!r}]") for key, cell in first.cells.items()}
    tree.fixed = {key: merge.merge(value, second.fixed[key], f"{name}[{key!r}]") for key, value in first.fixed.items()}
    tree.numbers = merge.lists(first.numbers, second.numbers, name)
    tree.contents = merge.lists(first.contents, second.contents, name)
    tree.members, tree.owners = merge.lists(first.members, second.members, name), merge.lists(first.owners, second.owners, name)
    tree.grouped |= second.grouped
    tree.order = None if first.order is None else merge.lists(first.order, second.order, name)
    return tree


def _as_table(merge: Any, value: Any, side: int) -> Table:
    with merge.builder.resume(merge.blocks[side]):
        made = value.duplicate() if isinstance(value, Table) else KINDS[type_of(value)](value)
        for key, cell in made.cells.items():
            made.seen[key] = joined_kinds(made.seen.get(key, []), kinds_in(cell))
        return made  # type: ignore[no-any-return]


def _as_queue(merge: Any, value: Any, side: int) -> Queue:
    with merge.builder.resume(merge.blocks[side]):
        return value.copy() if isinstance(value, Queue) else Queue(value, value.maxlen)


def _in_order(merge: Any, table: Table, side: int, slots: list[Any]) -> Table:
    """The same entries in a table that has these keys by number, and a list of their order."""
    with merge.builder.resume(merge.blocks[side]):
        made = table.empty()
        for key in slots:
            made.add_key(key)
        made.begin_order()
        made.take_all(table)
        made.sure, made.assumed = set(table.sure), set()
        return made
