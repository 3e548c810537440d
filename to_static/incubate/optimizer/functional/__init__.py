"""Minima of functions of a vector (``paddle.incubate.optimizer.functional``): BFGS and L-BFGS."""

from to_static.core.diagnostics.missing_names import names_missing
from to_static.incubate.optimizer.functional.quasi_newton import minimize_bfgs, minimize_lbfgs

__all__ = ["minimize_bfgs", "minimize_lbfgs"]

__getattr__ = names_missing(__name__)
