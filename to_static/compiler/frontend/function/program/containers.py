"""Containers among the arguments of a call: the traced function gets copies of them."""

from __future__ import annotations

import collections
import dataclasses
from typing import Any


def containers(value: Any, collected: list[Any] | None = None) -> list[Any]:
    """The lists, dicts and objects with fields in a structure of arguments, in order."""
    collected = [] if collected is None else collected
    parts: Any = value
    if is_copied_for_trace(value):
        collected.append(value)
        if type(value) in (dict, collections.OrderedDict):
            parts = value.values()
        elif type(value) is not list:
            parts = [getattr(value, field.name) for field in dataclasses.fields(value)]
    elif not isinstance(value, tuple):
        return collected
    for item in parts:
        containers(item, collected)
    return collected


def is_copied_for_trace(value: Any) -> bool:
    """True for a list, dict or dataclass object: as an argument, the trace gets a copy of it and of its items."""
    return type(value) in (list, dict, collections.OrderedDict) or (dataclasses.is_dataclass(value) and not isinstance(value, type))
