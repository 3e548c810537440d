"""Switches for recording gradients: `no_grad`, `enable_grad`, `set_grad_enabled`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from to_static.compiler.ir import mode
from to_static.compiler.ir.mode import grad_enabled as recorded
from to_static.compiler.ir.mode import set_grad_enabled as record

_new = object.__new__


class _Switch(mode.grad_mode):
    """The base of the three switches: a context manager and a decorator.

    A decorated generator and coroutine are in the mode while they run: their callers, and other tasks, stay in theirs.
    """

    def clone(self) -> Any:
        """Another one of the kind; a `set_grad_enabled` holds from now on, as any new one."""
        return type(self)(*self._arguments())

    def _arguments(self) -> tuple[Any, ...]:
        return ()

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        written = function.func if isinstance(function, functools.partial) else function
        way = getattr(getattr(written, "__code__", None), "co_flags", 0) & _SUSPENDED
        around = _AROUND.get(way, _around_call)
        return functools.wraps(function)(around(function, self._enabled))


def _around_call(function: Callable[..., Any], enabled: bool) -> Callable[..., Any]:
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        with mode.grad_mode(enabled):
            return function(*args, **kwargs)

    return wrapper


def _around_generator(function: Callable[..., Any], enabled: bool) -> Callable[..., Any]:
    def generator(*args: Any, **kwargs: Any) -> Any:
        iterator = function(*args, **kwargs)
        step = functools.partial(next, iterator)
        while True:
            with mode.grad_mode(enabled):
                try:
                    item = step()
                except StopIteration as stop:
                    return stop.value
            try:
                sent = yield item
            except GeneratorExit:
                with mode.grad_mode(enabled):
                    iterator.close()
                raise
            except BaseException as error:
                step = functools.partial(iterator.throw, error)
            else:
                step = functools.partial(iterator.send, sent)

    return generator


def _around_coroutine(function: Callable[..., Any], enabled: bool) -> Callable[..., Any]:
    async def coroutine(*args: Any, **kwargs: Any) -> Any:
        with mode.grad_mode(enabled):
            return await function(*args, **kwargs)

    return coroutine


def _around_async_generator(function: Callable[..., Any], enabled: bool) -> Callable[..., Any]:
    async def async_generator(*args: Any, **kwargs: Any) -> Any:
        iterator = function(*args, **kwargs)
        step = iterator.__anext__
        while True:
            with mode.grad_mode(enabled):
                try:
                    item = await step()
                except StopAsyncIteration:
                    return
            try:
                sent = yield item
            except GeneratorExit:
                with mode.grad_mode(enabled):
                    await iterator.aclose()
                raise
            except BaseException as error:
                step = functools.partial(iterator.athrow, error)
            else:
                step = functools.partial(iterator.asend, sent)

    return async_generator


# what `inspect` calls CO_GENERATOR, CO_COROUTINE and CO_ASYNC_GENERATOR, without importing it
_AROUND = {0x20: _around_generator, 0x80: _around_coroutine, 0x200: _around_async_generator}
_SUSPENDED = 0x20 | 0x80 | 0x200


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
        self._enabled_outside = recorded()
        record(self._enabled)

    def _arguments(self) -> tuple[Any, ...]:
        return (self._enabled,)

    def __enter__(self) -> None:
        self._saved = self._enabled_outside, self._saved
        self._enabled_outside = self._enabled
        record(self._enabled)

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        record(self._enabled_outside)  # it is about the function alone
        return super().__call__(function)


class no_grad(_Switch):
    """Record no gradients, within a ``with`` block or as a decorator (``@no_grad()`` or ``@no_grad``).

    ``function``: the function to decorate.

    Example:
        >>> with paddle.no_grad():
        ...     y = net(x)          # y.stop_gradient is True
    """

    _enabled = False
    __init__ = object.__init__

    def __new__(cls, function: Callable[..., Any] | None = None) -> Any:
        context = _new(cls)
        return context(function) if function is not None and callable(function) else context


class enable_grad(_Switch):
    """Record gradients again inside `no_grad`, within a ``with`` block or as a decorator.

    Example:
        >>> x = paddle.to_tensor([1.0], stop_gradient=False)
        >>> with paddle.no_grad(), paddle.enable_grad():
        ...     y = x * 2
        ...
        >>> y.stop_gradient
        False
    """

    _enabled = True
    __init__ = object.__init__


def is_grad_enabled() -> bool:
    """True unless inside `no_grad`.

    Example:
        >>> with paddle.no_grad():
        ...     print(paddle.is_grad_enabled())
        ...
        False
    """
    if mode.tracing() and mode.grad_enabled():
        mode.current().on_grad_mode_read()
    return mode.grad_enabled()
