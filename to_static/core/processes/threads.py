"""A few threads that help with one large piece of work of NumPy's, which lets go of the interpreter's lock while it computes.

They are started when there is such work, wait as daemons for the next one, and are none of a forked child's. Whoever asks for help
works, too, and waits only for those who have begun: where all are busy with other callers' work, the caller does its own alone.
"""

from __future__ import annotations

import contextlib
import os
import queue
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from to_static.core.flags import threads
from to_static.core.processes.forking import free_in_children

MOST = 8  # beyond, memory is what large arrays wait for
_LIMITS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")


def allowed() -> int:
    """The number of threads that may work together, the caller's included: TO_STATIC_THREADS; where that is 0, no more than NumPy's
    products may have, and than there are processors for this process.
    """
    if threads.value > 0:
        return min(threads.value, MOST)
    limits = [int(text) for name in _LIMITS if (text := os.environ.get(name, "")).isdigit() and int(text) > 0]
    cpu_count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(MOST, cpu_count, *limits)


class _Ticket:
    """One helper's share: whoever takes it first, the helper or the caller who is through already, has it."""

    __slots__ = ("_count", "_done", "_owner", "_settings", "_work", "error")

    def __init__(self, work: Callable[[int], None], count: int, settings: Any) -> None:
        self._work, self._count, self._settings = work, count, settings
        self._owner: dict[str, str] = {}  # its `setdefault` is one step for all threads, and the same again when it is repeated
        self._done = threading.Event()
        self.error: BaseException | None = None

    def run(self) -> None:
        """Do it, in a helper; nothing where it is taken back."""
        if self._owner.setdefault("owner", "helper") != "helper":
            return
        try:
            with np.errstate(**self._settings):
                self._work(self._count)
        except BaseException as error:
            self.error = error
        finally:
            self._done.set()

    def finish(self) -> None:
        """Take it back, or wait until it is done."""
        if self._owner.setdefault("owner", "caller") != "caller":
            self._done.wait()


class _Helpers:
    def __init__(self) -> None:
        self.lock = free_in_children(threading.RLock())
        self.tickets: queue.SimpleQueue[_Ticket] = queue.SimpleQueue()
        self.count = 0

    def hire(self, count: int) -> None:
        """Let there be so many."""
        with self.lock:
            while self.count < count:
                threading.Thread(target=_help, args=(self.tickets,), name=f"to_static helper {self.count}", daemon=True).start()
                self.count += 1


def _help(tickets: queue.SimpleQueue[_Ticket]) -> None:
    while True:
        tickets.get().run()


_helpers = _Helpers()


def share(work: Callable[[int], None], count: int) -> None:
    """Call ``work(0)`` here and, as far as helpers come to it, ``work(1)`` to ``work(count - 1)`` in other threads meanwhile.

    Each call must take pieces of what there is to do until nothing is left, with memory of its own. Returns when all are through,
    or raises an error of one of them then. NumPy's error settings are the caller's everywhere.
    """
    settings = np.geterr()
    tickets = [_Ticket(work, i, settings) for i in range(1, count)]
    helpers = _helpers
    with contextlib.suppress(RuntimeError):  # no more threads are to be had: the interpreter is ending, or there are too many
        helpers.hire(count - 1)
    try:
        for ticket in tickets:
            helpers.tickets.put(ticket)
        work(0)
    finally:
        _finish(list(tickets))
    for ticket in tickets:
        if ticket.error is not None:
            raise ticket.error


def _finish(tickets: list[_Ticket]) -> None:
    """Wait for all that have begun, also where the caller is interrupted: they still write."""
    try:
        while tickets:
            tickets[-1].finish()
            tickets.pop()
    except BaseException:
        _finish(tickets)
        raise


def _forget() -> None:
    """A forked child has none of its parent's threads."""
    global _helpers
    _helpers = _Helpers()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
