"""Images as rows: read with Pillow, resized, and scaled as models of vision take them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from to_static.core.diagnostics.printable import printable
from to_static.core.errors import FormatError
from to_static.core.importing.extras import need

IMAGES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".gif", ".tif", ".tiff"})


@dataclass(frozen=True)
class ImageSettings:
    """The conversion of an image into an array.

    Args:
        size: height and width; None leaves an image as it is.
        channels: 3 (RGB) or 1 (grey).
        channels_first: [C, H, W], else [H, W, C].
        dtype: 'uint8' keeps 0 to 255; floating dtypes have 0 to 1 before ``mean`` and ``std``.
        mean, std: of each channel: the array is (image - mean) / std.
    """

    size: tuple[int, int] | None = None
    channels: int = 3
    channels_first: bool = True
    dtype: str = "float32"
    mean: tuple[float, ...] = ()
    std: tuple[float, ...] = ()


def settings_for(
    shape: tuple[int, ...], dtype: str, mean: tuple[float, ...] = (), std: tuple[float, ...] = ()
) -> ImageSettings:
    """The settings that an input of this shape ([N, C, H, W] or [N, H, W, C], -1 for a free dimension) takes."""
    if len(shape) != 4:
        return ImageSettings(None, 3, True, dtype, mean, std)
    first = shape[1] in (1, 3) or shape[3] not in (1, 3)
    height, width = shape[2:] if first else shape[1:3]
    channels = shape[1] if first else shape[3]
    size = (height, width) if height > 0 and width > 0 else None
    return ImageSettings(size, 1 if channels == 1 else 3, first, dtype, mean, std)


def read_image(path: str, settings: ImageSettings) -> np.ndarray:
    """The array of an image file. Raises FormatError for a file that is no image."""
    pillow = need("PIL.Image", "cluster")
    try:
        with pillow.open(path) as file:
            image = file.convert("L" if settings.channels == 1 else "RGB")
    except (OSError, ValueError, SyntaxError, pillow.DecompressionBombError) as error:
        raise FormatError(path, "an image", printable(error)) from None
    if settings.size is not None and image.size != settings.size[::-1]:
        image = image.resize(settings.size[::-1], pillow.Resampling.BILINEAR)
    array = np.asarray(image).reshape(image.height, image.width, settings.channels)
    if settings.dtype != "uint8":
        array = array.astype(settings.dtype) / np.asarray(255, settings.dtype)
        if settings.mean:
            array = array - np.asarray(settings.mean, settings.dtype)
        if settings.std:
            array = array / np.asarray(settings.std, settings.dtype)
    return np.ascontiguousarray(array.transpose(2, 0, 1) if settings.channels_first else array)
