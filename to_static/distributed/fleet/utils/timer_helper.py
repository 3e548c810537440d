"""Paddle's module of this name: clocks by name, which training loops start and stop."""

from __future__ import annotations

import time
from collections.abc import Sequence

from to_static.core import backend
from to_static.core.errors import OrderError

__all__ = ["Timers", "get_timers", "is_timer_initialized", "set_timers"]


class Timer:
    """A clock that adds up the time between its starts and stops, in seconds."""

    def __init__(self, name: str) -> None:
        self.name, self.elapsed_, self.started_, self.start_time = name, 0.0, False, 0.0

    def start(self) -> None:
        """Go on. Raises OrderError when it is running."""
        if self.started_:
            raise OrderError(f"timer {self.name!r} has already started")
        backend.current().synchronize()
        self.start_time, self.started_ = time.time(), True

    def stop(self) -> None:
        """Pause. Raises OrderError when it is not running."""
        if not self.started_:
            raise OrderError(f"timer {self.name!r} is not started")
        backend.current().synchronize()
        self.elapsed_ += time.time() - self.start_time
        self.started_ = False

    def reset(self) -> None:
        """Forget the time until now."""
        self.elapsed_, self.started_ = 0.0, False

    def elapsed(self, reset: bool = True) -> float:
        """The time until now; ``reset``: and forget it. A clock that is running goes on."""
        running = self.started_
        if running:
            self.stop()
        seconds = self.elapsed_
        if reset:
            self.reset()
        if running:
            self.start()
        return seconds


class Timers:
    """Clocks by their names: ``timers('forward').start()``."""

    def __init__(self) -> None:
        self.timers: dict[str, Timer] = {}

    def __call__(self, name: str) -> Timer:
        return self.timers.setdefault(name, Timer(name))

    def log(self, names: Sequence[str], normalizer: float = 1.0, reset: bool = True) -> None:
        """Print the milliseconds of these clocks, divided by ``normalizer``."""
        parts = [f"{name}: {self.timers[name].elapsed(reset=reset) * 1000.0 / normalizer:.2f}" for name in names]
        print(" | ".join(["time (ms)", *parts]), flush=True)


_timers: list[Timers] = []


def is_timer_initialized() -> bool:
    """Return whether `set_timers` was called."""
    return bool(_timers)


def set_timers() -> None:
    """Make the clocks of this process. Raises OrderError when they are there."""
    if _timers:
        raise OrderError("timers have been already initialized")
    _timers.append(Timers())


def get_timers() -> Timers:
    """The clocks of this process. Raises OrderError before `set_timers`."""
    if not _timers:
        raise OrderError("timers are not initialized; call set_timers() first")
    return _timers[0]
