"""`ModelAverage`: the mean of the parameters over the last steps, to be put in their place for a while."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from to_static.compiler.ir import mode
from to_static.optimizer.optimizer import Optimizer

_BLOCK = 16384  # numbers that one sum takes, so that adding small ones to a large one loses nothing


class _Sums:
    """The running sums of one parameter."""

    __slots__ = ("count", "old_count", "parts", "updates")

    def __init__(self, param: Any) -> None:
        self.parts = [param * 0, param * 0, param * 0]
        self.count = self.old_count = self.updates = 0


class ModelAverage(Optimizer):
    """Adds up the parameters in each `step`; in the ``with`` block of `apply` they are their mean.

    Args:
        average_window_rate: how many of the steps so far the mean is over, as a share of them.
        parameters: those to average.
        min_average_window, max_average_window: bounds for that number (default 10000 each).

    Example:
        >>> average = paddle.incubate.ModelAverage(0.15, parameters=net.parameters(), min_average_window=2, max_average_window=10)
        >>> opt.step(); average.step()
        >>> with average.apply():
        ...     evaluate(net)
    """

    _in_programs: frozenset[str] = frozenset()

    def __init__(
        self,
        average_window_rate: float,
        parameters: Any = None,
        min_average_window: int = 10000,
        max_average_window: int = 10000,
        name: str | None = None,
    ) -> None:
        super().__init__(0.0, parameters, None, None, name)
        self.average_window = average_window_rate
        self.min_average_window, self.max_average_window = min_average_window, max_average_window
        self._sums: dict[int, _Sums] = {}
        self._saved: dict[int, Any] = {}

    def apply_gradients(self, params_grads: Any) -> None:
        """Add the parameters that have a gradient to their sums."""
        with mode.grad_mode(False):
            for param, _ in params_grads:
                self._add(self._sums.setdefault(id(param), _Sums(param)), param)

    def _add(self, sums: _Sums, param: Any) -> None:
        sums.updates += 1
        sums.count += 1
        sums.parts[0] = sums.parts[0] + param
        if sums.updates % _BLOCK == 0:
            sums.parts = [param * 0, sums.parts[1] + sums.parts[0], sums.parts[2]]
        window = min(self.max_average_window, int(sums.updates * self.average_window))
        if sums.count >= self.min_average_window and sums.count >= window:  # from here on the mean is over new ones
            sums.parts = [param * 0, param * 0, sums.parts[0] + sums.parts[1]]
            sums.old_count, sums.count = sums.count, 0

    def minimize(self, loss: Any, startup_program: Any = None, parameters: Any = None, no_grad_set: Any = None) -> Any:
        """The same as `step`."""
        self.step()
        return [], []

    @contextmanager
    def apply(self, executor: Any = None, need_restore: bool = True) -> Iterator[None]:
        """Within the ``with`` block the parameters are their means; afterwards what they were, unless ``need_restore`` is False."""
        with mode.grad_mode(False):
            for group in self._groups:
                for param in group["params"]:
                    sums = self._sums.get(id(param))
                    if sums is not None:
                        self._saved[id(param)] = param.detach() * 1
                        total = sums.parts[0] + sums.parts[1] + sums.parts[2]
                        param.set_value(total / float(sums.count + sums.old_count))
        try:
            yield
        finally:
            if need_restore:
                self.restore()

    def restore(self, executor: Any = None) -> None:
        """Make the parameters what they were before `apply`."""
        for group in self._groups:
            for param in group["params"]:
                value = self._saved.pop(id(param), None)
                if value is not None:
                    param.set_value(value)
