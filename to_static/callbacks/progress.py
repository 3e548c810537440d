"""`ProgBarLogger` and the line that it writes: one that moves in terminals and notebooks, lines of their own in files."""

from __future__ import annotations

import math
import shutil
import sys
import time
from typing import Any

import numpy as np

from to_static.callbacks.callback import Callback


class ProgressBar:
    """The progress of ``num`` steps (None: not known), as Paddle writes it.

    Args:
        num: the number of steps; None where it is not known.
        width: characters of the bar at most.
        verbose: 1 is one line with a bar that is written over where the output can do that, 2 and 3 a line each time, 0 nothing.
        start: whether time counts from now on; else from `start`.
        file: where to, standard output by default.
        name: what a step is called.

    Raises TypeError for a ``num`` below 1.

    Example:
        >>> bar = paddle.hapi.progressbar.ProgressBar(10, verbose=2)
        >>> bar.update(1, [("loss", 0.5)])
    """

    def __init__(
        self, num: int | None = None, width: int = 30, verbose: int = 1, start: bool = True, file: Any = None, name: str = "step"
    ) -> None:
        if isinstance(num, int) and num <= 0:
            raise TypeError("num should be None or integer (> 0)")
        columns = shutil.get_terminal_size().columns or 80
        self._num = num
        self._width = max(min(width, int(columns * 0.6), columns - 50), 1)
        self._verbose = verbose
        self._name = name
        self._written = 0
        self._begun = time.time() if start else 0.0
        self._file = file
        self._moves = self._out.isatty() or "ipykernel" in sys.modules

    @property
    def _out(self) -> Any:
        return sys.stdout if self._file is None else self._file

    def start(self) -> None:
        """Count time from now on."""
        self._begun = time.time()

    def update(self, current: int, values: list[tuple[str, Any]] | None = None) -> None:
        """Show that ``current`` steps are done, and the named values."""
        if not self._verbose:
            return
        seconds_each = (time.time() - self._begun) / current if current else 0.0
        metrics = "".join(f" - {name}:{_words(value)}" for name, value in values or [])
        count = f"{self._name} {current:3d}"
        if self._num is not None:
            count = f"{self._name} {current:{len(str(self._num))}d}/{self._num}"
        if self._verbose != 1:
            self._out.write(f"{count}{metrics}{_pace(seconds_each, self._name)}\n")
            self._out.flush()
            return
        left = ""
        if self._num is not None:
            count = f"{count} [{_bar(current, self._num, self._width)}]"
            left = f" - ETA: {_duration(seconds_each * (self._num - current))}" if current < self._num else ""
        text = f"{count}{metrics}{left}{_pace(seconds_each, self._name)}"
        is_last = self._num is None or current >= self._num
        if self._moves:
            self._out.write("\r" + text.ljust(self._written) + ("\n" if is_last else ""))
            self._written = 0 if is_last else len(text)
        else:
            self._out.write(text + "\n")
        self._out.flush()


def _bar(current: int, num: int, width: int) -> str:
    done = int(width * current / num)
    head = "=" * (done - 1) + (">" if current < num else "=") if done else ""
    return head + "." * (width - done)


def _words(value: Any) -> str:
    parts = []
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, np.ndarray) and item.size == 1 and item.dtype.kind == "f":
            item = item.item()
        if isinstance(item, (float, np.floating)):
            parts.append(f" {item:.4f}" if abs(item) > 1e-3 else f" {item:.4e}")
        else:
            parts.append(f" {item}")
    return "".join(parts)


def _pace(seconds: float, name: str) -> str:
    if seconds >= 1 or seconds == 0:
        return f" - {seconds:.0f}s/{name}"
    return f" - {seconds * 1e3:.0f}ms/{name}" if seconds >= 1e-3 else f" - {seconds * 1e6:.0f}us/{name}"


def _duration(seconds: float) -> str:
    full_seconds = math.floor(seconds)
    if full_seconds > 3600:
        return f"{full_seconds // 3600}:{full_seconds % 3600 // 60:02d}:{full_seconds % 60:02d}"
    return f"{full_seconds // 60}:{full_seconds % 60:02d}" if full_seconds > 60 else f"{full_seconds}s"


