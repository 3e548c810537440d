"""Fast paths for ``x[i]``, ``x[1:3, ids]`` and ``x[i, j] = v`` of dynamic tensors: NumPy's views, selections and writes.

Other indices, invalid indices and writes that the tape records take the general path of `Tensor`.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from to_static.compiler.eager import saved_tensor_hooks
from to_static.compiler.eager.tape import Edge, OpNode, leave_numbers
from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.eager.view_tracking import ensure_sole_owner, share
from to_static.compiler.ir import mode
from to_static.compiler.ir.mode import grad_enabled
from to_static.compiler.ir.opdef import FrozenAttrs
from to_static.compiler.ir.registry import REGISTRY
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions as F
from to_static.core.arrays.fitting import array_of

_ARRAY = np.ndarray
_BOUND = frozenset([int, type(None)])
_WHOLE = slice(None)
_ANY = 64  # dimensions, more than arrays have


class ItemNode(OpNode):
    """A slice whose attributes are computed on first read."""

    __slots__ = ("index", "ndim")

    @property
    def attrs(self) -> Any:
        """The attributes of the slice operator, computed from the index on first read."""
        return F.cuts_of(self.ndim, self.index)

    @attrs.setter
    def attrs(self, index: Any) -> None:
        self.ndim, self.index = self.inputs[0].ndim, index

    def raw(self, gouts: list[Any]) -> Any:
        array, gradient = self.inputs[0], gouts[0]
        if type(array) is not _ARRAY or type(gradient) is not _ARRAY:
            return super().raw(gouts)
        filled = np.zeros(array.shape, array.dtype)
        filled[(*self.index, ...) if type(self.index) is tuple else (self.index, ...)] = gradient
        return [filled]


def _is_plain(item: slice) -> bool:
    return type(item.start) in _BOUND and type(item.stop) in _BOUND and type(item.step) in _BOUND


def _place(index: object) -> tuple[Any, ...] | None:
    """Return NumPy's index for a view by ints and slices; None for other indices, and for one that selects the whole tensor."""
    cuts = False
    if type(index) is not tuple:
        index = (index,)
    for item in index:
        cls = type(item)
        if cls is int:
            cuts = True
        elif cls is slice:
            if not _is_plain(item):
                return None
            cuts = cuts or item != _WHOLE
        else:
            return None
    return (*index, ...) if cuts else None


def _picked(self: EagerTensor, index: tuple[Any, ...]) -> Any:
    """``self[index]`` for a tensor of integers among ints and slices; unrecorded also for several among ints, and for a mask.

    None for others, and for wrong indices.
    """
    array, key, ids, axis, many, cuts = self._array, [], None, 0, False, False
    if type(array) is not _ARRAY or len(index) > array.ndim:
        return None
    for item in index:
        cls = type(item)
        if cls is EagerTensor:
            chosen = item._array
            if type(chosen) is not _ARRAY or not chosen.ndim:
                return None
            if chosen.dtype.kind != "i":
                return _masked(self, chosen) if len(index) == 1 and chosen.dtype.kind == "b" else None
            many = ids is not None
            ids = item
            key.append(chosen)
            continue
        if cls is int:
            key.append(item)
        elif cls is slice and _is_plain(item):
            cuts = True
            axis += ids is None
            key.append(item)
        else:
            return None
    if ids is None or not mode.current().direct or (many and cuts):
        return None
    if not many:
        return _along_axis(self, tuple([_WHOLE if item is ids else item for item in index]), ids, axis)
    if not self.stop_gradient and grad_enabled():
        return None
    try:
        part = array[tuple(key)]
    except (IndexError, ValueError):
        return None
    return EagerTensor(part) if type(part) is _ARRAY else None


def _masked(self: EagerTensor, mask: np.ndarray) -> Any:
    """The elements where ``mask`` is true; None where the gradient is wanted, or the shapes do not fit."""
    array = self._array
    wanted = not self.stop_gradient and grad_enabled()
    if wanted or not mode.current().direct or mask.shape != array.shape[: mask.ndim]:
        return None
    return EagerTensor(array[mask])


