"""The algorithms of pooling on arrays. `pool` calls them.

Regular windows are strided slices, one for each position inside the window. Adaptive windows differ in size: maxima gather them,
and averages are products with one small matrix for each dimension.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from math import prod
from operator import itemgetter
from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import AttrValue
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ops import blocked_sum
from to_static.compiler.ops.layers import windows
from to_static.compiler.ops.layers.conv_arrays import back, first
from to_static.compiler.ops.layers.interpolate import apply_matrices
from to_static.compiler.ops.reductions.reduce import mean_over
from to_static.core.array_types import Array, ArrayModule
from to_static.core.caching.cached_property import kept_property
from to_static.core.native_index import native


class PoolPlan:
    """Windows of one pooling over channel-first arrays with spatial ``sizes``."""

    def __init__(self, sizes: Sequence[int], attrs: dict[str, Any]) -> None:
        n = len(sizes)
        self.sizes = tuple(sizes)
        self.adaptive = attrs["adaptive"] or attrs["global_pooling"]
        self.exclusive = attrs["exclusive"]
        kernel = [1] * n if attrs["global_pooling"] else list(attrs["kernel_size"])
        if self.adaptive:
            self.outs, self.pads = kernel, [(0, 0)] * n
            self.starts = [np.arange(o) * i // o for i, o in zip(sizes, kernel, strict=True)]
            self.ends = [-(-(np.arange(o) + 1) * i // o) for i, o in zip(sizes, kernel, strict=True)]
            self.kernel = [int((e - s).max()) for s, e in zip(self.starts, self.ends, strict=True)]
            return
        self.kernel, self.stride = kernel, attrs["stride"]
        padding, algorithm = attrs["padding"], attrs["padding_algorithm"]
        self.outs = windows.output_sizes(sizes, kernel, self.stride, [1] * n, padding, algorithm, attrs["ceil_mode"])
        pads_before = [b for b, _ in windows.resolve(padding, algorithm, sizes, kernel, self.stride)]
        reach = [(o - 1) * s + k for o, s, k in zip(self.outs, self.stride, kernel, strict=True)]
        # rounding up may let the last window reach beyond the padding
        self.pads = [(b, max(r - b - i, 0)) for b, r, i in zip(pads_before, reach, sizes, strict=True)]
        self.starts = [np.arange(o) * s - b for o, s, b in zip(self.outs, self.stride, pads_before, strict=True)]
        self.ends = [np.minimum(s + k, i) for s, k, i in zip(self.starts, kernel, sizes, strict=True)]
        # padding that counts in averages: on both sides as much as before, as Paddle has it
        self.limits = [i + b for i, b in zip(sizes, pads_before, strict=True)]

    def padded_input(self, xp: ArrayModule, x: Array, value: float) -> Array:
        """Return ``x`` padded so that every window lies inside."""
        return windows.pad(xp, x, self.pads, value)

    def positions(self, xp: ArrayModule) -> Iterator[tuple[Any, ...]]:
        """For every offset inside a window: the index of those elements in the padded array."""
        for offset in windows.offsets(self.kernel):
            if self.adaptive:  # windows that are smaller repeat their last element
                rows = [np.minimum(s + o, e - 1) for s, e, o in zip(self.starts, self.ends, offset, strict=True)]
                yield (..., *(xp.asarray(r) for r in np.ix_(*rows)))
            else:
                yield windows.slices(offset, self.stride, [1] * len(offset), self.outs)

    @kept_property
    def slices(self) -> list[tuple[Any, ...]]:
        """`positions` of windows that are regular."""
        return list(self.positions(np))

    @kept_property
    def table(self) -> np.ndarray:
        """Flat positions in a padded plane, for every offset and output position (one after the other)."""
        plane = np.arange(prod(self.wide_sizes)).reshape(self.wide_sizes)
        return np.stack([plane[index].reshape(-1) for index in self.positions(np)]).reshape(-1)

    @kept_property
    def windows(self) -> tuple[np.ndarray, np.ndarray]:
        """Flat positions in a padded plane, a row for each window; and where each row begins in all of them."""
        count = prod(self.outs)
        rows = np.ascontiguousarray(self.table.reshape(-1, count).T)
        return rows, np.arange(count) * rows.shape[1]

    @kept_property
    def segments(self) -> list[tuple[int, np.ndarray, int]]:
        """Of adaptive windows, by dimension: the axis, the bounds that ``reduceat`` takes, and which of its results count.

        Empty where there are more windows than elements.
        """
        segments = []
        for axis, (starts, ends, size) in enumerate(zip(self.starts, self.ends, self.sizes, strict=True), 2):
            if np.array_equal(starts[1:], ends[:-1]):
                segments.append((axis, starts, 1))
            else:  # overlapping windows: each has both of its bounds, and what is between two windows does not count
                bounds = np.stack([starts, ends], 1).reshape(-1)
                segments.append((axis, bounds[:-1] if ends[-1] == size else bounds, 2))
            if segments[-1][1].max() >= size:
                return []
        return segments

    @kept_property
    def disjoint(self) -> bool:
        """True when no element is in two windows."""
        if self.adaptive:
            return all((s[1:] >= e[:-1]).all() for s, e in zip(self.starts, self.ends, strict=True))
        return all(s >= k for s, k in zip(self.stride, self.kernel, strict=True))

    @kept_property
    def wide_sizes(self) -> tuple[int, ...]:
        """Spatial sizes of the padded array."""
        return tuple(i + b + a for i, (b, a) in zip(self.sizes, self.pads, strict=True))

    def counts(self, xp: ArrayModule, dtype: np.dtype | str) -> Array | int:
        """Number of elements that each window's sum is divided by: a number, or one for each output position."""
        if not any(b or a for b, a in self.pads):
            return prod(self.kernel)
        if self.exclusive:
            inside = [e - np.maximum(s, 0) for s, e in zip(self.starts, self.ends, strict=True)]
        else:
            parts = zip(self.starts, self.kernel, self.limits, strict=True)
            inside = [np.minimum(s + k, limit) - s for s, k, limit in parts]
        inside = [np.maximum(n, 1) for n in inside]  # a window without elements has the sum 0
        total = inside[0]
        for more in inside[1:]:
            total = total[..., None] * more
        return xp.asarray(total.astype(dtype))

    def matrices(self, xp: ArrayModule, dtype: np.dtype) -> list[Any]:
        """For adaptive averages: ``(out, in)`` weights of each spatial dimension."""
        rows = []
        for start, end, size in zip(self.starts, self.ends, self.sizes, strict=True):
            column = np.arange(size)
            inside = (column >= start[:, None]) & (column < end[:, None])
            rows.append(xp.asarray((inside / (end - start)[:, None]).astype(dtype)))
        return rows


