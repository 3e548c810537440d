"""The states of Python's and NumPy's random generators, to see whether somebody drew and to go back."""

from __future__ import annotations

import random

from to_static.core.random import numpy_draws


class Drawn:
    """The states of both generators at the time of its making."""

    def __init__(self) -> None:
        self._python, self._numpy = random.getstate(), numpy_draws.draws()

    def has_advanced(self) -> bool:
        """Return whether numbers were drawn since."""
        return random.getstate() != self._python or not numpy_draws.same(numpy_draws.draws(), self._numpy)

    def go_back(self) -> None:
        """Let both be where they were."""
        if random.getstate() != self._python:
            random.setstate(self._python)
        numpy_draws.go_back(self._numpy)
