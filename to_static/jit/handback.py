"""How what a trace returned is made anew by every run: which objects are new, which are the caller's, and which are one.

A `Part` says where a value comes from: ("leaf", i) is leaf ``i`` (see `Traced`), ("given", i) the caller's own ``i``-th
container, ("new", i) the ``i``-th object that the run makes. `Recipes` writes down how these are made, `Run` makes them.
"""

from __future__ import annotations

import array
import collections
import copy
import dataclasses
import enum
import functools
import types
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from to_static.core import site, tree
from to_static.core.errors import TranslationError
from to_static.core.namespace import type_of
from to_static.ir.tensor import Tensor
from to_static.ir.variable import Variable
from to_static.jit.contents import held, is_users
from to_static.jit.fields import fields, set_field
from to_static.nn.layer import Layer


class Part(NamedTuple):
    """Where a value comes from."""

    what: str
    number: int


SIMPLE = Part("leaf", 0)  # a result that is one leaf


class Recipes:
    """Takes values apart. ``leaf(value)`` takes a leaf and gives its number; ``known`` tells objects that are not of this call;
    ``given`` are the containers among the arguments, in order. ``new`` holds how each new object is made."""

    def __init__(self, leaf: Callable[[Any, Recipes], int], known: Callable[[Any], bool], given: list[Any]) -> None:
        self._leaf = leaf
        self._known = known
        self._given = {id(value): i for i, value in enumerate(given)}
        self._numbers: dict[int, int] = {}
        self._kept: list[Any] = []
        self.new: list[Any] = []
        self.uses_given = False
        self.instead: dict[int, Any] = {}  # ids of what stands for objects from outside -> these
        self.where: Any = None  # the function, for errors

    @classmethod
    def of_leaves(cls) -> Recipes:
        """For values that are numbers of leaves."""
        return cls(lambda number, _: number, lambda value: True, [])

    def part(self, value: Any) -> Any:
        """Where ``value`` comes from."""
        value = self.instead.get(id(value), value)
        number = self._given.get(id(value))
        if number is not None:
            self.uses_given = True
            return Part("given", number)
        kind = None if (isinstance(value, Tensor) and not hasattr(type(value), "recipe")) or self._known(value) else _kind(value)
        if kind is None:
            leaf = isinstance(value, Tensor) or _is_later(value) or self._known(value)
            if not leaf and (hasattr(type(value), "__next__") or hasattr(type(value), "stands_for") or self.holds(value)):
                raise _cannot(value, self.where)
            return Part("leaf", self._leaf(value, self))
        number = self._numbers.get(id(value))
        return Part("new", number) if number is not None else self.object(kind, value)

    def object(self, kind: str, value: Any) -> Any:
        """A new object like ``value``."""
        number = self._numbers[id(value)] = len(self.new)
        self._kept.append(value)
        self.new.append(None)
        self.new[number] = self._recipe(kind, value)
        return Part("new", number)

    def _recipe(self, kind: str, value: Any) -> Any:
        part = self.part
        if kind == "tuple":
            return (kind, type(value), tuple(part(x) for x in tuple.__iter__(value)))
        if kind in ("list", "set", "frozenset", "deque"):
            return (kind, getattr(value, "maxlen", None), tuple(part(x) for x in value))
        if kind == "dict":
            how = (type(value), getattr(value, "default_factory", None))
            return (kind, how, tuple((part(k), part(x)) for k, x in value.items()))
        if kind == "function":
            return (kind, value, tuple(part(c.cell_contents) for c in value.__closure__ or ()))
        if kind == "method":
            stands = hasattr(type(value.__self__), "stands_for")  # `items.append` of a list of the Program is that of a list
            return (kind, value.__name__ if stands else value.__func__, part(value.__self__))
        if kind == "partial":
            return (kind, part(value.func), part(value.args), part(value.keywords))
        if kind == "table":
            how, lists = value.recipe()
            return (kind, how, tuple(map(part, lists)))
        if kind == "copy":
            return (kind, copy.copy(value), None)
        if kind == "filled":
            base = base_of(type(value))  # type: ignore[arg-type]
            items = _FILLED[base][0](value)
            made = tuple((part(x[0]), part(x[1])) if issubclass(base, dict) else part(x) for x in items)
            return (kind, type(value), made, tuple((name, part(x)) for name, x in fields(value)))
        return (kind, type(value), tuple((name, part(x)) for name, x in fields(value)))

    def holds(self, value: Any) -> bool:
        """Whether ``value``, or something of this call that it holds, is a tensor of the Program."""
        todo, seen = [value], set()
        while todo:
            item = todo.pop()
            if isinstance(item, Variable) or _is_later(item):
                return True
            if id(item) not in seen and (item is value or not self._known(item)):
                seen.add(id(item))
                todo += (held(item) or (None, []))[1]
        return False

    def makes(self, value: Any) -> bool:
        """Whether every run makes an object like this one."""
        return id(value) in self._numbers

    def finished(self) -> Recipes:
        """Itself, without the values that it was made from."""
        self._kept.clear()
        self._given.clear()
        self._numbers.clear()
        del self._leaf, self._known
        return self

    def leaves(self, part: Any, key: Callable[[int], Any] | None = None) -> Iterator[int]:
        """The numbers of the leaves in a structure, in order; with ``key``, what a leaf stands for, dicts by their sorted keys."""
        what, number = part
        if what == "leaf":
            yield number
        elif what == "new":
            inside = self.new[number][2:]
            if key is not None and self.new[number][0] == "dict":
                names = [key(k.number) if k.what == "leaf" else None for k, _ in inside[0]]
                inside = (tuple(inside[0][i] for i in tree.key_order(names)),)
            yield from self._leaves_of(inside, key)

    def _leaves_of(self, inside: Any, key: Callable[[int], Any] | None) -> Iterator[int]:
        if type(inside) is Part:
            yield from self.leaves(inside, key)
        elif type(inside) is tuple:
            for item in inside:
                yield from self._leaves_of(item, key)


