"""The Gumbel distribution."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from to_static.compiler.eager.grad_mode import no_grad
from to_static.compiler.ops.shapes.create import full_like
from to_static.distribution.parameters import as_broadcast
from to_static.distribution.transformed_distribution import TransformedDistribution
from to_static.distribution.uniform import Uniform


class Gumbel(TransformedDistribution):
    """The Gumbel distribution of mode ``loc``: of the largest of many draws.

    Args:
        loc: number or Tensor.
        scale: number or Tensor; the shapes are broadcast.

    Example:
        >>> float(paddle.distribution.Gumbel(0.5, 2.0).mean)
        1.654431...
    """

    def __init__(self, loc: Any, scale: Any) -> None:
        self.loc, self.scale = as_broadcast("Gumbel", loc=loc, scale=scale)
        info = np.finfo(np.float32)  # strictly inside (0, 1), so that both logarithms of a draw are finite
        low, high = full_like(self.loc, float(info.tiny)), full_like(self.loc, float(1 - info.eps))
        self.base_dist, self.transforms = Uniform(low, high), ()
        super().__init__(self.base_dist, self.transforms)

    @property
    def mean(self) -> Any:
        """``loc + scale * 0.5772...`` (Euler's constant)."""
        return self.loc + self.scale * np.euler_gamma

    @property
    def variance(self) -> Any:
        """``(pi * scale) ** 2 / 6``."""
        return self.scale.pow(2) * (math.pi * math.pi) / 6

    @property
    def stddev(self) -> Any:
        """The square root of `variance`."""
        return self.variance.sqrt()

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density at ``value``."""
        z = (self.loc - value) / self.scale
        return z - z.exp() - self.scale.log()

    def cdf(self, value: Any) -> Any:
        """The probability of a draw of at most ``value``."""
        return (-((self.loc - value) / self.scale).exp()).exp()

    def entropy(self) -> Any:
        """``log(scale) + 1 + 0.5772...``."""
        return self.scale.log() + 1 + np.euler_gamma

    def sample(self, shape: Sequence[Any] = ()) -> Any:
        """Draws: a Tensor [*shape, *batch]."""
        with no_grad():
            return self.rsample(shape)

    def rsample(self, shape: Sequence[Any] = ()) -> Any:
        """Draws as a differentiable function of the parameters."""
        return self.loc - self.scale * (-self._base.sample(shape).log()).log()
