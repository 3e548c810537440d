"""Reads nodes that change shapes or move elements, and nodes that make tensors."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from to_static.compiler.formats.onnx.node_view import NodeView, constant, reads, scalar_like
from to_static.compiler.formats.onnx.tensors import dtype_of
from to_static.compiler.ir.spec import UNKNOWN
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions as F


@reads("Constant")
def _(n: NodeView) -> Any:
    names = ("value", "value_float", "value_int", "value_floats", "value_ints")
    name = next((name for name in names if n.attr(name) is not None), None)
    if name is None:
        n.refuse("a constant of numbers", "another one")
    return constant(np.asarray(n.attr(name), None if name == "value" else "float32" if "float" in name else "int64"))


@reads("ConstantOfShape")
def _(n: NodeView) -> Any:
    value = n.attr("value")
    value = np.zeros(1, "float32") if value is None else value
    return F.full(n.sizes(0), value.reshape(-1)[0].item(), value.dtype.name)


@reads("Shape")
def _(n: NodeView) -> Any:
    x = n.x()
    sizes = F.cast(F.shape(x), "int64")
    start, end = n.integer("start", 0), n.attr("end")
    return sizes if not start and end is None else sizes[slice(start, end)]


@reads("Size")
def _(n: NodeView) -> Any:
    return F.cast(F.numel(n.x()), "int64")


@reads("Reshape")
def _(n: NodeView) -> Any:
    x = n.x()
    sizes = n.sizes(1) if n.opset >= 5 else n.ints("shape")
    if n.flag("allowzero") and any(isinstance(d, int) and d == 0 for d in sizes):
        if UNKNOWN in x.spec.shape or not all(isinstance(d, int) for d in sizes):
            n.refuse("a shape that is known, where 0 stands for itself", "one that is not")
        known_size = prod(d for d in sizes if d > 0)
        return F.full([d if d >= 0 else x.spec.size // max(known_size, 1) for d in sizes], 0, x.dtype)
    return F.reshape(x, sizes)


@reads("Flatten")
def _(n: NodeView) -> Any:
    x = n.x()
    axis = n.integer("axis", 1)
    axis = axis + x.ndim if axis < 0 else axis
    sizes = x.spec.shape
    if axis == 0:
        return F.reshape(x, [1, -1])
    if axis == 1 and x.ndim >= 1:
        if x.spec.is_static:
            return F.reshape(x, [sizes[0], prod(sizes[1:])])
        return F.reshape(x, [0, -1] if UNKNOWN in sizes[1:] else [-1, prod(sizes[1:])])
    if UNKNOWN not in sizes[axis:]:
        return F.reshape(x, [-1 if UNKNOWN in sizes[:axis] or 0 not in sizes else prod(sizes[:axis]), prod(sizes[axis:])])
    return F.reshape(F.flatten(x, 0, axis - 1), [0, -1])


@reads("Transpose")
def _(n: NodeView) -> Any:
    x = n.x()
    return F.transpose(x, n.ints("perm", list(range(x.ndim))[::-1]))


@reads("Squeeze")
def _(n: NodeView) -> Any:
    x = n.x()
    axes = n.integers(1, "axes")
    if axes is None:
        if not x.spec.is_static:
            n.refuse("the axes, of a value of unknown shape", "none")
        axes = [i for i, d in enumerate(x.spec.shape) if d == 1]
    return F.squeeze(x, axes) if axes else x


@reads("Unsqueeze")
def _(n: NodeView) -> Any:
    x = n.x()
    axes = n.integers(1, "axes") or []
    total = x.ndim + len(axes)
    for axis in sorted(a % total for a in axes):
        x = F.unsqueeze(x, axis)
    return x


@reads("Concat")
def _(n: NodeView) -> Any:
    return F.concat(n.all(), n.integer("axis", 1))


@reads("Split")
def _(n: NodeView) -> Any:
    x, count = n.x(), len(n.outputs)
    axis = n.integer("axis", 0) % x.ndim
    sizes = n.integers(1, "split")
    size = x.spec.shape[axis]
    if sizes is None:
        if size == UNKNOWN:
            return list(F.split(x, count, axis))
        each = -(-size // n.integer("num_outputs", count))
        sizes = [max(0, min(each, size - i * each)) for i in range(count)]
    return list(F.split(x, sizes, axis)) if len(sizes) > 1 else [F.assign(x)]


@reads("Expand")
def _(n: NodeView) -> Any:
    x, sizes = n.x(), n.sizes(1)
    if len(sizes) < x.ndim:
        sizes = [1] * (x.ndim - len(sizes)) + sizes
    lead = len(sizes) - x.ndim
    wanted = []
    is_dynamic = False  # whether only a run knows which of both is 1
    for i, size in enumerate(sizes):
        have = x.spec.shape[i - lead] if i >= lead else 1
        fixed = isinstance(size, int)
        is_dynamic = is_dynamic or (not fixed and have != 1) or (have == UNKNOWN and fixed and size != 1)
        wanted.append(-1 if fixed and size == 1 and i >= lead else size)
    if not is_dynamic:
        return F.expand(x, wanted)
    return x * F.full(sizes, 1, x.dtype) if x.dtype.kind != "b" else F.logical_and(x, F.full(sizes, True, "bool"))


@reads("Tile")
def _(n: NodeView) -> Any:
    return F.tile(n.x(), n.sizes(1))


@reads("Slice")
def _(n: NodeView) -> Any:
    x = n.x()
    if n.opset < 10:
        starts, ends = n.ints("starts"), n.ints("ends")
        axes, steps = n.ints("axes", list(range(len(starts)))), [1] * len(starts)
    else:
        starts, ends = n.sizes(1), n.sizes(2)
        axes = [int(a) for a in n.constant_array(3).reshape(-1)] if n.has(3) else list(range(len(starts)))
        steps = [int(s) for s in n.constant_array(4).reshape(-1)] if n.has(4) else [1] * len(starts)
    index: list[Any] = [slice(None)] * x.ndim
    for axis, start, end, step in zip(axes, starts, ends, steps, strict=True):
        size = x.spec.shape[axis]
        first, last = start, end
        if step < 0:  # a stop before the first element is none at all
            if isinstance(end, int) and (end < -size if size != UNKNOWN else end < -(1 << 30)):
                last = None
            if isinstance(first, int) and first >= (size if size != UNKNOWN else 1 << 30):
                first = None
        elif isinstance(end, int) and end >= (1 << 31) - 1:
            last = None
        if step > 0 and isinstance(first, int) and size != UNKNOWN:
            first = max(first, -size)
        index[axis] = slice(first, last, step)
    return x[tuple(index)]


@reads("Pad")
def _(n: NodeView) -> Any:
    x = n.x()
    pads = n.ints("pads") if n.opset < 11 else [int(p) for p in n.constant_array(1).reshape(-1)]
    mode = n.text("mode", "constant")
    axes = [int(a) % x.ndim for a in n.constant_array(3).reshape(-1)] if n.has(3) else list(range(x.ndim))
    every = [(0, 0)] * x.ndim
    for i, axis in enumerate(axes):
        every[axis] = pads[i], pads[i + len(axes)]
    if mode == "constant":
        fill: Any = n.optional(2) if n.opset >= 11 else scalar_like(n.real("value"), x)
        fill = None if fill is None else F.reshape(F.cast(fill, x.dtype), [])
        for axis, (pad_before, pad_after) in enumerate(every):
            size = x.spec.shape[axis]
            if size != UNKNOWN and max(-pad_before, -pad_after) > size:  # more is cut than there is: what is left is filled
                every[axis] = (-size, size + pad_before + pad_after) if pad_before < 0 else (size + pad_before + pad_after, -size)
            x = _cut(x, axis, min(every[axis][0], 0), min(every[axis][1], 0))
        every = [(max(pad_before, 0), max(pad_after, 0)) for pad_before, pad_after in every]
        for axis, (pad_before, pad_after) in enumerate(every):
            parts = [_filled(x, axis, pad_before, fill)] if pad_before else []
            parts += [x]
            parts += [_filled(x, axis, pad_after, fill)] if pad_after else []
            x = F.concat(parts, axis) if len(parts) > 1 else x
        return x
    for axis, (pad_before, pad_after) in enumerate(every):
        if not pad_before and not pad_after:
            continue
        size = x.spec.shape[axis]
        if size == UNKNOWN:
            n.refuse(f"a known size of dimension {axis}, for padding of the kind {mode}", "an unknown one")
        line = np.arange(-pad_before, size + pad_after)
        if mode == "edge":
            line = line.clip(0, size - 1)
        elif mode == "wrap":
            line = line % size
        else:
            turn = max(2 * (size - 1), 1)
            line = np.abs((line + turn * (pad_before + 1)) % turn)
            line = np.where(line >= size, turn - line, line)
        x = F.index_select(x, constant(line), axis)
    return x


def _cut(x: Tensor, axis: int, cut_before: int, cut_after: int) -> Tensor:
    if not cut_before and not cut_after:
        return x
    return x[(slice(None),) * axis + (slice(-cut_before, cut_after or None),)]


def _filled(x: Tensor, axis: int, count: int, fill: Tensor | None) -> Tensor:
    sizes: list[Any] = [d if d != UNKNOWN else F.dim_size(x, i) for i, d in enumerate(x.spec.shape)]
    sizes[axis] = count
    zeros = F.full(sizes, 0, x.dtype)
    if fill is None:
        return zeros  # type: ignore[no-any-return]
    return F.logical_or(zeros, fill) if x.dtype.kind == "b" else zeros + fill  # type: ignore[no-any-return]


@reads("Range")
def _(n: NodeView) -> Any:
    start, limit, delta = n.x(0), n.x(1), n.x(2)
    parts = [n.const(i) for i in range(3)]
    if all(part is not None for part in parts):
        return constant(np.arange(*(part.item() for part in parts)).astype(start.dtype.np))  # type: ignore[union-attr]
    return F.range(*(F.reshape(v, []) for v in (start, limit, delta)))


@reads("EyeLike")
def _(n: NodeView) -> Any:
    x = n.x()
    code = n.attr("dtype")
    dtype = x.dtype.name if code is None else dtype_of(code, n.reader.path)
    if not x.spec.is_static:
        n.refuse("a matrix of known size", str(x.spec))
    return constant(np.eye(x.spec.shape[0], x.spec.shape[1], n.integer("k")).astype(dtype))


@reads("Trilu")
def _(n: NodeView) -> Any:
    x = n.x()
    k = int(n.constant_array(1).reshape(-1)[0]) if n.has(1) else 0
    function = F.triu if n.flag("upper", True) else F.tril
    if x.dtype.kind == "b":
        return F.cast(function(F.cast(x, "int32"), k), "bool")
    return function(x, k)


@reads("DepthToSpace", "SpaceToDepth")
def _(n: NodeView) -> Any:
    x, size = n.x(), n.integer("blocksize")
    _, channels, height, width = x.spec.shape
    lead = -1 if UNKNOWN in (height, width) else 0
    if lead:
        n.refuse("an image of known size", str(x.spec))
    if n.op_type == "SpaceToDepth":
        parts = F.reshape(x, [0, channels, height // size, size, width // size, size])
        order = [0, 1, 3, 5, 2, 4] if n.text("mode", "DCR") == "CRD" else [0, 3, 5, 1, 2, 4]
        return F.reshape(F.transpose(parts, order), [0, channels * size * size, height // size, width // size])
    few = channels // (size * size)
    if n.text("mode", "DCR") == "DCR":
        parts = F.transpose(F.reshape(x, [0, size, size, few, height, width]), [0, 3, 4, 1, 5, 2])
    else:
        parts = F.transpose(F.reshape(x, [0, few, size, size, height, width]), [0, 1, 4, 2, 5, 3])
    return F.reshape(parts, [0, few, height * size, width * size])


@reads("CenterCropPad")
def _(n: NodeView) -> Any:
    x, target = n.x(), [int(v) for v in n.constant_array(1).reshape(-1)]
    axes = [a % x.ndim for a in n.ints("axes", list(range(x.ndim)))]
    for axis, want in zip(axes, target, strict=True):
        have = x.spec.shape[axis]
        if have == UNKNOWN:
            n.refuse("a value of known size", str(x.spec))
        if want < have:
            first = (have - want) // 2
            x = x[(slice(None),) * axis + (slice(first, first + want),)]
        elif want > have:
            count_before = (want - have) // 2
            parts = [_filled(x, axis, count, None) for count in (count_before, want - have - count_before)]
            x = F.concat([parts[0], x, parts[1]], axis)
    return x


@reads("RandomNormal", "RandomUniform", "RandomNormalLike", "RandomUniformLike")
def _(n: NodeView) -> Any:
    code = n.attr("dtype")
    like = n.x() if n.op_type.endswith("Like") else None
    dtype = dtype_of(code, n.reader.path) if code is not None else like.dtype.name if like is not None else "float32"
    shape = n.ints("shape") if like is None else [
        d if d != UNKNOWN else F.dim_size(like, i) for i, d in enumerate(like.spec.shape)
    ]
    if "Normal" in n.op_type:
        return F.gaussian(shape, n.real("mean"), n.real("scale", 1.0), dtype=dtype)
    return F.uniform(shape, dtype, n.real("low"), n.real("high", 1.0))


@reads("Bernoulli")
def _(n: NodeView) -> Any:
    code = n.attr("dtype")
    drawn = F.bernoulli(n.x())
    return drawn if code is None else F.cast(drawn, dtype_of(code, n.reader.path))
