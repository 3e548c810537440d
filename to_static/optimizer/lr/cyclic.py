"""Rates that rise and fall: cosine annealing, warm restarts, one cycle, cycles."""

from __future__ import annotations

import math
from collections.abc import Callable

from to_static.optimizer.lr.scheduler import LRScheduler


def _nonnegative(name: str, value: float) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{name} must be a number, got {type(value).__name__}")
    if value < 0:
        raise ValueError(f"{name} must not be negative, got {value}")
    return float(value)


def _count(name: str, value: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name} must be an int, got {type(value).__name__}")
    if value <= 0:
        raise ValueError(f"{name} must be positive, got {value}")
    return value


class CosineAnnealingDecay(LRScheduler):
    """Along half a cosine from ``learning_rate`` to ``eta_min`` in ``T_max`` epochs, and back (Loshchilov and Hutter, 2016).

    ``last_epoch``, ``verbose``: see `LRScheduler`.

    Example:
        >>> paddle.optimizer.lr.CosineAnnealingDecay(learning_rate=0.1, T_max=100)
    """

    def __init__(
        self, learning_rate: float, T_max: int, eta_min: float = 0, last_epoch: int = -1, verbose: bool = False
    ) -> None:
        self.T_max = _count("T_max", T_max)
        self.eta_min = _nonnegative("eta_min", eta_min)
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        """One step on from the last rate, as Paddle computes it: a rate set by hand meanwhile is annealed too."""
        if self.last_epoch == 0:
            return self.base_lr
        if (self.last_epoch - 1 - self.T_max) % (2 * self.T_max) == 0:  # at the bottom the quotient below is 0 / 0
            return self.last_lr + (self.base_lr - self.eta_min) * (1 - math.cos(math.pi / self.T_max)) / 2
        factor = 1 + math.cos(math.pi * self.last_epoch / self.T_max)
        previous_factor = 1 + math.cos(math.pi * (self.last_epoch - 1) / self.T_max)
        return factor / previous_factor * (self.last_lr - self.eta_min) + self.eta_min

    def _get_closed_form_lr(self) -> float:
        cosine = math.cos(math.pi * self.last_epoch / self.T_max)
        return self.eta_min + (self.base_lr - self.eta_min) * (1 + cosine) / 2


