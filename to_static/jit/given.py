"""What is handed to a static function: of objects, what its code may read is part of the key of a Program; containers come back."""

from __future__ import annotations

import functools
from collections.abc import Collection
from typing import Any

from to_static.ir.tensor import Tensor
from to_static.jit.containers import containers
from to_static.jit.entry import kept
from to_static.jit.fields import MISSING
from to_static.jit.handback import Recipes
from to_static.jit.heap import Put
from to_static.jit.inside import NOTHING
from to_static.jit.keys import key_of
from to_static.jit.large import Large
from to_static.jit.outside import Outside
from to_static.jit.shallow import copy_of, new_in, put, set_attribute
from to_static.jit.watch import plain


class Kept:
    """A value as part of a key: plain ones by value, others by identity and what they hold; it is kept alive."""

    __slots__ = ("key", "value")

    def __init__(self, value: Any, large: Large) -> None:
        self.value = value
        self.key = key_of(value, large)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Kept) and other.key == self.key

    def __hash__(self) -> int:
        return hash(self.key)


def read_of(value: Any, outside: Outside) -> tuple[Any, ...]:
    """What the functions that ``outside`` has met may read of an object, and of what that holds."""
    if plain(value) is not NOTHING or isinstance(value, Tensor):
        return ()
    found = outside.below(kept((id(value),), "", value))
    return tuple((entry.label, Kept(entry.value, outside.large)) for entry in found)


class Given:
    """The containers among the arguments: the function gets copies, and what it changes is changed in the caller's."""

    def __init__(self, arguments: Any, reached: Collection[int]) -> None:
        self.containers = containers(arguments, reached)
        self._before = [copy_of(value) for value in self.containers]

    def has(self, value: Any) -> bool:
        """Whether it is one of them."""
        return any(value is container for container in self.containers)

    def effects(self, recipes: Recipes) -> list[Put]:
        """What changes in the caller's containers."""
        made = []
        for i, (value, before) in enumerate(zip(self.containers, self._before, strict=True)):
            now = copy_of(value)
            if isinstance(value, (list, dict)):
                kind = "dict" if isinstance(value, dict) else "list"
                if len(now) != len(before) or new_in(before, now) or (kind == "dict" and list(now) != list(before)):
                    made.append(Put(put, recipes.object(kind, now), i))
            else:
                for name, new in now.items():
                    if new is not before.get(name, MISSING):
                        made.append(Put(functools.partial(_put_field, name), recipes.part(new), i))
        return made


def _put_field(name: str, owner: Any, value: Any) -> None:
    set_attribute(owner, name, value)
