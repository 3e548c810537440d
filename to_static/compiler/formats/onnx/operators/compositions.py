"""Operators that ONNX lacks, as compositions of operators that it has."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from to_static.compiler.formats.onnx.program_writer import OnnxWriter, composed, writes
from to_static.compiler.ir import mode
from to_static.compiler.ir.program import Op
from to_static.compiler.ir.registry import REGISTRY
from to_static.compiler.ir.spec import UNKNOWN
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions as F
from to_static.core.dtypes import DType


def _constant(array: np.ndarray) -> Any:
    return mode.current().constant(np.asarray(array))


def _scalar_like(value: float, like: Tensor) -> Any:
    """Return a 0-D constant of the dtype of ``like``."""
    return _constant(np.asarray(value, like.dtype.np))


# losses ------------------------------------------------------------------------------------------------------------------


@composed("bce_loss")
def _(x: Tensor, label: Tensor) -> Any:
    yes, no = F.clip(x.log(), -100.0), F.clip((1 - x).log(), -100.0)
    return -label * yes - (1 - label) * no


@composed("sigmoid_cross_entropy_with_logits")
def _(x: Tensor, label: Tensor, pos_weight: Tensor | None, ignore_index: int, normalize: bool) -> Any:
    tail = F.softplus(-x.abs())
    loss = F.relu(x) - x * label + (tail if pos_weight is None else tail * pos_weight)
    counts = F.cast(F.not_equal(label, ignore_index), x.dtype)
    loss = loss * counts
    return loss / F.clip(counts.sum(), 1.0) if normalize else loss


@composed("logit")
def _(x: Tensor, eps: float) -> Any:
    if eps:
        low, high = F.full_like(x, eps), F.full_like(x, 1 - eps)
        x = F.where(x < low, low, F.where(x > high, high, x))
    return F.asinh((x - 0.5) / F.sqrt(x * (1 - x) + 0.0)) * 2  # (+ 0: -inf for x = -0.0)


@composed("kldiv_loss")
def _(x: Tensor, target: Tensor, reduction: str) -> Any:
    positive = target > 0
    loss = target * (F.where(positive, target, F.ones_like(target)).log() - x) * positive.astype(x.dtype)
    if reduction == "none":
        return loss
    if reduction == "mean":
        return loss.mean()
    total = loss.sum()
    return total / x.shape[0] if reduction == "batchmean" and x.ndim else total


@composed("huber_loss")
def _(x: Tensor, label: Tensor, delta: float) -> Any:
    residual = label - x
    size = residual.abs()
    near = F.minimum(size, _scalar_like(delta, x))
    return near * (size - near * 0.5), residual


@composed("log_loss")
def _(x: Tensor, label: Tensor, epsilon: float) -> Any:
    return -label * (x + epsilon).log() - (1 - label) * (1 - x + epsilon).log()


@composed("label_smooth")
def _(label: Tensor, prior: Tensor | None, epsilon: float) -> Any:
    if prior is None:
        share: Any = 0.0
        if label.ndim:
            size = label.spec.shape[-1]
            classes = F.dim_size(label, label.ndim - 1).astype(label.dtype) if size == UNKNOWN else max(size, 1)
            share = epsilon / classes
        return label * (1 - epsilon) + share
    return label * (1 - epsilon) + prior.reshape([-1] if label.ndim else []) * epsilon


@composed("cross_entropy")
def _(logits: Tensor, label: Tensor, soft_label: bool, ignore_index: int, use_softmax: bool, axis: int) -> Any:
    likely = F.log_softmax(logits, axis) if use_softmax else logits.log()
    if soft_label:
        return -(likely * label.astype(logits.dtype)).sum(axis, keepdim=True)
    safe = F.where(label == ignore_index, F.zeros_like(label), label)
    loss = -F.take_along_axis(likely, safe.astype("int64"), axis)
    return F.where(label == ignore_index, F.zeros_like(loss), loss)


@composed("nll_loss")
def _(x: Tensor, label: Tensor, weight: Tensor | None, ignore_index: int, reduction: str) -> Any:
    ignored = label == ignore_index
    safe = F.where(ignored, F.zeros_like(label), label).astype("int64")
    weights = F.ones_like(label).astype(x.dtype) if weight is None else F.gather(weight, safe.reshape([-1])).reshape(
        [0] * safe.ndim if UNKNOWN in safe.shape else list(safe.shape)
    )
    weights = F.where(ignored, F.zeros_like(weights), weights)
    loss = -F.take_along_axis(x, safe.unsqueeze(1), 1).squeeze(1) * weights
    total = weights.sum()
    if reduction != "none":
        loss = loss.sum()
    if reduction == "mean":
        loss = loss / (total + F.cast(F.equal(total, 0.0), x.dtype))
    return loss, total


@composed("count_labels")
def _(label: Tensor, ignore_index: int, dtype: DType) -> Any:
    return F.maximum(F.cast(F.not_equal(label, ignore_index), "int64").sum(), _constant(np.asarray(1))).astype(dtype)


# elementwise ---------------------------------------------------------------------------------------------------------------


@composed("isclose")
def _(x: Tensor, y: Tensor, relative: float, absolute: float, equal_nan: bool) -> Any:
    near = (x - y).abs() <= y.abs() * relative + absolute
    near = F.logical_or(F.logical_and(near, F.isfinite(y)), x == y)
    if equal_nan:
        near = F.logical_or(near, F.logical_and(F.isnan(x), F.isnan(y)))
    return near


@composed("allclose")
def _(x: Tensor, y: Tensor, **attrs: Any) -> Any:
    return F.all(REGISTRY["isclose"].emit(x, y, **attrs))


@composed("equal_all")
def _(x: Tensor, y: Tensor) -> Any:
    if x.ndim != y.ndim or (UNKNOWN not in (*x.spec.shape, *y.spec.shape) and x.spec.shape != y.spec.shape):
        return _constant(np.asarray(False))
    return F.all(x == y)


@composed("alignment_gradient")
def _(gradient: Tensor, g: Tensor, axis: int) -> Any:
    return gradient * g.reshape([-1 if d == axis else 1 for d in range(gradient.ndim)])


@composed("erfinv")
def _(x: Tensor) -> Any:
    """A start (Giles, 2010), and two steps of Newton's method."""
    w = -((1 - x) * (1 + x)).log()
    near, far = w - 2.5, w.sqrt() - 3.0
    small = _polynomial(near, [2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087, -0.00125372503,
                               -0.00417768164, 0.246640727, 1.50140941])  # fmt: skip
    large = _polynomial(far, [-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773, -0.0076224613,
                              0.00943887047, 1.00167406, 2.83297682])  # fmt: skip
    y = F.where(w < 5.0, small, large) * x
    for _ in range(2):
        step = (F.erf(y) - x) * (y * y).exp() * (np.sqrt(np.pi) / 2)
        y = y - F.where(F.isfinite(step), step, F.zeros_like(step))
    edge = x * np.inf
    return F.where(x.abs() == 1.0, edge, y)