def _is_later(value: Any) -> bool:
    """Whether only the Program knows its value, though it is no tensor."""
    return hasattr(type(value), "known_later")


def _kind(value: Any) -> str | None:
    """Which maker makes a value like this one; None when it is kept as it is."""
    kind: Any = type_of(value)
    if hasattr(kind, "recipe"):
        return "table"
    if isinstance(value, (type, Layer, enum.Enum)):
        return None
    if isinstance(value, tuple):
        return None if (_in_c(kind) and kind is not tuple) or getattr(value, "__dict__", None) else "tuple"
    if base_of(kind) is not None:
        return "filled"
    if kind in (list, set, frozenset, dict):
        return kind.__name__
    if kind in (collections.OrderedDict, collections.defaultdict):
        return "dict"
    if kind is collections.deque:
        return "deque"
    if kind in (np.ndarray, bytearray, array.array) and not getattr(value, "dtype", np.dtype(int)).hasobject:
        return "copy"
    if kind is types.FunctionType:
        return "function" if value.__closure__ and all(c != _EMPTY for c in value.__closure__) else None
    if kind is types.MethodType:
        return "method"
    if kind is functools.partial:
        return "partial"
    return "object" if is_plain_class(kind) and (is_users(kind) or dataclasses.is_dataclass(kind)) else None


@functools.cache
def is_plain_class(kind: Any) -> bool:
    """True for classes whose objects are what their attributes say: no class written in C is among their bases."""
    return all(base is object or not _in_c(base) for base in kind.__mro__) or kind is types.SimpleNamespace


@functools.cache
def base_of(kind: Any) -> Any:
    """The list, dict or set that a class of the user's is made from, where nothing else of it is written in C."""
    bases = [base for base in kind.__mro__ if base is not object and _in_c(base)]
    found = bases[0] if bases and is_users(kind) and not _in_c(kind) else None
    return found if found in _FILLED and set(bases) <= {found, dict} else None


def _update_ordered(value: Any, items: Any) -> None:
    for key, item in items:
        collections.OrderedDict.__setitem__(value, key, item)


_FILLED: dict[Any, tuple[Callable[..., Any], Callable[..., Any]]] = {  # how items are taken out, and put in
    list: (list.__iter__, list.extend), set: (set.__iter__, set.update),
    dict: (dict.items, dict.update), collections.OrderedDict: (collections.OrderedDict.items, _update_ordered),
}  # fmt: skip


def _in_c(kind: type) -> bool:
    return not kind.__flags__ & (1 << 9)  # Py_TPFLAGS_HEAPTYPE: made by a `class` statement


_EMPTY = types.CellType()


def _cannot(value: Any, where: Any) -> Exception:
    kind = getattr(value, "stands_for", type_of(value)).__name__
    moves = hasattr(type(value), "__next__") or hasattr(type(value), "stands_for")
    by = "" if where is None else f" by `{where.function}`"
    holding = "" if moves else " that holds tensors of the Program"
    return TranslationError(
        site.report(
            f"a {kind}{holding} is returned or kept{by}, and can't be made anew by every run",
            where,
            "return or keep `list(...)` of it" if moves else "keep the tensors in a list, dict, dataclass or plain object",
        )
    )


class Run:
    """Makes what a trace left, from the outputs of one run: ``leaf(i, run)`` is a leaf, ``given`` the caller's containers."""

    __slots__ = ("_given", "_leaf", "_made", "_named", "_new")

    def __init__(self, new: list[Any], leaf: Callable[[int, Run], Any], given: list[Any]) -> None:
        self._new = new
        self._leaf = leaf
        self._given = given
        self._made: dict[int, Any] = {}  # new objects by number, leaves by ~number
        self._named: dict[int, Any] = {}  # tensors by the numbers that the Program gives them

    def make(self, part: Any) -> Any:
        """The value of a part; the same part is the same object."""
        what, number = part
        if what == "given":
            return self._given[number]
        if what == "leaf":
            if ~number not in self._made:
                self._made[~number] = self._leaf(number, self)
            return self._made[~number]
        if number in self._made:
            return self._made[number]
        recipe = self._new[number]
        return _MAKERS[recipe[0]](self, number, *recipe[1:])

    def named(self, number: int, value: Any) -> Any:
        """The tensor with this number, of which ``value`` is the value."""
        return self._named.setdefault(number, value)

    def keep(self, number: int, value: Any) -> Any:
        """``value`` is new object ``number``; called before its parts are made, which may lead back to it."""
        self._made[number] = value
        return value


