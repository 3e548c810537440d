"""Constraints on the values of a distribution or of a side of a transform: a call gives a bool Tensor."""

from __future__ import annotations

from typing import Any


class Constraint:
    """The base class; a subclass says which values hold."""

    def __call__(self, value: Any) -> Any:
        """A bool Tensor: where ``value`` is allowed."""
        raise NotImplementedError(f"{type(self).__name__} has no __call__")


class Real(Constraint):
    """Any number but nan."""

    def __call__(self, value: Any) -> Any:
        """Return where ``value`` is a number."""
        return value == value


class Range(Constraint):
    """Numbers between two bounds, which are included."""

    def __init__(self, lower: float, upper: float) -> None:
        self._lower, self._upper = lower, upper

    def __call__(self, value: Any) -> Any:
        """Return where ``value`` is between the bounds."""
        return (value >= self._lower) & (value <= self._upper)


class Positive(Constraint):
    """Numbers from 0 on."""

    def __call__(self, value: Any) -> Any:
        """Return where ``value`` is at least 0."""
        return value >= 0.0


class Simplex(Constraint):
    """Vectors of numbers from 0 on whose sum is 1."""

    def __call__(self, value: Any) -> Any:
        """Return where ``value`` [..., n] is on the simplex: [...]."""
        return (value >= 0).all(-1) & ((value.sum(-1) - 1).abs() < 1e-6)


real = Real()
positive = Positive()
simplex = Simplex()
