"""Resizing images with NumPy: separable interpolation between pixel centres, as OpenCV does it; only 'area' smooths."""

from __future__ import annotations

import numpy as np

CUBIC = -0.75  # sharpness of the cubic kernel, OpenCV's choice

LANCZOS = 4  # pixels on each side that its kernel reaches, OpenCV's choice

METHODS = ("nearest", "bilinear", "area", "bicubic", "lanczos")


def resample(image: np.ndarray, height: int, width: int, interpolation: str) -> np.ndarray:
    """An image [H, W] or [H, W, C] at another size, in its own dtype (integers are rounded and clipped).

    Raises ValueError for an interpolation other than 'nearest', 'bilinear', 'area' (means of what a new pixel covers), 'bicubic'
    and 'lanczos'.
    """
    if interpolation not in METHODS:
        raise ValueError(f"resize: interpolation should be one of {', '.join(METHODS)}, got {interpolation!r}")
    if interpolation == "nearest":
        rows = np.arange(height) * image.shape[0] // height
        columns = np.arange(width) * image.shape[1] // width
        return image[rows][:, columns]
    dtype = image.dtype
    mixed = image.astype(np.float64 if dtype == np.float64 else np.float32)
    smaller = height <= image.shape[0] and width <= image.shape[1]
    for axis, size in ((0, height), (1, width)):
        mixed = _means(mixed, axis, size) if interpolation == "area" and smaller else _along(mixed, axis, size, interpolation)
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        mixed = np.rint(mixed).clip(limits.min, limits.max)
    return mixed.astype(dtype)


def _along(image: np.ndarray, axis: int, size: int, interpolation: str) -> np.ndarray:
    old = image.shape[axis]
    centre = (np.arange(size) + 0.5) * (old / size) - 0.5
    if interpolation == "area":  # of larger images: as OpenCV does it
        edge = np.arange(size) * (old / size)
        share = np.arange(1, size + 1) - (np.floor(edge) + 1) * (size / old)
        centre = np.floor(edge) + np.where(share <= 0, 0, share - np.floor(share))
    first = np.floor(centre).astype(np.int64)
    t = (centre - first).astype(image.dtype)
    if interpolation in ("bilinear", "area"):
        taps = [(0, 1 - t), (1, t)]
    elif interpolation == "lanczos":
        tap_offsets = np.arange(1 - LANCZOS, LANCZOS + 1)
        weights = np.sinc(t[:, None] - tap_offsets) * np.sinc((t[:, None] - tap_offsets) / LANCZOS)
        taps = list(zip(tap_offsets.tolist(), (weights / weights.sum(1, keepdims=True)).T.astype(image.dtype), strict=True))
    else:
        taps = [(-1, far(1 + t)), (0, near(t)), (1, near(1 - t)), (2, far(2 - t))]
    shape = [1] * image.ndim
    shape[axis] = size
    total = np.zeros((), image.dtype)
    for offset, weight in taps:
        total = total + image.take((first + offset).clip(0, old - 1), axis) * weight.reshape(shape)
    return total


def _means(image: np.ndarray, axis: int, size: int) -> np.ndarray:
    """The means of what each of ``size`` pixels covers, which are not smaller than those of the image."""
    old = image.shape[axis]
    edges = np.arange(size + 1) * (old / size)
    pixel_starts = np.arange(old)
    covered = np.minimum(edges[1:, None], pixel_starts + 1) - np.maximum(edges[:-1, None], pixel_starts)
    share = (covered.clip(0) / (old / size)).astype(image.dtype)
    return np.moveaxis(np.tensordot(share, image, (1, axis)), 0, axis)


def near(d: np.ndarray) -> np.ndarray:
    """Weight of a pixel at distance 0 to 1 in cubic convolution (R. Keys, 1981)."""
    return (CUBIC + 2) * d**3 - (CUBIC + 3) * d**2 + 1


def far(d: np.ndarray) -> np.ndarray:
    """Weight of a pixel at distance 1 to 2."""
    return CUBIC * (d**3 - 5 * d**2 + 8 * d - 4)
