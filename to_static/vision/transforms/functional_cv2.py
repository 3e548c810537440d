"""Transforms of arrays, with the numbers of OpenCV but without it. Where channels are colours they are red, green, blue for
`to_grayscale` and blue, green, red for `adjust_saturation` and `adjust_hue`, as Paddle has it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from to_static.compiler.eager.tensor import EagerTensor
from to_static.core import backend as backends
from to_static.core.errors import ShapeError
from to_static.vision.transforms import warp
from to_static.vision.transforms.functional import check_box
from to_static.vision.transforms.resample import resample

GREYS = (0.299, 0.587, 0.114)  # of red, green, blue
GREY_OF_ARRAYS = 74  # what Paddle's adjust_contrast turns arrays to


def size(img: np.ndarray) -> tuple[int, int]:
    """(height, width)."""
    return img.shape[0], img.shape[1]


def to_tensor(img: np.ndarray, data_format: str) -> EagerTensor:
    """See `functional.to_tensor`."""
    array = img[:, :, None] if img.ndim == 2 else img
    if data_format == "CHW":
        array = array.transpose(2, 0, 1)
    if array.dtype == np.uint8:
        array = array.astype(np.float32) / np.float32(255)
    return EagerTensor(backends.NUMPY.asarray(np.array(array, order="C")))


def normalize(img: np.ndarray, mean: Any, std: Any, data_format: str, to_rgb: bool) -> np.ndarray:
    """See `functional.normalize`."""
    axis = -3 if data_format == "CHW" else -1
    pixels = np.expand_dims(img, 0 if axis == -3 else 2) if img.ndim == 2 else img
    if to_rgb:
        pixels = np.flip(pixels, axis)
    return (pixels - per_channel(mean, pixels.shape, axis, "mean")) / per_channel(std, pixels.shape, axis, "std")


def per_channel(values: Any, shape: Sequence[int], axis: int, what: str) -> np.ndarray:
    """One number for each channel, or one for all, so that they fit an image of this shape. Raises ShapeError for other counts."""
    row = np.asarray(values, np.float32).reshape(-1)
    channels = shape[axis]
    if len(row) not in (1, channels):
        raise ShapeError(f"normalize: got {len(row)} values of {what} for an image of {channels} channel(s)")
    return row.reshape([-1] + [1] * (-axis - 1))


def resize(img: np.ndarray, new_size: tuple[int, int], interpolation: str) -> np.ndarray:
    """See `functional.resize`."""
    return np.ascontiguousarray(resample(img, *new_size, interpolation))


def pad(img: np.ndarray, sides: Sequence[int], fill: Any, padding_mode: str) -> np.ndarray:
    """See `functional.pad`."""
    left, top, right, bottom = sides
    if padding_mode != "constant":
        widths = [(top, bottom), (left, right)] + [(0, 0)] * (img.ndim - 2)
        return np.pad(img, widths, padding_mode)  # type: ignore[call-overload]
    height, width = img.shape[:2]
    result = np.empty((top + height + bottom, left + width + right, *img.shape[2:]), img.dtype)
    result[...] = fill
    result[top : top + height, left : left + width] = img
    return result


def crop(img: np.ndarray, top: int, left: int, height: int, width: int) -> np.ndarray:
    """See `functional.crop`."""
    check_box(top, left, height, width)
    return np.ascontiguousarray(img[top : top + height, left : left + width])


def hflip(img: np.ndarray) -> np.ndarray:
    """See `functional.hflip`."""
    return np.ascontiguousarray(img[:, ::-1])


def vflip(img: np.ndarray) -> np.ndarray:
    """See `functional.vflip`."""
    return np.ascontiguousarray(img[::-1])


def adjust_brightness(img: np.ndarray, factor: float) -> np.ndarray:
    """See `functional.adjust_brightness`."""
    return _looked_up(img, np.arange(256) * factor)


def adjust_contrast(img: np.ndarray, factor: float) -> np.ndarray:
    """See `functional.adjust_contrast`."""
    return _looked_up(img, (np.arange(256) - GREY_OF_ARRAYS) * factor + GREY_OF_ARRAYS)


def _looked_up(img: np.ndarray, table: np.ndarray) -> np.ndarray:
    return table.clip(0, 255).astype(np.uint8)[img.astype(np.uint8)]


def adjust_saturation(img: np.ndarray, factor: float) -> np.ndarray:
    """See `functional.adjust_saturation`."""
    pixels = _colours(img, "adjust_saturation").astype(np.float32)
    grey = (pixels * np.asarray(GREYS[::-1], np.float32)).sum(-1, keepdims=True)
    return (pixels * np.float32(factor) + grey * np.float32(1 - factor)).clip(0, 255).astype(img.dtype)


def _colours(img: np.ndarray, owner: str) -> np.ndarray:
    if img.ndim != 3 or img.shape[2] != 3:
        raise ShapeError(f"{owner}: expected an array [H, W, 3], got {list(img.shape)}")
    return img


def adjust_hue(img: np.ndarray, factor: float) -> np.ndarray:
    """See `functional.adjust_hue`."""
    hue, saturation, value = _to_hsv(_colours(img, "adjust_hue").astype(np.uint8))
    return _from_hsv((hue + int(factor * 255)) % 256, saturation, value).astype(img.dtype)


def _to_hsv(img: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Hue, saturation and value, 0 to 255, of blue, green, red; in whole numbers, as OpenCV computes them (COLOR_BGR2HSV_FULL)."""
    blue, green, red = np.moveaxis(img.astype(np.int64), -1, 0)
    value = np.maximum(np.maximum(blue, green), red)
    spread = value - np.minimum(np.minimum(blue, green), red)
    one, rounding = 1 << 12, 1 << 11
    share = np.rint((255 * one) / np.maximum(value, 1)).astype(np.int64)
    saturation = np.where(value > 0, (spread * share + rounding) >> 12, 0)
    sixth = np.rint((256 * one) / (6.0 * np.maximum(spread, 1))).astype(np.int64)
    turn = np.where(
        value == red, green - blue, np.where(value == green, blue - red + 2 * spread, red - green + 4 * spread)
    )
    hue = np.where(spread > 0, (turn * sixth + rounding) >> 12, 0)
    return np.where(hue < 0, hue + 256, hue).clip(0, 255), saturation, value


