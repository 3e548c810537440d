"""Transforms of Pillow images, by Pillow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from PIL import Image, ImageEnhance, ImageOps

from to_static.vision.transforms import functional_cv2 as arrays

METHODS = {name: Image.Resampling[name.upper()] for name in ("nearest", "bilinear", "bicubic", "box", "lanczos", "hamming")}


def _method(interpolation: str) -> Any:
    if interpolation not in METHODS:
        raise ValueError(f"interpolation should be one of {', '.join(METHODS)}, got {interpolation!r}")
    return METHODS[interpolation]


def _fill(img: Any, fill: Any) -> Any:
    """A number for each channel, where there are several."""
    bands = len(img.getbands())
    fill_values = [fill] * bands if isinstance(fill, (int, float)) else list(fill) * (bands if len(fill) == 1 else 1)
    if len(fill_values) != bands:
        raise ValueError(f"fill should be a number or {bands} numbers, got {fill!r}")
    band_values = [fill_value if img.mode == "F" else int(fill_value) for fill_value in fill_values]
    return band_values[0] if bands == 1 else tuple(band_values)


def size(img: Any) -> tuple[int, int]:
    """(height, width)."""
    return img.height, img.width


def to_tensor(img: Any, data_format: str) -> Any:
    """See `functional.to_tensor`."""
    pixels = np.asarray(img.convert("L") if img.mode == "1" else img)
    return arrays.to_tensor(pixels.astype(np.int32) if img.mode.startswith("I") else pixels, data_format)


def normalize(img: Any, mean: Any, std: Any, data_format: str, to_rgb: bool) -> Any:
    """See `functional.normalize`."""
    return arrays.normalize(np.asarray(img).astype(np.float32), mean, std, data_format, to_rgb)


def resize(img: Any, new_size: tuple[int, int], interpolation: str) -> Any:
    """See `functional.resize`."""
    return img.resize(new_size[::-1], _method(interpolation))


def pad(img: Any, sides: Sequence[int], fill: Any, padding_mode: str) -> Any:
    """See `functional.pad`."""
    palette = img.getpalette() if img.mode == "P" else None
    if padding_mode == "constant":
        padded = ImageOps.expand(img, tuple(sides), fill if isinstance(fill, str) or palette else _fill(img, fill))
    else:
        padded = Image.fromarray(arrays.pad(np.asarray(img), sides, fill, padding_mode))
    if palette is not None:
        padded.putpalette(palette)
    return padded


def crop(img: Any, top: int, left: int, height: int, width: int) -> Any:
    """See `functional.crop`."""
    return img.crop((left, top, left + width, top + height))


def hflip(img: Any) -> Any:
    """See `functional.hflip`."""
    return img.transpose(Image.Transpose.FLIP_LEFT_RIGHT)


def vflip(img: Any) -> Any:
    """See `functional.vflip`."""
    return img.transpose(Image.Transpose.FLIP_TOP_BOTTOM)


def adjust_brightness(img: Any, factor: float) -> Any:
    """See `functional.adjust_brightness`."""
    return ImageEnhance.Brightness(img).enhance(factor)


def adjust_contrast(img: Any, factor: float) -> Any:
    """See `functional.adjust_contrast`."""
    return ImageEnhance.Contrast(img).enhance(factor)


def adjust_saturation(img: Any, factor: float) -> Any:
    """See `functional.adjust_saturation`."""
    return ImageEnhance.Color(img).enhance(factor)


def adjust_hue(img: Any, factor: float) -> Any:
    """See `functional.adjust_hue`."""
    if img.mode in ("L", "1", "I", "F"):
        return img
    hue, saturation, value = img.convert("HSV").split()
    shifted_hue = (np.asarray(hue).astype(np.int16) + int(factor * 255)) % 256
    return Image.merge("HSV", (Image.fromarray(shifted_hue.astype(np.uint8)), saturation, value)).convert(img.mode)


def to_grayscale(img: Any, channels: int) -> Any:
    """See `functional.to_grayscale`."""
    grey = img.convert("L")
    return grey if channels == 1 else Image.merge("RGB", (grey, grey, grey))


def affine(img: Any, matrix: Sequence[float], interpolation: str, fill: Any) -> Any:
    """See `functional.affine`."""
    return img.transform(img.size, Image.Transform.AFFINE, matrix, _method(interpolation), fillcolor=_fill(img, fill))


def rotate(img: Any, angle: float, interpolation: str, expand: bool, center: Any, fill: Any) -> Any:
    """See `functional.rotate`."""
    return img.rotate(angle, _method(interpolation), expand, center, fillcolor=_fill(img, fill))


def perspective(img: Any, coefficients: Sequence[float], interpolation: str, fill: Any) -> Any:
    """See `functional.perspective`."""
    method = Image.Transform.PERSPECTIVE
    return img.transform(img.size, method, coefficients, _method(interpolation), fillcolor=_fill(img, fill))


def erase(img: Any, i: int, j: int, h: int, w: int, v: Any, inplace: bool) -> Any:
    """See `functional.erase`."""
    pixels = np.array(img, dtype=np.uint8)
    pixels[i : i + h, j : j + w] = np.asarray(v)
    return Image.fromarray(pixels)