def _along_axis(self: EagerTensor, index: tuple[Any, ...], ids: EagerTensor, axis: int) -> Any:
    """Return the elements of ``self[index]`` with the positions ``ids`` along ``axis``; None if there are none, or an id is out of
    range.
    """
    if not self.stop_gradient and grad_enabled():
        part = self if _place(index) is None else self[index]
        return REGISTRY["index"].call((part, [ids]), _axes(axis))
    try:
        part = self._array[index].take(ids._array, axis)
    except (IndexError, ValueError):
        return None
    return EagerTensor(part) if part.size else None  # of no elements NumPy takes any


@functools.lru_cache
def _axes(axis: int) -> FrozenAttrs:
    return FrozenAttrs(axes=(axis,))


def _getitem(self: EagerTensor, index: object) -> Any:
    array = self._array
    if type(array) is not _ARRAY or (view_index := _place(index)) is None or not mode.current().direct:
        cls = type(index)
        picked = _picked(self, index if cls is tuple else (index,)) if cls is tuple or cls is EagerTensor else None  # type: ignore[arg-type]
        return F.getitem(self, index) if picked is None else picked
    records = not self.stop_gradient and grad_enabled()
    try:
        part = None if records and saved_tensor_hooks.hooks.get() else array[view_index]
    except (IndexError, ValueError):
        part = None
    if part is None:
        return F.getitem(self, index)
    tensor = EagerTensor(part)
    share(self, tensor)
    if records:
        inputs: tuple[Any, ...] = (self, [])
        node = tensor._node = ItemNode(REGISTRY["slice"], inputs, [Edge(self)], [array, []], index, [part])  # type: ignore[arg-type]  # see `attrs`
        tensor.stop_gradient = False
        if self._version or ((memory := self._memory) is not None and memory.written):
            leave_numbers(node, inputs)
    return tensor


def _write_index(self: EagerTensor, index: object) -> tuple[Any, int] | None:
    """NumPy's index for a write by a mask or tensors of integers, and the rank of the elements that it selects; None for others.

    An int between slices and tensors is none of these: NumPy would put the dimensions of the tensors in front.
    """
    items = index if type(index) is tuple else (index,)
    shape, key, tensors, ints, slices, joint = self._array.shape, [], 0, 0, 0, 0
    if len(items) > len(shape):
        return None
    for item in items:
        cls = type(item)
        if cls is EagerTensor:
            array = item._array
            is_apart = item is not self and (item._memory is None or item._memory is not self._memory)
            if type(array) is not _ARRAY or not array.ndim or not is_apart:
                return None
            if array.dtype.kind == "b":
                fits = len(items) == 1 and array.shape == shape[: array.ndim]
                return (array, 1 + len(shape) - array.ndim) if fits else None
            if array.dtype.kind != "i":
                return None
            tensors, joint = tensors + 1, max(joint, array.ndim)
            key.append(array)
            continue
        if cls is int:
            ints += 1
        elif cls is slice and _is_plain(item):
            slices += 1
        else:
            return None
        key.append(item)
    if not tensors or (slices and ints + tensors > 1):
        return None
    return tuple(key), joint + len(shape) - tensors - ints


def _setitem(self: EagerTensor, index: object, value: Any) -> None:
    cls = type(value)
    if (
        type(self) is EagerTensor
        and self._node is None
        and type(self._array) is _ARRAY
        and mode.current().direct
        and (not grad_enabled() or (self.stop_gradient and (cls is not EagerTensor or value.stop_gradient)))
    ):
        dtype, view_index, rank = self._array.dtype, _place(index), _ANY
        if view_index is None and (copy_index := _write_index(self, index)) is not None:
            view_index, rank = copy_index
        try:
            if view_index is None:
                written: Any = None
            elif cls is float or cls is int:
                written = array_of(value, dtype)
            elif cls is EagerTensor and value is not self and (value._memory is None or value._memory is not self._memory):
                written = value._array
            else:
                written = None
            if type(written) is _ARRAY and written.dtype is dtype and written.ndim <= rank:
                ensure_sole_owner(self)
                self._array[view_index] = written
                self._version += 1
                return
        except (IndexError, OverflowError, ValueError):
            pass
    self._change(F.setitem, index, value)


_getitem.__name__ = _getitem.__qualname__ = "__getitem__"
_setitem.__name__ = _setitem.__qualname__ = "__setitem__"
_getitem.__doc__, _setitem.__doc__ = Tensor.__getitem__.__doc__, Tensor.__setitem__.__doc__
type.__setattr__(EagerTensor, "__getitem__", _getitem)
type.__setattr__(EagerTensor, "__setitem__", _setitem)
