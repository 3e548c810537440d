"""Optimizers and learning-rate schedules (`lr`)."""

from to_static.core.diagnostics.missing_names import names_missing
from to_static.optimizer import lr
from to_static.optimizer.adam import Adam, Adamax, AdamW, Lamb
from to_static.optimizer.adaptive import Adadelta, Adagrad, RMSProp
from to_static.optimizer.lbfgs import LBFGS
from to_static.optimizer.momentum import SGD, Momentum
from to_static.optimizer.optimizer import Optimizer

__all__ = [
    "LBFGS", "SGD", "Adadelta", "Adagrad", "Adam", "AdamW", "Adamax", "Lamb", "Momentum", "Optimizer", "RMSProp", "lr",
]  # fmt: skip

__getattr__ = names_missing(__name__)
