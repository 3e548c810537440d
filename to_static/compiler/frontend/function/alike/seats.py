"""Layers and parameters that were replaced by others with the same structure: existing Programs run on the new ones.

A `Seat` is the attribute in which something was replaced. A Program depends on the structure of its content (`Structure`), not
on its identity. After an attribute of some Layer has changed, the Programs get the tensors that are in the seats now: they are
"reseated" (`ConcreteProgram.reseat`). This works for Layers of which Programs only read tensors, and whose parts have no other
names; all other Layers are compared by identity.

`lookup/surroundings.py` uses the seats. Its slow check calls `detect_replacements` (which makes seats), `refresh` and
`all_replacements`; its fast check calls `replacements`.
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


class StructureToken:
    """Stands for one structure in the keys of Programs, compared by identity; a seat has one for each structure it has had."""

    __slots__ = ()


class Seat:
    """An item of the ``table`` of a Layer's sublayers or parameters.

    Attributes:
        table, name: where it is.
        content: what the last check found there; present_parts: its Layers and tensors, in the order of `Structure`.
        token: the token of its structure. tokens: all tokens of this seat, by structure.
        read_parts: for each token, the parts that Programs read now.
        first_content: what was there when the seat was made.
    """

    __slots__ = ("content", "first_content", "name", "present_parts", "read_parts", "table", "token", "tokens")

    def __init__(self, table: dict[str, Any], name: str, content: Any) -> None:
        self.table = table
        self.name = name
        self.first_content = self.content = content
        self.token = StructureToken()
        self.tokens: dict[Any, StructureToken] = {}
        self.present_parts: list[Any] = []
        self.read_parts: dict[Any, list[Any]] = {}


class Seats:
    """The seats of one static function.

    Attributes: ``every`` has all seats, by the id of the Layer and the name; ``inside`` the ids of the Layers in seats and below
    them; ``lock`` guards `replacements` between threads.
    """

    def __init__(self) -> None:
        self.every: dict[tuple[int, str], Seat] = {}
        self.inside: frozenset[int] = frozenset()
        self.lock = _lock
        self._refused: set[tuple[int, str]] = set()  # attributes that may not be seats
        self._last_tables: dict[int, tuple[dict[str, Any], ...]] = {}  # id of a Layer -> its tables at the last check
        self._ids_elsewhere: set[int] = set()  # ids of the objects that Programs can read from a place that is not a seat

    def removed_layers(self) -> list[Layer]:
        """Return the Layers that have left their seats since the last check, and those below them."""
        removed = [seat.content for seat in self.every.values() if seat.table.get(seat.name) is not seat.content]
        return [layer for content in removed for layer in _layers_in(content)]

    def detect_replacements(self, layers: Iterable[Layer], guards: Guards) -> bool:
        """Make seats of attributes whose content was replaced by one of the same structure; return True if there are new seats."""
        last_tables = self._last_tables
        self._last_tables = {id(layer): tuple(dict(vars(layer)[name]) for name in TABLES) for layer in layers}
        has_seats = False
        for layer in layers:
            old_tables = last_tables.get(id(layer))
            if old_tables is None or id(layer) in self.inside:
                continue
            for old_table, table in zip(old_tables, (vars(layer)[name] for name in TABLES), strict=True):
                for name, new in table.items():
                    old = old_table.get(name)
                    key = id(layer), name
                    if old is new or old is None or type(old) is not type(new) or key in self._refused or key in self.every:
                        continue
                    if len(self.every) < _MOST and _structure_of(old, guards)[0] == _structure_of(new, guards)[0]:
                        self.every[key] = Seat(table, name, old)
                        has_seats = True
        return has_seats

    def refresh(self, layers: Iterable[Layer], guards: Guards, slots: Collection[tuple[int, str]]) -> None:
        """Read what is in the seats now, and refuse seats whose parts are also somewhere else.

        ``layers``: all Layers that Programs depend on; ``slots``: the buffers that Programs read from their attribute.
        """
        occupied_ids = {*(key for key, _ in slots), *map(_owner_of, guards.not_by_value)}
        inside: set[int] = set()
        for key, seat in list(self.every.items()):
            content: Any = seat.table.get(seat.name)
            structure_key, parts = _structure_of(content, guards)
            layers_inside = _layers_in(content)
            if object in map(type, structure_key) or not occupied_ids.isdisjoint(map(id, layers_inside)):
                self.refuse([key])
                continue
            token = seat.tokens.setdefault(structure_key, StructureToken())
            seat.content, seat.token, seat.present_parts = content, token, parts
            inside.update(map(id, layers_inside))
        self.inside = frozenset(inside)
        self.refuse([key for key in self.every if key[0] in inside])
        ids_elsewhere: set[int] = set()
        for layer in layers:
            if id(layer) in inside:
                continue
            attributes = vars(layer)
            ids_elsewhere.add(id(layer))
            ids_elsewhere.update(map(id, attributes["_buffers"].values()))
            for table in TABLES:
                ids_elsewhere.update(id(thing) for name, thing in attributes[table].items() if (id(layer), name) not in self.every)
        for source in guards.collected[0]:
            value = source.value
            if (value is not source.owner and source.keyed) or isinstance(value, EagerTensor):
                ids_elsewhere.add(id(value))
            elif isinstance(value, (list, tuple, dict, set)):
                ids_elsewhere.update(map(id, value.values() if isinstance(value, dict) else value))
        ids_elsewhere.discard(id(None))
        self._ids_elsewhere = ids_elsewhere
        if not self._has_no_aliases():
            self.refuse(list(self.every))

    def _has_no_aliases(self) -> bool:
        """True if no part of a seat, present or read by Programs, is in another seat or somewhere else."""
        occupied: set[int] = set(self._ids_elsewhere)
        count = len(occupied)
        for seat in self.every.values():
            for parts in {**seat.read_parts, seat.token: seat.present_parts}.values():
                occupied.update(map(id, parts))
                count += len(parts)
        return len(occupied) == count

    def refuse(self, keys: Iterable[tuple[int, str]]) -> None:
        """Remove these seats for good: Programs then depend on the identity of the present content."""
        for key in keys:
            self._refused.add(key)
            seat = self.every.pop(key, None)
            if seat is not None:
                seat.token = StructureToken()  # so that no key equals one with the former token
        self.inside = frozenset(id(layer) for seat in self.every.values() for layer in _layers_in(seat.content))

    def accept_program(self, traced: TraceResult, guards: Guards) -> bool:
        """Return True if a Program only reads tensors of the seats; otherwise refuse the seats with which it does more."""
        owners = {id(root.owner) for root in guards.roots if not isinstance(root.owner, Layer)}
        keys = []
        for key, seat in self.every.items():
            ids = set(map(id, seat.present_parts))
            first_ids = set(map(id, _structure_of(seat.first_content, guards)[1])) - ids
            reads_first_content = any(id(var.holder) in first_ids for var in traced.program.params)  # (by another name)
            if reads_first_content or not owners.isdisjoint(ids) or depends_on(traced, ids):
                keys.append(key)
        self.refuse(keys)
        return not keys

    def replacements(self, guards: Guards, watcher: int) -> dict[int, Any] | None:
        """Return the replacements for `ConcreteProgram.reseat` after a Layer has changed; None if the slow check must decide.

        ``watcher``: the id under which the Layers are watched.
        """
        is_replaced = False
        present = []
        for seat in self.every.values():
            content: Any = seat.table.get(seat.name)
            structure_key, parts = _structure_of(content, guards)
            token = seat.tokens.get(structure_key)
            if token is None:
                return None
            present.append((seat, content, token, parts))
            same_parts = all(a is b for a, b in zip(parts, seat.present_parts, strict=False))
            is_replaced = is_replaced or content is not seat.content or not same_parts
        for seat, content, token, parts in present:
            if content is not seat.content:
                for layer in _layers_of(parts):
                    names = guards.names_of(type(layer))
                    watch(layer, watcher, names.union(layer._buffers) if layer._buffers else names)
            seat.content, seat.token, seat.present_parts = content, token, parts
        if not is_replaced:
            return self.all_replacements()
        self.inside = frozenset([id(layer) for *_, parts in present for layer in _layers_of(parts)])
        return self.all_replacements() if self._has_no_aliases() else None

    def all_replacements(self) -> dict[int, Any]:
        """Return the replacements for `ConcreteProgram.reseat`: id of each part that Programs read -> the present part."""
        replacements: dict[int, Any] = {NOBODY: []}
        for seat in self.every.values():
            seat_parts = seat.read_parts.get(seat.token)
            if seat_parts is not None and seat_parts is not seat.present_parts:
                pairs = zip(seat_parts, seat.present_parts, strict=True)
                replacements.update((id(old), new) for old, new in pairs if old is not new)
                replacements[NOBODY].append(seat_parts)
            seat.read_parts[seat.token] = seat.present_parts
        return replacements

    def token_of(self, layer: Layer, name: str, thing: Any) -> Any:
        """The part of a Program's key for a Layer or parameter of a Layer: its structure, if it is in a seat."""
        seat = self.every.get((id(layer), name)) if self.every else None
        return id(thing) if seat is None else seat.token

    def seats_of(self, layer: Layer) -> dict[str, Seat]:
        """Return the seats of a Layer, by name."""
        return {name: seat for (key, name), seat in self.every.items() if key == id(layer)}

    def layers(self) -> list[Layer]:
        """Return the Layers in seats, and below them."""
        return [layer for seat in self.every.values() for layer in _layers_in(seat.content)]


def _owner_of(place_id: Any) -> Any:
    """Return the id of the object to which an item of `Guards.not_by_value` belongs: ids of items in containers are nested."""
    while type(place_id) is tuple:
        place_id = place_id[0]
    return place_id


def _layers_of(parts: list[Any]) -> list[Layer]:
    """Return the Layers among the parts of a seat's content."""
    return [part for part in parts if not isinstance(part, EagerTensor)]


def _layers_in(thing: Any) -> list[Layer]:
    """Return the Layer and those below it; none for a parameter."""
    if not isinstance(thing, Layer):
        return []
    return thing.sublayers(include_self=True) if thing._sub_layers else [thing]


def _structure_of(thing: Any, guards: Guards) -> tuple[Any, list[Any]]:
    """Return the structure of a seat's content, and its parts. A structure that contains an ``object`` equals no other."""
    if isinstance(thing, Layer):
        structure = Structure(_layers_in(thing), guards, False)
        return structure.key, structure.parts
    return (kinds_of([thing]), [thing]) if type(thing) is Parameter else ((object(),), [])
