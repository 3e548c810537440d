"""In what form datasets hand out images."""

from __future__ import annotations

BACKENDS = ("numpy", "cv2", "pil")
_backend = "numpy"


def checked_backend(backend: str) -> str:
    """``backend`` itself. Raises ValueError when it is unknown."""
    if backend not in BACKENDS:
        raise ValueError(f"expected an image backend among {', '.join(BACKENDS)}, got {backend!r}")
    return backend


def set_image_backend(backend: str) -> None:
    """Choose the form of images: 'numpy' (uint8 arrays, at first), 'cv2' (float32 arrays) or 'pil' (needs Pillow).

    The transforms treat a uint8 array as they treat the Pillow image of the same pixels. Raises ValueError for another name.
    """
    global _backend
    _backend = checked_backend(backend)


def get_image_backend() -> str:
    """The form chosen with `set_image_backend`."""
    return _backend
