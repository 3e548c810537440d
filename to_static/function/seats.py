"""Places of Layers in other Layers where one was replaced by one like it: Programs go on with the new one.

What a Program depends on of a Layer in such a `Seat` is how it is built (`Structure`); which tensors it has is looked at after an
attribute of some Layer has changed, and Programs are seated on those that are there now. That is for Layers of which Programs only
read tensors, and whose parts have no other names; others count by identity, as everywhere.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable
from typing import Any

from to_static.core.forking import free_in_children
from to_static.eager.tensor import EagerTensor
from to_static.function.program.concrete import NOBODY
from to_static.function.program.template import depends_on
from to_static.function.program.traced import Traced
from to_static.function.structure import Structure
from to_static.nn.layer import Layer
from to_static.nn.layer_tree import watch
from to_static.tracing.guards import Guards

_MOST = 64  # seats of one static function
_lock = free_in_children(threading.RLock())


class Seat:
    """A place in the ``table`` of a Layer's sublayers. ``kind``: how the ``layer`` there is built, of the parts ``seated``;
    ``parts``: those that Programs have, by kind; ``former``: what was there when it was found."""

    __slots__ = ("former", "kind", "layer", "name", "parts", "seated", "table")

    def __init__(self, table: dict[str, Layer], name: str, former: Layer, layer: Layer) -> None:
        self.table = table
        self.name = name
        self.former = former
        self.layer = layer
        self.kind: Any = None
        self.seated: list[Any] = []
        self.parts: dict[Any, list[Any]] = {}


class Seats:
    """Those of one static function."""

    def __init__(self) -> None:
        self.every: dict[tuple[int, str], Seat] = {}
        self.inside: frozenset[int] = frozenset()  # ids of the Layers in seats, and below them
        self.lock = _lock
        self._refused: set[tuple[int, str]] = set()
        self._before: dict[int, dict[str, Any]] = {}  # by the id of a Layer those below it at the last look
        self._others: set[int] = set()  # ids of what has a place elsewhere
        self._kinds: dict[Any, Any] = {}  # one object for each way to be built

    def gone(self) -> list[Layer]:
        """Layers that have left their seats since the last look, with those below."""
        left = [seat.layer for seat in self.every.values() if seat.table.get(seat.name) is not seat.layer]
        return [layer for top in left for layer in top.sublayers(include_self=True)]

    def note(self, layers: Iterable[Layer], guards: Guards) -> bool:
        """Look which Layers were replaced by one like it since the last look; whether there are some."""
        before, self._before = self._before, {id(layer): dict(vars(layer)["_sub_layers"]) for layer in layers}
        found = False
        for layer in layers:
            table = vars(layer)["_sub_layers"]
            known = before.get(id(layer))
            if known is None or known == table or id(layer) in self.inside:
                continue
            for name, new in table.items():
                old: Any = known.get(name)
                key = id(layer), name
                if new is None or old is new or type(old) is not type(new) or key in self._refused or key in self.every:
                    continue
                if old is not None and len(self.every) < _MOST and _built(old, guards) == _built(new, guards):
                    self.every[key] = Seat(table, name, old, old)
                    found = True
        return found

    def settle(self, layers: Iterable[Layer], guards: Guards, slots: Collection[tuple[int, str]]) -> None:
        """Told at each look: what is in the seats now, and what has places elsewhere. ``slots``: of buffers that are read there."""
        taken = {*(key for key, _ in slots), *(key for key, *_ in guards.inputs)}
        inside: set[int] = set()
        for key, seat in list(self.every.items()):
            now: Any = seat.table.get(seat.name)
            below = [] if now is None else now.sublayers(include_self=True)
            found = Structure(below, guards, False)
            if not below or object in map(type, found.key) or not taken.isdisjoint(map(id, below)):
                self.refuse([key])
                continue
            seat.layer, seat.kind, seat.seated = now, self._kinds.setdefault(found.key, found.key), found.parts
            inside.update(map(id, below))
        self.inside = frozenset(inside)
        others: set[int] = set()
        for layer in layers:
            if id(layer) in inside:
                continue
            own = vars(layer)
            others.add(id(layer))
            others.update(map(id, own["_parameters"].values()), map(id, own["_buffers"].values()))
            others.update(id(sub) for name, sub in own["_sub_layers"].items() if (id(layer), name) not in self.every)
        for place in guards.looked[0]:
            value = place.value
            if (value is not place.owner and place.keyed) or isinstance(value, EagerTensor):
                others.add(id(value))
            elif isinstance(value, (list, tuple, dict, set)):
                others.update(map(id, value.values() if isinstance(value, dict) else value))
        others.discard(id(None))
        self._others = others
        if not self._apart():
            self.refuse(list(self.every))

    def _apart(self) -> bool:
        """Whether nothing in a seat has a place elsewhere, nor had it in Programs."""
        seen: set[int] = set(self._others)
        count = len(seen)
        for seat in self.every.values():
            for parts in {**seat.parts, seat.kind: seat.seated}.values():
                seen.update(map(id, parts))
                count += len(parts)
        return len(seen) == count

    def refuse(self, keys: Iterable[tuple[int, str]]) -> None:
        """Have these no more: Programs are for the Layers that are there."""
        for key in keys:
            self._refused.add(key)
            self.every.pop(key, None)
        self.inside = frozenset(id(x) for seat in self.every.values() for x in seat.layer.sublayers(include_self=True))

    def fit(self, traced: Traced, guards: Guards) -> bool:
        """Whether a Program only reads what is in the seats; those of which it is not so are none from now on."""
        owners = {id(root.owner) for root in guards.roots if not isinstance(root.owner, Layer)}
        keys = []
        for key, seat in self.every.items():
            ids = set(map(id, seat.seated))
            before = {id(part) for part in Structure(seat.former.sublayers(include_self=True), guards, False).parts} - ids
            by_others = any(id(var.holder) in before for var in traced.program.params)  # it is there by another name, too
            if by_others or not owners.isdisjoint(ids) or depends_on(traced, ids):
                keys.append(key)
        self.refuse(keys)
        return not keys

    def moves(self, guards: Guards, who: int) -> dict[int, Any] | None:
        """What takes the place of tensors that Programs have, by their ids, after a Layer has changed; None: a look has to tell.

        ``who`` watches the Layers.
        """
        new = False
        found = []
        for seat in self.every.values():
            now: Any = seat.table.get(seat.name)
            if not isinstance(now, Layer):
                return None
            below = now.sublayers(include_self=True) if now._sub_layers else [now]
            built = Structure(below, guards, False)
            kind = self._kinds.get(built.key)
            if kind is None:
                return None
            found.append((seat, now, below, kind, built.parts))
            new = new or now is not seat.layer or any(a is not b for a, b in zip(built.parts, seat.seated, strict=False))
        for seat, now, below, kind, parts in found:
            if now is not seat.layer:
                for layer in below:
                    watch(layer, who, guards.names_of(type(layer)).union(layer._buffers))
            seat.layer, seat.kind, seat.seated = now, kind, parts
        if not new:
            return self.all_moves()
        self.inside = frozenset(id(layer) for _, _, below, *_ in found for layer in below)
        others = self.all_moves()
        return others if self._apart() else None

    def all_moves(self) -> dict[int, Any]:
        """As `moves`, after a look."""
        others: dict[int, Any] = {NOBODY: []}
        for seat in self.every.values():
            known = seat.parts.get(seat.kind)
            if known is not None and known is not seat.seated:
                others.update((id(old), new) for old, new in zip(known, seat.seated, strict=True) if old is not new)
                others[NOBODY].append(known)
            seat.parts[seat.kind] = seat.seated
        return others

    def kind_of(self, layer: Layer, name: str, below: Any) -> Any:
        """What the key of a Program has of a Layer below another one: how it is built, where it is in a seat."""
        seat = self.every.get((id(layer), name)) if self.every else None
        return id(below) if seat is None else seat.kind

    def below(self, layer: Layer) -> dict[str, Seat]:
        """The seats below a Layer, by name."""
        return {name: seat for (key, name), seat in self.every.items() if key == id(layer)}


def _built(layer: Layer, guards: Guards) -> Any:
    return Structure(layer.sublayers(include_self=True), guards, False).key
