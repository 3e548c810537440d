"""Buffers that a function assigns, ``self.mean = self.mean * 0.9 + x``, in place of their tensors as what Programs read and write.

Python puts another tensor where the old one was, which stays as it is for everybody who holds it. A run may write into the old one
when nobody does.
"""

from __future__ import annotations

import sys
from collections import OrderedDict
from collections.abc import Collection
from typing import Any

from to_static.eager.tensor import EagerTensor
from to_static.nn.layer_tree import epoch

_OWN = 3  # references to a tensor that only its Layer holds: the Layer's, a variable's, and that of who counts


class Home:
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


class Assigned(Home):
    """One that gets other tensors. A run that gives it what it has leaves the tensor where it is, if it ``may_stay``."""

    __slots__ = ("may_stay",)

    def __init__(self, layer: Any, buffer: str, may_stay: bool) -> None:
        super().__init__(layer, buffer)
        self.may_stay = may_stay

    @property
    def _array(self) -> Any:
        return self.layer.__dict__["_buffers"][self.buffer]._array

    @_array.setter
    def _array(self, array: Any) -> None:
        old = self.layer.__dict__["_buffers"][self.buffer]
        if sys.getrefcount(old) == _OWN:
            old._memory = None  # another tensor would have one of its own
            old._array, old._spec = array, None
            return
        if self.may_stay and array.shape == old._array.shape and bool((array == old._array).all()):
            return
        self._place(EagerTensor(array))

    def _become(self, new: EagerTensor) -> None:
        """Have a tensor that gradients flow through."""
        old = self.layer.__dict__["_buffers"][self.buffer]
        if sys.getrefcount(old) == _OWN:
            old._memory = None
            old._array, old._spec = new._array, new._spec
            old._node, old._index, old.stop_gradient = new._node, new._index, new.stop_gradient
            return
        self._place(new)

    def _place(self, new: EagerTensor) -> None:
        """Put another tensor here."""
        new.persistable = True
        OrderedDict.__setitem__(self.layer.__dict__["_buffers"], self.buffer, new)
        epoch[0] += 1  # Programs of other functions may read the old one


def tensor_of(holder: Any) -> Any:
    """The tensor that a Program's root value is kept by."""
    return holder.tensor if isinstance(holder, Home) else holder


class Homes:
    """The buffers that the traces of one static function assign: whatever is there, its Programs can run."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, str], Home] = {}

    @property
    def keys(self) -> Collection[tuple[int, str]]:
        """(id of the Layer, name) of each."""
        return self._known.keys()

    def settle(self, traced: Any) -> set[int]:
        """Let a Program use these instead of the tensors that are there now; gives the ids of tensors that older ones may hold."""
        new = [home for home in traced.homes if home.key not in self._known]
        self._known.update((home.key, Home(home.layer, home.buffer)) for home in new)
        own = {home.key: home for home in traced.homes}
        homes = [own.get(key, home) for key, home in self._known.items()]
        there = {id(home.tensor): home for home in homes if home.is_there}
        for var in traced.program.params:
            var.holder = there.get(id(var.holder), var.holder)
        return {id(home.tensor) for home in new}
