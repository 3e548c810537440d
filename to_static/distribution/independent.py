"""Batch axes read as axes of one event."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from to_static.core.errors import ArgumentTypeError
from to_static.distribution.distribution import Distribution
from to_static.distribution.parameters import sum_rightmost


class Independent(Distribution):
    """``base`` with its last ``reinterpreted_batch_rank`` batch axes as axes of the event, over which log-probabilities are summed.

    Args:
        base: a distribution with batch axes.
        reinterpreted_batch_rank: how many of them; at least 1.

    Raises:
        ArgumentTypeError: ``base`` is not a distribution.
        ValueError: there are not that many batch axes.

    Example:
        >>> base = paddle.distribution.Normal([0.0, 0.0], [1.0, 1.0])
        >>> paddle.distribution.Independent(base, 1).event_shape
        (2,)
    """

    def __init__(self, base: Distribution, reinterpreted_batch_rank: int) -> None:
        if not isinstance(base, Distribution):
            raise ArgumentTypeError(f"Independent: 'base' should be a Distribution, but got {type(base)}")
        batch = len(base.batch_shape)
        if not 0 < reinterpreted_batch_rank <= batch:
            raise ValueError(
                f"Independent: expected 0 < reinterpreted_batch_rank <= {batch}, but got {reinterpreted_batch_rank}"
            )
        self._base = base
        self._reinterpreted_batch_rank = reinterpreted_batch_rank
        shape, batch_rank = base.batch_shape + base.event_shape, batch - reinterpreted_batch_rank
        super().__init__(shape[:batch_rank], shape[batch_rank:])

    @property
    def mean(self) -> Any:
        """The mean of the base."""
        return self._base.mean

    @property
    def variance(self) -> Any:
        """The variance of the base."""
        return self._base.variance

    def sample(self, shape: Sequence[Any] = ()) -> Any:
        """Draws of the base."""
        return self._base.sample(shape)

    def rsample(self, shape: Sequence[Any] = ()) -> Any:
        """Differentiable draws of the base."""
        return self._base.rsample(shape)

    def log_prob(self, value: Any) -> Any:
        """The sum of the base's over the axes of the event."""
        return sum_rightmost(self._base.log_prob(value), self._reinterpreted_batch_rank)

    def entropy(self) -> Any:
        """The sum of the base's over the axes of the event."""
        return sum_rightmost(self._base.entropy(), self._reinterpreted_batch_rank)
