"""List comprehensions: Python's own where their conditions and iterables are, else a list that lives in the graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from to_static.core.errors import TranslationError
from to_static.core.expressions import quoted
from to_static.jit.jst.blocks import raises
from to_static.jit.jst.branch import if_
from to_static.jit.jst.choice import over
from to_static.jit.jst.generators import Each, pushable
from to_static.jit.jst.iterate import UNROLLED, Counted, for_
from to_static.jit.jst.lists import TensorList
from to_static.jit.jst.traced import failure, is_tensor, is_traced
from to_static.jit.jst.unbound import Maybe, unbound


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


def collected(iterable: Any) -> Any:
    """The items of a generator whose loop can be run inside of it as a list; anything else as it is."""
    return iterable if pushable(iterable) is None else for_(iterable, _append, [])


def first_of(generator: Any, *default: Any) -> Any:
    """``next(generator, *default)`` of a generator that nobody else sees."""

    start = default[0] if default else unbound()
    run = pushable(generator)
    found, value = run(Each(lambda state, item: (True, item), lambda state: state[0]), (False, start))  # type: ignore[misc]
    if default:
        return value
    if_(found, None, _stop)
    return value.value if isinstance(value, Maybe) else value


def _stop() -> None:
    raise raises(StopIteration())


@over
def tuple_(*args: Any) -> Any:
    """``tuple``; of what a generator yields depending on tensors it can't be made."""
    items = collected(args[0]) if args else ()
    if isinstance(items, TensorList):
        raise failure(
            TranslationError,
            f"tuple() needs as many items as a tensor says{quoted()}, and a tuple has a length that is known",
            "a list: `list(items)`",
        )
    return tuple(items) if args else tuple(*args)


@over
def list_(*args: Any) -> Any:
    """``list``; of a list of the Program a copy."""
    if args and pushable(args[0]) is not None:
        return collected(args[0])
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
