"""`set_default_dtype`, which traced code must not call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from to_static.compiler.ir.trace_errors import trace_time_effects
from to_static.core import dtypes

if TYPE_CHECKING:
    from to_static.core.dtypes import DTypeLike


def set_default_dtype(d: DTypeLike) -> None:
    """Set the dtype given to Python floats and to parameters: float16, float32 (initially) or float64.

    Raises ModeError while a function is traced.
    ``d``: a dtype or its name, such as 'float64'. Raises TypeError for dtypes that are not floating.

    Example:
        >>> paddle.set_default_dtype("float64")
        >>> paddle.zeros([1]).dtype
        paddle.float64
        >>> paddle.set_default_dtype("float32")
    """
    trace_time_effects.forbid_while_tracing(
        "set_default_dtype()", "call it outside of the static function, or name the dtype: `paddle.zeros([2], dtype)`"
    )
    dtypes.set_default_dtype(d)
