"""Events with a name, a kind, a begin and an end."""

from __future__ import annotations

import enum
import threading
import time
import warnings
from typing import Any, NamedTuple


class TracerEventType(enum.Enum):
    """The kinds of events.

    Example:
        >>> paddle.profiler.TracerEventType.Operator.name
        'Operator'
    """

    Operator = 0
    Dataloader = 1
    ProfileStep = 2
    CudaRuntime = 3
    Kernel = 4
    Memcpy = 5
    Memset = 6
    UserDefined = 7
    OperatorInner = 8
    Forward = 9
    Backward = 10
    Optimization = 11
    Communication = 12
    PythonOp = 13
    PythonUserDefined = 14


_OF_USERS = frozenset(
    {
        TracerEventType.Dataloader,
        TracerEventType.ProfileStep,
        TracerEventType.Forward,
        TracerEventType.Backward,
        TracerEventType.Optimization,
        TracerEventType.PythonOp,
        TracerEventType.PythonUserDefined,
    }
)


class Event(NamedTuple):
    """One thing that took time. Times are nanoseconds of `clock`."""

    name: str
    event_type: TracerEventType
    begin: int
    end: int
    thread: int
    shapes: Any = None

    @property
    def duration(self) -> int:
        """Nanoseconds that it took."""
        return self.end - self.begin


clock = time.perf_counter_ns
_recording: list[Event] | None = None


def begin_recording() -> None:
    """Events are kept from now on."""
    global _recording
    _recording = []


def end_recording() -> list[Event]:
    """The events since `begin_recording`; further ones are not kept."""
    global _recording
    events, _recording = _recording or [], None
    return events


def keep(name: str, event_type: TracerEventType, begin: int, end: int, shapes: Any = None) -> None:
    """Keep an event of this thread, while events are kept."""
    events = _recording
    if events is not None:
        events.append(Event(name, event_type, begin, end, threading.get_ident(), shapes))


class RecordEvent:
    """An event of the user's, in a ``with`` block or between `begin` and `end`; kept while a `Profiler` records.

    Args:
        name: what it is called in tables and traces.
        event_type: a `TracerEventType`; one of Dataloader, ProfileStep, Forward, Backward, Optimization, PythonOp and
            PythonUserDefined (default), others are not kept, with a warning.

    Example:
        >>> with paddle.profiler.RecordEvent('augment'):
        ...     x = x + paddle.randn(x.shape)

    Source: PaddlePaddle 2.6, ``paddle.profiler.RecordEvent``.
    """

    def __init__(self, name: str, event_type: TracerEventType = TracerEventType.PythonUserDefined) -> None:
        self.name, self.event_type = name, event_type
        self._begin: int | None = None

    def __enter__(self) -> RecordEvent:
        self.begin()
        return self

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        self.end()

    def begin(self) -> None:
        """It begins now."""
        if _recording is None:
            return
        if self.event_type not in _OF_USERS:
            names = ", ".join(sorted(event_type.name for event_type in _OF_USERS))
            warnings.warn(f"RecordEvent keeps events of these types: {names}; not {self.event_type}", stacklevel=2)
            return
        self._begin = clock()

    def end(self) -> None:
        """It ends now."""
        if self._begin is not None:
            keep(self.name, self.event_type, self._begin, clock())
            self._begin = None
