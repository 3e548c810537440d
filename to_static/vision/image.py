"""Reads image files, and says in which form data sets return images."""

from __future__ import annotations

import importlib.util
from typing import Any

import numpy as np

from to_static.compiler.eager.tensor import EagerTensor
from to_static.core import backend as backends
from to_static.vision import pillow

BACKENDS = ("pil", "cv2", "tensor", "numpy")
_backend: str | None = None


def checked_backend(backend: str) -> str:
    """``backend`` itself. Raises ValueError when it is unknown."""
    if backend not in BACKENDS:
        raise ValueError(f"expected an image backend among {', '.join(BACKENDS)}, got {backend!r}")
    return backend


def set_image_backend(backend: str) -> None:
    """Choose the form of images: 'pil' (Pillow's), 'cv2' (arrays as OpenCV reads them), 'tensor' or 'numpy' (uint8 arrays).

    At first it is 'pil' where Pillow is installed, else 'numpy'. Raises ValueError for another name.
    ``backend``: one of these names.

    Example:
        >>> paddle.vision.set_image_backend(paddle.vision.get_image_backend())
    """
    global _backend
    _backend = checked_backend(backend)


def get_image_backend() -> str:
    """The form chosen with `set_image_backend`.

    Example:
        >>> backend = paddle.vision.get_image_backend()
    """
    if _backend is None:
        return "numpy" if importlib.util.find_spec("PIL") is None else "pil"
    return _backend


def image_load(path: Any, backend: str | None = None) -> Any:
    """The image of a file.

    Args:
        path: of the file. backend: see `set_image_backend` (default: the one chosen there).

    Returns Pillow's image; for 'cv2' a uint8 array [H, W, 3] of blue, green, red; for 'numpy' an array [H, W] or [H, W, C] of the
    file's channels; for 'tensor' a uint8 Tensor [C, H, W] of them.

    Raises ImportError when Pillow is not installed, ValueError for another backend, OSError when there is no such image.

    Example:
        >>> paddle.vision.image_load("cat.jpg").size
        (640, 480)
    """
    backend_name = checked_backend(backend or get_image_backend())
    image = pillow.need("image_load").open(path)
    if backend_name == "pil":
        image.load()  # and closes the file
        return image
    with image:
        pixels = np.asarray(image.convert("RGB"))[..., ::-1] if backend_name == "cv2" else np.asarray(image)
    if backend_name != "tensor":
        return np.ascontiguousarray(pixels)
    planes = pixels[None] if pixels.ndim == 2 else pixels.transpose(2, 0, 1)
    return EagerTensor(backends.current().asarray(np.ascontiguousarray(planes)))
