"""The objects that can be reached from functions and values, and what each of them held when it was first looked at."""

from __future__ import annotations

import random
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from to_static.core.site import is_internal
from to_static.jit.contents import LIMIT, Held, changed, held, kept_by_class, of_users
from to_static.jit.watch import names_of
from to_static.transpile import is_translated

_EMPTY = types.CellType()
_DRAWS: dict[str, tuple[Callable[[], Any], Callable[[Any], None]]] = {
    "random": (random.getstate, random.setstate), "numpy.random": (np.random.get_state, np.random.set_state),
}  # fmt: skip


class Reach:
    """What the objects hold that can be reached from ``roots``: functions, with what these read, and values."""

    def __init__(self, *roots: Any) -> None:
        self._known: dict[int, tuple[Any, Held]] = {}
        self._draws = {name: get() for name, (get, _) in _DRAWS.items()}
        self.add(*roots)

    def add(self, *roots: Any) -> None:
        """Look at these as well (before anything changes them)."""
        todo = list(roots)
        for root in roots:
            if type(root) is types.FunctionType and not is_internal(root.__code__.co_filename):
                todo += _globals(root)
        while todo and len(self._known) < LIMIT:
            value = todo.pop()
            if id(value) in self._known:
                continue
            found = held(value)
            if found is not None:
                self._known[id(value)] = (value, found)
                self.note(value)
                todo += found[1]
                if type(value) is types.FunctionType and self.reads(value):
                    todo += _globals(value)
                todo += kept_by_class(value)

    def note(self, value: Any) -> None:
        """Called with every object when it is first looked at."""

    def reads(self, function: types.FunctionType) -> bool:
        """Whether the globals of a function that is reached count as well."""
        return is_translated(function.__code__)

    def has(self, value: Any) -> bool:
        """True when this object was there before, as far as one can see."""
        found = self._known.get(id(value))
        return found is not None and found[0] is value

    def objects(self) -> list[Any]:
        """All objects that were there before."""
        return [value for value, _ in self._known.values()]

    def changes(self) -> Iterator[tuple[Any, Held, Held | None]]:
        """The objects that hold other things now, with what they held and what they hold."""
        for value, before in self._known.values():
            now = held(value)
            if changed(before, now):
                yield value, before, now

    def drawn(self) -> list[str]:
        """The modules of which Python drew random numbers."""
        return [name for name, (get, _) in _DRAWS.items() if _comparable(get()) != _comparable(self._draws[name])]

    def draw_again(self) -> None:
        """Python's next random numbers are those that it drew since."""
        for name in self.drawn():
            _DRAWS[name][1](self._draws[name])

    def same(self) -> bool:
        """Whether all objects hold what they held before, and Python drew no random numbers."""
        return not self.drawn() and not any(self.changes())


def _comparable(state: Any) -> tuple[Any, ...]:
    return tuple(part.tobytes() if isinstance(part, np.ndarray) else part for part in state)


def _globals(function: types.FunctionType) -> list[Any]:
    """The globals that a function mentions, and what it may read of modules among them."""
    space = function.__globals__
    mentioned, names = names_of(function.__code__)
    found = [space[name] for name in names if name in space]
    for module in modules(function):
        found += [vars(module)[name] for name in mentioned if name in vars(module)]
    return found


def modules(function: types.FunctionType) -> list[types.ModuleType]:
    """The user's modules that a function mentions, and those that it may find in them."""
    mentioned, names = names_of(function.__code__)
    found: list[types.ModuleType] = []
    todo = [function.__globals__.get(name) for name in names] + [c.cell_contents for c in function.__closure__ or () if c != _EMPTY]
    while todo:
        value = todo.pop()
        if isinstance(value, types.ModuleType) and of_users(value.__name__) and not any(value is x for x in found):
            found.append(value)
            todo += [vars(value).get(name) for name in mentioned]
    return found
