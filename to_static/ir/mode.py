"""The one dispatch point. An op call asks the current mode what "calling" means.

Eager mode runs the kernel; a `Builder` appends an op to its block. Modes form a stack per thread.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from to_static.core.errors import ModeError


class Mode(Protocol):
    """What an op call needs from a mode."""

    building: bool
    translate: Callable[[Any], Any]  # what a function of the user's becomes before a Layer calls it
    resolve: Callable[[Any], Any]  # the list of the Program that stands for a list of Python's, else the value itself
    unless_none: Callable[..., Any]  # ``unless_none(given, old, form)``: what holds after a hook gave ``given`` in place of ``old``

    def apply(self, opdef: Any, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        """Call an operator on tensors of this mode; returns one tensor or a tuple of tensors."""


def as_it_is(value: Any) -> Any:
    """The value."""
    return value


def unless_none(given: Any, old: Any, form: Callable[[Any], Any]) -> Any:
    """``old`` where ``given`` is None, else ``form(given)``."""
    return old if given is None else form(given)


class _NoMode:
    building = False
    resolve = staticmethod(as_it_is)

    def apply(self, opdef: Any, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        raise ModeError(f"{opdef.name}: no execution mode is set up; import to_static itself before calling operators")


class _State(threading.local):
    def __init__(self) -> None:
        self.mode: Any = _default
        self.grad = True  # whether gradients are recorded (no_grad turns it off)


_default: Any = _NoMode()
state = _State()


def set_default(mode: Any) -> None:
    """Make ``mode`` what every thread starts with (called once, by the eager package)."""
    global _default
    _default = mode
    state.mode = mode


def current() -> Any:
    """The mode of this thread."""
    return state.mode


def default() -> Any:
    """What every thread starts with: eager mode."""
    return _default


@contextmanager
def use(mode: Any) -> Iterator[Any]:
    """Make ``mode`` current within a ``with`` block."""
    saved = state.mode
    state.mode = mode
    try:
        yield mode
    finally:
        state.mode = saved


@contextmanager
def default_mode() -> Iterator[Any]:
    """Leave any building mode within a ``with`` block."""
    with use(_default) as mode:
        yield mode


def building() -> bool:
    """True while a Program is being built in this thread."""
    return state.mode.building


def tracing() -> bool:
    """True while a function is traced, not while a Program is built by hand."""
    return state.mode.building and state.mode.layer_writes is not None


def grad_enabled() -> bool:
    """True unless inside `no_grad`."""
    return state.grad


class grad_mode:
    """Record gradients, or not, within a ``with`` block."""

    _saved: Any = ()  # what was before, and before that: one may be entered again

    def __init__(self, enabled: bool) -> None:
        self._enabled = enabled

    def __enter__(self) -> None:
        self._saved = state.grad, self._saved
        state.grad = self._enabled

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        state.grad, self._saved = self._saved
