"""States of the Layers around a static function, each with its kinds of calls: going back to one costs a look-up.

What Layers have is asked only after the epoch has moved. Then everything of them that Programs depend on is taken down as a row of
objects (`Reader`), and a row that was there before leads to what was known then: kinds of calls, guards, flags. Its objects are
kept alive, so that identity tells them apart.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from to_static.function.quick import Calls
from to_static.function.signature import environment_key
from to_static.nn.layer import Layer

_STATES, _READERS = 32, 8  # that are known at a time


class State:
    """One of them: ``flags`` for keys, ``around`` (device, default dtype), ``guards`` as they were, ``calls`` that are known."""

    __slots__ = ("around", "calls", "flags", "guards", "objects")

    def __init__(self, flags: Any, around: Any, guards: Any, calls: Calls, objects: list[Any]) -> None:
        self.flags = flags
        self.around = around
        self.guards = guards
        self.calls = calls
        self.objects = objects


class Reader:
    """Takes down what some Layers have: parameters, buffers, sublayers, hooks, modes and other attributes that code reads.

    ``names``: of the attributes, and of the buffers that Programs read, by the id of the Layer; ``slots``: buffers, (id, name), in
    which they take any tensor of a kind.
    """

    def __init__(self, layers: Iterable[Layer], names: Mapping[int, Collection[str]], slots: Collection[Any]) -> None:
        self._parts: list[tuple[dict[str, Any], Callable[[Any], Any] | None, dict[str, bool]]] = []
        for layer in layers:
            own = vars(layer)
            read = sorted({"training", *names[id(layer)]}.intersection(own) - {"_parameters", "_buffers", "_sub_layers"})
            others = set(own["_buffers"]).difference(names[id(layer)])
            unread = {name: (id(layer), name) in slots for name in others}
            self._parts.append((own, operator.itemgetter(*read, read[0]) if read else None, unread))
        self._has_slots = any(is_slot for *_, unread in self._parts for is_slot in unread.values())
        self.key = [(id(own), unread) for own, _, unread in self._parts]
        self.states: dict[tuple[int, ...], State] = {}

    def read(self) -> list[Any]:
        """The row of objects."""
        found: list[Any] = [*environment_key()]
        several: list[Any] = []  # tensors that may be one, where Programs take any
        for own, get, unread in self._parts:
            found += own
            for table in (own["_parameters"], own["_buffers"], own["_sub_layers"]):
                found += table
                found += table.values() if not unread else [v for k, v in table.items() if k not in unread]
            for name, is_slot in unread.items():
                found += _kind_of(own["_buffers"].get(name)) if is_slot else [own["_buffers"].get(name) is None]
            if self._has_slots:
                several += own["_buffers"].values()
            found += own["_forward_pre_hooks"].values()
            found.append(None)
            found += own["_forward_post_hooks"].values()
            if get is not None:
                found += get(own)
        if several:
            first: dict[int, int] = {}
            found += [_interned.setdefault(k, k) for k in [first.setdefault(id(b), k) for k, b in enumerate(several)]]
        return found


_interned: dict[Any, Any] = {}


def _kind_of(tensor: Any) -> list[Any]:
    """What Programs depend on of a tensor that they read where it is: objects of which there is one for each value."""
    if tensor is None:
        return [None]
    kind = tensor.spec, tensor.stop_gradient
    if len(_interned) > 10_000:
        return [kind]
    return [_interned.setdefault(kind, kind)]


class States:
    """Those of one static function. ``current``: the kinds of calls that are known now."""

    def __init__(self) -> None:
        self.current = Calls()
        self._readers: list[Reader] = []
        self._calls: dict[Any, Calls] = {}  # by flags and settings

    def find(self) -> State | None:
        """The state that is there now, if it is known."""
        for reader in self._readers:
            try:
                row = tuple(map(id, reader.read()))
            except KeyError:  # an attribute is not there any more
                continue
            found = reader.states.get(row)
            if found is not None:
                return found
        return None

    def calls_of(self, flags: Any, around: Any) -> Calls:
        """The kinds of calls with these flags."""
        if len(self._calls) >= _STATES and (flags, around) not in self._calls:
            self._calls.clear()
            self._readers.clear()
        return self._calls.setdefault((flags, around), Calls())

    def add(self, reader: Reader, flags: Any, around: Any, guards: Any) -> None:
        """The state that is there now was looked at: what ``reader`` reads."""
        for known in self._readers:
            if known.key == reader.key:
                try:
                    same = [*map(id, known.read())] == [*map(id, reader.read())]
                except KeyError:
                    same = False
                if same:
                    reader = known
                    break
        else:
            self._readers = [reader, *self._readers[: _READERS - 1]]
        objects = reader.read()
        if len(reader.states) >= _STATES:
            reader.states.clear()
        reader.states[tuple(map(id, objects))] = State(flags, around, guards, self.current, objects)

    def clear(self) -> None:
        """Forget all kinds of calls."""
        self.current.clear()
        self._calls.clear()
        self._readers.clear()
