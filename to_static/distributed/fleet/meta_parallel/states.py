"""States of the random generator by name: what every process draws alike, and what each draws for itself."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from to_static.framework.seeding import get_rng_state, seed, set_rng_state

MODEL_PARALLEL_RNG = "model_parallel_rng"


class RNGStatesTracker:
    """Named states, each of which goes on where it was left.

    Example:
        >>> tracker = fleet.meta_parallel.get_rng_state_tracker()
        >>> tracker.reset()
        >>> tracker.add('local_seed', 7)
        >>> with tracker.rng_state('local_seed'):
        ...     mask = paddle.rand([2])
    """

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget them all."""
        self.states_: dict[str, Any] = {}
        self.seeds_: set[int] = set()

    def add(self, name: str, seed: int) -> None:
        """A state that begins with this seed. Raises ValueError for a name or a seed that is taken."""
        if seed in self.seeds_:
            raise ValueError(f"seed {seed} already exists")
        self.seeds_.add(seed)
        if name in self.states_:
            raise ValueError(f"state {name} already exists")
        with _restored():
            _seed(seed)
            self.states_[name] = get_rng_state()

    def get_states_tracker(self) -> dict[str, Any]:
        """The states by their names."""
        return dict(self.states_)

    def set_states_tracker(self, states: dict[str, Any]) -> None:
        """Use these states from now on."""
        self.states_ = states

    @contextlib.contextmanager
    def rng_state(self, name: str = MODEL_PARALLEL_RNG) -> Iterator[None]:
        """Draw from the state of this name in a ``with`` block. Raises ValueError for an unknown one."""
        if name not in self.states_:
            raise ValueError(f"state {name} does not exist")
        with _restored():
            set_rng_state(self.states_[name])
            try:
                yield
            finally:
                self.states_[name] = get_rng_state()


@contextlib.contextmanager
def _restored() -> Iterator[None]:
    saved_state = get_rng_state()
    try:
        yield
    finally:
        set_rng_state(saved_state)


_seed = seed
_TRACKER = RNGStatesTracker()


def get_rng_state_tracker() -> RNGStatesTracker:
    """The one tracker of this process."""
    return _TRACKER


def model_parallel_random_seed(seed: int | None = None) -> None:
    """Seed the generator, and the state that each process has for itself with the next number."""
    common = seed or int(np.random.randint(0, 10000))
    _TRACKER.reset()
    _TRACKER.add(MODEL_PARALLEL_RNG, common + 1)
    _seed(common)