def _from_hsv(hue: np.ndarray, saturation: np.ndarray, value: np.ndarray) -> np.ndarray:
    """Blue, green, red, uint8 (COLOR_HSV2BGR_FULL, whose circle has 255 parts, that of `_to_hsv` 256)."""
    float32 = np.float32
    turn = hue.astype(float32) * float32(6 / 255)
    sector = np.floor(turn)
    fraction, s, v = turn - sector, saturation.astype(float32) * float32(1 / 255), value.astype(float32) * float32(1 / 255)
    levels = np.stack([v, v * (1 - s), v * (1 - s * fraction), v * (1 - s * (1 - fraction))], -1)
    level_indices = np.asarray([[1, 3, 0], [1, 0, 2], [3, 0, 1], [0, 2, 1], [0, 1, 3], [2, 1, 0]])[sector.astype(np.int64) % 6]
    return np.rint(np.take_along_axis(levels, level_indices, -1) * float32(255)).clip(0, 255).astype(np.uint8)


def to_grayscale(img: np.ndarray, channels: int) -> np.ndarray:
    """See `functional.to_grayscale`."""
    pixels = _colours(img, "to_grayscale")
    if img.dtype == np.uint8:
        parts = np.rint(np.asarray(GREYS) * 32768).astype(np.int64)
        grey = (pixels.astype(np.int64) * parts).sum(-1, keepdims=True) + 16384 >> 15
    else:
        grey = (pixels * np.asarray(GREYS, np.float32)).sum(-1, keepdims=True)
    return np.repeat(grey.astype(img.dtype), channels, 2)


def affine(img: np.ndarray, matrix: Sequence[float], interpolation: str, fill: Any) -> np.ndarray:
    """See `functional.affine`. Places are centres of pixels, as with Pillow's images."""
    a, b, c, d, e, f = matrix
    centred = np.asarray([[a, b, c + (a + b - 1) / 2], [d, e, f + (d + e - 1) / 2]])
    return warp.affine(img, centred, size(img), interpolation, fill)


def rotate(img: np.ndarray, angle: float, interpolation: str, expand: bool, center: Any, fill: Any) -> np.ndarray:
    """See `functional.rotate`."""
    height, width = size(img)
    x, y = center or (width / 2, height / 2)
    cosine, sine = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    move_x, move_y = (1 - cosine) * x - sine * y, sine * x + (1 - cosine) * y
    if expand:
        corners = [(cosine * (u - x) + sine * (v - y), cosine * (v - y) - sine * (u - x)) for u in (0, width) for v in (0, height)]
        x_coords, y_coords = ([round(corner[k] + (x, y)[k], 12) for corner in corners] for k in (0, 1))
        new_width, new_height = (math.ceil(max(line)) - math.floor(min(line)) for line in (x_coords, y_coords))
        move_x, move_y = move_x + (new_width - width) / 2, move_y + (new_height - height) / 2
        width, height = new_width, new_height
    inverse = np.asarray([[cosine, -sine, sine * move_y - cosine * move_x], [sine, cosine, -sine * move_x - cosine * move_y]])
    return warp.affine(img, inverse, (height, width), interpolation, fill)


def perspective(img: np.ndarray, coefficients: Sequence[float], interpolation: str, fill: Any) -> np.ndarray:
    """See `functional.perspective`."""
    return warp.perspective(img, coefficients, interpolation, fill)


def erase(img: np.ndarray, i: int, j: int, h: int, w: int, v: Any, inplace: bool) -> np.ndarray:
    """See `functional.erase`."""
    result = img if inplace else img.copy()
    result[i : i + h, j : j + w] = v
    return result
