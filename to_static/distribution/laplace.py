"""The Laplace distribution."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import Any

import numpy as np

from to_static.compiler.eager.grad_mode import no_grad
from to_static.compiler.ops.random.random import uniform
from to_static.compiler.ops.shapes.create import full
from to_static.distribution.distribution import Distribution
from to_static.distribution.parameters import as_broadcast


class Laplace(Distribution):
    """The Laplace distribution of mean ``loc`` and mean absolute deviation ``scale``.

    Args:
        loc: number or Tensor.
        scale: number or Tensor; the shapes are broadcast.

    Example:
        >>> float(paddle.distribution.Laplace(0.5, 2.0).log_prob(paddle.to_tensor(0.5)))
        -1.3862943...
    """

    def __init__(self, loc: Any, scale: Any) -> None:
        self.loc, self.scale = (x.clone() for x in as_broadcast("Laplace", loc=loc, scale=scale))  # copies, as in PaddlePaddle
        super().__init__(self.loc.shape)

    @property
    def mean(self) -> Any:
        """``loc``."""
        return self.loc

    @property
    def stddev(self) -> Any:
        """``sqrt(2) * scale``."""
        return 2**0.5 * self.scale

    @property
    def variance(self) -> Any:
        """``2 * scale ** 2``."""
        return self.stddev.pow(2)

    def _value(self, value: Any) -> Any:
        if isinstance(value, Real):
            return full([], float(value), self.scale.dtype)
        return value if value.dtype == self.scale.dtype else value.astype(self.scale.dtype)

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density at ``value``, a number or a Tensor."""
        return -(2 * self.scale).log() - (self._value(value) - self.loc).abs() / self.scale

    def entropy(self) -> Any:
        """``1 + log(2 * scale)``."""
        return 1 + (2 * self.scale).log()

    def cdf(self, value: Any) -> Any:
        """The probability of a draw of at most ``value``, a number or a Tensor."""
        distance = self._value(value) - self.loc
        return 0.5 - 0.5 * distance.sign() * (-distance.abs() / self.scale).expm1()

    def icdf(self, value: Any) -> Any:
        """The value that a draw exceeds with probability ``1 - value``."""
        centred = self._value(value) - 0.5
        return self.loc - self.scale * centred.sign() * (-2 * centred.abs()).log1p()

    def sample(self, shape: Sequence[Any] = ()) -> Any:
        """Draws: a Tensor [*shape, *batch]."""
        with no_grad():
            return self.rsample(shape)

    def rsample(self, shape: Sequence[Any] = ()) -> Any:
        """Draws as a differentiable function of the parameters."""
        # strictly inside (-1, 1), so that the logarithm below is finite
        margin = float(np.finfo(self.loc.dtype.np).eps)
        drawn = uniform(self._extend_shape(shape), self.loc.dtype, margin - 1.0, 1.0 - margin / 2)
        return self.loc - self.scale * drawn.sign() * (-drawn.abs()).log1p()

    def kl_divergence(self, other: Any) -> Any:
        """The divergence to another `Laplace`, in nats."""
        distance = (self.loc - other.loc).abs()
        spread = (self.scale * (-distance / self.scale).exp() + distance) / other.scale
        return spread + (other.scale / self.scale).log() - 1
