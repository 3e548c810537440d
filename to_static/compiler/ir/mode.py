"""The dispatch point: an operator call asks the current mode what to do.

Eager mode runs the kernel; a `Builder` appends an op to its block. The mode, and the flag for recording gradients, are context
variables: each thread and each asyncio task has its own, so a ``with`` block around an ``await`` affects only its task.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Protocol

from to_static.core.errors import ModeError

if TYPE_CHECKING:
    from types import TracebackType

    from to_static.compiler.ir.opdef import OpDef


class Mode(Protocol):
    """The interface of a mode: what an op call needs from it."""

    building: bool
    direct: bool  # whether Python's operators of dynamic tensors may compute past `apply`, which nobody watches

    def translate(self, function: Callable[..., Any], /) -> Callable[..., Any]:
        """Called with each user function before a Layer calls it; returns the function to call."""

    def resolve_list(self, value: Any, /) -> Any:
        """The list of the Program that stands for a list of Python's, else the value itself."""

    def coalesce(self, result: Any, old: Any, form: Callable[[Any], Any], /) -> Any:
        """The value after a hook returned ``result``: ``form(result)``, or ``old`` where the hook returned None."""

    def apply(self, opdef: OpDef, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        """Call an operator on tensors of this mode; returns one tensor or a tuple of tensors."""


def identity(value: Any) -> Any:
    """The value."""
    return value


def coalesce(result: Any, old: Any, form: Callable[[Any], Any]) -> Any:
    """``old`` where ``result`` is None, else ``form(result)``."""
    return old if result is None else form(result)


class _NoMode:
    building = False
    direct = False
    resolve_list = staticmethod(identity)

    def apply(self, opdef: OpDef, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        raise ModeError(f"{opdef.name}: no execution mode is set up; import to_static itself before calling operators")


_default: Any = _NoMode()
_mode: ContextVar[Any] = ContextVar("mode", default=_default)
_grad: ContextVar[bool] = ContextVar("grad", default=True)

current: Callable[[], Any] = _mode.get  # the mode; asked as ``mode.current()``, for `set_default` puts another function here
grad_enabled: Callable[[], bool] = _grad.get  # True unless inside `no_grad`
set_grad_enabled: Callable[[bool], Any] = _grad.set  # record gradients, or not, from now on


def set_default(mode: Mode) -> None:
    """Make ``mode`` the current mode, and the mode in which every thread starts."""
    global _default, _mode, current
    _default = mode
    _mode = ContextVar("mode", default=mode)
    current = _mode.get


def default() -> Any:
    """The mode that every thread starts with: eager mode."""
    return _default


def switch_to(mode: Mode) -> None:
    """Make ``mode`` current from now on."""
    _mode.set(mode)


@contextmanager
def use(mode: Any) -> Iterator[Any]:
    """Make ``mode`` current within a ``with`` block."""
    variable = _mode
    saved = variable.get()
    variable.set(mode)
    try:
        yield mode
    finally:
        variable.set(saved)


@contextmanager
def default_mode() -> Iterator[Any]:
    """Leave any building mode within a ``with`` block."""
    with use(_default) as mode:
        yield mode


def building() -> bool:
    """True while a Program is being built in this thread."""
    return current().building  # type: ignore[no-any-return]


def tracing() -> bool:
    """True while a function is traced, not while a Program is built by hand."""
    now = current()
    return now.building and now.layer_writes is not None


def in_grad_mode(enabled: bool, function: Callable[..., Any], *args: Any) -> Any:
    """Call ``function(*args)`` while gradients are recorded (``enabled``) or not; safe if a signal interrupts it.

    A ``with`` statement would not restore the flag if a signal comes where `__exit__`, a Python function, begins. And Python 3.13
    does not run the ``finally`` around a loop if a signal comes at its jump. This function has neither.
    """
    saved = grad_enabled()
    try:
        set_grad_enabled(enabled)
        return function(*args)
    finally:
        set_grad_enabled(saved)


class grad_mode:
    """Record gradients, or not, within a ``with`` block."""

    _saved: Any = ()  # what was before, and before that: one may be entered again

    def __init__(self, enabled: bool) -> None:
        self._enabled = enabled

    def __enter__(self) -> None:
        self._saved = saved, _ = grad_enabled(), self._saved
        try:
            _grad.set(self._enabled)
        except BaseException:  # a signal, for which Python looks after the call
            _grad.set(saved)
            raise

    def __exit__(self, exc_type: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        saved, self._saved = self._saved
        _grad.set(saved)  # no token's `reset`, which the context of the `with` alone may call: a generator may end in another
