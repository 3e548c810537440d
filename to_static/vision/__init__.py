"""Images: well-known datasets, transforms on NumPy arrays, and the operators of detectors."""

from to_static.core.missing import names_missing
from to_static.vision import datasets, ops, transforms
from to_static.vision.image import get_image_backend, set_image_backend

__all__ = ["datasets", "get_image_backend", "ops", "set_image_backend", "transforms"]

__getattr__ = names_missing(__name__)
