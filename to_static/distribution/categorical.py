"""The categorical distribution."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from to_static.compiler.ops.indexing.along_axis import take_along_axis
from to_static.compiler.ops.indexing.gather import gather
from to_static.compiler.ops.indexing.where import where
from to_static.compiler.ops.layers.softmax import log_softmax, softmax
from to_static.compiler.ops.random.random import multinomial
from to_static.compiler.ops.shapes.create import zeros_like
from to_static.distribution.distribution import Distribution
from to_static.distribution.parameters import as_tensors, log_of_share, sizes


class Categorical(Distribution):
    """One of several classes.

    Args:
        logits: floating list, array or Tensor [*batch, classes].
        name: not used; there for compatibility.

    As in PaddlePaddle 2.6, ``logits`` are read in two ways: `sample`, `entropy` and `kl_divergence` take them as logarithms
    (softmax), `probs` and `log_prob` as weights (divided by their sum). Both agree only if ``logits`` are given accordingly.

    Example:
        >>> paddle.distribution.Categorical(paddle.to_tensor([1.0, 2.0, 3.0])).probs(paddle.to_tensor([0, 2])).tolist()
        [0.1666666..., 0.5]
    """

    def __init__(self, logits: Any, name: str | None = None) -> None:
        self.name = name or "Categorical"
        [self.logits] = as_tensors(logits=logits)
        self.dtype = self.logits.dtype.name
        super().__init__(self.logits.shape[:-1])

    @property
    def _prob(self) -> Any:
        return self.logits / self.logits.sum(-1, keepdim=True)

    def sample(self, shape: Sequence[Any] = ()) -> Any:
        """Classes drawn with the softmax of ``logits``: an int64 Tensor [*shape, *batch]."""
        sample_shape, batch = sizes(shape), list(self.logits.shape[:-1])
        table = self.logits.reshape([-1, self.logits.shape[-1]]) if len(batch) > 1 else self.logits
        drawn = multinomial(softmax(table, -1), math.prod(sample_shape), True)
        return (drawn.transpose([1, 0]) if batch else drawn).reshape([*sample_shape, *batch])

    def kl_divergence(self, other: Any) -> Any:
        """The divergence to another `Categorical`, in nats: a Tensor [*batch, 1]."""
        log_probs, other_log_probs = log_softmax(self.logits), log_softmax(other.logits)
        return (log_probs.exp() * (log_probs - other_log_probs)).sum(-1, keepdim=True)

    def entropy(self) -> Any:
        """The entropy in nats, of the batch shape."""
        logs = log_softmax(self.logits)
        shares = logs.exp()
        return -(shares * where(shares == 0, zeros_like(logs), logs)).sum(-1)  # 0 * log(0) is 0

    def probs(self, value: Any) -> Any:
        """The weights' share of the classes ``value`` (integers).

        Without a batch the result has the shape of ``value``; with one, ``value`` [n] is asked of every distribution
        ([*batch, n]) and any other is matched with the batch, class by class along the last axis.
        """
        shares = self._prob
        if shares.ndim == 1:
            return gather(shares, value.reshape([-1])).reshape(value.shape)
        if value.ndim == 1:
            value = value.reshape([1] * (shares.ndim - 1) + [-1])
        return take_along_axis(shares, value, -1)

    def log_prob(self, value: Any) -> Any:
        """The logarithm of `probs`."""
        return log_of_share(self.probs(value))
