"""Devices, under Paddle's names."""

from to_static.core.backend import get_device, is_compiled_with_cuda, set_device

__all__ = ["get_device", "is_compiled_with_cuda", "set_device"]
