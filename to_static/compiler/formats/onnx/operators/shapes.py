"""Writes operators that change shapes or move elements, and operators that make tensors."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from to_static.compiler.formats.onnx.program_writer import OnnxWriter, writes
from to_static.compiler.ir.program import Op
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ops.dimension_args import HOLE
from to_static.compiler.ops.shapes.slice import AT, LAST
from to_static.core.dtypes import float32, int32, int64

_MOST = (1 << 63) - 1


@writes("reshape")
def _(w: OnnxWriter, op: Op) -> Any:
    x, tensors = op.inputs
    shape = list(op.attrs["shape"])
    out = op.out.spec
    if x.spec.is_static and out.is_static:
        return w.name(x) if x.spec.shape == out.shape else w.reshape(w.name(x), _reshape_target(x.spec.shape, out.shape))
    if not tensors and x.spec.ndim == len(shape) and all((a in (0, b) and b != UNKNOWN) or a == 0 for a, b in zip(
        shape, x.spec.shape, strict=True
    )):
        return w.name(x)
    zeros_are_sizes = 0 in shape and any(i >= x.spec.ndim for i, d in enumerate(shape) if d == 0)
    if zeros_are_sizes:
        w.refuse("a dimension of size 0 of which no input dimension is kept")
    free = [i for i, d in enumerate(shape) if d == -1]
    if not free and out.shape.count(UNKNOWN) == 1 and not tensors:
        shape = [d if d != 0 else out.shape[i] if out.shape[i] != UNKNOWN else 0 for i, d in enumerate(shape)]
    return w.op("Reshape", x, w.dims(shape, tensors, HOLE))


def _reshape_target(old_shape: tuple[int, ...], new_shape: tuple[int, ...]) -> list[int]:
    """Return the shape operand of ``Reshape``, where 0 copies the dimension of the input."""
    if 0 in new_shape and any(d == 0 and (i >= len(old_shape) or old_shape[i] != 0) for i, d in enumerate(new_shape)):
        return [-1 if d == 0 and new_shape.count(0) == 1 else d for d in new_shape]
    return list(new_shape)


@writes("reshape_as")
def _(w: OnnxWriter, op: Op) -> Any:
    x, like = op.inputs
    return w.op("Reshape", x, w.sizes(like))


@writes("transpose")
def _(w: OnnxWriter, op: Op) -> Any:
    return w.transpose(w.name(op.inputs[0]), op.attrs["perm"])


@writes("squeeze")
def _(w: OnnxWriter, op: Op) -> Any:
    x = op.inputs[0]
    axes = [a % x.spec.ndim for a in op.attrs["axes"] or range(x.spec.ndim)]  # none stand for all
    return w.squeeze(w.name(x), [a for a in axes if x.spec.shape[a] == 1] if x.spec.ndim != op.out.spec.ndim + len(axes) else axes)


@writes("unsqueeze")
def _(w: OnnxWriter, op: Op) -> Any:
    x = op.inputs[0]
    ndim = x.spec.ndim
    axes: list[int] = []
    for axis in op.attrs["axes"]:  # one after the other
        at = axis + ndim + 1 if axis < 0 else axis
        axes = [a + 1 if a >= at else a for a in axes] + [at]
        ndim += 1
    return w.unsqueeze(w.name(x), sorted(axes))


@writes("concat")
def _(w: OnnxWriter, op: Op) -> Any:
    parts = [v for v in op.inputs[0] if not (v.spec.is_static and v.spec.size == 0 and v.spec.ndim == 1 != op.out.spec.ndim)]
    dtype = op.out.spec.dtype
    return w.concat([w.as_dtype(v, dtype) for v in parts], op.attrs["axis"] % op.out.spec.ndim)


@writes("stack")
def _(w: OnnxWriter, op: Op) -> Any:
    axis = op.attrs["axis"] % op.out.spec.ndim
    return w.concat([w.unsqueeze(w.name(v), [axis]) for v in op.inputs[0]], axis)


@writes("split")
def _(w: OnnxWriter, op: Op) -> Any:
    axis = op.attrs["axis"] % op.inputs[0].spec.ndim
    sizes = [v.spec.shape[axis] for v in op.outputs]
    if UNKNOWN not in sizes:
        return w.split(w.name(op.inputs[0]), sizes, axis)
    wanted = list(op.attrs["sizes"])
    if UNKNOWN not in wanted:
        return w.split(w.name(op.inputs[0]), wanted, axis)
    if wanted.count(UNKNOWN) == len(wanted):
        w.need(18, "a `split` into equal parts of an unknown size")
        return w.op("Split", op.inputs[0], outputs=len(wanted), axis=axis, num_outputs=len(wanted))
    at = wanted.index(UNKNOWN)  # the pieces before it count from the start, those behind it from the end
    ends = list(itertools.accumulate(wanted[:at]))
    results = [w.slice(w.name(op.inputs[0]), axis, end - size, end) for size, end in zip(wanted[:at], ends, strict=True)]
    size_after = sum(wanted[at + 1 :])
    results.append(w.slice(w.name(op.inputs[0]), axis, ends[-1] if ends else 0, -size_after if size_after else _MOST))
    for size in wanted[at + 1 :]:
        results.append(w.slice(w.name(op.inputs[0]), axis, -size_after, size - size_after if size_after > size else _MOST))
        size_after -= size
    return results


@writes("unbind")
def _(w: OnnxWriter, op: Op) -> Any:
    axis = op.attrs["axis"] % op.inputs[0].spec.ndim
    parts = w.split(w.name(op.inputs[0]), [1] * len(op.outputs), axis)
    return [w.squeeze(part, [axis]) for part in parts]


@writes("expand")
def _(w: OnnxWriter, op: Op) -> Any:
    x, tensors = op.inputs
    if x.spec == op.out.spec and x.spec.is_static:
        return w.name(x)
    if x.spec.dtype.name in ("int16",):
        return w.cast(w.op("Expand", w.cast(w.name(x), int32), _target(w, op, tensors)), x.spec.dtype)
    return w.op("Expand", x, _target(w, op, tensors))


def _target(w: OnnxWriter, op: Op, tensors: Any) -> str:
    if op.out.spec.is_static:
        return w.ints(op.out.spec.shape)
    return w.dims([1 if d == -1 else d for d in op.attrs["shape"]], tensors, HOLE)  # a 1 keeps the dimension


@writes("expand_as")
def _(w: OnnxWriter, op: Op) -> Any:
    x, like = op.inputs
    if like is None:
        return w.op("Expand", x, w.ints(op.out.spec.shape))
    return w.op("Expand", x, w.sizes(like))


@writes("broadcast_tensors")
def _(w: OnnxWriter, op: Op) -> Any:
    values = op.inputs[0]
    if op.outputs[0].spec.is_static:
        return [w.op("Expand", v, w.ints(op.outputs[0].spec.shape)) if v.spec != op.out.spec else w.name(v) for v in values]
    results = []
    for v in values:
        name = w.name(v)
        for value in values:
            if value is not v:
                name = w.op("Expand", name, w.sizes(value))
        results.append(name)
    return results


@writes("tile")
def _(w: OnnxWriter, op: Op) -> Any:
    x, tensors = op.inputs
    repeats = list(op.attrs["repeats"])
    missing = x.spec.ndim - len(repeats)
    name = w.name(x)
    if missing > 0:
        repeats = [1] * missing + repeats
    elif missing < 0:
        name = w.unsqueeze(name, list(range(-missing)))
    if all(d == 1 for d in repeats):
        return name
    return w.op("Tile", name, w.dims(repeats, tensors, HOLE))


@writes("flip")
def _(w: OnnxWriter, op: Op) -> Any:
    axes = [a % op.out.spec.ndim for a in op.attrs["axis"]]
    if not axes:
        return w.name(op.inputs[0])
    n = len(axes)
    return w.op("Slice", op.inputs[0], w.ints([-1] * n), w.ints([-_MOST] * n), w.ints(axes), w.ints([-1] * n))


@writes("roll")
def _(w: OnnxWriter, op: Op) -> Any:
    x, shifts, axes = op.inputs[0], op.attrs["shifts"], op.attrs["axis"]
    name = w.name(x)
    if not len(axes):
        name, axes = w.reshape(name, [-1]), [0]
        name = _rolled(w, name, 0, x.spec.size, sum(shifts))
        return w.op("Reshape", name, w.sizes(x))
    for shift, axis in zip(shifts, axes, strict=True):
        axis %= x.spec.ndim
        name = _rolled(w, name, axis, x.spec.shape[axis], shift)
    return name


def _rolled(w: OnnxWriter, name: str, axis: int, size: int, shift: int) -> str:
    if size == 0:
        return name
    if size == UNKNOWN:
        if abs(shift) > 1:
            w.refuse("a `roll` by more than one position along a dimension of unknown size")
    else:
        shift %= size
    if shift == 0:
        return name
    return w.concat([w.slice(name, axis, -shift, _MOST), w.slice(name, axis, 0, -shift)], axis)


@writes("slice")
def _(w: OnnxWriter, op: Op) -> Any:
    x, bounds = op.inputs
    a = op.attrs
    values = iter(bounds)
    name = w.name(x)
    starts: list[Any] = []
    ends: list[Any] = []
    dynamic_points = []
    axes, steps, points = [], [], []
    for axis, start, end, step in zip(a["axes"], a["starts"], a["ends"], a["steps"], strict=True):
        if axis in a["points"] and start == AT:
            value = next(values)
            position = w.as_dtype(value, int64)
            dynamic_points.append((axis, position if value.spec.shape == () else w.reshape(position, [])))
            continue
        first: Any = w.whole_number(next(values)) if start == AT else start
        if axis in a["points"]:
            last: Any = first + 1 if first != -1 else _MOST
            points.append(axis)
        else:
            last = w.whole_number(next(values)) if end == AT else end
            if last == LAST or last == -LAST:
                last = _MOST if step > 0 else -_MOST
            if first == LAST:
                first = _MOST
            if step > 0 and (first, last) == (0, _MOST) and step == 1:
                continue
        axes.append(axis)
        starts.append(first)
        ends.append(last)
        steps.append(step)
    if axes:
        if len(axes) == 1 and not dynamic_points and points and not isinstance(starts[0], str):
            return w.op("Gather", name, w.scalar(starts[0], int64), axis=axes[0])
        inputs = [w.dims([AT if isinstance(b, str) else b for b in part], [], AT) if not any(isinstance(b, str) for b in part)
                  else w.concat([b if isinstance(b, str) else w.ints([b]) for b in part]) for part in (starts, ends)]  # fmt: skip
        needs_cast = x.spec.dtype.name in ("int16",)
        if needs_cast:
            name = w.cast(name, int32)
        name = w.op("Slice", name, *inputs, w.ints(axes), None if all(s == 1 for s in steps) else w.ints(steps))
        if needs_cast:
            name = w.cast(name, x.spec.dtype)
        name = w.squeeze(name, points)
    gone = sorted(points)
    for axis, position in sorted(dynamic_points, reverse=True):
        at = axis - sum(p < axis for p in gone)
        name = w.op("Gather", name, position, axis=at)
    return name


@writes("shape")
def _(w: OnnxWriter, op: Op) -> Any:
    return w.cast(w.sizes(op.inputs[0]), op.out.spec.dtype)


@writes("dim_size")
def _(w: OnnxWriter, op: Op) -> Any:
    size = w.squeeze(w.size(op.inputs[0], op.attrs["axis"]), [0])
    return size if op.out.spec.dtype is int64 else w.cast(size, op.out.spec.dtype)


@writes("numel")
def _(w: OnnxWriter, op: Op) -> Any:
    x = op.inputs[0]
    if x.spec.is_static:
        return w.scalar(x.spec.size, op.out.spec.dtype)
    return w.as_dtype(w.op("Size", x), op.out.spec.dtype, TensorSpec((), int64))


@writes("full")
def _(w: OnnxWriter, op: Op) -> Any:
    dtype, value = op.out.spec.dtype, op.attrs["value"]
    if dtype.kind == "c":
        w.refuse("runtimes do not compute with complex numbers")
    array = np.asarray([value]).astype(dtype.np)
    if op.out.spec.shape == ():
        return w.const(array.reshape(()))
    shape = w.ints(op.out.spec.shape) if op.out.spec.is_static else w.dims(op.attrs["shape"], op.inputs[0], HOLE)
    if op.out.spec.is_static and op.out.spec.size <= 1024:
        return w.const(np.broadcast_to(array, op.out.spec.shape).copy())
    return w.op("ConstantOfShape", shape, value=array)


@writes("full_like")
def _(w: OnnxWriter, op: Op) -> Any:
    dtype = op.out.spec.dtype
    array = np.asarray([op.attrs["value"]]).astype(dtype.np)
    if op.out.spec.is_static and op.out.spec.size <= 1024:
        return w.const(np.full(op.out.spec.shape, array[0]))
    return w.op("ConstantOfShape", w.sizes(op.inputs[0]), value=array)


@writes("eye")
def _(w: OnnxWriter, op: Op) -> Any:
    return w.const(np.eye(*op.out.spec.shape, dtype=op.out.spec.dtype.np))


@writes("arange")
def _(w: OnnxWriter, op: Op) -> Any:
    a = op.attrs
    return w.const(np.arange(a["start"], a["end"], a["step"]).astype(op.out.spec.dtype.np))


@writes("range")
def _(w: OnnxWriter, op: Op) -> Any:
    dtype = op.out.spec.dtype
    compute_dtype = w.wider(dtype, "int16")
    parts = [w.as_dtype(v, compute_dtype) for v in op.inputs]
    parts = [p if v.spec.shape == () else w.reshape(p, []) for p, v in zip(parts, op.inputs, strict=True)]
    result = w.op("Range", *parts)
    return result if compute_dtype is dtype else w.cast(result, dtype)


@writes("linspace")
def _(w: OnnxWriter, op: Op) -> Any:
    dtype, count = op.out.spec.dtype, op.attrs["num"]
    float_dtype = dtype if dtype.kind == "f" else float32
    start, stop = (w.reshape(w.as_dtype(v, float_dtype), [1]) for v in op.inputs)
    if count == 1:
        return w.as_dtype(start, dtype, op.out.spec.with_dtype(float_dtype))
    steps = np.arange(count)
    end_weight = w.const((steps / (count - 1)).astype(float_dtype.np))
    start_weight = w.const((1 - steps / (count - 1)).astype(float_dtype.np))
    result = w.op("Add", w.op("Mul", start, start_weight), w.op("Mul", stop, end_weight))
    return w.as_dtype(result, dtype, op.out.spec.with_dtype(float_dtype))


@writes("tril_triu")
def _(w: OnnxWriter, op: Op) -> Any:
    x, a = op.inputs[0], op.attrs
    dtype = x.spec.dtype
    if UNKNOWN not in x.spec.shape[-2:]:
        keep = np.tri(x.spec.shape[-2], x.spec.shape[-1], a["diagonal"] - (not a["lower"])).astype(bool)
        keep = keep if a["lower"] else ~keep
        compute_dtype = w.wider(dtype, "uint8")
        result = w.op("Where", w.const(keep), w.as_dtype(x, compute_dtype), w.scalar(0, compute_dtype))
        return w.as_dtype(result, dtype, x.spec.with_dtype(compute_dtype))
    w.need(14, f"`{'tril' if a['lower'] else 'triu'}` of a matrix of unknown size")
    compute_dtype = dtype if dtype.name in ("float32", "float64", "int64") else int64 if dtype.kind in "biu" else float32
    result = w.op("Trilu", w.as_dtype(x, compute_dtype), w.scalar(a["diagonal"], int64), upper=int(not a["lower"]))
    return w.as_dtype(result, dtype, x.spec.with_dtype(compute_dtype))


@writes("pad")
def _(w: OnnxWriter, op: Op) -> Any:
    x, pads = op.inputs[0], op.attrs["paddings"]
    return _padded(w, op, list(pads[::2]), list(pads[1::2]), "constant", op.attrs["pad_value"], x)


@writes("pad3d")
def _(w: OnnxWriter, op: Op) -> Any:
    x, a = op.inputs[0], op.attrs
    n = x.spec.ndim - 2
    pads = list(a["paddings"])
    pairs = [(pads[2 * i], pads[2 * i + 1]) for i in range(len(pads) // 2)][::-1]  # the last dimension comes first
    pairs = pairs[-n:]
    all_pairs = [(0, 0), *pairs, (0, 0)] if a["data_format"][-1] == "C" else [(0, 0), (0, 0), *pairs]
    mode = {"constant": "constant", "reflect": "reflect", "replicate": "edge", "circular": "wrap"}[a["mode"]]
    pads_before, pads_after = [p[0] for p in all_pairs], [p[1] for p in all_pairs]
    if mode == "wrap" and (w.opset < 19 or UNKNOWN not in x.spec.shape[1:]):
        name = w.name(x)
        for axis, (low, high) in enumerate(all_pairs):
            size = x.spec.shape[axis]
            if size != UNKNOWN and (low or high):
                name = w.op("Gather", name, w.const(np.arange(-low, size + high) % size), axis=axis)
                continue
            parts = [w.slice(name, axis, -low, _MOST)] if low else []
            parts += [name]
            parts += [w.slice(name, axis, 0, high)] if high else []
            name = w.concat(parts, axis)
        return name
    if mode == "reflect" and any(p < 0 for p in pads_before + pads_after):
        w.refuse("a `reflect` padding that cuts")
    return _padded(w, op, pads_before, pads_after, mode, a["value"], x)


def _padded(w: OnnxWriter, op: Op, pads_before: list[int], pads_after: list[int], mode: str, value: float, x: Any) -> str:
    if not any(pads_before) and not any(pads_after):
        return w.name(x)
    dtype = x.spec.dtype
    pad_dtype = dtype if dtype.name in ("float32", "float64", "int32", "int64") else float32 if dtype.kind == "f" else int32
    fill = w.scalar(value, pad_dtype) if mode == "constant" and value else None
    result = w.op(
        "Pad",
        w.as_dtype(x, pad_dtype),
        w.ints(pads_before + pads_after),
        fill,
        mode=mode if mode != "constant" else None,
    )
    return w.as_dtype(result, dtype, op.out.spec.with_dtype(pad_dtype))


@writes("diag_v2")
def _(w: OnnxWriter, op: Op) -> Any:
    x, k = op.inputs[0], op.attrs["offset"]
    if x.spec.ndim == 1 and x.spec.is_static:
        size = x.spec.shape[0] + abs(k)
        mask = np.eye(size, k=k, dtype=bool)
        compute_dtype = w.wider(x.spec.dtype)
        lined = w.as_dtype(x, compute_dtype)
        if k > 0:
            lined = w.concat([w.const(np.zeros(k, compute_dtype.np)), lined])
        elif k < 0:
            lined = w.concat([lined, w.const(np.zeros(-k, compute_dtype.np))])
        result = w.op("Where", w.const(mask), w.unsqueeze(lined, [0]), w.scalar(op.attrs["padding_value"], compute_dtype))
        return w.as_dtype(result, x.spec.dtype, op.out.spec.with_dtype(compute_dtype))
    if x.spec.ndim == 1:
        w.refuse("a diagonal of unknown length")
    return _diagonal(w, op, k, 0, 1)


@writes("diagonal")
def _(w: OnnxWriter, op: Op) -> Any:
    return _diagonal(w, op, op.attrs["offset"], op.attrs["axis1"], op.attrs["axis2"])


def _diagonal(w: OnnxWriter, op: Op, offset: int, axis1: int, axis2: int) -> str:
    """Write the diagonal of two dimensions as a gather of its elements; it becomes the last dimension."""
    x = op.inputs[0]
    ndim = x.spec.ndim
    axis1, axis2 = axis1 % ndim, axis2 % ndim
    rows, columns = x.spec.shape[axis1], x.spec.shape[axis2]
    if UNKNOWN in (rows, columns):
        w.refuse("a diagonal of unknown length")
    steps = np.arange(max(0, min(rows + min(offset, 0), columns - max(offset, 0))), dtype="int64")
    row, column = steps - min(offset, 0), steps + max(offset, 0)
    perm = [axis1, axis2] + [i for i in range(ndim) if i not in (axis1, axis2)]
    diagonals_first = w.transpose(w.name(x), perm)
    diagonal = w.op("GatherND", diagonals_first, w.const(np.stack([row, column], -1)))
    batch_ndim = ndim - 2
    return w.transpose(diagonal, [*range(1, batch_ndim + 1), 0])


@writes("pixel_shuffle")
def _(w: OnnxWriter, op: Op) -> Any:
    x, r = op.inputs[0], op.attrs["upscale_factor"]
    name = _channels_first(w, x, op.attrs["data_format"])
    upscaled = w.op("DepthToSpace", name, blocksize=r, mode="CRD")
    return w.transpose(upscaled, [0, 2, 3, 1]) if op.attrs["data_format"][-1] == "C" else upscaled


def _channels_first(w: OnnxWriter, x: Any, layout: str) -> str:
    return w.transpose(w.name(x), [0, 3, 1, 2]) if layout[-1] == "C" else w.name(x)


@writes("is_empty")
def _(w: OnnxWriter, op: Op) -> Any:
    return w.op("Equal", w.op("Size", op.inputs[0]), w.scalar(0, int64))

