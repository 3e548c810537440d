"""Results in files: traces for ``chrome://tracing`` and Perfetto, which are also what is read back."""

from __future__ import annotations

import datetime
import json
import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

from to_static.core.errors import FormatError
from to_static.profiler.events import Event, TracerEventType

_JSON = "a Chrome trace: format='json' (`export_chrome_tracing`), which `load_profiler_result` reads"
_PROTOBUF = "the protobuf format of Paddle's profiler, which is not written here"


class ProfilerResult:
    """The events that a `Profiler` recorded, in the order in which they ended; ``extra_info``: words about the run."""

    def __init__(self, events: list[Event], extra_info: dict[str, str] | None = None) -> None:
        self.events, self.extra_info = events, extra_info or {}

    def get_data(self) -> dict[int, list[Event]]:
        """The events of each thread, in the order in which they began."""
        by_thread: dict[int, list[Event]] = {}
        for event in sorted(self.events, key=lambda e: (e.begin, -e.end)):
            by_thread.setdefault(event.thread, []).append(event)
        return by_thread

    def get_extra_info(self) -> dict[str, str]:
        """Words about the run."""
        return dict(self.extra_info)

    def save(self, path: str, format: str = "json") -> None:
        """Write a trace. Raises FormatError for ``format='pb'``, ValueError for others than that and 'json'."""
        if format == "pb":
            raise FormatError(path, _JSON, _PROTOBUF)
        if format != "json":
            raise ValueError(f"format is 'json' or 'pb', got {format!r}")
        start = min((e.begin for e in self.events), default=0)
        pid = os.getpid()
        trace = {
            "displayTimeUnit": "ms",
            "schemaVersion": "1.0.2",
            "traceEvents": [_as_json(event, start, pid) for event in self.events],
            "ExtraInfo": self.extra_info,
        }
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text(json.dumps(trace), encoding="utf-8")


def _as_json(event: Event, start: int, pid: int) -> dict[str, Any]:
    begin, end = (event.begin - start) / 1000, (event.end - start) / 1000
    args: dict[str, Any] = {"start_time": f"{begin:.3f} us", "end_time": f"{end:.3f} us"}
    if event.shapes is not None:
        args["input_shapes"] = event.shapes
    return {
        "name": f"{event.name}[{_readable(event.duration)}]",
        "pid": pid,
        "tid": event.thread,
        "ts": begin,
        "dur": event.duration / 1000,
        "ph": "X",
        "cat": event.event_type.name,
        "args": args,
    }


def _readable(nanoseconds: int) -> str:
    for unit, size in (("s", 10**9), ("ms", 10**6), ("us", 10**3)):
        if nanoseconds >= size:
            return f"{nanoseconds / size:.3f} {unit}"
    return f"{nanoseconds} ns"


def load_profiler_result(filename: str) -> ProfilerResult:
    """The result that was written as a Chrome trace, by this package or by Paddle.

    Raises FormatError for what is no such trace; a protobuf file of Paddle's profiler is one of these.
    ``filename``: the path of the trace.

    Example:
        >>> result = paddle.profiler.load_profiler_result('trace.json')
        >>> [event.name for event in result.events]
    """
    try:
        trace = json.loads(Path(filename).read_bytes())
        events = [event for event in trace["traceEvents"] if event.get("ph") == "X" and event.get("cat") in _KINDS]
        return ProfilerResult([_of_json(event) for event in events], trace.get("ExtraInfo"))
    except (ValueError, KeyError, TypeError) as error:
        raise FormatError(filename, _JSON, "something else (Paddle's protobuf files of profiles are not read)") from error


_KINDS = TracerEventType.__members__


def _of_json(event: dict[str, Any]) -> Event:
    begin = round(float(event["args"]["start_time"].split()[0]) * 1000)
    thread = int(str(event["tid"]).partition("(")[0])
    length = round(float(event["dur"]) * 1000)
    name = event["name"].rpartition("[")[0] or event["name"]
    return Event(name, _KINDS[event["cat"]], begin, begin + length, thread, event["args"].get("input_shapes"))


def _writer(dir_name: str, worker_name: str | None, format: str, ending: str) -> Callable[[Any], None]:
    Path(dir_name).mkdir(parents=True, exist_ok=True)
    worker = worker_name or f"host_{socket.gethostname()}pid_{os.getpid()}"

    def write(profiler: Any) -> None:
        timestamp = datetime.datetime.now().strftime("%Y_%m_%d_%H_%M_%S_%f")
        profiler.export(os.path.join(dir_name, f"{worker}_time_{timestamp}.{ending}"), format)

    return write


def export_chrome_tracing(dir_name: str, worker_name: str | None = None) -> Callable[[Any], None]:
    """For ``Profiler(on_trace_ready=...)``: write what was recorded as a trace into a folder.

    Args:
        dir_name: the folder; it is made.
        worker_name: how names of files begin; default: host and process.

    Example:
        >>> profiler = paddle.profiler.Profiler(on_trace_ready=paddle.profiler.export_chrome_tracing('./log'))

    Source: PaddlePaddle 2.6, ``paddle.profiler.export_chrome_tracing``.
    """
    return _writer(dir_name, worker_name, "json", "paddle_trace.json")


def export_protobuf(dir_name: str, worker_name: str | None = None) -> Callable[[Any], None]:
    """Raises FormatError, which names what is written: Paddle's protobuf files of profiles are not here.

    ``dir_name``, ``worker_name``: not used.
    """
    raise FormatError(dir_name, _JSON, _PROTOBUF)
