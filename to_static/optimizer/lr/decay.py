"""Rates that only fall (or follow a given function or table) as training goes on. ``t`` below is the epoch, from 0."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from to_static.core.errors import AssertedError
from to_static.optimizer.lr.scheduler import LRScheduler


def _positive_int(name: str, value: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name} must be an int, got {type(value).__name__}")
    if value <= 0:
        raise AssertedError(f"'{name}' must be a positive integer, got {value}")
    return value


class NoamDecay(LRScheduler):
    """``learning_rate * d_model**-0.5 * min(t**-0.5, t * warmup_steps**-1.5)`` (Vaswani et al., 2017).

    ``last_epoch``, ``verbose``: see `LRScheduler`. Raises ValueError for a ``d_model`` that is not positive.

    Example:
        >>> rate = paddle.optimizer.lr.NoamDecay(d_model=64, warmup_steps=100)
        >>> rate.step()
        >>> rate()
        0.000125
    """

    def __init__(
        self, d_model: int, warmup_steps: int, learning_rate: float = 1.0, last_epoch: int = -1, verbose: bool = False
    ) -> None:
        if d_model <= 0:
            raise ValueError(f"d_model must be positive, got {d_model}")
        self.d_model, self.warmup_steps = d_model, warmup_steps
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        falling = 1.0 if self.last_epoch == 0 else self.last_epoch**-0.5
        return self.base_lr * self.d_model**-0.5 * min(falling, self.warmup_steps**-1.5 * self.last_epoch)


class PiecewiseDecay(LRScheduler):
    """``values[i]`` until epoch ``boundaries[i]``, the last value afterwards.

    ``last_epoch``, ``verbose``: see `LRScheduler`. Raises ValueError when there are no ``boundaries``, or not one
    more value.

    Example:
        >>> paddle.optimizer.lr.PiecewiseDecay(boundaries=[3, 6], values=[0.1, 0.01, 0.001])
    """

    def __init__(
        self, boundaries: Sequence[int], values: Sequence[float], last_epoch: int = -1, verbose: bool = False
    ) -> None:
        if len(boundaries) == 0:
            raise ValueError("PiecewiseDecay: boundaries must not be empty")
        if len(values) <= len(boundaries):
            raise ValueError(
                f"PiecewiseDecay: {len(boundaries)} boundaries need one more value, got {len(values)} values"
            )
        self.boundaries, self.values = boundaries, values
        super().__init__(last_epoch=last_epoch, verbose=verbose)

    def get_lr(self) -> float:
        for boundary, value in zip(self.boundaries, self.values, strict=False):
            if self.last_epoch < boundary:
                return value
        return self.values[-1]


class NaturalExpDecay(LRScheduler):
    """``learning_rate * exp(-gamma * t)``.

    ``last_epoch``, ``verbose``: see `LRScheduler`. Raises ValueError for a ``gamma`` that is not positive.

    Example:
        >>> rate = paddle.optimizer.lr.NaturalExpDecay(0.5, gamma=0.1)
        >>> rate.step()
        >>> round(rate(), 4)
        0.4524
    """

    def __init__(self, learning_rate: float, gamma: float, last_epoch: int = -1, verbose: bool = False) -> None:
        if gamma <= 0.0:
            raise ValueError(f"NaturalExpDecay: gamma must be positive, got {gamma}")
        self.gamma = gamma
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        return self.base_lr * math.exp(-self.gamma * self.last_epoch)


class InverseTimeDecay(LRScheduler):
    """``learning_rate / (1 + gamma * t)``.

    ``last_epoch``, ``verbose``: see `LRScheduler`.

    Example:
        >>> rate = paddle.optimizer.lr.InverseTimeDecay(0.5, gamma=1.0)
        >>> rate.step()
        >>> rate()
        0.25
    """

    def __init__(self, learning_rate: float, gamma: float, last_epoch: int = -1, verbose: bool = False) -> None:
        self.gamma = gamma
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        return self.base_lr / (1 + self.gamma * self.last_epoch)


class PolynomialDecay(LRScheduler):
    """From ``learning_rate`` to ``end_lr`` in ``decay_steps`` as ``(1 - t / decay_steps)**power``.

    ``cycle``: afterwards start again from above with more steps, instead of staying at ``end_lr``.
    ``last_epoch``, ``verbose``: see `LRScheduler`. Raises ValueError for a ``power`` that is not positive.

    Example:
        >>> rate = paddle.optimizer.lr.PolynomialDecay(0.5, decay_steps=2, end_lr=0.0)
        >>> rate.step()
        >>> rate()
        0.25
    """

    def __init__(
        self,
        learning_rate: float,
        decay_steps: int,
        end_lr: float = 0.0001,
        power: float = 1.0,
        cycle: bool = False,
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        if power <= 0.0:
            raise ValueError(f"PolynomialDecay: power must be positive, got {power}")
        self.decay_steps = _positive_int("decay_steps", decay_steps)
        self.end_lr, self.power, self.cycle = end_lr, power, cycle
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        epoch, steps = self.last_epoch, self.decay_steps
        if self.cycle:
            steps *= math.ceil(epoch / steps) if epoch else 1
        else:
            epoch = min(epoch, steps)
        return (self.base_lr - self.end_lr) * (1 - epoch / steps) ** self.power + self.end_lr


class ExponentialDecay(LRScheduler):
    """``learning_rate * gamma**t``, ``gamma`` between 0 and 1.

    ``last_epoch``, ``verbose``: see `LRScheduler`. Raises ValueError for another ``gamma``.

    Example:
        >>> rate = paddle.optimizer.lr.ExponentialDecay(0.5, gamma=0.5)
        >>> rate.step()
        >>> rate()
        0.25
    """

    def __init__(self, learning_rate: float, gamma: float, last_epoch: int = -1, verbose: bool = False) -> None:
        if not 0.0 < gamma < 1.0:
            raise ValueError(f"ExponentialDecay: gamma must be between 0 and 1, got {gamma}")
        self.gamma = gamma
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        return self.base_lr * self.gamma**self.last_epoch


class MultiStepDecay(LRScheduler):
    """Multiplied by ``gamma`` at each of ``milestones``, which must increase.

    ``learning_rate``: the rate to start from. ``last_epoch``, ``verbose``: see `LRScheduler`. Raises TypeError or
    ValueError for other ``milestones``, ValueError for a ``gamma`` of 1 or more.

    Example:
        >>> rate = paddle.optimizer.lr.MultiStepDecay(0.5, milestones=[1, 3])
        >>> rate.step()
        >>> rate()
        0.05
    """

    def __init__(
        self,
        learning_rate: float,
        milestones: Sequence[int],
        gamma: float = 0.1,
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        if not isinstance(milestones, (list, tuple)):
            raise TypeError(f"MultiStepDecay: milestones must be a list or tuple, got {type(milestones).__name__}")
        if list(milestones) != sorted(set(milestones)):
            raise ValueError(f"MultiStepDecay: milestones must increase, got {list(milestones)}")
        if gamma >= 1.0:
            raise ValueError(f"MultiStepDecay: gamma must be below 1, got {gamma}")
        self.milestones, self.gamma = milestones, gamma
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        return self.base_lr * self.gamma ** sum(self.last_epoch >= m for m in self.milestones)


class StepDecay(LRScheduler):
    """Multiplied by ``gamma`` every ``step_size`` epochs.

    ``last_epoch``, ``verbose``: see `LRScheduler`. Raises ValueError for a ``gamma`` of 1 or more.
    ``learning_rate``: the rate to start from.

    Example:
        >>> rate = paddle.optimizer.lr.StepDecay(0.5, step_size=2)
        >>> rate.step(2)
        >>> rate()
        0.05
    """

    def __init__(
        self, learning_rate: float, step_size: int, gamma: float = 0.1, last_epoch: int = -1, verbose: bool = False
    ) -> None:
        if gamma >= 1.0:
            raise ValueError(f"StepDecay: gamma must be below 1, got {gamma}")
        self.step_size, self.gamma = _positive_int("step_size", step_size), gamma
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        return self.base_lr * self.gamma ** (self.last_epoch // self.step_size)


class _DecayByFunction(LRScheduler):
    """The arguments of schedules that a function of the epoch decides."""

    def __init__(
        self, learning_rate: float, lr_lambda: Callable[[int], float], last_epoch: int = -1, verbose: bool = False
    ) -> None:
        if not callable(lr_lambda):
            raise TypeError(f"{type(self).__name__}: lr_lambda must be a function, got {type(lr_lambda).__name__}")
        self.lr_lambda = lr_lambda
        super().__init__(learning_rate, last_epoch, verbose)


class LambdaDecay(_DecayByFunction):
    """``learning_rate * lr_lambda(t)``.

    ``last_epoch``, ``verbose``: see `LRScheduler`. Raises TypeError when ``lr_lambda`` is no function.

    Example:
        >>> rate = paddle.optimizer.lr.LambdaDecay(0.5, lr_lambda=lambda epoch: 0.5**epoch)
        >>> rate.step()
        >>> rate()
        0.25
    """

    def get_lr(self) -> float:
        return self.base_lr * self.lr_lambda(self.last_epoch)


class MultiplicativeDecay(_DecayByFunction):
    """``learning_rate * lr_lambda(1) * ... * lr_lambda(t)``.

    ``last_epoch``, ``verbose``: see `LRScheduler`. Raises TypeError when ``lr_lambda`` is no function.

    Example:
        >>> rate = paddle.optimizer.lr.MultiplicativeDecay(0.5, lr_lambda=lambda epoch: 0.5)
        >>> rate.step()
        >>> rate()
        0.25
    """

    def get_lr(self) -> float:
        rate = self.base_lr
        for epoch in range(1, self.last_epoch + 1):
            rate = rate * self.lr_lambda(epoch)
        return rate


class LinearLR(LRScheduler):
    """From ``learning_rate * start_factor`` to ``learning_rate * end_factor`` in ``total_steps``, then constant.

    ``last_epoch``, ``verbose``: see `LRScheduler`. Raises ValueError for factors outside of [0, 1], or a number of
    steps that is not positive.

    Example:
        >>> rate = paddle.optimizer.lr.LinearLR(0.5, total_steps=4, start_factor=0.5)
        >>> rate(), (rate.step(), rate())[1]
        (0.25, 0.3125)
    """

    def __init__(
        self,
        learning_rate: float,
        total_steps: int,
        start_factor: float = 1.0 / 3,
        end_factor: float = 1.0,
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        if not 0.0 < start_factor <= 1.0:
            raise ValueError(f"LinearLR: start_factor must be above 0 and at most 1, got {start_factor}")
        if not 0.0 <= end_factor <= 1.0:
            raise ValueError(f"LinearLR: end_factor must be between 0 and 1, got {end_factor}")
        if total_steps <= 0:
            raise ValueError(f"LinearLR: total_steps must be positive, got {total_steps}")
        self.start_factor, self.end_factor, self.total_steps = start_factor, end_factor, total_steps
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        done = min(self.last_epoch, self.total_steps) / self.total_steps
        return self.base_lr * (self.start_factor + (self.end_factor - self.start_factor) * done)


class LinearWarmup(LRScheduler):
    """From ``start_lr`` to ``end_lr`` in ``warmup_steps``, then ``learning_rate`` (a number or another scheduler).

    ``last_epoch``, ``verbose``: see `LRScheduler`. Raises TypeError for another ``learning_rate``, ValueError when
    ``end_lr`` is not above ``start_lr``.

    Example:
        >>> after = paddle.optimizer.lr.CosineAnnealingDecay(0.1, T_max=100)
        >>> paddle.optimizer.lr.LinearWarmup(after, warmup_steps=10, start_lr=0.0, end_lr=0.1)
    """

    def __init__(
        self,
        learning_rate: float | LRScheduler,
        warmup_steps: int,
        start_lr: float,
        end_lr: float,
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        if not isinstance(learning_rate, (float, int, LRScheduler)):
            raise TypeError(f"LinearWarmup: learning_rate must be a number or an LRScheduler, got {learning_rate!r}")
        if end_lr <= start_lr:
            raise ValueError(f"LinearWarmup: end_lr {end_lr} must be above start_lr {start_lr}")
        self.learning_rate = learning_rate
        self.warmup_steps = _positive_int("warmup_steps", warmup_steps)
        self.start_lr, self.end_lr = start_lr, end_lr
        super().__init__(start_lr, last_epoch, verbose)

    def get_lr(self) -> float:
        if self.last_epoch < self.warmup_steps:
            return (self.end_lr - self.start_lr) * self.last_epoch / self.warmup_steps + self.start_lr
        if isinstance(self.learning_rate, LRScheduler):
            self.learning_rate.step(self.last_epoch - self.warmup_steps)
            return self.learning_rate()
        return self.learning_rate

    def state_dict(self) -> dict[str, object]:
        """Return the state to continue from, with that of the scheduler that follows."""
        state = super().state_dict()
        if isinstance(self.learning_rate, LRScheduler):
            state["LinearWarmup_LR"] = self.learning_rate.state_dict()
        return state

    def set_state_dict(self, state_dict: dict[str, object]) -> None:
        """Continue from a state that `state_dict` gave. Raises KeyError when an entry is missing."""
        state = dict(state_dict)
        inner_state = state.pop("LinearWarmup_LR", None)
        super().set_state_dict(state)
        if isinstance(self.learning_rate, LRScheduler):
            if not isinstance(inner_state, dict):
                raise KeyError("LinearWarmup.set_state_dict: the state has no entry 'LinearWarmup_LR'")
            self.learning_rate.set_state_dict(inner_state)

    set_dict = set_state_dict
