"""Optimizers around others: `LookAhead`, `ModelAverage`; and `LBFGS`."""

from to_static.core.missing import names_missing
from to_static.incubate.optimizer.lookahead import LookAhead
from to_static.incubate.optimizer.model_average import ModelAverage
from to_static.optimizer.lbfgs import LBFGS

__all__ = ["LBFGS", "LookAhead", "ModelAverage"]

__getattr__ = names_missing(__name__)
