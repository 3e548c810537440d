"""Paddle's ``paddle.utils``: `unique_name`, the default names of layers and parameters."""

from to_static.core import unique_name
from to_static.core.missing import names_missing

__all__ = ["unique_name"]

__getattr__ = names_missing(__name__)
