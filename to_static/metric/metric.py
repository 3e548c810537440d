"""`Metric`: a figure that is gathered batch by batch."""

from __future__ import annotations

import abc
from typing import Any

import numpy as np

from to_static.compiler.ir.tensor import Tensor


class Metric(abc.ABC):
    """A figure about predictions, gathered over batches.

    Subclasses define `reset`, `update`, `accumulate` and `name`; and `compute` where part of the work can be done with tensors.

    Example:
        >>> for x, label in loader:
        ...     metric.update(metric.compute(net(x), label))
        >>> metric.accumulate()
    """

    _in_programs = frozenset(("compute",))  # methods that change nothing, which static functions may call

    @abc.abstractmethod
    def reset(self) -> None:
        """Forget all batches."""

    @abc.abstractmethod
    def update(self, *args: Any) -> Any:
        """Take in one batch: what `compute` returned."""

    @abc.abstractmethod
    def accumulate(self) -> Any:
        """The figure over all batches since `reset`."""

    @abc.abstractmethod
    def name(self) -> Any:
        """The metric's name, or a list of names when it has several figures."""

    def compute(self, *args: Any) -> Any:
        """Return the arguments of `update`, from a model's outputs and the labels (default: these themselves)."""
        return args


def as_array(value: Any, what: str) -> np.ndarray:
    """An array on the host. Raises TypeError when ``value`` is neither a Tensor nor an array."""
    if isinstance(value, Tensor):
        return value.numpy()
    if isinstance(value, (np.ndarray, np.generic)):
        return np.asarray(value)
    raise TypeError(f"'{what}' should be a Tensor or NumPy array, got {type(value).__name__}")
