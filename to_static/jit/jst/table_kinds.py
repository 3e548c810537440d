"""Which dicts and sets of Python's a `Table` can take the place of."""

from __future__ import annotations

import collections
import enum
from collections.abc import Callable
from typing import Any

from to_static.jit.jst.kinds import kinds_of

LIMIT = 256  # keys of a dict that can be replaced
DICTS = (dict, collections.OrderedDict, collections.defaultdict, collections.Counter)
KINDS: dict[type, Callable[[Any], Any]] = {}  # what makes a `Table` of each kind of dict and set


def is_key(key: Any) -> bool:
    """True for a Python value whose place among the keys Python knows."""
    if type(key) is tuple:
        return all(type(x) is int or is_key(x) for x in key)
    return type(key) in (str, bytes, type(None)) or (isinstance(key, (enum.Enum, type)) and not isinstance(key, (int, str)))


def can_be_table(value: Any) -> bool:
    """True for a dict or set that a `Table` can take the place of."""
    if type(value) not in KINDS or len(value) > LIMIT:
        return False
    numbers = [type(key) is int for key in value]
    if any(numbers):
        values = [] if isinstance(value, set) else list(value.values())
        return all(numbers) and not any(None in kinds_of(x) for x in values)
    return all(map(is_key, value))
