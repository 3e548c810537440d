"""Devices, under Paddle's names."""

from to_static.core.backend import get_device, is_compiled_with_cuda, set_device
from to_static.core.missing import names_missing

__all__ = ["get_device", "is_compiled_with_cuda", "set_device"]

__getattr__ = names_missing(__name__)
