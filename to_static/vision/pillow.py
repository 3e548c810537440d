"""Pillow, which only some functions need: it is imported when one of them is called."""

from __future__ import annotations

import sys
from typing import Any

from to_static.core.importing import extras


def need(what: str) -> Any:
    """The module ``PIL.Image``. Raises ImportError that says how to get it; ``what`` is what needs it."""
    return extras.need("PIL.Image", "vision", what, "Pillow")


def is_image(value: object) -> bool:
    """Return whether ``value`` is an image of Pillow's."""
    image = sys.modules.get("PIL.Image")  # who has such an image has imported it
    return image is not None and isinstance(value, image.Image)
