"""The multinomial distribution."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from to_static.compiler.ops.indexing.embedding import one_hot
from to_static.compiler.ops.indexing.where import where
from to_static.compiler.ops.shapes.create import full, zeros_like
from to_static.compiler.ops.shapes.expand import broadcast_tensors
from to_static.compiler.ops.shapes.sequence import arange
from to_static.core.errors import ShapeError
from to_static.distribution.categorical import Categorical
from to_static.distribution.distribution import Distribution
from to_static.distribution.parameters import log_of_share, sizes


class Multinomial(Distribution):
    """The multinomial distribution: the number of times that each class comes in ``total_count`` draws.

    Args:
        total_count: the number of draws, at least 1.
        probs: floating Tensor [*batch, classes] of weights, divided by their sum.

    Raises:
        ValueError: ``total_count`` is not a positive int.
        ShapeError: ``probs`` has no axis.

    Example:
        >>> paddle.distribution.Multinomial(10, paddle.to_tensor([0.2, 0.3, 0.5])).mean.tolist()
        [2.0, 3.0, 5.0]
    """

    def __init__(self, total_count: int, probs: Any) -> None:
        if not isinstance(total_count, int) or total_count < 1:
            raise ValueError(f"Multinomial: total_count must be int type and greater than zero, got {total_count!r}")
        if probs.ndim < 1:
            raise ShapeError("Multinomial: probs should have at least one dimension, [..., classes]")
        self.probs = probs / probs.sum(-1, keepdim=True)
        self.total_count = total_count
        self._categorical = Categorical(log_of_share(probs))
        super().__init__(probs.shape[:-1], probs.shape[-1:])

    @property
    def mean(self) -> Any:
        """``total_count * probs``."""
        return self.probs * self.total_count

    @property
    def variance(self) -> Any:
        """``total_count * probs * (1 - probs)``."""
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, shape: Sequence[Any] = ()) -> Any:
        """Counts: a Tensor [*shape, *batch, classes] of the dtype of ``probs``."""
        drawn = self._categorical.sample([self.total_count, *sizes(shape)])
        return one_hot(drawn, self.event_shape[0]).astype(self.mean.dtype).sum(0)

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the probability of the counts ``value`` [..., classes]."""
        if value.dtype.kind != "f":
            value = value.astype(self.mean.dtype)
        logits, value = broadcast_tensors([log_of_share(self.probs), value])
        logits = where((value == 0) & logits.isinf(), zeros_like(logits), logits)
        return (value.sum(-1) + 1).lgamma() - (value + 1).lgamma().sum(-1) + (value * logits).sum(-1)

    def entropy(self) -> Any:
        """The entropy in nats, of the batch shape."""
        probs = self.probs
        count = full([], self.total_count, probs.dtype)
        support = arange(1, self.total_count + 1, dtype=probs.dtype).reshape([-1] + [1] * probs.ndim)
        logits = probs.log() - (-probs).log1p()
        ways = (count + 1).lgamma() - (support + 1).lgamma() - (count - support + 1).lgamma()
        # log(1 + exp(z)) in the form that does not overflow
        norm = count * (logits.clip(min=0.0) + (-logits.abs()).exp().log1p())
        mass = (support * logits + ways - norm).exp()
        return count * self._categorical.entropy() - (count + 1).lgamma() + (mass * (support + 1).lgamma()).sum([0, -1])
