"""The containers among the arguments of a call: the function gets copies of them, which are one where the caller's are."""

from __future__ import annotations

import collections
import dataclasses
from collections.abc import Collection
from typing import Any


def containers(value: Any, whole: Collection[int] = (), found: list[Any] | None = None) -> list[Any]:
    """The lists, dicts and objects with fields in a structure of arguments, in order; but for the objects with these ids."""
    found = [] if found is None else found
    if id(value) in whole:
        return found
    if isinstance(value, tuple):
        for item in value:
            containers(item, whole, found)
    elif type(value) is list:
        found.append(value)
        for item in value:
            containers(item, whole, found)
    elif type(value) in (dict, collections.OrderedDict):
        found.append(value)
        for item in value.values():
            containers(item, whole, found)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        found.append(value)
        for field in dataclasses.fields(value):
            containers(getattr(value, field.name), whole, found)
    return found


def is_given_anew(value: Any) -> bool:
    """Whether a function gets a copy of a value where it is an argument, and what it holds."""
    return type(value) in (list, dict, collections.OrderedDict) or (
        dataclasses.is_dataclass(value) and not isinstance(value, type)
    )


def shared(value: Any, places: tuple[int, ...], whole: Collection[int] = ()) -> Any:
    """``value`` in which container ``i`` of `containers` is container ``places[i]``."""
    found: list[Any] = []

    def walk(value: Any) -> Any:
        if id(value) in whole:
            return value
        if isinstance(value, tuple):
            items = [walk(x) for x in value]
            return tuple(items) if type(value) is tuple else type(value)(*items)
        if type(value) is list:
            number = taken(value)
            value[:] = [walk(x) for x in value]
        elif type(value) in (dict, collections.OrderedDict):
            number = taken(value)
            for key, item in value.items():
                value[key] = walk(item)
        elif dataclasses.is_dataclass(value) and not isinstance(value, type):
            number = taken(value)
            for field in dataclasses.fields(value):
                object.__setattr__(value, field.name, walk(getattr(value, field.name)))
        else:
            return value
        return found[places[number]]

    def taken(value: Any) -> int:
        found.append(value)
        return len(found) - 1

    return walk(value)
