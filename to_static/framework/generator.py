"""Random number generators as Paddle's programs hold them, and places in their streams."""

from __future__ import annotations

import copy
import secrets
from typing import Any

from to_static.core import backend


class GeneratorState:
    """The position of a device's random numbers in their stream."""

    def __init__(self, device: str, state: Any) -> None:
        self.device, self.state = device, state

    def __repr__(self) -> str:
        return f"GeneratorState({self.device})"


class Generator:
    """The random number generator of a device, as `seed` returns it: a handle, there is one generator for each device.

    Example:
        >>> generator = paddle.seed(102)
        >>> generator.initial_seed()
        102
    """

    def __init__(self, device: Any = "cpu") -> None:
        self._backend = backend.get_backend(device)

    def manual_seed(self, seed: int) -> Generator:
        """Seed the generator; returns the generator."""
        self._backend.seed(int(seed))
        return self

    def seed(self) -> int:
        """Seed the generator with a number that the system draws; returns the number."""
        self.manual_seed(secrets.randbits(53))
        return self.initial_seed()

    def initial_seed(self) -> int:
        """The number that it was seeded with; where nobody has, the system drew one."""
        if self._backend.seeded is None:
            self.seed()
        return self._backend.seeded or 0

    def random(self) -> int:
        """The next 64 bits of its stream."""
        return self._backend.generator.word()

    def get_state(self) -> GeneratorState:
        """Return the position in the stream."""
        return GeneratorState(self._backend.place.device, copy.deepcopy(self._backend.draws))

    def set_state(self, state: GeneratorState) -> None:
        """Go on from where `get_state` was called. Raises TypeError for anything but its result."""
        if not isinstance(state, GeneratorState):
            raise TypeError(f"set_state: expected what get_state() gave, got {state!r}")
        self._backend.draws = copy.deepcopy(state.state)
