"""Paddle's ``fleet.utils``: `recompute`."""

from to_static.core.diagnostics.missing_names import names_missing
from to_static.distributed.fleet.utils.recompute import recompute

__all__ = ["recompute"]

__getattr__ = names_missing(__name__)
