"""`LazyGuard`: layers whose parameters get their first values later."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

import numpy as np

_depth: ContextVar[int] = ContextVar("depth", default=0)  # of guards around


class LazyGuard:
    """In this ``with`` block layers are made without running initializers; ``parameter.initialize()`` does that later.

    Until then the numbers of such a parameter are nan (0 of integers), so that nobody takes them for values.

    Example:
        >>> with paddle.LazyGuard():
        ...     net = paddle.nn.Linear(10, 10)
        >>> for parameter in net.parameters():
        ...     parameter.initialize()
    """

    def __enter__(self) -> LazyGuard:
        _depth.set(_depth.get() + 1)
        return self

    def __exit__(self, *error: Any) -> None:
        _depth.set(_depth.get() - 1)


class _Helper:
    """Paddle's inner object that says whether a guard is active; model collections ask it."""

    @property
    def _state(self) -> bool:
        return _depth.get() > 0

    state = _state


def lazy_init_helper() -> _Helper:
    """An object whose ``state`` says whether a `LazyGuard` is around."""
    return _Helper()


def first_values(values: Callable[[], Any], shape: tuple[int, ...], dtype: Any) -> tuple[Any, Callable[[], Any] | None]:
    """The first values of a parameter; inside of a guard what stands for them, and the function that gives them."""
    if not _depth.get():
        return values(), None
    return np.full(shape, np.nan if dtype.kind in "fc" else 0, dtype), values
