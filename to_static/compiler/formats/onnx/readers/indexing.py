"""Reads gathers, scatters and other nodes that access elements by position."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.formats.onnx.node_view import NodeView, constant, reads
from to_static.compiler.ir.registry import REGISTRY
from to_static.compiler.ir.spec import UNKNOWN
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions as F


def from_start(x: Tensor, index: Tensor, axis: int) -> Tensor:
    """Positions that count from the start, of positions that may count from the end."""
    size = x.spec.shape[axis] if x.spec.shape[axis] != UNKNOWN else F.dim_size(x, axis)
    index = F.cast(index, "int64")
    return F.where(index < 0, index + size, index)  # type: ignore[no-any-return]


def _index(n: NodeView, i: int, x: Tensor, axis: int) -> Tensor:
    array = n.const(i)
    if array is not None and x.spec.shape[axis] != UNKNOWN:
        return constant(np.where(array < 0, array + x.spec.shape[axis], array).astype("int64"))
    return from_start(x, n.x(i), axis) if array is None or (array < 0).any() else F.cast(n.x(i), "int64")


@reads("Gather")
def _(n: NodeView) -> Any:
    x = n.x()
    axis = n.integer("axis", 0) % x.ndim
    index = _index(n, 1, x, axis)
    if index.ndim == 0:
        return F.squeeze(F.index_select(x, F.reshape(index, [1]), axis), axis)
    return REGISTRY["index"].emit(x, [index], axes=(axis,))


@reads("GatherElements")
def _(n: NodeView) -> Any:
    x = n.x()
    axis = n.integer("axis", 0) % x.ndim
    index = _index(n, 1, x, axis)
    for i, (have, want) in enumerate(zip(x.spec.shape, index.spec.shape, strict=True)):
        if i != axis and want not in (have, UNKNOWN) and have != UNKNOWN:
            x = x[(slice(None),) * i + (slice(0, want),)]
    return F.take_along_axis(x, index, axis, broadcast=False)


@reads("GatherND")
def _(n: NodeView) -> Any:
    x, index, lead = n.x(0), F.cast(n.x(1), "int64"), n.integer("batch_dims")
    count = index.spec.shape[-1]
    if count == UNKNOWN:
        n.refuse("an index of known length", str(index.spec))
    parts = [from_start(x, index[..., k], lead + k) for k in range(count)]
    if not lead:
        return REGISTRY["index"].emit(x, parts, axes=tuple(range(count)))
    ndim = parts[0].ndim
    batch = []
    for axis in range(lead):
        size = x.spec.shape[axis]
        line = F.arange(F.dim_size(x, axis)) if size == UNKNOWN else constant(np.arange(size))
        batch.append(F.reshape(line, [-1 if i == axis else 1 for i in range(ndim)]))
    return REGISTRY["index"].emit(x, [*batch, *parts], axes=tuple(range(lead + count)))


@reads("Scatter", "ScatterElements")
def _(n: NodeView) -> Any:
    x, updates = n.x(0), n.x(2)
    axis = n.integer("axis", 0) % x.ndim
    index = _index(n, 1, x, axis)
    reduction = n.text("reduction", "none")
    reduce = {"none": "assign", "add": "add", "mul": "multiply", "max": "amax", "min": "amin"}.get(reduction)
    if reduce is None:
        n.refuse("a known reduction", reduction)
    return F.put_along_axis(x, index, updates, axis, reduce, broadcast=False)


@reads("ScatterND")
def _(n: NodeView) -> Any:
    x, index, updates = n.x(0), F.cast(n.x(1), "int64"), n.x(2)
    reduction = n.text("reduction", "none")
    count = index.spec.shape[-1]
    if count == UNKNOWN:
        n.refuse("an index of known length", str(index.spec))
    parts = [from_start(x, index[..., k], k) for k in range(count)]
    if reduction in ("none", "add"):
        return REGISTRY["index_put"].emit(x, parts, updates, axes=tuple(range(count)), accumulate=reduction == "add")
    if not x.spec.is_static:
        n.refuse("a value of known shape", str(x.spec))
    sizes = x.spec.shape
    width = int(np.prod(sizes[count:], dtype="int64"))
    position = parts[0] * 0
    for part, size in zip(parts, sizes[:count], strict=True):
        position = position * size + part
    rows = F.reshape(x, [-1, width])
    index_rows = F.expand(F.reshape(position, [-1, 1]), [-1, width])
    reduce = {"mul": "multiply", "max": "amax", "min": "amin"}.get(reduction)
    if reduce is None:
        n.refuse("a known reduction", reduction)
    updated = F.put_along_axis(rows, index_rows, F.reshape(updates, [-1, width]), 0, reduce, broadcast=False)
    return F.reshape(updated, list(sizes))


@reads("Compress")
def _(n: NodeView) -> Any:
    x, condition, axis = n.x(0), n.x(1), n.attr("axis")
    x, axis = (F.reshape(x, [-1]), 0) if axis is None else (x, axis % x.ndim)
    positions = F.reshape(F.nonzero(condition), [-1])
    return F.index_select(x, positions, axis)


@reads("OneHot")
def _(n: NodeView) -> Any:
    ids, pair = n.x(0), n.x(2)
    depth = int(n.constant_array(1).reshape(-1)[0])
    axis = n.integer("axis", -1)
    axis = axis + ids.ndim + 1 if axis < 0 else axis
    whole_ids = F.cast(ids, "int64")
    line = constant(np.arange(depth).reshape([depth if i == axis else 1 for i in range(ids.ndim + 1)]))
    hit = F.equal(F.remainder(F.unsqueeze(whole_ids, axis), constant(np.asarray(depth))), line)
    inside = F.logical_and(whole_ids >= -depth, whole_ids < depth)
    hit = F.logical_and(hit, F.unsqueeze(inside, axis))
    return F.where(hit, pair[1], pair[0])


@reads("ReverseSequence")
def _(n: NodeView) -> Any:
    x, lengths = n.x(0), F.cast(n.x(1), "int64")
    time, batch = n.integer("time_axis", 0), n.integer("batch_axis", 1)
    size = x.spec.shape[time]
    line = F.arange(F.dim_size(x, time)) if size == UNKNOWN else constant(np.arange(size))
    shape = [1] * x.ndim
    positions = F.reshape(line, [-1 if i == time else d for i, d in enumerate(shape)])
    ends = F.reshape(lengths, [-1 if i == batch else d for i, d in enumerate(shape)])
    index = F.where(positions < ends, ends - 1 - positions, positions)
    sizes = [d if d != UNKNOWN else F.dim_size(x, i) for i, d in enumerate(x.spec.shape)]
    return F.take_along_axis(x, F.expand(index, sizes), time, broadcast=False)


@reads("TensorScatter")
def _(n: NodeView) -> Any:
    past, update = n.x(0), n.x(1)
    axis = n.integer("axis", -2) % past.ndim
    size, count = past.spec.shape[axis], update.spec.shape[axis]
    if UNKNOWN in (size, count, past.spec.shape[0]):
        n.refuse("values of known size", str(past.spec))
    batch = past.spec.shape[0]
    first = F.cast(n.x(2), "int64") if n.has(2) else constant(np.zeros(batch, "int64"))
    line = F.reshape(first, [-1, 1]) + constant(np.arange(count)[None])
    line = F.remainder(line, constant(np.asarray(size))) if n.text("mode", "linear") == "circular" else line
    index = F.reshape(line, [batch, *[1] * (axis - 1), count, *[1] * (past.ndim - axis - 1)])
    index = F.expand(index, list(update.spec.shape))
    return F.put_along_axis(past, index, update, axis, "assign", broadcast=False)


@reads("NonMaxSuppression")
def _(n: NodeView) -> Any:
    boxes, scores = n.x(0), n.x(1)
    max_output = n.const(2) if n.has(2) else np.zeros(1, "int64")
    max_boxes: Any = F.reshape(F.cast(n.x(2), "int64"), []) if max_output is None else int(max_output.reshape(-1)[0])
    overlap_threshold = float(n.constant_array(3).reshape(-1)[0]) if n.has(3) else 0.0
    score_threshold = float(n.constant_array(4).reshape(-1)[0]) if n.has(4) else -np.inf
    batches, classes = scores.spec.shape[:2]
    if UNKNOWN in (batches, classes):
        n.refuse("scores of a known number of images and classes", str(scores.spec))
    if n.integer("center_point_box"):
        x, y, w, h = (boxes[:, :, i] for i in range(4))
        boxes = F.stack([x - w * 0.5, y - h * 0.5, x + w * 0.5, y + h * 0.5], -1)
    else:
        a, b, c, d = (boxes[:, :, i] for i in range(4))
        boxes = F.stack([F.minimum(a, c), F.minimum(b, d), F.maximum(a, c), F.maximum(b, d)], -1)
    rows = [constant(np.zeros((0, 3), "int64"))]
    for image in range(batches if max_output is None or max_boxes > 0 else 0):
        for label in range(classes):
            points = scores[image, label]
            order = F.argsort(points, descending=True)
            good = F.reshape(F.nonzero(F.gather(points, order) > score_threshold), [-1])
            order = F.gather(order, good)
            chosen = F.gather(order, F.nms(F.gather(boxes[image], order), overlap_threshold))[:max_boxes]
            lead = F.expand(constant(np.asarray([[image, label]])), [F.dim_size(chosen, 0), 2])
            rows.append(F.concat([lead, F.unsqueeze(chosen, 1)], 1))
    return F.concat(rows, 0)


@reads("RoiAlign")
def _(n: NodeView) -> Any:
    x, boxes, image = n.x(0), n.x(1), F.cast(n.x(2), "int64")
    if n.text("mode", "avg") != "avg":
        n.refuse("RoiAlign of averages", n.text("mode"))
    aligned = n.text("coordinate_transformation_mode", "half_pixel" if n.opset >= 16 else "output_half_pixel") == "half_pixel"
    order, box_counts = _by_image(x, image)
    grids = F.roi_align(
        x, F.gather(boxes, order), box_counts, n.integer("output_height", 1), n.integer("output_width", 1),
        n.real("spatial_scale", 1.0), n.integer("sampling_ratio") or -1, aligned,
    )  # fmt: skip
    return F.index_select(grids, F.argsort(order), 0)


def _by_image(x: Any, image: Any) -> tuple[Any, Any]:
    """The order of boxes in which those of an image stand together, and the number of boxes of each image of ``x``."""
    count = x.spec.shape[0]
    every = constant(np.arange(count)) if count != UNKNOWN else F.arange(F.dim_size(x, 0))
    box_counts = F.sum(F.cast(F.equal(F.unsqueeze(every, 1), F.unsqueeze(image, 0)), "int64"), 1)
    return F.argsort(image), F.cast(box_counts, "int32")


@reads("MaxRoiPool")
def _(n: NodeView) -> Any:
    x, rows = n.x(0), n.x(1)
    order, box_counts = _by_image(x, F.cast(rows[:, 0], "int64"))
    height, width = n.ints("pooled_shape")
    grids, _ = F.roi_pool(x, F.gather(rows[:, 1:], order), box_counts, height, width, n.real("spatial_scale", 1.0))
    return F.index_select(grids, F.argsort(order), 0)
