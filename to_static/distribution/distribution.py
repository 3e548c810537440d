"""The base class of distributions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from to_static.distribution.parameters import sizes


class Distribution:
    """The base class of distributions: what a class of your own overrides.

    Args:
        batch_shape: the shape of independent, not identically distributed draws (default ``()``).
        event_shape: the shape of one draw; ``()`` for a scalar distribution (the default).

    Source: the interface of TensorFlow Distributions (Dillon et al., 2017), as in PaddlePaddle.

    Example:
        >>> normal = paddle.distribution.Normal([0.0, 1.0], [1.0, 1.0])
        >>> isinstance(normal, paddle.distribution.Distribution), normal.batch_shape
        (True, (2,))
    """

    def __init__(self, batch_shape: Sequence[Any] = (), event_shape: Sequence[Any] = ()) -> None:
        self._batch_shape = tuple(batch_shape)
        self._event_shape = tuple(event_shape)

    @property
    def batch_shape(self) -> tuple[Any, ...]:
        """The shape of the batch of distributions."""
        return self._batch_shape

    @property
    def event_shape(self) -> tuple[Any, ...]:
        """The shape of one draw."""
        return self._event_shape

    @property
    def mean(self) -> Any:
        """The mean, a Tensor of the batch and event shape."""
        raise self._lacks("mean")

    @property
    def variance(self) -> Any:
        """The variance, a Tensor of the batch and event shape."""
        raise self._lacks("variance")

    def sample(self, shape: Sequence[Any] = ()) -> Any:
        """Draws: a Tensor [*shape, *batch_shape, *event_shape] through which no gradient flows."""
        raise self._lacks("sample")

    def rsample(self, shape: Sequence[Any] = ()) -> Any:
        """Draws as a differentiable function of the parameters (the reparameterization trick)."""
        raise self._lacks("rsample")

    def entropy(self) -> Any:
        """The entropy in nats, a Tensor of the batch shape."""
        raise self._lacks("entropy")

    def kl_divergence(self, other: Distribution) -> Any:
        """The Kullback-Leibler divergence from this distribution to ``other``, in nats."""
        raise self._lacks("kl_divergence")

    def prob(self, value: Any) -> Any:
        """The density, or mass, at ``value``: by default `exp` of `log_prob`."""
        return self.log_prob(value).exp()

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density, or mass, at ``value``."""
        raise self._lacks("log_prob")

    def _probs(self, value: Any) -> Any:
        raise self._lacks("probs")

    #: The density at a value, by its older name (`prob` is the one to use); some families have a parameter of this name.
    probs: Any = _probs

    def _extend_shape(self, sample_shape: Any) -> list[Any]:
        return [*sizes(sample_shape), *self._batch_shape, *self._event_shape]

    def _lacks(self, name: str) -> NotImplementedError:
        return NotImplementedError(f"{type(self).__name__} has no {name}")
