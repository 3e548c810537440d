"""Writes reductions, scans and sorting operators."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from to_static.compiler.formats.onnx.program_writer import OnnxWriter, writes
from to_static.compiler.ir.program import Op
from to_static.compiler.ir.spec import UNKNOWN
from to_static.core.dtypes import bool_, float32, int32, int64


def _axes(op: Op) -> list[int]:
    axis, ndim = op.attrs["axis"], op.inputs[0].spec.ndim
    axes = list(range(ndim)) if axis is None else [axis] if isinstance(axis, int) else list(axis)
    return [a % ndim for a in axes] if ndim else []


_KINDS = {
    "max": "ReduceMax", "min": "ReduceMin", "amax": "ReduceMax", "amin": "ReduceMin", "mean": "ReduceMean", "prod": "ReduceProd",
}  # fmt: skip


@writes(*_KINDS)
def _(w: OnnxWriter, op: Op) -> Any:
    x = op.inputs[0]
    dtype = x.spec.dtype
    compute_dtype = w.wider(dtype)
    if op.name == "mean" and dtype.kind != "f":
        compute_dtype = float32
    result = w.reduce(_KINDS[op.name], w.as_dtype(x, compute_dtype), _axes(op), op.attrs["keepdim"])
    return w.as_dtype(result, dtype, op.out.spec.with_dtype(compute_dtype))


@writes("sum")
def _(w: OnnxWriter, op: Op) -> Any:
    dtype = op.out.spec.dtype
    compute_dtype = w.wider(dtype)
    if dtype.kind == "c":
        w.refuse("runtimes do not compute with complex numbers")
    result = w.reduce("ReduceSum", w.as_dtype(op.inputs[0], compute_dtype), _axes(op), op.attrs["keepdim"])
    return w.as_dtype(result, dtype, op.out.spec.with_dtype(compute_dtype))


@writes("all", "any")
def _(w: OnnxWriter, op: Op) -> Any:
    x = w.cast(w.as_dtype(op.inputs[0], bool_), int32)
    op_type = "ReduceMin" if op.name == "all" else "ReduceMax"
    return w.cast(w.reduce(op_type, x, _axes(op), op.attrs["keepdim"]), bool_)


@writes("logsumexp")
def _(w: OnnxWriter, op: Op) -> Any:
    return w.reduce("ReduceLogSumExp", w.name(op.inputs[0]), _axes(op), op.attrs["keepdim"])


@writes("p_norm")
def _(w: OnnxWriter, op: Op) -> Any:
    x, power, dtype = op.inputs[0], op.attrs["power"], op.out.spec.dtype
    axes, keep = _axes(op), op.attrs["keepdim"]
    if power == 2 and axes:
        return w.op("Sqrt", w.reduce("ReduceSumSquare", w.name(x), axes, keep))
    if power == 1:
        return w.reduce("ReduceL1", w.name(x), axes, keep)
    size = w.op("Abs", x)
    if not axes and power:
        return size
    if math.isinf(power):
        return w.reduce("ReduceMax" if power > 0 else "ReduceMin", size, axes, keep)
    if power == 0:
        some = w.op("Not", w.op("Equal", x, w.scalar(0, dtype)))
        return w.reduce("ReduceSum", w.cast(some, dtype), axes, keep)
    total = w.reduce("ReduceSum", w.op("Pow", size, w.scalar(power, dtype)), axes, keep)
    return w.op("Pow", total, w.scalar(1 / power, dtype))


@writes("sum_to")
def _(w: OnnxWriter, op: Op) -> Any:
    x, like = op.inputs
    extra = x.spec.ndim - like.spec.ndim
    pairs = list(zip(x.spec.shape[extra:], like.spec.shape, strict=True))
    if any(UNKNOWN in pair and pair[0] != pair[1] and pair[1] != 1 for pair in pairs):
        w.refuse("a sum over dimensions that are known only at run time")
    axes = [*range(extra), *(i + extra for i, (have, want) in enumerate(pairs) if want == 1 != have)]
    total = w.reduce("ReduceSum", w.name(x), axes, True) if axes else w.name(x)
    return w.squeeze(total, list(range(extra)))


# positions and orders ----------------------------------------------------------------------------------------------------


@writes("argmax", "argmin")
def _(w: OnnxWriter, op: Op) -> Any:
    x, axis = op.inputs[0], op.attrs["axis"]
    compute_dtype = w.wider(x.spec.dtype, "uint8", "int8") if w.opset >= 13 else w.wider(x.spec.dtype)
    op_type = "ArgMax" if op.name == "argmax" else "ArgMin"
    name = w.as_dtype(x, compute_dtype)
    if x.spec.dtype is int64:  # runtimes have it for other integers
        return w.cast(_first(w, op, largest=op.name == "argmax"), op.out.spec.dtype)
    if axis is None:
        if x.spec.ndim == 0:
            return w.scalar(0, op.out.spec.dtype)
        result = w.op(op_type, w.reshape(name, [-1]), axis=0, keepdims=0)
        result = w.reshape(result, [1] * x.spec.ndim) if op.attrs["keepdim"] else result
    else:
        result = w.op(op_type, name, axis=axis % x.spec.ndim, keepdims=int(op.attrs["keepdim"]))
    return result if op.out.spec.dtype is int64 else w.cast(result, op.out.spec.dtype)


def _first(w: OnnxWriter, op: Op, largest: bool) -> str:
    x, axis = op.inputs[0], op.attrs["axis"]
    name, ndim = w.name(x), x.spec.ndim
    if ndim == 0:
        return w.scalar(0, int64)
    if axis is None:
        name, axis = w.reshape(name, [-1]), 0
    axis %= ndim
    _, positions = w.op("TopK", name, w.ints([1]), axis=axis, largest=int(largest), outputs=2)
    if op.attrs["axis"] is None:
        return w.reshape(positions, [1] * ndim if op.attrs["keepdim"] else [])
    return positions if op.attrs["keepdim"] else w.squeeze(positions, [axis])


def _sortable(w: OnnxWriter, op: Op) -> tuple[str, Any]:
    x = op.inputs[0]
    compute_dtype = x.spec.dtype if x.spec.dtype.name in ("float32", "float64", "int32", "int64") else (
        float32 if x.spec.dtype.kind == "f" else int32
    )
    return w.as_dtype(x, compute_dtype), compute_dtype


@writes("topk")
def _(w: OnnxWriter, op: Op) -> Any:
    a, x = op.attrs, op.inputs[0]
    name, compute_dtype = _sortable(w, op)
    values, positions = w.op(
        "TopK", name, w.ints([a["k"]]), axis=a["axis"] % x.spec.ndim, largest=int(a["largest"]), sorted=1, outputs=2
    )
    return [w.as_dtype(values, x.spec.dtype, op.out.spec.with_dtype(compute_dtype)), positions]


@writes("argsort")
def _(w: OnnxWriter, op: Op) -> Any:
    a, x = op.attrs, op.inputs[0]
    if not x.spec.ndim:
        return [w.name(x), w.scalar(0, int64)]
    name, compute_dtype = _sortable(w, op)
    axis = a["axis"] % x.spec.ndim
    values, positions = w.op("TopK", name, w.size(x, axis), axis=axis, largest=int(a["descending"]), sorted=1, outputs=2)
    return [w.as_dtype(values, x.spec.dtype, op.out.spec.with_dtype(compute_dtype)), positions]


@writes("kthvalue")
def _(w: OnnxWriter, op: Op) -> Any:
    a, x = op.attrs, op.inputs[0]
    name, compute_dtype = _sortable(w, op)
    if not x.spec.ndim:
        return [w.name(x), w.scalar(0, int64)]
    axis = a["axis"] % x.spec.ndim
    results = w.op("TopK", name, w.ints([a["k"]]), axis=axis, largest=0, sorted=1, outputs=2)
    results = [w.slice(result, axis, a["k"] - 1, a["k"]) for result in results]
    results = results if a["keepdim"] else [w.squeeze(result, [axis]) for result in results]
    return [w.as_dtype(results[0], x.spec.dtype, op.out.spec.with_dtype(compute_dtype)), results[1]]


@writes("cumsum")
def _(w: OnnxWriter, op: Op) -> Any:
    a, x = op.attrs, op.inputs[0]
    dtype = x.spec.dtype
    compute_dtype = w.wider(dtype)
    if not x.spec.ndim:
        return w.op("Sub", x, x) if a["exclusive"] else w.name(x)
    axis = w.scalar(a["axis"] % x.spec.ndim, int64)
    result = w.op("CumSum", w.as_dtype(x, compute_dtype), axis, exclusive=int(a["exclusive"]), reverse=int(a["reverse"]))
    return w.as_dtype(result, dtype, x.spec.with_dtype(compute_dtype))


@writes("cumprod", "logcumsumexp", "cummax", "cummin")
def _(w: OnnxWriter, op: Op) -> Any:
    return _scanned(w, op)


def _scanned(w: OnnxWriter, op: Op) -> Any:
    """Write a cumulative operator that ONNX lacks (product, maximum, ...) as a ``Scan`` node."""
    a, x = op.attrs, op.inputs[0]
    if not x.spec.ndim:
        return [w.name(x), w.scalar(0, op.outputs[1].spec.dtype)] if len(op.outputs) > 1 else w.name(x)
    axis = a["axis"] % x.spec.ndim
    dtype = x.spec.dtype
    scan_dtype = w.wider(dtype)
    row = x.spec.with_shape(d for i, d in enumerate(x.spec.shape) if i != axis).with_dtype(scan_dtype)
    name = w.as_dtype(x, scan_dtype)
    backwards = bool(a.get("reverse"))
    first = w.op("Gather", name, w.scalar(-1 if backwards else 0, int64), axis=axis)
    zeros = w.op("ConstantOfShape", w.op("Shape", first), value=np.zeros(1, "int64"))
    starts = {"cumprod": 1, "logcumsumexp": -np.inf}
    state = w.op("Expand", w.scalar(starts[op.name], scan_dtype), w.op("Shape", first)) if op.name in starts else first
    indexed = op.name in ("cummax", "cummin")
    body = w.open("scan")
    state_in = w.formal("before", row)
    spec = row.with_dtype(int64)
    if indexed:
        step, position = w.formal("turn", spec.with_shape(())), w.formal("position", spec)
    value = w.formal("value", row)
    if op.name == "cumprod":
        state_out = w.op("Mul", state_in, value)
    elif op.name == "logcumsumexp":
        top = w.op("Max", state_in, value)
        low = w.op("Min", state_in, value)
        same = w.op("Equal", top, low)
        gap = w.op("Where", same, w.scalar(0, scan_dtype), w.op("Sub", low, top))
        state_out = w.op("Add", top, w.op("Log", w.op("Add", w.scalar(1, scan_dtype), w.op("Exp", gap))))
    else:
        wins = w.op("Less" if op.name == "cummax" else "Greater", state_in, value)
        wins = w.op("Or", wins, w.op("Equal", state_in, value))
        if scan_dtype.kind == "f":
            wins = w.op("Or", wins, w.op("And", w.op("IsNaN", value), w.op("Not", w.op("IsNaN", state_in))))
        state_out = w.op("Where", wins, value, state_in)
    w.result(state_out, row)
    if indexed:
        w.result(w.op("Add", step, w.scalar(1, int64)), spec.with_shape(()))
        position = w.op("Where", wins, step, position)
        w.result(position, spec)
        w.result(w.op("Identity", state_out), row)
        w.result(w.op("Identity", position), spec)
    else:
        w.result(w.op("Identity", state_out), row)
    w.close()
    axes = {"scan_input_axes": [axis], "num_scan_inputs": 1}
    if backwards:
        axes.update(scan_input_directions=[1], scan_output_directions=[1])
    if indexed:
        results = w.op("Scan", state, w.scalar(0, int64), zeros, name, outputs=5, body=body, scan_output_axes=[axis] * 2, **axes)
        values, positions = results[3:]
        return [
            w.as_dtype(values, dtype, x.spec.with_dtype(scan_dtype)),
            w.as_dtype(positions, a["dtype"], x.spec.with_dtype(int64)),
        ]
    result = w.op("Scan", state, name, outputs=2, body=body, scan_output_axes=[axis], **axes)[1]
    return w.as_dtype(result, dtype, x.spec.with_dtype(scan_dtype))


@writes("nonzero")
def _(w: OnnxWriter, op: Op) -> Any:
    x = op.inputs[0]
    name = w.as_dtype(x, bool_)
    return w.transpose(w.op("NonZero", name), [1, 0])


@writes("searchsorted")
def _(w: OnnxWriter, op: Op) -> Any:
    sorted_, values = op.inputs
    compare_dtype = w.wider(sorted_.spec.dtype)
    n = values.spec.ndim
    sorted_row = w.as_dtype(sorted_, compare_dtype)
    if sorted_.spec.ndim == 1:
        sorted_row = w.unsqueeze(sorted_row, list(range(n)))
    else:
        sorted_row = w.unsqueeze(sorted_row, [n - 1])
    queries = w.unsqueeze(w.as_dtype(values, compare_dtype), [n])
    is_before = w.op("Not", w.op("Greater", sorted_row, queries)) if op.attrs["right"] else w.op("Less", sorted_row, queries)
    count = w.reduce("ReduceSum", w.cast(is_before, int64), [n])
    return w.as_dtype(count, op.out.spec.dtype, op.out.spec.with_dtype(int64))
