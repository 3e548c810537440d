"""The Bernoulli distribution."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from to_static.compiler.ir import mode
from to_static.compiler.ops.indexing.where import where
from to_static.compiler.ops.pointwise.sigmoidal import softplus
from to_static.compiler.ops.pointwise.unary import sigmoid
from to_static.compiler.ops.random.random import bernoulli, uniform
from to_static.compiler.ops.shapes.create import ones_like, zeros_like
from to_static.compiler.ops.shapes.expand import broadcast_tensors
from to_static.distribution.exponential_family import ExponentialFamily
from to_static.distribution.parameters import as_tensors, as_value


class Bernoulli(ExponentialFamily):
    """Ones with probability ``probs``, else zeros.

    Args:
        probs: number, list, array or Tensor in [0, 1]; kept a rounding away from both bounds, so that logarithms are finite.
        name: not used; there for compatibility.

    Raises:
        ValueError: a probability is outside [0, 1] (seen in eager mode).

    Example:
        >>> float(paddle.distribution.Bernoulli(0.3).entropy())
        0.610864...
    """

    def __init__(self, probs: Any, name: str | None = None) -> None:
        self.name = name or "Bernoulli"
        [probabilities] = as_tensors(probs=probs)
        self.dtype = probabilities.dtype.name
        if not mode.building() and bool(((probabilities < 0) | (probabilities > 1) | probabilities.isnan()).any()):
            raise ValueError("Bernoulli: The arg of `probs` must be in range [0, 1].")
        margin = float(np.finfo(self.dtype).eps)
        self.probs = probabilities.clip(margin, 1 - margin)
        self.logits = self.probs.log() - (-self.probs).log1p()
        super().__init__(self.probs.shape)

    @property
    def mean(self) -> Any:
        """``probs``."""
        return self.probs

    @property
    def variance(self) -> Any:
        """``probs * (1 - probs)``."""
        return self.mean * (1 - self.mean)

    def sample(self, shape: Sequence[Any] = ()) -> Any:
        """Zeros and ones: a Tensor [*shape, *batch]."""
        return bernoulli(self.mean.detach().expand(self._extend_shape(shape)))

    def rsample(self, shape: Sequence[Any] = (), temperature: float = 1.0) -> Any:
        """Logits of a relaxed draw: their sigmoid is near 0 or 1, the nearer the lower the ``temperature``.

        Source: Maddison et al., "The Concrete Distribution", ICLR 2017.
        """
        sample_shape = self._extend_shape(shape)
        probs = self.mean.expand(sample_shape)
        drawn = uniform(sample_shape, self.dtype, 0.0, 1.0)
        return ((drawn.log() - (-drawn).log1p()) + (probs.log() - (-probs).log1p())) / temperature

    def cdf(self, value: Any) -> Any:
        """The probability of a draw of at most ``value``."""
        probs, value = broadcast_tensors([self.mean, as_value("Bernoulli.cdf", value, self.dtype)])
        return where(value < 0, zeros_like(probs), where(value < 1, 1 - probs, ones_like(probs)))

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the probability of ``value`` (0 or 1)."""
        logits, value = broadcast_tensors([self.logits, as_value("Bernoulli.log_prob", value, self.dtype)])
        return -_cross_entropy(logits, value)

    def entropy(self) -> Any:
        """The entropy in nats, of the batch shape."""
        return _cross_entropy(self.logits, self.mean)

    def kl_divergence(self, other: Any) -> Any:
        """The divergence to another `Bernoulli`, in nats."""
        logits, other_logits = self.logits, other.logits
        ones = sigmoid(logits) * (softplus(-other_logits) - softplus(-logits))
        return ones + sigmoid(-logits) * (softplus(other_logits) - softplus(logits))


def _cross_entropy(logits: Any, target: Any) -> Any:
    """Return the cross entropy as ``max(z, 0) - z t + log(1 + exp(-|z|))``, which does not overflow."""
    return logits.clip(min=0.0) - logits * target + (-logits.abs()).exp().log1p()
