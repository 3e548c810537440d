"""The calls around ``backward()``: exchanges of gradients between processes.

Those that wait are called when it has added all gradients, dynamic or in a trace. In dynamic mode they also hear of each gradient
as soon as nothing is added to it any more, so that exchanges overlap with the rest of the backward pass.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

import numpy as np

from to_static.core.caching.weak_tables import WeakKeys


class AfterBackward(Protocol):
    """An object that is told."""

    def begin(self, reached: Collection[int]) -> bool:
        """A backward pass begins that adds to leaves with these ids. Return whether to call `final`."""

    def final(self, leaf: int, gradient: np.ndarray) -> None:
        """The pass adds ``gradient`` to the leaf with this id, and no more."""

    def average(self, reached: Collection[int]) -> None:
        """The pass has added all gradients, to leaves with these ids."""


_waiting: WeakKeys[AfterBackward, None] = WeakKeys()  # in the order in which they came


def call_after_backward(callback: AfterBackward) -> None:
    """Call an object at each ``backward()``, as long as the object lives."""
    _waiting[callback] = None


def waiting() -> list[AfterBackward]:
    """Return the registered callbacks, in the order of their registration."""
    return _waiting.objects()


def gradients_added(reached: Collection[int]) -> None:
    """Call them: gradients were added to leaves with these ids."""
    for one in _waiting.objects():
        one.average(reached)
