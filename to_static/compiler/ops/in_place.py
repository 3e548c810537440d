"""Kernels that change their first input."""

from __future__ import annotations

from typing import Any


def writable(x: Any, own: Any, place: Any) -> Any:
    """What a kernel that changes ``x`` at ``place`` writes to: a copy; with ``own`` itself, or what `runtime.written_rows` says."""
    if own is True:
        return x
    return x.copy() if own is False else own.writing(x, place)
