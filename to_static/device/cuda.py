"""GPUs, under Paddle's names (``paddle.device.cuda``). Without one there are none of them, and nothing to wait for."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from typing import Any

from to_static.core import backend
from to_static.core.diagnostics.missing_names import names_missing

__all__ = [
    "Event", "Stream", "current_stream", "device_count", "empty_cache", "get_device_capability", "get_device_name",
    "get_device_properties", "max_memory_allocated", "max_memory_reserved", "memory_allocated", "memory_reserved", "stream_guard",
    "synchronize",
]  # fmt: skip


def device_count() -> int:
    """Return the number of GPUs: 0 without CuPy.

    Example:
        >>> paddle.device.cuda.device_count()
        0
    """
    return int(backend.get_backend("gpu:0").xp.cuda.runtime.getDeviceCount()) if backend.is_compiled_with_cuda() else 0


def _gpu(device: Any) -> Any:
    """The backend of a GPU: a number, a place, a name or None for the first. Raises DeviceError when there is none."""
    return backend.get_backend("gpu:0" if device is None else f"gpu:{device}" if isinstance(device, int) else device)


def synchronize(device: Any = None) -> None:
    """Wait until a GPU has done all its work; without one there is none to wait for.

    Example:
        >>> paddle.device.cuda.synchronize()
    """
    if device_count():
        _gpu(device).synchronize()


def empty_cache() -> None:
    """Give back memory that is held for later tensors; without a GPU there is none.

    Example:
        >>> paddle.device.cuda.empty_cache()
    """
    if device_count():
        _gpu(None).xp.get_default_memory_pool().free_all_blocks()


def memory_allocated(device: Any = None) -> int:
    """Bytes that tensors take on a GPU. Raises DeviceError without one.

    ``device``: a number, a name or a place (default: the current one).

    Example:
        >>> if paddle.is_compiled_with_cuda():
        ...     print(paddle.device.cuda.max_memory_allocated())
        ...
    """
    return int(_gpu(device).xp.get_default_memory_pool().used_bytes())


def memory_reserved(device: Any = None) -> int:
    """Bytes that are held on a GPU. Raises DeviceError without one.

    ``device``: a number, a name or a place (default: the current one).

    Example:
        >>> if paddle.is_compiled_with_cuda():
        ...     print(paddle.device.cuda.max_memory_reserved())
        ...
    """
    return int(_gpu(device).xp.get_default_memory_pool().total_bytes())


max_memory_allocated = memory_allocated  # the pool does not keep its past
max_memory_reserved = memory_reserved


def get_device_properties(device: Any = None) -> Any:
    """Return CuPy's description of a GPU, a dict. Raises DeviceError without one.

    ``device``: a number, a name or a place (default: the current one).

    Example:
        >>> if paddle.is_compiled_with_cuda():
        ...     print(paddle.device.cuda.get_device_properties()["name"])
        ...
    """
    gpu = _gpu(device)
    return gpu.xp.cuda.runtime.getDeviceProperties(gpu.place.index)


def get_device_name(device: Any = None) -> str:
    """The name of a GPU. Raises DeviceError without one.

    ``device``: a number, a name or a place (default: the current one).

    Example:
        >>> if paddle.is_compiled_with_cuda():
        ...     print(paddle.device.cuda.get_device_name())
        ...
    """
    name = get_device_properties(device)["name"]
    return name.decode() if isinstance(name, bytes) else str(name)


def get_device_capability(device: Any = None) -> tuple[int, int]:
    """The compute capability of a GPU. Raises DeviceError without one.

    ``device``: a number, a name or a place (default: the current one).

    Example:
        >>> if paddle.is_compiled_with_cuda():
        ...     print(paddle.device.cuda.get_device_capability())
        ...
    """
    properties = get_device_properties(device)
    return int(properties["major"]), int(properties["minor"])


class Stream:
    """A queue of work. There is one for each device, in which all work is done in order.

    ``priority``, ``stream_base``: accepted, without an effect.

    Example:
        >>> stream = paddle.device.Stream()
        >>> stream.synchronize()
    """

    def __init__(self, device: Any = None, priority: int = 2, stream_base: Any = None) -> None:
        self._backend = backend.current() if device is None else backend.get_backend(device)
        self.device = self._backend.place

    def synchronize(self) -> None:
        """Wait until its work is done."""
        self._backend.synchronize()

    def query(self) -> bool:
        """True when its work is done."""
        self._backend.synchronize()
        return True

    def wait_event(self, event: Event) -> None:
        """Go on after an event."""
        event.synchronize()

    def wait_stream(self, stream: Stream) -> None:
        """Go on after the work of another stream."""
        stream.synchronize()

    def record_event(self, event: Event | None = None) -> Event:
        """An event (a new one by default) for the work up to here."""
        event = Event() if event is None else event
        event.record(self)
        return event


class Event:
    """A mark in a queue of work, with the time at which it was passed.

    ``blocking``, ``interprocess``: accepted, without an effect.

    Example:
        >>> start, end = paddle.device.Event(enable_timing=True), paddle.device.Event(enable_timing=True)
        >>> start.record(); end.record()
        >>> start.elapsed_time(end) >= 0
        True
    """

    def __init__(
        self, device: Any = None, enable_timing: bool = False, blocking: bool = False, interprocess: bool = False
    ) -> None:
        self._time: float | None = None

    def record(self, stream: Stream | None = None) -> None:
        """Mark the work up to here, of the current stream by default."""
        (current_stream() if stream is None else stream).synchronize()
        self._time = time.perf_counter()

    def query(self) -> bool:
        """True when that work is done."""
        return True

    def synchronize(self) -> None:
        """Wait until that work is done."""

    def elapsed_time(self, end_event: Event) -> float:
        """Milliseconds from this event to another one. Raises RuntimeError unless both are recorded."""
        if self._time is None or end_event._time is None:
            raise RuntimeError("elapsed_time: both events must be recorded")
        return (end_event._time - self._time) * 1000


_streams: dict[str, Stream] = {}


def current_stream(device: Any = None) -> Stream:
    """The stream that work is put into.

    ``device``: the device (default: the current one).

    Example:
        >>> stream = paddle.device.current_stream()
    """
    name = (backend.current() if device is None else backend.get_backend(device)).place.device
    return _streams.setdefault(name, Stream(name))


def set_stream(stream: Stream) -> Stream:
    """Put work into this stream from now on; returns the one before.

    Example:
        >>> before = paddle.device.set_stream(paddle.device.current_stream())
    """
    previous_stream = current_stream(stream.device)
    _streams[stream.device.device] = stream
    return previous_stream


@contextlib.contextmanager
def stream_guard(stream: Stream | None = None) -> Iterator[None]:
    """Put the work of a ``with`` block into a stream.

    Example:
        >>> with paddle.device.stream_guard(paddle.device.current_stream()):
        ...     y = x + 1
        ...
    """
    previous_stream = None if stream is None else set_stream(stream)
    try:
        yield
    finally:
        if previous_stream is not None:
            set_stream(previous_stream)


__getattr__ = names_missing(__name__)
