"""Times of operators of dynamic mode and of Programs, steps, layers, backward passes, optimizers, data loaders.

Nothing is measured, and nothing costs anything, but while a `Profiler` records.
"""

from to_static.core.diagnostics.missing_names import names_missing
from to_static.profiler.events import RecordEvent, TracerEventType
from to_static.profiler.exporting import export_chrome_tracing, export_protobuf, load_profiler_result
from to_static.profiler.profiler import Profiler
from to_static.profiler.profiler_statistic import SortedKeys, SummaryView
from to_static.profiler.schedule import ProfilerState, ProfilerTarget, make_scheduler

__all__ = [
    "Profiler",
    "ProfilerState",
    "ProfilerTarget",
    "RecordEvent",
    "SortedKeys",
    "SummaryView",
    "TracerEventType",
    "export_chrome_tracing",
    "export_protobuf",
    "load_profiler_result",
    "make_scheduler",
]

__getattr__ = names_missing(__name__)
