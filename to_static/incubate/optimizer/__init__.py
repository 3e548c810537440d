"""Optimizers around others: `LookAhead`, `ModelAverage`; `LBFGS`; and `functional`, minima of functions."""

from to_static.core.diagnostics.missing_names import names_missing
from to_static.incubate.optimizer import functional
from to_static.incubate.optimizer.lookahead import LookAhead
from to_static.incubate.optimizer.model_average import ModelAverage
from to_static.optimizer.lbfgs import LBFGS

__all__ = ["LBFGS", "LookAhead", "ModelAverage", "functional"]

__getattr__ = names_missing(__name__)
