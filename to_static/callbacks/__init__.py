"""Callbacks of the steps of `Model.fit`, `evaluate` and `predict`: progress, checkpoints, early stopping, rates, logs."""

from to_static.callbacks.callback import Callback
from to_static.callbacks.checkpoint import ModelCheckpoint
from to_static.callbacks.monitor import EarlyStopping, ReduceLROnPlateau
from to_static.callbacks.progress import ProgBarLogger
from to_static.callbacks.rate import LRScheduler
from to_static.callbacks.writers import VisualDL, WandbCallback
from to_static.core.diagnostics.missing_names import names_missing

__all__ = [
    "Callback", "EarlyStopping", "LRScheduler", "ModelCheckpoint", "ProgBarLogger", "ReduceLROnPlateau", "VisualDL",
    "WandbCallback",
]  # fmt: skip

__getattr__ = names_missing(__name__)
