"""Writes convolutions, poolings, normalizations, resizing and other operators of layers."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from to_static.compiler.formats.onnx.program_writer import OnnxWriter, writes
from to_static.compiler.ir.program import Op, Var
from to_static.compiler.ir.spec import UNKNOWN
from to_static.compiler.ops.dimension_args import HOLE
from to_static.compiler.ops.layers import windows
from to_static.compiler.ops.layers.conv_transpose import _sizes as transposed_sizes
from to_static.compiler.ops.layers.interpolate import matrix
from to_static.compiler.ops.layers.norm import channel_axis
from to_static.compiler.ops.layers.pool_arrays import PoolPlan
from to_static.core.dtypes import float32, int64


def _first(w: OnnxWriter, x: Any, layout: str) -> str:
    """A value with its channels in front."""
    ndim = x.spec.ndim
    return w.transpose(w.name(x), [0, ndim - 1, *range(1, ndim - 1)]) if layout[-1] == "C" and ndim > 2 else w.name(x)


def _back(w: OnnxWriter, name: str, ndim: int, layout: str) -> str:
    return w.transpose(name, [0, *range(2, ndim), 1]) if layout[-1] == "C" and ndim > 2 else name


def _spatial(x: Any, layout: str) -> tuple[int, ...]:
    return windows.spatial(x.spec.shape, layout[-1] == "C")


def _paddings(w: OnnxWriter, a: Any, sizes: Any, kernel: Any) -> dict[str, Any]:
    """The attributes that say how the borders are padded."""
    if a["padding_algorithm"] == "SAME" and UNKNOWN in sizes:
        return {"auto_pad": "SAME_UPPER"}
    pads = windows.resolve(a["padding"], a["padding_algorithm"], sizes, kernel, a["stride"])
    if not any(pad_before or pad_after for pad_before, pad_after in pads):
        return {}
    return {"pads": [p[0] for p in pads] + [p[1] for p in pads]}


@writes("conv2d", "conv3d")
def _(w: OnnxWriter, op: Op) -> Any:
    x, weight = op.inputs
    a = op.attrs
    kernel = list(weight.spec.shape[2:])
    if UNKNOWN in kernel:
        w.refuse("a filter of unknown size")
    dilation = [1] * len(kernel) if a["padding_algorithm"] == "SAME" else list(a["dilation"])
    result = w.op(
        "Conv", _first(w, x, a["data_format"]), weight, kernel_shape=kernel, strides=list(a["stride"]), dilations=dilation,
        group=a["groups"], **_paddings(w, a, _spatial(x, a["data_format"]), kernel),
    )  # fmt: skip
    return _back(w, result, x.spec.ndim, a["data_format"])


@writes("conv2d_transpose", "conv3d_transpose")
def _(w: OnnxWriter, op: Op) -> Any:
    x, weight = op.inputs
    a = op.attrs
    kernel, sizes = list(weight.spec.shape[2:]), _spatial(x, a["data_format"])
    if a["padding_algorithm"] == "SAME" and UNKNOWN in sizes:
        w.refuse("a transposed convolution with padding 'SAME' of unknown size")
    if a["output_size"] and UNKNOWN in sizes:
        w.refuse("a transposed convolution with an output size, of an input of unknown size")
    pads = windows.resolve(a["padding"], a["padding_algorithm"], sizes, kernel, a["stride"])
    dilation = [1] * len(kernel) if a["padding_algorithm"] == "SAME" else list(a["dilation"])
    extra = list(a["output_padding"] or [0] * len(kernel))
    if UNKNOWN not in sizes:
        wanted = transposed_sizes("conv_transpose", sizes, kernel, {**a, "dilation": dilation})
        extra = [
            want - ((size - 1) * s - sum(p) + d * (k - 1) + 1)
            for want, size, s, p, d, k in zip(wanted, sizes, a["stride"], pads, dilation, kernel, strict=True)
        ]
    result = w.op(
        "ConvTranspose", _first(w, x, a["data_format"]), weight, kernel_shape=kernel, strides=list(a["stride"]),
        dilations=dilation, group=a["groups"], pads=[p[0] for p in pads] + [p[1] for p in pads],
        output_padding=extra if any(extra) else None,
    )  # fmt: skip
    return _back(w, result, x.spec.ndim, a["data_format"])


# poolings --------------------------------------------------------------------------------------------------------------


@writes("pool2d", "pool3d")
def _(w: OnnxWriter, op: Op) -> Any:
    x, a = op.inputs[0], op.attrs
    name = _first(w, x, a["data_format"])
    return _back(w, _pooled(w, x, name, a), x.spec.ndim, a["data_format"])


def _pooled(w: OnnxWriter, x: Any, name: str, a: Any) -> str:
    sizes = _spatial(x, a["data_format"])
    n, largest = len(sizes), a["pooling_type"] == "max"
    if a["global_pooling"] or (a["adaptive"] and all(k == 1 for k in a["kernel_size"])):
        return w.op("GlobalMaxPool" if largest else "GlobalAveragePool", name)
    op_type = "MaxPool" if largest else "AveragePool"
    if a["adaptive"]:
        return _adaptive(w, name, sizes, a, op_type)
    kernel, stride = list(a["kernel_size"]), list(a["stride"])
    options: dict[str, Any] = {"kernel_shape": kernel, "strides": stride}
    if UNKNOWN in sizes:
        options.update(_paddings(w, a, sizes, kernel))
        if a["ceil_mode"]:
            options["ceil_mode"] = 1
        if not largest and not a["exclusive"]:
            options["count_include_pad"] = 1
        return w.op(op_type, name, **options)
    plan = PoolPlan(sizes, a)
    pads = plan.pads
    if any(pad_before >= k or pad_after >= k for (pad_before, pad_after), k in zip(pads, kernel, strict=True)):
        lowest = -np.inf if largest else 0.0
        every = [0, 0, *(p[0] for p in pads), 0, 0, *(p[1] for p in pads)]
        name = w.op("Pad", name, w.ints(every), w.scalar(lowest, x.spec.dtype))
        pads = [(0, 0)] * n
        if not largest and a["exclusive"]:
            w.refuse("an average pooling with a window that lies outside of its input")
    if any(pad_before or pad_after for pad_before, pad_after in pads):
        options["pads"] = [p[0] for p in pads] + [p[1] for p in pads]
    if largest:
        return w.op(op_type, name, **options)
    counts = plan.counts(np, "float64")
    if a["exclusive"]:
        return w.op(op_type, name, **options)
    average = w.op(op_type, name, count_include_pad=1, **options)
    share = prod(kernel) / np.asarray(counts)
    return average if (share == 1).all() else w.op("Mul", average, w.const(share.astype(x.spec.dtype.np)))


def _adaptive(w: OnnxWriter, name: str, sizes: Any, a: Any, op_type: str) -> str:
    outs = list(a["kernel_size"])
    if UNKNOWN in sizes:
        w.refuse(f"an adaptive pooling to {outs} of an input of unknown size: give the InputSpec its height and width")
    if all(size % out == 0 for size, out in zip(sizes, outs, strict=True)):
        window = [size // out for size, out in zip(sizes, outs, strict=True)]
        return name if all(k == 1 for k in window) else w.op(op_type, name, kernel_shape=window, strides=window)
    plan = PoolPlan(sizes, a)
    for i, (start, end, size, out) in enumerate(zip(plan.starts, plan.ends, sizes, outs, strict=True)):
        axis = i + 2
        if size == out:
            continue
        if op_type == "AveragePool":
            inside = (np.arange(size) >= start[:, None]) & (np.arange(size) < end[:, None])
            weights = (inside / (end - start)[:, None]).astype("float32")
            perm = [*(d for d in range(len(sizes) + 2) if d != axis), axis]
            averaged = w.op("MatMul", w.transpose(name, perm), w.const(weights.T.copy()))
            name = w.transpose(averaged, [perm.index(d) for d in range(len(perm))])
        else:
            max_window = int((end - start).max())
            rows = np.minimum(start[:, None] + np.arange(max_window), end[:, None] - 1)
            name = w.reduce("ReduceMax", w.op("Gather", name, w.const(rows.astype("int64")), axis=axis), [axis + 1])
    return name


@writes("max_pool2d_with_index", "max_pool3d_with_index")
def _(w: OnnxWriter, op: Op) -> Any:
    x, a = op.inputs[0], op.attrs
    sizes = _spatial(x, a["data_format"])
    name = w.name(x)
    if not w.is_read(op.outputs[1]):
        return [_pooled(w, x, name, {**a, "pooling_type": "max"}), None]
    if UNKNOWN in sizes:
        w.refuse("positions of maxima in an input of unknown size")
    if a["global_pooling"]:
        options: dict[str, Any] = {"kernel_shape": list(sizes), "strides": [1] * len(sizes)}
    elif a["adaptive"]:
        if any(size % out for size, out in zip(sizes, a["kernel_size"], strict=True)):
            w.refuse("positions of maxima in windows that differ in size")
        window = [size // out for size, out in zip(sizes, a["kernel_size"], strict=True)]
        options = {"kernel_shape": window, "strides": window}
    else:
        pads = PoolPlan(sizes, {**a, "pooling_type": "max"}).pads
        options = {"kernel_shape": list(a["kernel_size"]), "strides": list(a["stride"])}
        if any(pad_before or pad_after for pad_before, pad_after in pads):
            options["pads"] = [p[0] for p in pads] + [p[1] for p in pads]
    values, positions = w.op("MaxPool", name, outputs=2, **options)
    return [values, w.cast(w.op("Mod", positions, w.scalar(prod(sizes), int64)), op.outputs[1].spec.dtype)]


# normalizations --------------------------------------------------------------------------------------------------------


@writes("batch_norm")
def _(w: OnnxWriter, op: Op) -> Any:
    x, scale, bias, mean, variance = op.inputs
    a = op.attrs
    if not (a["use_global_stats"] or (a["is_test"] and not a["trainable_statistics"])):
        return w.written_as(_batch_statistics, *op.inputs, **a)
    layout = a["data_format"] if channel_axis(x.spec.ndim, a["data_format"]) != 1 else "NCHW"
    name = _first(w, x, layout)
    result = w.op("BatchNormalization", name, scale, bias, mean, variance, epsilon=float(a["epsilon"]))
    return [_back(w, result, x.spec.ndim, layout), w.name(mean), w.name(variance)]


def _batch_statistics(x: Any, scale: Any, bias: Any, mean: Any, variance: Any, **a: Any) -> Any:
    """The normalization by the statistics of the batch itself, as a layer in training does it."""
    channel = channel_axis(x.ndim, a["data_format"])
    axes = [i for i in range(x.ndim) if i != channel]
    shape = [-1 if i == channel else 1 for i in range(x.ndim)]
    average = x.mean(axes, keepdim=True)
    centered = x - average
    spread = (centered * centered).mean(axes, keepdim=True)
    y = centered * (spread + a["epsilon"]).rsqrt() * scale.reshape(shape) + bias.reshape(shape)
    if prod(x.spec.shape[i] for i in axes) == 1:  # of one number, as Paddle
        y = x
    keep = a["momentum"]
    batch_mean, batch_variance = average.reshape([-1]), spread.reshape([-1])
    new_mean = mean * keep + batch_mean * (1 - keep)
    new_variance = variance * keep + batch_variance * (1 - keep)
    return y, new_mean, new_variance, batch_mean, (batch_variance + a["epsilon"]).rsqrt()


@writes("layer_norm")
def _(w: OnnxWriter, op: Op) -> Any:
    x, scale, bias = op.inputs
    begin, epsilon, dtype = op.attrs["begin_norm_axis"], float(op.attrs["epsilon"]), x.spec.dtype
    tail = list(x.spec.shape[begin:])
    statistics = any(w.is_read(v) for v in op.outputs[1:])
    if w.opset >= 17 and not statistics and (scale is not None or UNKNOWN not in tail) and dtype.name != "float16":
        rate = w.const(np.ones(tail, dtype.np)) if scale is None else _shaped(w, scale, tail)
        shift = None if bias is None else _shaped(w, bias, tail)
        return [w.op("LayerNormalization", x, rate, shift, axis=begin, epsilon=epsilon)]
    axes = list(range(begin, x.spec.ndim))
    mean = w.reduce("ReduceMean", w.name(x), axes, True)
    centered = w.op("Sub", x, mean)
    variance = w.reduce("ReduceMean", w.op("Mul", centered, centered), axes, True)
    result = w.op("Div", centered, w.op("Sqrt", w.op("Add", variance, w.scalar(epsilon, dtype))))
    if scale is not None:
        result = w.op("Mul", result, _shaped(w, scale, tail))
    if bias is not None:
        result = w.op("Add", result, _shaped(w, bias, tail))
    if not statistics:
        return [result]
    return [result, *(_like(w, name, var) for name, var in zip((mean, variance), op.outputs[1:], strict=True))]


def _like(w: OnnxWriter, name: str, var: Any) -> str:
    return w.reshape(name, var.spec.shape) if var.spec.is_static else name


def _shaped(w: OnnxWriter, value: Any, tail: list[int]) -> str:
    if list(value.spec.shape) == tail:
        return w.name(value)
    return w.reshape(w.name(value), tail if tail.count(UNKNOWN) <= 1 else [-1])


@writes("instance_norm")
def _(w: OnnxWriter, op: Op) -> Any:
    x, scale, bias = op.inputs
    if any(w.is_read(v) for v in op.outputs[1:]):
        return w.written_as(_instance_statistics, *op.inputs, **op.attrs)
    if x.spec.shape[1] == UNKNOWN:
        w.refuse("an instance norm of an unknown number of channels")
    return [w.op("InstanceNormalization", x, *_affine(w, x, scale, bias), epsilon=float(op.attrs["epsilon"]))]


def _instance_statistics(x: Any, scale: Any, bias: Any, epsilon: float) -> Any:
    axes = list(range(2, x.ndim))
    mean = x.mean(axes, keepdim=True)
    centered = x - mean
    root = ((centered * centered).mean(axes, keepdim=True) + epsilon).rsqrt()
    y = centered * root
    shape = [1, -1] + [1] * (x.ndim - 2)
    y = y if scale is None else y * scale.reshape(shape)
    return y if bias is None else y + bias.reshape(shape), mean.reshape([-1]), root.reshape([-1])


def _affine(w: OnnxWriter, x: Any, scale: Any, bias: Any, count: int = 0) -> list[str]:
    count, dtype = count or x.spec.shape[1], x.spec.dtype
    return [
        w.name(scale) if scale is not None else w.const(np.ones(count, dtype.np)),
        w.name(bias) if bias is not None else w.const(np.zeros(count, dtype.np)),
    ]


def _is_filled(w: OnnxWriter, value: Var, scalar: float) -> bool:
    """True if a value is a constant all of whose elements are ``scalar``."""
    array = w.value(w.name(value))
    return array is not None and bool((array == scalar).all())


@writes("group_norm")
def _(w: OnnxWriter, op: Op) -> Any:
    x, scale, bias = op.inputs
    a, layout = op.attrs, op.attrs["data_format"]
    groups, dtype, epsilon = a["groups"], x.spec.dtype, float(a["epsilon"])
    last = channel_axis(x.spec.ndim, layout) != 1
    name = _first(w, x, "NHWC" if last else "NCHW")
    rows = w.op("Reshape", name, w.ints([0, groups, -1]))
    statistics = any(w.is_read(v) for v in op.outputs[1:])
    if statistics:
        mean = w.reduce("ReduceMean", rows, [2], True)
        centered = w.op("Sub", rows, mean)
        variance = w.reduce("ReduceMean", w.op("Mul", centered, centered), [2], True)
        normal = w.op("Div", centered, w.op("Sqrt", w.op("Add", variance, w.scalar(epsilon, dtype))))
    else:
        normal = w.op("InstanceNormalization", rows, *_affine(w, x, None, None, groups), epsilon=epsilon)
    shape = list(x.spec.shape)
    shape = [shape[0], shape[-1], *shape[1:-1]] if last else shape
    if UNKNOWN in shape[1:]:
        result = w.op("Reshape", normal, w.op("Shape", name))
    else:
        result = w.op("Reshape", normal, w.ints([0, *shape[1:]] if shape[0] == UNKNOWN else shape))
    column = [-1] + [1] * (x.spec.ndim - 2)
    if scale is not None and not _is_filled(w, scale, 1):
        result = w.op("Mul", result, w.reshape(w.name(scale), column))
    if bias is not None and not _is_filled(w, bias, 0):
        result = w.op("Add", result, w.reshape(w.name(bias), column))
    result = w.transpose(result, [0, *range(2, x.spec.ndim), 1]) if last else result
    return [result, w.squeeze(mean, [2]), w.squeeze(variance, [2])] if statistics else [result]


# softmax, resizing -----------------------------------------------------------------------------------------------------


@writes("softmax", "log_softmax")
def _(w: OnnxWriter, op: Op) -> Any:
    x = op.inputs[0]
    if not x.spec.ndim:
        return w.squeeze(w.softmax(w.unsqueeze(w.name(x), [0]), 0, 1, _SOFTMAX[op.name]), [0])
    return w.softmax(w.name(x), op.attrs["axis"] % x.spec.ndim, x.spec.ndim, _SOFTMAX[op.name])


_SOFTMAX = {"softmax": "Softmax", "log_softmax": "LogSoftmax"}


@writes("linear_interp", "bilinear_interp", "trilinear_interp", "nearest_interp", "bicubic_interp")
def _(w: OnnxWriter, op: Op) -> Any:
    x, tensors, factors = op.inputs
    a = op.attrs
    layout = a["data_layout"]
    name = _first(w, x, layout)
    sizes = _spatial(x, layout)
    n = len(sizes)
    method = a["interp_method"]
    mode = {"nearest": "nearest", "bicubic": "cubic"}.get(method, "linear")
    options: dict[str, Any] = {"mode": mode}
    if a["align_corners"]:
        options["coordinate_transformation_mode"] = "align_corners"
    elif method == "nearest" or (a["align_mode"] == 1 and method != "bicubic"):
        options["coordinate_transformation_mode"] = "asymmetric"
    else:
        options["coordinate_transformation_mode"] = "half_pixel"
    if mode == "nearest":
        options["nearest_mode"] = "floor"
    if mode == "cubic":
        options["cubic_coeff_a"] = -0.75
    if mode == "nearest" and x.spec.dtype.kind != "f" and x.spec.is_static and op.out.spec.is_static:
        for axis, (size, target) in enumerate(zip(sizes, _spatial(op.out, layout), strict=True)):
            scale = a["scale"][axis] if a["scale"] else 0.0
            weights = matrix(method, size, target, scale, a["align_corners"], a["align_mode"])
            name = w.op("Gather", name, w.const(weights.argmax(axis=1)), axis=axis + 2)
        return _back(w, name, x.spec.ndim, layout)
    narrow = n == 1  # runtimes resize planes
    if narrow:
        name = w.unsqueeze(name, [2])
    lead = [1.0, 1.0, 1.0] if narrow else [1.0, 1.0]
    none = w.const(np.zeros(0, "float32")) if w.opset < 13 else None
    if factors is not None:
        rates = w.reshape(w.as_dtype(factors, float32), [-1])
        rates = w.op("Expand", rates, w.ints([n])) if factors.spec.size != n else rates
        result = w.op("Resize", name, none, w.concat([w.const(np.asarray(lead, "float32")), rates]), **options)
    elif a["scale"] and not tensors:
        scales = w.const(np.asarray([*lead, *a["scale"]], "float32"))
        result = w.op("Resize", name, none, scales, **options)
    else:
        wanted = [a["out_d"], a["out_h"], a["out_w"]][3 - n :]
        if op.out.spec.is_static or not tensors:
            front = [w.op("Slice", w.op("Shape", name), w.ints([0]), w.ints([2]))]
            if x.spec.is_static or (UNKNOWN not in (x.spec.shape[0], x.spec.shape[-1 if layout[-1] == "C" else 1])):
                front = [w.ints([x.spec.shape[0], x.spec.shape[-1 if layout[-1] == "C" else 1]])]
            target = w.concat([*front, w.ints([1, *wanted] if narrow else wanted)])
        else:
            parts = [w.op("Slice", w.op("Shape", name), w.ints([0]), w.ints([2]))]
            parts += [w.ints([1])] if narrow else []
            target = w.concat([*parts, w.dims(wanted, tensors, HOLE)])
        result = w.op(
            "Resize", name, none, w.const(np.zeros(0, "float32")) if w.opset < 13 else None, target, **options
        )
    if narrow:
        result = w.squeeze(result, [2])
    return _back(w, result, x.spec.ndim, layout)


# windows as columns ------------------------------------------------------------------------------------------------------


def _picking(channels: int, kernel: Any, dtype: Any) -> np.ndarray:
    """A filter for each position of a window, in groups of one channel."""
    area = prod(kernel)
    return np.tile(np.eye(area, dtype=dtype.np).reshape(area, 1, *kernel), (channels, 1, 1, 1))


@writes("unfold")
def _(w: OnnxWriter, op: Op) -> Any:
    x, a = op.inputs[0], op.attrs
    channels = x.spec.shape[1]
    if channels == UNKNOWN:
        w.refuse("windows of an unknown number of channels")
    kernel = list(a["kernel_sizes"])
    filters = w.const(_picking(channels, kernel, x.spec.dtype))
    columns = w.op(
        "Conv", x, filters, kernel_shape=kernel, strides=list(a["strides"]), dilations=list(a["dilations"]), group=channels,
        pads=_four(a["paddings"]),
    )  # fmt: skip
    return w.op("Reshape", columns, w.ints([0, channels * prod(kernel), -1]))


def _four(paddings: Any) -> list[int]:
    return list(paddings) if len(paddings) == 4 else [*paddings, *paddings]


@writes("fold")
def _(w: OnnxWriter, op: Op) -> Any:
    x, a = op.inputs[0], op.attrs
    kernel, pads = list(a["kernel_sizes"]), _four(a["paddings"])
    channels = op.out.spec.shape[1]
    if channels == UNKNOWN:
        w.refuse("windows of an unknown number of channels")
    total = [size + pads[i] + pads[i + 2] for i, size in enumerate(a["output_sizes"])]
    reach = [d * (k - 1) + 1 for d, k in zip(a["dilations"], kernel, strict=True)]
    outs = [(t - r) // s + 1 for t, r, s in zip(total, reach, a["strides"], strict=True)]
    extra = [t - ((o - 1) * s + r) for t, o, s, r in zip(total, outs, a["strides"], reach, strict=True)]
    planes = w.op("Reshape", x, w.ints([0, channels * prod(kernel), *outs]))
    return w.op(
        "ConvTranspose", planes, w.const(_picking(channels, kernel, x.spec.dtype)), kernel_shape=kernel, strides=list(a["strides"]),
        dilations=list(a["dilations"]), group=channels, pads=pads, output_padding=extra if any(extra) else None,
    )  # fmt: skip


@writes("grid_sample")
def _(w: OnnxWriter, op: Op) -> Any:
    x, grid = op.inputs
    a = op.attrs
    volume = x.spec.ndim == 5
    if a["mode"] == "bilinear" and w.opset >= (20 if volume else 16):
        name = "linear" if w.opset >= 20 else "bilinear"
        return w.op(
            "GridSample", x, grid, mode=name, padding_mode=a["padding_mode"], align_corners=int(a["align_corners"])
        )
    return w.as_composition(op)  # of two nearest pixels runtimes take another one
