"""Special methods of the user's classes that Python calls by itself: `__bool__`, `__len__`, `__iter__`, ... are translated, too."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from types import FunctionType, MethodType
from typing import Any

from to_static.core.namespace import type_of
from to_static.ir import mode
from to_static.jit.contents import is_users
from to_static.jit.jst.catching import check
from to_static.jit.jst.counted import Counted
from to_static.jit.jst.text import Text
from to_static.jit.jst.traced import is_traced

_COUNTS = frozenset(["list_len", "shape", "size"])  # operators whose numbers are never negative
_PLAIN = frozenset([bool, int, float, str, list, dict, tuple, set, type(None)])


def asked(value: Any) -> Any:
    """What Python takes the truth of: ``value``, or what its class says."""
    if type_of(value) in _PLAIN or is_traced(value):
        return value
    if isinstance(value, Counted) and not value.once:
        return value.size > 0
    if type(value) is Text:
        return value.size(exact=False) > 0
    method = special(value, "__bool__")
    if method is not None:
        answer = method()
        kind = getattr(answer, "python_type", None) if is_traced(answer) else type(answer)
        if kind is not bool:
            raise TypeError(f"__bool__ should return bool, returned {'Tensor' if kind is None else kind.__name__}")
        return answer
    if not hasattr(type(value), "__bool__"):
        method = special(value, "__len__")
    return value if method is None else length(method()) > 0


def length(found: Any) -> Any:
    """What a ``__len__`` gave, as `len` takes it."""
    if is_traced(found) and getattr(found, "python_type", None) is int:
        made_by = found.ssa.op
        if made_by is None or made_by.opdef.name not in _COUNTS:
            check(found >= 0, ValueError("__len__() should return >= 0"))
        return found
    known = operator.index(found)
    if known < 0:
        raise ValueError("__len__() should return >= 0")
    return known


def special(value: Any, name: str) -> Any:
    """The method of this name, translated; None where the class has none that is written in Python."""
    method = getattr(type(value), name, None)
    if not isinstance(method, FunctionType) or is_traced(value) or not mode.building():
        return None
    return mode.state.mode.translate(MethodType(method, value))


def iterated(value: Any) -> Any:
    """What a loop takes the items of: ``value``, or what its class's ``__iter__`` gives, which Python would refuse by index."""
    method = _iter_of(value)
    if method is None:
        return value
    made = method()
    own = getattr(type(made), "__next__", None)
    return _one_by_one(made) if isinstance(own, FunctionType) or (own is not None and made is value) else made


def _one_by_one(iterator: Any) -> Iterator[Any]:
    """The items of an iterator that was asked for itself already."""
    while True:
        try:
            item = next(iterator)
        except StopIteration:
            return
        yield item


def iterator_of(value: Any) -> Any:
    """What the ``__iter__`` of the user's class gives; ``value`` where it has none."""
    method = _iter_of(value)
    return value if method is None else method()


def _iter_of(value: Any) -> Any:
    return special(value, "__iter__") if is_users(type(value)) else None
