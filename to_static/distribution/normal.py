"""The normal distribution."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from to_static.compiler.ops.random.random import gaussian
from to_static.compiler.ops.shapes.create import zeros_like
from to_static.distribution.distribution import Distribution
from to_static.distribution.parameters import as_tensors, as_value, sizes


class Normal(Distribution):
    """The normal distribution of mean ``loc`` and standard deviation ``scale``.

    Args:
        loc: number, list, tuple, array or Tensor.
        scale: of the same kind; the shapes are broadcast. Numbers become float32.
        name: not used; there for compatibility.

    Example:
        >>> normal = paddle.distribution.Normal([0.0], [1.0])
        >>> float(normal.entropy())
        1.41893854...
    """

    def __init__(self, loc: Any, scale: Any, name: str | None = None) -> None:
        self.name = name or "Normal"
        self.loc, self.scale = as_tensors(loc=loc, scale=scale)
        self.dtype = self.loc.dtype.name
        super().__init__(self.loc.shape)

    @property
    def mean(self) -> Any:
        """``loc``."""
        return self.loc

    @property
    def variance(self) -> Any:
        """``scale`` squared."""
        return self.scale.pow(2)

    def sample(self, shape: Sequence[Any] = (), seed: int = 0) -> Any:
        """Draws: a Tensor [*shape, *batch]; with a ``seed`` other than 0, the same ones in every call.

        As in PaddlePaddle, and unlike `Uniform`, gradients flow to ``loc`` and ``scale``.
        """
        sample_shape = [*sizes(shape), *(self.loc + self.scale).shape]
        return gaussian(sample_shape, 0.0, 1.0, seed, self.dtype) * self.scale + self.loc

    def rsample(self, shape: Sequence[Any] = ()) -> Any:
        """Draws as a differentiable function of ``loc`` and ``scale``."""
        return self.sample(shape)

    def entropy(self) -> Any:
        """``0.5 * log(2 * pi * e * scale ** 2)``, of the batch shape."""
        return 0.5 + 0.5 * math.log(2.0 * math.pi) + self.scale.log() + zeros_like(self.loc)

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density at ``value``, which is broadcast with the parameters."""
        value = as_value("Normal.log_prob", value, self.loc.dtype)
        distance = value - self.loc
        return -(distance * distance) / (2.0 * (self.scale * self.scale)) - (
            self.scale.log() + math.log(math.sqrt(2.0 * math.pi))
        )

    def probs(self, value: Any) -> Any:
        """The density at ``value``."""
        value = as_value("Normal.probs", value, self.loc.dtype)
        distance = value - self.loc
        return (-(distance * distance) / (2.0 * (self.scale * self.scale))).exp() / (
            math.sqrt(2.0 * math.pi) * self.scale
        )

    def kl_divergence(self, other: Any) -> Any:
        """The divergence to another `Normal`, in nats."""
        ratio = (self.scale / other.scale).square()
        distance = ((self.loc - other.loc) / other.scale).square()
        return 0.5 * ratio + 0.5 * (distance - 1.0 - ratio.log())
