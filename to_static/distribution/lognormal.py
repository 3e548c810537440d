"""The log-normal distribution."""

from __future__ import annotations

from typing import Any

from to_static.distribution.normal import Normal
from to_static.distribution.transform import ExpTransform
from to_static.distribution.transformed_distribution import TransformedDistribution


class LogNormal(TransformedDistribution):
    """The distribution of ``exp(x)``, x normal of mean ``loc`` and standard deviation ``scale``.

    Args:
        loc: number, list, tuple, array or Tensor.
        scale: of the same kind.

    Example:
        >>> float(paddle.distribution.LogNormal(0.5, 2.0).mean)
        12.18249...
    """

    def __init__(self, loc: Any, scale: Any) -> None:
        normal = Normal(loc, scale)
        self.loc, self.scale = normal.loc, normal.scale
        super().__init__(normal, [ExpTransform()])

    @property
    def mean(self) -> Any:
        """``exp(loc + scale ** 2 / 2)``."""
        return (self._base.mean + self._base.variance / 2).exp()

    @property
    def variance(self) -> Any:
        """``(exp(scale ** 2) - 1) * exp(2 * loc + scale ** 2)``."""
        return self._base.variance.expm1() * (2 * self._base.mean + self._base.variance).exp()

    def entropy(self) -> Any:
        """The entropy in nats, of the batch shape."""
        return self._base.entropy() + self._base.mean

    def probs(self, value: Any) -> Any:
        """The density at ``value``."""
        return self.log_prob(value).exp()

    def kl_divergence(self, other: Any) -> Any:
        """The divergence to another `LogNormal`, in nats."""
        return self._base.kl_divergence(other._base)
