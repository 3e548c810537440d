"""Functions of the user's that run while something of Python's iterates: ``map(f, items)``, ``max(items, key=f)``."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from to_static.ir import mode


def iterating(function: Callable[..., Any], *iterables: Any) -> tuple[Any, ...]:
    """``function`` and iterators over the iterables, known to be at work while it runs: no variable needs to hold them."""
    iterators = [iter(iterable) for iterable in iterables]
    if not mode.building():
        return function, *iterators

    @functools.wraps(function, ())
    def step(*args: Any) -> Any:
        if not mode.building():
            return function(*args)
        entered = mode.state.mode.entered
        entered += iterators
        try:
            return function(*args)
        finally:
            del entered[-len(iterators) :]

    return step, *iterators
