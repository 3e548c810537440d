"""Counts the output of a thread's Programs. If a call is repeated in Python after an error, `without` drops what was printed
before.
"""

from __future__ import annotations

import collections
import contextlib
import logging
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any


class OutputCounts(threading.local):
    """``much``: the number of characters by stream ("stdout", "stderr"), and of records by logger ("log NAME")."""

    def __init__(self) -> None:
        self.much: collections.Counter[str] = collections.Counter()


written = OutputCounts()


@contextlib.contextmanager
def without(repeated: collections.Counter[str]) -> Iterator[None]:
    """Suppress repeated output: the block runs code again, and its first output, as counted in ``repeated``, is dropped."""
    streams = sys.stdout, sys.stderr
    if repeated["stdout"]:
        sys.stdout = _Without(sys.stdout, repeated["stdout"])  # type: ignore[assignment]
    if repeated["stderr"]:
        sys.stderr = _Without(sys.stderr, repeated["stderr"])  # type: ignore[assignment]
    logs = [(logging.getLogger(name[4:]), _skipping_filter(count)) for name, count in repeated.items() if name.startswith("log ")]
    for log, log_filter in logs:
        log.addFilter(log_filter)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = streams
        for log, log_filter in logs:
            log.removeFilter(log_filter)


def _skipping_filter(count: int) -> Callable[[logging.LogRecord], bool]:
    """Return a log filter that drops the first ``count`` records."""
    indices = iter(range(count))
    return lambda record: next(indices, None) is None


class _Without:
    """A stream without the first ``count`` characters."""

    def __init__(self, stream: Any, count: int) -> None:
        self._stream = stream
        self._count = count

    def write(self, text: str) -> int:
        """Write ``text`` without the part that is dropped."""
        skip_count, self._count = self._count, max(0, self._count - len(text))
        if len(text) > skip_count:
            self._stream.write(text[skip_count:])
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
