"""`Profiler`: records what a program does, in the steps that a schedule says."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from typing import Any

from to_static.core.importing.paddle_module_aliases import names_around
from to_static.profiler import points
from to_static.profiler.events import RecordEvent, TracerEventType, begin_recording, end_recording
from to_static.profiler.exporting import ProfilerResult, export_chrome_tracing
from to_static.profiler.profiler_statistic import SortedKeys, SummaryView, summary_text
from to_static.profiler.schedule import ProfilerState, ProfilerTarget, always, make_scheduler
from to_static.profiler.timer import benchmark

_RECORDS = (ProfilerState.RECORD, ProfilerState.RECORD_AND_RETURN)
_GIVES = ProfilerState.RECORD_AND_RETURN


class Profiler:
    """Records what the program does between `start` and `stop`, or in a ``with`` block.

    Args:
        targets: `ProfilerTarget` values; the processor is what can be measured, others are left out with a warning.
        scheduler: ``(begin, end)``: the steps to record, or a function of the number of a step (`make_scheduler`); default: all.
        on_trace_ready: is called with this object when a recording is done; default: a Chrome trace in ``./profiler_log/``.
        record_shapes: keep the shapes of operators' inputs, too.
        timer_only: no recording, only `step_info` and a summary of the times of steps and data loaders.
        profile_memory, with_flops, emit_nvtx: a warning: neither memory nor operations are counted here (`paddle.flops` counts
            those of a network).

    Events are real ones: each operator of dynamic mode, each operator of a Program that runs, layers, backward passes, optimizer
    steps, data loaders, steps, and the user's `RecordEvent`. One Profiler may record at a time.

    ``custom_device_types``: accepted, without an effect.

    Example:
        >>> with paddle.profiler.Profiler(scheduler=(2, 5)) as profiler:
        ...     for batch in loader:
        ...         train(batch)
        ...         profiler.step()
        >>> profiler.summary()

        ce: PaddlePaddle 2.6, ``paddle.profiler.Profiler``.
    """

    def __init__(
        self,
        *,
        targets: Iterable[ProfilerTarget] | None = None,
        scheduler: Callable[[int], ProfilerState] | tuple[int, int] | None = None,
        on_trace_ready: Callable[[Any], Any] | None = None,
        record_shapes: bool = False,
        profile_memory: bool = False,
        timer_only: bool = False,
        emit_nvtx: bool = False,
        custom_device_types: list[str] | None = None,
        with_flops: bool = False,
    ) -> None:
        if profile_memory or with_flops or emit_nvtx:
            text = "Profiler: profile_memory, with_flops and emit_nvtx do nothing here; paddle.flops counts operations"
            warnings.warn(text, stacklevel=2)
        self.targets = {ProfilerTarget.CPU, ProfilerTarget.CUSTOM_DEVICE} if targets is None else set(targets)
        for target in self.targets - {ProfilerTarget.CPU, ProfilerTarget.CUSTOM_DEVICE}:
            warnings.warn(f"Profiling {target} is not supported in current context.", stacklevel=2)
            self.targets.discard(target)
        self.scheduler = _scheduler(scheduler)
        self.on_trace_ready = export_chrome_tracing("./profiler_log/") if on_trace_ready is None else on_trace_ready
        self.step_num = 0
        self.previous_state = ProfilerState.CLOSED
        self.current_state = self.scheduler(0)
        self.profiler_result: ProfilerResult | None = None
        self.timer_only, self.record_shapes = timer_only, record_shapes
        self.profile_memory, self.with_flops, self.emit_nvtx = profile_memory, with_flops, emit_nvtx
        self._step: RecordEvent | None = None

    def __enter__(self) -> Profiler:
        self.start()
        return self

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        self.stop()

    def start(self) -> None:
        """Begin, with step 0."""
        benchmark().begin()
        points.begin_timing()
        if not self.timer_only:
            if self.current_state in _RECORDS:
                self._begin()
            self._begin_step()

    def step(self, num_samples: int | None = None) -> None:
        """A step is over, the next one begins. ``num_samples``: how many samples it had, for `step_info`."""
        benchmark().step(num_samples)
        if self.timer_only:
            return
        self._end_step()
        self.previous_state, self.step_num = self.current_state, self.step_num + 1
        self.current_state = self.scheduler(self.step_num)
        old_state, new_state = self.previous_state, self.current_state
        if old_state in _RECORDS and (old_state is _GIVES or new_state not in _RECORDS):
            events = self._end()
            if old_state is _GIVES:
                self._give(events)
            else:
                warnings.warn(f"schedule: {old_state.name} -> {new_state.name} drops what was recorded", stacklevel=2)
        elif old_state is ProfilerState.READY and new_state is ProfilerState.CLOSED:
            warnings.warn("schedule: READY -> CLOSED: nothing was recorded", stacklevel=2)
        if new_state in _RECORDS and old_state is not ProfilerState.RECORD:
            self._begin()
        self._begin_step()

    def stop(self) -> None:
        """End; what is being recorded is given to ``on_trace_ready``."""
        benchmark().end()
        points.end_timing()
        if self.timer_only:
            return
        self._end_step()
        if self.current_state is ProfilerState.READY:
            warnings.warn("the Profiler stops in state READY: nothing was recorded", stacklevel=2)
        if self.current_state in _RECORDS:
            self._give(self._end())
        self.current_state = ProfilerState.CLOSED

    def step_info(self, unit: str | None = None) -> str:
        """Averages of the steps since this was last asked: waiting for data, a whole step, steps (or ``unit``) per second."""
        return benchmark().step_info(unit or "samples")

    def export(self, path: str = "", format: str = "json") -> None:
        """Write what was recorded last as a Chrome trace. Raises FormatError for ``format='pb'``."""
        if self.profiler_result is not None:
            self.profiler_result.save(path, format)

    def summary(
        self,
        sorted_by: SortedKeys = SortedKeys.CPUTotal,
        op_detail: bool = True,
        thread_sep: bool = False,
        time_unit: str = "ms",
        views: SummaryView | list[SummaryView] | None = None,
    ) -> None:
        """Print tables of what was recorded last.

        Args:
            sorted_by: what operators are sorted by; times of a GPU are 0.
            op_detail: a row for every operator, not their sum alone.
            thread_sep: a table for each thread.
            time_unit: 's', 'ms', 'us' or 'ns'.
            views: the tables; default: all that there are.
        """
        if self.profiler_result is not None:
            chosen = [views] if isinstance(views, SummaryView) else views
            print(summary_text(self.profiler_result, sorted_by, op_detail, thread_sep, time_unit, chosen))

    def _begin(self) -> None:
        begin_recording()
        points.begin(self.record_shapes)

    def _end(self) -> ProfilerResult:
        points.end()
        return ProfilerResult(end_recording())

    def _give(self, result: ProfilerResult) -> None:
        self.profiler_result = result
        if self.on_trace_ready is not None:
            self.on_trace_ready(self)

    def _begin_step(self) -> None:
        self._step = RecordEvent(f"ProfileStep#{self.step_num}", TracerEventType.ProfileStep)
        self._step.begin()

    def _end_step(self) -> None:
        if self._step is not None:
            self._step.end()
            self._step = None


def _scheduler(schedule: Any) -> Callable[[int], ProfilerState]:
    if callable(schedule):
        return schedule  # type: ignore[no-any-return]
    if schedule is None:
        return always
    if len(schedule) != 2 or schedule[1] <= schedule[0]:
        raise AssertionError(f"scheduler is a function or (begin, end) with begin < end, got {schedule!r}")
    begin, end = max(schedule[0], 0), schedule[1]
    if begin:
        return make_scheduler(closed=begin - 1, ready=1, record=end - begin, repeat=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # there is no step before the first in which to get ready
        return make_scheduler(closed=0, ready=0, record=end, repeat=1)


__getattr__ = names_around(__name__)
