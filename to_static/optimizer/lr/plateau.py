"""A rate that falls when a metric stops improving."""

from __future__ import annotations

from typing import Any

from to_static.optimizer.lr.scheduler import LRScheduler


class ReduceOnPlateau(LRScheduler):
    """Multiplies the rate by ``factor`` when the metric has not improved for more than ``patience`` steps.

    Args:
        learning_rate: the rate to start from.
        mode: ``'min'`` (the metric should fall, the default) or ``'max'``.
        factor: below 1 (default 0.1).
        patience: steps without improvement that are let pass (default 10).
        threshold: what counts as an improvement (default 1e-4), relative to the best or, with
            ``threshold_mode='abs'``, absolute.
        cooldown: steps after a reduction in which nothing is counted (default 0).
        min_lr: the rate never falls below it (default 0).
        epsilon: smaller changes of the rate are not made (default 1e-8).
        verbose: print a line on every change.
    Raises TypeError or ValueError for arguments out of range.

    Example:
        >>> scheduler = paddle.optimizer.lr.ReduceOnPlateau(0.1, patience=2)
        >>> scheduler.step(paddle.to_tensor(0.5))
    """

    def __init__(
        self,
        learning_rate: float,
        mode: str = "min",
        factor: float = 0.1,
        patience: int = 10,
        threshold: float = 1e-4,
        threshold_mode: str = "rel",
        cooldown: int = 0,
        min_lr: float = 0,
        epsilon: float = 1e-8,
        verbose: bool = False,
    ) -> None:
        self.mode, self.threshold_mode = mode.lower(), threshold_mode.lower()
        if self.mode not in ("min", "max"):
            raise ValueError(f"ReduceOnPlateau: mode must be 'min' or 'max', got {mode!r}")
        if self.threshold_mode not in ("rel", "abs"):
            raise ValueError(f"ReduceOnPlateau: threshold_mode must be 'rel' or 'abs', got {threshold_mode!r}")
        if factor >= 1.0:
            raise ValueError(f"ReduceOnPlateau: factor must be below 1, got {factor}")
        if isinstance(learning_rate, bool) or not isinstance(learning_rate, (int, float)):
            raise TypeError(f"learning_rate must be a number, got {type(learning_rate).__name__}")
        self.factor, self.patience, self.threshold = factor, patience, threshold
        self.cooldown, self.min_lr, self.epsilon = cooldown, min_lr, epsilon
        self.cooldown_counter = 0
        self.num_bad_epochs = 0
        self.best: float | None = None
        self.base_lr = self.last_lr = float(learning_rate)
        self.last_epoch = 0
        self.verbose = verbose

    def state_keys(self) -> None:
        """The best metric and the counters are state too."""
        self.keys = ["cooldown_counter", "best", "num_bad_epochs", "last_epoch", "last_lr"]

    def step(self, metrics: Any, epoch: int | None = None) -> None:  # type: ignore[override]
        """Take note of the metric (a number, or a tensor or array of one element) and reduce the rate if it is time."""
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        try:
            value = float(metrics)
        except (TypeError, ValueError):
            raise TypeError(f"ReduceOnPlateau.step: expected one number, got {metrics!r}") from None
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            return
        if self.best is None or self._is_better(value, self.best):
            self.best, self.num_bad_epochs = value, 0
        else:
            self.num_bad_epochs += 1
        if self.num_bad_epochs > self.patience:
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0
            reduced = max(self.last_lr * self.factor, self.min_lr)
            if self.last_lr - reduced > self.epsilon:
                self.last_lr = reduced
                self._report()

    def _is_better(self, value: float, best: float) -> bool:
        margin = best * self.threshold if self.threshold_mode == "rel" else self.threshold
        return value < best - margin if self.mode == "min" else value > best + margin
