"""Names of Paddle's for machines that are not here: they can be imported and asked for, and say so when they are called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from to_static.core.errors import DeviceError


def on_gpus(name: str, instead: str) -> Callable[..., Any]:
    """A function of Paddle's that has a kernel for GPUs only, in PaddlePaddle too: it raises DeviceError."""

    def refused(*args: object, **kwargs: object) -> Any:
        raise DeviceError(f"{name} is a kernel for GPUs; PaddlePaddle has none for a CPU, either. Use {instead}")

    refused.__name__ = refused.__qualname__ = name.rpartition(".")[2]
    refused.__doc__ = f"Raises DeviceError: there is a kernel for GPUs only, in PaddlePaddle too. Use {instead}."
    return refused


def _no_place(device: object) -> DeviceError:
    return DeviceError(f"there is no device for {type(device).__name__}; use CPUPlace(), or CUDAPlace(0) with a GPU")


class CustomPlace:
    """Raises DeviceError: there are no plugged-in devices.

    ``name``, ``dev_id``: not used.
    """

    def __init__(self, name: str, dev_id: int) -> None:
        raise _no_place(self)


class IPUPlace:
    """Raises DeviceError: there are no IPUs."""

    def __init__(self) -> None:
        raise _no_place(self)


class XPUPlace:
    """Raises DeviceError: there are no XPUs.

    ``dev_id``: not used.
    """

    def __init__(self, dev_id: int) -> None:
        raise _no_place(self)
