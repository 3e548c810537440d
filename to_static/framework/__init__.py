"""Saving and loading states and other nested data (Paddle's ``paddle.save``, ``paddle.load``)."""

from to_static.framework.io import load, save

__all__ = ["load", "save"]
