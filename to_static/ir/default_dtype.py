"""`set_default_dtype`, where it may be called."""

from __future__ import annotations

from typing import Any

from to_static.core import dtypes
from to_static.ir import once


def set_default_dtype(d: Any) -> None:
    """Set the dtype given to Python floats and to parameters: float16, float32 (initially) or float64.

    Raises ModeError while a function is traced.
    """
    once.refuse("set_default_dtype()", "call it outside of the static function, or name the dtype: `paddle.zeros([2], dtype)`")
    dtypes.set_default_dtype(d)
