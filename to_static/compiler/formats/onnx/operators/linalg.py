"""Writes matrix products and operators made of them."""

from __future__ import annotations

from typing import Any

from to_static.compiler.formats.onnx.program_writer import OnnxWriter, writes
from to_static.compiler.ir.program import Op


@writes("matmul")
def _(w: OnnxWriter, op: Op) -> Any:
    x, y = op.inputs
    dtype = op.out.spec.dtype
    if dtype.kind == "c":
        w.refuse("runtimes do not compute with complex numbers")
    compute_dtype = w.wider(dtype)
    a, b = w.as_dtype(x, compute_dtype), w.as_dtype(y, compute_dtype)
    turned_x = op.attrs["trans_x"] and x.spec.ndim > 1
    turned_y = op.attrs["trans_y"] and y.spec.ndim > 1
    if (turned_x and x.spec.ndim == 2 and y.spec.ndim == 1) or (turned_y and y.spec.ndim == 2 and x.spec.ndim == 1):
        a, b = b, a  # runtimes multiply a turned matrix with a vector wrongly when they fuse both
        turned_x = turned_y = False
    if x.spec.ndim == y.spec.ndim == 2 and (turned_x or turned_y) and compute_dtype.kind == "f":
        return w.op("Gemm", a, b, transA=int(turned_x), transB=int(turned_y))
    a = _transposed(w, a, x.spec.ndim) if turned_x else a
    b = _transposed(w, b, y.spec.ndim) if turned_y else b
    result = w.op("MatMul", a, b)
    return result if compute_dtype is dtype else w.cast(result, dtype)


def _transposed(w: OnnxWriter, name: str, ndim: int) -> str:
    """Return the name of the transpose of a matrix: a parameter of the file for a constant, else a ``Transpose`` node."""
    array = w.value(name)
    if array is not None:
        for constant, weights in w.constants.items():
            if weights.base is array and weights.shape == array.swapaxes(-1, -2).shape:
                return constant
        return w.param(array.swapaxes(-1, -2), f"{name}.T")
    return w.transpose(name, [*range(ndim - 2), ndim - 1, ndim - 2])


@writes("dot")
def _(w: OnnxWriter, op: Op) -> Any:
    compute_dtype = w.wider(op.out.spec.dtype)
    x, y = (w.as_dtype(v, compute_dtype) for v in op.inputs)
    total = w.reduce("ReduceSum", w.op("Mul", x, y), [max(v.spec.ndim for v in op.inputs) - 1])
    return w.as_dtype(total, op.out.spec.dtype, op.out.spec.with_dtype(compute_dtype))


@writes("determinant")
def _(w: OnnxWriter, op: Op) -> Any:
    return w.op("Det", op.inputs[0])
