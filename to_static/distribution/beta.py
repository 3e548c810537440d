"""The beta distribution."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from to_static.compiler.ops.shapes.concat_split import stack
from to_static.distribution.dirichlet import Dirichlet
from to_static.distribution.exponential_family import ExponentialFamily
from to_static.distribution.parameters import as_broadcast


class Beta(ExponentialFamily):
    """The beta distribution: numbers between 0 and 1, the first component of a `Dirichlet` of two.

    Args:
        alpha: positive number or Tensor.
        beta: positive number or Tensor; the shapes are broadcast.

    Example:
        >>> float(paddle.distribution.Beta(0.5, 1.5).mean)
        0.25
    """

    def __init__(self, alpha: Any, beta: Any) -> None:
        self.alpha, self.beta = (x.clone() for x in as_broadcast("Beta", alpha=alpha, beta=beta))  # copies, as in PaddlePaddle
        self._dirichlet = Dirichlet(stack([self.alpha, self.beta], -1))
        super().__init__(self._dirichlet.batch_shape)

    @property
    def mean(self) -> Any:
        """``alpha / (alpha + beta)``."""
        return self.alpha / (self.alpha + self.beta)

    @property
    def variance(self) -> Any:
        """``alpha * beta / ((alpha + beta) ** 2 * (alpha + beta + 1))``."""
        total = self.alpha + self.beta
        return self.alpha * self.beta / (total.pow(2) * (total + 1))

    def sample(self, shape: Sequence[Any] = ()) -> Any:
        """Draws: a Tensor [*shape, *batch]."""
        return self._dirichlet.sample(shape)[..., 0]

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density at ``value``, in (0, 1)."""
        return self._dirichlet.log_prob(stack([value, 1.0 - value], -1))

    def entropy(self) -> Any:
        """The entropy in nats, of the batch shape."""
        return self._dirichlet.entropy()

    @property
    def _natural_parameters(self) -> tuple[Any, ...]:
        return (self.alpha, self.beta)

    def _log_normalizer(self, *parameters: Any) -> Any:
        alpha, beta = parameters
        return alpha.lgamma() + beta.lgamma() - (alpha + beta).lgamma()
