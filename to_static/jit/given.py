"""Objects that are handed to a static function: what its code may read of them is part of the key of a Program."""

from __future__ import annotations

import types
from typing import Any

from to_static.ir.tensor import Tensor
from to_static.jit import outside
from to_static.jit.watch import names_read
from to_static.nn.layer import Layer

DEEP = 3  # attributes of attributes that are followed


class Kept:
    """A value as part of a key: plain ones by value, others by identity and what they hold; it is kept alive."""

    __slots__ = ("key", "value")

    def __init__(self, value: Any) -> None:
        self.value = value
        self.key = outside.key_of(value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Kept) and other.key == self.key

    def __hash__(self) -> int:
        return hash(self.key)


def read_of(value: Any, names: frozenset[str], depth: int = 0) -> tuple[Any, ...]:
    """What code that mentions ``names``, or the methods of its class, may read of an object, and of what that holds."""
    if depth >= DEEP or isinstance(value, (Tensor, Layer, types.ModuleType)):
        return ()
    if type(value) in (list, tuple, dict):
        return tuple(part for entry in outside.entries(value) for part in read_of(entry, names, depth + 1))
    wanted = names if isinstance(value, type) else names | names_read(type(value))  # type: ignore[arg-type]
    found = [(name, space[name]) for name, space in outside.attributes(value, wanted)]
    return tuple((name, Kept(item), read_of(item, names, depth + 1)) for name, item in found)
