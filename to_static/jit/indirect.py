"""Objects of Python's library by which code reads what something else holds: context variables, weak references, views of dicts."""

from __future__ import annotations

import contextvars
import functools
import gc
import threading
import types
import weakref
from collections.abc import Callable, Iterator
from typing import Any

from to_static.jit.entry import MISSING, Entry, kept

_PROXIES = (weakref.ProxyType, weakref.CallableProxyType)


def reached_by(
    value: Any, label: str, names: frozenset[str], parts: Callable[[Any, str], Iterator[Entry]]
) -> Iterator[Entry] | None:
    """What code that mentions ``names`` may read by way of ``value``; None for objects that hold what they hold themselves.

    ``parts(object, label)`` tells what an object holds.
    """
    kind = type(value)
    if kind is contextvars.ContextVar:
        return iter([Entry((id(value), "value"), label, functools.partial(value.get, MISSING), value.set)])
    if kind is types.MappingProxyType:
        return iter([kept((id(value), "mapping"), label, held) for held in gc.get_referents(value)])
    if isinstance(value, threading.local):
        return _of_thread(value, label, names)
    if isinstance(value, weakref.ref):
        return _of_weak(value, label, parts)
    if kind in _PROXIES:
        return _of_weak(weakref.ref(value.__repr__.__self__), label, parts)
    if kind is functools.singledispatchmethod:
        return iter([kept((id(value), "dispatcher"), label, value.dispatcher)])
    return None


def _of_thread(value: Any, label: str, names: frozenset[str]) -> Iterator[Entry]:
    """Attributes that each thread has for itself: a namespace that was looked up is that of one thread."""
    yield kept((id(value), "class"), label, type(value))
    for name in sorted(names):
        if not name.startswith("__"):
            read = functools.partial(_own, value, name)
            yield Entry((id(value), name), f"{label}.{name}", read, functools.partial(setattr, value, name))


def _own(value: Any, name: str) -> Any:
    return vars(value).get(name, MISSING)


def _of_weak(reference: weakref.ref[Any], label: str, parts: Callable[[Any, str], Iterator[Entry]]) -> Iterator[Entry]:
    """The object of a weak reference, which nobody keeps alive by looking into it."""
    yield Entry((id(reference), "alive"), label, lambda: id(reference()))
    value = reference()
    if value is not None:
        yield kept((id(reference), "class"), label, type(value))
        yield from (entry for entry in parts(value, label) if entry.place != (id(value), None))  # which holds the object
