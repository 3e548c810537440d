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
from to_static.compiler.frontend.tracing.guards import Guards, is_met
from to_static.nn.layer import Layer

_STATES, _READERS, _ALIKE = 32, 8, 8  # that are known at a time
_TABLES = ("_parameters", "_buffers", "_sub_layers", "_forward_pre_hooks", "_forward_post_hooks")
_BETWEEN = (None,)


class ObjectState:
    """One of them: ``flags`` for keys, ``environment`` (device, default dtype), ``guards`` as they were, ``calls`` that are known.

    ``extent``: how much the guards watched then; a later trace may have met more.
    """

    __slots__ = ("calls", "environment", "extent", "flags", "guards", "objects")

    def __init__(self, flags: Any, environment: Any, guards: Any, extent: int, calls: CallCache, objects: list[Any]) -> None:
        self.flags = flags
        self.extent = extent
        self.environment = environment
        self.guards = guards
        self.calls = calls
        self.objects = objects


def _of_now(alike: list[ObjectState]) -> ObjectState:
    """The one of these in which all places are as they are now; the newest where there is none."""
    newest = alike[0]
    return next((state for state in alike if state.extent == newest.extent and is_met(state.guards)), newest)


class StateReader:
    """Takes down what some Layers have: parameters, buffers, sublayers, hooks, modes and other attributes that code reads.

    ``names``: of the attributes, and of the buffers that Programs read, by the id of the Layer; ``slots``: buffers, (id, name), in
    which they take any tensor of a kind.
    """

    def __init__(
        self, layers: Iterable[Layer], names: Mapping[int, Collection[str]], slots: Collection[Any], seats: Seats
    ) -> None:
        self._views: list[Iterable[Any]] = []  # of what is there, in C
        self._owns: list[tuple[dict[str, Any], Callable[[Any], Any]]] = []
        self._odd: list[tuple[dict[str, Any], dict[str, bool], dict[str, Seat]]] = []
        for layer in layers:
            own = vars(layer)
            read = {"training", *names[id(layer)]}.intersection(own).difference(_TABLES)
            self._owns.append((own, operator.itemgetter(*_TABLES, *sorted(read))))
            others = set(own["_buffers"]).difference(names[id(layer)])
            unread = {name: (id(layer), name) in slots for name in others}
            below = seats.below(layer) if seats.every else {}
            tables = [*[own["_buffers"]] * (not unread), *[own[name] for name in SEATED if below.keys().isdisjoint(own[name])]]
            if below or unread:
                self._odd.append((own, unread, below))
            hooks = [dict.values(own[name]) for name in ("_forward_pre_hooks", "_forward_post_hooks")]
            self._views += [own.keys(), *map(dict.keys, tables), *map(dict.values, tables), hooks[0], _BETWEEN, hooks[1]]
        self._has_slots = any(is_slot for _, unread, _ in self._odd for is_slot in unread.values())
        self.key = [id(own) for own, _ in self._owns], [(id(own), unread, list(below)) for own, unread, below in self._odd]
        # by the objects the states, the newest first, in which other places have something else
        self.states: dict[tuple[int, ...], list[ObjectState]] = {}
        self.last: list[ObjectState] = []  # those that were found

    def read(self) -> list[Any]:
        """The row of objects."""
        row: list[Any] = [*environment_key(), Settings.enabled, *itertools.chain.from_iterable(self._views)]
        for own, get in self._owns:
            row += get(own)
        for own, unread, seats in self._odd:
            for table in (own[name] for name in SEATED if seats and not seats.keys().isdisjoint(own[name])):
                row += table
                row += [seats[name].build if name in seats else thing for name, thing in table.items()]
            if unread:
                row += own["_buffers"]
                row += [v for k, v in own["_buffers"].items() if k not in unread]
            for name, is_slot in unread.items():
                row += _kind_of(own["_buffers"].get(name)) if is_slot else [own["_buffers"].get(name) is None]
        if self._has_slots:
            first: dict[int, int] = {}
            several = [b for own, _ in self._owns for b in own["_buffers"].values()]  # that may be one, where Programs take any
            row += [_interned.setdefault(k, k) for k in [first.setdefault(id(b), k) for k, b in enumerate(several)]]
        return row


_interned: dict[Any, Any] = {}


def _kind_of(tensor: EagerTensor | None) -> list[Any]:
    """The properties of a tensor that Programs read from outside: objects of which there is one for each value."""
    if tensor is None:
        return [None]
    spec_key = tensor.spec, tensor.stop_gradient
    if len(_interned) > 10_000:
        return [spec_key]
    return [_interned.setdefault(spec_key, spec_key)]


class States:
    """Those of one static function. ``current``: the kinds of calls that are known now."""

    def __init__(self) -> None:
        self.current = CallCache()
        self._readers: list[StateReader] = []
        self._calls: dict[Any, CallCache] = {}  # by flags and settings

    def find(self) -> ObjectState | None:
        """The state that is there now, if it is known."""
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
                    self._readers = [reader, *(other for other in self._readers if other is not reader)]
                return _of_now(alike)
        return None

    def calls_of(self, flags: Any, environment: Any) -> CallCache:
        """The kinds of calls with these flags."""
        if len(self._calls) >= _STATES and (flags, environment) not in self._calls:
            self._calls.clear()
            self._readers.clear()
        return self._calls.setdefault((flags, environment), CallCache((flags, environment)))

    def add(self, reader: StateReader, flags: Any, environment: Any, guards: Guards) -> None:
        """The state that is there now was looked at: what ``reader`` reads."""
        for existing in self._readers:
            if existing.key == reader.key:
                try:
                    same = [*map(id, existing.read())] == [*map(id, reader.read())]
                except KeyError:
                    same = False
                if same:
                    reader = existing
                    break
        # before readers that tell fewer states apart
        self._readers = [reader, *(other for other in self._readers if other is not reader)][:_READERS]
        objects = reader.read()
        if len(reader.states) >= _STATES:
            reader.states.clear()
        state = ObjectState(flags, environment, guards.collected, guards.extent, self.current, objects)
        key = tuple(map(id, objects))
        others = [other for other in reader.states.get(key, ()) if (other.flags, other.environment) != (flags, environment)]
        reader.last = reader.states[key] = [state, *others[: _ALIKE - 1]]

    def every(self) -> list[CallCache]:
        """All that are known."""
        return [*self._calls.values()] if self._calls else [self.current]

    def clear(self) -> None:
        """Forget all kinds of calls."""
        self.current.clear()
        self._calls.clear()
        self._readers.clear()
