"""Samplers: in which order the samples of a dataset are visited.

Random ones draw from NumPy's global generator, as Paddle's do: ``np.random.seed(n)`` fixes the order (to Paddle's).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from to_static.core import backend as backends


class Sampler:
    """An order of sample indices. Subclasses define ``__iter__`` and, where it is known, ``__len__``.

    ``data_source``: anything with a length.

    Example:
        >>> isinstance(paddle.io.SequenceSampler([1, 2]), paddle.io.Sampler)
        True
    """

    def __init__(self, data_source: Any = None) -> None:
        self.data_source = data_source

    def __iter__(self) -> Iterator[Any]:
        raise NotImplementedError(f"'__iter__' is not implemented in class {type(self).__name__}")


class SequenceSampler(Sampler):
    """``0, 1, 2, ..., len(data_source) - 1``.

    Example:
        >>> list(paddle.io.SequenceSampler([10, 20, 30]))
        [0, 1, 2]
    """

    def __init__(self, data_source: Any) -> None:
        super().__init__(data_source)

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        return len(self.data_source)


class RandomSampler(Sampler):
    """Indices in random order.

    Args:
        data_source: anything with a length.
        replacement: draw with replacement (default False: every index once).
        num_samples: how many to draw, only with replacement (default: ``len(data_source)``).
        generator: an iterator of indices to take instead of drawing them.

    Raises:
        TypeError: ``replacement`` is not a bool.
        ValueError: ``num_samples`` is given without replacement, or is not positive.

    Example:
        >>> sorted(paddle.io.RandomSampler([10, 20, 30]))
        [0, 1, 2]
    """

    def __init__(
        self, data_source: Any, replacement: bool = False, num_samples: int | None = None, generator: Any = None
    ) -> None:
        super().__init__(data_source)
        if not isinstance(replacement, bool):
            raise TypeError(f"RandomSampler: replacement should be a bool, got {replacement!r}")
        if num_samples is not None and not replacement:
            raise ValueError("RandomSampler: num_samples can be given only with replacement=True")
        self.replacement = replacement
        self.generator = generator
        self._num_samples = num_samples
        if not isinstance(self.num_samples, int) or self.num_samples <= 0:
            raise ValueError(f"RandomSampler: expected a positive number of samples, got {self.num_samples}")

    @property
    def num_samples(self) -> int:
        """The number of indices that one pass gives."""
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self) -> Iterator[int]:
        if self.generator is not None:
            for _, index in zip(range(self.num_samples), self.generator, strict=False):
                yield index
            return
        yield from np.random.choice(len(self.data_source), self.num_samples, replace=self.replacement).tolist()

    def __len__(self) -> int:
        return self.num_samples


class SubsetRandomSampler(Sampler):
    """The given indices, each once, in an order drawn from the generator that `seed` sets.

    Raises:
        ValueError: ``indices`` is empty.

    Example:
        >>> sorted(paddle.io.SubsetRandomSampler([3, 5]))
        [3, 5]
    """

    def __init__(self, indices: Sequence[int]) -> None:
        if len(indices) == 0:
            raise ValueError("SubsetRandomSampler: expected at least one index, got none")
        self.indices = indices

    def __iter__(self) -> Iterator[int]:
        for position in backends.NUMPY.generator.permutation(len(self.indices)):
            yield self.indices[position]

    def __len__(self) -> int:
        return len(self.indices)


class WeightedRandomSampler(Sampler):
    """Index ``i`` with a probability proportional to ``weights[i]``.

    Args:
        weights: one finite, non-negative weight per index (list, array or Tensor, 1-D).
        num_samples: how many indices to draw.
        replacement: whether an index can be drawn again (default True).

    Raises:
        ValueError: the weights are not such numbers, or too few of them are positive; ``num_samples`` is not positive.
        TypeError: ``replacement`` is not a bool.

    Example:
        >>> WeightedRandomSampler([0.1, 0.3, 0.6], num_samples=5)
    """

    def __init__(self, weights: Any, num_samples: int, replacement: bool = True) -> None:
        if not isinstance(num_samples, int) or num_samples <= 0:
            raise ValueError(f"WeightedRandomSampler: num_samples should be a positive int, got {num_samples!r}")
        if not isinstance(replacement, bool):
            raise TypeError(f"WeightedRandomSampler: replacement should be a bool, got {replacement!r}")
        array = np.asarray(weights, dtype=np.float64)
        if array.ndim != 1 or not np.isfinite(array).all() or (array < 0).any():
            raise ValueError(f"WeightedRandomSampler: expected a row of finite weights >= 0, got {weights!r}")
        positive = int(np.count_nonzero(array))
        needed = 1 if replacement else num_samples
        if positive < needed:
            raise ValueError(f"WeightedRandomSampler: {needed} positive weight(s) are needed, got {positive}")
        self.weights = weights
        self.num_samples = num_samples
        self.replacement = replacement
        self._probabilities = array / array.sum()

    def __iter__(self) -> Iterator[int]:
        count = len(self._probabilities)
        return iter(np.random.choice(count, self.num_samples, self.replacement, self._probabilities).tolist())

    def __len__(self) -> int:
        return self.num_samples
