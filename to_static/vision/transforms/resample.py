"""Resizing images with NumPy: separable interpolation between pixel centres, without smoothing (as OpenCV does it)."""

from __future__ import annotations

import numpy as np

CUBIC = -0.75  # sharpness of the cubic kernel, OpenCV's choice

METHODS = ("nearest", "bilinear", "bicubic")


def resample(image: np.ndarray, height: int, width: int, interpolation: str) -> np.ndarray:
    """An image [H, W] or [H, W, C] at another size, in its own dtype (integers are rounded and clipped).

    Raises ValueError for an interpolation other than 'nearest', 'bilinear' and 'bicubic'.
    """
    if interpolation not in METHODS:
        raise ValueError(f"resize: interpolation should be one of {', '.join(METHODS)}, got {interpolation!r}")
    if interpolation == "nearest":
        rows = np.arange(height) * image.shape[0] // height
        columns = np.arange(width) * image.shape[1] // width
        return image[rows][:, columns]
    dtype = image.dtype
    mixed = image.astype(np.float64 if dtype == np.float64 else np.float32)
    for axis, size in ((0, height), (1, width)):
        mixed = _along(mixed, axis, size, interpolation)
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        mixed = np.rint(mixed).clip(limits.min, limits.max)
    return mixed.astype(dtype)


def _along(image: np.ndarray, axis: int, size: int, interpolation: str) -> np.ndarray:
    old = image.shape[axis]
    centre = (np.arange(size) + 0.5) * (old / size) - 0.5
    first = np.floor(centre).astype(np.int64)
    t = (centre - first).astype(image.dtype)
    if interpolation == "bilinear":
        taps = [(0, 1 - t), (1, t)]
    else:
        taps = [(-1, far(1 + t)), (0, near(t)), (1, near(1 - t)), (2, far(2 - t))]
    shape = [1] * image.ndim
    shape[axis] = size
    total = np.zeros((), image.dtype)
    for offset, weight in taps:
        total = total + image.take((first + offset).clip(0, old - 1), axis) * weight.reshape(shape)
    return total


def near(d: np.ndarray) -> np.ndarray:
    """Weight of a pixel at distance 0 to 1 in cubic convolution (R. Keys, 1981)."""
    return (CUBIC + 2) * d**3 - (CUBIC + 3) * d**2 + 1


def far(d: np.ndarray) -> np.ndarray:
    """Weight of a pixel at distance 1 to 2."""
    return CUBIC * (d**3 - 5 * d**2 + 8 * d - 4)
