"""`LRScheduler`: steps the schedule of the optimizer's learning rate."""

from __future__ import annotations

from typing import Any

from to_static.callbacks.callback import Callback
from to_static.optimizer import lr


class LRScheduler(Callback):
    """Step the optimizer's schedule after each batch (``by_step``, the default) or each epoch (``by_epoch``).

    `Model.fit` adds one by itself. Raises ValueError when both are asked for.

    Example:
        >>> model.fit(data, callbacks=paddle.callbacks.LRScheduler(by_step=False, by_epoch=True))
    """

    def __init__(self, by_step: bool = True, by_epoch: bool = False) -> None:
        super().__init__()
        if by_step and by_epoch:
            raise ValueError("by_step option is mutually exclusive with by_epoch")
        self.by_step = by_step
        self.by_epoch = by_epoch

    def _step(self) -> None:
        rate = getattr(self.model._optimizer, "_learning_rate", None)
        if isinstance(rate, lr.LRScheduler):
            rate.step()

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        if self.by_epoch:
            self._step()

    def on_train_batch_end(self, step: int, logs: Any = None) -> None:
        if self.by_step:
            self._step()
