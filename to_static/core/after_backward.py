"""The calls that follow when ``backward()`` has added all gradients, dynamic or in a trace: exchanges between processes."""

from __future__ import annotations

from typing import Protocol

from to_static.core.caching.weak_tables import WeakKeys


class AfterBackward(Protocol):
    """An object that is told."""

    def average(self) -> None:
        """Do what is to be done now."""


_waiting: WeakKeys[AfterBackward, None] = WeakKeys()  # in the order in which they came


def call_after_backward(waiting: AfterBackward) -> None:
    """Call ``average()`` of an object after each ``backward()``, as long as the object lives."""
    _waiting[waiting] = None


def gradients_added() -> None:
    """Call them, in the order in which they came."""
    for waiting in _waiting.objects():
        waiting.average()
