"""Diagnostics on standard error, gated by the TO_STATIC_DEBUG ladder, and warnings that appear once."""

from __future__ import annotations

import sys
import warnings

from to_static.core.flags import debug

_warned: set[str] = set()


def log(level: int, message: str) -> None:
    """Print ``message`` to standard error when TO_STATIC_DEBUG is at least ``level``."""
    if debug.value >= level:
        print(f"[to_static] {message}", file=sys.stderr)


def warn_once(key: str, message: str, stacklevel: int = 2) -> None:
    """Warn with ``message`` the first time that ``key`` is seen in this process."""
    if key not in _warned:
        _warned.add(key)
        warnings.warn(message, stacklevel=stacklevel + 1)
