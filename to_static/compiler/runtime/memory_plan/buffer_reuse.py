"""Buffer reuse: memory of a large result is used again once the result has no holder. New memory costs a page fault every 4 KiB.

Every holder of a result, or of a view of it, refers to the memory below it. The memory is free when its reference count is that of
memory without holders.
"""

from __future__ import annotations

import operator
import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.core.arrays.array_ownership import is_sole_owner

if TYPE_CHECKING:
    from to_static.core.array_types import Array

LARGE = 1 << 17  # bytes of a result from which on its memory is kept: from here on the system gives and takes back pages
ALIGNMENT = 64


class Recycler:
    """Returns arrays of one shape and dtype. It reuses the memory of one of its last two arrays if that is free.

    Two are needed: in a loop ``y = f(x)`` the last result is alive until the next one exists, as is a weight until its update.
    """

    __slots__ = ("memory", "other", "skip", "skip_other")

    def __init__(self) -> None:
        self.memory: Any = None
        self.skip = 0
        self.other: Any = None
        self.skip_other = 0

    def __call__(self, shape: tuple[int, ...], dtype: np.dtype) -> Any:
        """Return an uninitialised array that nothing else refers to. It is a new object: users may have reshaped the last one."""
        if self.memory is None or sys.getrefcount(self.memory) != _IDLE:
            self.memory, self.skip, self.other, self.skip_other = self.other, self.skip_other, self.memory, self.skip
            if self.memory is None or sys.getrefcount(self.memory) != _IDLE:
                self.new(int(np.prod(shape, dtype="int64")) * np.dtype(dtype).itemsize)
        return np.ndarray(shape, dtype, self.memory, self.skip)

    def new(self, nbytes: int) -> None:
        """Take new memory, of which a cache line begins at ``skip``; that of before belongs to those who have it."""
        self.memory = np.empty(nbytes + ALIGNMENT, "uint8")
        self.skip = -self.memory.ctypes.data % ALIGNMENT


def own_all(holders: list[Any]) -> None:
    """Make ``holders`` the only owners of their arrays, so that a run may overwrite them: shared arrays are copied.

    Other owners keep the old array with its values. Tensors that are views of a holder move to the copy with it.
    """
    if any(map(_memory_of, holders)):
        for holder in holders:
            memory = holder._memory
            if memory is not None and not memory.forgotten_by(holder):
                if not memory.alone(holder):
                    memory.own(holder)
            elif memory is not None and not is_sole_owner(holder):
                holder._array = holder._array.copy()


_memory_of = operator.attrgetter("_memory")


def _idle() -> int:
    """The reference count, in this Python, of memory that only its Recycler holds."""
    one = Recycler()
    one.new(4)
    return sys.getrefcount(one.memory)


_IDLE = _idle()


def aligned(array: Array) -> Any:
    """The array itself where it begins at a cache line, or is a part of another one, else a copy that does."""
    if type(array) is not np.ndarray or array.base is not None or not array.flags.c_contiguous:
        return array
    if array.ctypes.data % ALIGNMENT == 0:
        return array
    copy = Recycler()(array.shape, array.dtype)
    np.copyto(copy, array)
    return copy
