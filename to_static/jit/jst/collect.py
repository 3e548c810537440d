"""List comprehensions: Python's own where their conditions and iterables are, else a list that lives in the graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from to_static.core.expressions import users_frame
from to_static.jit.jst.blocks import raises
from to_static.jit.jst.branch import if_
from to_static.jit.jst.chosen import over
from to_static.jit.jst.counted import Counted
from to_static.jit.jst.iterate import UNROLLED, counted_of, for_, view_of
from to_static.jit.jst.lists import TensorList
from to_static.jit.jst.special import iterated
from to_static.jit.jst.text import Text
from to_static.jit.jst.traced import has_open_length, is_tensor
from to_static.jit.jst.tuples import TensorTuple
from to_static.jit.jst.unbound import Maybe, unbound
from to_static.jit.jst.updates import updated, updates


def list_of(function: Callable[[Any], Any], iterable: Any, test: Callable[[Any], Any] | None = None) -> Any:
    """``[function(item) for item in iterable if test(item)]``"""

    def add(item: Any, made: Any) -> Any:
        made.append(function(item))
        return made

    def body(item: Any, made: Any) -> Any:
        return add(item, made) if test is None else if_(test(item), lambda m: add(item, m), None, made)

    def from_all(counted: Counted) -> Any:
        if test is None and isinstance(counted.length, int) and counted.length <= UNROLLED:
            return [function(counted.item(i)) for i in range(counted.length)]
        return for_(counted, body, [])

    if isinstance(iterable, Counted):
        return iterable.consumed(from_all)
    counted = counted_of(iterable) if test is None and is_tensor(iterable) else None
    return for_(iterable, body, []) if counted is None else from_all(counted)


def collected(iterable: Any) -> Any:
    """The items as a list, where they come from what goes by index or from a tensor of as many rows as the Program says; anything
    else as it is.
    """
    iterable = iterated(iterable)
    if isinstance(iterable, Counted) or has_open_length(iterable):
        return list_of(lambda item: item, iterable)
    return iterable if view_of(iterable) is None else for_(iterable, _append, [])


def first_of(function: Callable[[Any], Any], iterable: Any, test: Callable[[Any], Any] | None, *default: Any) -> Any:
    """``next((function(item) for item in iterable if test(item)), *default)``: nothing is computed behind the first."""

    def taken(item: Any) -> Any:
        return lambda *_: (True, function(item))

    def body(item: Any, *now: Any) -> Any:
        return taken(item)() if test is None else if_(test(item), taken(item), None, *now)

    start = default[0] if default else unbound()
    found, value = for_(iterable, body, False, start, breaks=True)
    if default:
        return value
    if_(found, None, _stop)
    return value.value if isinstance(value, Maybe) else value


def _stop() -> None:
    raise raises(StopIteration(), escapes=True)


@over
def tuple_(*args: Any) -> Any:
    """``tuple``; of a list of the Program one of the Program."""
    items = collected(args[0]) if args else ()
    if isinstance(items, TensorList):
        return items if isinstance(items, TensorTuple) else TensorTuple.made_of(items)
    return tuple(items) if args else tuple(*args)


@over
def list_(*args: Any) -> Any:
    """``list``; of a list of the Program a copy."""
    items = collected(args[0]) if args else ()
    return items.elements() if isinstance(items, TensorList) else list(items) if args else list(*args)


def repeated(items: Any, times: Any) -> Any:
    """``items * times``: a list, tuple or string of Python's as often as an int of the Program says."""
    from to_static.jit.jst.formatting import join_of

    if type(items) is list and updates(users_frame(), "*="):
        return updated(items, "*=", times)
    if isinstance(items, (str, Text)):
        return join_of("")(TensorList.of([items]) * times)
    made = TensorList.of(items) * times
    return TensorTuple.made_of(made) if isinstance(items, tuple) else made


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
