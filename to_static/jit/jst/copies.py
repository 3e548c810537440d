"""The copies of containers and objects that a branch or loop body gets, so that what it does to them stays inside."""

from __future__ import annotations

import dataclasses
from typing import Any

from to_static.core.namespace import type_of
from to_static.jit.jst.attributes import Attributes
from to_static.jit.jst.choice import Choice
from to_static.jit.jst.objects import is_object
from to_static.jit.jst.trees import parts
from to_static.jit.jst.unbound import Maybe


class Copies:
    """Fresh copies of the lists and dicts among a block's arguments; ``original`` gives back what a copy was made of."""

    def __init__(self) -> None:
        self._made: dict[int, tuple[Any, Any]] = {}  # id of the original -> (original, copy)
        self._back: dict[int, Any] = {}
        self._stands_for: dict[int, Any] = {}
        self.attributes = Attributes()
        self.noticed: list[Any] = []  # originals that `touch` was told of
        self.around: Any = None  # what the block can reach

    def take(self, value: Any) -> Any:
        """``value`` with its lists and dicts copied, nested ones too; one copy for each object."""
        kind: Any = type_of(value)
        if id(value) in self._made:
            return self._made[id(value)][1]
        if kind is list or kind is dict:
            copy: Any = kind()
            self._made[id(value)] = (value, copy)
            self._back[id(copy)] = value
            if kind is list:
                copy.extend(self.take(x) for x in value)
            else:
                copy.update((k, self.take(x)) for k, x in value.items())
            return copy
        if kind is tuple:
            return tuple(self.take(x) for x in value)
        if id(value) in self._stands_for and is_object(value):  # of an object that the loop carries by its attributes
            made = object.__new__(kind)
            self._made[id(value)] = (value, made)
            self._back[id(made)] = value
            vars(made).update((name, self.take(x)) for name, x in vars(value).items())
            return made
        if kind is Maybe and value.name:  # else it is what the function returns: nothing changes it any more
            held = self.take(value.value)
            return value if held is value.value else Maybe(value.name, held, value.defined)
        if kind is Choice:
            options = [self.take(x) for x in value.options]
            if any(a is not b for a, b in zip(options, value.options, strict=True)):
                made = Choice(value.which, options)
                self._made[id(value)] = (value, made)
                return made
        return value

    def stand(self, made: Any, value: Any) -> None:
        """Say that ``made``, which the block gets copies of, stands for ``value`` from before a loop, and so do their items."""
        if made is value or type_of(made) is not type_of(value):
            return
        if type_of(made) in (list, dict) and len(made) == len(value):
            self._stands_for[id(made)] = value
            inside = (made.values(), value.values()) if type_of(made) is dict else (made, value)
        elif type(made) is tuple and len(made) == len(value):
            inside = made, value
        elif type(made) is Maybe:
            inside = [made.value], [value.value]
        elif is_object(made):
            self._stands_for[id(made)] = value
            inside = list(vars(made).values()), list(vars(value).values())
        elif dataclasses.is_dataclass(made):
            self._stands_for[id(made)] = value
            inside = parts(made), parts(value)
        else:
            return
        for a, b in zip(*inside, strict=True):
            self.stand(a, b)

    def own(self, made: Any) -> None:
        """Say that the block gets a copy of the object ``made``, which stands for itself unless `stand` said for what."""
        self._stands_for.setdefault(id(made), made)

    def outer(self, copy: Any) -> Any:
        """The object from before the block that ``copy`` is a copy of (or that it stands for), or None."""
        original = self.original(copy)
        if original is None:
            return self._stands_for.get(id(copy))
        return self._stands_for.get(id(original), original)

    def has(self, value: Any) -> bool:
        """True for an object from before the block that there is a copy of."""
        return id(value) in self._made or any(value is x for x in self._stands_for.values())

    def changed(self) -> list[Any]:
        """The lists and dicts from before the block whose copies hold other things now, however that came about."""
        return [value for value, copy in self._made.values() if type_of(copy) in (list, dict) and not self._alike(value, copy)]

    def _alike(self, value: Any, copy: Any) -> bool:
        if type_of(copy) is dict and list(copy) != list(value):
            return False
        before, now = (list(x.values() if type_of(x) is dict else x) for x in (value, copy))
        return len(before) == len(now) and all(
            type(a) is tuple or a is b or self._made.get(id(a), (a, None))[1] is b for a, b in zip(before, now, strict=True)
        )

    def copy_of(self, original: Any) -> Any:
        """The copy of a container that was among the arguments."""
        return self._made[id(original)][1]

    def original(self, copy: Any) -> Any:
        """The object that ``copy`` was made of, or None."""
        return self._back.get(id(copy))
