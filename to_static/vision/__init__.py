"""Images: well-known datasets and networks, transforms, and the operators of detectors.

The names of `datasets`, `models` and `transforms` are found here, too, as in Paddle: ``paddle.vision.resnet18``.
"""

import importlib
from typing import Any

from to_static.core.diagnostics.missing_names import of_module
from to_static.vision.image import get_image_backend, image_load, set_image_backend

_ROOMS = ("datasets", "models", "ops", "transforms")
_SHARED = ("transforms", "datasets", "models")  # those whose names are here; the one that loads soonest comes first

__all__ = [*_ROOMS, "get_image_backend", "image_load", "set_image_backend"]


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return importlib.import_module(f"{__name__}.{name}")
    if not name.startswith("_"):
        for room in _SHARED:
            module = importlib.import_module(f"{__name__}.{room}")
            if name in module.__all__:
                return getattr(module, name)
    raise of_module(__name__, name)