class CosineAnnealingWarmRestarts(LRScheduler):
    """Cosine annealing to ``eta_min`` that starts again after ``T_0`` epochs, each period ``T_mult`` times longer.

    ``learning_rate``: the rate at each start. ``last_epoch``, ``verbose``: see `LRScheduler`.

    Example:
        >>> rate = paddle.optimizer.lr.CosineAnnealingWarmRestarts(0.5, T_0=2)
        >>> rates = []
        >>> for epoch in range(3):
        ...     rates.append(rate())
        ...     rate.step()
        ...
        >>> rates
        [0.5, 0.25, 0.5]
    """

    def __init__(
        self,
        learning_rate: float,
        T_0: int,
        T_mult: int = 1,
        eta_min: float = 0,
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        self.T_0 = self.T_i = _count("T_0", T_0)
        self.T_mult = _count("T_mult", T_mult)
        self.eta_min = eta_min
        self.T_cur: float = last_epoch
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        return self.eta_min + (self.base_lr - self.eta_min) * (1 + math.cos(math.pi * self.T_cur / self.T_i)) / 2

    def step(self, epoch: float | None = None) -> None:
        """Go on by one epoch, or to ``epoch``, which may be a fraction."""
        if epoch is None and self.last_epoch >= 0:
            epoch = self.last_epoch + 1
            self.T_cur += 1
            if self.T_cur >= self.T_i:
                self.T_cur -= self.T_i
                self.T_i *= self.T_mult
        else:
            epoch = 0 if epoch is None else epoch
            if epoch < 0:
                raise ValueError(f"step: epoch must not be negative, got {epoch}")
            self._seek(epoch)
        self.last_epoch = math.floor(epoch)
        self.last_lr = self.get_lr()
        self._report()

    def _seek(self, epoch: float) -> None:
        self.T_i, self.T_cur = self.T_0, epoch
        while self.T_cur >= self.T_i:
            self.T_cur -= self.T_i
            self.T_i *= self.T_mult

    def state_keys(self) -> None:
        """The position within the period is state too."""
        self.keys = ["last_epoch", "last_lr", "T_cur", "T_i"]


class OneCycleLR(LRScheduler):
    """Up to ``max_learning_rate`` and down again in ``total_steps`` (Smith and Topin, 2017).

    Args:
        max_learning_rate: the peak; training starts at ``max_learning_rate / divide_factor``.
        total_steps: number of steps in all.
        end_learning_rate: rate at the end (default 0.0001).
        phase_pct: part of the steps in which the rate rises (default 0.3).
        anneal_strategy: ``'cos'`` or ``'linear'``.
        three_phase: fall to the initial rate as fast as it rose, then to the end rate.
        divide_factor: see ``max_learning_rate``.
        last_epoch, verbose: see `LRScheduler`.

    Raises ValueError when stepped further than ``total_steps``.

    Example:
        >>> rate = paddle.optimizer.lr.OneCycleLR(max_learning_rate=0.5, total_steps=10)
        >>> rate()
        0.020000000000000018
    """

    def __init__(
        self,
        max_learning_rate: float,
        total_steps: int,
        divide_factor: float = 25.0,
        end_learning_rate: float = 0.0001,
        phase_pct: float = 0.3,
        anneal_strategy: str = "cos",
        three_phase: bool = False,
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        high = _nonnegative("max_learning_rate", max_learning_rate)
        end = _nonnegative("end_learning_rate", end_learning_rate)
        self.total_steps = _count("total_steps", total_steps)
        if not 0 <= phase_pct <= 1:
            raise ValueError(f"OneCycleLR: phase_pct must be between 0 and 1, got {phase_pct}")
        if three_phase and phase_pct >= 0.5:
            raise ValueError(f"OneCycleLR: with three phases phase_pct must be below 0.5, got {phase_pct}")
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"OneCycleLR: anneal_strategy must be 'cos' or 'linear', got {anneal_strategy!r}")
        self._anneal_strategy = anneal_strategy
        low = high / _nonnegative("divide_factor", divide_factor)
        last = total_steps - 1
        rise = phase_pct * total_steps - 1
        if three_phase:
            self._ends, self._rates = [rise, 2 * rise, last], [low, high, low, end]
        else:
            self._ends, self._rates = [rise, last], [low, high, end]
        super().__init__(low, last_epoch, verbose)

    def get_lr(self) -> float:
        if self.last_epoch > self.total_steps:
            raise ValueError(f"OneCycleLR: stepped {self.last_epoch} times, but total_steps is {self.total_steps}")
        begin = 0.0
        phase = 0
        while phase < len(self._ends) - 1 and self.last_epoch > self._ends[phase]:
            begin = self._ends[phase]
            phase += 1
        part = (self.last_epoch - begin) / (self._ends[phase] - begin)
        first, second = self._rates[phase], self._rates[phase + 1]
        if self._anneal_strategy == "linear":
            return (second - first) * part + first
        return second + (first - second) / 2.0 * (math.cos(math.pi * part) + 1)


class CyclicLR(LRScheduler):
    """Between ``base_learning_rate`` and ``max_learning_rate``, again and again (Smith, 2015).

    Args:
        step_size_up, step_size_down: steps of the rise and of the fall (default: as long as the rise).
        mode: ``'triangular'`` (same height), ``'triangular2'`` (half as high each cycle) or ``'exp_range'``
            (``exp_gamma ** step`` times as high).
        scale_fn: function that gives the height instead, of the cycle's number or of the step, as ``scale_mode`` says
            (``'cycle'`` or ``'iterations'``).
        last_epoch, verbose: see `LRScheduler`.
    Raises ValueError for another ``mode`` or ``scale_mode``.

    Example:
        >>> rate = paddle.optimizer.lr.CyclicLR(0.1, 0.5, step_size_up=2)
        >>> rates = []
        >>> for epoch in range(5):
        ...     rates.append(rate())
        ...     rate.step()
        ...
        >>> rates
        [0.1, 0.30000000000000004, 0.5, 0.30000000000000004, 0.1]
    """

    def __init__(
        self,
        base_learning_rate: float,
        max_learning_rate: float,
        step_size_up: int,
        step_size_down: int | None = None,
        mode: str = "triangular",
        exp_gamma: float = 1.0,
        scale_fn: Callable[[float], float] | None = None,
        scale_mode: str = "cycle",
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        steps_up = float(_count("step_size_up", step_size_up))
        steps_down = steps_up if step_size_down is None else float(_count("step_size_down", step_size_down))
        scales = {"triangular": (self._same, "cycle"), "triangular2": (self._halved, "cycle"),
                  "exp_range": (self._powered, "iterations")}  # fmt: skip
        if scale_fn is None and mode not in scales:
            raise ValueError(f"CyclicLR: mode must be one of {', '.join(scales)}, or give scale_fn; got {mode!r}")
        if scale_mode not in ("cycle", "iterations"):
            raise ValueError(f"CyclicLR: scale_mode must be 'cycle' or 'iterations', got {scale_mode!r}")
        self.cycle_size = steps_up + steps_down
        self.step_up_pct = steps_up / self.cycle_size
        self.max_lr = _nonnegative("max_learning_rate", max_learning_rate)
        self.amplitude = self.max_lr - base_learning_rate
        self.mode, self.gamma = mode, exp_gamma
        self.scale_fn, self.scale_mode = scales[mode] if scale_fn is None else (scale_fn, scale_mode)
        super().__init__(base_learning_rate, last_epoch, verbose)

    def _same(self, cycle: float) -> float:
        return 1.0

    def _halved(self, cycle: float) -> float:
        return 1 / 2.0 ** (cycle - 1)

    def _powered(self, step: float) -> float:
        return self.gamma**step

    def get_lr(self) -> float:
        cycle = 1 + self.last_epoch // self.cycle_size
        part = 1.0 + self.last_epoch / self.cycle_size - cycle
        rising = part <= self.step_up_pct
        height = part / self.step_up_pct if rising else (1 - part) / (1 - self.step_up_pct)
        scale = self.scale_fn(cycle if self.scale_mode == "cycle" else self.last_epoch)
        return self.base_lr + self.amplitude * height * scale
