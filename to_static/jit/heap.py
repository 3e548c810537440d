"""The objects that a function can reach from outside, and what its trace left in them.

Python code keeps values in attributes, lists, dicts, globals and closures. While tracing, tensors that are kept so are tensors of
the Program. `Heap` notices them, puts the objects back as they were, and says (`Put`) what goes where after every run.
"""

from __future__ import annotations

import contextvars
import functools
import logging
import types
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from to_static.core import tree
from to_static.core.errors import TranslationError
from to_static.core.site import report
from to_static.ir.tensor import Tensor
from to_static.ir.variable import Variable
from to_static.jit.contents import of_users
from to_static.jit.fields import MISSING, set_entry
from to_static.jit.handback import Recipes, is_plain_class
from to_static.jit.reach import Reach, modules
from to_static.jit.shallow import copy_of, is_its_items, new_in, put, put_back, set_attribute
from to_static.jit.states import State, state_of
from to_static.jit.watch import is_plain, plain
from to_static.nn.layer import Layer
from to_static.nn.layer_tree import epoch


class Put(NamedTuple):
    """After a run, ``into`` gets what ``part`` makes, and before that the caller's container ``given`` where there is one."""

    into: Callable[..., Any]
    part: Any
    given: int | None = None


class Heap(Reach):
    """What the functions and arguments of a call can reach, with copies of what it holds."""

    def __init__(self, *roots: Any) -> None:
        self._copies: dict[int, Any] = {}
        self._states: dict[int, State] = {}  # of what has a state beside attributes
        self._spaces: dict[int, tuple[dict[str, Any], dict[str, Any]]] = {}
        super().__init__(*roots)

    def note(self, value: Any) -> None:
        """Keep a copy of it."""
        self._copies[id(value)] = copy_of(value)
        state = state_of(value)
        if state is not None:
            self._states[id(value)] = state
        if type(value) is types.FunctionType and self.reads(value):
            for space in (value.__globals__, *map(vars, modules(value))):
                if id(space) not in self._spaces:
                    self._spaces[id(space)] = (space, dict(space))

    def reads(self, function: types.FunctionType) -> bool:
        """The user's functions may be called in ways that nobody sees."""
        return of_users(function.__module__)

    def spaces(self) -> list[dict[str, Any]]:
        """The namespaces of the modules that functions are of, and of those that these mention."""
        return [space for space, _ in self._spaces.values()]

    def left(self) -> Iterator[tuple[dict[str, Any], str, Any, Any]]:
        """The variables of modules that have another value now: namespace, name, what it was and what it is."""
        for space, before in self._spaces.values():
            for name in {**before, **space}:
                if space.get(name, MISSING) is not before.get(name, MISSING):
                    yield space, name, before.get(name, MISSING), space.get(name, MISSING)

    def restore(self) -> None:
        """Give all objects what they held."""
        for value in self.objects():
            self._give_back(value)
        for space, name, old, _ in list(self.left()):
            set_entry(space, name, old)
        self.draw_again()

    def settle(self) -> None:
        """Leave what the trace changed until an error ended it, as Python would, but for what holds tensors of the Program."""
        for value, _, now in list(self.changes()):
            if now is None or any(isinstance(x, Variable) for x in now[1]):
                self._give_back(value)

    def _give_back(self, value: Any) -> None:
        put_back(value, self._copies[id(value)])
        if id(value) in self._states:
            self._states[id(value)].put_back()

    def holders(self, tensor: Any) -> int:
        """How many of the objects held this tensor."""
        found = (before.values() if isinstance(before, dict) else before or () for before in self._copies.values())
        return sum(any(x is tensor for x in items) for items in found)

    def can_restore(self) -> bool:
        """Whether `restore` gives all objects what they held."""
        return all(self._restores(value) for value, _, _ in self.changes())

    def _restores(self, value: Any) -> bool:
        kind: Any = type(value)
        known = is_its_items(value) or kind in _RESTORED or is_plain_class(kind) or id(value) in self._states
        return self.has(value) and known

    def effects(self, recipes: Recipes, reads: Callable[[Any], bool]) -> tuple[list[Put], bool]:
        """What the trace left in objects, which get back what they held; and whether it goes on from what they held: ``reads``
        tells which tensors from outside the Program reads.

        Only what holds tensors of the Program: other changes stay, as Python made them.
        """
        made: list[Put] = []
        goes_on = False
        for value in self.objects():
            before, now = self._copies[id(value)], copy_of(value)
            if now is None or now is before or not any(map(recipes.holds, new_in(before, now))):
                continue
            if is_its_items(value):
                made.append(Put(functools.partial(put, value), recipes.object("dict" if isinstance(value, dict) else "list", now)))
                put(value, before)
                goes_on = True
            elif type(value) is contextvars.ContextVar:
                made.append(Put(value.set, recipes.part(now[0])))
                put_back(value, before)
                goes_on |= any(isinstance(x, Tensor) and reads(x) for x in tree.flatten(before[0])[0])
            else:
                for name, new in now.items():
                    if new is not before.get(name, MISSING) and recipes.holds(new):
                        into = set_attribute if isinstance(name, int) else _put_attribute
                        made.append(Put(functools.partial(into, value, name), recipes.part(new)))
                        old = before.get(name, MISSING)
                        set_attribute(value, name, old)
                        goes_on |= any(isinstance(x, Tensor) and reads(x) for x in tree.flatten(old)[0])
        return made, goes_on

    def changed(self, name: str, where: Any) -> bool:
        """Whether the trace of function ``name`` changed an object, so that another call has to trace again.

        Raises TranslationError, after taking it away, when a tensor of the Program is left in one.
        """
        found = False
        for value, before, now in self.changes():
            if isinstance(value, Layer) and now is not None:  # what goes by way of its setter is seen by `layer_writes`, too
                found |= before[0] != now[0] or not all(map(_alike, before[1], now[1]))
                continue
            found = True
            if now is not None and any(isinstance(x, Variable) for x in now[1]):
                kind = type(value).__name__
                names = [name for name, item in getattr(value, "__dict__", {}).items() if isinstance(item, Variable)]
                self.restore()
                what = f"attribute {names[0]!r} of a {kind}" if names else f"a {kind}"
                raise TranslationError(
                    report(
                        f"{name}() leaves a tensor of the Program in {what}, which outlives the call: the tensor has a value only "
                        "when the Program runs",
                        where,
                        "return the tensor and keep the result, `kept.append(f(x))`, or register a buffer of a Layer",
                    )
                )
        return found


def _alike(a: Any, b: Any) -> bool:
    return a is b or (is_plain(a) and plain(a) == plain(b))


def _put_attribute(owner: Any, name: str, value: Any) -> None:
    """Set an attribute after a run, or (`MISSING`) take it away: setters of the user's did their part in the trace.

    What was set by way of a Layer's own setter is not among these (see `layer_writes`), so nobody else tells that it changed.
    """
    set_attribute(owner, name, value)
    if isinstance(owner, Layer):
        epoch[0] += 1


_RESTORED = types.FunctionType, contextvars.ContextVar, logging.Logger
