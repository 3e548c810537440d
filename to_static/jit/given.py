"""Objects that are handed to a static function: what its code may read of them is part of the key of a Program."""

from __future__ import annotations

from typing import Any

from to_static.ir.tensor import Tensor
from to_static.jit.inside import NOTHING, kept
from to_static.jit.outside import Outside, key_of
from to_static.jit.watch import plain


class Kept:
    """A value as part of a key: plain ones by value, others by identity and what they hold; it is kept alive."""

    __slots__ = ("key", "value")

    def __init__(self, value: Any) -> None:
        self.value = value
        self.key = key_of(value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Kept) and other.key == self.key

    def __hash__(self) -> int:
        return hash(self.key)


def read_of(value: Any, outside: Outside) -> tuple[Any, ...]:
    """What the functions that ``outside`` has met may read of an object, and of what that holds."""
    if plain(value) is not NOTHING or isinstance(value, Tensor):
        return ()
    found = outside.below(kept((id(value),), "", value))
    return tuple((entry.label, Kept(entry.value)) for entry in found)
