"""`Carry`: how a loop carries one value."""

from __future__ import annotations

from typing import Any

from to_static.jit.jst.traced import DTYPES


class Carry:
    """How a value is carried: as a Python number of type ``number``, or (None) as a tensor of ``dtype`` and ``shape``."""

    __slots__ = ("dtype", "number", "shape")

    def __init__(self, dtype: Any, shape: Any = (), number: type | None = None) -> None:
        self.dtype = dtype
        self.shape = shape
        self.number = number

    @staticmethod
    def numbers(kind: type) -> Carry:
        """A Python number of type ``kind``."""
        return Carry(DTYPES[kind], number=kind)
