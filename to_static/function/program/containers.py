"""The containers among the arguments of a call: the function gets copies of them."""

from __future__ import annotations

import collections
import dataclasses
from typing import Any


def containers(value: Any, found: list[Any] | None = None) -> list[Any]:
    """The lists, dicts and objects with fields in a structure of arguments, in order."""
    found = [] if found is None else found
    if isinstance(value, tuple):
        for item in value:
            containers(item, found)
    elif type(value) is list:
        found.append(value)
        for item in value:
            containers(item, found)
    elif type(value) in (dict, collections.OrderedDict):
        found.append(value)
        for item in value.values():
            containers(item, found)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        found.append(value)
        for field in dataclasses.fields(value):
            containers(getattr(value, field.name), found)
    return found


def is_given_anew(value: Any) -> bool:
    """Whether a function gets a copy of a value where it is an argument, and what it holds."""
    return type(value) in (list, dict, collections.OrderedDict) or (
        dataclasses.is_dataclass(value) and not isinstance(value, type)
    )
