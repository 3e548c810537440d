"""Views: tensors that share memory, as in Paddle's dynamic mode, so that an in-place change of one changes all of them.

Arrays that the tape has saved, or that anything else refers to, must not change. If anything but the tensors of a memory refers to
one of its arrays, an in-place change copies the whole memory and moves all its tensors to the copy. `mode`, `items` and
`tensor` call this module.
"""

from __future__ import annotations

import weakref
from contextvars import ContextVar
from itertools import repeat
from sys import getrefcount
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.core.atomic import Steps, putting, set_all, setting

try:
    from numpy.lib.array_utils import byte_bounds
except ImportError:  # NumPy 1
    from numpy import byte_bounds  # type: ignore[attr-defined,no-redef]

from to_static.compiler.ir.strides import is_row_major
from to_static.core.arrays.array_ownership import WHOLES, is_sole_owner

if TYPE_CHECKING:
    from to_static.compiler.eager.tensor import EagerTensor
    from to_static.core.array_types import Array

# the tensor whose in-place operation is running: it will hold the result
inplace_target: ContextVar[Any] = ContextVar("inplace_target", default=None)


class Memory:
    """The tensors of one memory, held weakly. ``written``: True once one of them was changed in place."""

    __slots__ = ("_members", "_order", "_room", "written")

    def __init__(self, first: EagerTensor) -> None:
        self._members: list[weakref.ref[Any]] = [weakref.ref(first)]
        self._room = 8
        self.written = first._version > 0
        array = first._array
        self._order = None if array.flags.c_contiguous else (array.shape, array.strides)
        first._memory = self

    def is_row_major(self, array: Array) -> bool:
        """True if the elements of a member are in row-major order in PaddlePaddle, given that those of the first member are."""
        if self._order is None:
            return is_row_major(array)
        return bool(array.size < 2) or (array.shape, array.strides) == self._order

    def add(self, tensor: EagerTensor) -> None:
        """Add ``tensor`` to the members."""
        if len(self._members) >= self._room:
            self._members = [m for m in self._members if m() is not None]
            self._room = 2 * len(self._members) + 8
        self._members.append(weakref.ref(tensor))
        tensor._memory = self

    def steps(self, tensor: EagerTensor, array: Array, staged: dict[int, Any]) -> list[Steps]:
        """Return the steps of a commit that give ``tensor`` the value ``array``.

        An array of the old shape and dtype is copied into the shared memory, so that the other views see it.

        ``staged``: the arrays that tensors get by steps that are not done yet, by the ids of the tensors. This call adds to it.
        """

        def now(t: EagerTensor) -> Any:
            return staged.get(id(t), t._array)

        old = now(tensor)
        root = _owner(old)
        alive = [t for m in self._members if (t := m()) is not None and t is not tensor and t._memory is self]
        views = [t for t in alive if _owner(now(t)) is root]
        staged[id(tensor)] = array
        if views and type(array) is np.ndarray and np.may_share_memory(array, old):
            return [setting((tensor, "_array", array))]  # another view of the same elements
        if not views or type(array) is not np.ndarray or array.shape != old.shape or array.dtype != old.dtype:
            return [setting((tensor, "_memory", None), (tensor, "_array", array))]
        self.written = True  # the tape saves no arrays of it from now on, so the next change copies nothing
        if len(staged) == 1 and root not in WHOLES:  # a running optimizer may refer to pieces of an array in `WHOLES`
            del old, root  # `alone` counts references
            if self.alone(tensor):
                return [putting((tensor._array, ..., array))]
            old = tensor._array
            root = _owner(old)
        moved_array = _copied_memory(root, [old, *map(now, views)])
        staged[id(tensor)] = view = moved_array(old)
        staged.update((id(view_of_root), moved_array(now(view_of_root))) for view_of_root in views)
        updates = [(view_of_root, "_array", staged[id(view_of_root)]) for view_of_root in views]
        return [putting((view, ..., array)), setting((tensor, "_array", view), *updates)]

    def forgotten_by(self, tensor: EagerTensor) -> bool:
        """True if no other tensor of the memory is alive; then ``tensor`` has no views any more."""
        root = _owner(tensor._array)
        for member in self._members:
            holder = member()
            if holder is not None and holder is not tensor and holder._memory is self and _owner(holder._array) is root:
                return False
        tensor._memory = None
        return True

    def alone(self, tensor: EagerTensor, extra_references: int = 0) -> bool:
        """Return whether only living tensors of this memory refer to its arrays, judged by reference counts. When in doubt: False.

        ``extra_references``: the references to the array of ``tensor`` that the caller holds.
        """
        root = _owner(tensor._array)
        by_root: dict[int, list[Any]] = {}
        for member in self._members:
            holder = member()
            if holder is not None and holder._memory is self and _owner(holder._array) is root:
                by_root.setdefault(id(holder._array), []).append(holder)
        holder = None  # its reference would count
        pieces = WHOLES.get(root)
        if root.base is not None:
            return False
        for tensors in by_root.values():
            array = tensors[0]._array
            expected = len(tensors) + (0 if array is not tensor._array else extra_references + (pieces is not None))
            if array is not root and getrefcount(array) != expected + _ONE:
                return False
        roots = by_root.pop(id(root), [])
        expected = (
            len(roots)
            + len(by_root)
            + (0 if pieces is None else pieces)
            + (extra_references if root is tensor._array else 0)
        )
        return getrefcount(root) == expected + _ONE

    def move_to_copy(self, tensor: EagerTensor) -> None:
        """Move ``tensor`` and the other tensors of its memory to a copy, which only they refer to."""
        root = _owner(tensor._array)
        alive = [t for m in self._members if (t := m()) is not None and t._memory is self]
        self._move([t for t in alive if _owner(t._array) is root])

    @staticmethod
    def _move(members: list[Any]) -> None:
        moved_array = _copied_memory(_owner(members[0]._array), [t._array for t in members])
        arrays = [moved_array(member._array) for member in members]
        set_all(members, repeat("_array"), arrays)


