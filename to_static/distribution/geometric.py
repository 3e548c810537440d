"""The geometric distribution."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any

import numpy as np

from to_static.compiler.eager.grad_mode import no_grad
from to_static.compiler.ir import mode
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops.random.random import uniform
from to_static.compiler.ops.shapes.create import full
from to_static.core.dtypes import float32
from to_static.core.errors import ArgumentTypeError
from to_static.distribution.distribution import Distribution


class Geometric(Distribution):
    """The geometric distribution: the number of trials that fail before the first succeeds, 0, 1, 2, ...

    Args:
        probs: the probability of success, in (0, 1]: number or Tensor.

    Raises:
        ValueError: a probability is outside (0, 1] (seen in eager mode).

    Example:
        >>> float(paddle.distribution.Geometric(0.5).pmf(2))
        0.125
    """

    def __init__(self, probs: Any) -> None:
        if not isinstance(probs, (Real, Tensor)):
            raise ArgumentTypeError(f"Geometric: probs should be a real number or a Tensor, but got {type(probs)}")
        probabilities: Any = probs if isinstance(probs, Tensor) else full([], float(probs), float32)
        if not mode.building() and bool(((probabilities <= 0) | (probabilities > 1)).any()):
            raise ValueError(
                "Expected parameter probs of distribution Geometric to satisfy the constraint "
                "Interval(lower_bound=0.0, upper_bound=1.0)"
            )
        self.probs = probabilities
        super().__init__(probabilities.shape)

    @property
    def mean(self) -> Any:
        """``1 / probs - 1``."""
        return 1.0 / self.probs - 1.0

    @property
    def variance(self) -> Any:
        """``(1 / probs - 1) / probs``."""
        return self.mean / self.probs

    @property
    def stddev(self) -> Any:
        """The square root of `variance`."""
        return self.variance.sqrt()

    def pmf(self, k: Any) -> Any:
        """The probability of ``k`` failures, an int or a Tensor."""
        return (1.0 - self.probs).pow(self._count("pmf", k)) * self.probs

    def log_pmf(self, k: Any) -> Any:
        """The logarithm of `pmf`."""
        return self.pmf(k).log()

    def cdf(self, k: Any) -> Any:
        """The probability of at most ``k`` failures."""
        return 1.0 - (1.0 - self.probs).pow(self._count("cdf", k) + 1)

    def sample(self, shape: Sequence[Any] = ()) -> Any:
        """Draws: a Tensor [*shape, *batch] of the dtype of ``probs``."""
        with no_grad():
            return self.rsample(shape)

    def rsample(self, shape: Sequence[Any] = ()) -> Any:
        """Draws as `sample` gives them (their gradient is zero: they are whole numbers)."""
        drawn = uniform(self._extend_shape(shape), self.probs.dtype, float(np.finfo(np.float32).tiny), 1.0)
        return (drawn.log() / (-self.probs).log1p()).floor()

    def entropy(self) -> Any:
        """The entropy in nats, of the batch shape."""
        return -((1.0 - self.probs) * (1.0 - self.probs).log() + self.probs * self.probs.log()) / self.probs

    def kl_divergence(self, other: Any) -> Any:
        """The divergence to another `Geometric`, as PaddlePaddle 2.6 has it: that of one trial."""
        if not isinstance(other, Geometric):
            raise ArgumentTypeError(f"Geometric.kl_divergence: expected another Geometric, but got {type(other)}")
        p, q = self.probs, other.probs
        return p * (p / q).log() + (1.0 - p) * ((1.0 - p) / (1.0 - q)).log()

    @staticmethod
    def _count(name: str, k: Any) -> Any:
        if not isinstance(k, (Integral, Tensor)):
            raise ArgumentTypeError(f"Geometric.{name}: k should be an int or a Tensor, but got {type(k)}")
        return k
