"""How a loop carries a variable of several kinds: None and a tensor, a string and another, tuples of different lengths."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from to_static.core.dtypes import int64
from to_static.ir import mode
from to_static.ir.registry import FUNCTIONS
from to_static.ir.spec import TensorSpec
from to_static.ir.tensor import Tensor
from to_static.jit.jst.alternatives import LIMIT, alternatives, plain, settled, unnumbered, which
from to_static.jit.jst.branch import if_
from to_static.jit.jst.carried_lists import listed
from to_static.jit.jst.carry import Carry
from to_static.jit.jst.lists import TensorList
from to_static.jit.jst.rows import Rows
from to_static.jit.jst.text import Text
from to_static.jit.jst.traced import constant, is_number, is_numeric, python_type
from to_static.jit.jst.trees import Chosen, parts, rebuild, same, shape_of
from to_static.jit.jst.tuples import TensorTuple


class Const:
    """An option that is one Python value."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def holds(self, value: Any) -> bool:
        """Whether it carries ``value``."""
        return not isinstance(value, Tensor) and same(self.value, value)


class Single:
    """An option that is a tensor or a number, carried as ``carry`` says."""

    __slots__ = ("carry",)

    def __init__(self, carry: Carry) -> None:
        self.carry = carry

    def holds(self, value: Any) -> bool:
        """Whether it carries ``value``."""
        if is_numeric(value):
            return self.carry.number is python_type(value)
        if not isinstance(value, Tensor) or not isinstance(value.spec, TensorSpec):
            return False
        return (self.carry.number, self.carry.dtype, len(self.carry.shape)) == (None, value.spec.dtype, value.spec.ndim)


class Listed:
    """An option that is a list of the Program, of what ``held`` says."""

    __slots__ = ("held",)

    def __init__(self, held: Any) -> None:
        self.held = held

    def holds(self, value: Any) -> bool:
        """Whether it carries ``value``."""
        return _is_listed(value) and value.holds is self.held


class Built:
    """An option that is a container like ``like``, whose items are of several kinds themselves."""

    __slots__ = ("items", "like")

    def __init__(self, like: Any, items: list[Options]) -> None:
        self.like = like
        self.items = items

    def holds(self, value: Any) -> bool:
        """Whether it carries ``value``."""
        return self.fits(value) and all(
            item.place(x) is not None for item, part in zip(self.items, parts(value), strict=True) for x in alternatives(part)
        )

    def fits(self, value: Any) -> bool:
        """Whether it could carry ``value``, with more options for the items."""
        return not isinstance(value, Tensor) and shape_of(value) == shape_of(self.like)


