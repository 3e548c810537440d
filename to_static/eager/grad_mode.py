"""Switching gradients off and on: `no_grad`, `enable_grad`, `set_grad_enabled`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from to_static.ir import mode
from to_static.ir.mode import state

_new = object.__new__
_GENERATOR = 0x20  # inspect.CO_GENERATOR, without importing inspect


class _Switch(mode.grad_mode):
    """What the three have in common: a context manager and a decorator."""

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        enabled = self._enabled
        if getattr(getattr(function, "__code__", None), "co_flags", 0) & _GENERATOR:

            @functools.wraps(function)
            def generator(*args: Any, **kwargs: Any) -> Any:
                iterator = function(*args, **kwargs)
                while True:
                    with mode.grad_mode(enabled):
                        try:
                            item = next(iterator)
                        except StopIteration as stop:
                            return stop.value
                    yield item

            return generator

        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            with mode.grad_mode(enabled):
                return function(*args, **kwargs)

        return wrapper


class set_grad_enabled(_Switch):
    """Record gradients (``mode=True``) or not: from now on, within a ``with`` block, or as a decorator.

    A plain call holds until the next one (while a function is traced it raises ModeError: nothing would undo it). A ``with`` block,
    and a call of a decorated function, give back at their end what was before.

    Example:
        >>> with paddle.set_grad_enabled(False):
        ...     y = net(x)
    """

    def __init__(self, mode: bool) -> None:
        super().__init__(bool(mode))
        self._before = state.grad
        state.grad = self._enabled

    def __enter__(self) -> None:
        self._saved = self._before, self._saved
        self._before = state.grad = self._enabled

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        state.grad = self._before  # it is about the function alone
        return super().__call__(function)


class no_grad(_Switch):
    """Record no gradients, within a ``with`` block or as a decorator (``@no_grad()`` or ``@no_grad``).

    Example:
        >>> with paddle.no_grad():
        ...     y = net(x)          # y.stop_gradient is True
    """

    _enabled = False
    __init__ = object.__init__

    def __new__(cls, function: Any = None) -> Any:
        made = _new(cls)
        return made(function) if function is not None and callable(function) else made


class enable_grad(_Switch):
    """Record gradients again inside `no_grad`, within a ``with`` block or as a decorator."""

    _enabled = True
    __init__ = object.__init__


def is_grad_enabled() -> bool:
    """True unless inside `no_grad`."""
    if mode.tracing() and mode.grad_enabled():
        mode.current().asks_grad()
    return mode.grad_enabled()
