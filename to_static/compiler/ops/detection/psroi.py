"""Position-sensitive pooling of regions: each part of a box has its own channels (psroi_pool)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.ir.opdef import AttrValue, GradContext, Sample, op
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops.detection.regions import image_of, regions, rounded
from to_static.compiler.ops.pointwise.elementwise import f32
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.errors import ShapeError

if TYPE_CHECKING:
    from to_static.compiler.ir.file_hooks import FileReader

_ATTRS = "output_channels:int pooled_height:int pooled_width:int spatial_scale:float"


@op(f"psroi_pool(X, ROIs, RoisNum? -> Out) {_ATTRS}", traits="check_shapes")
def psroi_pool_op(
    x: Tensor,
    boxes: Tensor,
    boxes_num: Tensor | None = None,
    output_channels: int = 1,
    pooled_height: int = 1,
    pooled_width: int = 1,
    spatial_scale: float = 1.0,
) -> Tensor:
    """Averages of a grid of parts of each box, each from its own channels; see `paddle.vision.ops.psroi_pool`."""
    return psroi_pool_op.emit(
        x, boxes, boxes_num, output_channels=int(output_channels), pooled_height=int(pooled_height),
        pooled_width=int(pooled_width), spatial_scale=float(np.float32(spatial_scale)),
    )  # fmt: skip


@psroi_pool_op.infer
def _(x: TensorSpec, boxes: TensorSpec, count: TensorSpec | None, **attrs: Any) -> TensorSpec:
    out = regions("psroi_pool", x, boxes, count, attrs)
    channels = attrs["output_channels"] * attrs["pooled_height"] * attrs["pooled_width"]
    if x.shape[1] not in (channels, UNKNOWN):
        raise ShapeError(
            f"psroi_pool: expected channels for each part, {attrs['pooled_height']} x {attrs['pooled_width']} times "
            f"{attrs['output_channels']}, got {show(x.shape)}"
        )
    return out.with_shape((out.shape[0], attrs["output_channels"], *out.shape[2:]))


def _lines(xp: ArrayModule, low: Array, high: Array, pooled: int, size: int) -> Array:
    """``[R, pooled, size]``: which rows of the map belong to which row of the grid."""
    step = (xp.maximum(high - low, low.dtype.type(0.1)) / pooled)[:, None]
    rows = xp.arange(pooled).astype(low.dtype)[None, :]
    start = xp.clip(xp.floor(rows * step + low[:, None]), 0, size)[:, :, None]
    end = xp.clip(xp.ceil((rows + 1) * step + low[:, None]), 0, size)[:, :, None]
    positions = xp.arange(size)[None, None, :]
    return ((positions >= start) & (positions < end)).astype(low.dtype)


def _grids(xp: ArrayModule, sizes: tuple[int, ...], boxes: Array, attrs: dict[str, Any]) -> tuple[Any, Any, Any]:
    """Rows and columns of the parts, and one over how many elements each has (0 for none)."""
    scale = boxes.dtype.type(attrs["spatial_scale"])
    low = rounded(xp, boxes[:, :2]).astype(boxes.dtype) * scale
    high = (rounded(xp, boxes[:, 2:]) + 1).astype(boxes.dtype) * scale
    rows = _lines(xp, low[:, 1], high[:, 1], attrs["pooled_height"], sizes[0])
    columns = _lines(xp, low[:, 0], high[:, 0], attrs["pooled_width"], sizes[1])
    count = rows.sum(-1)[:, :, None] * columns.sum(-1)[:, None, :]
    return rows, columns, xp.where(count > 0, 1 / xp.maximum(count, 1), xp.zeros_like(count))


def _image(xp: ArrayModule, count: Array | None, boxes: Array) -> Array:
    return xp.zeros(boxes.shape[0], "int64") if count is None else image_of(xp, count, boxes)


@psroi_pool_op.kernel
def _(xp: ArrayModule, x: Array, boxes: Array, count: Array | None, **attrs: Any) -> Any:
    rows, columns, share = _grids(xp, x.shape[2:], boxes, attrs)
    channels, height, width = attrs["output_channels"], attrs["pooled_height"], attrs["pooled_width"]
    maps, image = x.reshape(x.shape[0], channels, height, width, *x.shape[2:]), _image(xp, count, boxes)
    sums = xp.zeros((height, width, boxes.shape[0], channels), x.dtype)
    for n, chosen in _batches(xp, image, maps):
        planes = maps[n].transpose(1, 2, 3, 0, 4).reshape(height, width, x.shape[2], -1)
        lines = xp.matmul(rows[chosen].transpose(1, 0, 2)[:, None], planes).reshape(height, width, -1, channels, x.shape[3])
        sums[:, :, chosen] = xp.matmul(lines, columns[chosen].transpose(1, 0, 2)[..., None])[..., 0]
    return sums.transpose(2, 3, 0, 1) * share[:, None]


_MANY = 1 << 20  # numbers of the boxes of a batch


def _batches(xp: ArrayModule, image: Array, maps: Array) -> Iterator[tuple[int, Array]]:
    """Images, and boxes that they have: as many as fit into caches."""
    step = max(1, _MANY // max(1, maps[0, ..., 0, :].size)) if maps.shape[0] else 1
    for n in range(maps.shape[0]):
        boxes = xp.nonzero(image == n)[0]
        for start in range(0, boxes.shape[0], step):
            yield n, boxes[start : start + step]


@psroi_pool_op.may_raise
def _(x: Any, boxes: Any, count: Any, **attrs: Any) -> bool:
    return True  # more boxes than the numbers say


@psroi_pool_op.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    x, boxes, count = ctx.inputs
    return (psroi_pool_grad(x, boxes, count, g, **ctx.attrs) if ctx.needs[0] else None), None, None


@op(f"psroi_pool_grad(Like, ROIs, RoisNum?, G -> DX) {_ATTRS}", file=None)
def psroi_pool_grad(like: Tensor, boxes: Tensor, boxes_num: Tensor | None, g: Tensor, **attrs: AttrValue) -> Tensor:
    """The transpose of `psroi_pool` for maps shaped as ``like``."""
    return psroi_pool_grad.emit(like, boxes, boxes_num, g, **attrs)


@psroi_pool_grad.infer
def _(like: TensorSpec, boxes: TensorSpec, count: TensorSpec | None, g: TensorSpec, **attrs: Any) -> TensorSpec:
    return like


@psroi_pool_grad.kernel
def _(xp: ArrayModule, like: Array, boxes: Array, count: Array | None, g: Array, **attrs: Any) -> Any:
    rows, columns, share = _grids(xp, like.shape[2:], boxes, attrs)
    part_grads, image = g * share[:, None], _image(xp, count, boxes)
    dx = xp.zeros((like.shape[0], *g.shape[1:], *like.shape[2:]), g.dtype)
    for n in range(like.shape[0]):
        chosen = image == n
        of_rows, of_columns, of_parts = rows[chosen], columns[chosen], part_grads[chosen]
        for i, j in np.ndindex(*g.shape[2:]):
            lines = of_parts[:, :, i, j][:, :, None] * of_columns[:, j][:, None, :]
            planes = of_rows[:, i].T @ lines.reshape(lines.shape[0], lines.shape[1] * lines.shape[2])
            dx[n, :, i, j] = planes.reshape(like.shape[2], -1, like.shape[3]).transpose(1, 0, 2)
    return dx.reshape(like.shape)


@psroi_pool_grad.grad
def _(ctx: GradContext, u: Tensor) -> Any:
    return None, None, None, psroi_pool_op(u, *ctx.inputs[1:3], **ctx.attrs)


@psroi_pool_op.from_file
def _(r: FileReader) -> Any:
    return psroi_pool_op(
        r.input("X"), r.input("ROIs"), r.input("RoisNum"), r.attr("output_channels", 1), r.attr("pooled_height", 1),
        r.attr("pooled_width", 1), r.attr("spatial_scale", 1.0),
    )  # fmt: skip


_BOXES = np.asarray([[0, 0, 4, 4], [1, 1, 7, 5], [2, 0.5, 3, 7.5]], "float32")
_COUNT = np.asarray([2, 1], "int32")
_GRID: dict[str, Any] = {"output_channels": 2, "pooled_height": 3, "pooled_width": 2, "spatial_scale": 0.5}
psroi_pool_op.samples(
    lambda: [
        Sample(f32(2, 12, 5, 6), _BOXES, _COUNT, grad=(0,), **_GRID),
        Sample(f32(1, 12, 5, 6), _BOXES, None, grad=(0,), **_GRID),
    ]
)
psroi_pool_grad.samples(lambda: [Sample(f32(2, 12, 5, 6), _BOXES, _COUNT, f32(3, 2, 3, 2), grad=(3,), **_GRID)])
