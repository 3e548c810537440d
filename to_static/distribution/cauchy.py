"""The Cauchy distribution."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from to_static.compiler.eager.grad_mode import no_grad
from to_static.compiler.ops.random.random import uniform
from to_static.compiler.ops.shapes.create import zeros_like
from to_static.core.errors import ArgumentTypeError
from to_static.distribution.distribution import Distribution
from to_static.distribution.parameters import as_broadcast, as_value


class Cauchy(Distribution):
    """The Cauchy distribution of median ``loc`` and half width ``scale``; it has neither mean nor variance.

    Args:
        loc: number or Tensor.
        scale: number or Tensor; the shapes are broadcast.
        name: not used; there for compatibility.

    Example:
        >>> float(paddle.distribution.Cauchy(0.1, 1.2).cdf(paddle.to_tensor(0.1)))
        0.5
    """

    def __init__(self, loc: Any, scale: Any, name: str | None = None) -> None:
        self.name = name or "Cauchy"
        self.loc, self.scale = as_broadcast("Cauchy", loc=loc, scale=scale)
        self.dtype = self.loc.dtype
        super().__init__(self.loc.shape)

    @property
    def mean(self) -> Any:
        """Raises ValueError: there is none."""
        raise ValueError("Cauchy distribution has no mean.")

    @property
    def variance(self) -> Any:
        """Raises ValueError: there is none."""
        raise ValueError("Cauchy distribution has no variance.")

    @property
    def stddev(self) -> Any:
        """Raises ValueError: there is none."""
        raise ValueError("Cauchy distribution has no stddev.")

    def sample(self, shape: Sequence[Any] = (), name: str | None = None) -> Any:
        """Draws: a Tensor [*shape, *batch]."""
        with no_grad():
            return self.rsample(shape)

    def rsample(self, shape: Sequence[Any] = (), name: str | None = None) -> Any:
        """Draws as a differentiable function of the parameters."""
        drawn = uniform(self._extend_shape(shape), self.dtype, 0.0, 1.0)
        return self.loc + self.scale * (math.pi * (drawn - 0.5)).tan()

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density at ``value``."""
        value = as_value("Cauchy.log_prob", value, self.dtype)
        return -((value - self.loc) / self.scale).square().log1p() - (math.log(math.pi) + self.scale.log())

    def cdf(self, value: Any) -> Any:
        """The probability of a draw of at most ``value``."""
        value = as_value("Cauchy.cdf", value, self.dtype)
        return ((value - self.loc) / self.scale).atan() / math.pi + 0.5

    def entropy(self) -> Any:
        """``log(4 * pi * scale)``, of the batch shape."""
        return math.log(4 * math.pi) + self.scale.log() + zeros_like(self.loc)

    def kl_divergence(self, other: Any) -> Any:
        """The divergence to another `Cauchy`, in nats.

        Source: F. Chyzak, F. Nielsen, "A closed-form formula for the Kullback-Leibler divergence between Cauchy
        distributions", 2019.
        """
        if not isinstance(other, Cauchy):
            raise ArgumentTypeError(f"Cauchy.kl_divergence: expected another Cauchy, but got {type(other)}")
        apart = (self.scale + other.scale).square() + (self.loc - other.loc).square()
        return apart.log() - (4 * (self.scale * other.scale)).log()