_PLANNED = ("kernel_size", "stride", "padding", "padding_algorithm", "ceil_mode", "exclusive", "adaptive", "global_pooling")
_lists, _others = itemgetter(*_PLANNED[:3]), itemgetter(*_PLANNED[3:])


def _plan(x: Array | TensorSpec, attrs: dict[str, Any]) -> PoolPlan:
    settings = (*map(tuple, _lists(attrs)), *_others(attrs))
    return _planned(windows.spatial(x.shape, attrs["data_format"][-1] == "C"), settings)


@functools.lru_cache(maxsize=256)
def _planned(sizes: tuple[int, ...], settings: tuple[Any, ...]) -> PoolPlan:
    return PoolPlan(sizes, dict(zip(_PLANNED, settings, strict=True)))


def _lowest(x: Array) -> float:
    return float(np.finfo(x.dtype).min)


def forward(xp: Any, x: Any, out: Any = None, **attrs: Any) -> Any:
    """Maxima or averages of the windows."""
    plan, layout = _plan(x, attrs), attrs["data_format"]
    buffer = out if layout[-1] != "C" else None
    x = first(xp, x, layout)
    if attrs["pooling_type"] == "max":
        y = _maximum(xp, x, plan, buffer)
    elif plan.adaptive and max(plan.outs) == 1:
        y = mean_over(xp, x, tuple(range(2, x.ndim)))
    elif plan.adaptive:
        y = apply_matrices(xp, x, plan.matrices(xp, x.dtype))
    else:
        y = _reduce(xp, plan.padded_input(xp, x, 0), plan, xp.add, buffer)
        xp.divide(y, plan.counts(xp, y.dtype), y)
    y = back(xp, y, layout)
    if out is None or y is out:
        return y
    out[...] = y
    return out


