"""Transforms of Tensors [C, H, W] or [N, C, H, W], as operators: they work in static functions, too, where sizes are known."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from to_static.compiler.ir import mode
from to_static.compiler.ops.control.control import clone
from to_static.compiler.ops.indexing.gather import index_select
from to_static.compiler.ops.indexing.where import where
from to_static.compiler.ops.pointwise.scale import clip
from to_static.compiler.ops.shapes.concat_split import concat, stack, unbind
from to_static.compiler.ops.shapes.create import ones_like, zeros_like
from to_static.compiler.ops.shapes.create import to_tensor as as_tensor
from to_static.compiler.ops.shapes.flip_roll import flip
from to_static.core.dtypes import float32, uint8
from to_static.core.errors import ShapeError
from to_static.nn import functional as F
from to_static.vision.transforms.functional import check_box
from to_static.vision.transforms.functional_cv2 import per_channel

GREYS = (0.2989, 0.587, 0.114)  # of red, green, blue, as Paddle has them for tensors


def size(img: Any) -> tuple[int, int]:
    """(height, width)."""
    return img.shape[-2], img.shape[-1]


def _constant(array: np.ndarray, template: Any) -> Any:
    return mode.current().constant(array.astype(template.dtype.np if template.dtype.is_floating else np.float32))


def _batched(img: Any) -> Any:
    return img.unsqueeze(0) if img.ndim == 3 else img


def _as_given(result: Any, img: Any) -> Any:
    return result.squeeze(0) if img.ndim == 3 else result


def to_tensor(img: Any, data_format: str) -> Any:
    """See `functional.to_tensor`."""
    return img if data_format == "CHW" else img.transpose([1, 2, 0])


def normalize(img: Any, mean: Any, std: Any, data_format: str, to_rgb: bool) -> Any:
    """See `functional.normalize`."""
    axis = -3 if data_format == "CHW" else -1
    pixels = flip(img, [img.ndim + axis]) if to_rgb else img
    if not pixels.dtype.is_floating:
        pixels = pixels.astype(float32)
    shift, scale = (_constant(per_channel(v, img.shape, axis, what), pixels) for v, what in ((mean, "mean"), (std, "std")))
    return (pixels - shift) / scale


def resize(img: Any, new_size: tuple[int, int], interpolation: str) -> Any:
    """See `functional.resize`."""
    if interpolation not in ("nearest", "bilinear", "bicubic"):
        raise ValueError(f"resize: interpolation should be one of nearest, bilinear, bicubic, got {interpolation!r}")
    return _as_given(F.interpolate(_batched(img), new_size, mode=interpolation), img)


def pad(img: Any, sides: Sequence[int], fill: Any, padding_mode: str) -> Any:
    """See `functional.pad`."""
    left, top, right, bottom = sides
    if padding_mode == "constant":
        if not isinstance(fill, (int, float)):
            parts = [pad(part.unsqueeze(-3), sides, channel_fill, padding_mode) for part, channel_fill in _channels(img, fill)]
            return concat(parts, -3)
        return _as_given(F.pad(_batched(img), [left, right, top, bottom], value=float(fill)), img)
    for axis, leading, trailing in ((-2, top, bottom), (-1, left, right)):
        source_indices = np.pad(np.arange(img.shape[axis]), (leading, trailing), padding_mode)  # type: ignore[call-overload]
        img = index_select(img, mode.current().constant(source_indices), img.ndim + axis)
    return img


def _channels(img: Any, fill: Sequence[float]) -> Any:
    parts = unbind(img, img.ndim - 3)
    if len(fill) != len(parts):
        raise ShapeError(f"pad: fill should be a number or {len(parts)} numbers, got {fill!r}")
    return zip(parts, fill, strict=True)


def crop(img: Any, top: int, left: int, height: int, width: int) -> Any:
    """See `functional.crop`."""
    check_box(top, left, height, width)
    return img[..., top : top + height, left : left + width]


def hflip(img: Any) -> Any:
    """See `functional.hflip`."""
    return flip(img, [img.ndim - 1])


def vflip(img: Any) -> Any:
    """See `functional.vflip`."""
    return flip(img, [img.ndim - 2])


def _blended(img: Any, base: Any, factor: float) -> Any:
    """``img`` and ``base`` in parts of ``factor`` and one less ``factor``, within what pixels may be."""
    max_pixel = 1.0 if img.dtype.is_floating else 255.0
    pixels = img if img.dtype.is_floating else img.astype(float32)
    return clip(base + float(factor) * (pixels - base), 0, max_pixel).astype(img.dtype)


def _grey(img: Any) -> Any:
    pixels = img if img.dtype.is_floating else img.astype(float32)
    if img.shape[-3] == 1:
        return pixels
    return (pixels * _constant(np.asarray(GREYS).reshape(3, 1, 1), pixels)).sum(-3, keepdim=True)


def _checked(img: Any, owner: str) -> Any:
    if img.shape[-3] not in (1, 3):
        raise ShapeError(f"{owner}: expected 1 or 3 channels, got a Tensor {img.shape}")
    return img


def adjust_brightness(img: Any, factor: float) -> Any:
    """See `functional.adjust_brightness`."""
    return _blended(_checked(img, "adjust_brightness"), zeros_like(_grey(img)), factor)


def adjust_contrast(img: Any, factor: float) -> Any:
    """See `functional.adjust_contrast`."""
    return _blended(img, _grey(_checked(img, "adjust_contrast")).mean([-3, -2, -1], keepdim=True), factor)


def adjust_saturation(img: Any, factor: float) -> Any:
    """See `functional.adjust_saturation`."""
    if _checked(img, "adjust_saturation").shape[-3] == 1:
        return img
    return _blended(img, _grey(img), factor)


def adjust_hue(img: Any, factor: float) -> Any:
    """See `functional.adjust_hue`."""
    if _checked(img, "adjust_hue").shape[-3] == 1:
        return img
    pixels = img.astype(float32) / 255.0 if img.dtype is uint8 else img
    hue, saturation, value = _to_hsv(pixels)
    shifted_hue = hue + factor
    rgb = _from_hsv(shifted_hue - shifted_hue.floor(), saturation, value)
    return (rgb * 255.0).astype(uint8) if img.dtype is uint8 else rgb


def _to_hsv(img: Any) -> tuple[Any, Any, Any]:
    """Hue, saturation and value, 0 to 1 (A. R. Smith, "Color Gamut Transform Pairs")."""
    red, green, blue = unbind(img, img.ndim - 3)
    value, least = img.max(-3), img.min(-3)
    spread = value - least
    grey = spread == 0
    divisor = where(grey, ones_like(spread), spread)
    r, g, b = ((value - part) / divisor for part in (red, green, blue))
    turn = where(value == red, b - g, where(value == green, r - b + 2.0, g - r + 4.0))
    hue = turn / 6.0 + 1.0
    return hue - hue.trunc(), spread / where(grey, ones_like(value), value), value


def _from_hsv(hue: Any, saturation: Any, value: Any) -> Any:
    sixth = (hue * 6.0).floor()
    fraction = hue * 6.0 - sixth
    p, q, t = (clip(value * (1.0 - saturation * part), 0.0, 1.0) for part in (1.0, fraction, 1.0 - fraction))
    rows = ((value, t, p), (q, value, p), (p, value, t), (p, q, value), (t, p, value), (value, p, q))
    rgb = stack(rows[0], -3)
    for k, row in enumerate(rows[1:], 1):
        rgb = where((sixth == float(k)).unsqueeze(-3), stack(row, -3), rgb)
    return rgb


def to_grayscale(img: Any, channels: int) -> Any:
    """See `functional.to_grayscale`."""
    grey = _grey(_checked(img, "to_grayscale")).astype(img.dtype)
    return grey if channels == 1 else concat([grey] * 3, -3)


def affine(img: Any, matrix: Sequence[float], interpolation: str, fill: Any) -> Any:
    """See `functional.affine`."""
    height, width = size(img)
    a, b, c, d, e, f = matrix
    x, y = width / 2, height / 2
    centred = np.asarray([[a, b, c + a * x + b * y - x], [d, e, f + d * x + e * y - y]])
    return _read(img, _turned_grid(centred, (height, width), (height, width)), interpolation, fill)


def rotate(img: Any, angle: float, interpolation: str, expand: bool, center: Any, fill: Any) -> Any:
    """See `functional.rotate`."""
    height, width = size(img)
    cosine, sine = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    x, y = (0.0, 0.0) if center is None else (center[0] - width / 2, center[1] - height / 2)
    matrix = np.asarray([[cosine, -sine, x - cosine * x + sine * y], [sine, cosine, y - sine * x - cosine * y]])
    new_size = (height, width)
    if expand:
        corners = np.asarray([[s * width / 2, t * height / 2, 1.0] for s in (-1, 1) for t in (-1, 1)])
        corner_positions = np.round(corners @ matrix.T, 6)
        new_width, new_height = np.ceil(corner_positions.max(0)) - np.floor(corner_positions.min(0))
        new_size = (int(new_height), int(new_width))
    return _read(img, _turned_grid(matrix, (height, width), new_size), interpolation, fill)


def _turned_grid(matrix: np.ndarray, sizes: tuple[int, int], new_size: tuple[int, int]) -> np.ndarray:
    """Return the positions, -1 to 1, of the pixels of an image of ``new_size`` in one of ``sizes``.

    ``matrix`` maps positions relative to the centres of the images.
    """
    height, width = new_size
    points = np.ones((height, width, 3), np.float32)
    points[..., 0] = np.arange(width) - width / 2 + 0.5
    points[..., 1] = np.arange(height)[:, None] - height / 2 + 0.5
    scaled = matrix.T.astype(np.float32) / np.asarray([sizes[1] / 2, sizes[0] / 2], np.float32)
    return points @ scaled


def perspective(img: Any, coefficients: Sequence[float], interpolation: str, fill: Any) -> Any:
    """See `functional.perspective`."""
    height, width = size(img)
    a, b, c, d, e, f, g, h = coefficients
    points = np.ones((height, width, 3), np.float32)
    points[..., 0] = np.arange(width) + 0.5
    points[..., 1] = np.arange(height)[:, None] + 0.5
    above = points @ (np.asarray([[a, b, c], [d, e, f]], np.float32).T / np.asarray([width / 2, height / 2], np.float32))
    below = points @ np.asarray([g, h, 1], np.float32)
    return _read(img, above / below[..., None] - 1, interpolation, fill)


def _read(img: Any, grid: np.ndarray, interpolation: str, fill: Any) -> Any:
    """The image at the places ``grid`` [H, W, 2], and ``fill`` outside of it."""
    if interpolation not in ("nearest", "bilinear"):
        raise ValueError(f"interpolation of a Tensor should be 'nearest' or 'bilinear', got {interpolation!r}")
    pixels = _batched(img if img.dtype.is_floating else img.astype(float32))
    count, channels = pixels.shape[:2]
    sample_grid = _constant(np.repeat(grid[None], count, 0), pixels)
    with_mask = concat([pixels, ones_like(pixels[:, :1])], 1)
    sampled = F.grid_sample(with_mask, sample_grid, interpolation, "zeros", align_corners=False)
    coverage, sampled = sampled[:, channels:], sampled[:, :channels]
    fill_pixels = _constant(np.asarray(fill, np.float32).reshape(1, -1, 1, 1), pixels)
    if interpolation == "nearest":
        sampled = where(coverage.expand_as(sampled) < 0.5, fill_pixels.expand_as(sampled), sampled)
    else:
        sampled = sampled * coverage + (1.0 - coverage) * fill_pixels
    return _as_given(sampled, img).astype(img.dtype)


def erase(img: Any, i: int, j: int, h: int, w: int, v: Any, inplace: bool) -> Any:
    """See `functional.erase`."""
    result = img if inplace else clone(img)
    result[..., i : i + h, j : j + w] = v if hasattr(v, "dtype") else as_tensor(v, dtype=img.dtype)
    return result
