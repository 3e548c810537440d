"""Devices, under Paddle's names (``paddle.device``). Kinds of devices that are not here are answered for: there are none."""

from __future__ import annotations

from typing import Any

from to_static.core import backend
from to_static.core.backend import get_device, is_compiled_with_cuda, set_device
from to_static.core.diagnostics.missing_names import names_missing
from to_static.core.unavailable_devices import IPUPlace, XPUPlace
from to_static.device import cuda
from to_static.device.cuda import Event, Stream, current_stream, set_stream, stream_guard

__all__ = [
    "Event", "IPUPlace", "Stream", "XPUPlace", "cuda", "current_stream", "get_all_custom_device_type", "get_all_device_type",
    "get_available_custom_device", "get_available_device", "get_cudnn_version", "get_device", "is_compiled_with_cinn",
    "is_compiled_with_cuda", "is_compiled_with_custom_device", "is_compiled_with_distribute", "is_compiled_with_ipu",
    "is_compiled_with_rocm", "is_compiled_with_xpu", "set_device", "set_stream", "stream_guard", "synchronize",
]  # fmt: skip


def get_all_device_type() -> list[str]:
    """The kinds of devices that there are: 'cpu', and 'gpu' where there is one.

    Example:
        >>> "cpu" in paddle.device.get_all_device_type()
        True
    """
    return ["cpu", *(["gpu"] if cuda.device_count() else [])]


def get_available_device() -> list[str]:
    """The devices that there are: 'cpu', 'gpu:0', ...

    Example:
        >>> "cpu" in paddle.device.get_available_device()
        True
    """
    return ["cpu", *(f"gpu:{i}" for i in range(cuda.device_count()))]


def get_all_custom_device_type() -> list[str]:
    """No kinds: there are no plugged-in devices.

    Example:
        >>> paddle.device.get_all_custom_device_type()
        []
    """
    return []


def get_available_custom_device() -> list[str]:
    """No devices: there are no plugged-in ones.

    Example:
        >>> paddle.device.get_available_custom_device()
        []
    """
    return []


def get_cudnn_version() -> None:
    """None: kernels are those of the array module.

    Example:
        >>> paddle.get_cudnn_version() is None
        True
    """


def is_compiled_with_cinn() -> bool:
    """False: Paddle's compiler is not here.

    Example:
        >>> paddle.is_compiled_with_cinn()
        False
    """
    return False


def is_compiled_with_custom_device(device_type: str) -> bool:
    """False: there are no plugged-in devices.

    ``device_type``: the kind of device, such as 'npu'.

    Example:
        >>> paddle.is_compiled_with_custom_device("npu")
        False
    """
    return False


def is_compiled_with_distribute() -> bool:
    """False: there is one process.

    Example:
        >>> paddle.is_compiled_with_distribute()
        False
    """
    return False


def is_compiled_with_ipu() -> bool:
    """False: there are no IPUs.

    Example:
        >>> paddle.is_compiled_with_ipu()
        False
    """
    return False


def is_compiled_with_rocm() -> bool:
    """False: there is no ROCm.

    Example:
        >>> paddle.is_compiled_with_rocm()
        False
    """
    return False


def is_compiled_with_xpu() -> bool:
    """False: there are no XPUs.

    Example:
        >>> paddle.is_compiled_with_xpu()
        False
    """
    return False


def _convert_to_place(device: str) -> Any:
    """The place of a device's name. Raises DeviceError for one that is not here."""
    return backend.get_backend(device).place


def synchronize(device: Any = None) -> None:
    """Wait until a device (default: the current one) has done all its work; the CPU always has.

    Example:
        >>> paddle.device.synchronize()
    """
    (backend.current() if device is None else backend.get_backend(device)).synchronize()


__getattr__ = names_missing(__name__)
