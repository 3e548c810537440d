"""Prediction from saved models: `Config` and `create_predictor`, as in ``paddle.inference``.

A predictor's weights never change, so its Program is optimized further than any other: batch norms fold into convolutions, and what
weights alone decide is computed once. Neither layers nor gradients are loaded.
"""

from to_static.core.diagnostics.missing_names import names_missing
from to_static.inference.config import Config
from to_static.inference.data_type import DataType
from to_static.inference.engines import InternalUtils, XpuConfig
from to_static.inference.kinds import (
    PlaceType,
    PredictorPool,
    get_num_bytes_of_data_type,
    get_trt_compile_version,
    get_trt_runtime_version,
    get_version,
)
from to_static.inference.load_predictor import PredictorFunction, load_predictor
from to_static.inference.mixed import convert_to_mixed_precision
from to_static.inference.precision import PrecisionType
from to_static.inference.predictor import Predictor, Tensor, create_predictor

__all__ = [
    "Config", "DataType", "InternalUtils", "PlaceType", "PrecisionType", "Predictor", "PredictorFunction", "PredictorPool",
    "Tensor", "XpuConfig", "convert_to_mixed_precision", "create_predictor", "get_num_bytes_of_data_type",
    "get_trt_compile_version", "get_trt_runtime_version", "get_version", "load_predictor",
]  # fmt: skip

__getattr__ = names_missing(__name__)
