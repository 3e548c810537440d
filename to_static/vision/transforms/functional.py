"""Image transforms as functions.

An image is one of Pillow's, an array [H, W] or [H, W, C], or a Tensor [C, H, W] (some functions take [N, C, H, W], too). The result
is of the same kind. Each kind has a module of its own: `functional_pil`, `functional_cv2` (with OpenCV's numbers, as in Paddle) and
`functional_tensor`.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from to_static.compiler.ir.tensor import Tensor
from to_static.core.errors import ShapeError
from to_static.vision import pillow
from to_static.vision.transforms.geometry import affine_matrix, perspective_coefficients

PAD_MODES = ("constant", "edge", "reflect", "symmetric")
Numbers = float | Sequence[float]


def _module(image: Any) -> Any:
    """The module for this kind of image. Raises TypeError or ShapeError when it is no image."""
    if isinstance(image, Tensor):
        if image.ndim not in (3, 4):
            raise ShapeError(f"expected an image Tensor of shape [C, H, W] or [N, C, H, W], got {image.shape}")
        backend_name = "tensor"
    elif pillow.is_image(image):
        backend_name = "pil"
    elif isinstance(image, np.ndarray):
        if image.ndim not in (2, 3):
            raise ShapeError(f"expected an image of shape [H, W] or [H, W, C], got {list(image.shape)}")
        backend_name = "cv2"
    else:
        raise TypeError(f"expected an image: a Pillow image, a NumPy array or a Tensor, got {type(image).__name__}")
    return importlib.import_module(f"to_static.vision.transforms.functional_{backend_name}")


def _is_pil_image(image: Any) -> bool:
    """Return whether it is a Pillow image."""
    return pillow.is_image(image)


def _is_tensor_image(image: Any) -> bool:
    """Return whether it is a Tensor."""
    return isinstance(image, Tensor)


def _is_numpy_image(image: Any) -> bool:
    """Return whether it is an array [H, W] or [H, W, C]."""
    return isinstance(image, np.ndarray) and image.ndim in (2, 3)


def image_size(image: Any) -> tuple[int, int]:
    """(height, width) of an image. Raises TypeError or ShapeError when it is none."""
    return _module(image).size(image)  # type: ignore[no-any-return]


def pair(value: Any, what: str) -> tuple[int, int]:
    """``(n, n)`` for a number, the two numbers of a sequence. Raises TypeError for anything else."""
    if isinstance(value, (int, float)):
        return int(value), int(value)
    if isinstance(value, (list, tuple)) and len(value) == 2:
        return int(value[0]), int(value[1])
    raise TypeError(f"{what}: expected a number or two, got {value!r}")


def to_tensor(pic: Any, data_format: str = "CHW") -> Any:
    """An image as a Tensor; uint8 pixels become float32 between 0 and 1, others keep their values and dtype.

    Args:
        pic: array [H, W] or [H, W, C], Pillow image, or a Tensor [C, H, W], which is given back as it is.
        data_format: 'CHW' (default) or 'HWC', the layout of the result.

    Raises:
        ValueError: ``data_format`` is neither. TypeError, ShapeError: ``pic`` is no image.

    Example:
        >>> to_tensor(np.zeros((28, 28), "uint8")).shape
        [1, 28, 28]
    """
    if data_format not in ("CHW", "HWC"):
        raise ValueError(f"to_tensor: data_format should be CHW or HWC, got {data_format!r}")
    return _module(pic).to_tensor(pic, data_format)


def normalize(img: Any, mean: Any, std: Any, data_format: str = "CHW", to_rgb: bool = False) -> Any:
    """``(img - mean) / std`` for each channel, in floating point.

    Args:
        img: array, Pillow image (both give an array) or Tensor in layout ``data_format``; [H, W] counts as one channel.
        mean, std: a number, or one per channel.
        data_format: 'CHW' (default) or 'HWC'.
        to_rgb: reverse the channels first (from BGR).

    Raises:
        ShapeError: there are neither one nor as many means as channels.
        ValueError: ``data_format`` is neither 'CHW' nor 'HWC', or a ``std`` is zero.

    Example:
        >>> paddle.vision.transforms.normalize(np.ones([1, 1, 1], "float32"), 0.5, 0.5).tolist()
        [[[1.0]]]
    """
    if data_format not in ("CHW", "HWC"):
        raise ValueError(f"normalize: data_format should be CHW or HWC, got {data_format!r}")
    if not np.asarray(std).all():
        raise ValueError(f"normalize: std should not be zero, got {std!r}")
    return _module(img).normalize(img, mean, std, data_format, to_rgb)


def resize(img: Any, size: int | Sequence[int], interpolation: str = "bilinear") -> Any:
    """The image at another size.

    Args:
        img: Pillow image (which Pillow smooths), array or Tensor (between pixel centres, without smoothing).
        size: (height, width), or the length of the shorter side.
        interpolation: 'nearest', 'bilinear' (default) or 'bicubic'; of Pillow images also 'box', 'lanczos' and 'hamming', of arrays
            also 'area' and 'lanczos'.

    Raises:
        ValueError: the interpolation is unknown or a size is not positive. TypeError: ``size`` is neither.

    Example:
        >>> paddle.vision.transforms.resize(np.zeros([4, 6, 3], "uint8"), [2, 3]).shape
        (2, 3, 3)
    """
    height, width = image_size(img)
    if isinstance(size, int):
        if size == min(height, width):
            return img
        new_size = (size, int(size * width / height)) if height <= width else (int(size * height / width), size)
    else:
        new_size = pair(size, "resize")
    if min(new_size) <= 0:
        raise ValueError(f"resize: expected a positive size, got {size!r}")
    return _module(img).resize(img, new_size, interpolation)


def pad(img: Any, padding: int | Sequence[int], fill: Any = 0, padding_mode: str = "constant") -> Any:
    """The image with a border.

    Args:
        img: Pillow image, array or Tensor.
        padding: one width for all sides, (left and right, top and bottom), or (left, top, right, bottom).
        fill: value of the border, or one per channel, for 'constant'.
        padding_mode: 'constant' (default), 'edge', 'reflect' or 'symmetric'.

    Raises:
        ValueError: ``padding`` or ``padding_mode`` is none of these.

    Example:
        >>> paddle.vision.transforms.pad(np.zeros([4, 6, 3], "uint8"), 1).shape
        (6, 8, 3)
    """
    sides = [padding] * 4 if isinstance(padding, int) else list(padding) * (2 if len(padding) == 2 else 1)
    if len(sides) != 4 or min(sides) < 0:
        raise ValueError(f"pad: expected 1, 2 or 4 widths >= 0, got {padding!r}")
    if padding_mode not in PAD_MODES:
        raise ValueError(f"pad: padding_mode should be one of {', '.join(PAD_MODES)}, got {padding_mode!r}")
    return _module(img).pad(img, sides, fill, padding_mode)


def crop(img: Any, top: int, left: int, height: int, width: int) -> Any:
    """The rectangle of ``height`` x ``width`` pixels whose upper left corner is at (top, left).

    What is not inside of a Pillow image is black, as Pillow has it; arrays and Tensors are cut off there, as slices are.
    Raises ValueError for a negative number.
    ``img``: Pillow image, array or Tensor.

    Example:
        >>> paddle.vision.transforms.crop(np.arange(6).reshape([2, 3]), 0, 1, 2, 2).tolist()
        [[1, 2], [4, 5]]
    """
    return _module(img).crop(img, top, left, height, width)


def check_box(top: int, left: int, height: int, width: int) -> None:
    """Raise ValueError for a box that begins outside, where a slice would count from the other end."""
    if min(top, left, height, width) < 0:
        raise ValueError(f"crop: {height}x{width} pixels at ({top}, {left}) are not inside an image")


def center_crop(img: Any, output_size: int | Sequence[int]) -> Any:
    """The middle of the image: a square of a side, or (height, width). For an image that is smaller, see `crop`.

    ``img``: Pillow image, array or Tensor; ``output_size``: the side, or the pair.

    Example:
        >>> paddle.vision.transforms.center_crop(np.zeros([4, 6, 3], "uint8"), 2).shape
        (2, 2, 3)
    """
    height, width = pair(output_size, "center_crop")
    rows, columns = image_size(img)
    return crop(img, round((rows - height) / 2), round((columns - width) / 2), height, width)


def hflip(img: Any) -> Any:
    """The image mirrored left to right.

    ``img``: Pillow image, array or Tensor.

    Example:
        >>> paddle.vision.transforms.hflip(np.array([[1, 2]])).tolist()
        [[2, 1]]
    """
    return _module(img).hflip(img)


def vflip(img: Any) -> Any:
    """The image upside down.

    ``img``: Pillow image, array or Tensor.

    Example:
        >>> paddle.vision.transforms.vflip(np.array([[1], [2]])).tolist()
        [[2], [1]]
    """
    return _module(img).vflip(img)


def adjust_brightness(img: Any, brightness_factor: float) -> Any:
    """The image with its numbers multiplied: 0 gives black, 1 the image itself, 2 twice the brightness.

    An array is taken as uint8. Raises ValueError for a negative factor.
    ``img``: Pillow image, array or Tensor; ``brightness_factor``: the factor.

    Example:
        >>> adjust_brightness(np.full((1, 1, 3), 100, "uint8"), 0.5)[0, 0].tolist()
        [50, 50, 50]
    """
    return _module(img).adjust_brightness(img, _not_negative(brightness_factor, "adjust_brightness"))


def adjust_contrast(img: Any, contrast_factor: float) -> Any:
    """The image moved away from a grey (1 is the image itself, 0 all grey): its mean; of an array 74, as in Paddle.

    An array is taken as uint8. Raises ValueError for a negative factor.
    ``img``: Pillow image, array or Tensor; ``contrast_factor``: how far.

    Example:
        >>> paddle.vision.transforms.adjust_contrast(np.zeros([4, 6, 3], "uint8"), 0.5).shape
        (4, 6, 3)
    """
    return _module(img).adjust_contrast(img, _not_negative(contrast_factor, "adjust_contrast"))


def adjust_saturation(img: Any, saturation_factor: float) -> Any:
    """The image moved away from its greys: 0 gives a grey image, 1 the image itself. Raises ValueError for a negative factor.

    Channels of an array are blue, green, red.
    """
    return _module(img).adjust_saturation(img, _not_negative(saturation_factor, "adjust_saturation"))


def adjust_hue(img: Any, hue_factor: float) -> Any:
    """The image with its colours turned by ``hue_factor`` of the circle, -0.5 to 0.5. Grey images stay as they are.

    Channels of an array are blue, green, red, and taken as uint8. Raises ValueError for another factor.
    ``img``: Pillow image, array or Tensor.

    Example:
        >>> paddle.vision.transforms.adjust_hue(np.zeros([4, 6, 3], "uint8"), 0.2).shape
        (4, 6, 3)
    """
    if not -0.5 <= hue_factor <= 0.5:
        raise ValueError(f"adjust_hue: hue_factor should be between -0.5 and 0.5, got {hue_factor!r}")
    return _module(img).adjust_hue(img, hue_factor)


def _not_negative(factor: float, owner: str) -> float:
    if factor < 0:
        raise ValueError(f"{owner}: the factor should not be negative, got {factor!r}")
    return factor


def to_grayscale(img: Any, num_output_channels: int = 1) -> Any:
    """The image in grey, as one channel (default) or three equal ones. Raises ValueError for another number.

    ``img``: Pillow image, array or Tensor; ``num_output_channels``: 1 or 3.

    Example:
        >>> paddle.vision.transforms.to_grayscale(np.zeros([4, 6, 3], "uint8")).shape
        (4, 6, 1)
    """
    if num_output_channels not in (1, 3):
        raise ValueError(f"to_grayscale: num_output_channels should be 1 or 3, got {num_output_channels!r}")
    return _module(img).to_grayscale(img, num_output_channels)


def affine(
    img: Any, angle: float, translate: Sequence[float], scale: float, shear: Numbers, interpolation: str = "nearest",
    fill: Numbers = 0, center: Sequence[float] | None = None,
) -> Any:  # fmt: skip
    """The image turned, moved, scaled and sheared about its center.

    Args:
        angle: in degrees, clockwise. translate: by how many pixels, (to the right, down). scale: above 0.
        shear: in degrees, along x, or (along x, along y).
        interpolation: 'nearest' (default), 'bilinear', or 'bicubic' (not of Tensors).
        fill: what stands outside of the image, a number or one per channel (default 0).
        center: (x, y) in pixels from the upper left corner (default: the middle).

    Raises TypeError or ValueError when an argument is none of these.

    ``img``: Pillow image, array or Tensor.

    Example:
        >>> affine(image, 30, (2, 0), 1.0, 0, "bilinear")
    """
    if not isinstance(translate, (list, tuple)) or len(translate) != 2:
        raise ValueError(f"affine: translate should be a sequence of two numbers, got {translate!r}")
    if scale <= 0:
        raise ValueError(f"affine: scale should be positive, got {scale!r}")
    shears = [shear, 0.0] if isinstance(shear, (int, float)) else [*shear] * (2 if len(shear) == 1 else 1)
    if len(shears) != 2:
        raise ValueError(f"affine: shear should be a number or two, got {shear!r}")
    module = _module(img)
    height, width = image_size(img)
    middle = (width / 2, height / 2)
    matrix = affine_matrix(_center(center, "affine") or middle, float(angle), translate, scale, shears)
    return module.affine(img, matrix, interpolation, fill)


def _center(center: Any, owner: str) -> tuple[float, float] | None:
    if center is None:
        return None
    if not isinstance(center, (list, tuple)) or len(center) != 2:
        raise TypeError(f"{owner}: center should be (x, y) or None, got {center!r}")
    return float(center[0]), float(center[1])


def rotate(
    img: Any, angle: float, interpolation: str = "nearest", expand: bool = False, center: Sequence[float] | None = None,
    fill: Numbers = 0,
) -> Any:  # fmt: skip
    """The image turned by ``angle`` degrees, counterclockwise.

    Args:
        interpolation, fill, center: as in `affine`. expand: make the result large enough for the whole image (turned about its
            middle).

    Raises TypeError or ValueError when an argument is none of these.

    ``img``: Pillow image, array or Tensor.

    Example:
        >>> paddle.vision.transforms.rotate(np.zeros([4, 6, 3], "uint8"), 90).shape
        (4, 6, 3)
    """
    return _module(img).rotate(img, angle, interpolation, expand, _center(center, "rotate"), fill)


def perspective(
    img: Any, startpoints: Sequence[Sequence[float]], endpoints: Sequence[Sequence[float]], interpolation: str = "nearest",
    fill: Numbers = 0,
) -> Any:  # fmt: skip
    """The image seen so that the four points ``startpoints`` (x, y) are where ``endpoints`` are.

    ``interpolation`` and ``fill`` as in `affine`. Raises ValueError unless there are four points each.
    ``img``: Pillow image, array or Tensor.

    Example:
        >>> corners = [[0, 0], [5, 0], [5, 3], [0, 3]]
        >>> paddle.vision.transforms.perspective(np.zeros([4, 6, 3], "uint8"), corners, corners).shape
        (4, 6, 3)
    """
    if len(startpoints) != 4 or len(endpoints) != 4:
        raise ValueError(f"perspective: expected four points each, got {len(startpoints)} and {len(endpoints)}")
    return _module(img).perspective(img, perspective_coefficients(startpoints, endpoints), interpolation, fill)


def erase(img: Any, i: int, j: int, h: int, w: int, v: Any, inplace: bool = False) -> Any:
    """The image with ``v`` in place of ``h`` x ``w`` pixels whose upper left corner is at row ``i``, column ``j``.

    ``inplace`` (default False): change the array or Tensor itself.
    ``img``: array or Tensor.

    Example:
        >>> paddle.vision.transforms.erase(paddle.ones([1, 2, 2]), 0, 0, 1, 1, 0.0).tolist()
        [[[0.0, 1.0], [1.0, 1.0]]]
    """
    return _module(img).erase(img, i, j, h, w, v, inplace)

