"""Dicts and sets that are written out or made of other things, where tensors decide the keys."""

from __future__ import annotations

import builtins
import collections
from typing import Any

from to_static.core.namespace import type_of
from to_static.ir.number import Number
from to_static.jit.jst.branch import if_
from to_static.jit.jst.choice import Choice, select
from to_static.jit.jst.chosen import over
from to_static.jit.jst.collect import collected
from to_static.jit.jst.counted import Counted
from to_static.jit.jst.items import at, with_any_key
from to_static.jit.jst.iterate import UNROLLED, for_, members_of, view_of
from to_static.jit.jst.lists import TensorList
from to_static.jit.jst.table_dicts import DictTable
from to_static.jit.jst.table_sets import SetTable
from to_static.jit.jst.traced import is_traced


def is_late_key(key: Any) -> bool:
    """Whether only the Program knows which key it is; tensors are keys by their identity."""
    return isinstance(key, Number) or type(key) is Choice


SEVERAL = "**"  # no parameter has a name that begins so


class Merged:
    """The place of ``**entries`` among the entries of a display."""

    def __init__(self, entries: Any) -> None:
        self.entries = entries


def merged(entries: Any) -> Merged:
    """``**entries`` in a display of a dict."""
    return Merged(entries)


def dict_display(*entries: Any) -> Any:
    """``{key: value, **others}``, from pairs and what `merged` made."""
    for i, entry in enumerate(entries):
        if type(entry) is Merged and type(entry.entries) is Choice:
            return select(entry.entries, lambda option: dict_display(*entries[:i], Merged(option), *entries[i + 1 :]))  # noqa: B023
    made: Any = {}
    for entry in entries:
        others = entry.entries if type(entry) is Merged else None
        if isinstance(made, dict) and (isinstance(others, DictTable) if others is not None else is_late_key(entry[0])):
            made = _table(made)
        if others is not None:
            made.update(others)
        else:
            made[entry[0]] = entry[1]
    return made


def keywords(entries: Any) -> Any:
    """``**entries`` in a call, whose names have to be known; `spread` calls with each of several such."""
    for option in entries.options if type(entries) is Choice else [entries]:
        if isinstance(option, DictTable) and not option.keys().known:
            raise option.refused("is spread by ** in a call", "name the arguments: `f(x, scale=d.get('scale', 1.0))`")
    return {f"{SEVERAL}{id(entries)}": entries} if type(entries) is Choice else entries


def _table(items: dict[Any, Any]) -> DictTable:
    made = DictTable(dict)
    made.update(items)
    return made


def put_entry(made: Any, key: Any, value: Any) -> Any:
    """``made`` with one more entry: a dict that may have to become one of the Program."""
    if type_of(made) is dict and is_late_key(key):
        made = with_any_key(made)
    at(made)[key] = value
    return made


def put_member(made: Any, item: Any) -> Any:
    """The same for a member of a set."""
    if type(made) is set and is_late_key(item):
        made = with_any_key(made)
    made.add(item)
    return made


def dict_of(function: Any, iterable: Any, test: Any = None) -> Any:
    """``{key: value for item in iterable if test(item)}``, where ``function(item)`` gives both."""
    return _filled({}, function, iterable, test, lambda made, pair: put_entry(made, *pair))


def set_of(function: Any, iterable: Any, test: Any = None) -> Any:
    """``{function(item) for item in iterable if test(item)}``"""
    return _filled(set(), function, iterable, test, put_member)


def _filled(made: Any, function: Any, iterable: Any, test: Any, put: Any) -> Any:
    def body(item: Any, made: Any) -> Any:
        add = lambda m: put(m, function(item))  # noqa: E731
        return add(made) if test is None else if_(test(item), add, None, made)

    if isinstance(iterable, Counted) and iterable.is_known and iterable.length <= UNROLLED:
        iterable = list(iterable)
    return for_(iterable, body, made)


def _is_late(items: Any) -> bool:
    """Whether only the Program knows how many items there are, or what they are."""
    return isinstance(items, (TensorList, Counted)) or view_of(members_of(items)) is not None


def _is_late_pair(pair: Any) -> bool:
    return is_traced(pair) or (isinstance(pair, (tuple, list)) and len(pair) > 0 and is_late_key(pair[0]))


@over
def dict_(*args: Any, **kwargs: Any) -> Any:
    """``dict``"""
    if len(args) == 1:
        given = args[0] if hasattr(args[0], "keys") else collected(args[0])
        given = given if hasattr(given, "keys") or _is_late(given) else list(given)
        if _is_late(given) or (type(given) is list and any(map(_is_late_pair, given))):
            made = _table({})
            if isinstance(given, DictTable) and not given.grouped:
                given.copy(made)
                given = ()
            made.update(given, **kwargs)
            return made
        return builtins.dict(given, **kwargs)
    return builtins.dict(*args, **kwargs)


@over
def counter(*args: Any, **kwargs: Any) -> Any:
    """``collections.Counter``"""
    if len(args) == 1 and not hasattr(args[0], "keys"):
        items = collected(members_of(args[0]))
        items = items if _is_late(items) else list(items)
        if _is_late(items) or any(map(is_late_key, items)):
            made = DictTable(collections.Counter)
            made.update(items, **kwargs)
            return made
        return collections.Counter(items, **kwargs)
    if len(args) == 1 and isinstance(args[0], DictTable):
        made = DictTable(collections.Counter)
        made.update(*args, **kwargs)
        return made
    return collections.Counter(*args, **kwargs)


@over
def from_keys(keys: Any, value: Any = None) -> Any:
    """``dict.fromkeys``"""
    return dict_of(lambda key: (key, value), members_of(keys))


def set_display(*items: Any) -> Any:
    """``{a, b}``"""
    return set_(items)


@over
def set_(*args: Any) -> Any:
    """``set``"""
    if len(args) != 1 or isinstance(args[0], (set, frozenset)):
        return builtins.set(*args)
    items = collected(members_of(args[0]))
    if is_traced(items) and not isinstance(items, TensorList):
        return builtins.set(items)
    items = items if _is_late(items) else list(items)
    if _is_late(items) or any(map(is_late_key, items)):
        made = SetTable(set)
        made.update(items)
        return made
    return builtins.set(items)
