"""States of the Layers that Programs depend on: to return to a former state (train and eval in turns) costs one lookup.

The Layers are read only if a version counter has changed. Then everything of them that Programs depend on becomes a tuple of
objects (`StateReader`). If this tuple has occurred before, its guards, flags and cached calls are used again. The objects are
kept alive, so that identity distinguishes them.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.frontend.function.alike.seats import TABLES as SEATED
from to_static.compiler.frontend.function.alike.seats import Seat, Seats
from to_static.compiler.frontend.function.fast_path import CallCache
from to_static.compiler.frontend.function.settings import Settings
from to_static.compiler.frontend.function.signature import environment_key
from to_static.compiler.frontend.tracing.guards import Guards, still_holds
from to_static.nn.layer import Layer

_STATES, _READERS, _ALIKE = 32, 8, 8  # limits: states of a reader, readers, states with equal objects
_TABLES = ("_parameters", "_buffers", "_sub_layers", "_forward_pre_hooks", "_forward_post_hooks")
_SEPARATOR = (None,)


class ObjectState:
    """One state of the Layers and guarded places, with the cached calls that are valid in it.

    Attributes:
        flags: the part of keys that describes it (`Surroundings.current_flags`).
        environment: the device and the default dtype.
        guards: the values of all guarded places (`Guards.collected`).
        extent: `Guards.extent` at that time, a counter that grows when a trace adds places; another number means that the
            guards watch more now.
        calls: the cached calls.
        objects: the row that `StateReader.read` returned, kept alive so that ids stay unique.
    """

    __slots__ = ("calls", "environment", "extent", "flags", "guards", "objects")

    def __init__(
        self,
        flags: tuple[Any, ...],
        environment: tuple[Any, ...],
        guards: tuple[Any, ...],
        extent: int,
        calls: CallCache,
        objects: list[Any],
    ) -> None:
        self.flags = flags
        self.extent = extent
        self.environment = environment
        self.guards = guards
        self.calls = calls
        self.objects = objects


def _present_state(alike: list[ObjectState]) -> ObjectState:
    """Return the state whose guards hold now; the newest (first) one if none do."""
    newest = alike[0]
    return next((state for state in alike if state.extent == newest.extent and still_holds(state.guards)), newest)


class StateReader:
    """Reads the state of some Layers as a row of objects: parameters, buffers, sublayers, hooks, modes and other attributes.

    ``names``: for each Layer, by id, the attributes and buffers that Programs depend on; ``slots``: buffers, as (id of the Layer,
    name), in which Programs accept any tensor of the same spec; ``seats``: attributes in which they accept any content of the
    same structure.

    Attributes: ``key`` identifies what it reads; ``states`` has the states by the ids of their rows (several if guarded places
    outside of the Layers differ), newest first; ``last`` those that the last lookup found.
    """

    def __init__(
        self, layers: Iterable[Layer], names: Mapping[int, Collection[str]], slots: Collection[Any], seats: Seats
    ) -> None:
        self._views: list[Iterable[Any]] = []  # views of the tables of the Layers, over which C code iterates
        self._attribute_readers: list[tuple[dict[str, Any], Callable[[Any], Any]]] = []
        self._special_tables: list[tuple[dict[str, Any], dict[str, bool], dict[str, Seat]]] = []
        for layer in layers:
            attributes = vars(layer)
            read = {"training", *names[id(layer)]}.intersection(attributes).difference(_TABLES)
            self._attribute_readers.append((attributes, operator.itemgetter(*_TABLES, *sorted(read))))
            unread_names = set(attributes["_buffers"]).difference(names[id(layer)])
            unread = {name: (id(layer), name) in slots for name in unread_names}  # name of a buffer -> whether it is a slot
            layer_seats = seats.seats_of(layer) if seats.every else {}
            tables = [] if unread else [attributes["_buffers"]]
            tables += [attributes[name] for name in SEATED if layer_seats.keys().isdisjoint(attributes[name])]
            if layer_seats or unread:
                self._special_tables.append((attributes, unread, layer_seats))
            hooks = [dict.values(attributes[name]) for name in ("_forward_pre_hooks", "_forward_post_hooks")]
            self._views += [attributes.keys(), *map(dict.keys, tables), *map(dict.values, tables), hooks[0], _SEPARATOR, hooks[1]]
        self._has_slots = any(is_slot for _, unread, _ in self._special_tables for is_slot in unread.values())
        special = [(id(attributes), unread, list(layer_seats)) for attributes, unread, layer_seats in self._special_tables]
        self.key = [id(attributes) for attributes, _ in self._attribute_readers], special
        self.states: dict[tuple[int, ...], list[ObjectState]] = {}
        self.last: list[ObjectState] = []

    def read(self) -> list[Any]:
        """Return the row of objects; two rows with the same objects are the same state."""
        row: list[Any] = [*environment_key(), Settings.enabled, *itertools.chain.from_iterable(self._views)]
        for attributes, get in self._attribute_readers:
            row += get(attributes)
        for attributes, unread, seats in self._special_tables:
            for table in (attributes[name] for name in SEATED if seats and not seats.keys().isdisjoint(attributes[name])):
                row += table
                row += [seats[name].token if name in seats else thing for name, thing in table.items()]
            if unread:
                row += attributes["_buffers"]
                row += [v for k, v in attributes["_buffers"].items() if k not in unread]
            for name, is_slot in unread.items():
                row += _kind_of(attributes["_buffers"].get(name)) if is_slot else [attributes["_buffers"].get(name) is None]
        if self._has_slots:
            first: dict[int, int] = {}
            # which buffers are one tensor, since Programs accept any tensors in slots
            buffers = [b for attributes, _ in self._attribute_readers for b in attributes["_buffers"].values()]
            row += [_interned.setdefault(k, k) for k in [first.setdefault(id(b), k) for k, b in enumerate(buffers)]]
        return row


_interned: dict[Any, Any] = {}


def _kind_of(tensor: EagerTensor | None) -> list[Any]:
    """Return the properties of a tensor from outside on which Programs depend, interned so that identity compares them."""
    if tensor is None:
        return [None]
    spec_key = tensor.spec, tensor.stop_gradient
    if len(_interned) > 10_000:
        return [spec_key]
    return [_interned.setdefault(spec_key, spec_key)]


class States:
    """The states of one static function. ``current``: the cached calls of the present one."""

    def __init__(self) -> None:
        self.current = CallCache()
        self._readers: list[StateReader] = []
        self._calls: dict[Any, CallCache] = {}  # (flags, environment) -> cached calls

    def find(self) -> ObjectState | None:
        """Return the stored state that is equal to the present one, or None."""
        for reader in self._readers:
            try:
                row = reader.read()
            except KeyError:  # an attribute is not there any more
                continue
            alike = reader.last
            if not alike or len(row) != len(alike[0].objects) or not all(map(operator.is_, row, alike[0].objects)):
                alike = reader.last = reader.states.get(tuple(map(id, row)), [])
            if alike:
                if reader is not self._readers[0]:
                    self._readers = [reader, *(r for r in self._readers if r is not reader)]
                return _present_state(alike)
        return None

    def calls_of(self, flags: tuple[Any, ...], environment: tuple[Any, ...]) -> CallCache:
        """Return the cached calls for these flags and this environment, created if there are none."""
        if len(self._calls) >= _STATES and (flags, environment) not in self._calls:
            self._calls.clear()
            self._readers.clear()
        return self._calls.setdefault((flags, environment), CallCache((flags, environment)))

    def add(self, reader: StateReader, flags: tuple[Any, ...], environment: tuple[Any, ...], guards: Guards) -> None:
        """Store the present state, as ``reader`` reads it."""
        for existing in self._readers:
            if existing.key == reader.key:
                try:
                    reads_same = [*map(id, existing.read())] == [*map(id, reader.read())]
                except KeyError:
                    reads_same = False
                if reads_same:
                    reader = existing
                    break
        # first, because earlier readers distinguish fewer states
        self._readers = [reader, *(r for r in self._readers if r is not reader)][:_READERS]
        objects = reader.read()
        if len(reader.states) >= _STATES:
            reader.states.clear()
        state = ObjectState(flags, environment, guards.collected, guards.extent, self.current, objects)
        key = tuple(map(id, objects))
        old_states = [old for old in reader.states.get(key, ()) if (old.flags, old.environment) != (flags, environment)]
        reader.last = reader.states[key] = [state, *old_states[: _ALIKE - 1]]

    def every(self) -> list[CallCache]:
        """Return the cached calls of all states."""
        return [*self._calls.values()] if self._calls else [self.current]

    def clear(self) -> None:
        """Forget all states and cached calls."""
        self.current.clear()
        self._calls.clear()
        self._readers.clear()
