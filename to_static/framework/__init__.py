"""Saving and loading states and other nested data (Paddle's ``paddle.save``, ``paddle.load``)."""

from to_static.core.dtypes import get_default_dtype
from to_static.framework.io import load, save
from to_static.ir.default_dtype import set_default_dtype

__all__ = ["get_default_dtype", "load", "save", "set_default_dtype"]
