"""`packed_conv`: convolutions in plans, with a layout, packed weights, and bias, sum and activation applied to blocks in the cache.

Passes replace `conv2d` by this operator; files and public functions do not contain it. ``layout``: 'NHWC', or 'CHWN' (images last).
``method`` is the packing of the weights (`pack_filter`) and the algorithm. 'columns' copies windows and multiplies once.
'pooled2x2' orders the windows by pooling windows, and returns their maxima (`pooled_steps`). 'patches2x2' does the same, and copies
the input of a pooling window once. 'winograd2' and 'winograd4': see `winograd`; with these and 'patches2x2', infinite numbers give
NaN around them. 'depthwise8' computes each channel separately, with weights for 8 columns at a time. Weights of groups are packed
as slices of channels, which 'columns' and 'winograd' multiply one by one. The order of sums differs from that of `conv2d`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import Prepared, Sample, op
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import dtype_checks
from to_static.compiler.ops.fused import packed_steps, pooled_steps
from to_static.compiler.ops.layers import conv_arrays, winograd
from to_static.core.array_types import Array, ArrayModule
from to_static.core.dtypes import as_dtype

SPATIAL = {"NHWC": (1, 2), "CHWN": (1, 2)}
TO_FIRST = {"NHWC": (0, 3, 1, 2), "CHWN": (3, 0, 1, 2)}  # the transposition to NCHW
FROM_FIRST = {"NHWC": (0, 2, 3, 1), "CHWN": (1, 2, 3, 0)}
ACTIVATIONS = ("", "relu", "relu6", "hardswish")
POOLED = ("pooled", "patches")  # methods that give the maxima of pools


@op("pack_filter(W, Rate? -> P) layout method groups:int slices:int", file=None, traits="nodiff")
def pack_filter(w: Any, rate: Any, layout: str, method: str, groups: int, slices: int) -> Any:
    """Weights ``(M, C / groups, kh, kw)``, times ``rate`` ``(M, 1, 1, 1)`` (or None), as `packed_conv` wants them.

    ``slices``: groups are joined, with zeros between them, until there are so many (infinite numbers give NaN in the others then).
    With 'depthwise' every channel is a group and stays one.
    """
    return pack_filter.emit(w, rate, layout=layout, method=method, groups=groups, slices=slices)


@pack_filter.infer
def _(w: TensorSpec, rate: Any, layout: str, method: str, groups: int, slices: int) -> TensorSpec:
    count, channels, rows, columns = w.shape
    if channels != UNKNOWN:
        channels *= groups // slices
    if method.startswith("depthwise"):
        return w.with_shape((rows, columns, UNKNOWN if count == UNKNOWN else int(method[len("depthwise") :]) * count))
    if method.startswith("winograd"):
        return w.with_shape(((int(method[-1]) + 2) ** 2, channels, count))
    if method.startswith("patches"):
        high, broad = pool_of(method)
        window_count = UNKNOWN if UNKNOWN in w.shape[1:] else (rows + high - 1) * (columns + broad - 1) * channels
        return w.with_shape((window_count, UNKNOWN if count == UNKNOWN else high * broad * count))
    size = channels * rows * columns
    return w.with_shape((size, count) if layout == "NHWC" else (count, size))


def _joined(xp: ArrayModule, w: Array, groups: int, slices: int) -> Array:
    """Weights of ``slices`` groups that do what those of ``groups`` do."""
    (count, channels, *kernel), joined = w.shape, groups // slices
    joined_weight = xp.zeros((slices, joined, count // groups, joined, channels, *kernel), w.dtype)
    for i in range(joined):
        joined_weight[:, i, :, i] = w.reshape(slices, joined, count // groups, channels, *kernel)[:, i]
    return joined_weight.reshape(count, joined * channels, *kernel)


@pack_filter.kernel
def _(xp: ArrayModule, w: Any, rate: Any, layout: str, method: str, groups: int, slices: int) -> Any:
    on_the_way = groups == slices and (method.startswith("winograd") or (method == "columns" and layout == "NHWC"))
    if rate is not None and not on_the_way:  # (there the scaled weights need no memory of their own)
        w, rate = w * rate, None
    if method.startswith("depthwise"):
        return xp.ascontiguousarray(xp.tile(w[:, 0].transpose(1, 2, 0), (1, 1, int(method[len("depthwise") :]))))
    if groups > slices:
        w = _joined(xp, w, groups, slices)
    if method.startswith("winograd"):
        return winograd.pack(xp, w, int(method[-1]), rate)
    if method.startswith("patches"):
        (high, broad), (count, channels, rows, columns) = pool_of(method), w.shape
        packed = xp.zeros((rows + high - 1, columns + broad - 1, channels, high, broad, count), w.dtype)
        for i in range(high):
            for j in range(broad):
                packed[i : i + rows, j : j + columns, :, i, j] = w.transpose(2, 3, 1, 0)
        return packed.reshape(-1, high * broad * count)
    if layout == "CHWN":
        return w.reshape(w.shape[0], -1).copy()
    return winograd.filters_last(xp, w, rate).reshape(-1, w.shape[0])


def slices_of(channels: int, p: Array, layout: str, method: str, kernel: Sequence[int]) -> int:
    """Of how many groups packed weights are, for an image of so many channels."""
    if method.startswith("depthwise"):
        return channels
    if method.startswith("patches") or layout == "CHWN":
        return 1
    return channels // (p.shape[1] if method.startswith("winograd") else p.shape[0] // prod(kernel))


def unpacked(xp: ArrayModule, p: Array, layout: str, method: str, channels: int, kernel: Sequence[int]) -> Array:
    """The inverse of `pack_filter` (with the joined groups in one); ``channels``: of the image."""
    channels //= 1 if method.startswith("depthwise") else slices_of(channels, p, layout, method, kernel)
    if method.startswith("depthwise"):
        return p[..., :channels].transpose(2, 0, 1)[:, None]
    if method.startswith("winograd"):
        return winograd.unpack(xp, p, int(method[-1]))
    if method.startswith("patches"):
        high, broad = pool_of(method)
        first = p[:, : p.shape[1] // (high * broad)].reshape(kernel[0] + high - 1, kernel[1] + broad - 1, channels, -1)
        return first[: kernel[0], : kernel[1]].transpose(3, 2, 0, 1)
    if layout == "CHWN":
        return p.reshape(p.shape[0], channels, *kernel)
    return p.reshape(*kernel, channels, -1).transpose(3, 2, 0, 1)


@op(
    "packed_conv(X, W, Bias?, Add? -> Y) kernel:ints stride:ints pads:ints dilation:ints layout method act",
    file=None, traits="nodiff",
)  # fmt: skip
def packed_conv(
    x: Tensor,
    w: Any,
    bias: Any,
    add: Any,
    kernel: Any,
    stride: Any,
    pads: Any,
    dilation: Any,
    layout: str,
    method: str,
    act: str,
) -> Any:
    """``act(conv(x, w) + bias + add)``: ``bias`` has one number per channel (with channels last perhaps several times, for as many
    columns), ``add`` the result's shape (or they are None).

    ``pads``: zeros above, below, left and right.
    """
    attrs = {"kernel": kernel, "stride": stride, "pads": pads, "dilation": dilation, "layout": layout, "method": method, "act": act}
    return packed_conv.emit(x, w, bias, add, **attrs)


def out_sizes(
    x: TensorSpec, kernel: Sequence[int], stride: Sequence[int], pads: Sequence[int], dilation: Sequence[int]
) -> list[int]:
    """Rows and columns of the result."""
    sizes = zip(x.shape[1:3], kernel, stride, dilation, (pads[:2], pads[2:]), strict=True)
    return [UNKNOWN if i == UNKNOWN else (i + sum(p) - d * (k - 1) - 1) // s + 1 for i, k, s, d, p in sizes]


def pool_of(method: str) -> tuple[int, int]:
    """Rows and columns of the pools of which a method gives the maxima."""
    if not method.startswith(POOLED):
        return 1, 1
    rows, columns = method[len("pooled") if method.startswith("pooled") else len("patches") :].split("x")
    return int(rows), int(columns)


def _pooled_sizes(outs: list[int], method: str) -> list[int]:
    return [UNKNOWN if o == UNKNOWN else o // p for o, p in zip(outs, pool_of(method), strict=True)]


@packed_conv.infer
def _(
    x: TensorSpec,
    w: TensorSpec,
    bias: TensorSpec | None,
    add: TensorSpec | None,
    kernel: Any,
    stride: Any,
    pads: Any,
    dilation: Any,
    layout: str,
    method: str,
    act: str,
) -> TensorSpec:
    dtype_checks.need_float(x, "packed_conv")
    outs = _pooled_sizes(out_sizes(x, kernel, stride, pads, dilation), method)
    if layout == "CHWN":
        return x.with_shape((w.shape[0], *outs, x.shape[3]))
    if method.startswith("patches"):
        return x.with_shape((x.shape[0], *outs, UNKNOWN if w.shape[1] == UNKNOWN else w.shape[1] // prod(pool_of(method))))
    return x.with_shape((x.shape[0], *outs, x.shape[3] if method.startswith("depthwise") else w.shape[-1]))


@packed_conv.kernel
def _(
    xp: ArrayModule,
    x: Any,
    w: Any,
    bias: Array | None,
    add: Array | None,
    kernel: Any,
    stride: Any,
    pads: Any,
    dilation: Any,
    layout: str,
    method: str,
    act: str,
) -> Any:
    """The plain convolution with the weights unpacked: what the steps of `packed_steps` are compared with."""
    x = x.transpose(TO_FIRST[layout])
    groups = slices_of(x.shape[1], w, layout, method, kernel)
    weight = xp.ascontiguousarray(unpacked(xp, w, layout, method, x.shape[1], kernel))
    y = conv_arrays.forward(xp, xp.ascontiguousarray(x), weight, stride, pads, "EXPLICIT", dilation, groups, "NCHW")
    y = xp.ascontiguousarray(y.transpose(FROM_FIRST[layout]))
    if method.startswith(POOLED):
        (rows, columns), (n, height, width, m) = pool_of(method), y.shape
        height, width = height // rows, width // columns
        y = y[:, : height * rows, : width * columns].reshape(n, height, rows, width, columns, m).max((2, 4))
    if bias is not None:
        y = y + (bias.reshape(-1, 1, 1, 1) if layout == "CHWN" else bias[: y.shape[-1]])
    if add is not None:
        y = y + add
    zero, six = y.dtype.type(0), y.dtype.type(6)
    if act == "relu":
        y = xp.maximum(y, zero)
    elif act == "relu6":
        y = xp.minimum(xp.maximum(y, zero), six)
    elif act == "hardswish":
        y = y * xp.minimum(xp.maximum(y + y.dtype.type(3), zero), six) / six
    return y


@packed_conv.prepare
def _(specs: Any, **attrs: Any) -> Prepared:
    x, w = specs[:2]
    outs = _pooled_sizes(out_sizes(x, attrs["kernel"], attrs["stride"], attrs["pads"], attrs["dilation"]), attrs["method"])
    if attrs["method"].startswith(POOLED):
        return pooled_steps.prepare(x, w, pool_of(attrs["method"]), outs, attrs)
    return packed_steps.prepare(x, w, specs[2] is not None, specs[3] is not None, outs, attrs)


def _f(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).uniform(-1, 1, shape).astype("float32")


def _sample(
    x: tuple[int, ...],
    w: tuple[int, ...],
    layout: str,
    method: str,
    bias: bool = True,
    add: bool = False,
    act: str = "",
    stride: tuple[int, ...] = (1, 1),
    pads: tuple[int, ...] = (0, 0, 0, 0),
    dilation: tuple[int, ...] = (1, 1),
    times: int = 1,
    groups: int = 1,
    slices: int = 1,
) -> Sample:
    attrs: dict[str, Any] = {
        "kernel": w[2:], "stride": stride, "pads": pads, "dilation": dilation, "layout": layout, "method": method, "act": act,
    }  # fmt: skip
    packed = pack_filter.op.kernels["*"](np, _f(*w, seed=1), None, layout, method, groups, slices)
    specs = tuple(TensorSpec(a.shape, as_dtype("float32")) for a in (np.empty(x), packed))
    (spec,) = packed_conv.op.infer_specs((*specs, None, None), attrs)
    return Sample(
        _f(*x), packed, np.tile(_f(w[0], seed=2), times) if bias else None, _f(*spec.shape, seed=3) if add else None,
        grad=(), file=False, rtol=1e-3 if method == "winograd4" else 1e-4, **attrs,
    )  # fmt: skip


pack_filter.samples(lambda: [
    Sample(_f(4, 3, 3, 2), None, layout="NHWC", method="columns", groups=1, slices=1, grad=(), file=False),
    Sample(_f(4, 3, 3, 2), None, layout="CHWN", method="columns", groups=1, slices=1, grad=(), file=False),
    Sample(_f(4, 3, 3, 3), None, layout="NHWC", method="winograd2", groups=1, slices=1, grad=(), file=False),
    Sample(_f(4, 3, 3, 3), None, layout="NHWC", method="winograd4", groups=1, slices=1, grad=(), file=False),
    Sample(_f(4, 1, 3, 2), None, layout="NHWC", method="depthwise3", groups=1, slices=1, grad=(), file=False),
    Sample(_f(4, 3, 3, 2), None, layout="NHWC", method="patches2x3", groups=1, slices=1, grad=(), file=False),
    Sample(_f(8, 2, 3, 3), None, layout="NHWC", method="columns", groups=4, slices=2, grad=(), file=False),
    Sample(_f(6, 2, 3, 3), None, layout="NHWC", method="winograd4", groups=3, slices=1, grad=(), file=False),
    Sample(_f(4, 3, 3, 2), _f(4, 1, 1, 1, seed=1), layout="NHWC", method="columns", groups=1, slices=1, grad=(), file=False),
    Sample(_f(4, 3, 3, 2), _f(4, 1, 1, 1, seed=1), layout="CHWN", method="columns", groups=1, slices=1, grad=(), file=False),
    Sample(_f(20, 3, 3, 3), _f(20, 1, 1, 1, seed=1), layout="NHWC", method="winograd4", groups=1, slices=1, grad=(), file=False),
    Sample(_f(4, 1, 3, 2), _f(4, 1, 1, 1, seed=1), layout="NHWC", method="depthwise3", groups=1, slices=1, grad=(), file=False),
    Sample(_f(4, 3, 3, 2), _f(4, 1, 1, 1, seed=1), layout="NHWC", method="patches2x3", groups=1, slices=1, grad=(), file=False),
    Sample(_f(8, 2, 3, 3), _f(8, 1, 1, 1, seed=1), layout="NHWC", method="columns", groups=4, slices=2, grad=(), file=False),
])  # fmt: skip
packed_conv.samples(lambda: [
    _sample((2, 5, 6, 3), (4, 3, 3, 2), "NHWC", "columns", add=True, act="relu", pads=(1, 0, 2, 1)),
    _sample((1, 7, 7, 2), (3, 2, 3, 3), "NHWC", "columns", bias=False, stride=(2, 1), dilation=(2, 1), act="hardswish"),
    _sample((2, 4, 4, 3), (5, 3, 1, 1), "NHWC", "columns", act="relu6"),
    _sample((2, 4, 4, 3), (5, 3, 1, 1), "NHWC", "columns", act="relu", times=7),
    _sample((2, 9, 8, 9), (5, 9, 3, 3), "NHWC", "columns", add=True, times=200),
    _sample((3, 9, 10, 2), (4, 2, 3, 3), "NHWC", "winograd4", pads=(1, 1, 0, 2), act="hardswish", times=5),
    _sample((2, 70, 10, 30), (30, 1, 3, 3), "NHWC", "depthwise2", pads=(1, 1, 1, 1), act="relu", times=9),
    _sample((1, 5, 4, 3), (5, 3, 1, 1), "NHWC", "columns", stride=(2, 2), bias=False),
    _sample((2, 5, 6, 3), (4, 3, 3, 3), "NHWC", "winograd2", pads=(1, 1, 1, 1), act="relu", add=True),
    _sample((3, 9, 10, 2), (4, 2, 3, 3), "NHWC", "winograd4", pads=(1, 1, 0, 2), act="hardswish"),
    _sample((2, 6, 5, 4), (4, 1, 3, 3), "NHWC", "depthwise5", pads=(1, 1, 1, 1), stride=(2, 1), act="hardswish"),
    _sample((1, 9, 9, 3), (3, 1, 5, 5), "NHWC", "depthwise1", pads=(2, 2, 2, 2), dilation=(1, 2), bias=False),
    _sample((2, 9, 10, 3), (3, 1, 5, 5), "NHWC", "depthwise5", pads=(2, 2, 1, 3), stride=(2, 2), act="relu", add=True),
    _sample((1, 6, 10, 3), (3, 1, 3, 3), "NHWC", "depthwise4", pads=(0, 0, 0, 0), dilation=(2, 1), stride=(1, 2)),
    _sample((1, 6, 11, 3), (3, 1, 1, 2), "NHWC", "depthwise2", pads=(0, 0, 0, 1), stride=(3, 3), bias=False),
    _sample((1, 70, 12, 40), (40, 1, 3, 3), "NHWC", "depthwise1", pads=(1, 1, 1, 1), dilation=(1, 2), stride=(1, 2)),
    _sample((2, 9, 8, 2), (4, 2, 3, 3), "NHWC", "pooled2x2", pads=(1, 1, 1, 1), act="relu"),
    _sample((1, 9, 8, 5), (3, 5, 3, 3), "NHWC", "pooled3x1", add=True, stride=(1, 2), times=4, act="hardswish"),
    _sample((1, 11, 7, 3), (4, 3, 2, 1), "NHWC", "pooled2x3", bias=False, dilation=(2, 1), act="relu6"),
    _sample((2, 9, 8, 2), (4, 2, 3, 3), "NHWC", "patches2x2", pads=(1, 1, 1, 1), act="relu", times=32),
    _sample((1, 12, 9, 9), (3, 9, 5, 4), "NHWC", "patches2x2", times=4, act="relu"),
    _sample((1, 14, 15, 1), (5, 1, 3, 3), "NHWC", "patches3x1", add=True, act="hardswish"),
    _sample((1, 11, 7, 3), (4, 3, 2, 1), "NHWC", "patches2x3", bias=False, act="relu6"),
    _sample((2, 5, 6, 8), (12, 2, 3, 2), "NHWC", "columns", groups=4, slices=2, add=True, act="relu", pads=(1, 0, 2, 1)),
    _sample((1, 5, 6, 6), (4, 3, 1, 1), "NHWC", "columns", groups=2, slices=2, act="hardswish"),
    _sample((2, 6, 7, 8), (8, 2, 3, 3), "NHWC", "winograd4", groups=4, slices=2, act="relu", pads=(1, 1, 1, 1)),
    _sample((1, 6, 6, 6), (9, 2, 3, 3), "NHWC", "winograd2", groups=3, slices=3, bias=False, add=True),
    _sample((2, 7, 6, 3), (4, 2, 3, 2), "CHWN", "columns", pads=(1, 1, 0, 1), stride=(1, 2), act="relu"),
    _sample((1, 6, 6, 2), (3, 1, 3, 3), "CHWN", "columns", add=True, bias=False),
])  # fmt: skip
