"""Image transforms as functions.

An image is an array [H, W] or [H, W, C], a Pillow image (taken as such an array), or a Tensor [C, H, W]; the result is
an array, or a Tensor for a Tensor.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from to_static.core import backend as backends
from to_static.core.errors import ShapeError
from to_static.eager.tensor import EagerTensor
from to_static.ir.tensor import Tensor
from to_static.vision.transforms.resample import resample

PAD_MODES = ("constant", "edge", "reflect", "symmetric")


def as_array(image: Any) -> np.ndarray:
    """The pixels of an array or Pillow image. Raises TypeError or ShapeError when it is no image."""
    if not isinstance(image, np.ndarray):
        if isinstance(image, Tensor) or not hasattr(image, "__array_interface__"):
            raise TypeError(f"expected an image as a NumPy array or Pillow image, got {type(image).__name__}")
        image = np.asarray(image)
    if image.ndim not in (2, 3):
        raise ShapeError(f"expected an image of shape [H, W] or [H, W, C], got {list(image.shape)}")
    return image


def _on_pixels(image: Any, change: Callable[[np.ndarray], np.ndarray]) -> Any:
    # Geometry is written for [H, W, ...]; a Tensor's channels are moved out of the way and back.
    if isinstance(image, Tensor):
        pixels = image.numpy()
        if pixels.ndim != 3:
            raise ShapeError(f"expected an image Tensor of shape [C, H, W], got {image.shape}")
        return _tensor(np.ascontiguousarray(change(pixels.transpose(1, 2, 0)).transpose(2, 0, 1)))
    return np.ascontiguousarray(change(as_array(image)))


def _tensor(array: np.ndarray) -> EagerTensor:
    return EagerTensor(backends.NUMPY.asarray(array))


def image_size(image: Any) -> tuple[int, int]:
    """(height, width) of an image."""
    if isinstance(image, Tensor):
        return image.shape[-2], image.shape[-1]
    height, width = as_array(image).shape[:2]
    return height, width


def pair(value: Any, what: str) -> tuple[int, int]:
    """``(n, n)`` for a number, the two numbers of a sequence. Raises TypeError for anything else."""
    if isinstance(value, (int, float)):
        return int(value), int(value)
    if isinstance(value, (list, tuple)) and len(value) == 2:
        return int(value[0]), int(value[1])
    raise TypeError(f"{what}: expected a number or two, got {value!r}")


def to_tensor(pic: Any, data_format: str = "CHW") -> EagerTensor:
    """An image as a Tensor; uint8 pixels become float32 between 0 and 1, others keep their values and dtype.

    Args:
        pic: array [H, W] or [H, W, C] or Pillow image.
        data_format: 'CHW' (default) or 'HWC', the layout of the result.

    Raises:
        ValueError: ``data_format`` is neither. TypeError, ShapeError: ``pic`` is no image.

    Example:
        >>> to_tensor(np.zeros((28, 28), "uint8")).shape
        [1, 28, 28]
    """
    if data_format not in ("CHW", "HWC"):
        raise ValueError(f"to_tensor: data_format should be CHW or HWC, got {data_format!r}")
    array = as_array(pic)
    if array.ndim == 2:
        array = array[:, :, None]
    if data_format == "CHW":
        array = array.transpose(2, 0, 1)
    if array.dtype == np.uint8:
        array = array.astype(np.float32) / np.float32(255)
    return _tensor(np.array(array, order="C"))


def normalize(img: Any, mean: Any, std: Any, data_format: str = "CHW", to_rgb: bool = False) -> Any:
    """``(img - mean) / std`` for each channel, in floating point.

    Args:
        img: array, Pillow image or Tensor in layout ``data_format``; [H, W] counts as one channel.
        mean, std: a number, or one per channel.
        data_format: 'CHW' (default) or 'HWC'.
        to_rgb: reverse the channels first (from BGR).

    Raises:
        ShapeError: there are neither one nor as many means as channels.
        ValueError: ``data_format`` is neither 'CHW' nor 'HWC', or a ``std`` is zero.
    """
    if data_format not in ("CHW", "HWC"):
        raise ValueError(f"normalize: data_format should be CHW or HWC, got {data_format!r}")
    axis = -3 if data_format == "CHW" else -1
    pixels = img.numpy() if isinstance(img, Tensor) else as_array(img)
    if pixels.ndim == 2:
        pixels = np.expand_dims(pixels, 0 if axis == -3 else 2)
    if to_rgb:
        pixels = np.flip(pixels, axis)
    shift, scale = _per_channel(mean, pixels, axis, "mean"), _per_channel(std, pixels, axis, "std")
    if not scale.all():
        raise ValueError(f"normalize: std should not be zero, got {std!r}")
    result = (pixels - shift) / scale
    return _tensor(result) if isinstance(img, Tensor) else result


def _per_channel(values: Any, pixels: np.ndarray, axis: int, what: str) -> np.ndarray:
    row = np.asarray(values, np.float32).reshape(-1)
    channels = pixels.shape[axis]
    if len(row) not in (1, channels):
        raise ShapeError(f"normalize: got {len(row)} values of {what} for an image of {channels} channel(s)")
    return row.reshape([-1] + [1] * (-axis - 1))


def resize(img: Any, size: int | Sequence[int], interpolation: str = "bilinear") -> Any:
    """The image at another size.

    Args:
        img: array, Pillow image or Tensor.
        size: (height, width), or the length of the shorter side.
        interpolation: 'nearest', 'bilinear' (default) or 'bicubic', between pixel centres and without smoothing.

    Raises:
        ValueError: the interpolation is unknown or a size is not positive. TypeError: ``size`` is neither.
    """
    height, width = image_size(img)
    if isinstance(size, int):
        short = min(height, width)
        wanted = (size, int(size * width / short)) if height <= width else (int(size * height / short), size)
    else:
        wanted = pair(size, "resize")
    if min(wanted) <= 0:
        raise ValueError(f"resize: expected a positive size, got {size!r}")
    return _on_pixels(img, lambda pixels: resample(pixels, *wanted, interpolation))


def pad(img: Any, padding: int | Sequence[int], fill: Any = 0, padding_mode: str = "constant") -> Any:
    """The image with a border.

    Args:
        img: array, Pillow image or Tensor.
        padding: one width for all sides, (left and right, top and bottom), or (left, top, right, bottom).
        fill: value of the border, or one per channel, for 'constant'.
        padding_mode: 'constant' (default), 'edge', 'reflect' or 'symmetric'.

    Raises:
        ValueError: ``padding`` or ``padding_mode`` is none of these.
    """
    sides = [padding] * 4 if isinstance(padding, int) else list(padding) * (2 if len(padding) == 2 else 1)
    if len(sides) != 4 or min(sides) < 0:
        raise ValueError(f"pad: expected 1, 2 or 4 widths >= 0, got {padding!r}")
    if padding_mode not in PAD_MODES:
        raise ValueError(f"pad: padding_mode should be one of {', '.join(PAD_MODES)}, got {padding_mode!r}")
    left, top, right, bottom = sides

    def change(pixels: np.ndarray) -> np.ndarray:
        widths = [(top, bottom), (left, right)] + [(0, 0)] * (pixels.ndim - 2)
        if padding_mode != "constant":
            return np.pad(pixels, widths, padding_mode)  # type: ignore[call-overload]
        height, width = pixels.shape[:2]
        result = np.empty((top + height + bottom, left + width + right, *pixels.shape[2:]), pixels.dtype)
        result[...] = fill
        result[top : top + height, left : left + width] = pixels
        return result

    return _on_pixels(img, change)


def crop(img: Any, top: int, left: int, height: int, width: int) -> Any:
    """The rectangle of ``height`` x ``width`` pixels whose upper left corner is at (top, left).

    Raises ValueError when it is not inside the image.
    """
    rows, columns = image_size(img)
    if top < 0 or left < 0 or height < 0 or width < 0 or top + height > rows or left + width > columns:
        raise ValueError(
            f"crop: {height}x{width} pixels at ({top}, {left}) are not inside an image of {rows}x{columns}"
        )
    return _on_pixels(img, lambda pixels: pixels[top : top + height, left : left + width])


def center_crop(img: Any, output_size: int | Sequence[int]) -> Any:
    """The middle of the image: a square of a side, or (height, width). Raises ValueError when the image is smaller."""
    height, width = pair(output_size, "center_crop")
    rows, columns = image_size(img)
    return crop(img, round((rows - height) / 2), round((columns - width) / 2), height, width)


def hflip(img: Any) -> Any:
    """The image mirrored left to right."""
    return _on_pixels(img, lambda pixels: pixels[:, ::-1])


def vflip(img: Any) -> Any:
    """The image upside down."""
    return _on_pixels(img, lambda pixels: pixels[::-1])
