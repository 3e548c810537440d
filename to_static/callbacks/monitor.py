"""Callbacks that watch a number of the evaluation: `EarlyStopping`, `ReduceLROnPlateau`."""

from __future__ import annotations

import math
import numbers
import os
import warnings
from typing import Any

from to_static.callbacks.callback import Callback


class _Monitor(Callback):
    """The order of numbers: a larger accuracy is better, a smaller number of others, unless ``mode`` says."""

    def __init__(self, monitor: str, mode: str, min_delta: float) -> None:
        super().__init__()
        if mode not in ("auto", "min", "max"):
            warnings.warn(f"{type(self).__name__} mode {mode} is unknown, fallback to auto mode.", stacklevel=3)
            mode = "auto"
        self.monitor = monitor
        self.min_delta = abs(min_delta)
        self._larger = mode == "max" or (mode == "auto" and "acc" in monitor)
        self._best: Any = self._worst

    @property
    def _worst(self) -> float:
        return -math.inf if self._larger else math.inf

    def _better(self, value: Any) -> bool:
        return bool(value - self.min_delta > self._best if self._larger else value + self.min_delta < self._best)

    def _watched(self, logs: Any) -> Any:
        """The number; None when there is none, with a warning when nothing has this name."""
        if not logs or self.monitor not in logs:
            warnings.warn(f"Monitor of {type(self).__name__} should be loss or metric name.", stacklevel=3)
            return None
        value = logs[self.monitor]
        value = value[0] if isinstance(value, (list, tuple)) else value
        return value if isinstance(value, numbers.Number) else None


class EarlyStopping(_Monitor):
    """Stop training when a number of the evaluation has not got better for a while. Needs ``eval_data``.

    Args:
        monitor: 'loss' (the default) or the name of a metric.
        mode: 'min', 'max', or 'auto': the larger the better when 'acc' is in the name.
        patience: evaluations without progress until it stops (default 0: none may be without).
        verbose: 1 prints when it stops.
        min_delta: the least difference that counts.
        baseline: the number to do better than at first.
        save_best_model: save the best model to ``best_model`` in the folder that `Model.fit` saves to.

    Example:
        >>> model.fit(data, eval_data, callbacks=paddle.callbacks.EarlyStopping('acc', patience=3))
    """

    def __init__(
        self,
        monitor: str = "loss",
        mode: str = "auto",
        patience: int = 0,
        verbose: int = 1,
        min_delta: float = 0,
        baseline: float | None = None,
        save_best_model: bool = True,
    ) -> None:
        super().__init__(monitor, mode, min_delta)
        self.patience = patience
        self.verbose = verbose
        self.baseline = baseline
        self.save_best_model = save_best_model
        self.save_dir: str | None = None
        self.wait_epoch = self.stopped_epoch = 0

    @property
    def best_value(self) -> Any:
        """The best number so far."""
        return self._best

    def on_train_begin(self, logs: Any = None) -> None:
        self.wait_epoch = 0
        self._best = self._worst if self.baseline is None else self.baseline

    def on_eval_end(self, logs: Any = None) -> None:
        value = self._watched(logs)
        if value is None:
            return
        saves = self.save_best_model and self.save_dir is not None
        path = os.path.join(self.save_dir or "", "best_model")
        if self._better(value):
            self._best = value
            self.wait_epoch = 0
            if saves:
                self.model.save(path)
        else:
            self.wait_epoch += 1
        if self.wait_epoch >= self.patience:
            self.model.stop_training = True
            if self.verbose > 0:
                print(f"Epoch {self.stopped_epoch + 1}: Early stopping.")
                if saves:
                    print(f"Best checkpoint has been saved at {os.path.abspath(path)}")
        self.stopped_epoch += 1


class ReduceLROnPlateau(_Monitor):
    """Make the learning rate, a number, smaller when a number of the evaluation has not got better for a while.

    Args:
        monitor, mode, min_delta: as of `EarlyStopping`.
        factor: what the rate is multiplied by, below 1 (default 0.1).
        patience: evaluations without progress until then (default 10).
        verbose: 1 prints the new rate.
        cooldown: evaluations after a change that do not count.
        min_lr: the least rate.

    Raises ValueError for a factor of 1 or more.

    Example:
        >>> model.fit(data, eval_data, callbacks=paddle.callbacks.ReduceLROnPlateau(patience=3))
    """

    def __init__(
        self,
        monitor: str = "loss",
        factor: float = 0.1,
        patience: int = 10,
        verbose: int = 1,
        mode: str = "auto",
        min_delta: float = 1e-4,
        cooldown: int = 0,
        min_lr: float = 0,
    ) -> None:
        super().__init__(monitor, mode, min_delta)
        if factor >= 1.0:
            raise ValueError("ReduceLROnPlateau does not support a factor >= 1.0.")
        self.mode = mode
        self.factor = factor
        self.patience = patience
        self.verbose = verbose
        self.cooldown = cooldown
        self.min_lr = min_lr
        self.cooldown_counter = self.wait = self.epoch = 0

    def on_train_begin(self, logs: Any = None) -> None:
        self.cooldown_counter = self.wait = 0
        self._best = self._worst

    @property
    def best(self) -> Any:
        """The best number so far."""
        return self._best

    def in_cooldown(self) -> bool:
        """Return whether the last change was within the cooldown."""
        return self.cooldown_counter > 0

    def on_eval_end(self, logs: Any = None) -> None:
        value = self._watched(logs)
        if value is None:
            return
        optimizer = self.model._optimizer
        if not isinstance(optimizer._learning_rate, float):
            schedule_name = type(optimizer._learning_rate).__name__
            warnings.warn(f"ReduceLROnPlateau: expected a learning rate that is a float, but got {schedule_name}.", stacklevel=2)
            return
        if self.in_cooldown():
            self.cooldown_counter -= 1
            self.wait = 0
        if self._better(value):
            self._best = value
            self.wait = 0
        elif not self.in_cooldown():
            self.wait += 1
            rate = optimizer.get_lr()
            if self.wait >= self.patience and rate > self.min_lr:
                optimizer.set_lr(max(rate * self.factor, self.min_lr))
                if self.verbose > 0:
                    print(f"\nEpoch {self.epoch + 1}: ReduceLROnPlateau reducing learning rate to {optimizer.get_lr()}.")
                self.cooldown_counter = self.cooldown
                self.wait = 0
        self.epoch += 1
