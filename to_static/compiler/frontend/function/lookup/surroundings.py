"""`Surroundings`: the present values of what the Programs of one static function depend on besides the arguments.

There are three checks, from the fastest to the slowest:

1. The global counter `core.caching.version_counter.epoch` is what it was (no Layer, device or setting has changed), and the
   guards on other places (globals, closures, containers) hold.
2. `restore_known_state`: the Layers are in a state that was met before (`states.py`).
3. `current_flags`: everything is read again, and becomes a new state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from to_static.compiler.frontend.function.alike.seats import Seats
from to_static.compiler.frontend.function.fast_path import CallCache
from to_static.compiler.frontend.function.lookup.states import StateReader, States
from to_static.compiler.frontend.function.program.buffer_slots import BufferSlots
from to_static.compiler.frontend.function.signature import environment_key
from to_static.compiler.frontend.tracing.guards import Guards
from to_static.compiler.frontend.tracing.name_usage import names_read, reads_buffer, state_of
from to_static.core.caching.version_counter import epoch
from to_static.nn.layer import Layer
from to_static.nn.layer_tree import watch


class Surroundings:
    """The guarded places and the Layers (below ``instance``, or called by traces) that Programs depend on besides the arguments.

    Attributes:
        guards: globals, closure variables and attributes that the traces have read.
        checked_epoch: the global change counter at the last check; -1 means that the next call must check.
        flags: the part of keys that describes the present state.
        calls: the cached calls of the present state. states: all states that were met.
        slots: buffers that Programs read from their attribute, whatever tensor is there.
        seats: attributes for which Programs accept any content of one structure.
        layers: the Layers that the last check found, those below the instance first. only_below_instance: whether there are no
            others.
        is_outdated: whether the guards have more places than when the present state was read, so that a call without a cached
            call has to check again.
    """

    __slots__ = (
        "_called", "_environment", "_ids_below_instance", "_instance", "_reseat_programs", "calls", "checked_epoch", "flags",
        "guards", "is_outdated", "layers", "only_below_instance", "seats", "slots", "states",
    )  # fmt: skip

    def __init__(self, instance: Layer | None, reseat_programs: Callable[[dict[int, Any]], None], states: States) -> None:
        """``reseat_programs``: a function that makes all Programs read other tensors (`Programs.reseat`)."""
        self._instance = instance
        self._reseat_programs = reseat_programs
        self.states = states
        self.calls: CallCache = states.current
        self.guards = Guards()
        self.slots = BufferSlots()
        self.seats = Seats()
        self.checked_epoch = -1
        self.flags: tuple[Any, ...] = ()
        self._environment: tuple[Any, ...] = ()  # the device and default dtype that ``calls`` are for
        self._ids_below_instance: frozenset[int] = frozenset()  # ids of the Layers below the instance
        self._called: dict[int, Layer] = {}  # Layers that some trace called, besides those below the instance
        self.layers: list[Layer] = []
        self.only_below_instance = False
        self.is_outdated = False

    def is_valid(self, may_restore: bool) -> bool:
        """Return True if the cached calls are valid now.

        ``may_restore``: whether to look for a former state that is there again, and to change to it.
        """
        if self.checked_epoch == epoch[0] and self.guards.is_unchanged():
            return True
        return ((may_restore and self.restore_known_state()) or self.checked_epoch == epoch[0]) and self.guards.same()

    def expire(self) -> None:
        """Make the next call check everything."""
        self.checked_epoch = -1

    @property
    def is_current(self) -> bool:
        """True if nothing has changed since the last check."""
        return self.checked_epoch == epoch[0] and self.guards.same()

    def add_called(self, layers: Iterable[Layer]) -> None:
        """Add Layers that a trace called."""
        self._called.update((id(layer), layer) for layer in layers if id(layer) not in self._ids_below_instance)

    def restore_known_state(self) -> bool:
        """Change to the stored state that is equal to the present one, with its guards and cached calls; False if there is none."""
        present_epoch = epoch[0]
        if self.seats.every and present_epoch != self.checked_epoch:
            with self.seats.lock:
                replacements = self.seats.replacements(self.guards, id(self))
                if replacements is None:
                    return False
                self._reseat(replacements)
        state = self.states.find()
        if state is None:
            return False
        self.guards.collected, self.flags, self._environment = state.guards, state.flags, state.environment
        self.calls = self.states.current = state.calls
        self.is_outdated = state.extent != self.guards.extent
        self.checked_epoch = present_epoch
        return True

    def current_flags(self) -> tuple[Any, ...]:
        """Return the flags of the present state (`name_usage.state_of`); everything is read again only after a change."""
        present_epoch = epoch[0]
        # (if only places outside of Layers have changed, the state may be a former one)
        if not self.is_current and (self.checked_epoch != present_epoch or not self.is_valid(True) or self.is_outdated):
            layers = self._collect_values()
            self.slots.detect_replacements(layers.values())
            outside, slots, seats = self.guards.tensors(), {*self.slots.keys, *self.slots.unread}, self.seats
            if seats.every or self.guards.seated:
                layers = self._read_seats(layers, slots)
            read, unread, guards = self.guards.read, self.slots.unread, self.guards
            state = state_of(
                layers.values(), read, self.slots.keys, unread, guards.not_by_value, outside, seats.token_of, guards.rewritten.keys
            )
            self._use_calls_of((self.guards.key(), *state), environment_key())
            names = read.union(*(names_read(cls, read) for cls in set[Any](map(type, layers.values()))))
            watched = {key: self._watched_of(layer, names) for key, layer in layers.items()}
            for key, layer in layers.items():
                watch(layer, id(self), watched[key])
            self.states.add(StateReader(layers.values(), watched, slots, seats), self.flags, self._environment, self.guards)
            self.checked_epoch = present_epoch
            self.is_outdated = False
        return self.flags

    def _use_calls_of(self, flags: tuple[Any, ...], environment: tuple[Any, ...]) -> None:
        """Use the cached calls for these flags and this environment."""
        if flags != self.flags or environment != self._environment or self.calls is not self.states.current:
            self.flags, self._environment = flags, environment
            self.calls = self.states.current = self.states.calls_of(flags, environment)

    def _read_seats(self, layers: dict[int, Layer], slots: set[tuple[int, str]]) -> dict[int, Layer]:
        """Read what is in the seats, and reseat the Programs; return the Layers that are in no seat."""
        seats = self.seats
        seats.refresh(layers.values(), self.guards, slots)
        self.guards.seated = seats.inside
        self._reseat(seats.all_replacements())
        for layer in seats.layers():
            watch(layer, id(self), self.guards.names_of(type(layer)).union(layer._buffers))
        return {key: layer for key, layer in layers.items() if key not in seats.inside}

    def _collect_values(self) -> dict[int, Layer]:
        """Read all guarded places; return the Layers that Programs depend on, those below the instance first."""
        for _ in range(2):
            removed_layers = self.seats.removed_layers()
            self.guards.forget(removed_layers)
            for layer in removed_layers:
                self._called.pop(id(layer), None)
            self.guards.collect()
            layers: dict[int, Layer] = {}
            if self._instance is not None:
                layers.update((id(layer), layer) for layer in self._instance.sublayers(include_self=True))
            self._ids_below_instance = frozenset(layers)
            layers |= {**self.guards.layers(), **self._called}
            if not self.seats.detect_replacements(layers.values(), self.guards):
                break
        self.layers, self.only_below_instance = list(layers.values()), len(layers) == len(self._ids_below_instance)
        return layers

    def _reseat(self, replacements: dict[int, Any]) -> None:
        """Make all Programs read the present contents of the seats."""
        if len(replacements) > 1:
            self._reseat_programs(replacements)

    def _watched_of(self, layer: Layer, names: frozenset[str]) -> frozenset[str]:
        """Return the attributes of a Layer on which Programs depend."""
        inputs = {name for key, name in self.guards.not_by_value if key == id(layer)}
        names = names - inputs - self.guards.rewritten.names(layer)
        return names.union(layer._buffers).difference(name for name in layer._buffers if self._is_slot(layer, name, names))

    def _is_slot(self, layer: Layer, name: str, names: frozenset[str]) -> bool:
        """True if Programs accept any tensor of the same spec in this buffer."""
        key = id(layer), name
        return key in self.slots.keys or key in self.slots.unread or not reads_buffer(name, names)
