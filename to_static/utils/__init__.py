"""Paddle's ``paddle.utils``: `unique_name`, the default names of layers and parameters."""

from to_static.core import unique_name

__all__ = ["unique_name"]
