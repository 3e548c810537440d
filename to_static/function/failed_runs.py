"""A run that fails has written nothing: Python does the call, so that all it writes until its error is written.

What a Program writes to objects and buffers it writes at the end. Where such a run ends in an error, the function itself runs on
the same arguments, from the same place in the stream of random numbers, and what the Program has printed is not
written again. So does one whose whole numbers outgrew what a Program has room for, and one whose error holds tensors, which the
Program's does not, or ends a block that wrote something. Programs that write nothing just raise.
"""

from __future__ import annotations

import contextlib
import logging
import sys
from collections.abc import Callable, Iterator
from typing import Any

from to_static.core import backend as backends
from to_static.core.errors import NumberError, RankError, ReachError
from to_static.function.program.concrete import ConcreteProgram
from to_static.ir.edit import has
from to_static.ops.written import written

_OUTGROWN = (NumberError, RankError, ReachError)
_REPEATED = ("assert", "current_number", "print", "write")  # effects that a second run need not have


class Start:
    """Where a run began: in the stream of random numbers, and in what Programs write."""

    def __init__(self) -> None:
        self.draws = backends.current().draws
        self.written = written.much.copy()


def note(error: BaseException, program: Any, start: Start | None) -> None:
    """A run of ``program`` failed, which began at ``start``."""
    if isinstance(program, ConcreteProgram):
        error.__dict__["__run__"] = program, start


def is_python_s(error: BaseException) -> bool:
    """Whether Python has to do the call that ended in this error."""
    program, _ = error.__dict__.get("__run__", (None, None))
    if program is None:
        return False
    traced = program.traced
    differs = traced.writes or traced.changed or traced.program.state or traced.rich_errors or isinstance(error, _OUTGROWN)
    if not differs or any(has(op, "effect") and op.name not in _REPEATED for op in traced.program.block.walk()):
        del error.__dict__["__run__"]
        return False
    return True


@contextlib.contextmanager
def again(error: BaseException) -> Iterator[None]:
    """Around Python's run: random numbers begin where they began, and what the Program has printed and logged is left out."""
    _, start = error.__dict__.pop("__run__")
    if start is None:
        yield
        return
    backends.current().draws = start.draws
    more = written.much - start.written
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
    left = iter(range(count))
    return lambda record: next(left, None) is None


class _Without:
    """A stream without the first ``count`` characters."""

    def __init__(self, stream: Any, count: int) -> None:
        self._stream = stream
        self._count = count

    def write(self, text: str) -> int:
        """Write what is behind them."""
        left, self._count = self._count, max(0, self._count - len(text))
        if len(text) > left:
            self._stream.write(text[left:])
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
