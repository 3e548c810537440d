"""The time of steps, and the part of it that waits for data, for ``Profiler.step_info``."""

from __future__ import annotations

import math
import time
from typing import Any

from to_static.core.importing.paddle_module_aliases import names_around

_SKIPPED = 10  # steps that are no part of the summary: the first ones are slow


class _Average:
    """Times since it was last asked."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        self.count, self.seconds, self.samples = 0, 0.0, 0

    def add(self, seconds: float, samples: int | None = None) -> None:
        self.count += 1
        self.seconds += seconds
        self.samples += samples or 0

    @property
    def average(self) -> float:
        return self.seconds / self.count if self.count else 0.0


class _Range:
    """The least, the greatest and the sum of what comes in."""

    def __init__(self) -> None:
        self.least, self.greatest, self.total = math.inf, 0.0, 0.0

    def add(self, value: float) -> None:
        self.least, self.greatest, self.total = min(self.least, value), max(self.greatest, value), self.total + value

    def row(self, name: str, average: float) -> str:
        cells = [name, f"{average:.5f}", f"{self.greatest:.5f}", f"{self.least:.5f}"]
        return _row(cells)


def _row(cells: list[str]) -> str:
    return "".join(f"| {cell.center(15)} " for cell in cells) + "|"


class _Task:
    """Statistics of the steps between `Benchmark.begin` and `Benchmark.end`."""

    def __init__(self) -> None:
        self.reading, self.steps = _Average(), _Average()
        self.readings, self.times, self.speeds = _Range(), _Range(), _Range()
        self.count = self.samples = 0
        self.per_sample = True
        self.unit = "samples/s"
        self.dataset: Any = None
        self.pausing: Any = None  # another loader, inside of which steps are not this task's

    def read(self, seconds: float) -> None:
        self.reading.add(seconds)
        if self.count >= _SKIPPED:
            self.readings.add(seconds)

    def step(self, seconds: float, samples: int | None) -> None:
        if samples is None:
            self.per_sample, self.unit = False, "steps/s"
        self.steps.add(seconds, samples)
        self.count += 1
        if self.count >= _SKIPPED and seconds > 0:
            self.times.add(seconds)
            self.samples += samples or 0
            self.speeds.add((samples or 0 if self.per_sample else 1) / seconds)

    def speed(self) -> float:
        if not self.steps.seconds:
            return 0.0
        return (self.steps.samples if self.per_sample else self.steps.count) / self.steps.seconds

    def summary(self) -> str:
        """The table that is printed at the end; '' where there were too few steps."""
        count = self.count - _SKIPPED
        if count <= 0 or not self.times.total:
            return ""
        reading, batch = self.readings.total / count, self.times.total / count
        lines = ["Perf Summary".center(100, "=")]
        if reading:
            lines.append(f"Reader Ratio: {100 * reading / batch:.3f}%")
        lines.append(f"Time Unit: s, IPS Unit: {self.unit}")
        lines.append(_row(["", "avg", "max", "min"]))
        if reading:
            lines.append(self.readings.row("reader_cost", reading))
        lines.append(self.times.row("batch_cost", batch))
        lines.append(self.speeds.row("ips", (self.samples if self.per_sample else count) / self.times.total))
        return "\n".join(lines)


class Benchmark:
    """Counts steps and times, of tasks that may be nested (an evaluation within a training)."""

    def __init__(self) -> None:
        self._tasks: list[_Task] = []
        self._start = time.perf_counter()

    def begin(self) -> None:
        """A task begins."""
        self._tasks.append(_Task())
        self._start = time.perf_counter()

    def step(self, num_samples: int | None = None) -> None:
        """A step of it has ended, of so many samples."""
        if self._tasks and self._tasks[-1].pausing is None:
            now = time.perf_counter()
            self._tasks[-1].step(now - self._start, num_samples)
            self._start = time.perf_counter()

    def enter(self, loader: Any) -> None:
        """A data loader begins: the first one is the task's; while another runs, steps are not counted."""
        if self._tasks:
            task = self._tasks[-1]
            if task.dataset is None:
                task.dataset = loader.dataset
            elif task.dataset is not loader.dataset and task.pausing is None:
                task.pausing = loader

    def leave(self, loader: Any) -> None:
        """It has ended."""
        if self._tasks and self._tasks[-1].pausing is loader:
            self._tasks[-1].pausing = None
            self._start = time.perf_counter()

    def read(self, nanoseconds: int) -> None:
        """A batch was read in that time."""
        if self._tasks and self._tasks[-1].pausing is None:
            self._tasks[-1].read(nanoseconds * 1e-9)

    def step_info(self, unit: str) -> str:
        """Averages since this was last asked."""
        task = self._tasks[-1] if self._tasks else _Task()
        text = ""
        if task.reading.average:
            text += f" reader_cost: {task.reading.average:.5f} s"
        if task.steps.average:
            task.unit = f"{unit}/s" if task.per_sample else "steps/s"
            text += f" batch_cost: {task.steps.average:.5f} s"
        if task.speed():
            text += f" ips: {task.speed():.3f} {task.unit}"
        task.reading.clear()
        task.steps.clear()
        return text

    def end(self) -> None:
        """The task ends; a summary of it is printed."""
        if self._tasks:
            text = self._tasks.pop().summary()
            if text:
                print(text)
            self._start = time.perf_counter()


_benchmark = Benchmark()


def benchmark() -> Benchmark:
    """The one `Benchmark`."""
    return _benchmark


__getattr__ = names_around(__name__)
