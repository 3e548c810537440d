"""Images read at other places, with the numbers of OpenCV 4: places are rounded to 1/32 of a pixel, weights of integers to 2^-15.

Source: OpenCV, modules/imgproc/src/imgwarp.cpp (warpAffine, warpPerspective, remap), whose documentation describes this.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from to_static.vision.transforms.resample import far, near

PARTS = 32  # a pixel is read at one of so many places between it and the next
TABLE = 1 << 15  # weights of integer images are multiples of its inverse
FIXED = 1 << 10  # places of an affine transform are computed in multiples of its inverse
METHODS = ("nearest", "bilinear", "bicubic")


def check_method(interpolation: str) -> None:
    """Raise ValueError unless it is 'nearest', 'bilinear' or 'bicubic'."""
    if interpolation not in METHODS:
        raise ValueError(f"interpolation should be one of {', '.join(METHODS)}, got {interpolation!r}")


def affine(image: np.ndarray, matrix: np.ndarray, size: tuple[int, int], interpolation: str, fill: Any) -> np.ndarray:
    """An image [H, W] or [H, W, C] of ``size`` (height, width), whose pixel (x, y) comes from ``matrix`` [2, 3] times (x, y, 1).

    ``fill`` is what stands outside of the image. Raises ValueError for an unknown interpolation.
    """
    check_method(interpolation)
    height, width = size
    x, y = np.arange(width), np.arange(height)
    step = FIXED if interpolation == "nearest" else FIXED // PARTS
    start = np.rint((matrix[:, 1:2] * y + matrix[:, 2:]) * FIXED)
    along = np.rint(matrix[:, :1] * x * FIXED)
    columns, rows = (start[:, :, None] + along[:, None, :] + step // 2).astype(np.int64) // step
    return _read(image, columns, rows, interpolation, fill)


def perspective(image: np.ndarray, matrix: Sequence[float], interpolation: str, fill: Any) -> np.ndarray:
    """An image of the same size, whose pixels come from the places of the eight numbers of `geometry.perspective_coefficients`."""
    check_method(interpolation)
    height, width = image.shape[:2]
    a, b, c, d, e, f, g, h = matrix
    x, y = np.arange(width)[None, :], np.arange(height)[:, None]
    depth = g * x + h * y + 1
    parts = 1 if interpolation == "nearest" else PARTS
    share = np.divide(parts, depth, out=np.zeros_like(depth), where=depth != 0)
    limit = 2.0**31 - 1
    columns = np.rint(((a * x + b * y + c) * share).clip(-limit, limit)).astype(np.int64)
    rows = np.rint(((d * x + e * y + f) * share).clip(-limit, limit)).astype(np.int64)
    return _read(image, columns, rows, interpolation, fill)


def _read(image: np.ndarray, columns: np.ndarray, rows: np.ndarray, interpolation: str, fill: Any) -> np.ndarray:
    """The image at places in 1/32 of a pixel (in pixels, for 'nearest')."""
    planes = image[..., None] if image.ndim == 2 else image
    fill_values = np.broadcast_to(np.asarray(fill, image.dtype), planes.shape[2:])
    if interpolation == "nearest":
        sampled = _gathered(planes, rows, columns, fill_values)
    else:
        exact = image.dtype.kind not in "ui"
        work_dtype = image.dtype if image.dtype == np.float64 else np.dtype(np.float32)
        weights = _weights(interpolation, work_dtype, exact)[(rows % PARTS) * PARTS + columns % PARTS]
        reach = weights.shape[-1] // 2 - 1
        top, left = rows // PARTS - reach, columns // PARTS - reach
        total: Any = 0
        for i in range(weights.shape[-1]):
            for j in range(weights.shape[-1]):
                tap = _gathered(planes, top + i, left + j, fill_values)
                total = total + tap.astype(work_dtype if exact else np.int64) * weights[..., i, j, None]
        sampled = total.astype(image.dtype) if exact else _to_integers((total + TABLE // 2) // TABLE, image.dtype)
    return np.ascontiguousarray(sampled.reshape(*columns.shape, *image.shape[2:]))


def _gathered(planes: np.ndarray, rows: np.ndarray, columns: np.ndarray, fill_values: np.ndarray) -> np.ndarray:
    height, width = planes.shape[:2]
    inside = (rows >= 0) & (rows < height) & (columns >= 0) & (columns < width)
    return np.where(inside[..., None], planes[rows.clip(0, height - 1), columns.clip(0, width - 1)], fill_values)


def _to_integers(values: np.ndarray, dtype: np.dtype) -> np.ndarray:
    limits = np.iinfo(dtype)
    return values.clip(limits.min, limits.max).astype(dtype)


def _weights(interpolation: str, dtype: np.dtype, exact: bool) -> np.ndarray:
    """``[PARTS * PARTS, taps, taps]``: what each neighbour counts, for each part of a row and a column."""
    t = np.arange(PARTS, dtype=dtype) / PARTS
    line = np.stack([1 - t, t], 1) if interpolation == "bilinear" else np.stack([far(1 + t), near(t), near(1 - t), far(2 - t)], 1)
    table = (line[:, None, :, None] * line[None, :, None, :]).reshape(PARTS * PARTS, line.shape[1], line.shape[1])
    if exact:
        return table
    levels = np.rint(table * TABLE).astype(np.int64)
    for block in levels:  # they add up to one: what is missing goes to the largest of the middle, what is too much is taken there
        _adjust_sum(block, TABLE - int(block.sum()))
    return levels


def _adjust_sum(block: np.ndarray, missing: int) -> None:
    if missing:
        middle = block[block.shape[0] // 2 :, block.shape[1] // 2 :][:2, :2]
        extreme = middle.argmax() if missing > 0 else middle.argmin()
        middle[np.unravel_index(extreme, middle.shape)] += missing
