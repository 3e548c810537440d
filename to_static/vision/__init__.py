"""Images: well-known datasets, and transforms on NumPy arrays."""

from to_static.core.missing import names_missing
from to_static.vision import datasets, transforms
from to_static.vision.image import get_image_backend, set_image_backend

__all__ = ["datasets", "get_image_backend", "set_image_backend", "transforms"]

__getattr__ = names_missing(__name__)
