"""Buffer reuse: the memory of a large result is reused once nobody holds the result. New memory costs a page fault every 4 KiB.

Each holder of a result, or of a view of it, has a reference to the memory. So the memory is free if its reference count is that of
memory without holders. Plans use a `Recycler` for each large result.
"""

from __future__ import annotations

import operator
import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.core.arrays.array_ownership import is_sole_owner

if TYPE_CHECKING:
    from to_static.core.array_types import Array

LARGE = 1 << 17  # results of at least so many bytes are reused: for these the C library gets and returns pages each time
ALIGNMENT = 64


class Recycler:
    """Returns arrays of one shape and dtype. It reuses the memory of one of its last two arrays if that is free.

    Two are needed: in a loop ``y = f(x)`` the last result is alive until the next one exists, as is a weight until its update.
    """

    __slots__ = ("memory", "skip", "spare", "spare_skip")

    def __init__(self) -> None:
        self.memory: Any = None
        self.skip = 0
        self.spare: Any = None
        self.spare_skip = 0

    def __call__(self, shape: tuple[int, ...], dtype: np.dtype) -> Any:
        """Return an uninitialised array that nothing else refers to. It is a new object: users may have reshaped the last one."""
        if self.memory is None or sys.getrefcount(self.memory) != _IDLE:
            self.memory, self.skip, self.spare, self.spare_skip = self.spare, self.spare_skip, self.memory, self.skip
            if self.memory is None or sys.getrefcount(self.memory) != _IDLE:
                self.new(int(np.prod(shape, dtype="int64")) * np.dtype(dtype).itemsize)
        return np.ndarray(shape, dtype, self.memory, self.skip)

    def new(self, nbytes: int) -> None:
        """Allocate ``nbytes`` bytes of memory; a cache line begins at offset ``skip``. The old memory is left to its holders."""
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
                    memory.move_to_copy(holder)
            elif memory is not None and not is_sole_owner(holder):
                holder._array = holder._array.copy()


_memory_of = operator.attrgetter("_memory")


def _idle() -> int:
    """The reference count of memory that only its Recycler holds; it depends on the Python version."""
    one = Recycler()
    one.new(4)
    return sys.getrefcount(one.memory)


_IDLE = _idle()


def aligned(array: Array) -> Any:
    """Return the array itself if it begins at a cache line or is a view, else a copy that begins at one."""
    if type(array) is not np.ndarray or array.base is not None or not array.flags.c_contiguous:
        return array
    if array.ctypes.data % ALIGNMENT == 0:
        return array
    copy = Recycler()(array.shape, array.dtype)
    np.copyto(copy, array)
    return copy
