"""List comprehensions: Python's own where their conditions and iterables are, else a list that lives in the graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from to_static.jit.jst.branch import if_
from to_static.jit.jst.iterate import Counted, for_
from to_static.jit.jst.lists import TensorList


def list_of(function: Callable[[Any], Any], iterable: Any, test: Callable[[Any], Any] | None = None) -> Any:
    """``[function(item) for item in iterable if test(item)]``"""

    def add(item: Any, made: Any) -> Any:
        made.append(function(item))
        return made

    def body(item: Any, made: Any) -> Any:
        return add(item, made) if test is None else if_(test(item), lambda m: add(item, m), None, made)

    return for_(iterable, body, [])


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
