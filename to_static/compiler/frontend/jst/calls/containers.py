"""Displays, comprehensions and builtins that create containers: Python's own, or a `TensorList`."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable
from typing import Any

from to_static.compiler.frontend.jst.calls.converted_call import call
from to_static.compiler.frontend.jst.control.branch import if_
from to_static.compiler.frontend.jst.iteration.indexed import IndexedIterable
from to_static.compiler.frontend.jst.iteration.iterate import UNROLLED, counted_of, for_, take
from to_static.compiler.frontend.jst.objects.tensor_list import TensorList
from to_static.compiler.frontend.jst.tracer_queries import is_traced
from to_static.compiler.frontend.tracing.graph_break import broken
from to_static.compiler.frontend.tracing.side_effects import POISON
from to_static.compiler.frontend.tracing.trace_context import building, current, inside_block
from to_static.core.diagnostics.source_expressions import in_expression


def list_of(function: Callable[[Any], Any], iterable: object, test: Callable[[Any], Any] | None = None) -> Any:
    """``[function(item) for item in iterable if test(item)]``"""
    counted = counted_of(iterable)
    if counted is not None and test is None and isinstance(counted.length, int) and counted.length <= UNROLLED:
        take(iterable)
        return [function(counted.item(i)) for i in range(counted.length)]
    return _filled(lambda new_list, item: _append(new_list, function(item)), iterable if counted is None else counted, test)


def _filled(add: Callable[[list[Any], Any], None], iterable: object, test: Callable[[Any], Any] | None) -> Any:
    """A list to which ``add(made, item)`` adds, for each item that passes the test."""
    filled: list[Any] = []
    for_(iterable, lambda item: add(filled, item) if test is None else if_(test(item), lambda: add(filled, item), None))
    return current().effects.resolved(filled) if building() else filled


def _append(new_list: list[Any], item: object) -> None:
    target = new_list
    if building():
        effects = current().effects
        target = effects.resolved(new_list)
        if target is new_list and inside_block():
            effects.record_items_write(new_list)
    target.append(item)


def flat_list_of(function: Callable[[Any], Any], iterable: object, test: Callable[[Any], Any] | None = None) -> Any:
    """The items of all lists ``function(item)`` in one list: a comprehension with several ``for``."""
    return _filled(lambda new_list, item: for_(function(item), lambda inner: _append(new_list, inner)), iterable, test)


def collected(iterable: object) -> Any:
    """Return the items of an `IndexedIterable` as a list; other values unchanged."""
    if type(iterable) is list:
        return current().effects.resolved(iterable) if building() else iterable
    if isinstance(iterable, IndexedIterable) or (is_traced(iterable) and not isinstance(iterable, TensorList)):
        return list_of(lambda item: item, iterable)
    take(iterable)
    return iterable


def list_(*args: object) -> Any:
    """``list``; of a list of the Program a copy."""
    items = collected(args[0]) if args else ()
    return items.copy() if isinstance(items, TensorList) else builtins.list(items) if args else builtins.list(*args)


def tuple_(*args: object) -> Any:
    """``tuple``"""
    items = collected(args[0]) if args else ()
    if isinstance(items, TensorList):
        raise broken(
            f"the length of a tuple depends on a tensor{in_expression()}",
            "a list: `list(items)`, or `paddle.stack(items)`",
        )
    items_tuple = builtins.tuple(items)
    if any(x is POISON for x in items_tuple):
        raise POISON.error()
    return items_tuple


def dict_(*args: object, **kwargs: object) -> Any:
    """``dict``"""
    result = builtins.dict(*(_python_container(collected(arg), "dict") for arg in args), **kwargs)
    return _checked(result, result)


def set_(*args: object) -> Any:
    """``set``"""
    items = [builtins.list(_python_container(collected(arg), "set")) for arg in args]
    return _checked(builtins.set(*items), *items)


def _checked(new_list: object, keys: Iterable[Any] = ()) -> Any:
    if building() and any(map(is_traced, keys)):
        raise broken(
            f"a key of a dict or set depends on a tensor{in_expression()}",
            "a list and an index, or a comparison with each key: `if k == 0: ... elif k == 1: ...`",
        )
    return new_list


class Several:
    """The operand ``*items`` of a display whose number of items depends on tensors."""

    def __init__(self, items: object) -> None:
        self.items = items


def display(*parts: object) -> Any:
    """``[a, *b, c]``"""
    if not any(type(part) is Several for part in parts):
        return list(parts)
    result: Any = TensorList.of_items([])
    for part in parts:
        if type(part) is Several:
            result.extend(part.items)
        else:
            result.append(part)
    return result


def star(items: object) -> Any:
    """Return the operand of ``*`` as an object that Python can unpack."""
    collected_items = collected(items)
    return [Several(collected_items)] if isinstance(collected_items, TensorList) else collected_items


def spread(function: object) -> Any:
    """Return a function for calls with ``*items`` or ``**entries``."""
    converted = call(function)

    def called(*args: object, **kwargs: object) -> Any:
        if any(type(arg) is Several for arg in args):
            raise broken(
                f"the number of arguments depends on a tensor{in_expression()}",
                "the list itself, or `paddle.stack(items)`",
            )
        return converted(*args, **kwargs)

    return called


def _python_container(items: object, what: str) -> Any:
    if isinstance(items, TensorList):
        raise broken(
            f"the number of entries of a {what} depends on tensors{in_expression()}",
            "a list: `items.append((key, value))`",
        )
    return items
