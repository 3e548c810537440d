"""Perspective warp of quadrilaterals of feature maps to rectangles (roi_perspective_transform).

Source: PaddlePaddle 1.8, for the text recognition of Sun et al., "TextNet" (2018).
"""

from __future__ import annotations

import numpy as np

from to_static.compiler.ir.opdef import Sample, op
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import dtype_checks
from to_static.compiler.ops.detection.nms import host
from to_static.compiler.ops.detection.regions import image_of
from to_static.compiler.ops.pointwise.elementwise import f32
from to_static.core.array_types import Array, ArrayModule
from to_static.core.dtypes import int32
from to_static.core.errors import ShapeError


@op(
    "roi_perspective_transform(X, ROIs, RoisNum? -> Out, Mask, TransformMatrix) height:int width:int spatial_scale:float",
    file=None,
    traits="nodiff check_shapes",
)
def roi_perspective_transform(
    x: Tensor, quads: Tensor, rois_num: Tensor | None, height: int, width: int, spatial_scale: float
) -> tuple[Tensor, ...]:
    """[R, C, height, width] of ``x`` [N, C, H, W], a mask int32 [R, 1, height, width], and matrices [R, 9].

    ``quads``: corners [R, 8], from the upper left one on, times ``spatial_scale``; ``rois_num``: how many each image has. What
    is outside of a quadrilateral or of the map is 0, in the mask too.
    """
    return roi_perspective_transform.emit(
        x, quads, rois_num, height=int(height), width=int(width), spatial_scale=float(spatial_scale)
    )


@roi_perspective_transform.infer
def _(
    x: TensorSpec, quads: TensorSpec, rois_num: TensorSpec | None, height: int, width: int, spatial_scale: float
) -> tuple[TensorSpec, ...]:
    dtype_checks.need_float(x, "roi_perspective_transform")
    if x.ndim != 4 or quads.ndim != 2 or quads.shape[1] not in (8, -1) or min(height, width) < 1:
        raise ShapeError(f"roi_perspective_transform: expected a map [N, C, H, W] and corners [R, 8], got {x} and {quads}")
    rows = quads.shape[0]
    mask = TensorSpec((rows, 1, height, width), int32)
    return x.with_shape((rows, x.shape[1], height, width)), mask, x.with_shape((rows, 9))


def _matrix(corners: np.ndarray, height: int, width: int) -> np.ndarray:
    """The projection from places of the rectangle to those of the map; narrow ones fill a part of the rectangle."""
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = corners
    sides = np.hypot(*(corners - np.roll(corners, -1, 0)).T)
    tall, long = (sides[1] + sides[3]) / 2, (sides[0] + sides[2]) / 2
    rows = max(2, height)
    columns = max(2, min(round(long * (rows - 1) / tall) + 1 if tall else 2, width))
    dx1, dx2, dx3 = x1 - x2, x3 - x2, x0 - x1 + x2 - x3
    dy1, dy2, dy3 = y1 - y2, y3 - y2, y0 - y1 + y2 - y3
    size = dx1 * dy2 - dx2 * dy1 + 1e-5
    m6, m7 = (dx3 * dy2 - dx2 * dy3) / size / (columns - 1), (dx1 * dy3 - dx3 * dy1) / size / (rows - 1)
    return np.asarray([
        (x1 - x0 + m6 * (columns - 1) * x1) / (columns - 1), (x3 - x0 + m7 * (rows - 1) * x3) / (rows - 1), x0,
        (y1 - y0 + m6 * (columns - 1) * y1) / (columns - 1), (y3 - y0 + m7 * (rows - 1) * y3) / (rows - 1), y0, m6, m7, 1.0,
    ])  # fmt: skip


_NEAR = 1e-4  # how far from an edge a place may be and be on it


def _inside(xs: np.ndarray, ys: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """The places that are in a quadrilateral or on its edge."""
    crossings = np.zeros(xs.shape, bool)
    on_edge = np.zeros(xs.shape, bool)
    for (xa, ya), (xb, yb) in zip(corners, np.roll(corners, -1, 0), strict=True):
        low, high = min(ya, yb) - _NEAR, max(ya, yb) + _NEAR
        if abs(ya - yb) < _NEAR:
            level = (np.abs(ys - ya) < _NEAR) & (xs >= min(xa, xb) - _NEAR) & (xs <= max(xa, xb) + _NEAR)
            on_edge |= level
            continue
        cut = (ys - ya) * (xb - xa) / (yb - ya) + xa
        on_edge |= (np.abs(cut - xs) < _NEAR) & (ys >= low) & (ys <= high)
        crossings ^= ((ys > min(ya, yb) + _NEAR) & (ys <= high)) & (cut > xs)
    return on_edge | crossings


def _sampled(image: np.ndarray, xs: np.ndarray, ys: np.ndarray) -> np.ndarray:
    """Values between the places of a map [C, H, W]."""
    height, width = image.shape[1:]
    xs, ys = np.clip(xs, 0, width - 1), np.clip(ys, 0, height - 1)
    left, top = np.floor(xs).astype(int), np.floor(ys).astype(int)
    right, bottom = np.minimum(left + 1, width - 1), np.minimum(top + 1, height - 1)
    dx, dy = xs - left, ys - top
    upper = image[:, top, left] * (1 - dx) + image[:, top, right] * dx
    lower = image[:, bottom, left] * (1 - dx) + image[:, bottom, right] * dx
    return np.asarray(upper * (1 - dy) + lower * dy)


@roi_perspective_transform.kernel
def _(
    xp: ArrayModule, x: Array, quads: Array, rois_num: Array | None, height: int, width: int, spatial_scale: float
) -> tuple[Array, ...]:
    maps, corners = host(x), host(quads).reshape(-1, 4, 2).astype("float64") * spatial_scale
    count = len(corners)
    image = np.zeros(count, int) if rois_num is None else image_of(np, host(rois_num), corners)
    out = np.zeros((count, maps.shape[1], height, width), maps.dtype)
    mask, matrices = np.zeros((count, 1, height, width), np.int32), np.zeros((count, 9), maps.dtype)
    columns, rows = np.meshgrid(np.arange(width), np.arange(height))
    for i, quad in enumerate(corners):
        m = matrices[i] = _matrix(quad, height, width)
        with np.errstate(all="ignore"):
            below = m[6] * columns + m[7] * rows + m[8]
            xs, ys = (m[0] * columns + m[1] * rows + m[2]) / below, (m[3] * columns + m[4] * rows + m[5]) / below
        is_inside = (xs > -0.5) & (ys > -0.5) & (xs < maps.shape[3] - 0.5) & (ys < maps.shape[2] - 0.5) & _inside(xs, ys, quad)
        mask[i, 0] = is_inside
        out[i][:, is_inside] = _sampled(maps[image[i]], xs[is_inside], ys[is_inside])
    return xp.asarray(out), xp.asarray(mask), xp.asarray(matrices)


_QUADS = np.asarray([[1, 1, 5, 1, 5, 4, 1, 4], [0, 0, 4, 1, 5, 5, 1, 4]], "float32")
roi_perspective_transform.samples(
    lambda: [Sample(f32(2, 3, 6, 7), _QUADS, np.asarray([1, 1], "int32"), height=4, width=5, spatial_scale=1.0)]
)
