"""Tables of what was recorded."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable
from typing import Any

from to_static.core.diagnostics.printable import printable
from to_static.core.importing.paddle_module_aliases import names_around
from to_static.profiler.events import Event, TracerEventType


class SortedKeys(enum.Enum):
    """The columns that the table of operators can be sorted by.

    Example:
        >>> paddle.profiler.SortedKeys.CPUTotal.name
        'CPUTotal'
    """

    CPUTotal = 0
    CPUAvg = 1
    CPUMax = 2
    CPUMin = 3
    GPUTotal = 4
    GPUAvg = 5
    GPUMax = 6
    GPUMin = 7


class SummaryView(enum.Enum):
    """The tables of `Profiler.summary`. Those of devices, kernels, memory and other processes have nothing to show here.

    Example:
        >>> paddle.profiler.SummaryView.OperatorView.name
        'OperatorView'
    """

    DeviceView = 0
    OverView = 1
    ModelView = 2
    DistributedView = 3
    KernelView = 4
    OperatorView = 5
    MemoryView = 6
    MemoryManipulationView = 7
    UDFView = 8


_UNITS = {"s": 1e9, "ms": 1e6, "us": 1e3, "ns": 1.0}
_STAGES = ("Dataloader", "Forward", "Backward", "Optimization")


class _Item:
    """The events of one name."""

    def __init__(self) -> None:
        self.times: list[int] = []

    @property
    def total(self) -> int:
        return sum(self.times)

    def cells(self, unit: float, all_time: float) -> list[str]:
        total, count = self.total, len(self.times)
        share = 100 * total / all_time if all_time else 0.0
        statistics = [total / unit, total / count / unit, max(self.times) / unit, min(self.times) / unit, share]
        return [str(count), " / ".join(f"{x:.2f}" for x in statistics)]


_KEYS: dict[SortedKeys, Callable[[_Item], float]] = {
    SortedKeys.CPUTotal: lambda item: -item.total,
    SortedKeys.CPUAvg: lambda item: -item.total / len(item.times),
    SortedKeys.CPUMax: lambda item: -max(item.times),
    SortedKeys.CPUMin: lambda item: min(item.times),
}


def merged(events: Iterable[Event]) -> int:
    """The nanoseconds in which any of the events was going on: times in which they overlap count once."""
    total, last_end = 0, -1
    for event in sorted(events, key=lambda e: e.begin):
        total += max(event.end - max(event.begin, last_end), 0)
        last_end = max(last_end, event.end)
    return total


def _items(events: Iterable[Event]) -> dict[str, _Item]:
    items: dict[str, _Item] = {}
    for event in events:
        items.setdefault(event.name, _Item()).times.append(event.duration)
    return items


def _table(title: str, unit: str, head: list[str], rows: list[list[str]], note: str = "") -> str:
    widths = [max(map(len, column)) + 2 for column in zip(head, *rows, strict=True)]
    line = "  ".join("-" * width for width in widths)
    table_width = len(line)

    def text(cells: list[str]) -> str:
        return "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()

    lines = [title.center(table_width, "-"), f"Time unit: {unit}", line, text(head), line, *map(text, rows), line]
    return "\n".join([*lines, *([note] if note else []), ""])


def summary_text(
    result: Any, sorted_by: SortedKeys, op_detail: bool, thread_sep: bool, time_unit: str, views: list[SummaryView] | None
) -> str:
    """The tables of a `ProfilerResult`. Raises ValueError for a unit that there is not."""
    if time_unit not in _UNITS:
        raise ValueError(f"time_unit is one of {', '.join(_UNITS)}, got {time_unit!r}")
    unit = _UNITS[time_unit]
    of_type = {event_type: [e for e in result.events if e.event_type is event_type] for event_type in TracerEventType}
    all_time = sum(e.duration for e in of_type[TracerEventType.ProfileStep]) or merged(result.events)
    threads = sorted({e.thread for e in result.events}) if thread_sep else [None]
    tables = []

    def is_selected(view: SummaryView) -> bool:
        return views is None or view in views

    if is_selected(SummaryView.OverView):
        rows = [
            [
                ("" if event_type is TracerEventType.ProfileStep else "  ") + event_type.name,
                str(len(events)),
                f"{merged(events) / unit:.2f}",
                f"{100 * merged(events) / all_time if all_time else 0:.2f}",
            ]
            for event_type, events in sorted(
                of_type.items(), key=lambda item: (item[0] is not TracerEventType.ProfileStep, -merged(item[1]))
            )
            if events
        ]
        note = "Note: times of one type that overlap count once; types overlap each other."
        tables.append(_table("Overview Summary", time_unit, ["Event Type", "Calls", "CPU Time", "Ratio (%)"], rows, note))
    head = ["Name", "Calls", "CPU Total / Avg / Max / Min / Ratio(%)"]
    if is_selected(SummaryView.ModelView):
        tables.append(_table("Model Summary", time_unit, head, _stages(of_type, unit, all_time)))
    for view, title, event_types in (
        (SummaryView.OperatorView, "Operator Summary", (TracerEventType.Operator,)),
        (
            SummaryView.UDFView,
            "UserDefined Summary",
            (TracerEventType.PythonUserDefined, TracerEventType.UserDefined, TracerEventType.PythonOp),
        ),
    ):
        for thread in threads if is_selected(view) else ():
            events = [e for event_type in event_types for e in of_type[event_type] if thread is None or e.thread == thread]
            if events:
                among = f", thread {thread}" if thread is not None else ""
                share = sum(e.duration for e in events) if view is SummaryView.OperatorView else all_time
                items = sorted(_items(events).items(), key=lambda item: _KEYS.get(sorted_by, _KEYS[SortedKeys.CPUTotal])(item[1]))
                if view is SummaryView.OperatorView and not op_detail:
                    every = _Item()
                    every.times = [e.duration for e in events]
                    items = [("all operators", every)]
                rows = [[printable(name), *item.cells(unit, share)] for name, item in items]
                tables.append(_table(title + among, time_unit, head, rows))
    return "\n".join(tables)


def _stages(of_type: dict[TracerEventType, list[Event]], unit: float, all_time: float) -> list[list[str]]:
    """Return the shares of loading, forward, backward and optimization. A layer in a layer is no further time."""
    rows, unassigned_time = [], all_time
    for name in ("ProfileStep", *_STAGES):
        events = _outermost(of_type[TracerEventType[name]])
        if events:
            item = _Item()
            item.times = [e.duration for e in events]
            rows.append([name if name == "ProfileStep" else f"  {name}", *item.cells(unit, all_time)])
            unassigned_time -= item.total if name != "ProfileStep" else 0
    share = 100 * unassigned_time / all_time if all_time else 0.0
    return [*rows, ["  Others", "-", f"{unassigned_time / unit:.2f} / - / - / - / {share:.2f}"]]


def _outermost(events: list[Event]) -> list[Event]:
    outermost: list[Event] = []
    end_times: dict[int, int] = {}
    for event in sorted(events, key=lambda e: (e.begin, -e.end)):
        if event.end > end_times.get(event.thread, -1):
            outermost.append(event)
            end_times[event.thread] = event.end
    return outermost


__getattr__ = names_around(__name__)
