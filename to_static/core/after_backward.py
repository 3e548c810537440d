"""What is called when ``backward()`` has added all gradients, in dynamic mode and in a trace: exchanges between processes."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

_callbacks: list[weakref.WeakMethod[Any]] = []


def call_after_backward(method: Callable[[], None]) -> None:
    """Call a bound method after each ``backward()``, as long as its object lives."""
    _callbacks.append(weakref.WeakMethod(method))


def gradients_added() -> None:
    """Call them, in the order in which they came."""
    for reference in list(_callbacks):
        method = reference()
        if method is None:
            _callbacks.remove(reference)
        else:
            method()


def anyone_waits() -> bool:
    """Whether there is something to call."""
    return bool(_callbacks)
