"""Layers that compute with quantized numbers, as `quantization` puts them into networks; weights of eight bits."""

from to_static.core.diagnostics.missing_names import names_missing
from to_static.nn.quant.functional_layers import (
    FloatFunctionalLayer,
    add,
    concat,
    divide,
    flatten,
    matmul,
    multiply,
    reshape,
    subtract,
    transpose,
)
from to_static.nn.quant.quant_layers import QuantStub
from to_static.nn.quant.stub import Stub
from to_static.nn.quant.weight_only import llm_int8_linear, weight_dequantize, weight_only_linear, weight_quantize

__all__ = [
    "FloatFunctionalLayer", "QuantStub", "Stub", "add", "concat", "divide", "flatten", "llm_int8_linear", "matmul", "multiply",
    "reshape", "subtract", "transpose", "weight_dequantize", "weight_only_linear", "weight_quantize",
]  # fmt: skip

__getattr__ = names_missing(__name__)
