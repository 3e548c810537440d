"""Kinds of arithmetic, as `Config` names them."""

from __future__ import annotations

import enum


class PrecisionType(enum.IntEnum):
    """Arithmetic of a predictor. Whatever is asked for, a model is computed in its own dtypes (Float32).

    Example:
        >>> paddle.inference.PrecisionType.Float32.name
        'Float32'
    """

    Float32, Int8, Half, Bfloat16 = range(4)

    def __str__(self) -> str:
        return f"PrecisionType.{self.name}"
