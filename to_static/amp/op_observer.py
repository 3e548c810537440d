"""Observers of every operator of dynamic mode: they check results, or count calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from to_static.compiler.eager.mode import EagerMode
from to_static.compiler.ir import mode
from to_static.core.errors import ModeError

Watcher = Callable[[str, list[Any]], None]  # gets the name of an operator, and its results
_watchers: list[Watcher] = []


class _WatchedMode(EagerMode):
    """Dynamic mode, of which each operator is told."""

    direct = False

    def apply(self, opdef: Any, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        result = super().apply(opdef, inputs, attrs)
        for watcher in list(_watchers):
            watcher(opdef.name, list(result) if opdef.multi else [result])
        return result


_plain = mode.default()
_watched = _WatchedMode()


def watch(watcher: Watcher) -> None:
    """Tell ``watcher`` of each operator from now on. Raises ModeError while a Program is built."""
    if mode.building():
        raise ModeError("operators are watched in dynamic mode only: call this outside of static functions and static mode")
    _watchers.append(watcher)
    mode.set_default(_watched)


def leave(watcher: Any) -> None:
    """Tell it no more."""
    if watcher in _watchers:
        _watchers.remove(watcher)
    if not _watchers and not mode.building():
        mode.set_default(_plain)
