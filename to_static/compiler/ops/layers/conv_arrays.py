"""The arithmetic of convolutions on arrays: forward, gradient of the input, gradient of the weight.

All three walk the same windows. With ``P`` output positions and ``K`` weights per output channel of a group:
columns are ``(N, groups, K, P)`` and the products are matrix products over them.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from math import prod
from operator import mul
from typing import Any

import numpy as np

from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ops import blocked_sum
from to_static.compiler.ops.layers import windows
from to_static.core.array_types import Array, ArrayModule
from to_static.core.caching.cached_property import kept_property

_LONG = 512  # from so many output positions on, gradients of weights are summed over images afterwards


class ConvPlan:
    """Sizes of one convolution: padding by dimension, kernel, stride, dilation, output sizes, groups."""

    def __init__(
        self,
        sizes: Sequence[int],
        kernel: Sequence[int],
        stride: Sequence[int],
        padding: Sequence[int],
        algorithm: str,
        dilation: Sequence[int],
        groups: int,
    ) -> None:
        self.sizes = tuple(sizes)
        self.kernel = tuple(kernel)
        self.stride = stride
        self.dilation = [1] * len(self.sizes) if algorithm == "SAME" else dilation
        self.groups = groups
        self.outs = windows.output_sizes(self.sizes, self.kernel, stride, self.dilation, padding, algorithm)
        pads = windows.resolve(padding, algorithm, self.sizes, self.kernel, stride)
        reach = [(o - 1) * s + (k - 1) * d + 1 for o, s, k, d in zip(self.outs, stride, kernel, self.dilation, strict=True)]
        # a window that is larger than the image lacks some (see `output_sizes`)
        self.pads = [(b, max(a, r - b - i)) for (b, a), r, i in zip(pads, reach, self.sizes, strict=True)]

    @property
    def pointwise(self) -> bool:
        """True when each window is one element and all are used: the input is its own columns."""
        return prod(self.kernel) == 1 and max(self.stride) == 1 and not any(map(any, self.pads))

    @kept_property
    def window_slices(self) -> list[tuple[Any, Any]]:
        """For every offset inside a window: its index into the padded input, and its index into ``(N, C, *kernel)``."""
        return [
            (windows.slices(offset, self.stride, self.dilation, self.outs), (slice(None), slice(None), *offset))
            for offset in windows.offsets(self.kernel)
        ]

    @kept_property
    def wide_sizes(self) -> tuple[int, ...]:
        """Spatial sizes of the padded input."""
        return tuple(i + b + a for i, (b, a) in zip(self.sizes, self.pads, strict=True))

    def added(self, xp: Any, parts: Any) -> Any:
        """Add each of the ``parts``, ``(N, C, *kernel, *outs)``, to the images ``(N, C, *sizes)`` where its window stands."""
        padded = xp.zeros((*parts.shape[:2], *self.wide_sizes), parts.dtype)
        for index, inner in self.window_slices:
            target = padded[index]
            xp.add(target, parts[inner], target)
        return xp.ascontiguousarray(windows.crop(padded, self.pads, self.sizes))

    def columns(self, xp: ArrayModule, x: Array) -> Array:
        """All windows of ``x``, as a view ``(N, C, *kernel, *outs)``."""
        padded = windows.pad(xp, x, self.pads)
        return windows.view(xp, padded, self.kernel, self.stride, self.dilation, self.outs)


@functools.lru_cache(maxsize=256)
def planned(
    sizes: tuple[int, ...],
    kernel: tuple[int, ...],
    stride: tuple[int, ...],
    padding: tuple[int, ...],
    algorithm: str,
    dilation: tuple[int, ...],
    groups: int,
) -> ConvPlan:
    """The plan, remembered: the same ones come again and again."""
    return ConvPlan(sizes, kernel, stride, padding, algorithm, dilation, groups)


def plan_of(
    sizes: Sequence[int],
    w: Array | TensorSpec,
    stride: Sequence[int],
    padding: Sequence[int],
    algorithm: str,
    dilation: Sequence[int],
    groups: int,
) -> ConvPlan:
    """The plan for spatial ``sizes`` and the weights ``w``."""
    return planned(sizes, w.shape[2:], tuple(stride), tuple(padding), algorithm, tuple(dilation), groups)


def first(xp: ArrayModule, x: Array, data_format: str) -> Array:
    """A channel-first view."""
    return xp.moveaxis(x, -1, 1) if data_format[-1] == "C" else x


def back(xp: ArrayModule, x: Array, data_format: str) -> Array:
    """The inverse of `first`, contiguous."""
    return xp.ascontiguousarray(xp.moveaxis(x, 1, -1)) if data_format[-1] == "C" else x


def forward(
    xp: ArrayModule,
    x: Array,
    w: Array,
    stride: Sequence[int],
    padding: Sequence[int],
    padding_algorithm: str,
    dilation: Sequence[int],
    groups: int,
    data_format: str,
    out: Any = None,
) -> Array:
    """The convolution of ``x`` with ``w``."""
    x = first(xp, x, data_format)
    plan = plan_of(x.shape[2:], w, stride, padding, padding_algorithm, dilation, groups)
    direct = out is not None and data_format[-1] != "C" and out.flags.c_contiguous
    y = out if direct else xp.empty((x.shape[0], w.shape[0], *plan.outs), x.dtype)
    if groups > 1 and w.shape[1] == 1:
        _depthwise(xp, x, w, plan, y)
    else:
        _products(xp, x, w, plan, y)
    if direct:
        return out
    result = back(xp, y, data_format)
    if out is None:
        return result
    out[...] = result
    return out


def specialized_kernel(out: TensorSpec, x: TensorSpec, w: TensorSpec, **attrs: Any) -> Callable[[Any, Any], Any] | None:
    """`forward` for arrays of these specs, with all that goes by them worked out; None where windows are not copied at once."""
    plan = plan_of(x.shape[2:], w, *(attrs[k] for k in ("stride", "padding", "padding_algorithm", "dilation", "groups")))
    groups, each, count = plan.groups, prod(plan.outs), x.shape[0]
    group_sizes = (count, groups, prod(w.shape[1:]), each)
    if attrs["data_format"][-1] == "C" or (groups > 1 and w.shape[1] == 1) or not out.size:
        return None
    if not plan.pointwise and prod(group_sizes) * x.dtype.itemsize > 2 * _block_bytes(np):
        return None
    weights, result, dtype = (groups, w.shape[0] // groups, group_sizes[2]), (count, groups, w.shape[0] // groups, each), x.dtype.np
    padded = (*x.shape[:2], *(b + size + a for size, (b, a) in zip(plan.sizes, plan.pads, strict=True)))
    inner: Any = (..., *(slice(b, b + size) for size, (b, _) in zip(plan.sizes, plan.pads, strict=True)))
    is_padded = any(map(any, plan.pads))
    windows_of = (*x.shape[:2], *plan.kernel, *plan.outs)

    def specialized_kernel_run(x: Array, w: Array) -> Array:
        if is_padded:
            image, x = x, np.zeros(padded, dtype)
            x[inner] = image
        if not plan.pointwise:
            s = x.strides
            steps = (*s[:2], *map(mul, s[2:], plan.dilation), *map(mul, s[2:], plan.stride))
            x = np.ndarray(windows_of, dtype, x, 0, steps) if x.flags.c_contiguous else plan.columns(np, x)
        y = np.empty(out.shape, dtype)
        np.matmul(w.reshape(weights), x.reshape(group_sizes), y.reshape(result))
        return y

    return specialized_kernel_run


def _products(xp: ArrayModule, x: Array, w: Array, plan: ConvPlan, y: Array) -> None:
    """Write the matrix products of weights and columns into ``y`` (contiguous, channel-first)."""
    groups, each = plan.groups, prod(plan.outs)
    weights = w.reshape(groups, w.shape[0] // groups, prod(w.shape[1:]))
    columns = x if plan.pointwise else plan.columns(xp, x)
    flat = y.reshape(x.shape[0], groups, weights.shape[1], each)
    if plan.pointwise or columns.size * columns.itemsize <= 2 * _block_bytes(xp):
        xp.matmul(weights, columns.reshape(x.shape[0], groups, weights.shape[2], each), out=flat)
    else:
        _in_blocks(xp, columns, weights, plan, flat)


def _block_bytes(xp: ArrayModule) -> int:
    """The memory that columns may take at a time: the size of a CPU's cache, or enough to keep a GPU busy."""
    return 1 << (22 if xp.__name__ == "numpy" else 28)