class Options:
    """What a loop variable of several kinds may be.

    ``own``: nobody else sees it, so that lists and dicts may be carried by value.
    """

    def __init__(self, own: bool = False) -> None:
        self.entries: list[Any] = []
        self.own = own

    def place(self, value: Any) -> int | None:
        """The entry that holds ``value``, or None."""
        return next((i for i, entry in enumerate(self.entries) if entry.holds(value)), None)

    def _add(self, value: Any) -> bool:
        """Make room for one alternative; False when it can't be carried."""
        made = self._entry(value)
        if made is not None:
            self.entries.append(made)
        return made is not None and len(self.entries) <= LIMIT

    def take(self, value: Any) -> bool | None:
        """Make room for all that ``value`` may be: True when that was news, None when it can't be carried."""
        news = False
        for x in alternatives(value):
            if self.place(x) is None:
                wider = next((entry for entry in self.entries if isinstance(entry, Built) and entry.fits(x)), None)
                if wider is None:
                    fits = self._widened(x) or self._add(x)
                else:
                    fits = all(item.take(part) is not None for item, part in zip(wider.items, parts(x), strict=True))
                if not fits:
                    return None
                news = True
        return news

    def _widened(self, value: Any) -> bool:
        """Whether a constant number became one of the Program, to carry another number of its type."""
        for i, entry in enumerate(self.entries):
            known = isinstance(entry, Const) and is_number(entry.value) and is_numeric(value)
            if known and python_type(entry.value) is python_type(value):
                self.entries[i] = Single(Carry.numbers(python_type(value)))
                return True
        return False

    def _entry(self, value: Any) -> Any:
        if is_numeric(value):
            return Const(value) if is_number(value) else Single(Carry.numbers(python_type(value)))
        if isinstance(value, Tensor):
            if isinstance(value.spec, TensorSpec):
                return Single(Carry(value.spec.dtype, value.spec.shape))
            return Listed(value.holds) if self.own and _is_listed(value) and not _keeps_lists() else None
        items = parts(value)
        if items and (isinstance(value, (tuple, Text)) or (self.own and _is_new(value))):
            made = Built(value, [Options(self.own) for _ in items])
            return None if any(o.take(x) is None for o, x in zip(made.items, items, strict=True)) else made
        if plain(value) or (not items and type(value) not in (list, dict) and settled(value)):
            return Const(value)
        return None

    # tensors of a value ----------------------------------------------------------------------------------------------

    def encode(self, value: Any, tensor: Callable[[Any, Carry], Any], name: str) -> list[Any]:
        """The tensors that carry ``value``: its option's number, if there are several, then those of each entry."""
        found = alternatives(value)
        places = [self.place(x) for x in found]
        made = [which(value, places)] if len(self.entries) > 1 else []  # type: ignore[arg-type]
        for i, entry in enumerate(self.entries):
            mine = [j for j, p in enumerate(places) if p == i]
            if not mine:
                made += _fillers(entry)
                continue
            chosen = _tensors(entry, found[mine[0]], tensor, name)
            for j in mine[1:] if chosen else ():
                other = _tensors(entry, found[j], tensor, name)
                chosen = list(if_(value._is(j), lambda other=other: tuple(other), lambda chosen=chosen: tuple(chosen)))
            made += chosen
        return made

    def _tensors(self, made: list[Any]) -> list[Any]:
        """Those of ``made``, one for each entry, that are for tensors."""
        return [x for x, entry in zip(made, self.entries, strict=True) if isinstance(entry, Single) and entry.carry.number is None]

    def places(self, tree: Any) -> list[Any]:
        """The slots of the entries for tensors in a tree that `tree` made."""
        return self._tensors(tree.options if len(self.entries) > 1 else [tree])

    def whiches(self, value: Any, which: Callable[[Any], Any]) -> list[Any]:
        """For each entry of a tensor ``which(tensor)`` of the alternative that is the one; None where that gives None."""
        found = alternatives(value)
        places = [self.place(x) for x in found]
        made = []
        for entry in self._tensors(self.entries):
            mine = [i for i, p in enumerate(places) if self.entries[p] is entry]  # type: ignore[index]
            numbers = [which(found[i]) for i in mine]
            chosen = numbers[0] if numbers else which(None)
            for i, other in zip(mine[1:], numbers[1:], strict=True):
                unknown = chosen is None or other is None
                chosen = None if unknown else FUNCTIONS["where"](value._is(i), other, chosen)
            made.append(chosen)
        return made

    def tree(self, slots: Iterator[Any]) -> Any:
        """The tree of what the tensors that `encode` gives make, with ``slots`` in their places."""
        number = next(slots) if len(self.entries) > 1 else None
        made = [_tree(entry, slots) for entry in self.entries]
        return made[0] if number is None else Chosen(number, made)


def _is_new(value: Any) -> bool:
    return type(value) in (list, dict) and not mode.state.mode.outlives(value)


def _is_listed(value: Any) -> bool:
    return isinstance(value, TensorList) and not isinstance(value, (Rows, TensorTuple))


def _keeps_lists() -> bool:
    """Whether a list of the caller's is one of the Program now: it has to stay that object."""
    builder = mode.state.mode
    return any(builder.outlives(value) for value, _ in builder.lists)


def _tensors(entry: Any, value: Any, tensor: Callable[[Any, Carry], Any], name: str) -> list[Any]:
    if isinstance(entry, Const):
        return []
    if isinstance(entry, Single):
        return [unnumbered(tensor(value, entry.carry))]
    if isinstance(entry, Listed):
        return [listed(value, name)]
    return [x for item, part in zip(entry.items, parts(value), strict=True) for x in item.encode(part, tensor, name)]


def _fillers(entry: Any) -> list[Any]:
    """What stands for an entry that a value is not."""
    if isinstance(entry, Const):
        return []
    if isinstance(entry, Single):
        return [constant(0, entry.carry.dtype, entry.carry.shape)]
    if isinstance(entry, Listed):
        return [FUNCTIONS["list_new"]([])]
    made: list[Any] = []
    for item in entry.items:
        made += [constant(0, int64)] if len(item.entries) > 1 else []
        made += [x for inner in item.entries for x in _fillers(inner)]
    return made


def _tree(entry: Any, slots: Iterator[Any]) -> Any:
    if isinstance(entry, Const):
        return entry.value
    if isinstance(entry, Built):
        return rebuild(entry.like, [item.tree(slots) for item in entry.items])
    slot = next(slots)
    if isinstance(entry, Single):
        slot.number = entry.carry.number is not None
    else:
        slot.holds = entry.held
    return slot
