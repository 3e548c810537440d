"""What is done with values that are one of several is done for each of their options: `over` arguments, or in containers."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from to_static.core.namespace import type_of
from to_static.jit.jst.choice import Choice, select


def chosen(function: Callable[[Any], Any], values: Any) -> Any:
    """``function(values)`` for every option of each `Choice` inside of ``values``."""
    found = _find(values)
    if found is None:
        return function(values)
    return select(found, lambda option: chosen(function, _put(values, found, option)))


def over(function: Callable[..., Any]) -> Callable[..., Any]:
    """``function`` for arguments of which some may be `Choice`: it is called for each option."""

    def called(*args: Any, **kwargs: Any) -> Any:
        for i, value in enumerate(args):
            if type(value) is Choice:
                return select(value, lambda option: called(*args[:i], option, *args[i + 1 :], **kwargs))  # noqa: B023
        for name, value in kwargs.items():
            if type(value) is Choice:
                return select(value, lambda option: called(*args, **{**kwargs, name: option}))  # noqa: B023
        return function(*args, **kwargs)

    return called


CALLING = {x for x in over.__code__.co_consts if isinstance(x, types.CodeType)}  # what calls library code for others


def over_items(function: Callable[..., Any]) -> Callable[..., Any]:
    """`over` for library code, to which it makes no difference which list its items come in."""
    return lambda *args, **kwargs: chosen(lambda values: function(*values[0], **values[1]), (args, kwargs))


def _find(values: Any) -> Any:
    if type(values) is Choice:
        return values
    if isinstance(values, (list, tuple, dict)):
        for item in values.values() if isinstance(values, dict) else values:
            found = _find(item)
            if found is not None:
                return found
    return None


def _put(values: Any, choice: Any, option: Any) -> Any:
    if values is choice:
        return option
    if type_of(values) is dict:
        return {key: _put(value, choice, option) for key, value in values.items()}
    if type(values) in (list, tuple):
        return type(values)(_put(v, choice, option) for v in values)
    return type(values)(*(_put(v, choice, option) for v in values)) if isinstance(values, tuple) else values


def options_of(values: Any) -> list[Any]:
    """What ``values`` may be: one for every option of each `Choice` inside."""
    found = _find(values)
    if found is None:
        return [values]
    return [made for option in found.options for made in options_of(_put(values, found, option))]
