"""``==`` and ``!=`` of lists and tuples whose items tensors decide: ``x.shape == [2, 3]`` with unknown dimensions."""

from __future__ import annotations

from typing import Any

from to_static.jit.jst.logic import and_, not_
from to_static.jit.jst.traced import is_traced


def equal(a: Any, b: Any) -> Any:
    """``a == b``"""
    if not _comparable(a, b) or not (holds_traced(a) or holds_traced(b)):
        return a == b
    if len(a) != len(b):
        return False
    parts = [lambda x=x, y=y: x is y or equal(x, y) for x, y in zip(a, b, strict=True)]
    return and_(parts[0](), *parts[1:])


def not_equal(a: Any, b: Any) -> Any:
    """``a != b``"""
    return not_(equal(a, b)) if _comparable(a, b) else a != b


def _comparable(a: Any, b: Any) -> bool:
    return type(a) is type(b) and type(a) in (list, tuple)


def holds_traced(items: Any) -> bool:
    """Whether a tensor is in a list or tuple, or in one that is inside of it."""
    return any(is_traced(x) or (type(x) in (list, tuple) and holds_traced(x)) for x in items)


EQUALITY = {"==": equal, "!=": not_equal}
