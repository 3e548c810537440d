"""Kernels that change their first input."""

from __future__ import annotations

from typing import Any, Protocol, TypeAlias

from to_static.core.array_types import Array


class RowJournal(Protocol):
    """A run that can take back what it wrote: it notes the old rows before a kernel overwrites them."""

    def writing(self, array: Any, index: Any, /) -> Any:
        """The array to write to at ``index``: ``array`` itself, or a copy of it."""


Own: TypeAlias = "bool | RowJournal"  # whether a kernel may overwrite its first input, and who notes what was there


def writable(x: Array, own: Own, index: Any) -> Any:
    """The array that a kernel changes at ``index``: a copy of ``x``, or ``x`` itself where the kernel owns it."""
    if own is True:
        return x
    return x.copy() if own is False else own.writing(x, index)
