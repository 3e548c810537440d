"""The uniform distribution."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from to_static.compiler.ops.random.random import uniform
from to_static.distribution.distribution import Distribution
from to_static.distribution.parameters import as_tensors, as_value, log_of_share, sizes


class Uniform(Distribution):
    """The uniform distribution between ``low`` and ``high``.

    Args:
        low: number, list, tuple, array or Tensor.
        high: of the same kind; the shapes are broadcast. Numbers become float32.
        name: not used; there for compatibility.

    Example:
        >>> paddle.distribution.Uniform([0.0, 1.0], [2.0, 2.0]).entropy().tolist()
        [0.6931471..., 0.0]
    """

    def __init__(self, low: Any, high: Any, name: str | None = None) -> None:
        self.name = name or "Uniform"
        self.low, self.high = as_tensors(low=low, high=high)
        self.dtype = self.low.dtype.name
        super().__init__(self.low.shape)

    @property
    def mean(self) -> Any:
        """Half way between the bounds."""
        return (self.low + self.high) / 2

    @property
    def variance(self) -> Any:
        """A twelfth of the squared width."""
        return (self.high - self.low).square() / 12

    def sample(self, shape: Sequence[Any] = (), seed: int = 0) -> Any:
        """Draws: a Tensor [*shape, *batch]; with a ``seed`` other than 0, the same ones in every call."""
        width = self.high - self.low
        return uniform([*sizes(shape), *width.shape], self.dtype, 0.0, 1.0, seed) * width + self.low

    def rsample(self, shape: Sequence[Any] = ()) -> Any:
        """Draws as a differentiable function of the bounds."""
        return self.sample(shape)

    def _inside(self, value: Any) -> Any:
        return (self.low < value).astype(value.dtype) * (value < self.high).astype(value.dtype)

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density; minus infinity at the bounds and outside."""
        value = as_value("Uniform.log_prob", value, self.low.dtype)
        return log_of_share(self._inside(value)) - (self.high - self.low).log()

    def probs(self, value: Any) -> Any:
        """The density; 0 at the bounds and outside."""
        value = as_value("Uniform.probs", value, self.low.dtype)
        return self._inside(value) / (self.high - self.low)

    def entropy(self) -> Any:
        """The logarithm of the width."""
        return (self.high - self.low).log()
