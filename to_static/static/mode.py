"""Switching between dynamic mode (operators run at once) and static mode (operators are added to a Program)."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ir import mode
from to_static.core import backend, unique_name
from to_static.core.errors import ModeError
from to_static.static.program import StaticBuilder, default_main_program

_names = (unique_name.UniqueNameGenerator(), dict[str, object]())  # those of static mode, while it is off


def enable_static() -> None:
    """From now on (in this thread or asyncio task) add operators to `static.default_main_program()` instead of running them.

    Default names are counted on from where static mode was left. Raises ModeError inside a static function.

    Example:
        >>> paddle.enable_static()
    """
    _refuse_in_trace("enable_static")
    if not mode.building():
        unique_name.switch(*_names)
    mode.switch_to(default_main_program().builder)


def disable_static(place: Any = None) -> None:
    """Back to dynamic mode; with ``place``, on that device. Default names begin anew there, so they may be those of before.

    Raises ModeError inside a static function.

    Example:
        >>> paddle.enable_static()
        >>> paddle.disable_static()
        >>> paddle.in_dynamic_mode()
        True
    """
    global _names
    _refuse_in_trace("disable_static")
    if place is not None:
        backend.set_device(place)
    if mode.building():
        _names = unique_name.switch()
    mode.switch_to(mode.default())


enable_dygraph, disable_dygraph = disable_static, enable_static


def _refuse_in_trace(name: str) -> None:
    if mode.building() and not isinstance(mode.current(), StaticBuilder):
        raise ModeError(f"{name}() has no place inside a static function: call it outside")
