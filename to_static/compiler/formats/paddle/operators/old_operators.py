"""Readers of PaddlePaddle 1's operators that have another name or other attributes in later versions."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.formats.paddle.operators.call_by_type import call
from to_static.compiler.formats.paddle.operators.op_compat import reads
from to_static.compiler.ir.spec import UNKNOWN
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.random.random import gaussian
from to_static.compiler.ops.shapes.pad import pad
from to_static.core.dtypes import as_dtype

if TYPE_CHECKING:
    from to_static.compiler.formats.paddle.operators.op_reader import OpReader
    from to_static.compiler.ir.tensor import Tensor


def _channels_last(r: OpReader, name: str = "data_layout") -> bool:
    return bool(r.attr(name, "NCHW")[-1] == "C")


# sizes ---------------------------------------------------------------------------------------------------------------


@reads("nearest_interp", "bilinear_interp", "bicubic_interp", "linear_interp", "trilinear_interp")
def _(r: OpReader) -> Any:
    """Sizes come before the scale, which only tells the sizes: rows are picked by the ratio of sizes."""
    x, count = r.input("X"), r.input("X").spec.ndim - 2
    names = ("out_d", "out_h", "out_w")[3 - count :] if count > 1 else ("out_w",)
    inputs: dict[str, Any] = {"X": x}
    attrs = {name: r.attr(name, 0) for name in names}
    scale = r.attr("scale", 0.0)
    if r.has("SizeTensor"):
        inputs["SizeTensor"] = r.inputs("SizeTensor")
    elif r.has("OutSize"):
        inputs["OutSize"] = r.input("OutSize")
    elif r.has("Scale") or scale > 0:
        first = 1 if _channels_last(r) else 2
        factor = F.reshape(r.input("Scale"), []) if r.has("Scale") else scale
        inputs["SizeTensor"] = [_scaled(x, first + i, factor) for i in range(count)]
    attrs |= {"align_corners": r.attr("align_corners", True), "align_mode": r.attr("align_mode", 1)}
    attrs |= {"data_layout": r.attr("data_layout", "NCHW"), "scale": []}
    return call(f"{r.type}_v2", inputs, attrs)


def _scaled(x: Tensor, axis: int, factor: Any) -> Any:
    """A dimension times a factor, without the part behind the point, as a tensor."""
    size = x.spec.shape[axis]
    if size != UNKNOWN and isinstance(factor, float):
        return F.full([1], int(np.float32(size) * np.float32(factor)), "int32")
    length = F.full([], size, "float32") if size != UNKNOWN else F.cast(F.shape(x)[axis], "float32")
    return F.reshape(F.cast(length * factor, "int32"), [1])


@reads("expand")
def _(r: OpReader) -> Any:
    return {"Out": F.tile(r.input("X"), r.integers("expand_times", "ExpandTimes", "expand_times_tensor"))}


@reads("expand_as")
def _(r: OpReader) -> Any:
    """Each dimension as often as it takes to be that of the target."""
    x, target = r.input("X"), r.input("target_tensor") if r.has("target_tensor") else r.input("Y")
    times = [
        b // a if UNKNOWN not in (a, b) else F.shape(target)[i] // F.shape(x)[i]
        for i, (a, b) in enumerate(zip(x.spec.shape, target.spec.shape, strict=True))
    ]
    return {"Out": F.tile(x, times)}


@reads("crop")
def _(r: OpReader) -> Any:
    x = r.input("X")
    shape = list(r.input("Y").spec.shape) if r.has("Y") else r.attr("shape", [])
    return {"Out": F.crop(x, shape, r.integers("offsets", "Offsets") or None)}


@reads("pad2d")
def _(r: OpReader) -> Any:
    top, bottom, left, right = r.integers("paddings", "Paddings") or [0] * 4
    mode = {"edge": "replicate"}.get(r.attr("mode", "constant"), r.attr("mode", "constant"))
    value, layout = r.attr("pad_value", 0.0), r.attr("data_format", "NCHW")
    return {"Out": pad(r.input("X"), [left, right, top, bottom], mode, value, layout)}


@reads("pad_constant_like")
def _(r: OpReader) -> Any:
    """``Y`` with values behind it in each dimension, of the shape of ``X``."""
    x, y = r.input("X"), r.input("Y")
    ends = [(0, a - b) for a, b in zip(x.spec.shape, y.spec.shape, strict=True)]
    return {"Out": F.pad(y, [n for pair in ends for n in pair], r.attr("pad_value", 0.0))}


@reads("space_to_depth")
def _(r: OpReader) -> Any:
    """Blocks of a picture become channels, the place in the block before the channel."""
    x, block = r.input("X"), r.attr("blocksize", 1)
    n, c, h, w = x.spec.shape
    split = F.reshape(x, [n, c, h // block, block, w // block, block])
    return {"Out": F.reshape(F.transpose(split, [0, 3, 5, 1, 2, 4]), [n, c * block * block, h // block, w // block])}


@reads("shuffle_channel")
def _(r: OpReader) -> Any:
    return {"Out": F.channel_shuffle(r.input("X"), r.attr("group", 1))}


@reads("reverse")
def _(r: OpReader) -> Any:
    return {"Out": F.flip(r.input("X"), list(r.attr("axis", [])))}


@reads("view_shape")
def _(r: OpReader) -> Any:
    return {"out": F.reshape(r.input("input"), r.attr("dims", []))}


@reads("partial_concat", "partial_sum")
def _(r: OpReader) -> Any:
    """Some columns of each matrix, side by side or added up."""
    start, length, tensors = r.attr("start_index", 0), r.attr("length", -1), r.inputs("X")
    first = start % tensors[0].spec.shape[1]
    parts = [x[:, first:] if length < 0 else x[:, first : first + length] for x in tensors]
    return {"Out": F.concat(parts, 1) if r.type == "partial_concat" else F.sum(F.stack(parts, 0), 0)}


# values --------------------------------------------------------------------------------------------------------------


@reads("one_hot")
def _(r: OpReader) -> Any:
    """The last dimension, of one number, becomes one of ``depth``."""
    x, depth = r.input("X"), r.integer("depth", -1, "depth_tensor")
    if x.spec.ndim > 1 and x.spec.shape[-1] == 1:
        x = F.squeeze(x, [-1])
    return {"Out": F.cast(F.one_hot(F.cast(x, "int64"), depth), r.dtype("dtype") or "float32")}


@reads("fill_zeros_like2")
def _(r: OpReader) -> Any:
    return {"Out": F.full_like(r.input("X"), 0, r.dtype("dtype"))}


@reads("fill_any")
def _(r: OpReader) -> Any:
    return {"Out": F.full_like(r.input("X"), r.attr("value", 0.0))}


@reads("fill")
def _(r: OpReader) -> Any:
    dtype = r.dtype("dtype") or as_dtype("float32")
    return {"Out": F.constant(np.asarray(r.attr("value", []), "float64").astype(dtype.np).reshape(r.attr("shape", [])))}


@reads("fill_diagonal")
def _(r: OpReader) -> Any:
    x = F.assign(r.input("X"))
    return {"Out": F.fill_diagonal_(x, r.attr("value", 0.0), r.attr("offset", 0), r.attr("wrap", False))}


@reads("uniform_random_batch_size_like", "gaussian_random_batch_size_like")
def _(r: OpReader) -> Any:
    x, shape = r.input("Input"), list(r.attr("shape", []))
    size = x.spec.shape[r.attr("input_dim_idx", 0)]
    shape[r.attr("output_dim_idx", 0)] = F.dim_size(x, r.attr("input_dim_idx", 0)) if size == UNKNOWN else size
    dtype = r.dtype("dtype") or "float32"
    if r.type.startswith("gaussian"):
        return {"Out": gaussian(shape, r.attr("mean", 0.0), r.attr("std", 1.0), dtype=dtype)}
    return {"Out": F.uniform(shape, dtype, r.attr("min", -1.0), r.attr("max", 1.0))}


@reads("isfinite", "isinf", "isnan")
def _(r: OpReader) -> Any:
    """One answer for the tensor: all numbers are finite, or any is infinite or no number."""
    x = r.input("X")
    answer = F.all(F.isfinite(x)) if r.type == "isfinite" else F.any(F.isinf(x) if r.type == "isinf" else F.isnan(x))
    return {"Out": F.reshape(answer, [1])}


@reads("transfer_layout", "memcpy_d2h", "memcpy_h2d", "npu_identity", "print")
def _(r: OpReader) -> Any:
    slot = next(iter(r.ins))
    return {next(iter(r.outs)): F.assign(r.input(slot))}


@reads("share_buffer")
def _(r: OpReader) -> Any:
    return {"Out": [F.assign(x) for x in r.inputs("X")]}


@reads("grad_add")
def _(r: OpReader) -> Any:
    return call("elementwise_add", {"X": r.input("X"), "Y": r.input("Y")}, {"axis": r.attr("axis", -1)})


@reads("minus")
def _(r: OpReader) -> Any:
    return {"Out": r.input("X") - r.input("Y")}


@reads("soft_relu")
def _(r: OpReader) -> Any:
    bound = r.attr("threshold", 40.0)
    return {"Out": F.log1p(F.exp(F.clip(r.input("X"), -bound, bound)))}


# normalization -------------------------------------------------------------------------------------------------------


@reads("affine_channel")
def _(r: OpReader) -> Any:
    x = r.input("X")
    scale_shape = [1] * x.spec.ndim
    scale_shape[-1 if _channels_last(r) else 1] = -1
    return {"Out": x * F.reshape(r.input("Scale"), scale_shape) + F.reshape(r.input("Bias"), scale_shape)}


@reads("norm")
def _(r: OpReader) -> Any:
    x = r.input("X")
    size = F.sqrt(F.sum(x * x, r.attr("axis", -1), keepdim=True) + r.attr("epsilon", 1e-10))
    return {"Out": x / size, "Norm": size}


@reads("lrn")
def _(r: OpReader) -> Any:
    """Divided by a power of the sum of squares of ``n`` channels around each."""
    x, count = r.input("X"), r.attr("n", 5)
    last = _channels_last(r, "data_format")
    x = F.transpose(x, [0, 3, 1, 2]) if last else x
    count_before = (count - 1) // 2
    squares = F.pad(x * x, [0, 0, count_before, count - 1 - count_before, 0, 0, 0, 0])
    channels = x.spec.shape[1]
    total = squares[:, :channels]
    for i in range(1, count):
        if abs(i - count_before) < channels:  # others are zeros of the padding
            total = total + squares[:, i : i + channels]
    middle = total * r.attr("alpha", 1e-4) + r.attr("k", 2.0)
    out = x * F.pow(middle, -r.attr("beta", 0.75))
    back = [0, 2, 3, 1]
    return {"Out": F.transpose(out, back) if last else out, "MidOut": F.transpose(middle, back) if last else middle}


@reads("data_norm")
def _(r: OpReader) -> Any:
    """Normalized by sums that training has gathered."""
    x, size = r.input("X"), r.input("BatchSize")
    means, scales = r.input("BatchSum") / size, F.sqrt(size / r.input("BatchSquareSum"))
    if r.attr("slot_dim", -1) > 0:
        r.refuse("slots whose first number tells whether they are shown")
    out = (x - means) * scales
    if r.attr("enable_scale_and_shift", False):
        out = out * r.input("scale_w") + r.input("bias")
    return {"Y": out, "Means": means, "Scales": scales}


@reads("add_position_encoding")
def _(r: OpReader) -> Any:
    """Plus sines in the first half of the features, cosines in the second; ``X``: [N, time, features]."""
    x = r.input("X")
    if x.spec.ndim != 3:
        r.refuse("rows of sequences")
    channel_count = x.spec.shape[2] // 2
    steps = F.cast(F.arange(0, F.shape(x)[1] if x.spec.shape[1] == UNKNOWN else x.spec.shape[1], 1, "int64"), "float32")
    rates = np.asarray([10000.0]) if channel_count == 1 else np.asarray(10000.0) ** (np.arange(channel_count) / (channel_count - 1))
    angles = F.unsqueeze(steps, 1) / F.constant(rates.astype("float32"))
    waves = F.concat([F.sin(angles), F.cos(angles)], 1)
    return {"Out": x * r.attr("alpha", 1.0) + F.cast(waves, x.dtype) * r.attr("beta", 1.0)}


@reads("cvm")
def _(r: OpReader) -> Any:
    """Logarithms of how often something was shown and clicked, which are the first two columns, or without these."""
    x = r.input("X")
    if not r.attr("use_cvm", True):
        return {"Y": x[:, 2:]}
    log_counts = F.log(x[:, 0:1] + 1)
    return {"Y": F.concat([log_counts, F.log(x[:, 1:2] + 1) - log_counts, x[:, 2:]], 1)}


@reads("fsp")
def _(r: OpReader) -> Any:
    x, y = r.input("X"), r.input("Y")
    n, c, h, w = x.spec.shape
    flat_x, flat_y = F.reshape(x, [n, c, -1]), F.reshape(y, [n, y.spec.shape[1], -1])
    return {"Out": F.matmul(flat_x, flat_y, False, True) / float(h * w)}


@reads("spp")
def _(r: OpReader) -> Any:
    """Pooled to 1, 2, 4, ... bins in each direction, side by side."""
    x, parts = r.input("X"), []
    h, w = x.spec.shape[2:]
    for level in range(r.attr("pyramid_height", 1)):
        bins = 2**level
        kernel = [math.ceil(h / bins), math.ceil(w / bins)]
        paddings = [(k * bins - size + 1) // 2 for k, size in zip(kernel, (h, w), strict=True)]
        attrs = {"pooling_type": r.attr("pooling_type", "max"), "ksize": kernel, "strides": kernel, "paddings": paddings}
        parts.append(F.flatten(call("pool2d", {"X": x}, attrs)["Out"], 1))
    return {"Out": F.concat(parts, 1)}


# losses --------------------------------------------------------------------------------------------------------------


@reads("squared_l2_norm", "l1_norm")
def _(r: OpReader) -> Any:
    x = r.input("X")
    return {"Out": F.reshape(F.sum(x * x), [1]) if r.type == "squared_l2_norm" else F.sum(F.abs(x))}


@reads("hinge_loss")
def _(r: OpReader) -> Any:
    return {"Loss": F.relu(1 - (r.input("Labels") * 2 - 1) * r.input("Logits"))}


@reads("modified_huber_loss")
def _(r: OpReader) -> Any:
    margin = r.input("X") * (r.input("Y") * 2 - 1)
    inner = F.where(margin < 1, F.square(1 - margin), F.full_like(margin, 0))
    return {"IntermediateVal": margin, "Out": F.where(margin < -1, margin * -4, inner)}


@reads("rank_loss")
def _(r: OpReader) -> Any:
    more = r.input("Left") - r.input("Right")
    return {"Out": F.log1p(F.exp(more)) - r.input("Label") * more}


@reads("margin_rank_loss")
def _(r: OpReader) -> Any:
    loss = F.relu(-r.input("Label") * (r.input("X1") - r.input("X2")) + r.attr("margin", 0.0))
    return {"Out": loss, "Activated": F.cast(loss > 0, loss.dtype)}


@reads("bpr_loss")
def _(r: OpReader) -> Any:
    """The mean of ``log(1 + exp(x[j] - x[label]))`` over the other classes."""
    x, label = r.input("X"), F.reshape(F.cast(r.input("Label"), "int64"), [-1, 1])
    label_loss = F.take_along_axis(x, label, 1)
    losses = F.log1p(F.exp(x - label_loss))
    other_losses = F.sum(losses, 1, keepdim=True) - F.take_along_axis(losses, label, 1)
    return {"Y": other_losses / float(x.spec.shape[1] - 1)}


@reads("cross_entropy", "cross_entropy2")
def _(r: OpReader) -> Any:
    """Of probabilities, not logits; the last dimension becomes one of 1."""
    x, label = r.input("X"), r.input("Label")
    if r.attr("soft_label", False):
        return {"Y": -F.sum(label * F.log(x), -1, keepdim=True)}
    rows = F.cast(label if label.spec.ndim == x.spec.ndim else F.unsqueeze(label, -1), "int64")
    ignored = rows == r.attr("ignore_index", -100)
    chosen = F.take_along_axis(x, F.where(ignored, F.full_like(rows, 0), rows), x.spec.ndim - 1)
    loss = F.where(ignored, F.full_like(chosen, 0), -F.log(chosen))
    return {"Y": loss, "MatchX": chosen}


@reads("smooth_l1_loss")
def _(r: OpReader) -> Any:
    """Smooth L1 loss, summed over each row. ``InsideWeight`` scales the difference, ``OutsideWeight`` the loss."""
    x, sigma_squared = r.input("X"), r.attr("sigma", 1.0) ** 2
    far = x - r.input("Y")
    far = far * r.input("InsideWeight") if r.has("InsideWeight") else far
    size = F.abs(far)
    loss = F.where(size < 1 / sigma_squared, F.square(far) * (0.5 * sigma_squared), size - 0.5 / sigma_squared)
    loss = loss * r.input("OutsideWeight") if r.has("OutsideWeight") else loss
    return {"Diff": far, "Out": F.sum(F.flatten(loss, 1), 1, keepdim=True)}


@reads("cos_sim")
def _(r: OpReader) -> Any:
    x, y = r.input("X"), r.input("Y")
    lengths = [F.sqrt(F.sum(F.square(v), -1, keepdim=True)) for v in (x, y)]
    return {"Out": F.sum(x * y, -1, keepdim=True) / lengths[0] / lengths[1], "XNorm": lengths[0], "YNorm": lengths[1]}


@reads("squared_l2_distance")
def _(r: OpReader) -> Any:
    far = r.input("X") - r.input("Y")
    return {"sub_result": far, "Out": F.sum(F.square(far), -1, keepdim=True)}


@reads("sampling_id")
def _(r: OpReader) -> Any:
    return {"Out": F.reshape(F.multinomial(r.input("X"), 1), [-1])}
