"""Reads quantized nodes. They compute with integers, or with the dequantized numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.formats.onnx.node_view import NodeView, half_even, reads, scalar_like
from to_static.compiler.formats.onnx.readers.layers import convolve
from to_static.compiler.formats.onnx.tensors import dtype_of
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions as F
from to_static.core.dtypes import DType, as_dtype, float32, int32, uint8


def _along(n: NodeView, value: Tensor, x: Tensor, axis: int) -> Tensor:
    """Scales or zero points so that they broadcast against ``x``."""
    if value.ndim == 0 or (value.ndim == 1 and value.spec.shape[0] == 1):
        return F.reshape(value, [])  # type: ignore[no-any-return]
    block = n.integer("block_size")
    if block and value.ndim == x.ndim:
        repeated_value = F.repeat_interleave(value, block, axis % x.ndim)
        return repeated_value[(slice(None),) * (axis % x.ndim) + (slice(0, x.spec.shape[axis]),)]  # type: ignore[no-any-return]
    return F.reshape(value, [-1 if i == axis % x.ndim else 1 for i in range(x.ndim)])  # type: ignore[no-any-return]


def quantized(x: Tensor, scale: Tensor, zero: Tensor | None, dtype: DType) -> Tensor:
    """Whole numbers of ``dtype`` for ``x``: rounded to even, held within the dtype."""
    info = np.iinfo(dtype.np)
    rows = half_even(F.cast(x, float32) / F.cast(scale, float32))
    rows = rows if zero is None else rows + F.cast(zero, float32)
    return F.cast(F.clip(rows, float(info.min), float(info.max)), dtype)  # type: ignore[no-any-return]


def dequantized(x: Tensor, scale: Tensor, zero: Tensor | None) -> Tensor:
    """The real numbers that quantized integers stand for."""
    rows = F.cast(x, int32)
    rows = rows if zero is None else rows - F.cast(zero, int32)
    return F.cast(rows, scale.dtype) * scale  # type: ignore[no-any-return]


@reads("QuantizeLinear")
def _(n: NodeView) -> Any:
    x, scale, zero = n.x(0), n.x(1), n.optional(2)
    axis = n.integer("axis", 1)
    code = n.integer("output_dtype")
    dtype = zero.dtype if zero is not None else as_dtype(dtype_of(code, n.reader.path)) if code else uint8
    if dtype.kind not in "iu":
        n.refuse("whole numbers", dtype.name)
    point = None if zero is None else _along(n, zero, x, axis)
    return quantized(x, _along(n, scale, x, axis), point, dtype)


@reads("DequantizeLinear")
def _(n: NodeView) -> Any:
    x, scale, zero = n.x(0), n.x(1), n.optional(2)
    axis = n.integer("axis", 1)
    return dequantized(x, _along(n, scale, x, axis), None if zero is None else _along(n, zero, x, axis))


@reads("DynamicQuantizeLinear")
def _(n: NodeView) -> Any:
    x = n.x()
    low, high = F.minimum(F.min(x), scalar_like(0, x)), F.maximum(F.max(x), scalar_like(0, x))
    scale = (high - low) / scalar_like(255, x)
    safe = F.where(F.equal(scale, scalar_like(0, x)), scalar_like(1, x), scale)
    zero = F.cast(F.clip(half_even(scalar_like(0, x) - low / safe), 0.0, 255.0), uint8)
    return [quantized(x, safe, zero, uint8), scale, zero]


def _integers(n: NodeView, i: int, zero_at: int, axis: int | None = None) -> Tensor:
    """Whole numbers less their zero point, as int32."""
    x = F.cast(n.x(i), int32)
    zero = n.optional(zero_at)
    if zero is None:
        return x  # type: ignore[no-any-return]
    zero = F.cast(zero, int32)
    if axis is not None and zero.ndim == 1 and zero.spec.shape[0] != 1:
        zero = F.reshape(zero, [-1 if k == axis % x.ndim else 1 for k in range(x.ndim)])
    elif zero.ndim == 1 and zero.spec.shape[0] == 1:
        zero = F.reshape(zero, [])
    return x - zero  # type: ignore[no-any-return]


@reads("MatMulInteger")
def _(n: NodeView) -> Any:
    return F.matmul(_integers(n, 0, 2, -2), _integers(n, 1, 3, -1))


@reads("ConvInteger")
def _(n: NodeView) -> Any:
    x, weight = _integers(n, 0, 2), _integers(n, 1, 3, 0)
    sums = convolve(n, F.cast(x, "float64"), F.cast(weight, "float64"), None)  # exact: they are below 2 ** 53
    return F.cast(sums, int32)


@reads("QLinearMatMul")
def _(n: NodeView) -> Any:
    a, b = _integers(n, 0, 2, -2), _integers(n, 3, 5, -1)
    sums = F.matmul(a, b)
    scale = _rows(n.x(1), sums, -2) * _rows(n.x(4), sums, -1) / F.reshape(n.x(6), []) if n.x(6).ndim == 0 else (
        _rows(n.x(1), sums, -2) * _rows(n.x(4), sums, -1) / _rows(n.x(6), sums, -1)
    )
    rows = half_even(F.cast(sums, float32) * F.cast(scale, float32)) + F.cast(n.x(7), float32)
    dtype = n.x(7).dtype
    info = np.iinfo(dtype.np)
    return F.cast(F.clip(rows, float(info.min), float(info.max)), dtype)


def _rows(scale: Tensor, x: Tensor, axis: int) -> Tensor:
    if scale.ndim != 1:
        return scale
    if scale.spec.shape[0] == 1:
        return F.reshape(scale, [])  # type: ignore[no-any-return]
    return F.reshape(scale, [-1 if i == axis % x.ndim else 1 for i in range(x.ndim)])  # type: ignore[no-any-return]


@reads("QLinearConv")
def _(n: NodeView) -> Any:
    x, weight = _integers(n, 0, 2), _integers(n, 3, 5, 0)
    sums = convolve(n, F.cast(x, "float64"), F.cast(weight, "float64"), None)
    shape = [1, -1] + [1] * (x.ndim - 2)
    if n.has(8):
        sums = sums + F.cast(F.reshape(n.x(8), shape), "float64")
    scale = F.cast(n.x(4), float32)
    scale = F.reshape(scale, shape) if scale.ndim == 1 and scale.spec.shape[0] != 1 else F.reshape(scale, [])
    factor = F.reshape(n.x(1), []) * scale / F.reshape(n.x(6), [])
    dtype = n.x(7).dtype
    info = np.iinfo(dtype.np)
    rows = half_even(F.cast(sums, float32) * factor) + F.cast(F.reshape(n.x(7), []), float32)
    return F.cast(F.clip(rows, float(info.min), float(info.max)), dtype)


# nodes of onnxruntime's quantizer (``QuantFormat.QOperator``), which are no operators of ONNX -------------------------------------


def _real(n: NodeView, i: int) -> Tensor:
    """The real numbers of the input at a position, whose scale and zero point follow."""
    return dequantized(n.x(i), F.reshape(n.x(i + 1), []), None if not n.has(i + 2) else F.reshape(n.x(i + 2), []))


def _quantized_result(n: NodeView, x: Tensor, i: int) -> Tensor:
    """Whole numbers of a result, whose scale and zero point are at a position."""
    zero = n.optional(i + 1)
    dtype = uint8 if zero is None else zero.dtype
    return quantized(x, F.reshape(n.x(i), []), None if zero is None else F.reshape(zero, []), dtype)


@reads("com.microsoft.QLinearAdd", "com.microsoft.QLinearMul")
def _(n: NodeView) -> Any:
    a, b = _real(n, 0), _real(n, 3)
    return _quantized_result(n, a + b if n.op_type == "QLinearAdd" else a * b, 6)


@reads("com.microsoft.QLinearSigmoid", "com.microsoft.QLinearLeakyRelu")
def _(n: NodeView) -> Any:
    x = _real(n, 0)
    return _quantized_result(n, F.sigmoid(x) if n.op_type == "QLinearSigmoid" else F.leaky_relu(x, n.real("alpha", 0.01)), 3)


@reads("com.microsoft.QLinearSoftmax")
def _(n: NodeView) -> Any:
    if n.integer("opset", 13) < 13:
        n.refuse("the softmax of opset 13", str(n.integer("opset", 13)))
    return _quantized_result(n, F.softmax(_real(n, 0), n.integer("axis", -1)), 3)


@reads("com.microsoft.QLinearGlobalAveragePool")
def _(n: NodeView) -> Any:
    x = _real(n, 0)
    first = 1 if n.flag("channels_last") else 2
    return _quantized_result(n, F.mean(x, list(range(first, first + x.ndim - 2)), keepdim=True), 3)


@reads("com.microsoft.QLinearConcat")
def _(n: NodeView) -> Any:
    count = len(n.names) - 2
    if count <= 0 or count % 3:
        n.refuse("a scale and a zero point for each input", f"{count} inputs")
    return _quantized_result(n, F.concat([_real(n, i) for i in range(2, count + 2, 3)], n.integer("axis", 1)), 0)


@reads("com.microsoft.QGemm")
def _(n: NodeView) -> Any:
    """The sums are whole numbers, to which a bias of their scale is added."""
    transposed = n.flag("transB")
    a, b = _integers(n, 0, 2), _integers(n, 3, 5, 0 if transposed else 1)
    sums = F.matmul(a, b, n.flag("transA"), transposed)
    if n.has(6):
        sums = sums + F.cast(n.x(6), int32)
    scale = F.reshape(n.x(1), []) * _rows(n.x(4), sums, -1)
    alpha = n.real("alpha", 1.0)
    product = F.cast(sums, float32) * F.cast(scale if alpha == 1 else scale * scalar_like(alpha, scale), float32)
    return _quantized_result(n, product, 7) if n.has(7) else product
