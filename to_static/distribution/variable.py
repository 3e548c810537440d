"""The sides of a transform: how many of the last axes form one event, and which values are allowed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from to_static.compiler.ops.shapes.concat_split import stack, unstack
from to_static.core.errors import ShapeError
from to_static.distribution import constraint as constraints


class Variable:
    """A random variable.

    Args:
        is_discrete: whether its values are discrete (default False).
        event_rank: how many of the last axes form one event (default 0).
        constraint: a `Constraint`.
    """

    def __init__(
        self, is_discrete: bool = False, event_rank: int = 0, constraint: constraints.Constraint = constraints.real
    ) -> None:
        self._is_discrete, self._event_rank, self._constraint = is_discrete, event_rank, constraint

    @property
    def is_discrete(self) -> bool:
        """True if the values are discrete."""
        return self._is_discrete

    @property
    def event_rank(self) -> int:
        """The number of last axes that form one event."""
        return self._event_rank

    def constraint(self, value: Any) -> Any:
        """Return where ``value`` is allowed, a bool Tensor."""
        return self._constraint(value)


class Real(Variable):
    """Any numbers."""

    def __init__(self, event_rank: int = 0) -> None:
        super().__init__(False, event_rank, constraints.real)


class Positive(Variable):
    """Numbers from 0 on."""

    def __init__(self, event_rank: int = 0) -> None:
        super().__init__(False, event_rank, constraints.positive)


class Independent(Variable):
    """``base`` with ``reinterpreted_batch_rank`` more axes in one event."""

    def __init__(self, base: Variable, reinterpreted_batch_rank: int) -> None:
        self._base, self._rank = base, reinterpreted_batch_rank
        super().__init__(base.is_discrete, base.event_rank + reinterpreted_batch_rank)

    def constraint(self, value: Any) -> Any:
        """Return where all values of an event are allowed."""
        fits = self._base.constraint(value)
        if fits.ndim < self._rank:
            raise ShapeError(f"expected at least {self._rank} axes, got {fits.ndim}")
        return fits.all(list(range(-self._rank, 0))) if self._rank else fits


class Stack(Variable):
    """Variables side by side along ``axis``."""

    def __init__(self, vars: Sequence[Variable], axis: int = 0) -> None:
        rank = max(var.event_rank for var in vars)
        super().__init__(any(var.is_discrete for var in vars), rank + (axis + rank < 0))
        self._vars, self._axis = vars, axis

    def constraint(self, value: Any) -> Any:
        """Return where each part is allowed by its own variable."""
        parts = unstack(value, self._axis)
        return stack([var.constraint(part) for var, part in zip(self._vars, parts, strict=True)], self._axis)


real = Real()
positive = Positive()
