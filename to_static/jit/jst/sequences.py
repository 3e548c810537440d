"""Lists and tuples whose items tensors decide, compared: ``x.shape == [2, 3]`` with unknown dimensions, ``(score, i) > best``."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from to_static.core.namespace import type_of
from to_static.jit.jst.branch import if_
from to_static.jit.jst.casts import bool_
from to_static.jit.jst.choice import Choice
from to_static.jit.jst.chosen import over
from to_static.jit.jst.logic import and_, not_
from to_static.jit.jst.special import special
from to_static.jit.jst.traced import is_traced


def equal(a: Any, b: Any) -> Any:
    """``a == b``"""
    if type_of(a) is type_of(b) is dict:
        if a.keys() != b.keys():
            return False
        a, b = [a[key] for key in b], list(b.values())
    if not _comparable(a, b) or not (holds_compared(a) or holds_compared(b)):
        return a == b
    if len(a) != len(b):
        return False
    parts = [lambda x=x, y=y: x is y or bool_(equal(x, y)) for x, y in zip(a, b, strict=True)]
    return and_(parts[0](), *parts[1:])


def not_equal(a: Any, b: Any) -> Any:
    """``a != b``"""
    return not_(equal(a, b)) if _comparable(a, b) or type_of(a) is type_of(b) is dict else a != b


def _comparable(a: Any, b: Any) -> bool:
    return type(a) is type(b) and type(a) in (list, tuple)


def holds_traced(items: Any) -> bool:
    """Whether a tensor is in a list or tuple, or in one that is inside of it."""
    return any(is_traced(x) or (type(x) in (list, tuple) and holds_traced(x)) for x in items)


def holds_compared(items: Any) -> bool:
    """The same, also of objects whose class compares them, and in dicts."""
    return any(compares(x) or (type(x) in (list, tuple) and holds_compared(x)) or type_of(x) is dict for x in items)


def compares(value: Any) -> bool:
    """Whether ``==`` may give a value of the Program."""
    return is_traced(value) or special(value, "__eq__") is not None


def _ordering(compare: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """``compare`` (``<``, say), which of two lists or tuples compares the first items that differ."""

    def ordered(a: Any, b: Any) -> Any:
        if any(type(x) is Choice and any(type(option) in (list, tuple) for option in x.options) for x in (a, b)):
            return over(ordered)(a, b)
        if not _comparable(a, b) or not (holds_traced(a) or holds_traced(b)):
            return compare(a, b)
        return from_item(a, b, 0)

    def from_item(a: Any, b: Any, place: int) -> Any:
        if place == min(len(a), len(b)):
            return compare(len(a), len(b))
        x, y = a[place], b[place]
        alike = True if x is y else equal(x, y)
        return if_(alike, lambda: from_item(a, b, place + 1), lambda: ordered(x, y))

    return ordered


less, more = _ordering(operator.lt), _ordering(operator.gt)
COMPARE = {"==": equal, "!=": not_equal, "<": less, ">": more, "<=": _ordering(operator.le), ">=": _ordering(operator.ge)}
