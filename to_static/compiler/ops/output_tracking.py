"""Count what the Programs of a thread have printed, so that a call that is repeated does not print it twice."""

from __future__ import annotations

import collections
import contextlib
import logging
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any


class OutputCounts(threading.local):
    """``much``: characters by stream ("stdout", "stderr"), and records by the name of the log."""

    def __init__(self) -> None:
        self.much: collections.Counter[str] = collections.Counter()


written = OutputCounts()


@contextlib.contextmanager
def without(more: collections.Counter[str]) -> Iterator[None]:
    """Suppress repeated output: the block runs code again, without the characters and log records counted in ``more``."""
    streams = sys.stdout, sys.stderr
    if more["stdout"]:
        sys.stdout = _Without(sys.stdout, more["stdout"])  # type: ignore[assignment]
    if more["stderr"]:
        sys.stderr = _Without(sys.stderr, more["stderr"])  # type: ignore[assignment]
    logs = [(logging.getLogger(name[4:]), _behind(count)) for name, count in more.items() if name.startswith("log ")]
    for log, rest in logs:
        log.addFilter(rest)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = streams
        for log, rest in logs:
            log.removeFilter(rest)


def _behind(count: int) -> Callable[[logging.LogRecord], bool]:
    """A filter that lets through what is behind the first ``count`` records."""
    indices = iter(range(count))
    return lambda record: next(indices, None) is None


class _Without:
    """A stream without the first ``count`` characters."""

    def __init__(self, stream: Any, count: int) -> None:
        self._stream = stream
        self._count = count

    def write(self, text: str) -> int:
        """Write what is behind them."""
        skip_count, self._count = self._count, max(0, self._count - len(text))
        if len(text) > skip_count:
            self._stream.write(text[skip_count:])
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