def _polynomial(x: Tensor, coefficients: list[float]) -> Any:
    total = x * 0.0 + coefficients[0]
    for coefficient in coefficients[1:]:
        total = total * x + coefficient
    return total


@composed("renorm")
def _(x: Tensor, p: float, axis: int, max_norm: float) -> Any:
    other_axes = [i for i in range(x.ndim) if i != axis]
    size = F.pow(F.pow(x.abs(), p).sum(other_axes, keepdim=True), 1 / p)
    scale = F.where(size > max_norm, max_norm / (size + 1e-7), F.ones_like(size))
    return x * scale


@composed("maxout")
def _(x: Tensor, groups: int, axis: int) -> Any:
    k = axis % x.ndim
    channels = x.spec.shape[k]
    shape = [0 if i < k else d for i, d in enumerate(x.spec.shape)]
    return x.reshape([*shape[:k], channels // groups, groups, *shape[k + 1 :]]).max(k + 1)


# windows, channels and frames ------------------------------------------------------------------------------------------------


@composed("channel_shuffle")
def _(x: Tensor, groups: int, data_format: str) -> Any:
    if data_format[-1] == "C":
        _, h, w, c = x.spec.shape
        parts = x.reshape([0, h, w, groups, c // groups]).transpose([0, 1, 2, 4, 3])
        return parts.reshape([0, h, w, c])
    _, c, h, w = x.spec.shape
    return x.reshape([0, groups, c // groups, h, w]).transpose([0, 2, 1, 3, 4]).reshape([0, c, h, w])


@composed("pixel_unshuffle")
def _(x: Tensor, downscale_factor: int, data_format: str) -> Any:
    r, last = downscale_factor, data_format[-1] == "C"
    x = x.transpose([0, 3, 1, 2]) if last else x
    _, c, h, w = x.spec.shape
    parts = x.reshape([0, c, h // r, r, w // r, r]).transpose([0, 1, 3, 5, 2, 4]).reshape([0, c * r * r, h // r, w // r])
    return parts.transpose([0, 2, 3, 1]) if last else parts


@composed("frame")
def _(x: Tensor, frame_length: int, hop_length: int, axis: int) -> Any:
    size = x.spec.shape[axis]
    if size == UNKNOWN:
        count = (F.dim_size(x, axis % x.ndim) - frame_length) // hop_length + 1
        first = F.arange(count) * hop_length
    else:
        first = _constant(np.arange((size - frame_length) // hop_length + 1) * hop_length)
    rows = first.unsqueeze(1) + _constant(np.arange(frame_length)).unsqueeze(0)
    if axis == 0:
        return REGISTRY["index"].emit(x, [rows], axes=(0,))
    return REGISTRY["index"].emit(x, [rows.transpose([1, 0])], axes=(x.ndim - 1,))


@composed("overlap_add")
def _(x: Tensor, hop_length: int, axis: int) -> Any:
    return _added(x, hop_length, axis, None)


@composed("frame_grad")
def _(x: Tensor, hop_length: int, axis: int, n: int) -> Any:
    return _added(x, hop_length, axis, n)


def _added(x: Tensor, hop: int, axis: int, size: int | None) -> Any:
    """Frames, each added where it starts: a transposed convolution with a filter for each position of a frame."""
    parts = x.transpose([1, 0, *range(2, x.ndim)]) if axis == 0 else x  # [length, frames, ...] or [..., length, frames]
    lead = parts.spec.shape[2:] if axis == 0 else parts.spec.shape[:-2]
    parts = parts.transpose([*range(2, x.ndim), 0, 1]) if axis == 0 else parts
    length, count = parts.spec.shape[-2:]
    rows = parts.reshape([-1, length, 1, count])
    filters = _constant(np.eye(length, dtype=x.dtype.np).reshape(length, 1, 1, length))
    summed = F.conv2d_transpose(rows, filters, stride=[1, hop]).reshape([*lead, -1])
    if size is not None and count != UNKNOWN:
        more = size - ((count - 1) * hop + length)
        if more > 0:
            summed = F.concat([summed, F.full([*lead, more], 0.0, x.dtype)], -1)
    return summed.transpose([summed.ndim - 1, *range(summed.ndim - 1)]) if axis == 0 else summed


# boxes -----------------------------------------------------------------------------------------------------------------------


@composed("box_coder")
def _(
    prior: Tensor, var: Tensor | None, target: Tensor, code_type: str, box_normalized: bool, axis: int, variance: list[float]
) -> Any:
    less = 0.0 if box_normalized else 1.0

    def centers(boxes: Tensor) -> Any:
        left, top, right, bottom = (boxes[:, i] for i in range(4))
        width, height = right - left + less, bottom - top + less
        return width, height, left + width * 0.5, top + height * 0.5

    width, height, x, y = centers(prior)
    spread = _constant(np.asarray(variance or [1.0] * 4, target.dtype.np)) if var is None else var
    if code_type == "encode_center_size":
        w, h, _, _ = centers(target)
        cx, cy = (target[:, 2] + target[:, 0]) * 0.5, (target[:, 3] + target[:, 1]) * 0.5
        parts = [
            (cx.unsqueeze(1) - x) / width, (cy.unsqueeze(1) - y) / height,
            (w.unsqueeze(1) / width).abs().log(), (h.unsqueeze(1) / height).abs().log(),
        ]  # fmt: skip
        return F.stack(parts, -1) / spread
    at = 0 if axis == 0 else 1
    width, height, x, y = (value.unsqueeze(at) for value in (width, height, x, y))
    code = target * (spread if var is None else spread.unsqueeze(at))
    c = [code[:, :, i] for i in range(4)]
    w, h = c[2].exp() * width, c[3].exp() * height
    cx, cy = c[0] * width + x, c[1] * height + y
    return F.stack([cx - w * 0.5, cy - h * 0.5, cx + w * 0.5 - less, cy + h * 0.5 - less], -1)


@composed("yolo_box")
def _(
    x: Tensor, size: Tensor, anchors: list[int], class_num: int, conf_thresh: float, downsample_ratio: int, clip_bbox: bool,
    scale_x_y: float, iou_aware: bool, iou_aware_factor: float,
) -> Any:  # fmt: skip
    _, _, h, w = x.spec.shape
    count = len(anchors) // 2
    parts = x[:, count:] if iou_aware else x
    if UNKNOWN in (h, w):
        rows, columns = (F.dim_size(x, axis) for axis in (2, 3))
        parts = parts.reshape([0, count, 5 + class_num, rows, columns])
        column, row = F.arange(columns).astype(x.dtype), F.arange(rows).astype(x.dtype).unsqueeze(1)
        across, down = columns.astype(x.dtype), rows.astype(x.dtype)
    else:
        parts = parts.reshape([0, count, 5 + class_num, h, w])
        column, row = _constant(np.arange(w, dtype=x.dtype.np)), _constant(np.arange(h, dtype=x.dtype.np)[:, None])
        across, down = _scalar_like(w, x), _scalar_like(h, x)
    sigmoid = F.sigmoid
    confidence = sigmoid(parts[:, :, 4])
    if iou_aware:
        overlap = x[:, :count]
        confidence = F.pow(confidence, 1 - iou_aware_factor) * F.pow(sigmoid(overlap), iou_aware_factor)
    stays = confidence >= conf_thresh
    sizes = size.astype(x.dtype)
    heights, widths = sizes[:, 0].reshape([-1, 1, 1, 1]), sizes[:, 1].reshape([-1, 1, 1, 1])
    bias = -0.5 * (scale_x_y - 1)
    cx = (column + sigmoid(parts[:, :, 0]) * scale_x_y + bias) * widths / across
    cy = (row + sigmoid(parts[:, :, 1]) * scale_x_y + bias) * heights / down
    spans = np.asarray(anchors, x.dtype.np).reshape(1, count, 2, 1, 1)
    bw = parts[:, :, 2].exp() * _constant(spans[:, :, 0]) * widths / (across * float(downsample_ratio))
    bh = parts[:, :, 3].exp() * _constant(spans[:, :, 1]) * heights / (down * float(downsample_ratio))
    left, top, right, bottom = cx - bw * 0.5, cy - bh * 0.5, cx + bw * 0.5, cy + bh * 0.5
    if clip_bbox:
        left, top = F.clip(left, 0.0), F.clip(top, 0.0)
        right, bottom = F.minimum(right, widths - 1), F.minimum(bottom, heights - 1)
    zero = _scalar_like(0, x)
    boxes = F.where(stays.unsqueeze(-1), F.stack([left, top, right, bottom], -1), zero)
    scores = confidence.unsqueeze(2) * sigmoid(parts[:, :, 5:])
    scores = F.where(stays.unsqueeze(2), scores, zero).transpose([0, 1, 3, 4, 2])
    return boxes.reshape([0, -1, 4]), scores.reshape([0, -1, class_num])


@writes("prior_box", "anchor_generator")
def _(w: OnnxWriter, op: Op) -> Any:
    if any(UNKNOWN in v.spec.shape[2:] for v in op.inputs):
        w.refuse("boxes of a feature map of unknown size: give the InputSpec its height and width")
    maps = [np.broadcast_to(np.zeros((), v.spec.dtype.np), [1, 1, *v.spec.shape[2:]]) for v in op.inputs]
    return [w.const(array) for array in op.opdef.kernel_for("numpy")(np, *maps, **op.attrs)]


@composed("deformable_conv")
def _(
    x: Tensor, offset: Tensor, weight: Tensor, mask: Tensor | None, strides: list[int], paddings: list[int],
    dilations: list[int], groups: int, deformable_groups: int, im2col_step: int,
) -> Any:  # fmt: skip
    """Each point of each window is read between its four neighbours, then the windows are one product."""
    _, channels, height, width = x.spec.shape
    kernel, outs = weight.spec.shape[2:], offset.spec.shape[2:]
    parts, area = deformable_groups, prod(kernel)
    padded = [paddings[0], paddings[1]]
    shifts = offset.reshape([0, parts, area, 2, *outs])
    positions = []
    for k in range(2):
        tap = np.arange(kernel[k]) * dilations[k]
        line = np.arange(outs[k]) * strides[k] - padded[k]
        grid = tap[:, None] + line[None, :]  # [kernel, outs]
        if k == 0:
            base = np.broadcast_to(grid[:, None, :, None], (*kernel, *outs))
        else:
            base = np.broadcast_to(grid[None, :, None, :], (*kernel, *outs))
        positions.append(shifts[:, :, :, k] + _constant(base.reshape(1, 1, area, *outs).astype(x.dtype.np)))
    rows, columns = positions  # [N, parts, area, *outs]
    rows, columns = (position.reshape([0, parts, area * prod(outs)]) for position in (rows, columns))
    flat = x.reshape([0, parts, channels // parts, height * width])
    low_row, low_column = rows.floor(), columns.floor()
    read: Any = None
    for down in (0, 1):
        for right in (0, 1):
            r, c = low_row + float(down), low_column + float(right)
            share = (1 - (rows - r).abs()) * (1 - (columns - c).abs())
            inside = F.logical_and(F.logical_and(r >= 0, r <= height - 1),
                           F.logical_and(c >= 0, c <= width - 1))  # fmt: skip
            at = F.clip(r, 0.0, height - 1.0) * float(width) + F.clip(c, 0.0, width - 1.0)
            at = F.expand(at.astype("int64").unsqueeze(2), [-1, -1, channels // parts, -1])
            value = F.take_along_axis(flat, at, 3) * (share * inside.astype(x.dtype)).unsqueeze(2)
            read = value if read is None else read + value
    columns_read = read.reshape([0, channels, area, prod(outs)])
    if mask is not None:
        weights = mask.reshape([0, parts, 1, area, prod(outs)])
        columns_read = (columns_read.reshape([0, parts, channels // parts, area, prod(outs)]) * weights).reshape(
            [0, channels, area, prod(outs)]
        )
    grouped = columns_read.reshape([0, groups, channels // groups * area, prod(outs)])
    filters = weight.reshape([1, groups, weight.spec.shape[0] // groups, channels // groups * area])
    return F.matmul(filters, grouped).reshape([0, weight.spec.shape[0], *outs])


# sequences of labels -----------------------------------------------------------------------------------------------------------


@composed("gather_tree")
def _(ids: Tensor, parents: Tensor) -> Any:
    steps = ids.spec.shape[0]
    if steps == UNKNOWN:
        raise ValueError("the number of steps must be known")
    paths, beam = [ids[steps - 1]], parents[steps - 1]
    for t in range(steps - 2, -1, -1):
        paths.append(F.take_along_axis(ids[t], beam, 1))
        beam = F.take_along_axis(parents[t], beam, 1)
    return F.stack(paths[::-1], 0)


@composed("bincount")
def _(x: Tensor, weights: Tensor | None, minlength: int) -> Any:
    highest = F.max(F.concat([x.astype("int64"), _constant(np.asarray([minlength - 1]))], 0)) + 1
    hits = x.astype("int64").unsqueeze(0) == F.arange(highest).unsqueeze(1)
    if weights is None:
        return hits.astype("int64").sum(1)
    dtype = "float32" if weights.dtype.name == "float32" else "float64"
    return (hits.astype(dtype) * weights.astype(dtype)).sum(1)


@composed("segment_extreme")
def _(x: Tensor, ids: Tensor, rows: Tensor, largest: bool) -> Any:
    """Each id's rows stay in a table of all rows for each id, in which the others are the worst number."""
    info = np.finfo(x.dtype.np) if x.dtype.kind == "f" else np.iinfo(x.dtype.np)
    worst = _scalar_like(info.min if largest else info.max, x)
    ranks = F.arange(F.reshape(rows, []).astype("int64")).unsqueeze(1)
    hits = ranks == ids.astype("int64").unsqueeze(0)  # [rows, len(x)]
    inner = list(range(2, x.ndim + 1))
    table = F.where(F.unsqueeze(hits, inner) if inner else hits, x.unsqueeze(0), worst)
    reduced = F.max(table, 1) if largest else F.min(table, 1)
    any_row = F.any(hits, 1)
    if inner:
        any_row = F.unsqueeze(any_row, [d - 1 for d in inner])
    return F.where(any_row, reduced, _scalar_like(0, x))


@composed("unique_consecutive")
def _(x: Tensor, axis: int | None, dtype: DType) -> Any:
    """A run begins where an element, or a slice, differs from the one before it."""
    lines = F.moveaxis(x, axis, 0) if axis else x.reshape([-1]) if axis is None and x.ndim != 1 else x
    differs = lines[1:] != lines[:-1]
    if lines.ndim > 1:
        differs = F.any(differs, list(range(1, lines.ndim)))
    first, count = F.full([1], True, "bool"), F.dim_size(lines, 0)
    new = F.concat([first, differs], 0)[:count]  # an empty tensor has no first run
    starts = F.squeeze(F.nonzero(new), [1])
    distinct = F.gather(lines, starts, 0)
    run = F.cumsum(new.astype("int64"), 0) - 1
    counts = F.concat([starts[1:], F.unsqueeze(count, 0)], 0)[: F.dim_size(starts, 0)] - starts
    return F.moveaxis(distinct, 0, axis) if axis else distinct, run.astype(dtype), counts.astype(dtype)


@composed("slogdeterminant")
def _(x: Tensor) -> Any:
    determinant = F.determinant(x)
    return F.stack([F.sign(determinant), determinant.abs().log()], 0)


# quantized ---------------------------------------------------------------------------------------------------------------------


def _largest_integer(bits: int) -> float:
    """Return the largest signed integer of ``bits`` bits, as a float."""
    return float((1 << (bits - 1)) - 1)


def _along(scale: Tensor, x: Tensor, axis: int) -> Any:
    return scale.reshape([] if axis < 0 else [-1 if i == axis else 1 for i in range(x.ndim)])


def _half_even(x: Tensor) -> Any:
    """The nearest whole number, of two the even one."""
    lower = F.floor(x)
    fraction = x - lower
    odd = lower - F.floor(lower * 0.5) * 2
    up = F.logical_or(fraction > 0.5, F.logical_and(F.equal(fraction, 0.5), F.equal(odd, 1.0)))
    return lower + F.cast(up, x.dtype)


def _rounded(x: Tensor, scale: Tensor, bits: int, away: bool) -> Any:
    top = _largest_integer(bits)
    rate = top / F.where(scale <= 1e-6, scale + 1e-6, scale)
    if not away:
        return F.clip(_half_even(x * rate), -top - 1, top)
    scaled = F.minimum(F.maximum(x, -scale), scale) * rate
    lower = F.trunc(scaled)
    return lower + F.trunc((scaled - lower) * 2)


def _with_scale(x: Tensor, scale: Tensor, bits: int, round_type: int, gives_back: bool) -> Any:
    whole_numbers = _rounded(x, scale, bits, round_type == 1)
    return whole_numbers * scale / _largest_integer(bits) if gives_back else whole_numbers


@composed("fake_quantize_abs_max")
def _(x: Tensor, bit_length: int, round_type: int) -> Any:
    scale = x.abs().max().reshape([1])
    return _with_scale(x, scale.reshape([]), bit_length, round_type, False), scale


@composed("fake_quantize_dequantize_abs_max")
def _(x: Tensor, bit_length: int, round_type: int) -> Any:
    scale = x.abs().max().reshape([1])
    return _with_scale(x, scale.reshape([]), bit_length, round_type, True), scale


def _by_channel(x: Tensor, quant_axis: int, bit_length: int, round_type: int, gives_back: bool) -> Any:
    scale = x.abs().max([i for i in range(x.ndim) if i != quant_axis])
    return _with_scale(x, _along(scale, x, quant_axis), bit_length, round_type, gives_back), scale


@composed("fake_channel_wise_quantize_abs_max")
def _(x: Tensor, **attrs: Any) -> Any:
    return _by_channel(x, gives_back=False, **attrs)


@composed("fake_channel_wise_quantize_dequantize_abs_max")
def _(x: Tensor, **attrs: Any) -> Any:
    return _by_channel(x, gives_back=True, **attrs)


def _moving(x: Tensor, scale: Tensor, accum: Tensor | None, state: Tensor | None, gives_back: bool, **attrs: Any) -> Any:
    if attrs["is_test"]:
        new = [scale if part is None else part for part in (scale, state, accum)]
    else:
        new = _averages(x, scale, accum, state, attrs["moving_rate"])
    one = new[0].reshape([]).astype(x.dtype)
    return _with_scale(x, one, attrs["bit_length"], attrs["round_type"], gives_back), *new


def _averages(x: Tensor, scale: Tensor, accum: Tensor | None, state: Tensor | None, rate: float) -> Any:
    size = x.abs().max().reshape([1])
    state = _constant(np.ones(1, x.dtype.np)) if state is None else state * rate + 1
    accum = size if accum is None else accum * rate + size
    return [(accum / state).astype(scale.dtype), state, accum]


@composed("fake_quantize_moving_average_abs_max")
def _(x: Tensor, scale: Tensor, accum: Tensor | None, state: Tensor | None, **attrs: Any) -> Any:
    return _moving(x, scale, accum, state, False, **attrs)


@composed("fake_quantize_dequantize_moving_average_abs_max")
def _(x: Tensor, scale: Tensor, accum: Tensor | None, state: Tensor | None, **attrs: Any) -> Any:
    return _moving(x, scale, accum, state, True, **attrs)


@composed("moving_average_abs_max_scale")
def _(x: Tensor, accum: Tensor | None, state: Tensor | None, scale: Tensor, moving_rate: float, is_test: bool) -> Any:
    if is_test or accum is None or state is None:
        nothing = _constant(np.zeros(1, x.dtype.np))
        return x, *(nothing if part is None else part for part in (scale, state, accum))
    return x, *_averages(x, accum, accum, state, moving_rate)


@writes("quantize_linear")
def _(w: OnnxWriter, op: Op) -> Any:
    x, scale, _ = op.inputs
    a = op.attrs
    if a["only_observer"]:
        return w.name(x)
    if a["bit_length"] == 8 and a["round_type"] == 0 and x.spec.dtype.name == "float32" and (w.opset >= 13 or a["quant_axis"] < 0):
        steps, axis = _steps(w, op, scale)
        rows = w.op("QuantizeLinear", x, steps, w.const(np.zeros(scale.spec.shape if axis else (), "int8")), **axis)
        return w.cast(rows, x.spec.dtype)
    return w.written_as(_quantized, x, scale, **{key: a[key] for key in ("quant_axis", "bit_length", "round_type")})


def _quantized(x: Tensor, scale: Tensor, quant_axis: int, bit_length: int, round_type: int) -> Any:
    return _rounded(x, _along(scale, x, quant_axis).astype(x.dtype), bit_length, round_type == 1)


def _steps(w: OnnxWriter, op: Op, scale: Tensor) -> tuple[str, dict[str, Any]]:
    """The distance between neighbouring numbers, and the axis along which it differs."""
    scale_array = w.value(w.name(scale))
    axis = {"axis": op.attrs["quant_axis"]} if op.attrs["quant_axis"] >= 0 else {}
    top = np.float32(_largest_integer(op.attrs["bit_length"]))
    if scale_array is not None:
        safe = (
            np.where(scale_array <= 1e-6, scale_array + np.float32(1e-6), scale_array)
            if op.name == "quantize_linear"
            else scale_array
        )
        steps = (safe / top).astype("float32")
        return w.const(steps if axis else steps.reshape(())), axis
    name = w.op("Div", scale, w.const(top))
    return name if axis else w.reshape(name, []), axis


@writes("dequantize_linear")
def _(w: OnnxWriter, op: Op) -> Any:
    x, scale, _ = op.inputs
    a = op.attrs
    dtype = scale.spec.dtype
    if a["only_observer"]:
        return w.as_dtype(x, dtype)
    rows = w.name(x)
    source = next((node for scope in w.graph.chain() for node in scope.nodes if node.outputs == (rows,)), None)
    narrow = source is not None and source.op_type == "Cast" and source.inputs[0].startswith("quantizelinear")
    if dtype.name == "float32" and (narrow or x.spec.dtype.name == "int8") and (w.opset >= 13 or a["quant_axis"] < 0):
        steps, axis = _steps(w, op, scale)
        whole_numbers = source.inputs[0] if narrow and source is not None else rows
        zero = w.const(np.zeros(scale.spec.shape if axis else (), "int8"))
        return w.op("DequantizeLinear", whole_numbers, steps, zero, **axis)
    return w.written_as(_dequantized, x, scale, quant_axis=a["quant_axis"], bit_length=a["bit_length"])


def _dequantized(x: Tensor, scale: Tensor, quant_axis: int, bit_length: int) -> Any:
    return x.astype(scale.dtype) * _along(scale, x, quant_axis) / _largest_integer(bit_length)


@composed("temporal_shift")
def _(x: Tensor, seg_num: int, shift_ratio: float, data_format: str) -> Tensor:
    axis = 3 if data_format == "NHWC" else 1
    size = int(x.shape[axis])
    one, two = int(size * shift_ratio), int(size * 2 * shift_ratio)
    frames = x.reshape([-1, seg_num, *x.shape[1:]])
    none = F.zeros_like(frames[:, :1])
    ahead, behind = F.concat([none, frames[:, :-1]], 1), F.concat([frames[:, 1:], none], 1)
    pieces = [(ahead, 0, one), (behind, one, two), (frames, two, size)]
    outer = (slice(None),) * (axis + 1)
    parts = [source[outer + (slice(low, high),)] for source, low, high in pieces if low < high]  # noqa: RUF005
    return F.concat(parts, axis + 1).reshape([-1, *x.shape[1:]])
