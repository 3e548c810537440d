"""The Dirichlet distribution."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from to_static.compiler.ops.random.dirichlet import dirichlet
from to_static.core.errors import ShapeError
from to_static.distribution.exponential_family import ExponentialFamily


class Dirichlet(ExponentialFamily):
    """The Dirichlet distribution: vectors of positive numbers whose sum is 1.

    Args:
        concentration: positive floating Tensor [*batch, classes].

    Raises ShapeError for a number.

    Example:
        >>> paddle.distribution.Dirichlet(paddle.to_tensor([1.0, 2.0, 3.0])).mean.tolist()
        [0.1666666..., 0.3333333..., 0.5]
    """

    def __init__(self, concentration: Any) -> None:
        if concentration.ndim < 1:
            raise ShapeError("`concentration` parameter must be at least one dimensional; a pair of numbers is a Beta")
        self.concentration = concentration
        super().__init__(concentration.shape[:-1], concentration.shape[-1:])

    @property
    def mean(self) -> Any:
        """The shares of the concentration."""
        return self.concentration / self.concentration.sum(-1, keepdim=True)

    @property
    def variance(self) -> Any:
        """The variance of each component."""
        total = self.concentration.sum(-1, keepdim=True)
        return self.concentration * (total - self.concentration) / (total.pow(2) * (total + 1))

    def sample(self, shape: Sequence[Any] = ()) -> Any:
        """Draws: a Tensor [*shape, *batch, classes]."""
        return dirichlet(self.concentration.expand(self._extend_shape(shape)))

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density at ``value`` [..., classes]."""
        weighted = (value.log() * (self.concentration - 1.0)).sum(-1)
        return weighted + self.concentration.sum(-1).lgamma() - self.concentration.lgamma().sum(-1)

    def entropy(self) -> Any:
        """The entropy in nats, of the batch shape."""
        total, classes = self.concentration.sum(-1), self.concentration.shape[-1]
        beta = self.concentration.lgamma().sum(-1) - total.lgamma()
        return (
            beta
            - (classes - total) * total.digamma()
            - ((self.concentration - 1.0) * self.concentration.digamma()).sum(-1)
        )

    @property
    def _natural_parameters(self) -> tuple[Any, ...]:
        return (self.concentration,)

    def _log_normalizer(self, *parameters: Any) -> Any:
        [concentration] = parameters
        return concentration.lgamma().sum(-1) - concentration.sum(-1).lgamma()
