"""Switching gradients off and on: `no_grad`, `enable_grad`, `set_grad_enabled`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from to_static.ir import mode

_GENERATOR = 0x20  # inspect.CO_GENERATOR, without importing inspect


class set_grad_enabled:
    """Record gradients (``mode=True``) or not, within a ``with`` block or as a decorator.

    Example:
        >>> with paddle.set_grad_enabled(False):
        ...     y = net(x)
    """

    def __init__(self, mode: bool) -> None:
        self._enabled = bool(mode)
        self._saved: list[bool] = []

    def __enter__(self) -> None:
        self._saved.append(mode.state.grad)
        mode.state.grad = self._enabled

    def __exit__(self, *error: object) -> None:
        mode.state.grad = self._saved.pop()

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        enabled = self._enabled
        if getattr(getattr(function, "__code__", None), "co_flags", 0) & _GENERATOR:

            @functools.wraps(function)
            def generator(*args: Any, **kwargs: Any) -> Any:
                iterator = function(*args, **kwargs)
                while True:
                    with set_grad_enabled(enabled):
                        try:
                            item = next(iterator)
                        except StopIteration as stop:
                            return stop.value
                    yield item

            return generator

        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            with set_grad_enabled(enabled):
                return function(*args, **kwargs)

        return wrapper


class no_grad(set_grad_enabled):
    """Record no gradients, within a ``with`` block or as a decorator (``@no_grad()`` or ``@no_grad``).

    Example:
        >>> with paddle.no_grad():
        ...     y = net(x)          # y.stop_gradient is True
    """

    def __new__(cls, function: Any = None) -> Any:
        made = super().__new__(cls)
        if callable(function):
            made.__init__()  # type: ignore[misc]
            return made(function)
        return made

    def __init__(self, function: Any = None) -> None:
        super().__init__(False)


class enable_grad(set_grad_enabled):
    """Record gradients again inside `no_grad`, within a ``with`` block or as a decorator."""

    def __init__(self) -> None:
        super().__init__(True)


def is_grad_enabled() -> bool:
    """True unless inside `no_grad`."""
    if mode.tracing() and mode.grad_enabled():
        mode.current().asks_grad()
    return mode.grad_enabled()
