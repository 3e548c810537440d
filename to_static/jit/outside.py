"""What traced functions read from outside of themselves: globals, closed-over variables, and plain attributes of what these hold.

Python reads them anew at every call; a Program has the values built in. So a static function remembers each place with
the value that the trace found, makes these values part of the key of its Program, and looks at the places in every call. A trace
that changes one of them is not used again: the next call traces anew, as the dynamic function would change it again.
"""

from __future__ import annotations

import contextlib
import contextvars
import dataclasses
import functools
import types
from collections.abc import Callable, Iterator, Sized
from typing import Any

import numpy as np

from to_static.core.log import log, warn_once
from to_static.ir.tensor import Tensor
from to_static.jit.contents import LIVING, held
from to_static.jit.handback import Recipes
from to_static.jit.heap import Heap, Put
from to_static.jit.watch import names_of, names_read, plain
from to_static.nn.layer import Layer
from to_static.transpile.context import LIBRARIES

_DEEP = 3  # attributes of attributes that are followed
_LONGEST = 64
_LARGEST = 1 << 16  # bytes of an array that are compared in every call
_MANY = 8  # different numbers of one tensor that get a Program each
_MISSING = object()
_EMPTY = types.CellType()
_recording: contextvars.ContextVar[Outside | None] = contextvars.ContextVar("recording", default=None)
_WATCHED = (Layer, types.FunctionType, types.MethodType, type)  # what another key tells of, or what does not change
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
    identity: bool = False  # the tensor that it holds is read by a Program

    def key_of(self, value: Any) -> Any:
        """The key of a value in this place."""
        if isinstance(value, Tensor) and not self.identity:
            return (value.spec, value.stop_gradient)
        return key_of(value)


class Outside:
    """The places that the traces of one static function read, in the order in which they were found."""

    def __init__(self) -> None:
        self.places: dict[Any, Place] = {}
        self.names: frozenset[str] = frozenset()  # that the functions mention
        self.around: Any = None  # while a trace runs: all objects that it can reach (an `Around`)
        self._known: dict[int, Any] = {}
        self._numbers: dict[str, set[Any]] = {}  # those that traces found, by label
        self._instances: list[Any] = []
        self.heap = Heap()

    def begin(self, roots: list[Any]) -> Heap:
        """Look at all objects that are known to be in reach, before the next trace with ``roots`` among the arguments."""
        self.heap = Heap()
        self.heap.add(*self._known.values(), *self._instances, *roots)
        return self.heap

    def meet(self, function: types.FunctionType, instance: Any = None) -> None:
        """Remember what a function (or method of ``instance``) is going to read, with the values of now."""
        names, globals_read = names_of(function.__code__)
        self.heap.add(function, instance)
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
        if instance is not None and not any(instance is x for x in self._instances):
            self._instances.append(instance)
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
        """Remember the objects that a Layer and its sublayers keep: nothing else tells when they change."""
        for layer in owner.sublayers(include_self=True):
            space = vars(layer)
            names = names_read(type(layer))  # type: ignore[arg-type]
            for name in names:
                value = space.get(name)
                if isinstance(value, LIVING) or (plain(value) is _NOTHING and not isinstance(value, _WATCHED)):
                    label = f"attribute {name!r} of a {type(layer).__name__}"
                    self._add((id(layer), name), *_entry(space, name), label, frozenset(names), 1)

    def _add(self, place: Any, read: Any, write: Any, label: str, names: frozenset[str], depth: int) -> None:
        value = read()
        if place not in self.places and not isinstance(value, types.ModuleType):
            self.places[place] = Place(read, write, label, value, None, isinstance(value, LIVING))
            self.places[place].key = self.places[place].key_of(value)
        if depth < _DEEP:
            for name, space in attributes(value, names):
                self._add((id(value), name), *_entry(space, name), f"{label}.{name}", names, depth + 1)

    def same(self) -> bool:
        """Whether every place still holds what the trace found there (quick: called by every call)."""
        for place in self.places.values():
            now = place.read()
            if (now is not place.value or place.living) and place.key_of(now) != place.key:
                return False
        return True

    def look(self) -> None:
        """Take the values of now."""
        for place in self.places.values():
            place.value = place.read()
            place.key = place.key_of(place.value)
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

    def reads(self, tensor: Any) -> None:
        """Told before a trace takes the numbers of a tensor from outside (with ``.numpy()``, say): they are built in then."""
        label = f"the numbers of {tensor.name!r}"
        place = Place(lambda: tensor._array, tensor.set_value, label, tensor._array, None, True)
        place.key = key_of(place.value)
        self.places["numbers", id(tensor)] = place
        self._numbers.setdefault(label, set()).add(place.key)

    def restless(self, name: str) -> bool:
        """Whether numbers that the traces of function ``name`` read are others nearly every time; says so once."""
        found = [label for label, keys in self._numbers.items() if len(keys) > _MANY]
        for label in found:
            warn_once(
                f"numbers:{label}",
                f"{name} reads {label} (with .numpy() or tolist(), say), and a Program has them built in. They change from call to "
                "call, so every call traces a new one, which is slow: compute with the tensor itself",
                4,
            )
        return bool(found)

    def effects(self, recipes: Recipes) -> list[Put]:
        """The tensors of the Program that the trace left in globals, which get back what they held."""
        made = []
        for place in self.places.values():
            value = place.read()
            if place.label.startswith("global") and value is not place.value and recipes.holds(value):
                made.append(Put(place.write, recipes.part(value)))
                place.write(place.value)
        return made

    def settle(self, captured: set[int]) -> bool:
        """Which tensors in these places the Program reads (``captured`` are their ids): another one needs another Program.

        Others count only by their specs. True when that is news.
        """
        news = False
        for place in self.places.values():
            if isinstance(place.value, Tensor) and id(place.value) in captured and not place.identity:
                place.identity = news = True
                place.key = place.key_of(place.value)
        return news

    def changed(self, name: str) -> bool:
        """Whether the trace of function ``name`` changed a place; says so once per place."""
        found = False
        for place in self.places.values():
            value = place.read()
            if place.key_of(value) == place.key:
                continue
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