def specialized_kernel(out: TensorSpec, x: TensorSpec, **attrs: Any) -> Callable[[Any], Any] | None:
    """`forward` for one window over everything, maxima of adaptive windows, and regular ones without padding.

    The positions of the elements of regular windows are computed here.
    """
    plan = _plan(x, attrs)
    if attrs["data_format"][-1] == "C":
        return None
    if plan.adaptive and max(plan.outs) == 1 and out.size:
        axes = tuple(range(2, x.ndim))
        if attrs["pooling_type"] == "avg":
            return lambda x: mean_over(np, x, axes)
        return functools.partial(np.maximum.reduce, axis=axes, keepdims=True)
    if plan.adaptive and attrs["pooling_type"] == "max" and out.size:
        return lambda x: _maximum(np, x, plan)
    if plan.adaptive or any(map(any, plan.pads)) or max(plan.kernel) < 2 or not out.size:
        return None
    steps, average = _places(plan), attrs["pooling_type"] == "avg"
    join, count = (np.add if average else np.maximum), prod(plan.kernel)

    def specialized_kernel_run(x: Any) -> Array:
        for positions in steps:
            parts = [x[position] for position in positions]
            x = _joined(join, parts, None) if len(parts) > 1 else parts[0]
        if not x.flags.c_contiguous:
            x = x.copy()
        return np.divide(x, count, x) if average else x

    return specialized_kernel_run


def _places(plan: PoolPlan) -> list[list[tuple[Any, ...]]]:
    """By dimension, where the elements of each regular window stand."""
    n, windows_by_axis = len(plan.kernel), []
    for axis in range(n):
        tail = (slice(None),) * (n - 1 - axis)
        step, count = plan.stride[axis], plan.outs[axis]
        last = step * (count - 1) + 1
        windows_by_axis.append([(..., slice(o, o + last, step), *tail) for o in range(plan.kernel[axis])])
    return windows_by_axis


_TOGETHER = 32  # parts that are added one after the other where there are very many


