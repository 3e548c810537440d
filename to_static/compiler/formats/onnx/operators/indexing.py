"""Writes gathers, scatters and subscripts."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.formats.onnx.program_writer import OnnxWriter, writes
from to_static.compiler.ir.program import Op
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ops.shapes.slice import AT, LAST
from to_static.core.dtypes import bool_, float32, int32, int64

_MOST = (1 << 63) - 1
# element types of which runtimes scatter
_SCATTERED = ("float32", "float64", "int32", "int64", "uint8", "bool", "float16", "int8")


@writes("gather", "index_select")
def _(w: OnnxWriter, op: Op) -> Any:
    x, index = op.inputs
    if op.name == "index_select" and index.spec.ndim == 0:
        return w.op("Gather", x, w.unsqueeze(w.name(index), [0]), axis=op.attrs["axis"] % x.spec.ndim)
    return w.op("Gather", x, _integer_index(w, index), axis=op.attrs["axis"] % x.spec.ndim)


def _integer_index(w: OnnxWriter, index: Any) -> str:
    return w.name(index) if index.spec.dtype in (int32, int64) else w.as_dtype(index, int64)


@writes("embedding")
def _(w: OnnxWriter, op: Op) -> Any:
    ids, table = op.inputs
    rows = w.op("Gather", table, _integer_index(w, ids), axis=0)
    padding = op.attrs["padding_idx"]
    if padding < 0:
        return rows
    array = w.value(w.name(table))
    if array is not None and not array[padding].any():
        return rows
    hit = w.op("Equal", w.as_dtype(ids, int64), w.scalar(padding, int64))
    return w.op("Where", w.unsqueeze(hit, [ids.spec.ndim]), w.scalar(0, table.spec.dtype), rows)


@writes("gather_nd")
def _(w: OnnxWriter, op: Op) -> Any:
    x, index = op.inputs
    if index.spec.shape[-1] == 0:
        w.refuse("an index without numbers")
    return w.op("GatherND", x, w.as_dtype(index, int64))


@writes("take_along_axis")
def _(w: OnnxWriter, op: Op) -> Any:
    x, index = op.inputs
    return w.op(
        "GatherElements",
        _broadcast(w, x, index, op.attrs["axis"]),
        _integer_index(w, index),
        axis=op.attrs["axis"] % x.spec.ndim,
    )


def _broadcast(w: OnnxWriter, x: Any, index: Any, axis: int) -> str:
    """``x`` with the sizes of ``index`` in all other dimensions."""
    name, axis = w.name(x), axis % x.spec.ndim
    if any(a != b for i, (a, b) in enumerate(zip(x.spec.shape, index.spec.shape, strict=True)) if i != axis and a == 1):
        sizes = w.concat([w.size(x if i == axis else index, i) for i in range(x.spec.ndim)])
        name = w.op("Expand", name, sizes)
    return name


def _scatter_dtype(w: OnnxWriter, op: Op) -> Any:
    dtype = op.inputs[0].spec.dtype
    return dtype if dtype.name in _SCATTERED else int32


@writes("put_along_axis")
def _(w: OnnxWriter, op: Op) -> Any:
    x, index, values = op.inputs
    a = op.attrs
    if not a["include_self"] and a["reduce"] != "assign":
        w.refuse("`put_along_axis` without what was there")
    reductions = {"assign": None, "add": "add", "multiply": "mul", "mul": "mul", "amax": "max", "amin": "min"}
    if a["reduce"] not in reductions:
        w.refuse(f"`put_along_axis` with reduce={a['reduce']!r}")
    reduction = reductions[a["reduce"]]
    if reduction:
        w.need(18 if reduction in ("max", "min") else 16, f"`put_along_axis` with reduce={a['reduce']!r}")
    compute_dtype = _scatter_dtype(w, op)
    name = w.as_dtype(values, compute_dtype)
    if values.spec.shape != index.spec.shape:
        name = w.op("Expand", name, w.sizes(index))
    axis = a["axis"] % x.spec.ndim
    result = w.op("ScatterElements", w.as_dtype(x, compute_dtype), _integer_index(w, index), name, axis=axis, reduction=reduction)
    return w.as_dtype(result, x.spec.dtype, x.spec.with_dtype(compute_dtype))


@writes("scatter_nd_add")
def _(w: OnnxWriter, op: Op) -> Any:
    x, index, updates = op.inputs
    w.need(16, "`scatter_nd_add`")
    compute_dtype = w.wider(x.spec.dtype)
    result = w.op(
        "ScatterND",
        w.as_dtype(x, compute_dtype),
        w.as_dtype(index, int64),
        w.as_dtype(updates, compute_dtype),
        reduction="add",
    )
    return w.as_dtype(result, x.spec.dtype, x.spec.with_dtype(compute_dtype))


@writes("scatter")
def _(w: OnnxWriter, op: Op) -> Any:
    x, ids, updates = op.inputs
    index = w.unsqueeze(w.as_dtype(ids, int64), [ids.spec.ndim]) if ids.spec.ndim == 1 else w.as_dtype(ids, int64)
    if ids.spec.ndim == 0:
        index, updates_name = w.reshape(index, [1, 1]), w.unsqueeze(w.name(updates), [0])
    elif ids.spec.ndim == 2:
        index, updates_name = w.reshape(index, [-1, 1]), w.name(updates)
    else:
        updates_name = w.name(updates)
    if updates.spec.ndim == x.spec.ndim - 1 + (ids.spec.ndim == 0) and ids.spec.ndim:
        updates_name = w.op("Expand", updates_name, w.concat([w.size(ids, 0), *(w.size(x, i) for i in range(1, x.spec.ndim))]))
    if op.attrs["overwrite"]:
        return w.op("ScatterND", x, index, updates_name)
    w.need(16, "`scatter` that adds")
    zeros = w.op("Sub", updates_name, updates_name)
    cleared = w.op("ScatterND", x, index, zeros)
    return w.op("ScatterND", cleared, index, updates_name, reduction="add")


def _neighbours(axes: Any) -> bool:
    return list(axes) == list(range(axes[0], axes[0] + len(axes)))


def _joined_index(w: OnnxWriter, indices: Any) -> tuple[str, int]:
    """Index tensors, broadcast together, side by side: int64 [..., count], and the rank of ``...``."""
    ndim = max(i.spec.ndim for i in indices)
    shapes = {i.spec.shape for i in indices}
    names = [w.as_dtype(i, int64) for i in indices]
    if len(names) > 1 and (len(shapes) > 1 or UNKNOWN in next(iter(shapes))):
        total = names[0]
        for name in names[1:]:
            total = w.op("Add", total, name)
        sizes = w.op("Shape", total)
        names = [w.op("Expand", name, sizes) for name in names]
    return w.concat([w.unsqueeze(name, [ndim]) for name in names], ndim), ndim


@writes("index")
def _(w: OnnxWriter, op: Op) -> Any:
    x, indices = op.inputs
    axes = list(op.attrs["axes"])
    if len(axes) == 1:
        return w.op("Gather", x, _integer_index(w, indices[0]), axis=axes[0])
    other_axes = [i for i in range(x.spec.ndim) if i not in axes]
    name = w.transpose(w.name(x), axes + other_axes)
    joined, ndim = _joined_index(w, indices)
    gathered = w.op("GatherND", name, joined)
    if not _neighbours(axes):
        return gathered
    front = list(range(ndim, ndim + axes[0]))
    return w.transpose(gathered, [*front, *range(ndim), *range(ndim + axes[0], ndim + len(other_axes))])


@writes("index_put")
def _(w: OnnxWriter, op: Op) -> Any:
    x, indices, value = op.inputs
    axes = list(op.attrs["axes"])
    if op.attrs["accumulate"]:
        w.need(16, "an `index_put` that adds")
    other_axes = [i for i in range(x.spec.ndim) if i not in axes]
    perm = axes + other_axes
    back = [perm.index(i) for i in range(x.spec.ndim)]
    compute_dtype = w.wider(x.spec.dtype, "bool", "uint8", "int8") if not op.attrs["accumulate"] else w.wider(x.spec.dtype)
    name = w.transpose(w.as_dtype(x, compute_dtype), perm)
    joined, ndim = _joined_index(w, indices)
    wanted = w.as_dtype(value, compute_dtype)
    if _neighbours(axes) and axes[0]:  # the value has the index dimensions behind the first ones
        full = ndim + len(other_axes)
        if value.spec.ndim < full:
            wanted = w.unsqueeze(wanted, list(range(full - value.spec.ndim)))
        wanted = w.transpose(wanted, [*range(axes[0], axes[0] + ndim), *range(axes[0]), *range(axes[0] + ndim, full)])
    sizes = [w.slice(w.op("Shape", joined), 0, 0, ndim)] if ndim else []
    sizes += [w.size(x, i) for i in other_axes]
    wanted = w.op("Expand", wanted, w.concat(sizes) if sizes else w.ints([]))
    reduction = "add" if op.attrs["accumulate"] else None
    result = w.transpose(w.op("ScatterND", name, joined, wanted, reduction=reduction), back)
    return w.as_dtype(result, x.spec.dtype, x.spec.with_dtype(compute_dtype))


@writes("set_value")
def _(w: OnnxWriter, op: Op) -> Any:
    x, value, bounds = op.inputs
    a = op.attrs
    values = iter(bounds)
    dtype = x.spec.dtype
    compute_dtype = w.wider(dtype, "uint8")
    if not a["axes"]:
        return w.op("Expand", w.as_dtype(value, dtype), w.sizes(x))
    mask, shifted = "", w.as_dtype(value, compute_dtype)
    ndim = x.spec.ndim
    points = sorted(a["points"])
    if points and value.spec.ndim:  # dimensions that went come back with size 1
        lacking = ndim - len(points) - value.spec.ndim
        shifted = w.unsqueeze(shifted, list(range(lacking))) if lacking else shifted
        shifted = w.unsqueeze(shifted, points)
    elif value.spec.ndim > ndim:
        shifted = w.squeeze(shifted, list(range(value.spec.ndim - ndim)))
    elif value.spec.ndim < ndim:
        shifted = w.unsqueeze(shifted, list(range(ndim - value.spec.ndim)))
    shape = list(value.spec.shape)
    shape = [1] * (ndim - len(shape)) + shape if not points else shape
    single = value.spec.size == 1
    positions = []
    for axis, start, end, step in zip(a["axes"], a["starts"], a["ends"], a["steps"], strict=True):
        first: Any = w.whole_number(next(values)) if start == AT else start
        if axis in a["points"]:
            last: Any = None
        else:
            last = w.whole_number(next(values)) if end == AT else end
        positions.append(_positions(w, x, axis, first, last, step, axis in a["points"]))
    if single or len(a["axes"]) == 0:
        for axis, (hit, _) in zip(a["axes"], positions, strict=True):
            cut = w.unsqueeze(hit, [i for i in range(ndim) if i != axis])
            mask = w.op("And", mask, cut) if mask else cut
        one = w.reshape(shifted, [1] * ndim)
        result = w.op("Where", mask, one, w.as_dtype(x, compute_dtype))
        return w.as_dtype(result, dtype, x.spec.with_dtype(compute_dtype))
    for axis, (hit, source) in zip(a["axes"], positions, strict=True):
        cut = w.unsqueeze(hit, [i for i in range(ndim) if i != axis])
        mask = w.op("And", mask, cut) if mask else cut
        have = _size_of_value(value.spec, ndim, points, axis)
        if have != 1:
            if have == UNKNOWN:
                w.refuse("a write of a value whose size is known only at run time")
            shifted = w.op("Gather", shifted, source, axis=axis)
    result = w.op("Where", mask, shifted, w.as_dtype(x, compute_dtype))
    return w.as_dtype(result, dtype, x.spec.with_dtype(compute_dtype))


def _size_of_value(spec: TensorSpec, ndim: int, points: list[int], axis: int) -> int:
    shape = list(spec.shape)
    if axis in points:
        return 1
    at = axis - sum(p < axis for p in points)
    lacking = ndim - len(points) - len(shape)
    return 1 if at < lacking else shape[at - lacking]


def _positions(w: OnnxWriter, x: Any, axis: int, start: Any, end: Any, step: int, point: bool) -> tuple[str, str]:
    """The positions of a dimension that a span covers (bool [size]), and the element of the span at each (int64 [size])."""
    size = x.spec.shape[axis]
    if size != UNKNOWN and not isinstance(start, str) and not isinstance(end, str):
        if point:
            chosen = [start % size]
        else:
            chosen = list(range(size))[slice(None if start == LAST else start, None if abs(end) == LAST else end, step)]
        hit, source = np.zeros(size, bool), np.zeros(size, "int64")
        hit[chosen] = True
        source[chosen] = np.arange(len(chosen))
        return w.const(hit), w.const(source)
    if step != 1:
        w.refuse("a write with a step to a dimension of unknown size")
    count = w.size(x, axis)
    every = w.op("Range", w.scalar(0, int64), w.squeeze(count, [0]), w.scalar(1, int64))

    def bound(value: Any) -> str:
        if isinstance(value, int) and value >= 0:
            return w.ints([min(value, _MOST)])
        name = value if isinstance(value, str) else w.ints([value])
        negative = w.op("Less", name, w.ints([0]))
        return w.op("Where", negative, w.op("Add", name, count), name)

    first = bound(0 if start == LAST else start)
    if point:
        return w.op("Equal", every, first), w.op("Sub", every, every)
    first = w.op("Max", first, w.ints([0])) if isinstance(start, str) or start < 0 else first
    is_after = w.op("Not", w.op("Less", every, first))
    last = w.op("Less", every, bound(end)) if isinstance(end, str) or abs(end) != LAST else None
    hit = is_after if last is None else w.op("And", is_after, last)
    source = w.op("Mul", w.op("Sub", every, first), w.cast(hit, int64))
    return hit, source


@writes("masked_select")
def _(w: OnnxWriter, op: Op) -> Any:
    x, mask = op.inputs
    name, flag = w.name(x), w.as_dtype(mask, bool_)
    if x.spec.shape != mask.spec.shape or UNKNOWN in x.spec.shape:
        name, flag = w.op("Expand", name, w.sizes(mask)), w.op("Expand", flag, w.sizes(x))
        name = w.op("Expand", name, w.op("Shape", flag))
    compute_dtype = w.wider(x.spec.dtype, "bool", "uint8", "int8")
    name = name if compute_dtype is x.spec.dtype else w.cast(name, compute_dtype)
    result = w.op("Compress", w.reshape(name, [-1]), w.reshape(flag, [-1]), axis=0)
    return w.as_dtype(result, x.spec.dtype, op.out.spec.with_dtype(compute_dtype))


@writes("one_hot")
def _(w: OnnxWriter, op: Op) -> Any:
    ids, dtype = op.inputs[0], op.out.spec.dtype
    compute_dtype = dtype if dtype.name in ("float32", "int64", "int32") else float32
    pair = w.const(np.asarray([0, 1], compute_dtype.np))
    rows = w.as_dtype(ids, int64)
    rows = rows if ids.spec.ndim else w.unsqueeze(rows, [0])
    result = w.op("OneHot", rows, w.ints([op.attrs["num_classes"]]), pair, axis=-1)
    result = result if ids.spec.ndim else w.squeeze(result, [0])
    return w.as_dtype(result, dtype, op.out.spec.with_dtype(compute_dtype))


@writes("unique", "unique_values", "unique_counts")
def _(w: OnnxWriter, op: Op) -> Any:
    x = op.inputs[0]
    axis = op.attrs.get("axis")
    compute_dtype = w.wider(x.spec.dtype, "int8") if x.spec.dtype.name != "int32" else int64
    name = w.as_dtype(x, compute_dtype)
    options = {} if axis is None else {"axis": axis % x.spec.ndim}
    results = w.op("Unique", name, outputs=4, sorted=1, **options)
    values = w.as_dtype(results[0], x.spec.dtype, x.spec.with_dtype(compute_dtype))
    further = {"unique": results[1:], "unique_values": [], "unique_counts": results[3:]}[op.name]
    return [values, *(w.as_dtype(r, op.attrs["dtype"], TensorSpec((-1,), int64)) for r in further)]
