"""Kinds of numbers and devices, versions, and several predictors of one model."""

from __future__ import annotations

import enum
from typing import Any

from to_static import version
from to_static.inference.config import Config
from to_static.inference.data_type import DataType
from to_static.inference.predictor import Predictor, create_predictor


class PlaceType(enum.IntEnum):
    """Kinds of devices.

    Example:
        >>> paddle.inference.PlaceType.CPU.name
        'CPU'
    """

    UNK, CPU, GPU, XPU = range(-1, 3)
    CUSTOM = 4

    def __str__(self) -> str:
        return f"PlaceType.{self.name}"


_BYTES = {
    DataType.FLOAT32: 4, DataType.INT64: 8, DataType.INT32: 4, DataType.UINT8: 1, DataType.INT8: 1, DataType.FLOAT16: 2,
    DataType.BOOL: 1, DataType.FLOAT64: 8,
}  # fmt: skip


def get_num_bytes_of_data_type(dtype: DataType) -> int:
    """The size of a number.

    ``dtype``: of the number.

    Example:
        >>> paddle.inference.get_num_bytes_of_data_type(paddle.inference.DataType.INT64)
        8
    """
    return _BYTES[dtype]


def get_version() -> str:
    """The version of this package, in three lines as Paddle's.

    Example:
        >>> version = paddle.inference.get_version()
    """
    return f"version: {version.full_version}\ncommit: {version.commit}\nbranch: HEAD\n"


def get_trt_compile_version() -> tuple[int, int, int]:
    """(0, 0, 0): there is no TensorRT.

    Example:
        >>> paddle.inference.get_trt_compile_version()
        (0, 0, 0)
    """
    return (0, 0, 0)


def get_trt_runtime_version() -> tuple[int, int, int]:
    """(0, 0, 0): there is no TensorRT.

    Example:
        >>> paddle.inference.get_trt_runtime_version()
        (0, 0, 0)
    """
    return (0, 0, 0)


class PredictorPool:
    """``size`` predictors of one model, which share its weights.

    ``config``: as for `create_predictor`. Raises ValueError for a ``size`` below 1.

    Example:
        >>> pool = PredictorPool(Config('model/net'), 4)
        >>> predictor = pool.retrive(0)
    """

    def __init__(self, config: Config, size: int = 1) -> None:
        if size < 1:
            raise ValueError(f"PredictorPool: expected at least one predictor, got {size}")
        first = create_predictor(config)
        self._predictors = [first, *(first.clone() for _ in range(size - 1))]

    def retrive(self, idx: int) -> Predictor:
        """One of them. Raises IndexError for another number than 0 to ``size - 1``."""
        if not -len(self._predictors) <= idx < len(self._predictors):
            raise IndexError(f"PredictorPool: it has the predictors 0 to {len(self._predictors) - 1}, got {idx}")
        return self._predictors[idx]

    retrieve: Any = retrive
