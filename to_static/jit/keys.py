"""What values are in the key of a Program, and quick checks that they are the same."""

from __future__ import annotations

import operator
import types
from collections.abc import Callable
from typing import Any

from to_static.core.namespace import type_of
from to_static.jit.contents import LIVING, held
from to_static.jit.entry import Entry
from to_static.jit.inside import NOTHING
from to_static.jit.large import Large, is_large
from to_static.jit.watch import plain


def getter(entries: list[Entry]) -> tuple[Any, tuple[Any, ...]]:
    """What takes the values of entries of one namespace out of it, and the values; two at least, so that it makes a tuple."""
    entries = entries * 2 if len(entries) == 1 else entries
    return operator.itemgetter(*[entry.name for entry in entries]), tuple(entry.value for entry in entries)


def content(value: Any, large: Large) -> Callable[[], bool]:
    """Whether an object holds what it holds now."""
    if is_large(value):
        version = large.version(value)
        return lambda: large.version(value) == version
    if type(value) is list:
        items = list(value)
        return lambda: len(value) == len(items) and all(map(operator.is_, value, items))
    if type_of(value) is dict:
        keys, values = list(value), list(value.values())
        return lambda: (
            len(value) == len(keys)
            and all(map(operator.is_, value, keys))
            and all(map(operator.is_, value.values(), values))
        )  # fmt: skip
    key = key_of(value, large)
    return lambda: key_of(value, large) == key


def key_of(value: Any, large: Large) -> Any:
    """Plain values by value, other objects by identity, and what those hold that can change (they are kept alive)."""
    if type(value) is types.FunctionType:
        return id(getattr(value, "__leads_to__", value))
    if type(value) is property:
        return tuple(id(getattr(part, "__leads_to__", part)) for part in (value.fget, value.fset, value.fdel))
    if is_large(value):
        return (id(value), "version", large.version(value))
    if type(value) is list:
        return (id(value), tuple(map(_shallow, value)))
    if type_of(value) is dict:
        return (id(value), tuple(map(_shallow, value)), tuple(map(_shallow, value.values())))
    found = plain(value)
    if found is not NOTHING:
        return found
    if not isinstance(value, LIVING):
        return id(value)
    data, inner = held(value)  # type: ignore[misc]
    return (id(value), data, tuple(map(_shallow, inner)))


def _shallow(value: Any) -> Any:
    found = plain(value)
    return id(value) if found is NOTHING else found