def _tuple(run: Run, number: int, kind: Any, parts: Any) -> Any:
    items = [run.make(x) for x in parts]
    return run.keep(number, tuple.__new__(kind, items))


def _list(run: Run, number: int, limit: None, parts: Any) -> Any:
    value = run.keep(number, [])
    value.extend(map(run.make, parts))
    return value


def _set_of(run: Run, number: int, limit: None, parts: Any) -> Any:
    value = run.keep(number, set())
    value.update(map(run.make, parts))
    return value


def _deque(run: Run, number: int, limit: int | None, parts: Any) -> Any:
    value = run.keep(number, collections.deque(maxlen=limit))
    value.extend(map(run.make, parts))
    return value


def _frozenset(run: Run, number: int, limit: None, parts: Any) -> Any:
    return run.keep(number, frozenset(map(run.make, parts)))


def _dict(run: Run, number: int, how: Any, parts: Any) -> Any:
    kind, factory = how
    value = run.keep(number, kind(factory) if kind is collections.defaultdict else kind())
    value.update((run.make(k), run.make(x)) for k, x in parts)
    return value


def _filled(run: Run, number: int, kind: Any, parts: Any, attributes: Any) -> Any:
    base = base_of(kind)
    value = run.keep(number, base.__new__(kind))
    _FILLED[base][1](value, [(run.make(x[0]), run.make(x[1])) if issubclass(base, dict) else run.make(x) for x in parts])
    for name, part in attributes:
        set_field(value, name, run.make(part))
    return value


def _object(run: Run, number: int, kind: Any, parts: Any) -> Any:
    value = run.keep(number, kind() if kind is types.SimpleNamespace else object.__new__(kind))
    for name, part in parts:
        set_field(value, name, run.make(part))
    return value


def _function(run: Run, number: int, like: Any, parts: Any) -> Any:
    cells = tuple(types.CellType() for _ in parts)
    value = run.keep(number, types.FunctionType(like.__code__, like.__globals__, like.__name__, like.__defaults__, cells))
    value.__kwdefaults__ = like.__kwdefaults__
    vars(value).update(vars(like))
    for cell, part in zip(cells, parts, strict=True):
        cell.cell_contents = run.make(part)
    return value


def _method(run: Run, number: int, method: Any, owner: Any) -> Any:
    owner = run.make(owner)
    return run.keep(number, getattr(owner, method) if isinstance(method, str) else types.MethodType(method, owner))


def _partial(run: Run, number: int, function: Any, args: Any, keywords: Any) -> Any:
    return run.keep(number, functools.partial(run.make(function), *run.make(args), **run.make(keywords)))


def _copy(run: Run, number: int, like: Any, parts: None) -> Any:
    return run.keep(number, copy.copy(like))


def _table(run: Run, number: int, how: Any, parts: Any) -> Any:
    if how[0] is range:
        return run.keep(number, range(*map(run.make, parts)))
    if how[0] is collections.deque:
        return run.keep(number, collections.deque(run.make(parts[0]), how[1]))
    if how[0] == "item":
        table, key = map(run.make, parts)
        return run.keep(number, dict.get(table, key, []))
    kind, factory, keys, fixed, ordered, grouped = how
    value = run.keep(number, kind(factory) if kind is collections.defaultdict else kind())
    order, numbers, contents, *cells = map(run.make, parts) if ordered else ([], *map(run.make, parts))
    if grouped:
        groups: dict[int, list[Any]] = {key: [] for key in numbers}
        for owner, item in zip(contents, cells.pop(0), strict=True):
            groups[owner].append(item)
        contents = groups.values()
    entries = list(zip(numbers, contents, strict=True))
    objects = iter(cells[len(keys) :])
    held = {key: next(objects) if key in fixed else cell[0] for key, cell in zip(keys, cells, strict=False) if cell or key in fixed}
    there = [keys[i] for i in order] if ordered else [key for key, cell in zip(keys, cells, strict=False) if cell]
    entries += [(key, held[key]) for key in there]
    if kind is set:
        value.update(key for key, _ in entries)
    else:
        for key, item in entries:
            value[key] = item
    return value


_MAKERS: dict[str, Any] = {
    "tuple": _tuple, "list": _list, "set": _set_of, "deque": _deque, "frozenset": _frozenset, "dict": _dict, "object": _object,
    "function": _function, "method": _method, "partial": _partial, "copy": _copy, "table": _table, "filled": _filled,
}  # fmt: skip
