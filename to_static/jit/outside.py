"""What traced functions read from outside of themselves: globals, closed-over variables, and plain attributes of what these hold.

Python reads them anew at every call; a Program has the values built in. So a static function remembers each place with
the value that the trace found, makes these values part of the key of its Program, and looks at the places in every call. A trace
that changes one of them is not used again: the next call traces anew, as the dynamic function would change it again.
"""

from __future__ import annotations

import contextlib
import contextvars
import dataclasses
import dis
import functools
import types
from collections.abc import Callable, Iterator, Sized
from typing import Any

import numpy as np

from to_static.core.errors import TranslationError
from to_static.core.log import log, warn_once
from to_static.core.site import Site, report
from to_static.ir.variable import Variable
from to_static.jit.contents import LIVING, held
from to_static.jit.watch import collect_names, names_read, plain
from to_static.nn.layer import Layer
from to_static.transpile.context import LIBRARIES

_DEEP = 3  # attributes of attributes that are followed
_LONGEST = 64
_LARGEST = 1 << 16  # bytes of an array that are compared in every call
_MISSING = object()
_EMPTY = types.CellType()
_recording: contextvars.ContextVar[Outside | None] = contextvars.ContextVar("recording", default=None)
_LIBRARIES = frozenset(LIBRARIES) | {"builtins"}


@dataclasses.dataclass(slots=True)
class Place:
    """How to read and write it, its name for people, the value found, and the key of that value."""

    read: Callable[[], Any]
    write: Callable[[Any], None]
    label: str
    value: Any
    key: Any
    living: bool  # it may hold other things and still be the same object


class Outside:
    """The places that the traces of one static function read, in the order in which they were found."""

    def __init__(self) -> None:
        self.places: dict[Any, Place] = {}
        self.names: frozenset[str] = frozenset()  # that the functions mention
        self.around: Any = None  # while a trace runs: all objects that it can reach (an `Around`)
        self._known: dict[int, Any] = {}

    def meet(self, function: types.FunctionType, instance: Any = None) -> None:
        """Remember what a function (or method of ``instance``) is going to read, with the values of now."""
        names, globals_read = names_of(function.__code__)
        if self.around is not None:
            self.around.add(function)
        if isinstance(instance, Layer):
            self.lists_of(instance)
        elif instance is not None:
            mentioned = names | names_read(type(instance))  # type: ignore[arg-type]
            self.names |= mentioned
            for name, space in attributes(instance, mentioned):
                label = f"attribute {name!r} of a {type(instance).__name__}"
                self._add((id(instance), name), *_entry(space, name), label, mentioned, 1)
        if id(function) in self._known:
            return
        self._known[id(function)] = function
        self.names |= names
        space = function.__globals__
        for name in globals_read:
            if name in space:
                self._add((id(space), name), *_entry(space, name), f"global {name!r}", names, 0)
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            if name != "__class__":
                read, write = functools.partial(_contents, cell), functools.partial(_fill, cell)
                self._add((id(cell),), read, write, f"variable {name!r}", names, 0)

    def lists_of(self, owner: Layer) -> None:
        """Remember the plain lists and dicts of a Layer and its sublayers: nothing else tells when they change."""
        for layer in owner.sublayers(include_self=True):
            space = vars(layer)
            for name in names_read(type(layer)):  # type: ignore[arg-type]
                if isinstance(space.get(name), LIVING):
                    label = f"attribute {name!r} of a {type(layer).__name__}"
                    self._add((id(layer), name), *_entry(space, name), label, frozenset(), _DEEP)

    def _add(self, place: Any, read: Any, write: Any, label: str, names: frozenset[str], depth: int) -> None:
        value = read()
        if place not in self.places and not isinstance(value, types.ModuleType):
            self.places[place] = Place(read, write, label, value, key_of(value), isinstance(value, LIVING))
        if depth < _DEEP:
            for name, space in attributes(value, names):
                self._add((id(value), name), *_entry(space, name), f"{label}.{name}", names, depth + 1)

    def same(self) -> bool:
        """Whether every place still holds what the trace found there (quick: called by every call)."""
        for place in self.places.values():
            now = place.read()
            if (now is not place.value or place.living) and key_of(now) != place.key:
                return False
        return True

    def look(self) -> None:
        """Take the values of now."""
        for place in self.places.values():
            place.value = place.read()
            place.key = key_of(place.value)
            place.living = isinstance(place.value, LIVING)

    def layers(self) -> dict[int, Layer]:
        """The Layers that places hold, with all below them, by id."""
        found = [v for place in self.places.values() for v in entries(place.value) if isinstance(v, Layer)]
        return {id(layer): layer for top in found for layer in top.sublayers(include_self=True)}

    def key(self) -> tuple[Any, ...]:
        """The values found, for the key of a Program."""
        return tuple((name, place.key) for name, place in self.places.items())

    def values(self) -> list[Any]:
        """The values found. A Program whose key has their ids keeps them alive."""
        return [place.value for place in self.places.values()]

    def changed(self, name: str, where: Site | None = None) -> bool:
        """Whether the trace of function ``name`` changed a place; says so once per place.

        Raises TranslationError, after putting the old value back, when a tensor of the Program is left in one.
        """
        found = False
        for place in self.places.values():
            value = place.read()
            if key_of(value) == place.key:
                continue
            if any(isinstance(v, Variable) for v in entries(value)):
                if value is not place.value:
                    place.write(place.value)
                if self.around is not None:
                    self.around.take_back()
                raise TranslationError(
                    report(
                        f"{name}() leaves a tensor of the Program in {place.label}, which outlives the call: the tensor has a "
                        "value only when the Program runs",
                        where,
                        "return the tensor and keep the result, `kept.append(f(x))`, or register a buffer of a Layer",
                    )
                )
            found = True
            text = (
                f"{name} changes {place.label} while it is traced. So that this happens in every call, every call traces a new "
                "Program, which is slow: pass the value as an argument and return the new one, or keep it in a tensor or buffer"
            )
            if place.label.startswith("global"):
                warn_once(f"outside:{place.label}", text, 4)
            else:
                log(1, text)
        return found


