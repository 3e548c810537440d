"""Queries of the current mode, by the names that code written for Paddle uses."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from to_static.compiler.ir import mode
from to_static.core import backend
from to_static.core.backend import Place
from to_static.core.errors import ModeError


def in_dynamic_mode() -> bool:
    """True while operators run at once.

    Example:
        >>> paddle.in_dynamic_mode()
        True
    """
    return not mode.building()


def dygraph_only(func: Callable[..., Any]) -> Callable[..., Any]:
    """A function that raises ModeError while a Program is built by hand. (`to_static` traces it like any other.)

    ``func``: the function to decorate.

    Example:
        >>> @paddle.framework.dygraph_only
        ... def mean_of(array):
        ...     return float(paddle.to_tensor(array).mean())
    """

    @functools.wraps(func)
    def checked(*args: Any, **kwargs: Any) -> Any:
        if mode.building() and not mode.tracing():
            name = getattr(func, "__name__", "the function")
            raise ModeError(f"{name} is for dynamic mode, and static mode is on: paddle.disable_static() ends that")
        return func(*args, **kwargs)

    return checked


def _current_expected_place() -> Place:
    """The device of new tensors."""
    return backend.current().place


_current_expected_place_ = _current_expected_place


def in_declarative_mode() -> bool:
    """True while ``to_static`` traces a function.

    Example:
        >>> paddle.framework.in_declarative_mode()
        False
    """
    return mode.tracing()


def in_pir_mode() -> bool:
    """False: Paddle's new intermediate representation is not used here.

    Example:
        >>> paddle.framework.in_pir_mode()
        False
    """
    return False


def use_pir_api() -> bool:
    """False: Paddle's new intermediate representation is not used here.

    Example:
        >>> paddle.framework.use_pir_api()
        False
    """
    return False


in_dynamic_or_pir_mode = in_dynamic_mode
in_to_static_mode = in_declarative_mode
