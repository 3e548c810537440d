"""Which containers of Python's others can take the place of: dicts and sets a `Table`, deques a `Queue`."""

from __future__ import annotations

import collections
import enum
from collections.abc import Callable
from typing import Any

from to_static.core.namespace import type_of
from to_static.jit.jst.kinds import kinds_of

LIMIT = 256  # keys of a dict that can be replaced
DICTS = (dict, collections.OrderedDict, collections.defaultdict, collections.Counter)
KINDS: dict[type, Callable[[Any], Any]] = {}  # what makes the one that takes the place of each kind


def is_key(key: Any) -> bool:
    """True for a Python value whose place among the keys Python knows."""
    if type(key) is tuple:
        return all(type(x) is int or is_key(x) for x in key)
    return type(key) in (str, bytes, type(None)) or (isinstance(key, (enum.Enum, type)) and not isinstance(key, (int, str)))


def can_be_table(value: Any) -> bool:
    """True for a dict or set that a `Table` can take the place of, and for a deque."""
    if type(value) is collections.deque:
        return all(None not in kinds_of(item) for item in value)
    if type_of(value) not in KINDS or len(value) > LIMIT:
        return False
    numbers = [type(key) is int for key in value]
    if any(numbers):
        values = [] if isinstance(value, set) else list(value.values())
        if values and all(type(x) is list for x in values):
            values = [item for items in values for item in items]
        return all(numbers) and not any(None in kinds_of(x) for x in values)
    return all(map(is_key, value))
