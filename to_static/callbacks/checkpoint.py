"""`ModelCheckpoint`: the model in files, now and then."""

from __future__ import annotations

import os
from typing import Any

from to_static.callbacks.callback import Callback


class ModelCheckpoint(Callback):
    """Save the model and its optimizer to ``save_dir/EPOCH`` every ``save_freq`` epochs, and to ``save_dir/final`` at the end.

    `Model.fit` adds one by itself for its ``save_dir``; without a folder nothing is saved.

    Example:
        >>> model.fit(data, callbacks=paddle.callbacks.ModelCheckpoint(save_dir='checkpoints'))
    """

    def __init__(self, save_freq: int = 1, save_dir: str | None = None) -> None:
        super().__init__()
        self.save_freq = save_freq
        self.save_dir = save_dir

    def _save(self, name: str) -> None:
        path = f"{self.save_dir}/{name}"
        print(f"save checkpoint at {os.path.abspath(path)}")
        self.model.save(path)

    def on_epoch_begin(self, epoch: int | None = None, logs: Any = None) -> None:
        self.epoch = epoch

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        if self.save_dir and epoch % self.save_freq == 0:
            self._save(str(epoch))

    def on_train_end(self, logs: Any = None) -> None:
        if self.save_dir:
            self._save("final")
