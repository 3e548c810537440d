"""Layers and parameters that were replaced by others with the same structure: existing Programs run on the new ones.

A `Seat` is the attribute in which something was replaced. A Program depends on the structure of its content (`Structure`), not
on its identity. After an attribute of some Layer has changed, the Programs get the tensors that are in the seats now. This
works for Layers of which Programs only read tensors, and whose parts have no other names; all other Layers are compared by
identity.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable
from typing import Any

from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.frontend.function.alike.structure import Structure
from to_static.compiler.frontend.function.program.root_values import NOBODY
from to_static.compiler.frontend.function.program.template import depends_on, kinds_of
from to_static.compiler.frontend.function.program.trace_result import TraceResult
from to_static.compiler.frontend.tracing.guards import Guards
from to_static.core.processes.forking import free_in_children
from to_static.nn.layer import Layer
from to_static.nn.layer_tree import watch
from to_static.nn.parameter import Parameter

TABLES = ("_parameters", "_sub_layers")
_MOST = 64  # seats of one static function
_lock = free_in_children(threading.RLock())


class Build:
    """A way in which things in one seat are built; it is itself and no other."""

    __slots__ = ()


class Seat:
    """A place in the ``table`` of a Layer's sublayers or parameters. ``build``: how the ``thing`` there is built, of the parts
    ``seated``; ``parts``: those that Programs have, by kind; ``former``: what was there when it was found."""

    __slots__ = ("build", "builds", "former", "name", "parts", "seated", "table", "thing")

    def __init__(self, table: dict[str, Any], name: str, former: Any) -> None:
        self.table = table
        self.name = name
        self.former = self.thing = former
        self.build = Build()
        self.builds: dict[Any, Build] = {}  # by how a thing is built
        self.seated: list[Any] = []
        self.parts: dict[Any, list[Any]] = {}


class Seats:
    """Those of one static function."""

    def __init__(self) -> None:
        self.every: dict[tuple[int, str], Seat] = {}
        self.inside: frozenset[int] = frozenset()  # ids of the Layers in seats, and below them
        self.lock = _lock
        self._refused: set[tuple[int, str]] = set()
        self._before: dict[int, tuple[dict[str, Any], ...]] = {}  # by the id of a Layer what it had at the last look
        self._others: set[int] = set()  # ids of what has a place elsewhere

    def gone(self) -> list[Layer]:
        """Layers that have left their seats since the last look, with those below."""
        left = [seat.thing for seat in self.every.values() if seat.table.get(seat.name) is not seat.thing]
        return [layer for top in left for layer in _below(top)]

    def detect_replacements(self, layers: Iterable[Layer], guards: Guards) -> bool:
        """Look which Layers were replaced by one like it since the last look; whether there are some."""
        before, self._before = self._before, {id(layer): tuple(dict(vars(layer)[name]) for name in TABLES) for layer in layers}
        has_seats = False
        for layer in layers:
            both = before.get(id(layer))
            if both is None or id(layer) in self.inside:
                continue
            for seats, table in zip(both, (vars(layer)[name] for name in TABLES), strict=True):
                for name, new in table.items():
                    old = seats.get(name)
                    key = id(layer), name
                    if old is new or old is None or type(old) is not type(new) or key in self._refused or key in self.every:
                        continue
                    if len(self.every) < _MOST and _built(old, guards)[0] == _built(new, guards)[0]:
                        self.every[key] = Seat(table, name, old)
                        has_seats = True
        return has_seats

    def refresh(self, layers: Iterable[Layer], guards: Guards, slots: Collection[tuple[int, str]]) -> None:
        """Told at each look: what is in the seats now, and what has places elsewhere. ``slots``: of buffers that are read there."""
        taken = {*(key for key, _ in slots), *map(_owner_of, guards.apart)}
        inside: set[int] = set()
        for key, seat in list(self.every.items()):
            now: Any = seat.table.get(seat.name)
            content_key, parts = _built(now, guards)
            below = _below(now)
            if object in map(type, content_key) or not taken.isdisjoint(map(id, below)):
                self.refuse([key])
                continue
            seat.thing, seat.build, seat.seated = now, seat.builds.setdefault(content_key, Build()), parts
            inside.update(map(id, below))
        self.inside = frozenset(inside)
        self.refuse([key for key in self.every if key[0] in inside])
        others: set[int] = set()
        for layer in layers:
            if id(layer) in inside:
                continue
            own = vars(layer)
            others.add(id(layer))
            others.update(map(id, own["_buffers"].values()))
            for table in TABLES:
                others.update(id(thing) for name, thing in own[table].items() if (id(layer), name) not in self.every)
        for source in guards.collected[0]:
            value = source.value
            if (value is not source.owner and source.keyed) or isinstance(value, EagerTensor):
                others.add(id(value))
            elif isinstance(value, (list, tuple, dict, set)):
                others.update(map(id, value.values() if isinstance(value, dict) else value))
        others.discard(id(None))
        self._others = others
        if not self._apart():
            self.refuse(list(self.every))

    def _apart(self) -> bool:
        """True if nothing in a seat has a place elsewhere, nor had it in Programs."""
        occupied: set[int] = set(self._others)
        count = len(occupied)
        for seat in self.every.values():
            for parts in {**seat.parts, seat.build: seat.seated}.values():
                occupied.update(map(id, parts))
                count += len(parts)
        return len(occupied) == count

    def refuse(self, keys: Iterable[tuple[int, str]]) -> None:
        """Remove these seats: Programs then depend on the identity of the present Layers."""
        for key in keys:
            self._refused.add(key)
            seat = self.every.pop(key, None)
            if seat is not None:
                seat.build = Build()  # whoever knows it finds nothing there that was before
        self.inside = frozenset(id(layer) for seat in self.every.values() for layer in _below(seat.thing))

    def fit(self, traced: TraceResult, guards: Guards) -> bool:
        """True if a Program only reads what is in the seats; those of which it is not so are none from now on."""
        owners = {id(root.owner) for root in guards.roots if not isinstance(root.owner, Layer)}
        keys = []
        for key, seat in self.every.items():
            ids = set(map(id, seat.seated))
            before = set(map(id, _built(seat.former, guards)[1])) - ids
            by_others = any(id(var.holder) in before for var in traced.program.params)  # it is there by another name, too
            if by_others or not owners.isdisjoint(ids) or depends_on(traced, ids):
                keys.append(key)
        self.refuse(keys)
        return not keys

    def replacements(self, guards: Guards, who: int) -> dict[int, Any] | None:
        """Replacements of tensors that Programs have, by their ids, after a Layer has changed; None: the slow look decides.

        ``who`` watches the Layers.
        """
        new = False
        moved = []
        for seat in self.every.values():
            now: Any = seat.table.get(seat.name)
            built, parts = _built(now, guards)
            content_key = seat.builds.get(built)
            if content_key is None:
                return None
            moved.append((seat, now, content_key, parts))
            new = new or now is not seat.thing or any(a is not b for a, b in zip(parts, seat.seated, strict=False))
        for seat, now, content_key, parts in moved:
            if now is not seat.thing:
                for layer in _layers_of(parts):
                    names = guards.names_of(type(layer))
                    watch(layer, who, names.union(layer._buffers) if layer._buffers else names)
            seat.thing, seat.build, seat.seated = now, content_key, parts
        if not new:
            return self.all_replacements()
        self.inside = frozenset([id(layer) for *_, parts in moved for layer in _layers_of(parts)])
        return self.all_replacements() if self._apart() else None

    def all_replacements(self) -> dict[int, Any]:
        """As `replacements`, after a look."""
        others: dict[int, Any] = {NOBODY: []}
        for seat in self.every.values():
            seat_parts = seat.parts.get(seat.build)
            if seat_parts is not None and seat_parts is not seat.seated:
                others.update((id(old), new) for old, new in zip(seat_parts, seat.seated, strict=True) if old is not new)
                others[NOBODY].append(seat_parts)
            seat.parts[seat.build] = seat.seated
        return others

    def build_of(self, layer: Layer, name: str, thing: Any) -> Any:
        """The part of a Program's key for a Layer or parameter of a Layer: its structure, if it is in a seat."""
        seat = self.every.get((id(layer), name)) if self.every else None
        return id(thing) if seat is None else seat.build

    def below(self, layer: Layer) -> dict[str, Seat]:
        """The seats of a Layer, by name."""
        return {name: seat for (key, name), seat in self.every.items() if key == id(layer)}

    def layers(self) -> list[Layer]:
        """Those in seats, and below them."""
        return [layer for seat in self.every.values() for layer in _below(seat.thing)]


def _owner_of(one: Any) -> Any:
    """The id of the object that has a place, or the container around it, and so on."""
    while type(one) is tuple:
        one = one[0]
    return one


def _layers_of(parts: list[Any]) -> list[Layer]:
    """The Layers among the parts of something in a seat."""
    return [part for part in parts if not isinstance(part, EagerTensor)]


def _below(thing: Any) -> list[Layer]:
    """The Layers that are in a seat with this."""
    if not isinstance(thing, Layer):
        return []
    return thing.sublayers(include_self=True) if thing._sub_layers else [thing]


def _built(thing: Any, guards: Guards) -> tuple[Any, list[Any]]:
    """The structure of something, and its parts. A structure with an ``object`` in it equals no other."""
    if isinstance(thing, Layer):
        structure = Structure(_below(thing), guards, False)
        return structure.key, structure.parts
    return (kinds_of([thing]), [thing]) if type(thing) is Parameter else ((object(),), [])
