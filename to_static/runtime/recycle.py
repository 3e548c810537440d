"""Memory for large results that is used again once nobody has the result any more: new memory costs a page fault every 4 KiB.

An array that is dropped leaves its count of references as it was before anybody had it. Views count too: they refer to the array
that owns the memory.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

LARGE = 1 << 18  # bytes of a result from which on its memory is kept
ALIGNMENT = 64


class Recycler:
    """Gives arrays of one shape and dtype: the last one again where it is free, else a new one."""

    __slots__ = ("array", "owner")

    def __init__(self) -> None:
        self.array: Any = None
        self.owner: Any = None

    def __call__(self, shape: tuple[int, ...], dtype: Any) -> Any:
        """An array that nobody else has, with any numbers in it."""
        if self.array is None or sys.getrefcount(self.array) != _IDLE or sys.getrefcount(self.owner) != _IDLE_OWNER:
            self.new(shape, dtype)
        return self.array

    def new(self, shape: tuple[int, ...], dtype: Any) -> None:
        """Take new memory, which begins at a cache line; that of before belongs to those who have it."""
        nbytes = int(np.prod(shape, dtype="int64")) * np.dtype(dtype).itemsize
        self.owner = np.empty(nbytes + ALIGNMENT, "uint8")
        skip = -self.owner.ctypes.data % ALIGNMENT
        self.array = np.ndarray(shape, dtype, self.owner, skip)


def _idle() -> tuple[int, int]:
    """What this Python counts for an array that only its Recycler has, and for the owner of its memory."""
    one = Recycler()
    one.new((1,), "float32")
    return sys.getrefcount(one.array), sys.getrefcount(one.owner)


_IDLE, _IDLE_OWNER = _idle()
