"""`deprecated`: a function that says once that another one takes its place."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def deprecated(update_to: str = "", since: str = "", reason: str = "", level: int = 0) -> Callable[[F], F]:
    """Mark a function as deprecated: calls warn, once for each place, and its docstring says so.

    Args:
        update_to: the function to use instead. since: the version from which on. reason: why.
        level: 0 and 1 warn (DeprecationWarning), 2 makes each call a RuntimeError.

    Example:
        >>> @paddle.utils.deprecated(update_to='new', since='2.0')
        ... def old():
        ...     pass
    """

    def decorate(function: F) -> F:
        words = f'API "{function.__module__}.{function.__name__}" is deprecated'
        words += f" since {since}" if since else ""
        words += ", and will be removed in future versions."
        words += f' Please use "{update_to}" instead.' if update_to else ""
        words += f" Reason: {reason}" if reason else ""

        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            if level == 2:
                raise RuntimeError(words)
            warnings.warn(words, DeprecationWarning, stacklevel=2)
            return function(*args, **kwargs)

        call.__doc__ = f"Warning: {words}\n\n{function.__doc__ or ''}"
        return call  # type: ignore[return-value]

    return decorate
