"""Pooling of regions of feature maps: the contents of boxes as grids of one size (roi_align, roi_pool)."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import AttrValue, GradContext, Sample, op
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import dtype_checks
from to_static.compiler.ops.indexing.index import add_at
from to_static.compiler.ops.pointwise.elementwise import f32
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.dtypes import int64
from to_static.core.errors import ArgumentError, DTypeError, ShapeError

_SIZES = "pooled_height:int pooled_width:int spatial_scale:float"
_ALIGN = f"{_SIZES} sampling_ratio:int aligned:bool"


def regions(name: str, x: TensorSpec, boxes: TensorSpec, count: TensorSpec | None, attrs: dict[str, Any]) -> TensorSpec:
    """Shape rule: one grid for each box."""
    dtype_checks.need_float(x, name)
    if x.ndim != 4 or boxes.ndim != 2 or boxes.shape[1] not in (4, -1) or (count is not None and count.ndim != 1):
        raise ShapeError(
            f"{name}: expected [N, C, H, W], boxes [R, 4] and their number for each image [N], got {show(x.shape)}, "
            f"{show(boxes.shape)} and {show(count.shape) if count is not None else None}"
        )
    if count is None and x.shape[0] not in (1, -1):
        raise ShapeError(f"{name}: without the number of boxes of each image there can be one only, got {show(x.shape)}")
    if count is not None and UNKNOWN not in (count.shape[0], x.shape[0]) and count.shape[0] != x.shape[0]:
        raise ShapeError(f"{name}: expected the number of boxes of each of {x.shape[0]} images, got {show(count.shape)} numbers")
    if (count is not None and not count.dtype.is_integer) or boxes.dtype is not x.dtype:
        raise DTypeError(f"{name}: expected boxes of {x.dtype.name} and integer numbers, got {boxes} and {count}")
    if attrs["pooled_height"] < 1 or attrs["pooled_width"] < 1:
        raise ShapeError(f"{name}: the output size must be positive, got {attrs['pooled_height']} x {attrs['pooled_width']}")
    return x.with_shape((boxes.shape[0], x.shape[1], attrs["pooled_height"], attrs["pooled_width"]))


def image_of(xp: ArrayModule, count: Array, boxes: Array) -> Array:
    """For each box the number of its image."""
    last = xp.cumsum(count)
    if boxes.shape[0] > (total := int(last[-1]) if count.shape[0] else 0):
        raise ArgumentError(f"boxes of no image: there are {boxes.shape[0]}, but boxes_num adds up to {total}")
    return (xp.arange(boxes.shape[0])[:, None] >= last[None, :]).sum(1)


_MANY = 1 << 22  # numbers of copied maps, beyond which they are taken one box at a time


def _each(xp: ArrayModule, rows: Array, columns: Array, image: Array, x: Array) -> Array:
    """``rows @ map @ columns.T`` for each box, of the part of the map of its image that counts."""
    pooled = xp.empty((image.shape[0], x.shape[1], rows.shape[1], columns.shape[1]), x.dtype)
    for i, ((first_row, end_row), (first_column, end_column)) in enumerate(zip(_spans(xp, rows), _spans(xp, columns), strict=True)):
        part = x[int(image[i]), :, first_row:end_row, first_column:end_column]
        pooled[i] = xp.matmul(xp.matmul(rows[i, :, first_row:end_row], part), columns[i, :, first_column:end_column].T)
    return pooled


def _spans(xp: ArrayModule, weights: Array) -> list[tuple[int, int]]:
    """For each box the first and last + 1 line that counts."""
    counts = (weights != 0).any(1)
    first, last = counts.argmax(1), counts.shape[1] - counts[:, ::-1].argmax(1)
    return [(a, b) if some else (0, 0) for a, b, some in zip(first.tolist(), last.tolist(), counts.any(1).tolist(), strict=True)]


def _weights(xp: ArrayModule, low: Array, length: Array, size: int, pooled: int, ratio: int) -> Array:
    """Return ``[R, pooled, size]``: the weight of each row of the map in each row of the grid, averaged over its sampled points."""
    step = length / pooled
    counts = xp.maximum(xp.ceil(step), 0) if ratio <= 0 else xp.full(step.shape, float(ratio), step.dtype)
    max_points = ratio if ratio > 0 else max(int(counts.max()), 1) if counts.size else 1
    if low.shape[0] > 1 and low.shape[0] * pooled * max_points * size > _MANY:
        middle = low.shape[0] // 2
        parts = [_weights(xp, low[part], length[part], size, pooled, ratio) for part in (slice(middle), slice(middle, None))]
        return xp.concatenate(parts)
    points = xp.arange(max_points).astype(step.dtype)
    rows = xp.arange(pooled).astype(step.dtype)
    spacing = step / xp.maximum(counts, 1)
    coordinate = (low[:, None] + rows[None, :] * step[:, None])[:, :, None]
    coordinate = coordinate + (points + 0.5)[None, None, :] * spacing[:, None, None]
    counted = (points[None, None, :] < counts[:, None, None]) & (coordinate >= -1) & (coordinate <= size)
    coordinate = xp.clip(coordinate, 0, None)
    base = xp.minimum(coordinate.astype("int64"), size - 1)
    fraction = xp.where(base >= size - 1, xp.zeros_like(coordinate), coordinate - base)
    share = counted / xp.maximum(counts, 1)[:, None, None]
    map_rows = xp.arange(size)[None, None, None, :]
    lower_weight = (base[..., None] == map_rows) * ((1 - fraction) * share)[..., None]
    upper_weight = (xp.minimum(base + 1, size - 1)[..., None] == map_rows) * (fraction * share)[..., None]
    return (lower_weight + upper_weight).sum(2).astype(step.dtype)


def _grids(xp: ArrayModule, sizes: tuple[int, ...], boxes: Array, attrs: dict[str, Any]) -> tuple[Any, Any]:
    """The weights of rows and of columns for each box."""
    shift = 0.5 if attrs["aligned"] else 0.0
    corners = boxes * boxes.dtype.type(attrs["spatial_scale"]) - boxes.dtype.type(shift)
    spans = corners[:, 2:] - corners[:, :2]
    if not attrs["aligned"]:
        spans = xp.maximum(spans, 1)
    ratio = attrs["sampling_ratio"]
    rows = _weights(xp, corners[:, 1], spans[:, 1], sizes[0], attrs["pooled_height"], ratio)
    return rows, _weights(xp, corners[:, 0], spans[:, 0], sizes[1], attrs["pooled_width"], ratio)


@op(f"roi_align(X, ROIs, RoisNum -> Out) {_ALIGN}", traits="check_shapes")
def roi_align_op(
    x: Tensor,
    boxes: Tensor,
    boxes_num: Tensor,
    pooled_height: int = 1,
    pooled_width: int = 1,
    spatial_scale: float = 1.0,
    sampling_ratio: int = -1,
    aligned: bool = False,
) -> Tensor:
    """A grid of ``pooled_height`` x ``pooled_width`` averages of bilinear samples for each box.

    See `paddle.vision.ops.roi_align`.
    """
    return roi_align_op.emit(
        x, boxes, boxes_num, pooled_height=int(pooled_height), pooled_width=int(pooled_width),
        spatial_scale=float(np.float32(spatial_scale)), sampling_ratio=int(sampling_ratio), aligned=bool(aligned),
    )  # fmt: skip


@roi_align_op.infer
def _(x: TensorSpec, boxes: TensorSpec, count: TensorSpec, **attrs: AttrValue) -> TensorSpec:
    return regions("roi_align", x, boxes, count, attrs)


@roi_align_op.kernel
def _(xp: ArrayModule, x: Array, boxes: Array, count: Array, **attrs: AttrValue) -> Array:
    rows, columns = _grids(xp, x.shape[2:], boxes, attrs)
    image = image_of(xp, count, boxes)
    if image.shape[0] * x[:1].size > _MANY:
        return _each(xp, rows, columns, image, x)
    return xp.matmul(xp.matmul(rows[:, None], x[image]), columns[:, None].swapaxes(-1, -2))


@roi_align_op.may_raise
def _(x: Any, boxes: Any, count: Any, **attrs: AttrValue) -> bool:
    return True  # more boxes than the numbers say


@roi_align_op.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    x, boxes, count = ctx.inputs
    return (roi_align_grad(x, boxes, count, g, **ctx.attrs) if ctx.needs[0] else None), None, None


@op(f"roi_align_grad(Like, ROIs, RoisNum, G -> DX) {_ALIGN}", file=None)
def roi_align_grad(like: Tensor, boxes: Tensor, boxes_num: Tensor, g: Tensor, **attrs: AttrValue) -> Tensor:
    """The transpose of `roi_align` for maps shaped as ``like``."""
    return roi_align_grad.emit(like, boxes, boxes_num, g, **attrs)


@roi_align_grad.infer
def _(like: TensorSpec, boxes: TensorSpec, count: TensorSpec, g: TensorSpec, **attrs: AttrValue) -> TensorSpec:
    return like


@roi_align_grad.kernel
def _(xp: ArrayModule, like: Array, boxes: Array, count: Array, g: Array, **attrs: AttrValue) -> Array:
    rows, columns = _grids(xp, like.shape[2:], boxes, attrs)
    dx, image = xp.zeros(like.shape, g.dtype), image_of(xp, count, boxes)
    if image.shape[0] * like[:1].size > _MANY:
        for i, ((top, bottom), (left, right)) in enumerate(zip(_spans(xp, rows), _spans(xp, columns), strict=True)):
            part = xp.matmul(xp.matmul(rows[i, :, top:bottom].T, g[i]), columns[i, :, left:right])
            dx[int(image[i]), :, top:bottom, left:right] += part
        return dx
    add_at(xp, dx, (image,), xp.matmul(xp.matmul(rows[:, None].swapaxes(-1, -2), g), columns[:, None]))
    return dx


@roi_align_grad.grad
def _(ctx: GradContext, u: Tensor) -> Any:
    return None, None, None, roi_align_op(u, *ctx.inputs[1:3], **ctx.attrs)


def _bounds(xp: ArrayModule, low: Array, high: Array, pooled: int, size: int) -> tuple[Any, Any]:
    """First and last + 1 row of each grid row: ``[R, pooled]`` each."""
    step = (xp.maximum(high - low + 1, 1).astype("float32") / np.float32(pooled))[:, None]
    rows = xp.arange(pooled).astype("float32")[None, :]
    start = xp.floor(rows * step).astype("int64") + low[:, None]
    end = xp.ceil((rows + 1) * step).astype("int64") + low[:, None]
    return xp.clip(start, 0, size), xp.clip(end, 0, size)


def rounded(xp: ArrayModule, x: Array) -> Array:
    """Halves away from zero, as C rounds."""
    return (xp.sign(x) * xp.floor(xp.abs(x) + 0.5)).astype("int64")


@op(f"roi_pool(X, ROIs, RoisNum -> Out, Argmax?) {_SIZES}", traits="check_shapes")
def roi_pool_op(
    x: Tensor,
    boxes: Tensor,
    boxes_num: Tensor,
    pooled_height: int = 1,
    pooled_width: int = 1,
    spatial_scale: float = 1.0,
) -> tuple[Tensor, ...]:
    """The maxima of a grid of ``pooled_height`` x ``pooled_width`` parts of each box, and where they stand in the plane.

    See `paddle.vision.ops.roi_pool`.
    """
    return roi_pool_op.emit(
        x, boxes, boxes_num, pooled_height=int(pooled_height), pooled_width=int(pooled_width),
        spatial_scale=float(np.float32(spatial_scale)),
    )  # fmt: skip


@roi_pool_op.infer
def _(x: TensorSpec, boxes: TensorSpec, count: TensorSpec, **attrs: AttrValue) -> tuple[TensorSpec, ...]:
    out = regions("roi_pool", x, boxes, count, attrs)
    return out, out.with_dtype(int64)


@roi_pool_op.kernel
def _(
    xp: ArrayModule, x: Array, boxes: Array, count: Array, pooled_height: int, pooled_width: int, spatial_scale: float
) -> tuple[Array, ...]:
    corners = rounded(xp, boxes * boxes.dtype.type(spatial_scale))
    height, width = x.shape[2:]
    top, bottom = _bounds(xp, corners[:, 1], corners[:, 3], pooled_height, height)
    left, right = _bounds(xp, corners[:, 0], corners[:, 2], pooled_width, width)
    image = image_of(xp, count, boxes)
    if xp is np or image.shape[0] * x[:1].size > _MANY:
        return _each_maximum(xp, x, image, (top, bottom), (left, right))
    maps = x[image]
    lines, offsets = xp.arange(height), xp.arange(width)
    low = xp.asarray(-np.inf, x.dtype)
    out = xp.zeros((boxes.shape[0], x.shape[1], pooled_height, pooled_width), x.dtype)
    where = xp.full(out.shape, -1, "int64")
    for i in range(pooled_height):
        rows = (lines >= top[:, i, None]) & (lines < bottom[:, i, None])
        for j in range(pooled_width):
            columns = (offsets >= left[:, j, None]) & (offsets < right[:, j, None])
            inside = (rows[:, :, None] & columns[:, None, :])[:, None]
            part = xp.where(inside, maps, low).reshape(*out.shape[:2], height * width)
            best = part.argmax(-1)
            some = inside.any(axis=(-1, -2))
            out[:, :, i, j] = xp.where(some, xp.take_along_axis(part, best[..., None], -1)[..., 0], xp.zeros_like(part[..., 0]))
            where[:, :, i, j] = xp.where(some, best, xp.full_like(best, -1))
    return out, where


def _each_maximum(
    xp: ArrayModule, x: Array, image: Array, rows: tuple[Array, ...], columns: tuple[Array, ...]
) -> tuple[Any, Any]:
    """Return the maximum of each part of each box, and its flat index in the map (-1 for an empty part)."""
    (top_edges, bottom_edges), (left_edges, right_edges) = ([ends.tolist() for ends in pair] for pair in (rows, columns))
    channels, width = x.shape[1], x.shape[3]
    grid = rows[0].shape[1], columns[0].shape[1]
    out = xp.zeros((len(top_edges), *grid, channels), x.dtype)
    where = xp.full(out.shape, -1, "int64")
    maps = xp.ascontiguousarray(x.transpose(0, 2, 3, 1))  # channels last: they are compared side by side
    for r, n in enumerate(image.tolist()):
        first, end = min(left_edges[r]), max(right_edges[r])
        bands = [i for i in range(grid[0]) if top_edges[r][i] < bottom_edges[r][i]]
        if not bands or first >= end:
            continue
        positions = xp.arange(first, end)[:, None]
        best = xp.empty((len(bands), end - first, channels), x.dtype)  # of the rows of each band: the maxima and where they are
        best_at = xp.empty(best.shape, "int64")
        for k, i in enumerate(bands):
            top, bottom = top_edges[r][i], bottom_edges[r][i]
            part = maps[n, top:bottom, first:end]
            best[k] = part.max(0)
            line = xp.full(best.shape[1:], bottom - 1, "int64")
            for row in range(bottom - 2, top - 1, -1):
                line = xp.where(_is_best(part[row - top], best[k]), row, line)
            best_at[k] = line * width + positions
        for j, (left, right) in enumerate(zip(left_edges[r], right_edges[r], strict=True)):
            if left < right:
                part = best[:, left - first : right - first]
                maximum = part.max(1)
                out[r, bands, j] = maximum
                at = xp.where(_is_best(part, maximum[:, None]), best_at[:, left - first : right - first], x[0, 0].size)
                where[r, bands, j] = at.min(1)
    return xp.ascontiguousarray(out.transpose(0, 3, 1, 2)), xp.ascontiguousarray(where.transpose(0, 3, 1, 2))


def _is_best(values: Array, maximum: Array) -> Array:
    return (values == maximum) | (values != values)  # of what has a nan the maximum is that


@roi_pool_op.may_raise
def _(x: Any, boxes: Any, count: Any, **attrs: AttrValue) -> bool:
    return True


@roi_pool_op.grad
def _(ctx: GradContext, g: Tensor, _where: Any) -> Any:
    x, boxes, count = ctx.inputs
    return (roi_pool_grad(x, boxes, count, ctx.outputs[1], g) if ctx.needs[0] else None), None, None


@op("roi_pool_grad(Like, ROIs, RoisNum, Argmax, G -> DX)", file=None)
def roi_pool_grad(like: Tensor, boxes: Tensor, boxes_num: Tensor, argmax: Tensor, g: Tensor) -> Tensor:
    """``g`` put where `roi_pool` found its maxima, in maps shaped as ``like``."""
    return roi_pool_grad.emit(like, boxes, boxes_num, argmax, g)


@roi_pool_grad.infer
def _(like: TensorSpec, boxes: TensorSpec, count: TensorSpec, argmax: TensorSpec, g: TensorSpec) -> TensorSpec:
    return like


def _planes(xp: ArrayModule, boxes: Array, count: Array, argmax: Array) -> tuple[Any, Any]:
    """Image and channel of each element of ``argmax``."""
    image = image_of(xp, count, boxes)[:, None, None, None]
    return image, xp.arange(argmax.shape[1])[None, :, None, None]


@roi_pool_grad.kernel
def _(xp: ArrayModule, like: Array, boxes: Array, count: Array, argmax: Array, g: Array) -> Array:
    dx = xp.zeros((*like.shape[:2], like.shape[2] * like.shape[3]), g.dtype)
    image, channel = _planes(xp, boxes, count, argmax)
    add_at(xp, dx, (image, channel, xp.maximum(argmax, 0)), xp.where(argmax >= 0, g, xp.zeros_like(g)))
    return dx.reshape(like.shape)


@roi_pool_grad.grad
def _(ctx: GradContext, u: Tensor) -> Any:
    return None, None, None, None, roi_pool_pick(u, *ctx.inputs[1:4])


@op("roi_pool_pick(U, ROIs, RoisNum, Argmax -> G)", file=None)
def roi_pool_pick(u: Tensor, boxes: Tensor, boxes_num: Tensor, argmax: Tensor) -> Tensor:
    """The elements of ``u`` where `roi_pool` found its maxima."""
    return roi_pool_pick.emit(u, boxes, boxes_num, argmax)


@roi_pool_pick.infer
def _(u: TensorSpec, boxes: TensorSpec, count: TensorSpec, argmax: TensorSpec) -> TensorSpec:
    return argmax.with_dtype(u.dtype)


@roi_pool_pick.kernel
def _(xp: ArrayModule, u: Array, boxes: Array, count: Array, argmax: Array) -> Array:
    image, channel = _planes(xp, boxes, count, argmax)
    picked = u.reshape(*u.shape[:2], -1)[image, channel, xp.maximum(argmax, 0)]
    return xp.where(argmax >= 0, picked, xp.zeros_like(picked))


@roi_pool_pick.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    u, boxes, count, argmax = ctx.inputs
    return roi_pool_grad(u, boxes, count, argmax, g), None, None, None


_BOXES = np.asarray([[0, 0, 4, 4], [1, 1, 7, 5], [2, 0.5, 3, 7.5]], "float32")
_COUNT = np.asarray([2, 1], "int32")
_GRID: dict[str, Any] = {"pooled_height": 3, "pooled_width": 2, "spatial_scale": 0.5}
_MEAN: dict[str, Any] = {**_GRID, "sampling_ratio": -1, "aligned": True}


def _argmax() -> np.ndarray:
    return roi_pool_op.op.kernels["*"](np, f32(2, 2, 5, 6), _BOXES, _COUNT, **_GRID)[1]  # type: ignore[no-any-return]


roi_align_op.samples(
    lambda: [
        Sample(f32(2, 2, 5, 6), _BOXES, _COUNT, grad=(0,), **_MEAN),
        Sample(f32(2, 2, 5, 6), _BOXES, _COUNT, grad=(0,), **(_MEAN | {"sampling_ratio": 2, "aligned": False})),
    ]
)
roi_align_grad.samples(lambda: [Sample(f32(2, 2, 5, 6), _BOXES, _COUNT, f32(3, 2, 3, 2), grad=(3,), **_MEAN)])
roi_pool_op.samples(lambda: [Sample(f32(2, 2, 5, 6), _BOXES, _COUNT, grad=(0,), **_GRID)])
roi_pool_grad.samples(lambda: [Sample(f32(2, 2, 5, 6), _BOXES, _COUNT, _argmax(), f32(3, 2, 3, 2), grad=(4,))])
roi_pool_pick.samples(lambda: [Sample(f32(2, 2, 5, 6), _BOXES, _COUNT, _argmax(), grad=(0,))])
