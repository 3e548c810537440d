"""Reads convolutions, poolings, normalizations and other nodes of layers."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from to_static.compiler.formats.onnx.node_view import NodeView, constant, half_even, reads, scalar_like
from to_static.compiler.ir.spec import UNKNOWN
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions as F
from to_static.core.dtypes import float32

Pads = list[tuple[int, int]]


def paddings(n: NodeView, sizes: Sequence[int], kernel: Sequence[int], strides: Sequence[int], dilations: Sequence[int]) -> Pads:
    """Padding before and after each spatial dimension. Refuses where it depends on sizes that are not known."""
    auto = n.text("auto_pad", "NOTSET")
    count = len(kernel)
    if auto == "VALID":
        return [(0, 0)] * count
    if auto in ("SAME_UPPER", "SAME_LOWER"):
        if UNKNOWN in sizes:
            n.refuse("an input of known size, for padding of the kind SAME", str(list(sizes)))
        pads = []
        for size, k, s, d in zip(sizes, kernel, strides, dilations, strict=True):
            total = max((-(-size // s) - 1) * s + (k - 1) * d + 1 - size, 0)
            low = total // 2 if auto == "SAME_UPPER" else total - total // 2
            pads.append((low, total - low))
        return pads
    flat = n.ints("pads", [0] * 2 * count)
    return list(zip(flat[:count], flat[count:], strict=True))


def _flat(pads: Pads) -> list[int]:
    return [value for pair in pads for value in pair]


def _cropped(x: Tensor, pads: Pads) -> tuple[Tensor, Pads]:
    """Crop the input by its negative paddings; return it with the paddings that are left."""
    for axis, (pad_before, pad_after) in enumerate(pads, 2):
        if pad_before < 0 or pad_after < 0:
            x = x[(slice(None),) * axis + (slice(max(-pad_before, 0), min(pad_after, 0) or None),)]
    return x, [(max(pad_before, 0), max(pad_after, 0)) for pad_before, pad_after in pads]


def convolve(n: NodeView, x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    """A convolution over one to three dimensions."""
    count = x.ndim - 2
    kernel = list(weight.spec.shape[2:])
    strides, dilations = n.ints("strides", [1] * count), n.ints("dilations", [1] * count)
    pads: Any = None
    if n.text("auto_pad", "NOTSET") == "SAME_UPPER" and UNKNOWN in x.spec.shape[2:] and all(d == 1 for d in dilations):
        padding: Any = "SAME"
    else:
        pads = paddings(n, x.spec.shape[2:], kernel, strides, dilations)
        x, pads = _cropped(x, pads)
        padding = _flat(pads)
    groups = n.integer("group", 1)
    if count == 1:
        x, weight = F.unsqueeze(x, 2), F.unsqueeze(weight, 2)
        strides, dilations = [1, *strides], [1, *dilations]
        padding = padding if isinstance(padding, str) else [0, 0, *padding]
    function = F.conv3d if count == 3 else F.conv2d
    y = function(x, weight, bias, strides, padding, dilations, groups)
    return F.squeeze(y, 2) if count == 1 else y  # type: ignore[no-any-return]


@reads("Conv")
def _(n: NodeView) -> Any:
    return convolve(n, n.x(0), n.x(1), n.optional(2))


@reads("ConvTranspose")
def _(n: NodeView) -> Any:
    x, weight, bias = n.x(0), n.x(1), n.optional(2)
    count = x.ndim - 2
    kernel, sizes = list(weight.spec.shape[2:]), list(x.spec.shape[2:])
    strides, dilations = n.ints("strides", [1] * count), n.ints("dilations", [1] * count)
    extra, wanted = n.ints("output_padding", [0] * count), n.ints("output_shape")[-count:]
    auto = n.text("auto_pad", "NOTSET")
    reach = [d * (k - 1) + 1 for d, k in zip(dilations, kernel, strict=True)]
    if auto.startswith("SAME") and not wanted:
        wanted = [size * s for size, s in zip(sizes, strides, strict=True)]
    if wanted:
        if UNKNOWN in sizes:
            n.refuse("an input of known size, for an output of one", str(x.spec))
        pads = []
        for i, want in enumerate(wanted):
            total = strides[i] * (sizes[i] - 1) + extra[i] + reach[i] - want
            if total < 0:
                extra[i], total = extra[i] - total, 0
            low = total // 2 if auto != "SAME_LOWER" else total - total // 2
            pads.append((low, total - low))
    else:
        pads = paddings(n, [0] * count, kernel, strides, dilations) if not auto.startswith("SAME") else [(0, 0)] * count
    least = [max(0, e - s + 1) for e, s in zip(extra, strides, strict=True)]  # zeros that no stride makes
    padding = _flat(pads)
    groups = n.integer("group", 1)
    if count == 1:
        x, weight = F.unsqueeze(x, 2), F.unsqueeze(weight, 2)
        strides, dilations, extra, padding, least = [1, *strides], [1, *dilations], [0, *extra], [0, 0, *padding], [0, *least]
    inner = [e - more for e, more in zip(extra, least, strict=True)]
    if count == 3:
        y = F.conv3d_transpose(x, weight, bias, strides, padding, inner, groups, dilations)
    else:
        y = F.conv2d_transpose(x, weight, bias, strides, padding, inner, dilations, groups)
    if any(least):
        y = F.pad(y, [0, 0, 0, 0, *(v for more in least for v in (0, more))])
        if bias is not None:
            n.refuse("an output padding below the stride", str(extra))
    return F.squeeze(y, 2) if count == 1 else y


@reads("DeformConv")
def _(n: NodeView) -> Any:
    x, weight, offset, bias, mask = n.x(0), n.x(1), n.x(2), n.optional(3), n.optional(4)
    pads = paddings(n, x.spec.shape[2:], weight.spec.shape[2:], [1, 1], [1, 1])
    if any(pad_before != pad_after for pad_before, pad_after in pads):
        n.refuse("the same padding on both sides", str(pads))
    y = F.deformable_conv(
        x, offset, weight, mask, n.ints("strides", [1, 1]), [p[0] for p in pads], n.ints("dilations", [1, 1]),
        n.integer("group", 1), n.integer("offset_group", 1),
    )  # fmt: skip
    return y if bias is None else y + F.reshape(bias, [1, -1, 1, 1])


# poolings --------------------------------------------------------------------------------------------------------------


@reads("GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool")
def _(n: NodeView) -> Any:
    x = n.x()
    axes = list(range(2, x.ndim))
    if n.op_type == "GlobalLpPool":
        p = float(n.integer("p", 2))
        return F.pow(F.sum(F.pow(F.abs(x), p), axes, keepdim=True), 1 / p)
    return (F.mean if n.op_type == "GlobalAveragePool" else F.max)(x, axes, keepdim=True)


class _Windows:
    """Windows of known size over an input of known size: where each begins, and what of it lies inside."""

    def __init__(self, n: NodeView, x: Tensor) -> None:
        count = x.ndim - 2
        self.sizes, self.kernel = list(x.spec.shape[2:]), n.ints("kernel_shape")
        self.strides, self.dilations = n.ints("strides", [1] * count), n.ints("dilations", [1] * count)
        self.pads = paddings(n, self.sizes, self.kernel, self.strides, self.dilations)
        self.ceil = n.flag("ceil_mode")
        self.outs = []
        for size, k, s, d, (low, high) in zip(self.sizes, self.kernel, self.strides, self.dilations, self.pads, strict=True):
            room = size + low + high - ((k - 1) * d + 1)
            out = (-(-room // s) if self.ceil else room // s) + 1
            if self.ceil and (out - 1) * s >= size + low:  # a window may not begin behind the input
                out -= 1
            self.outs.append(out)

    def positions(self) -> list[np.ndarray]:
        """For each dimension where the elements of each window are, [out, kernel]; outside of the input is outside of its size."""
        return [
            np.arange(out)[:, None] * s - low + np.arange(k)[None] * d
            for out, k, s, d, (low, _) in zip(self.outs, self.kernel, self.strides, self.dilations, self.pads, strict=True)
        ]


def _gather_windows(x: Tensor, windows: _Windows, fill: float) -> Tensor:
    """Return all windows of a pooling as [N, C, out, kernel, out, kernel, ...]."""
    all_pairs = [(0, 0), (0, 0)]
    lines = []
    for size, line in zip(windows.sizes, windows.positions(), strict=True):
        low, high = max(0, -int(line.min())), max(0, int(line.max()) - size + 1)
        all_pairs.append((low, high))
        lines.append(line + low)
    if any(pad_before or pad_after for pad_before, pad_after in all_pairs):
        for axis, (pad_before, pad_after) in enumerate(all_pairs):
            sizes = [d if d != UNKNOWN else F.dim_size(x, i) for i, d in enumerate(x.spec.shape)]
            parts = [F.full([pad_before if i == axis else d for i, d in enumerate(sizes)], fill, x.dtype)] if pad_before else []
            parts.append(x)
            parts += [F.full([pad_after if i == axis else d for i, d in enumerate(sizes)], fill, x.dtype)] if pad_after else []
            x = F.concat(parts, axis) if len(parts) > 1 else x
    for i, line in enumerate(lines):
        axis = 2 + 2 * i
        flat = F.index_select(x, constant(line.reshape(-1).astype("int64")), axis)
        sizes = [d if d != UNKNOWN else 0 for d in x.spec.shape]
        x = F.reshape(flat, [*(0 if j < 2 else d for j, d in enumerate(sizes[:axis])), *line.shape, *sizes[axis + 1 :]])
    return x


@reads("MaxPool", "AveragePool", "LpPool")
def _(n: NodeView) -> Any:
    x = n.x()
    count = x.ndim - 2
    kernel = n.ints("kernel_shape")
    undilated_floats = all(d == 1 for d in n.ints("dilations", [1] * count)) and n.op_type != "LpPool" and x.dtype.kind == "f"
    if UNKNOWN in x.spec.shape[2:]:
        if not undilated_floats:
            n.refuse("an input of known size", str(x.spec))
        return [_by_operator(n, x, kernel, n.flag("ceil_mode"))]
    windows = _Windows(n, x)
    largest = n.op_type == "MaxPool"
    simple = not windows.ceil and all(low < k and high < k for (low, high), k in zip(windows.pads, kernel, strict=True))
    symmetric = all(low == high for low, high in windows.pads)
    if undilated_floats and simple and not n.wants(1) and (largest or symmetric or not n.flag("count_include_pad")):
        return [_by_operator(n, x, kernel, False)]
    lowest = -np.inf if x.dtype.kind == "f" else np.iinfo(x.dtype.np).min
    parts = _gather_windows(x, windows, lowest if largest else 0)
    axes = [3 + 2 * i for i in range(count)]
    if largest:
        if x.dtype.kind != "f":
            return [F.cast(F.max(F.cast(parts, "int32"), axes), x.dtype)]
        return [F.max(parts, axes), _flat_indices_of_maxima(n, parts, windows)] if n.wants(1) else [F.max(parts, axes)]
    if n.op_type == "LpPool":
        p = float(n.integer("p", 2))
        return [F.pow(F.sum(F.pow(F.abs(parts), p), axes), 1 / p)]
    counts_by_axis = []
    for line, size, (low, high) in zip(windows.positions(), windows.sizes, windows.pads, strict=True):
        first, last = (-low, size + high) if n.flag("count_include_pad") else (0, size)
        counts_by_axis.append(((line >= first) & (line < last)).sum(1))
    counts = np.maximum(_outer(counts_by_axis), 1)
    return [F.sum(parts, axes) / constant(counts.astype(x.dtype.np))]


def _outer(lines: list[np.ndarray]) -> np.ndarray:
    total = lines[0]
    for line in lines[1:]:
        total = total[..., None] * line
    return total


def _by_operator(n: NodeView, x: Tensor, kernel: list[int], ceil: bool) -> Any:
    count = x.ndim - 2
    strides = n.ints("strides", [1] * count)
    if n.text("auto_pad", "NOTSET") == "SAME_UPPER" and UNKNOWN in x.spec.shape[2:]:
        padding: Any = [0] * count
        algorithm = "SAME"
    else:
        padding, algorithm = _flat(paddings(n, x.spec.shape[2:], kernel, strides, [1] * count)), "EXPLICIT"
    if count == 1:
        x, kernel, strides, padding = F.unsqueeze(x, 2), [1, *kernel], [1, *strides], [0, 0, *padding]
    options = {
        "pooling_type": "max" if n.op_type == "MaxPool" else "avg", "kernel_size": kernel, "stride": strides, "padding": padding,
        "padding_algorithm": algorithm, "ceil_mode": ceil, "exclusive": not n.flag("count_include_pad"),
    }  # fmt: skip
    y = (F.pool3d if count == 3 else F.pool2d)(x, **options)
    return F.squeeze(y, 2) if count == 1 else y


def _flat_indices_of_maxima(n: NodeView, parts: Tensor, windows: _Windows) -> Tensor:
    """Return the flat index of each maximum in the whole input."""
    count = len(windows.sizes)
    shape = parts.spec.shape
    if UNKNOWN in shape:
        n.refuse("an input of known shape, for positions of maxima", str(n.x().spec))
    windows_first = F.transpose(parts, [0, 1, *(2 + 2 * i for i in range(count)), *(3 + 2 * i for i in range(count))])
    flat = F.reshape(windows_first, [*shape[:2], *windows.outs, prod(windows.kernel)])
    best = F.argmax(flat, -1)
    grids = np.zeros((*windows.outs, *windows.kernel), "int64")
    order = list(range(count))[::-1] if n.integer("storage_order") else list(range(count))
    step = 1
    for i in reversed(order):
        line = windows.positions()[i]
        sizes = [dims[i] if j == i else 1 for dims in (windows.outs, windows.kernel) for j in range(count)]
        grids = grids + line.reshape(sizes) * step
        step *= windows.sizes[i]
    table = constant(grids.reshape(1, 1, *windows.outs, -1))
    table = F.expand(table, [*shape[:2], *windows.outs, prod(windows.kernel)])
    local = F.squeeze(F.take_along_axis(table, F.unsqueeze(best, -1), -1, broadcast=False), -1)
    planes = np.arange(shape[0] * shape[1]).reshape(shape[0], shape[1], *[1] * count) * prod(windows.sizes)
    return local + constant(planes)  # type: ignore[no-any-return]


@reads("MaxUnpool")
def _(n: NodeView) -> Any:
    x, index = n.x(0), n.x(1)
    count = x.ndim - 2
    kernel = n.ints("kernel_shape")
    strides, pads = n.ints("strides", [1] * count), n.ints("pads", [0] * 2 * count)
    if not x.spec.is_static:
        n.refuse("an input of known shape", str(x.spec))
    each = enumerate(zip(x.spec.shape[2:], strides, kernel, strict=True))
    sizes = [(d - 1) * s + k - pads[i] - pads[i + count] for i, (d, s, k) in each]
    inner = [*x.spec.shape[:2], *sizes]
    flat = F.full([prod(inner)], 0, x.dtype)
    filled = F.reshape(F.put_along_axis(flat, F.reshape(index, [-1]), F.reshape(x, [-1]), 0, "assign", broadcast=False), inner)
    if not n.has(2):
        return filled
    target = [int(v) for v in n.constant_array(2).reshape(-1)]
    return F.pad(filled, [v for have, want in zip(inner, target, strict=True) for v in (0, want - have)])


# normalizations --------------------------------------------------------------------------------------------------------


@reads("BatchNormalization")
def _(n: NodeView) -> Any:
    x, scale, bias, mean, variance = (n.x(i) for i in range(5))
    epsilon, momentum = n.real("epsilon", 1e-5), n.real("momentum", 0.9)
    shape = [1, -1] + [1] * (x.ndim - 2)
    if n.opset < 14 or not n.flag("training_mode"):
        if x.dtype is scale.dtype is mean.dtype and x.ndim >= 2:
            return F.batch_norm(x, scale, bias, mean, variance, momentum, epsilon, True)[0]
        rate = F.reshape(scale / F.sqrt(variance + scalar_like(epsilon, variance)), shape)
        return (x - F.reshape(mean, shape)) * rate + F.reshape(bias, shape)
    axes = [i for i in range(x.ndim) if i != 1]
    average = F.mean(x, axes)
    centered = x - F.reshape(average, shape)
    spread = F.mean(centered * centered, axes)
    y = centered / F.sqrt(F.reshape(spread, shape) + scalar_like(epsilon, x)) * F.reshape(scale, shape) + F.reshape(bias, shape)
    keep = scalar_like(momentum, mean)
    return [y, mean * keep + average * (1 - keep), variance * keep + spread * (1 - keep)]


@reads("InstanceNormalization")
def _(n: NodeView) -> Any:
    return F.instance_norm(n.x(0), n.x(1), n.x(2), n.real("epsilon", 1e-5))[0]


@reads("GroupNormalization")
def _(n: NodeView) -> Any:
    x, scale, bias = n.x(0), n.x(1), n.x(2)
    groups = n.integer("num_groups")
    channels = x.spec.shape[1]
    if n.opset < 21 and scale.spec.shape[0] != channels:  # one for each group
        scale, bias = (F.reshape(F.expand(F.unsqueeze(v, 1), [-1, channels // groups]), [-1]) for v in (scale, bias))
    return F.group_norm(x, scale, bias, groups, n.real("epsilon", 1e-5))[0]


@reads("LayerNormalization", "RMSNormalization")
def _(n: NodeView) -> Any:
    x, scale, bias = n.x(0), n.x(1), n.optional(2)
    axis = n.integer("axis", -1) % x.ndim
    epsilon = n.real("epsilon", 1e-5)
    tail = x.spec.shape[axis:]
    fits = UNKNOWN not in tail and all(v is None or v.spec.shape == tail for v in (scale, bias))
    if n.op_type == "LayerNormalization" and not n.wants(1) and not n.wants(2) and fits:
        flat = F.reshape(scale, [-1]), None if bias is None else F.reshape(bias, [-1])
        return F.layer_norm(x, *flat, axis, epsilon)[0]
    axes = list(range(axis, x.ndim))
    floats = F.cast(x, float32) if x.dtype.name == "float16" else x
    if n.op_type == "RMSNormalization":
        root = F.rsqrt(F.mean(floats * floats, axes, keepdim=True) + scalar_like(epsilon, floats))
        return F.cast(floats * root, x.dtype) * scale
    mean = F.mean(floats, axes, keepdim=True)
    centered = floats - mean
    root = F.rsqrt(F.mean(centered * centered, axes, keepdim=True) + scalar_like(epsilon, floats))
    y = F.cast(centered * root, x.dtype) * scale
    return [y if bias is None else y + bias, mean, root]


@reads("LRN")
def _(n: NodeView) -> Any:
    x, size = n.x(), n.integer("size")
    alpha, beta, bias = n.real("alpha", 1e-4), n.real("beta", 0.75), n.real("bias", 1.0)
    squares = x * x
    pad_before = (size - 1) // 2
    pad_after = size - 1 - pad_before
    padded = F.pad(squares, [0, 0, pad_before, pad_after] + [0, 0] * (x.ndim - 2))
    channels = x.spec.shape[1]
    total: Any = None
    for i in range(size):
        part = padded[:, i : i + channels]
        total = part if total is None else total + part
    return x / F.pow(total * scalar_like(alpha / size, x) + scalar_like(bias, x), scalar_like(beta, x))


@reads("Col2Im")
def _(n: NodeView) -> Any:
    x = n.x()
    image, block = ([int(v) for v in n.constant_array(i).reshape(-1)] for i in (1, 2))
    count = len(image)
    strides, dilations = n.ints("strides", [1] * count), n.ints("dilations", [1] * count)
    pads = n.ints("pads", [0] * 2 * count)
    batch, rows, _ = x.spec.shape
    channels = rows // prod(block)
    outs = [(image[i] + pads[i] + pads[i + count] - dilations[i] * (block[i] - 1) - 1) // strides[i] + 1 for i in range(count)]
    parts = F.reshape(x, [0, channels, prod(block), prod(outs)])
    padded_image = [image[i] + pads[i] + pads[i + count] for i in range(count)]
    positions = []
    for offset in itertools.product(*map(range, block)):
        lines = [offset[i] * dilations[i] + np.arange(outs[i]) * strides[i] for i in range(count)]
        flat = np.zeros((), "int64")
        for line, size in zip(lines, padded_image, strict=True):
            flat = flat[..., None] * size + line
        positions.append(flat.reshape(-1))
    index = constant(np.concatenate(positions).astype("int64"))
    columns = F.transpose(F.reshape(parts, [0, channels, prod(block) * prod(outs)]), [2, 0, 1])
    if UNKNOWN in (batch, rows):
        n.refuse("columns of known shape", str(x.spec))
    zeros = F.full([prod(padded_image), batch, channels], 0, x.dtype)
    added = F.scatter_nd_add(zeros, F.unsqueeze(index, 1), columns)
    planes = F.reshape(F.transpose(added, [1, 2, 0]), [batch, channels, *padded_image])
    inner = [slice(pads[i], pads[i] + image[i]) for i in range(count)]
    inner_region: Any = (slice(None), slice(None), *inner)
    return planes[inner_region]


@reads("GridSample")
def _(n: NodeView) -> Any:
    x, grid = n.x(0), n.x(1)
    mode = {"linear": "bilinear", "cubic": "bicubic"}.get(n.text("mode", "linear"), n.text("mode", "linear"))
    if mode == "bicubic":
        return _cubic_samples(n, x, grid)
    if x.ndim == 5 or mode == "nearest":
        return _volume_samples(n, x, grid, mode)
    return F.grid_sample(x, grid, mode, n.text("padding_mode", "zeros"), n.flag("align_corners"))


def _positions(n: NodeView, grid: Tensor, sizes: list[int]) -> list[Tensor]:
    """The position of each point in the input, by dimension from the first one."""
    positions = []
    for k, size in enumerate(sizes):
        at = grid[..., len(sizes) - 1 - k]
        positions.append((at + 1) * ((size - 1) / 2) if n.flag("align_corners") else ((at + 1) * size - 1) * 0.5)
    return positions


def _bounded(n: NodeView, position: Tensor, size: int) -> tuple[Tensor, Tensor | None]:
    """A whole position as an index, and whether it counts."""
    padding_mode = n.text("padding_mode", "zeros")
    if padding_mode == "zeros":
        inside = F.logical_and(position >= 0, position <= size - 1)
        return F.cast(F.clip(position, 0.0, size - 1.0), "int64"), inside
    if padding_mode == "reflection":
        low, high = (0.0, size - 1.0) if n.flag("align_corners") else (-0.5, size - 0.5)
        span = high - low
        if span == 0:
            return F.cast(position * 0, "int64"), None
        distance = F.abs(position - low)
        reflections = F.floor(distance / span)
        remainder = distance - reflections * span
        odd = reflections - F.floor(reflections * 0.5) * 2
        position = remainder + odd * (span - remainder * 2) + low
    return F.cast(F.clip(half_even(position) if padding_mode == "reflection" else position, 0.0, size - 1.0), "int64"), None


def _gather_pixels(n: NodeView, x: Tensor, positions: list[Tensor]) -> Tensor:
    """Gather elements of [N, C, ...] at integer positions [N, ...]; positions outside give 0."""
    sizes = x.spec.shape[2:]
    flat, counts = None, None
    for position, size in zip(positions, sizes, strict=True):
        index, inside = _bounded(n, position, size)
        flat = index if flat is None else flat * size + index
        if inside is not None:
            counts = inside if counts is None else F.logical_and(counts, inside)
    assert flat is not None
    shape = flat.spec.shape
    rows = F.reshape(x, [*x.spec.shape[:2], -1])
    index = F.expand(F.reshape(flat, [shape[0], 1, -1]), [-1, x.spec.shape[1], -1])
    values = F.reshape(F.take_along_axis(rows, index, 2, broadcast=False), [x.spec.shape[0], x.spec.shape[1], *shape[1:]])
    return values if counts is None else values * F.cast(F.unsqueeze(counts, 1), x.dtype)  # type: ignore[no-any-return]


def _volume_samples(n: NodeView, x: Tensor, grid: Tensor, mode: str) -> Any:
    sizes = list(x.spec.shape[2:])
    if not x.spec.is_static or not grid.spec.is_static:
        n.refuse("values of known shape", str(x.spec))
    positions = _positions(n, grid, sizes)
    if n.text("padding_mode", "zeros") != "zeros":
        positions = [_reflected(n, position, size) for position, size in zip(positions, sizes, strict=True)]
    if mode == "nearest":
        return _gather_pixels(n, x, [half_even(position) for position in positions])
    total: Any = None
    lows = [F.floor(position) for position in positions]
    for corner in itertools.product((0, 1), repeat=len(sizes)):
        share: Any = None
        for position, low, bit in zip(positions, lows, corner, strict=True):
            part = position - low if bit else 1 - (position - low)
            share = part if share is None else share * part
        value = _gather_pixels(n, x, [low + float(bit) for low, bit in zip(lows, corner, strict=True)]) * F.unsqueeze(share, 1)
        total = value if total is None else total + value
    return total


def _reflected(n: NodeView, position: Tensor, size: int) -> Tensor:
    if n.text("padding_mode") == "border":
        return F.clip(position, 0.0, size - 1.0)  # type: ignore[no-any-return]
    low, high = (0.0, size - 1.0) if n.flag("align_corners") else (-0.5, size - 0.5)
    span = max(high - low, 1e-9)
    distance = F.abs(position - low)
    reflections = F.floor(distance / span)
    remainder = distance - reflections * span
    odd = reflections - F.floor(reflections * 0.5) * 2
    return F.clip(remainder + odd * (span - remainder * 2) + low, 0.0, size - 1.0)  # type: ignore[no-any-return]


def _cubic_samples(n: NodeView, x: Tensor, grid: Tensor) -> Any:
    if x.ndim != 4 or not x.spec.is_static or not grid.spec.is_static:
        n.refuse("images of known shape", str(x.spec))
    sizes = list(x.spec.shape[2:])
    positions = _positions(n, grid, sizes)
    lows = [F.floor(position) for position in positions]
    shares = [_cubic(position - low) for position, low in zip(positions, lows, strict=True)]
    total: Any = None
    for i, row in enumerate(shares[0]):
        for j, column in enumerate(shares[1]):
            value = _gather_pixels(n, x, [lows[0] + float(i - 1), lows[1] + float(j - 1)]) * F.unsqueeze(row * column, 1)
            total = value if total is None else total + value
    return total


def _cubic(t: Tensor) -> list[Any]:
    a = -0.75

    def near(d: Any) -> Any:
        return ((a + 2) * d - (a + 3)) * d * d + 1

    def far(d: Any) -> Any:
        return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a

    return [far(t + 1), near(t), near(1 - t), far(2 - t)]


@reads("AffineGrid")
def _(n: NodeView) -> Any:
    theta, sizes = n.x(0), [int(v) for v in n.constant_array(1).reshape(-1)]
    lines = []
    for size in sizes[2:]:
        if n.flag("align_corners"):
            lines.append(np.linspace(-1, 1, size) if size > 1 else np.zeros(1))
        else:
            lines.append((np.arange(size) * 2 + 1) / size - 1)
    mesh = np.meshgrid(*lines, indexing="ij")
    points = np.stack([*mesh[::-1], np.ones_like(mesh[0])], -1).reshape(1, -1, len(lines) + 1)
    transformed = F.matmul(constant(points.astype(theta.dtype.np)), F.transpose(theta, [0, 2, 1]))
    return F.reshape(transformed, [sizes[0], *sizes[2:], len(lines)])
