"""The attributes of objects, read and set without asking their classes."""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Any

from to_static.jit.contents import in_slot, member

MISSING = object()  # in place of an attribute that an object has not


def fields(value: Any) -> Iterator[tuple[str, Any]]:
    """Names and values of an object's attributes."""
    yield from getattr(value, "__dict__", {}).items()
    for base in type(value).__mro__:
        for slot in vars(base).values():
            name = slot.__name__ if isinstance(slot, types.MemberDescriptorType) else "__"  # Python's own begin so
            if not name.startswith("__") and (found := in_slot(slot, value, MISSING)) is not MISSING:
                yield name, found


def set_entry(space: dict[str, Any], name: str, value: Any) -> None:
    """Set, or (`MISSING`) take away, what a namespace has under this name."""
    if value is MISSING:
        space.pop(name, None)
    else:
        space[name] = value


def set_field(owner: Any, name: str, value: Any) -> None:
    """Give an object an attribute, or (`MISSING`) take it away, without asking its class: its setters ran in the trace."""
    slot = member(type(owner), name)
    if not isinstance(slot, types.MemberDescriptorType):
        set_entry(vars(owner), name, value)
    elif value is not MISSING:
        slot.__set__(owner, value)
    elif in_slot(slot, owner, MISSING) is not MISSING:
        slot.__delete__(owner)