def _joined(ufunc: Callable[..., Any], parts: list[Any], out: Any) -> Array:
    """``ufunc`` over two or more arrays; very many are joined in groups, so that rounding errors of sums stay small."""
    while len(parts) >= blocked_sum.DEEP:
        step = -(-len(parts) // _TOGETHER)
        parts = [_joined(ufunc, parts[k::step], None) for k in range(step)]
    y = ufunc(parts[0], parts[1], out=out)
    for part in parts[2:]:
        ufunc(y, part, out=y)
    return y


def _reduce(xp: ArrayModule, array: Array, plan: PoolPlan, ufunc: Callable[..., Any], out: Array | None) -> Any:
    """``ufunc`` over the elements of each regular window, one dimension after the other; a new array, or ``out``."""
    n = len(plan.kernel)
    for axis, positions in enumerate(_places(plan)):
        parts = [array[position] for position in positions]
        if len(parts) == 1:
            array = parts[0]
            continue
        array = _joined(ufunc, parts, out if axis == n - 1 else None)
    return array if array is out or (array.flags.owndata and array.flags.c_contiguous) else array.copy()


def _maximum(xp: ArrayModule, x: Array, plan: PoolPlan, out: Array | None = None) -> Any:
    if not plan.adaptive:
        return _reduce(xp, plan.padded_input(xp, x, _lowest(x)), plan, xp.maximum, out)
    if max(plan.outs) == 1:
        return x.max(axis=tuple(range(2, x.ndim)), keepdims=True)
    if xp is np and plan.segments:
        for axis, bounds, step in reversed(plan.segments):  # the elements of the last dimension lie side by side
            x = np.maximum.reduceat(x, bounds, axis)
            if step > 1:
                x = x[(slice(None),) * axis + (slice(None, None, step),)]
        return np.ascontiguousarray(x)
    largest = None
    for index in plan.positions(xp):
        part = x[index]
        largest = part if largest is None else xp.maximum(largest, part, out=largest)
    return largest


def gradient(xp: Any, x: Any, result: Any, g: Any, **attrs: Any) -> Any:
    """Spread ``g`` over the windows: to the first maximum, or evenly."""
    plan, layout = _plan(x, attrs), attrs["data_format"]
    x, result, g = (first(xp, a, layout) for a in (x, result, g))
    if attrs["pooling_type"] == "avg" and plan.adaptive:
        return back(xp, apply_matrices(xp, g, [m.T for m in plan.matrices(xp, g.dtype)]), layout)
    shape = (*x.shape[:2], *plan.wide_sizes)
    if attrs["pooling_type"] == "avg":
        dx = xp.zeros(shape, g.dtype)
        share = g / plan.counts(xp, g.dtype)
        for index in plan.slices if not plan.adaptive else plan.positions(xp):
            if plan.disjoint:
                dx[index] = share
            else:
                dx[index] += share
    elif xp is np and plan.disjoint and not _in_rows(result, plan):
        dx = _to_winners(plan.padded_input(xp, x, _lowest(x)), result, g, plan)
    else:
        positions = _winners(xp, x, result, plan).reshape(-1)
        weights = xp.ascontiguousarray(g).reshape(-1)
        if plan.disjoint:
            dx = xp.zeros(prod(shape), g.dtype)
            dx[positions] = weights
        else:
            dx = xp.bincount(positions, weights, prod(shape)).astype(g.dtype)
        dx = dx.reshape(shape)
    return back(xp, xp.ascontiguousarray(windows.crop(dx, plan.pads, plan.sizes)), layout)


def _to_winners(x: Array, result: Array, g: Array, plan: PoolPlan) -> Array:
    """``g`` at the first maximum of each window, of which none has an element of another; of a window with nan the last one."""
    dx = np.zeros(x.shape, g.dtype)
    free = np.ones(result.shape, bool)  # windows that have given their gradient to none so far
    *every, last = plan.slices
    for index in every:
        hit = np.equal(x[index], result)
        np.logical_and(hit, free, hit)
        np.copyto(dx[index], g, where=hit)
        np.greater(free, hit, free)
    np.copyto(dx[last], g, where=free)
    return dx


_FEW = 1 << 10  # windows of which all elements together are compared sooner than one position after the other


def _in_rows(result: Array, plan: PoolPlan) -> bool:
    """True where `_winners` compares the elements of all windows at once. (Those of adaptive ones are no slices.)"""
    return plan.adaptive or result.size <= _FEW


def _winners(xp: ArrayModule, x: Array, result: Array, plan: PoolPlan) -> Array:
    """Positions of the first maximum of each window in the flattened padded ``x``, shaped ``(N, C, P)``.

    Of a window with nan it is the last position.
    """
    padded = plan.padded_input(xp, x, _lowest(x))
    if xp is np and _in_rows(result, plan):
        rows, begins = plan.windows
        planes = prod(x.shape[:2])
        hits = padded.reshape(planes, prod(plan.wide_sizes)).take(native(rows), 1) == result.reshape(planes, prod(plan.outs), 1)
        hits[..., -1] = True
        first_hits = rows.reshape(-1).take(native(hits.argmax(-1) + begins))
        first_hits += np.arange(planes)[:, None] * prod(plan.wide_sizes)
        return native(first_hits.reshape(*x.shape[:2], prod(plan.outs)))
    every = list(plan.positions(xp)) if plan.adaptive else plan.slices
    index_dtype = np.uint8 if len(every) < 256 else np.int32
    rank = xp.zeros(result.shape, index_dtype)  # counts down from the first offset: the largest rank that hits is the first maximum
    for k, index in enumerate(every):
        hit = (padded[index] == result).view("uint8")
        xp.maximum(rank, xp.multiply(hit, index_dtype(len(every) - k)), out=rank)
    offset = index_dtype(len(every)) - xp.maximum(rank, index_dtype(1))
    batch, channels = x.shape[:2]
    count = prod(plan.outs)
    positions = offset.astype(np.int64).reshape(batch, channels, count) * count
    positions += xp.arange(count)
    positions = xp.asarray(plan.table).take(native(positions))
    positions += (xp.arange(batch * channels) * prod(plan.wide_sizes)).reshape(batch, channels, 1)
    return native(positions)


def pick(xp: Any, x: Any, result: Any, u: Any, **attrs: Any) -> Any:
    """From each window the element of ``u`` at the first maximum of ``x``."""
    plan, layout = _plan(x, attrs), attrs["data_format"]
    x, result, u = (first(xp, a, layout) for a in (x, result, u))
    padded = xp.ascontiguousarray(plan.padded_input(xp, u, 0))
    return back(xp, padded.reshape(-1).take(_winners(xp, x, result, plan)).reshape(result.shape), layout)


def with_index(xp: ArrayModule, x: Array, **attrs: AttrValue) -> tuple[Array, ...]:
    """Maxima of the windows, and their positions in the flattened spatial dimensions (int32)."""
    plan = _plan(x, attrs)
    out = _maximum(xp, x, plan)
    flat_index = np.arange(prod(plan.sizes), dtype="int32").reshape(plan.sizes)
    flat_index = xp.asarray(windows.pad(np, flat_index, plan.pads).reshape(-1))
    return out, flat_index.take(_winners(xp, x, out, plan) % prod(plan.wide_sizes)).reshape(out.shape)
