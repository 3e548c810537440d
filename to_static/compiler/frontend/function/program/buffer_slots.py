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

programs = [0]  # how many Programs were created so far: each may refer to tensors that were in slots at that time


class BufferSlot:
    """The attribute that holds a buffer: Programs read, and change in place, the tensor that it holds when they run."""

    __slots__ = ("buffer", "layer", "program_count")
    _changes = True  # the tensor may be another one in each run

    def __init__(self, layer: Any, buffer: str) -> None:
        self.layer = layer
        self.buffer = buffer
        self.program_count = -1  # the value of `programs` when the present tensor was put here

    @property
    def key(self) -> tuple[int, str]:
        """The id of the Layer and the name."""
        return id(self.layer), self.buffer

    @property
    def is_there(self) -> bool:
        """True if the Layer still has this buffer."""
        return self.buffer in self.layer.__dict__["_buffers"]

    @property
    def is_registered(self) -> bool:
        """True if `register_buffer` created the buffer, not an assignment."""
        return self.buffer not in self.layer._assigned_buffer_names_set

    @property
    def tensor(self) -> Any:
        """The present tensor."""
        return self.layer.__dict__["_buffers"][self.buffer]

    @property
    def stop_gradient(self) -> bool:
        """``stop_gradient`` of the present tensor."""
        return bool(self.tensor.stop_gradient)

    @property
    def _array(self) -> Any:
        return self.layer.__dict__["_buffers"][self.buffer]._array

    def hold(self, array: Any) -> None:
        """Change the tensor in place, under all its names."""
        self.tensor.hold(array)

    def writes(self, array: Any) -> list[Steps]:
        """Return the steps that change the tensor in place, to be committed with others."""
        return self.tensor.holding(array, {})  # type: ignore[no-any-return]

    def putting(self, new: Any) -> list[Steps]:
        """Return the steps that assign another tensor; moves the change counter if Programs may depend on the old one."""
        buffers = self.layer.__dict__["_buffers"]
        old = buffers[self.buffer]
        if new is old:
            return []
        new.persistable = True
        new_array, old_array = new._array, old._array
        # other functions may have Programs that read the old tensor, and all Programs are for one spec: their next call must check
        alike = new.stop_gradient is old.stop_gradient and new_array.shape == old_array.shape and new_array.dtype is old_array.dtype
        if self.program_count != programs[0] or not alike:
            epoch[0] += 1
            self.program_count = programs[0]
        return [starmap(OrderedDict.__setitem__, [(buffers, self.buffer, new)])]


class Binding(NamedTuple):
    """A buffer to which every run assigns a new tensor, an output of the Program."""

    slot: BufferSlot
    output: int


def tensor_of(holder: Any) -> Any:
    """Return the present tensor of a holder of a root value: the holder itself, or the tensor in its slot."""
    return holder.tensor if isinstance(holder, BufferSlot) else holder


class BufferSlots:
    """The buffers that the traces of one static function assign, or that were replaced: its Programs accept any tensor in them.

    ``unread``: those that Programs only assign, without reading the former tensor.
    """

    def __init__(self) -> None:
        self._read: dict[tuple[int, str], BufferSlot] = {}
        self.unread: dict[tuple[int, str], BufferSlot] = {}
        self._replaced: dict[tuple[int, str], BufferSlot] = {}
        self._first_tensors: dict[tuple[int, str], Any] = {}

    def detect_replacements(self, layers: Iterable[Any]) -> None:
        """Find buffers in which another tensor of the same spec was put; later Programs read these from their slots."""
        for layer in layers:
            for name, buffer in layer.__dict__["_buffers"].items():
                key = id(layer), name
                if type(buffer) is not EagerTensor or key in self._read or key in self.unread:
                    continue
                first_tensor = self._first_tensors.setdefault(key, buffer)
                alike = first_tensor.spec == buffer.spec and first_tensor.stop_gradient is buffer.stop_gradient
                if first_tensor is not buffer and alike:
                    self._replaced.setdefault(key, BufferSlot(layer, name))
                    self._first_tensors[key] = buffer

    @property
    def keys(self) -> Collection[tuple[int, str]]:
        """(id of the Layer, name) of each slot that Programs read."""
        return self._read.keys()

    def each(self) -> list[tuple[BufferSlot, bool]]:
        """Return all slots, each with whether Programs read the former tensor."""
        return [*((slot, True) for slot in self._read.values()), *((slot, False) for slot in self.unread.values())]

    def adopt(self, slots: Iterable[tuple[BufferSlot, bool]]) -> None:
        """Add slots, each with whether Programs read the former tensor, for an instance that shares Programs of another."""
        for slot, is_read in slots:
            (self._read if is_read else self.unread)[slot.key] = slot

    def install(self, traced: Any) -> set[int]:
        """Make a new Program read slots in place of their present tensors.

        Returns the ids of the tensors in new slots: older Programs that hold these tensors must be dropped.
        """
        targets = [w.target for w in traced.writes if isinstance(w.target, AttributeTarget) and isinstance(w.target.owner, Layer)]
        written = [*(binding.slot for binding in traced.bindings), *(BufferSlot(target.owner, target.name) for target in targets)]
        self.unread.update((slot.key, slot) for slot in written if slot.key not in self._read)
        read = {id(var.holder) for var in traced.program.params}
        candidates = {**self._replaced, **self.unread}
        new_slots = [s for key, s in candidates.items() if key not in self._read and s.is_there and id(s.tensor) in read]
        for slot in new_slots:
            self._read[slot.key] = slot
            self.unread.pop(slot.key, None)
            self._replaced.pop(slot.key, None)
        slots_by_tensor: dict[int, list[BufferSlot]] = {}
        for slot in self._read.values():
            if slot.is_there:
                slots_by_tensor.setdefault(id(slot.tensor), []).append(slot)
        for var in traced.program.params:
            first, *same_tensor = slots_by_tensor.get(id(var.holder), [var.holder])
            var.holder = first
            traced.twins += [(first, twin) for twin in same_tensor]
        return {id(slot.tensor) for slot in new_slots}