class _Timer:
    """Times of waiting for data and of the steps."""

    def __init__(self) -> None:
        self.clear()
        self._mark = time.time()

    def clear(self) -> None:
        self.data = self.work = 0.0
        self.count = self.samples = 0

    def begin(self) -> None:
        now = time.time()
        self.data, self._mark = self.data + now - self._mark, now

    def end(self, samples: int) -> None:
        now = time.time()
        self.work, self._mark = self.work + now - self._mark, now
        self.count += 1
        self.samples += samples

    def values(self) -> list[tuple[str, str]]:
        count, samples, total = max(self.count, 1), max(self.samples, 1), max(self.data + self.work, 1e-9)
        texts = [
            ("avg_reader_cost", f"{self.data / count:.5f} sec"),
            ("avg_batch_cost", f"{self.work / count:.5f} sec"),
            ("ips", f"{samples / total:.5f} samples/sec"),
        ]
        self.clear()
        return texts


class _Run:
    """One epoch of training, one evaluation or one prediction."""

    def __init__(self, steps: int | None, metrics: list[str], verbose: int) -> None:
        self.steps = steps
        self.metrics = metrics
        self.verbose = verbose
        self.step = self.samples = 0
        self.timer = _Timer()
        self.bar = ProgressBar(steps, verbose=verbose)

    def show(self, logs: dict[str, Any]) -> None:
        values = [(name, logs[name]) for name in self.metrics if name in logs]
        self.bar.update(self.step, values + (self.timer.values() if self.verbose == 3 else []))

    def end(self, logs: dict[str, Any], every: int) -> None:
        self.step += 1
        self.samples += logs.get("batch_size", 1)
        self.timer.end(logs.get("batch_size", 1))
        if self.verbose and self.step % every == 0 and (self.steps is None or self.step < self.steps):
            self.show(logs)


class ProgBarLogger(Callback):
    """Prints the loss and the metrics while a model works. `Model` adds one by itself.

    Args:
        log_freq: steps between lines (default 1).
        verbose: 0 nothing, 1 a bar, 2 a line each time, 3 the same with times.

    Example:
        >>> model.fit(data, callbacks=paddle.callbacks.ProgBarLogger(log_freq=10, verbose=1))
    """

    def __init__(self, log_freq: int = 1, verbose: int = 2) -> None:
        super().__init__()
        self.log_freq = log_freq
        self.verbose = verbose
        self._training: Any = None
        self._pass: Any = None

    def on_train_begin(self, logs: Any = None) -> None:
        if self.verbose:
            print("The loss value printed in the log is the current step, and the metric is the average value of previous steps.")

    def on_epoch_begin(self, epoch: int | None = None, logs: Any = None) -> None:
        if self.verbose and self.params.get("epochs"):
            print(f"Epoch {(epoch or 0) + 1}/{self.params['epochs']}")
        self._training = _Run(self.params.get("steps"), self.params.get("metrics") or [], self.verbose)

    def on_train_batch_begin(self, step: int, logs: Any = None) -> None:
        self._training.timer.begin()

    def on_train_batch_end(self, step: int, logs: Any = None) -> None:
        self._training.end(logs or {}, self.log_freq)

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        if self.verbose and self._training.steps is not None:
            self._training.show(logs or {})

    def on_eval_begin(self, logs: Any = None) -> None:
        logs = logs or {}
        self._pass = _Run(logs.get("steps"), logs.get("metrics", []), self.verbose)
        if self.verbose:
            print("Eval begin...")

    def on_eval_batch_begin(self, step: int, logs: Any = None) -> None:
        self._pass.timer.begin()

    def on_eval_batch_end(self, step: int, logs: Any = None) -> None:
        self._pass.end(logs or {}, self.log_freq)

    def on_eval_end(self, logs: Any = None) -> None:
        if self.verbose and self._pass.steps is not None:
            self._pass.show(logs or {})
            print(f"Eval samples: {self._pass.samples}")

    def on_predict_begin(self, logs: Any = None) -> None:
        logs = logs or {}
        self._pass = _Run(logs.get("steps"), logs.get("metrics", []), self.verbose)
        if self.verbose:
            print("Predict begin...")

    def on_predict_batch_begin(self, step: int, logs: Any = None) -> None:
        self._pass.timer.begin()

    def on_predict_batch_end(self, step: int, logs: Any = None) -> None:
        self._pass.end(logs or {}, self.log_freq)

    def on_predict_end(self, logs: Any = None) -> None:
        if self.verbose:
            if self._pass.step % self.log_freq != 0 or self.verbose == 1:
                self._pass.show(logs or {})
            print(f"Predict samples: {self._pass.samples}")
