"""How a loop carries a variable of several kinds: None and a tensor, a string and another, tuples of different lengths."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from typing import Any

from to_static.core.dtypes import int64
from to_static.core.namespace import type_of
from to_static.ir import mode
from to_static.ir.registry import FUNCTIONS
from to_static.ir.spec import TensorSpec
from to_static.ir.tensor import Tensor
from to_static.jit.jst.alternatives import alternatives, limit_of, plain, settled, unnumbered, which
from to_static.jit.jst.branch import if_
from to_static.jit.jst.carried_lists import ListCarry
from to_static.jit.jst.carry import Carry
from to_static.jit.jst.kinds import Leaf, joined_kinds, kind_of, kinds_of
from to_static.jit.jst.lists import TensorList
from to_static.jit.jst.objects import Object, can_be_shared, is_object
from to_static.jit.jst.rows import column_specs, kinds_in
from to_static.jit.jst.text import Text
from to_static.jit.jst.traced import constant, is_number, is_numeric, python_type
from to_static.jit.jst.trees import Chosen, parts, rebuild, same, shape_of
from to_static.jit.jst.tuples import TensorTuple

DEEPEST = 8  # containers in one another; each trip of `out = (out, x)` makes one more
FILLER = object()  # a value that nobody reads
Known = Callable[[Any], bool]


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
    """An option that is a list of the Program whose items are of these ``kinds``."""

    __slots__ = ("kinds",)

    def __init__(self, kinds: list[Any]) -> None:
        self.kinds = kinds

    def holds(self, value: Any) -> bool:
        """Whether it carries ``value``."""
        return _is_listed(value) and len(joined_kinds(self.kinds, _kinds_in(value))) == len(self.kinds)

    @property
    def specs(self) -> list[Any]:
        """Those of the lists that carry it: None for one that is always empty."""
        made = column_specs(self.kinds)
        return made if ListCarry.of(self.kinds).kinds is not None else made[1:] or [None]


class Built:
    """An option that is a container like ``like``, or an object that trips make, whose items are of several kinds themselves."""

    __slots__ = ("items", "like")

    def __init__(self, like: Any, items: list[Options]) -> None:
        self.like = like
        self.items = items

    def holds(self, value: Any) -> bool:
        """Whether it carries ``value``."""
        return self.fits(value) and all(
            item.place(x) is not None for item, part in zip(self.items, _inside(value), strict=True) for x in alternatives(part)
        )

    def fits(self, value: Any) -> bool:
        """Whether it could carry ``value``, with more options for the items."""
        return not isinstance(value, Tensor) and _form(value) == _form(self.like)


class Options:
    """What a loop variable of several kinds may be.

    ``result``: it is what a ``return`` in the loop gives, after which nothing of the loop runs; ``own``: it is that, or in an
    object that a trip made, so that lists and dicts may be carried by value. ``depth``: how many containers it is in.
    """

    def __init__(self, result: bool = False, own: bool = False, depth: int = 0) -> None:
        self.entries: list[Any] = []
        self.depth = depth
        self.result = result
        self.own = own or result

    def place(self, value: Any) -> int | None:
        """The entry that holds ``value``, or None."""
        found = [i for i, entry in enumerate(self.entries) if entry.holds(value)]
        return next((i for i in found if type(self.entries[i]) is Const), found[0] if found else None)

    def _add(self, value: Any, known: Known) -> bool:
        """Make room for one alternative; False when it can't be carried."""
        made = self._entry(value, known)
        if made is not None:
            self.entries.append(made)
        return made is not None and len(self.entries) <= limit_of([_like(entry) for entry in self.entries])

    def take(self, value: Any, known: Known) -> bool | None:
        """Make room for all that ``value`` may be: True when that was news, None when it can't be carried.

        ``known`` tells which objects are there before the loop: such a one stays the object that it is.
        """
        news = False
        for x in alternatives(value):
            place = self.place(x)
            stays = self._stays(x, known)
            if place is None or (stays and type(self.entries[place]) is not Const):
                wider = None if stays else next((e for e in self.entries if isinstance(e, Built) and e.fits(x)), None)
                if wider is None:
                    fits = self._widened(x) or self._add(x, known)
                else:
                    fits = all(item.take(part, known) is not None for item, part in zip(wider.items, _inside(x), strict=True))
                if not fits:
                    return None
                news = True
        return news

    def _stays(self, value: Any, known: Known) -> bool:
        """Whether this is an object from before the loop; nothing of the loop sees a list or dict that it returns."""
        return (_is_one(value) or (self.result and type_of(value) in (list, dict))) and known(value)

    def _widened(self, value: Any) -> bool:
        """Whether a constant number or list of items became one of the Program, to carry another of its type."""
        for i, entry in enumerate(self.entries):
            if self.own and _is_listed(value) and None not in (kinds := joined_kinds(_carried(entry), _kinds_in(value))):
                self.entries[i] = Listed(kinds)
                return True
            known = isinstance(entry, Const) and is_number(entry.value) and is_numeric(value)
            if known and python_type(entry.value) is python_type(value):
                self.entries[i] = Single(Carry.numbers(python_type(value)))
                return True
        return False

    def _entry(self, value: Any, known: Known) -> Any:
        if is_numeric(value):
            return Const(value) if is_number(value) else Single(Carry.numbers(python_type(value)))
        if isinstance(value, Tensor):
            if isinstance(value.spec, TensorSpec):
                return Single(Carry(value.spec.dtype, value.spec.shape))
            return Listed(_kinds_in(value)) if self.own and _is_listed(value) and not _keeps_lists() else None
        if self._stays(value, known):
            return Const(value)
        if can_be_shared(value) and known(value) and not self.result:
            return None
        items = _inside(value)
        if is_object(value) or (items and isinstance(value, (tuple, Text))) or (self.own and _is_new(value)):
            if self.depth > DEEPEST:
                return None
            inside = self.result and not is_object(value), self.own or is_object(value), self.depth + 1
            made = Built(value, [Options(*inside) for _ in items])
            return None if any(o.take(x, known) is None for o, x in zip(made.items, items, strict=True)) else made
        if plain(value) or (not items and type_of(value) not in (list, dict) and settled(value)):
            return Const(value)
        return None

    @property
    def objects(self) -> bool:
        """Whether it carries objects by what they hold."""
        return any(isinstance(e, Built) and (is_object(e.like) or any(x.objects for x in e.items)) for e in self.entries)

    # tensors of a value ----------------------------------------------------------------------------------------------

    def encode(self, value: Any, tensor: Callable[[Any, Carry], Any], name: str) -> list[Any]:
        """The tensors that carry ``value``: its option's number, if there are several, then those of each entry."""
        if value is FILLER:
            return self.fillers()
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

    def fillers(self) -> list[Any]:
        """As many tensors, for a value that nobody reads."""
        return ([constant(0, int64)] if len(self.entries) > 1 else []) + [x for entry in self.entries for x in _fillers(entry)]

    def _tensors(self, made: list[Any]) -> list[Any]:
        """Those of ``made``, one for each entry, that are for tensors."""
        return [x for x, entry in zip(made, self.entries, strict=True) if isinstance(entry, Single) and entry.carry.number is None]

    def places(self, tree: Any) -> list[Any]:
        """The slots of the entries for tensors in a tree that `tree` made."""
        return self._tensors(tree.options if len(self.entries) > 1 else [tree])

    def whiches(self, value: Any, which: Callable[[Any], Any]) -> list[Any]:
        """For each entry of a tensor ``which(tensor)`` of the alternative that is the one; None where that gives None."""
        found = [] if value is FILLER else alternatives(value)
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

    def tree(self, slots: Iterator[Any], specs: dict[int, Any]) -> Any:
        """The tree of what the tensors that `encode` gives make, with ``slots`` in their places.

        ``specs`` gets what lists hold that are empty before the loop.
        """
        number = next(slots) if len(self.entries) > 1 else None
        made = [_tree(entry, slots, specs) for entry in self.entries]
        return made[0] if number is None else Chosen(number, made)


