"""Images: well-known datasets and networks, transforms, and the operators of detectors."""

import importlib
from typing import Any

from to_static.core.missing import of_module
from to_static.vision.image import get_image_backend, image_load, set_image_backend

_PACKAGES = ("datasets", "models", "ops", "transforms")

__all__ = [*_PACKAGES, "get_image_backend", "image_load", "set_image_backend"]


def __getattr__(name: str) -> Any:
    if name not in _PACKAGES:
        raise of_module(__name__, name)
    return importlib.import_module(f"{__name__}.{name}")
