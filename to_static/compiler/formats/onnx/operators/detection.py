"""Writes operators on boxes: non-maximum suppression, and regions of feature maps."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.formats.onnx.program_writer import OnnxWriter, writes
from to_static.compiler.ir.program import Op
from to_static.compiler.ir.spec import TensorSpec
from to_static.core.dtypes import float32, int32, int64

_MOST = (1 << 63) - 1


def _range(w: OnnxWriter, count: str) -> str:
    """0 to a number of elements: ``count`` is int64 [1]."""
    return w.op("Range", w.scalar(0, int64), w.squeeze(count, [0]), w.scalar(1, int64))  # type: ignore[no-any-return]


@writes("nms")
def _(w: OnnxWriter, op: Op) -> Any:
    boxes = op.inputs[0]
    count = w.size(boxes, 0)
    scores = w.unsqueeze(w.op("Neg", w.cast(_range(w, count), float32)), [0, 1])  # the better ones come first
    threshold = w.const(np.asarray([op.attrs["iou_threshold"]], "float32"))
    rows = w.unsqueeze(w.as_dtype(boxes, float32), [0])
    chosen = w.op("NonMaxSuppression", rows, scores, count, threshold)
    return w.op("Gather", chosen, w.scalar(2, int64), axis=1)


@writes("multiclass_nms3")
def _(w: OnnxWriter, op: Op) -> Any:
    boxes, scores, counts = op.inputs
    a = op.attrs
    if counts is not None:
        w.refuse("boxes with their number for each image")
    if boxes.spec.shape[-1] != 4:
        w.refuse("boxes that are no rectangles with four numbers")
    if a["nms_eta"] < 1:
        w.refuse("a threshold that falls with every box (nms_eta)")
    dtype = scores.spec.dtype
    corners = w.as_dtype(boxes, float32)
    if not a["normalized"]:  # pixels: the last one counts as well
        corners = w.op("Add", corners, w.const(np.asarray([0, 0, 1, 1], "float32")))
    table = w.as_dtype(scores, float32)
    lowest = w.scalar(np.finfo("float32").min, float32)
    classes = scores.spec.shape[1]
    if 0 <= a["background_label"] < (classes if classes > 0 else 1 << 30):
        class_index = _range(w, w.size(scores, 1))
        is_background = w.op("Equal", class_index, w.scalar(a["background_label"], int64))
        table = w.op("Where", w.unsqueeze(is_background, [1]), lowest, table)
    top = a["nms_top_k"]
    size = scores.spec.shape[2]
    if top > 0 and not 0 < size <= top:  # only the best ones of a class take part
        amount = w.op("Min", w.ints([top]), w.size(scores, 2)) if size < 0 else w.ints([min(top, size)])
        values, positions = w.op("TopK", table, amount, axis=2, outputs=2)
        nothing = w.op("Expand", lowest, w.op("Shape", table))
        table = w.op("ScatterElements", nothing, positions, values, axis=2)
    limits = [w.ints([_MOST >> 32]), w.const(np.asarray([a["nms_threshold"]], "float32")),
              w.const(np.asarray([a["score_threshold"]], "float32"))]  # fmt: skip
    chosen = w.op("NonMaxSuppression", corners, table, *limits)  # rows of image, class, box
    image = w.op("Gather", chosen, w.scalar(0, int64), axis=1)
    points = w.op("GatherND", table, chosen)
    if a["keep_top_k"] > 0:
        same_image = w.op("Equal", w.unsqueeze(image, [1]), w.unsqueeze(image, [0]))
        row_scores, column_scores = w.unsqueeze(points, [1]), w.unsqueeze(points, [0])
        position = _range(w, w.op("Shape", image))
        earlier = w.op("Less", w.unsqueeze(position, [0]), w.unsqueeze(position, [1]))
        is_better = w.op(
            "Or",
            w.op("Greater", column_scores, row_scores),
            w.op("And", w.op("Equal", column_scores, row_scores), earlier),
        )
        rank = w.reduce("ReduceSum", w.cast(w.op("And", same_image, is_better), int64), [1])
        within_top = w.op("Less", rank, w.scalar(a["keep_top_k"], int64))
        chosen, image, points = (w.op("Compress", name, within_top, axis=0) for name in (chosen, image, points))
    label = w.op("Gather", chosen, w.scalar(1, int64), axis=1)
    box = w.op("Gather", chosen, w.scalar(2, int64), axis=1)
    pairs = w.concat([w.unsqueeze(image, [1]), w.unsqueeze(box, [1])], 1)
    positions = w.op("GatherND", boxes, pairs)
    best = w.as_dtype(points, dtype, TensorSpec((-1,), float32))
    columns = [w.unsqueeze(w.cast(label, dtype), [1]), w.unsqueeze(best, [1]), positions]
    index = w.op("Add", w.op("Mul", image, w.squeeze(w.size(boxes, 1), [0])), box)
    image_index = w.unsqueeze(_range(w, w.size(scores, 0)), [1])
    counted = w.reduce("ReduceSum", w.cast(w.op("Equal", image_index, w.unsqueeze(image, [0])), int64), [1])
    return [w.concat(columns, 1), w.unsqueeze(w.cast(index, int32), [1]), w.cast(counted, int32)]


@writes("roi_align")
def _(w: OnnxWriter, op: Op) -> Any:
    x, boxes, counts = op.inputs
    a = op.attrs
    options: dict[str, Any] = {
        "mode": "avg", "output_height": a["pooled_height"], "output_width": a["pooled_width"],
        "sampling_ratio": max(a["sampling_ratio"], 0), "spatial_scale": float(a["spatial_scale"]),
    }  # fmt: skip
    if a["aligned"]:
        w.need(16, "`roi_align` with aligned=True")
        options["coordinate_transformation_mode"] = "half_pixel"
    elif w.opset >= 16:
        options["coordinate_transformation_mode"] = "output_half_pixel"
    return w.op("RoiAlign", x, boxes, _images(w, w.size(boxes, 0), counts), **options)


def _images(w: OnnxWriter, total: str, counts: Any) -> str:
    """The image of each of so many boxes, int64, from the number of boxes of each image."""
    ends = w.op("CumSum", w.as_dtype(counts, int64), w.scalar(0, int64))
    position = w.unsqueeze(_range(w, total), [1])
    past = w.op("Not", w.op("Less", position, w.unsqueeze(ends, [0])))
    return w.reduce("ReduceSum", w.cast(past, int64), [1])  # type: ignore[no-any-return]


@writes("roi_pool")
def _(w: OnnxWriter, op: Op) -> Any:
    """`MaxRoiPool` takes boxes with their image before the corners; nothing says where the maxima stand."""
    x, boxes, counts = op.inputs
    if w.is_read(op.outputs[1]):
        w.refuse("the positions of the maxima")
    image = w.unsqueeze(w.as_dtype(_images(w, w.size(boxes, 0), counts), x.spec.dtype, TensorSpec((-1,), int64)), [1])
    size = [op.attrs["pooled_height"], op.attrs["pooled_width"]]
    rows = w.concat([image, boxes], 1)
    return [w.op("MaxRoiPool", x, rows, pooled_shape=size, spatial_scale=float(op.attrs["spatial_scale"])), None]


@writes("distribute_fpn_proposals")
def _(w: OnnxWriter, op: Op) -> Any:
    """The level of a box is the logarithm of its size; boxes of a level keep their order, and so are images' boxes together."""
    var, counts = op.inputs
    a, dtype, boxes = op.attrs, var.spec.dtype, w.name(var)
    if counts is not None:  # there may be fewer than boxes
        total = w.reduce("ReduceSum", w.as_dtype(counts, int64), [0], keepdims=True)
        boxes = w.op("Slice", boxes, w.ints([0]), total, w.ints([0]))
    levels = range(a["min_level"], a["max_level"] + 1)
    corners = [w.op("Gather", boxes, w.scalar(i, int64), axis=1) for i in range(4)]
    sides = [w.op("Sub", corners[i + 2], corners[i]) for i in range(2)]
    pixels = [w.op("Add", side, w.scalar(1, dtype)) for side in sides] if a["pixel_offset"] else sides
    area = w.op("Mul", *pixels)
    zero = w.scalar(0, dtype)
    inverted = w.op("Or", *(w.op("Less", side, zero) for side in sides))
    scale = w.op("Sqrt", w.op("Where", inverted, zero, area))
    ratio = w.op("Add", w.op("Div", scale, w.scalar(a["refer_scale"], dtype)), w.scalar(1e-6, dtype))
    octaves = w.op("Floor", w.op("Div", w.op("Log", ratio), w.scalar(np.log(2.0), dtype)))
    height = w.op("Add", octaves, w.scalar(a["refer_level"], dtype))
    level = w.op("Clip", height, w.scalar(levels[0], dtype), w.scalar(levels[-1], dtype))
    at_level = [w.op("Equal", w.cast(level, int64), w.scalar(level_index, int64)) for level_index in levels]
    positions = [w.squeeze(w.op("NonZero", hits), [0]) for hits in at_level]
    parts = [w.op("Gather", boxes, rows, axis=0) for rows in positions]
    order = w.concat(positions, 0)
    restore = w.op("TopK", order, w.op("Shape", order), axis=0, largest=0, outputs=2)[1]
    results = [*parts, w.unsqueeze(w.cast(restore, int32), [1])]
    if counts is not None:
        image = w.unsqueeze(_images(w, total, counts), [0])
        images = counts.spec.shape[0]
        known_indices = np.arange(images)[:, None] if images >= 0 else None
        image_indices = w.unsqueeze(_range(w, w.size(counts, 0)), [1]) if known_indices is None else w.const(known_indices)
        mine = w.op("Equal", image_indices, image)  # [images, boxes]
        each = [w.reduce("ReduceSum", w.cast(w.op("And", mine, w.unsqueeze(hits, [0])), int64), [1]) for hits in at_level]
        results += [w.cast(count, int32) for count in each]
    return results


