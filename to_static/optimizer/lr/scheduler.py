"""`LRScheduler`: a learning rate that changes with the number of steps (or epochs)."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from to_static.compiler.ir import mode
from to_static.core.diagnostics.missing_names import of_object
from to_static.optimizer.traced_schedules import current, do


class LRScheduler:
    """Base class. A subclass implements `get_lr` in terms of ``self.last_epoch`` and ``self.base_lr``.

    Args:
        learning_rate: the rate to start from.
        last_epoch: number of the last epoch done; the default -1 starts from the beginning.
        verbose: print a line on every change.

    Raises TypeError for a rate that is no number, ValueError for a negative one.

    Example:
        >>> class Halve(paddle.optimizer.lr.LRScheduler):
        ...     def get_lr(self):
        ...         return self.base_lr * 0.5 ** self.last_epoch
    """

    keys: list[str]
    _in_runs = {"get_lr": current, "step": do}  # what a static function does that calls one of these: it is called in every run
    _holders: tuple[Any, ...] = ()

    def __init__(self, learning_rate: float = 0.1, last_epoch: int = -1, verbose: bool = False) -> None:
        if isinstance(learning_rate, bool) or not isinstance(learning_rate, (int, float)):
            raise TypeError(f"learning_rate must be a number, got {type(learning_rate).__name__}")
        if learning_rate < 0:
            raise ValueError(f"learning_rate must not be negative, got {learning_rate}")
        self.base_lr = float(learning_rate)
        self.last_lr = float(learning_rate)
        self.last_epoch = last_epoch
        self.verbose = verbose
        self.step()

    def __getattr__(self, name: str) -> Any:
        raise of_object("LRScheduler", self, name)

    @property
    def last_lr(self) -> float:
        """The rate of the last step."""
        return self._last_lr if not mode.tracing() else current(lambda: self._last_lr)

    @last_lr.setter
    def last_lr(self, value: float) -> None:
        self._last_lr = value
        for holder in self._holders:
            with mode.default_mode():
                holder.set_value(np.asarray(value))

    @property
    def last_epoch(self) -> int:
        """The number of the last step."""
        return self._last_epoch if not mode.tracing() else current(lambda: self._last_epoch, int)

    @last_epoch.setter
    def last_epoch(self, value: int) -> None:
        self._last_epoch = value

    def _bind(self, tensor: Any) -> None:
        """Keep a one-element tensor at the current rate: this is how a Program sees that the rate changed."""
        self._holders = (*self._holders, tensor)
        self.last_lr = self._last_lr

    def __call__(self) -> float:
        return self.last_lr

    def step(self, epoch: int | None = None) -> None:
        """Go on by one epoch (or to ``epoch``) and compute the new rate."""
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        closed_form = getattr(self, "_get_closed_form_lr", None)
        self.last_lr = self.get_lr() if epoch is None or closed_form is None else closed_form()
        self._report()

    def _report(self) -> None:
        if self.verbose:
            print(f"Epoch {self.last_epoch}: {type(self).__name__} set learning rate to {self.last_lr}.")

    def get_lr(self) -> float:
        """The rate at ``self.last_epoch``."""
        raise NotImplementedError(f"{type(self).__name__} must define get_lr()")

    def state_keys(self) -> None:
        """Set ``self.keys``, the attributes that `state_dict` holds; a subclass with more state overrides it."""
        self.keys = ["last_epoch", "last_lr"]

    def state_dict(self) -> dict[str, Any]:
        """Return the state to continue from."""
        self.state_keys()
        return {key: getattr(self, key) for key in self.keys if hasattr(self, key)}

    def set_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Continue from a state that `state_dict` gave. Raises KeyError when an entry is missing."""
        self.state_keys()
        for key in self.keys:
            if key not in state_dict:
                raise KeyError(f"{type(self).__name__}.set_state_dict: the state has no entry {key!r}")
            setattr(self, key, state_dict[key])
        if len(state_dict) > len(self.keys):
            unused = sorted(set(state_dict) - set(self.keys))
            warnings.warn(f"{type(self).__name__}.set_state_dict: unused entries {unused}", stacklevel=2)

    set_dict = set_state_dict