def ensure_sole_owner(tensor: EagerTensor) -> None:
    """Make ``tensor`` and its views the only owners of their array: they move to a copy if anything else refers to it."""
    memory = tensor._memory
    if memory is None or memory.forgotten_by(tensor):
        if not is_sole_owner(tensor):
            tensor._array = tensor._array.copy()
    else:
        memory.written = True
        if not memory.alone(tensor):
            memory.move_to_copy(tensor)


def share(source: EagerTensor, view: EagerTensor) -> None:
    """Add ``view``, a tensor that was computed from ``source``, to the memory of ``source`` if their arrays share memory."""
    array, view_array = source._array, view._array
    if view_array.base is not array and _owner(view_array) is not _owner(array):
        if (
            source._memory is not None
            or not (source._node or source.stop_gradient)
            or view_array.size != array.size
            or not array.ndim
        ):
            return
        source._array = view_array.reshape(array.shape)  # it was not contiguous; in Paddle, tensors that are no views are
    (source._memory or Memory(source)).add(view)


def _owner(array: Array) -> Any:
    """The array that owns the memory of ``array``."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def _copied_memory(root: np.ndarray, arrays: list[np.ndarray]) -> Any:
    """Copy the part of ``root`` that ``arrays`` cover; return a function from an array of ``root`` to that of the copy."""
    bounds = [byte_bounds(array) for array in arrays]
    low, high = min(start for start, _ in bounds), max(end for _, end in bounds)
    start = byte_bounds(root)[0]
    flat = root.ravel(order="K").view("uint8")[low - start : high - start].copy()  # in memory order; the memory has no gaps

    def place(array: np.ndarray) -> np.ndarray:
        offset = array.__array_interface__["data"][0] - low
        return np.ndarray(array.shape, array.dtype, flat, offset, array.strides)

    return place


def _one() -> int:
    """Return the reference count of an array that only one variable refers to; it depends on the Python version."""
    array = np.empty(1)
    return getrefcount(array)


_ONE = _one()
