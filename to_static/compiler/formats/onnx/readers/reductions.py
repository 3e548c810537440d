"""Reads reductions, scans, sorting nodes and matrix products."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.formats.onnx.node_view import NodeView, reads, scalar_like
from to_static.compiler.ir.spec import UNKNOWN
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions as F

_EMPTY = {"ReduceMax": -np.inf, "ReduceMin": np.inf}


@reads(
    "ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2", "ReduceSumSquare", "ReduceLogSum",
    "ReduceLogSumExp",
)  # fmt: skip
def _(n: NodeView) -> Any:
    x = n.x()
    axes = n.integers(1, "axes")
    keep = n.flag("keepdims", True)
    if not axes:
        if n.flag("noop_with_empty_axes"):
            return _alone(n, x)
        axes = list(range(x.ndim))
    axes = [a % x.ndim for a in axes] if x.ndim else []
    if not axes:
        return _alone(n, x)
    return _reduced(n, x, axes, keep)


def _alone(n: NodeView, x: Tensor) -> Any:
    """The result of a reduction over no dimensions."""
    if n.op_type in ("ReduceL1", "ReduceL2"):
        return F.abs(x)
    if n.op_type == "ReduceSumSquare":
        return x * x
    if n.op_type == "ReduceLogSum":
        return F.log(x)
    return F.assign(x)


def _reduced(n: NodeView, x: Tensor, axes: list[int], keep: bool) -> Any:
    dtype = x.dtype
    sized = all(x.spec.shape[a] != UNKNOWN for a in axes)
    empty = sized and any(x.spec.shape[a] == 0 for a in axes)
    match n.op_type:
        case "ReduceSum":
            return F.sum(x, axes, dtype=dtype, keepdim=keep)
        case "ReduceMean":
            return F.mean(x, axes, keepdim=keep)
        case "ReduceProd":
            return F.prod(x, axes, keepdim=keep)
        case "ReduceMax" | "ReduceMin":
            if dtype.kind == "b":
                return (F.any if n.op_type == "ReduceMax" else F.all)(x, axes, keepdim=keep)
            if empty:
                shape = [1 if i in axes else d for i, d in enumerate(x.spec.shape)]
                shape = shape if keep else [d for i, d in enumerate(x.spec.shape) if i not in axes]
                info: Any = np.iinfo(dtype.np) if dtype.is_integer else None
                value = _EMPTY[n.op_type] if info is None else info.min if n.op_type == "ReduceMax" else info.max
                return F.full(shape, value, dtype)
            narrow = dtype.name in ("int8", "uint8", "int16")
            widened = F.cast(x, "int32") if narrow else x
            result = (F.max if n.op_type == "ReduceMax" else F.min)(widened, axes, keepdim=keep)
            return F.cast(result, dtype) if narrow else result
        case "ReduceL1":
            return F.sum(F.abs(x), axes, dtype=dtype, keepdim=keep)
        case "ReduceL2":
            return F.sqrt(F.sum(x * x, axes, dtype=dtype, keepdim=keep))
        case "ReduceSumSquare":
            return F.sum(x * x, axes, dtype=dtype, keepdim=keep)
        case "ReduceLogSum":
            return F.log(F.sum(x, axes, dtype=dtype, keepdim=keep))
    return F.logsumexp(x, axes, keepdim=keep)


@reads("ArgMax", "ArgMin")
def _(n: NodeView) -> Any:
    x, keep = n.x(), n.flag("keepdims", True)
    axis = n.integer("axis", 0) % x.ndim
    function = F.argmax if n.op_type == "ArgMax" else F.argmin
    if not n.flag("select_last_index"):
        return function(x, axis, keep)
    size = x.spec.shape[axis] if x.spec.shape[axis] != UNKNOWN else F.dim_size(x, axis)
    return size - 1 - function(F.flip(x, [axis]), axis, keep)


@reads("TopK")
def _(n: NodeView) -> Any:
    x = n.x()
    axis = n.integer("axis", -1) % x.ndim
    largest, ordered = n.flag("largest", True), n.flag("sorted", True)
    k: Any = n.integer("k") if n.opset < 10 else None
    if k is None:
        count = n.const(1)
        k = int(count.reshape(-1)[0]) if count is not None else n.x(1)
    if isinstance(k, int) and k == 0:
        sizes = [0 if i == axis else d for i, d in enumerate(x.spec.shape)]
        return [F.full(sizes, 0, x.dtype), F.full(sizes, 0, "int64")]
    narrow = x.dtype.name in ("int8", "uint8", "int16")
    values, positions = F.topk(F.cast(x, "int32") if narrow else x, k, axis, largest, ordered)
    return [F.cast(values, x.dtype) if narrow else values, positions]


@reads("CumSum", "CumProd")
def _(n: NodeView) -> Any:
    x = n.x()
    axis = int(n.constant_array(1).reshape(-1)[0]) % x.ndim
    exclusive, backwards = n.flag("exclusive"), n.flag("reverse")
    line = F.flip(x, [axis]) if backwards else x
    if exclusive:
        first = F.full_like(line[(slice(None),) * axis + (slice(0, 1),)], 0 if n.op_type == "CumSum" else 1, x.dtype)
        line = F.concat([first, line[(slice(None),) * axis + (slice(0, -1),)]], axis)
    total = F.cumsum(line, axis) if n.op_type == "CumSum" else F.cumprod(line, axis)
    total = F.cast(total, x.dtype)
    return F.flip(total, [axis]) if backwards else total


@reads("MatMul")
def _(n: NodeView) -> Any:
    return F.matmul(n.x(0), n.x(1))


@reads("Gemm")
def _(n: NodeView) -> Any:
    a, b, c = n.x(0), n.x(1), n.optional(2)
    alpha, beta = n.real("alpha", 1.0), n.real("beta", 1.0)
    product = F.matmul(a, b, n.flag("transA"), n.flag("transB"))
    product = product if alpha == 1 else product * scalar_like(alpha, product)
    if c is None or beta == 0:
        return product
    return product + (c if beta == 1 else c * scalar_like(beta, c))


@reads("Einsum")
def _(n: NodeView) -> Any:
    return F.einsum(n.text("equation").replace(" ", ""), *n.all())


@reads("Det")
def _(n: NodeView) -> Any:
    return F.determinant(n.x())


@reads("NonZero")
def _(n: NodeView) -> Any:
    x = n.x()
    return F.transpose(F.nonzero(x), [1, 0])


@reads("Unique")
def _(n: NodeView) -> Any:
    x, axis = n.x(), n.attr("axis")
    values, first, inverse, counts = F.unique(x, True, True, True, axis)
    inverse = F.reshape(inverse, [-1])
    if n.flag("sorted", True):
        return [values, first, inverse, counts]
    order = F.argsort(first)
    position = F.argsort(order)
    rows = F.index_select(values, order, 0 if axis is None else axis)
    return [rows, F.gather(first, order), F.gather(position, inverse), F.gather(counts, order)]


@reads("LpNormalization")
def _(n: NodeView) -> Any:
    x = n.x()
    axis, p = n.integer("axis", -1) % x.ndim, n.integer("p", 2)
    size = F.sum(F.abs(x), axis, keepdim=True) if p == 1 else F.sqrt(F.sum(x * x, axis, keepdim=True))
    none = F.equal(size, scalar_like(0, x))
    return F.where(none, F.zeros_like(x), x / F.where(none, F.ones_like(size), size))


@reads("MeanVarianceNormalization")
def _(n: NodeView) -> Any:
    x = n.x()
    axes = n.ints("axes", [0, 2, 3])
    centered = x - F.mean(x, axes, keepdim=True)
    return centered / (F.sqrt(F.mean(centered * centered, axes, keepdim=True)) + scalar_like(1e-9, x))


