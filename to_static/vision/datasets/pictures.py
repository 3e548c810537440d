"""Images of datasets, in the form that was asked for."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from to_static.vision import pillow
from to_static.vision.image import get_image_backend

FORMS = ("pil", "cv2", "numpy")


def dataset_backend(backend: str | None) -> str:
    """The form of a dataset's images. Raises ValueError when datasets have no such form."""
    chosen = backend or get_image_backend()
    if chosen not in FORMS:
        raise ValueError(f"expected an image backend of datasets among {', '.join(FORMS)}, got {chosen!r}")
    return chosen


def as_image(array: np.ndarray, backend: str) -> Any:
    """A uint8 array as an image of the form ``backend``. Raises ImportError when Pillow is needed and not installed."""
    if backend != "pil":
        return array
    return pillow.need("image backend 'pil' (backend='numpy' does not)").fromarray(array)


def read_image(data: bytes, backend: str, what: str, mode: str | None = None) -> Any:
    """The image of a file with the bytes ``data``: Pillow's, or for other backends a uint8 array.

    ``mode``: Pillow's name of the channels to convert to. Raises ImportError naming ``what`` when Pillow is not installed.
    """
    image = pillow.need(what).open(io.BytesIO(data))
    if mode is not None:
        image = image.convert(mode)
    return image if backend == "pil" else np.asarray(image)
