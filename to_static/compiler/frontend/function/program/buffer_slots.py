"""Buffers that a function assigns, ``self.mean = self.mean * 0.9 + x``: a Program reads and writes the attribute, not one
tensor.

An in-place change affects the tensor under all its names. An assignment makes the attribute refer to another tensor, and leaves
the old one unchanged for others that refer to it: another attribute, a list, the caller.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Iterable
from itertools import starmap
from typing import Any, NamedTuple

from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.frontend.tracing.side_effects import AttributeTarget
from to_static.core.atomic import Steps
from to_static.core.caching.version_counter import epoch
from to_static.nn.layer import Layer

programs = [0]  # how many there have been: each may keep tensors that were there when it was made


class BufferSlot:
    """The place of a buffer: Programs read, and change in place, the tensor that is there when they run."""

    __slots__ = ("buffer", "layer", "program_count")
    _changes = True  # from run to run

    def __init__(self, layer: Any, buffer: str) -> None:
        self.layer = layer
        self.buffer = buffer
        self.program_count = -1  # how many Programs there were when the tensor was put here that is there now

    @property
    def key(self) -> tuple[int, str]:
        """The key that tells it from others."""
        return id(self.layer), self.buffer

    @property
    def is_there(self) -> bool:
        """True if the Layer still has this buffer."""
        return self.buffer in self.layer.__dict__["_buffers"]

    @property
    def is_registered(self) -> bool:
        """True if it was made by `register_buffer`, not by an assignment."""
        return self.buffer not in self.layer._assigned_buffer_names_set

    @property
    def tensor(self) -> Any:
        """The tensor that is there now."""
        return self.layer.__dict__["_buffers"][self.buffer]

    @property
    def stop_gradient(self) -> bool:
        """That of the tensor."""
        return bool(self.tensor.stop_gradient)

    @property
    def _array(self) -> Any:
        return self.layer.__dict__["_buffers"][self.buffer]._array

    def hold(self, array: Any) -> None:
        """Change the tensor in place, under all its names."""
        self.tensor.hold(array)

    def writes(self, array: Any) -> list[Steps]:
        """The steps that write it, together with others."""
        return self.tensor.holding(array, {})  # type: ignore[no-any-return]

    def putting(self, new: Any) -> list[Steps]:
        """The steps that put another tensor here."""
        buffers = self.layer.__dict__["_buffers"]
        old = buffers[self.buffer]
        if new is old:
            return []
        new.persistable = True
        array, before = new._array, old._array
        # Programs of other functions may read the old one, which they look for again, and all are for one kind of tensor
        alike = new.stop_gradient is old.stop_gradient and array.shape == before.shape and array.dtype is before.dtype
        if self.program_count != programs[0] or not alike:
            epoch[0] += 1
            self.program_count = programs[0]
        return [starmap(OrderedDict.__setitem__, [(buffers, self.buffer, new)])]


class Binding(NamedTuple):
    """A buffer that gets another tensor in every run: that of an output."""

    slot: BufferSlot
    output: int


def tensor_of(holder: Any) -> Any:
    """The tensor that a Program's root value is kept by."""
    return holder.tensor if isinstance(holder, BufferSlot) else holder


class BufferSlots:
    """The buffers that the traces of one static function assign: whatever is there, its Programs can run.

    ``unread``: those of which no Program reads the tensor that was there before.
    """

    def __init__(self) -> None:
        self._read: dict[tuple[int, str], BufferSlot] = {}
        self.unread: dict[tuple[int, str], BufferSlot] = {}
        self._replaced: dict[tuple[int, str], BufferSlot] = {}
        self._first_tensors: dict[tuple[int, str], Any] = {}

    def detect_replacements(self, layers: Iterable[Any]) -> None:
        """Look which buffers have another tensor than before, of the same kind: Programs are to run with any such tensor."""
        for layer in layers:
            for name, buffer in layer.__dict__["_buffers"].items():
                key = id(layer), name
                if type(buffer) is not EagerTensor or key in self._read or key in self.unread:
                    continue
                before = self._first_tensors.setdefault(key, buffer)
                if before is not buffer and before.spec == buffer.spec and before.stop_gradient is buffer.stop_gradient:
                    self._replaced.setdefault(key, BufferSlot(layer, name))
                    self._first_tensors[key] = buffer

    @property
    def keys(self) -> Collection[tuple[int, str]]:
        """(id of the Layer, name) of each."""
        return self._read.keys()

    def each(self) -> list[tuple[BufferSlot, bool]]:
        """All of them, and whether Programs read what was there before."""
        return [*((slot, True) for slot in self._read.values()), *((slot, False) for slot in self.unread.values())]

    def take(self, slots: Iterable[tuple[BufferSlot, bool]]) -> None:
        """Begin with these."""
        for slot, is_read in slots:
            (self._read if is_read else self.unread)[slot.key] = slot

    def install(self, traced: Any) -> set[int]:
        """Let a Program use these instead of the tensors that are there now; gives the ids of tensors that older ones may hold."""
        targets = [w.target for w in traced.writes if isinstance(w.target, AttributeTarget) and isinstance(w.target.owner, Layer)]
        written = [*(binding.slot for binding in traced.bindings), *(BufferSlot(target.owner, target.name) for target in targets)]
        self.unread.update((slot.key, slot) for slot in written if slot.key not in self._read)
        read = {id(var.holder) for var in traced.program.params}
        maybe = {**self._replaced, **self.unread}
        new = [slot for key, slot in maybe.items() if key not in self._read and slot.is_there and id(slot.tensor) in read]
        for slot in new:
            self._read[slot.key] = slot
            self.unread.pop(slot.key, None)
            self._replaced.pop(slot.key, None)
        there: dict[int, list[BufferSlot]] = {}
        for slot in self._read.values():
            if slot.is_there:
                there.setdefault(id(slot.tensor), []).append(slot)
        for var in traced.program.params:
            first, *others = there.get(id(var.holder), [var.holder])
            var.holder = first
            traced.twins += [(first, other) for other in others]
        return {id(slot.tensor) for slot in new}
