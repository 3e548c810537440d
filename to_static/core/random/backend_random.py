"""Random numbers of an array module's own generator: NumPy's or CuPy's."""

from __future__ import annotations

import bisect
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.core.processes.forking import free_in_children

if TYPE_CHECKING:
    from to_static.core.array_types import Array, ArrayModule

_FEW = 1 << 24  # whole numbers to choose from
_TRIES = 16  # numbers that may be drawn in vain


class Unseeded:
    """A source of random numbers where no seed was given, or where speed goes before being Paddle's: see `cpp_random`."""

    def __init__(self, xp: ArrayModule, generator: Any) -> None:
        self._xp, self._generator = xp, generator
        if xp is np:
            free_in_children(generator.bit_generator.lock)

    @classmethod
    def from_seed(cls, seed: int | None) -> Unseeded:
        """NumPy's; without a ``seed`` the system gives one."""
        return cls(np, np.random.Generator(np.random.PCG64(seed)))

    @classmethod
    def at(cls, state: Any) -> Unseeded:
        """A source of NumPy's at a `place` of another."""
        generator = cls.from_seed(0)
        generator.place = state
        return generator

    @property
    def place(self) -> Any:
        """The position in its stream."""
        return self._generator.bit_generator.state

    @place.setter
    def place(self, value: Any) -> None:
        self._generator.bit_generator.state = value

    def uniform(self, shape: tuple[int, ...], dtype: np.dtype | type = np.float64, low: float = 0.0, high: float = 1.0) -> Any:
        """Numbers evenly from ``[low, high)``, in float32 or float64."""
        drawn = self._generator.random(shape, dtype=dtype)
        return drawn if low == 0 and high == 1 else self._scaled_and_shifted(drawn, high - low, low)

    def _scaled_and_shifted(self, drawn: Array, factor: float, bias: float) -> Any:
        """``drawn * factor + bias``, written into ``drawn``."""
        if self._xp is not np:
            return drawn * drawn.dtype.type(factor) + drawn.dtype.type(bias)
        drawn = np.multiply(drawn, np.array(factor, drawn.dtype), drawn)
        return np.add(drawn, np.array(bias, drawn.dtype), drawn)

    def bernoulli_mask(self, shape: tuple[int, ...], probability: float) -> Any:
        """A mask of booleans: True where a uniform number from [0, 1) is at least ``probability``."""
        return self._generator.random(shape, dtype=np.float32) >= probability

    def normal(self, shape: tuple[int, ...], dtype: np.dtype | type = np.float64, mean: float = 0.0, std: float = 1.0) -> Any:
        """Numbers of the normal distribution of ``mean`` and ``std``, in float32 or float64."""
        drawn = self._generator.standard_normal(shape, dtype=dtype)
        return drawn if mean == 0 and std == 1 else self._scaled_and_shifted(drawn, std, mean)

    def integers(self, low: int, high: int, shape: tuple[int, ...]) -> Any:
        """Whole numbers evenly from ``[low, high)``, int64."""
        if self._xp is not np or high - low > _FEW:
            return self._generator.integers(low, high, shape)
        drawn = self._generator.random(shape)  # with few numbers to choose from, 53 bits are as even, and quicker
        drawn = np.multiply(drawn, np.array(float(high - low)), drawn).astype(np.int64)
        return np.add(drawn, np.array(low), drawn) if low else drawn

    def chosen(self, ends: list[float], count: int, replacement: bool) -> list[int] | None:
        """Positions drawn by weights, whose running totals are ``ends``; None where that takes too long.

        ``replacement``: a position may come several times, else once. The weights are not negative.
        """
        total, last, unit, position_of = ends[-1], len(ends) - 1, self._generator.random, bisect.bisect_right
        indices: list[int] = []
        for _ in range(count if replacement else count + _TRIES):
            if len(indices) == count:
                break
            index = position_of(ends, unit() * total, 0, last)
            if replacement or index not in indices:  # an index that was drawn before is rejected, and another one drawn
                indices.append(index)
        return indices if len(indices) == count else None

    def exponential(self, shape: tuple[int, ...]) -> Any:
        """Numbers of the exponential distribution of rate 1, float64."""
        return self._generator.standard_exponential(shape)

    def permutation(self, count: int) -> Any:
        """0 to ``count - 1`` in random order, int64."""
        return self._xp.argsort(self._generator.random(count))

    def poisson(self, rates: Array) -> Any:
        """Counts of the Poisson distribution for each rate, in the dtype of ``rates``."""
        return self._generator.poisson(rates).astype(rates.dtype)

    def gamma(self, shapes: Array) -> Any:
        """Gamma variables for each of ``shapes``, in their dtype."""
        return self._generator.standard_gamma(shapes.astype(np.float64)).astype(shapes.dtype)

    def word(self) -> int:
        """The next 64 bits."""
        return int(self._generator.integers(0, 2**64, dtype=np.uint64))
