"""The objects that can be reached from functions and values, and what each of them held when it was first looked at."""

from __future__ import annotations

import random
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from to_static.core.site import is_internal
from to_static.jit.contents import LIMIT, Held, changed, held, kept_by_class
from to_static.jit.watch import names_of
from to_static.transpile import is_translated
from to_static.transpile.context import LIBRARIES


def _numpys() -> Any:
    state = np.random.get_state()
    return state[1].tobytes(), state[2:]  # type: ignore[index]


_DRAWS = {"random": random.getstate, "numpy.random": _numpys}


class Reach:
    """What the objects hold that can be reached from ``roots``: functions, with what these read, and values."""

    def __init__(self, *roots: Any) -> None:
        self._known: dict[int, tuple[Any, Held]] = {}
        self._draws = {name: state() for name, state in _DRAWS.items()}
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
        return [name for name, state in _DRAWS.items() if state() != self._draws[name]]

    def same(self, but: Callable[[Any], bool] = lambda value: False) -> bool:
        """Whether all objects (``but`` some) hold what they held before, and Python drew no random numbers."""
        return not self.drawn() and all(but(value) for value, _, _ in self.changes())


def _globals(function: types.FunctionType) -> list[Any]:
    """The globals that a function mentions, and what it may read of modules among them."""
    space = function.__globals__
    mentioned, names = names_of(function.__code__)
    found = [space[name] for name in names if name in space]
    for module in [x for x in found if isinstance(x, types.ModuleType) and x.__name__.split(".")[0] not in LIBRARIES]:
        found += [vars(module)[name] for name in mentioned if name in vars(module)]
    return found