def _in_blocks(xp: ArrayModule, columns: Any, weights: Any, plan: ConvPlan, y: Any) -> None:
    """The products of ``weights`` with a view of all windows, a few rows of an image at a time."""
    groups, _, depth = weights.shape
    rows, inner = plan.outs[0], prod(plan.outs[1:])
    step = max(1, _block_bytes(xp) // (groups * depth * inner * columns.itemsize))
    leading = (slice(None),) * (1 + len(plan.kernel))
    for n in range(columns.shape[0]):
        for start in range(0, rows, step):
            stop = min(start + step, rows)
            index = (n, *leading, slice(start, stop))
            part = columns[index].reshape(groups, depth, (stop - start) * inner)
            y[n, :, :, start * inner : stop * inner] = xp.matmul(weights, part)


def _depthwise(xp: Any, x: Any, w: Any, plan: ConvPlan, y: Any) -> None:
    """Write the sum of shifted products into ``y`` (contiguous, channel-first)."""
    padded = windows.pad(xp, x, plan.pads)[:, :, None]
    weights = w.reshape(plan.groups, -1, *plan.kernel, *[1] * len(plan.outs))
    y = y.reshape(x.shape[0], plan.groups, weights.shape[1], *plan.outs)
    work = None
    for index, inner in plan.window_slices:
        if work is None:
            xp.multiply(padded[index], weights[inner], y)
            work = xp.empty_like(y)
        else:
            xp.multiply(padded[index], weights[inner], work)
            xp.add(y, work, y)


def grad_input(
    xp: ArrayModule,
    like: Array,
    w: Array,
    g: Array,
    stride: Sequence[int],
    padding: Sequence[int],
    padding_algorithm: str,
    dilation: Sequence[int],
    groups: int,
    data_format: str,
) -> Array:
    """Gradient of the input: ``like`` gives its shape, ``g`` is the gradient of the output."""
    sizes = windows.spatial(like.shape, data_format[-1] == "C")
    plan = plan_of(sizes, w, stride, padding, padding_algorithm, dilation, groups)
    return back(xp, spread(xp, w, first(xp, g, data_format), plan), data_format)


def spread(xp: Any, w: Any, g: Any, plan: ConvPlan) -> Any:
    """Add every element of ``g`` (channel-first), times the weights, to the window it came from."""
    batch, count, groups = g.shape[0], w.shape[0], plan.groups
    channels = w.shape[1] * groups
    lead = (batch, channels)
    depthwise = groups > 1 and w.shape[1] == 1
    if not depthwise and batch > 1 and g.itemsize * batch * prod((*w.shape[1:], *plan.outs)) > 2 * _block_bytes(xp):
        return xp.concatenate([spread(xp, w, g[n : n + 1], plan) for n in range(batch)])
    if depthwise:
        g = g.reshape(batch, groups, count // groups, *plan.outs)
        weights = w.reshape(groups, -1, *plan.kernel, *[1] * len(plan.outs))
    else:
        parts = xp.matmul(
            w.reshape(groups, count // groups, prod(w.shape[1:])).swapaxes(1, 2),
            g.reshape(batch, groups, count // groups, prod(plan.outs)),
        ).reshape(*lead, *plan.kernel, *plan.outs)
        return parts.reshape(*lead, *plan.sizes) if plan.pointwise else plan.added(xp, parts)
    padded = xp.zeros((*lead, *plan.wide_sizes), g.dtype)
    for index, inner in plan.window_slices:
        padded[index] += (g * weights[inner]).sum(axis=2)
    return xp.ascontiguousarray(windows.crop(padded, plan.pads, plan.sizes))


def grad_filter(
    xp: ArrayModule,
    x: Array,
    like: Array,
    g: Array,
    stride: Sequence[int],
    padding: Sequence[int],
    padding_algorithm: str,
    dilation: Sequence[int],
    groups: int,
    data_format: str,
) -> Array:
    """Gradient of the weight: ``like`` gives its shape, ``g`` is the gradient of the output."""
    x, g = first(xp, x, data_format), first(xp, g, data_format)
    plan = plan_of(x.shape[2:], like, stride, padding, padding_algorithm, dilation, groups)
    count = like.shape[0]
    if groups > 1 and like.shape[1] == 1:
        padded = windows.pad(xp, x, plan.pads)[:, :, None]
        parts = g.reshape(g.shape[0], groups, count // groups, *plan.outs)
        axes = (0, *range(3, parts.ndim))
        taps = [blocked_sum.total(padded[index] * parts, axes) for index, _ in plan.window_slices]
        return xp.stack(taps, -1).reshape(like.shape)
    n, each = len(plan.outs), prod(plan.outs)
    columns = plan.columns(xp, x)
    if each >= _LONG:  # one product per image, whose operands are there already
        total = xp.zeros((groups, count // groups, prod(like.shape[1:])), g.dtype)
        for image, slope in zip(columns, g, strict=True):
            matrix = image.reshape(groups, total.shape[2], each).swapaxes(1, 2)
            total += xp.matmul(slope.reshape(groups, count // groups, each), matrix)
        return total.reshape(like.shape)
    positions = x.shape[0] * each  # one product over batch and positions: (K, N * P) against (M, N * P)
    columns = columns.transpose(*range(1, 2 + n), 0, *range(2 + n, 2 + 2 * n))
    columns = columns.reshape(groups, prod(like.shape[1:]), positions)
    flat = g.swapaxes(0, 1).reshape(groups, count // groups, positions)
    return xp.matmul(flat, columns.swapaxes(1, 2)).reshape(like.shape)
