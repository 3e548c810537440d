"""Dtypes, as predictors name them."""

from __future__ import annotations

import enum


class DataType(enum.IntEnum):
    """Dtypes of a predictor's inputs and outputs.

    Example:
        >>> paddle.inference.DataType.FLOAT32.name
        'FLOAT32'
    """

    FLOAT32, INT64, INT32, UINT8, INT8, FLOAT16, BOOL, FLOAT64 = range(8)

    def __str__(self) -> str:
        return f"DataType.{self.name}"
