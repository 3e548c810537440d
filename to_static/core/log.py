"""Diagnostics on standard error, gated by the TO_STATIC_DEBUG ladder, and warnings that appear once."""

from __future__ import annotations

import sys
import warnings
from typing import Any

from to_static.core.caching.weak_tables import WeakKeys
from to_static.core.diagnostics.notebooks import seen_name
from to_static.core.diagnostics.printable import harmless
from to_static.core.diagnostics.source_location import capture
from to_static.core.flags import debug

LONGEST = 10_000_000  # characters of what is told: Programs and plans are long
_warned: set[str] = set()
_warned_of: WeakKeys[Any, set[str]] = WeakKeys()


class Log:
    """The log: it writes to standard error, and to standard output as well when the user asked for it."""

    also_to_stdout = False
    quiet = False  # nothing is warned of: the user did not ask for what goes on


def log(level: int, message: str) -> None:
    """Print ``message`` when TO_STATIC_DEBUG is at least ``level``."""
    if debug.value >= level:
        tell(f"[to_static] {message}", Log.also_to_stdout)


def tell(text: str, also_to_stdout: bool) -> None:
    """Write a line to standard error, and to standard output as well."""
    text = harmless(text, LONGEST)
    print(text, file=sys.stderr)
    if also_to_stdout:
        print(text)


def warn_once(key: str, message: str, owner: object = None) -> None:
    """Warn with ``message`` the first time that ``key`` is seen in this process, or of ``owner``; the place is the user's line."""
    if Log.quiet:
        return
    warned_messages = _warned if owner is None else _warned_of.get(owner)
    if warned_messages is None:
        warned_messages = _warned_of[owner] = set()
    if key in warned_messages:
        return
    warned_messages.add(key)
    warn_here(message)


_registries: dict[str, dict[Any, Any]] = {}  # by file, what `warnings` notes of those that were seen


def warn_here(message: str) -> None:
    """Warn with ``message`` at the user's line; Python's filters say whether and how often it is seen."""
    location, message = capture(2), harmless(message)
    if location is None:
        warnings.warn(message, stacklevel=2)
    else:
        file = seen_name(location.file)
        warnings.warn_explicit(message, UserWarning, file, location.line, registry=_registries.setdefault(file, {}))