@contextlib.contextmanager
def recording(outside: Outside) -> Iterator[None]:
    """What functions met inside of the ``with`` block read goes to ``outside``."""
    token = _recording.set(outside)
    try:
        yield
    finally:
        _recording.reset(token)


def meet(function: types.FunctionType) -> None:
    """Called when translated code is about to call one of the user's functions."""
    outside = _recording.get()
    if outside is not None:
        outside.meet(function)


def _contents(cell: types.CellType) -> Any:
    return _MISSING if cell == _EMPTY else cell.cell_contents


def _fill(cell: types.CellType, value: Any) -> None:
    cell.cell_contents = value


def _entry(space: Any, name: str) -> tuple[Any, Any]:
    """How to read and write one name of a namespace."""
    return functools.partial(space.get, name, _MISSING), lambda value: space.__setitem__(name, value)


def key_of(value: Any) -> Any:
    """Plain values by value, other objects by identity (they are kept alive in `Outside.places`)."""
    kind = type(value)
    if kind in (list, dict) and len(value) <= _LONGEST:
        return (id(value), kind, tuple(key_of(v) for v in entries(value)))
    found = plain(value)
    if found is not _NOTHING:
        return found
    if not isinstance(value, LIVING) or getattr(value, "nbytes", 0) > _LARGEST:
        return id(value)
    if isinstance(value, Sized) and not isinstance(value, np.ndarray) and len(value) > _LONGEST:
        return (id(value), len(value))
    data, inner = held(value)  # type: ignore[misc]
    return (id(value), data, tuple(id(x) if (found := plain(x)) is _NOTHING else found for x in inner))


_NOTHING = plain(_MISSING)


def entries(value: Any) -> Iterator[Any]:
    """The value itself, or the entries of a list, tuple, set or dict."""
    if isinstance(value, dict):
        yield from value
        yield from value.values()
    elif isinstance(value, (list, tuple, set)):
        yield from value
    else:
        yield value


def attributes(value: Any, names: frozenset[str]) -> list[tuple[str, Any]]:
    """Attributes of a user's object, class or module that the code may read: their names and the namespace that has them."""
    owner = value if isinstance(value, (type, types.ModuleType)) else type(value)
    module = owner.__name__ if isinstance(owner, types.ModuleType) else owner.__module__
    library = module.split(".")[0] in _LIBRARIES and owner is not types.SimpleNamespace
    if library or isinstance(value, (types.FunctionType, Layer)):
        return []
    space = getattr(value, "__dict__", None)
    return [] if space is None else [(name, space) for name in sorted(names) if name in space]


@functools.cache
def names_of(code: types.CodeType) -> tuple[frozenset[str], tuple[str, ...]]:
    """All names that a code object looks up, and those among them that are globals."""
    names: set[str] = set()
    collect_names(code, names)
    return frozenset(names), tuple(sorted(set(_globals(code))))


def _globals(code: types.CodeType) -> Iterator[str]:
    for instruction in dis.get_instructions(code):
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME", "STORE_GLOBAL"):
            yield instruction.argval
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _globals(constant)
