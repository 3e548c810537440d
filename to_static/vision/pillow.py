"""Pillow, which only some functions need: it is imported when one of them is called."""

from __future__ import annotations

import importlib
import sys
from typing import Any


def need(what: str) -> Any:
    """The module ``PIL.Image``. Raises ImportError that says how to get it; ``what`` is what needs it."""
    try:
        return importlib.import_module("PIL.Image")
    except ImportError:
        raise ImportError(
            f"{what} needs Pillow, which is not installed: pip install to_static[vision] (or pip install pillow)"
        ) from None


def is_image(value: object) -> bool:
    """Return whether ``value`` is an image of Pillow's."""
    image = sys.modules.get("PIL.Image")  # who has such an image has imported it
    return image is not None and isinstance(value, image.Image)