def _is_one(value: Any) -> bool:
    """Whether this is something that keeps its identity, and no container that is copied for a trip."""
    return is_object(value) or isinstance(value, types.FunctionType)


def _inside(value: Any) -> list[Any]:
    return list(vars(value).values()) if is_object(value) else parts(value)


def _form(value: Any) -> Any:
    return (type(value), tuple(vars(value))) if is_object(value) else shape_of(value)


def _is_new(value: Any) -> bool:
    return type_of(value) in (list, dict) and not mode.state.mode.outlives(value)


def _is_listed(value: Any) -> bool:
    return type(value) is list or (isinstance(value, TensorList) and not isinstance(value, TensorTuple))


def _kinds_in(items: Any) -> list[Any]:
    if isinstance(items, TensorList):
        return kinds_in(items)
    kinds: list[Any] = []
    for item in items:
        kinds = joined_kinds(kinds, kinds_of(item))
    return kinds


def _carried(entry: Any) -> list[Any]:
    """The kinds of the items of the list that an entry carries; [None] where it is something else."""
    if isinstance(entry, Listed):
        return entry.kinds
    if not isinstance(entry, Built) or type(entry.like) is not list:
        return [None]
    kinds: list[Any] = []
    for x in (inner for item in entry.items for inner in item.entries):
        single = isinstance(x, Single)
        kinds = joined_kinds(kinds, [Leaf(x.carry.number, x.carry.dtype, x.carry.shape) if single else kind_of(_like(x))])
    return kinds


def _like(entry: Any) -> Any:
    return entry.value if isinstance(entry, Const) else getattr(entry, "like", [])


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
        return ListCarry.of(entry.kinds).tensors(value, name)
    return [x for item, part in zip(entry.items, _inside(value), strict=True) for x in item.encode(part, tensor, name)]


def _fillers(entry: Any) -> list[Any]:
    """What stands for an entry that a value is not."""
    if isinstance(entry, Const):
        return []
    if isinstance(entry, Single):
        return [constant(0, entry.carry.dtype, entry.carry.shape)]
    if isinstance(entry, Listed):
        return [FUNCTIONS["list_new"]([]) for _ in entry.specs]
    return [x for item in entry.items for x in item.fillers()]


def _tree(entry: Any, slots: Iterator[Any], specs: dict[int, Any]) -> Any:
    if isinstance(entry, Const):
        return entry.value
    if isinstance(entry, Built):
        items = [item.tree(slots, specs) for item in entry.items]
        if not is_object(entry.like):
            return rebuild(entry.like, items)
        made = Object(type(entry.like))
        made.content.update(zip(vars(entry.like), items, strict=True))
        return made
    if isinstance(entry, Listed):
        own = entry.specs
        return ListCarry.of(entry.kinds).placed([next(slots) for _ in own], own[0], specs)
    slot = next(slots)
    slot.number = entry.carry.number is not None
    return slot
