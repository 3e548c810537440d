"""Buffers that a function assigns, ``self.mean = self.mean * 0.9 + x``, in place of their tensors as what Programs read and write.

As in Python, each run puts another tensor where the old one was, which stays as it is for everybody who holds it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection
from typing import Any

from to_static.core.epoch import epoch
from to_static.eager.tensor import EagerTensor
from to_static.nn.layer import Layer
from to_static.tracing.effects import Attribute

programs = [0]  # how many there have been: each may keep tensors that were there when it was made


class BufferSlot:
    """The place of a buffer: Programs read, and change in place, the tensor that is there."""

    __slots__ = ("buffer", "layer")

    def __init__(self, layer: Any, buffer: str) -> None:
        self.layer = layer
        self.buffer = buffer

    @property
    def key(self) -> tuple[int, str]:
        """What tells it from others."""
        return id(self.layer), self.buffer

    @property
    def is_there(self) -> bool:
        """Whether the Layer still has this buffer."""
        return self.buffer in self.layer.__dict__["_buffers"]

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

    @_array.setter
    def _array(self, array: Any) -> None:
        tensor = self.tensor
        tensor._memory = None  # it may stand for another tensor, which Python would put here
        tensor._array, tensor._spec = array, None

    def _become(self, new: EagerTensor) -> None:
        """Have a tensor that gradients flow through."""
        self.tensor._memory = None
        self.tensor._become(new)


class AssignedSlot(BufferSlot):
    """One that gets other tensors. A run that gives it what it has leaves the tensor where it is, if it ``may_stay``."""

    __slots__ = ("may_stay", "seen")

    def __init__(self, layer: Any, buffer: str, may_stay: bool) -> None:
        super().__init__(layer, buffer)
        self.may_stay = may_stay
        self.seen = -1  # how many Programs there were when the tensor was put here that is there now

    @BufferSlot._array.setter  # type: ignore[attr-defined]
    def _array(self, array: Any) -> None:
        old = self._array
        if not (self.may_stay and array.shape == old.shape and bool((array == old).all())):
            self._place(EagerTensor(array))

    def _become(self, new: EagerTensor) -> None:
        """Have a tensor that gradients flow through."""
        self._place(new)

    def _place(self, new: EagerTensor) -> None:
        """Put another tensor here."""
        new.persistable = True
        OrderedDict.__setitem__(self.layer.__dict__["_buffers"], self.buffer, new)
        if self.seen != programs[0]:  # Programs of other functions may read the old one, which they look for again
            epoch[0] += 1
            self.seen = programs[0]


def tensor_of(holder: Any) -> Any:
    """The tensor that a Program's root value is kept by."""
    return holder.tensor if isinstance(holder, BufferSlot) else holder


class BufferSlots:
    """The buffers that the traces of one static function assign: whatever is there, its Programs can run.

    ``unread``: those of which no Program reads the tensor that was there before.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[int, str], BufferSlot] = {}
        self.unread: dict[tuple[int, str], BufferSlot] = {}

    @property
    def keys(self) -> Collection[tuple[int, str]]:
        """(id of the Layer, name) of each."""
        return self._known.keys()

    def settle(self, traced: Any) -> set[int]:
        """Let a Program use these instead of the tensors that are there now; gives the ids of tensors that older ones may hold."""
        places = [w.place for w in traced.writes if isinstance(w.place, Attribute) and isinstance(w.place.owner, Layer)]
        written = [BufferSlot(place.owner, place.name) for place in places]
        self.unread.update((slot.key, slot) for slot in written if slot.key not in self._known)
        read = {id(var.holder) for var in traced.program.params}
        found = [slot for slot in self.unread.values() if slot.is_there and id(slot.tensor) in read]
        new = [slot for slot in [*traced.slots, *found] if slot.key not in self._known]
        self._known.update((slot.key, BufferSlot(slot.layer, slot.buffer)) for slot in new)
        for slot in new:
            self.unread.pop(slot.key, None)
        own = {slot.key: slot for slot in traced.slots}
        slots = [own.get(key, slot) for key, slot in self._known.items()]
        there = {id(slot.tensor): slot for slot in slots if slot.is_there}
        for var in traced.program.params:
            var.holder = there.get(id(var.holder), var.holder)
        return {id(slot.tensor) for slot in new}
