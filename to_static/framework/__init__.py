"""Saving and loading states and other nested data (Paddle's ``paddle.save``, ``paddle.load``)."""

from to_static.core.dtypes import get_default_dtype, set_default_dtype
from to_static.framework.io import load, save

__all__ = ["get_default_dtype", "load", "save", "set_default_dtype"]
