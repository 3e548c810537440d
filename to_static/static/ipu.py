"""Paddle's names for IPUs and XPUs, as in a build without them: they can be imported and refuse to work."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from to_static.core.errors import DeviceError


class _NoIpu(DeviceError, ValueError):
    """There are no IPUs."""


class IpuStrategy:
    """Raises DeviceError: there are no IPUs."""

    def __init__(self) -> None:
        raise _NoIpu("IpuStrategy: there are no IPUs")


class IpuCompiledProgram:
    """Raises DeviceError: there are no IPUs.

    ``program``, ``scope``, ``ipu_strategy``: not used.
    """

    def __init__(self, program: Any = None, scope: Any = None, ipu_strategy: Any = None) -> None:
        raise _NoIpu("IpuCompiledProgram: there are no IPUs; an Executor runs the Program as it is")


@contextlib.contextmanager
def ipu_shard_guard(index: int = -1, stage: int = -1) -> Iterator[None]:
    """Raises DeviceError where it is entered: there are no IPUs.

    ``index``, ``stage``: not used.
    """
    raise _NoIpu("ipu_shard_guard: there are no IPUs; leave it out")
    yield


def set_ipu_shard(call_func: Any, index: int = -1, stage: int = -1) -> Callable[..., Any]:
    """Raises DeviceError, when the result is called: there are no IPUs.

    ``call_func``: the function; ``index``, ``stage``: not used.
    """

    def wrapper(*args: Any, **kwargs: Any) -> Any:
        with ipu_shard_guard(index, stage):
            return call_func(*args, **kwargs)

    return wrapper


def xpu_places(device_ids: Any = None) -> list[Any]:
    """Raises DeviceError: there are no XPUs.

    ``device_ids``: not used.
    """
    raise DeviceError("xpu_places: there are no XPUs; use cpu_places()")
