"""Helpers of kernels that change their first input."""

from __future__ import annotations

from typing import Any, Protocol, TypeAlias

from to_static.core.array_types import Array


class RowJournal(Protocol):
    """The undo log of a run: it records the old rows before a kernel overwrites them."""

    def writing(self, array: Any, index: Any, /) -> Any:
        """The array to write to at ``index``: ``array`` itself, or a copy of it."""


Donation: TypeAlias = "bool | RowJournal"  # whether a kernel may overwrite its first input, and who notes what was there


def writable(x: Array, donated: Donation, index: Any) -> Any:
    """The array that a kernel changes at ``index``: a copy of ``x``, or ``x`` itself where its memory is donated."""
    if donated is True:
        return x
    return x.copy() if donated is False else donated.writing(x, index)
