"""List comprehensions: Python's own where their conditions and iterables are, else a list that lives in the graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from to_static.jit.jst.branch import if_
from to_static.jit.jst.iterate import UNROLLED, Counted, for_
from to_static.jit.jst.lists import TensorList
from to_static.jit.jst.traced import is_tensor, is_traced


def list_of(function: Callable[[Any], Any], iterable: Any, test: Callable[[Any], Any] | None = None) -> Any:
    """``[function(item) for item in iterable if test(item)]``"""

    def add(item: Any, made: Any) -> Any:
        made.append(function(item))
        return made

    def body(item: Any, made: Any) -> Any:
        return add(item, made) if test is None else if_(test(item), lambda m: add(item, m), None, made)

    if test is None and is_tensor(iterable) and is_traced(iterable) and 0 <= _length(iterable) <= UNROLLED:
        return [function(iterable[i]) for i in range(_length(iterable))]
    return for_(iterable, body, [])


def _length(value: Any) -> int:
    """The first dimension of a tensor when it is known, else -1."""
    shape = getattr(value.spec, "shape", ())
    return shape[0] if shape else -1


def list_(*args: Any) -> Any:
    """``list``; of a list of the Program a copy."""
    if args and isinstance(args[0], TensorList):
        return args[0].copy()
    if args and isinstance(args[0], Counted):
        return list_of(lambda item: item, args[0])
    return list(*args)


def flat_list_of(function: Callable[[Any], Any], iterable: Any, test: Callable[[Any], Any] | None = None) -> Any:
    """The items of all lists ``function(item)`` in one list: a comprehension with several ``for``."""

    def add(item: Any, made: Any) -> Any:
        return for_(function(item), _append, made)

    def body(item: Any, made: Any) -> Any:
        return add(item, made) if test is None else if_(test(item), lambda m: add(item, m), None, made)

    return for_(iterable, body, [])


def _append(item: Any, made: Any) -> Any:
    made.append(item)
    return made
