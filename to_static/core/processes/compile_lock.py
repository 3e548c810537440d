"""The lock of whatever is made once and used ever after: translated functions, traces, plans, Programs read from files.

Making these looks at, and for a while changes, what all threads share (tables of translated code, the user's objects while they are
traced), so one thread at a time does it, with `COMPILE_LOCK` held. Calls of what is finished take no lock.
"""

from __future__ import annotations

import functools
import gc
import threading
from collections.abc import Callable
from typing import Any, TypeVar, cast

from to_static.core.processes.forking import free_in_children

F = TypeVar("F", bound=Callable[..., Any])


class _CompileLock:
    """A reentrant lock, held in a ``with``; the garbage collector rests meanwhile.

    What is being made is all in use until it is finished, so that each full collection looks through every object of the process,
    20 to 50 ms in one that has just imported its modules, and finds nothing.
    """

    def __init__(self) -> None:
        self._lock = free_in_children(threading.RLock(), patiently=True)  # what is half made is of no use to a child
        self._depth = 0
        self._resting = False  # whether the collector rests because of this

    def __enter__(self) -> None:
        self._lock.acquire()
        self._depth += 1
        if self._depth == 1 and gc.isenabled():
            self._resting = True
            gc.disable()

    def __exit__(self, *_: object) -> None:
        self._depth -= 1
        if not self._depth and self._resting:
            self._resting = False
            gc.enable()
        self._lock.release()


COMPILE_LOCK = _CompileLock()


def with_compile_lock(function: F) -> F:
    """Make a function hold `COMPILE_LOCK` while it runs."""

    @functools.wraps(function)
    def holding(*args: Any, **kwargs: Any) -> Any:
        with COMPILE_LOCK:
            return function(*args, **kwargs)

    return cast(F, holding)
