"""Switching between dynamic mode (operators run at once) and static mode (operators are added to a Program)."""

from __future__ import annotations

from typing import Any

from to_static.core import backend
from to_static.core.errors import ModeError
from to_static.ir import mode
from to_static.static.program import StaticBuilder, default_main_program


def enable_static() -> None:
    """From now on (in this thread) add operators to `static.default_main_program()` instead of running them.

    Raises ModeError inside a static function.

    Example:
        >>> paddle.enable_static()
    """
    _refuse_in_trace("enable_static")
    mode.state.mode = default_main_program().builder


def disable_static(place: Any = None) -> None:
    """Back to dynamic mode; with ``place``, on that device. Raises ModeError inside a static function."""
    _refuse_in_trace("disable_static")
    if place is not None:
        backend.set_device(place)
    mode.state.mode = mode.default()


def _refuse_in_trace(name: str) -> None:
    if mode.building() and not isinstance(mode.current(), StaticBuilder):
        raise ModeError(f"{name}() has no place inside a static function: call it outside")
