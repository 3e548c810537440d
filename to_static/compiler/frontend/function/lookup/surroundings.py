"""`Surroundings`: the present values of what the Programs of one static function depend on besides the arguments."""

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
    """The places that Programs read: globals, cells and attributes (``guards``), and the Layers below ``instance`` or called.

    ``epoch``: when they were looked at last (-1: they have to be); ``flags``: what keys have of them; ``calls``: the kinds of calls
    that are known in this state; ``states``: all states that were met; ``slots``: buffers that Programs read where they are;
    ``seats``: places of Layers that take any Layer of one structure.
    ``layers``: those that the last look met, those below the instance first; ``only_own``: whether these are all.
    ``is_outdated``: whether this state was looked at when less was watched, so that calls of new kinds have to look again.
    """

    __slots__ = (
        "_called", "_environment", "_instance", "_own", "_reseat_programs", "calls", "checked_epoch", "flags", "guards",
        "is_outdated", "layers", "only_own", "seats", "slots", "states",
    )  # fmt: skip

    def __init__(self, instance: Layer | None, reseat_programs: Callable[[dict[int, Any]], None], states: States) -> None:
        """``reseat_programs``: told which tensors take the places of others."""
        self._instance = instance
        self._reseat_programs = reseat_programs
        self.states = states
        self.calls: CallCache = states.current
        self.guards = Guards()
        self.slots = BufferSlots()
        self.seats = Seats()
        self.checked_epoch = -1
        self.flags: tuple[Any, ...] = ()
        self._environment: tuple[Any, ...] = ()  # the settings that the known calls are for
        self._own: frozenset[int] = frozenset()  # ids of the Layers below the instance
        self._called: dict[int, Layer] = {}  # Layers that some trace called, beside those below the instance
        self.layers: list[Layer] = []
        self.only_own = False
        self.is_outdated = False

    def is_valid(self, may_restore: bool) -> bool:
        """True if this is the state of now, or, where it ``returns``, another one that was met, with which is gone on."""
        if self.checked_epoch == epoch[0] and self.guards.is_unchanged():
            return True
        return ((may_restore and self.restore_known_state()) or self.checked_epoch == epoch[0]) and self.guards.same()

    def expire(self) -> None:
        """Make the next call check everything."""
        self.checked_epoch = -1

    @property
    def is_current(self) -> bool:
        """True if nothing has changed since the last look."""
        return self.checked_epoch == epoch[0] and self.guards.same()

    def add_called(self, layers: Iterable[Layer]) -> None:
        """A trace called these Layers."""
        self._called.update((id(layer), layer) for layer in layers if id(layer) not in self._own)

    def restore_known_state(self) -> bool:
        """True if the Layers are now as they were before, in a state that is known: then that is gone on with."""
        now = epoch[0]
        if self.seats.every and now != self.checked_epoch:
            with self.seats.lock:
                others = self.seats.replacements(self.guards, id(self))
                if others is None:
                    return False
                self._reseat(others)
        state = self.states.find()
        if state is None:
            return False
        self.guards.collected, self.flags, self._environment = state.guards, state.flags, state.environment
        self.calls = self.states.current = state.calls
        self.is_outdated = state.extent != self.guards.extent
        self.checked_epoch = now
        return True

    def current_flags(self) -> tuple[Any, ...]:
        """The flags of now (`name_usage.state_of`); computed again only after something has changed."""
        now = epoch[0]
        # (where only other places than those of Layers have changed, a state that was met may be there again)
        if not self.is_current and (self.checked_epoch != now or not self.is_valid(True) or self.is_outdated):
            layers = self._collect_values()
            self.slots.detect_replacements(layers.values())
            outside, slots, seats = self.guards.tensors(), {*self.slots.keys, *self.slots.unread}, self.seats
            if seats.every or self.guards.seated:
                layers = self._settle_seats(layers, slots)
            read, unread, guards = self.guards.read, self.slots.unread, self.guards
            state = state_of(
                layers.values(), read, self.slots.keys, unread, guards.apart, outside, seats.build_of, guards.rewritten.keys
            )
            self._use_calls_of((self.guards.key(), *state), environment_key())
            names = read.union(*(names_read(cls, read) for cls in set[Any](map(type, layers.values()))))
            watched = {key: self._watched_of(layer, names) for key, layer in layers.items()}
            for key, layer in layers.items():
                watch(layer, id(self), watched[key])
            self.states.add(StateReader(layers.values(), watched, slots, seats), self.flags, self._environment, self.guards)
            self.checked_epoch = now
            self.is_outdated = False
        return self.flags

    def _use_calls_of(self, flags: tuple[Any, ...], environment: tuple[Any, ...]) -> None:
        """Go on with the calls that are known with these flags and settings."""
        if flags != self.flags or environment != self._environment or self.calls is not self.states.current:
            self.flags, self._environment = flags, environment
            self.calls = self.states.current = self.states.calls_of(flags, environment)

    def _settle_seats(self, layers: dict[int, Layer], slots: set[tuple[int, str]]) -> dict[int, Layer]:
        """Look what is in the seats; gives the Layers that are in none."""
        seats = self.seats
        seats.refresh(layers.values(), self.guards, slots)
        self.guards.seated = seats.inside
        self._reseat(seats.all_replacements())
        for layer in seats.layers():
            watch(layer, id(self), self.guards.names_of(type(layer)).union(layer._buffers))
        return {key: layer for key, layer in layers.items() if key not in seats.inside}

    def _collect_values(self) -> dict[int, Layer]:
        """Take the values of now; gives the Layers that Programs depend on, those below the instance first."""
        for _ in range(2):
            gone = self.seats.gone()
            self.guards.forget(gone)
            for layer in gone:
                self._called.pop(id(layer), None)
            self.guards.collect()
            layers: dict[int, Layer] = {}
            if self._instance is not None:
                layers.update((id(layer), layer) for layer in self._instance.sublayers(include_self=True))
            self._own = frozenset(layers)
            layers |= {**self.guards.layers(), **self._called}
            if not self.seats.detect_replacements(layers.values(), self.guards):
                break
        self.layers, self.only_own = list(layers.values()), len(layers) == len(self._own)
        return layers

    def _reseat(self, others: dict[int, Any]) -> None:
        """Make all Programs read the present contents of the seats."""
        if len(others) > 1:
            self._reseat_programs(others)

    def _watched_of(self, layer: Layer, names: frozenset[str]) -> frozenset[str]:
        """The attributes of a Layer on which Programs depend."""
        inputs = {name for key, name in self.guards.apart if key == id(layer)}
        names = names - inputs - self.guards.rewritten.names(layer)
        return names.union(layer._buffers).difference(name for name in layer._buffers if self._is_slot(layer, name, names))

    def _is_slot(self, layer: Layer, name: str, names: frozenset[str]) -> bool:
        """True if Programs run with any tensor of a kind in this buffer."""
        key = id(layer), name
        return key in self.slots.keys or key in self.slots.unread or not reads_buffer(name, names)
