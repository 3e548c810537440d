"""A call that ends in an error is made again by Python, where Python would have done something that the Program did not.

A run of a Program that fails changes nothing: tensors, Layers and objects get their new values when it succeeds. Python changes
them as it comes to them; ``finally`` and ``except`` see the errors of operators; and an error holds the tensors that it was raised
with. So the function itself runs, on the very arguments, from the same place in the stream of random numbers, and what it writes is
left out as far as the Program wrote it.
"""

from __future__ import annotations

import contextlib
import logging
import sys
import threading
from collections.abc import Iterator
from typing import Any

from to_static.core import backend as backends
from to_static.core.errors import REFUSALS, NumberError, RankError, ToStaticError, TranslationError
from to_static.core.log import warn_once
from to_static.core.site import PACKAGE, of_error, report
from to_static.jit.graph_break import GraphBreak
from to_static.jit.jst.leaks import innermost, is_mistake
from to_static.jit.noting import Start
from to_static.ops.written import written

_TOLD = (*REFUSALS, RecursionError, MemoryError)  # of these Python knows nothing
_BREAKS = (ToStaticError, RecursionError)  # of a trace: there is no Program


def by_python(static: Any, error: BaseException, args: Any, kwargs: Any) -> tuple[BaseException | None, Any]:
    """The error to raise in place of ``error``, which a call of ``static`` ended in; or None, and what the call gives."""
    concrete = error.__dict__.pop("__concrete__", static)  # None: of the trace
    start = error.__dict__.pop("__start__", None)
    if isinstance(concrete, GraphBreak):  # Python raised it
        return error, None
    if concrete is None and isinstance(error, _BREAKS) and static.may_break():
        undone = static._outside.undo()
        static._outside.end()
        if not undone:
            return error, None
        try:
            return None, static.break_at(error, args, kwargs)
        except (Exception, SystemExit) as found:
            found.__dict__.pop("__concrete__", None)
            return found, None
    able = concrete is not static and not isinstance(error, _TOLD) and _tells_more(static, concrete, error)
    if able and concrete is None and not static._outside.can_undo():  # the trace went as far as Python would have
        static._outside.heap.settle()
        able = False
    elif able and (concrete is None or concrete.once):
        able = static._outside.undo()
    static._outside.end()
    if not able:
        return (_mistake(static, error) if concrete is None and is_mistake(error) else error), None
    try:
        with from_start(start):
            result = static.dygraph_function(*args, **kwargs)
    except (Exception, SystemExit) as found:
        return error if _names_place(error, found) else found, None
    gave = "and Python gave the result of this call"
    if concrete is None and not isinstance(error, ToStaticError):
        text = f"{_not_built(static, error)}, {gave}. If no code of yours raises that error, it is {_MISTAKE}"
    else:
        text = f"a Program of {static.__name__} failed, {gave}: {str(error) or type(error).__name__}"
    warn_once(f"again:{type(error)}", text, static)
    return None, result


_MISTAKE = "a mistake of to_static: please report these lines and the function"


def _not_built(static: Any, error: BaseException) -> str:
    trace, file = innermost(error)
    place = "" if trace is None else f" in {file.removeprefix(PACKAGE)}, line {trace.tb_lineno}"
    return f"the Program of {static.__name__} could not be built ({type(error).__name__}{place}: {error})"


def _mistake(static: Any, error: BaseException) -> Exception:
    """The refusal in place of an error that is a mistake of ours."""
    rewrite = f"`{static.__name__}.dygraph_function(...)`, which Python runs"
    made = TranslationError(report(f"{_not_built(static, error)}, which is {_MISTAKE}", of_error(error), rewrite))
    made.__cause__ = error
    return made


def _tells_more(static: Any, concrete: Any, error: BaseException) -> bool:
    """Whether Python may have done something until the error that the Program did not, or raises none."""
    if concrete is None or concrete.once or static._outside.guards or isinstance(error, (NumberError, RankError)):
        return True
    traced = concrete.traced
    return bool(traced.changed or traced.kept or traced.puts or traced.program.state or traced.holds_errors)


def _names_place(error: BaseException, found: BaseException) -> bool:
    """Whether an error is the one that Python raised, and says where."""
    if isinstance(error, ToStaticError):
        return isinstance(error, type(found))
    return type(error) is type(found) and str(error).startswith(f"{found}\n")


@contextlib.contextmanager
def from_start(start: Start | None) -> Iterator[None]:
    """For a run in place of one that failed, which began at ``start``: as if that had not begun."""
    if start is not None and start.draws is not None:
        backends.current().draws = start.draws
    with contextlib.nullcontext() if start is None else _unwritten(start):
        yield


@contextlib.contextmanager
def _unwritten(start: Start) -> Iterator[None]:
    """Leaves out what was written since ``start``."""
    streams = sys.stdout, sys.stderr
    more = written.much - start.much
    filters = [_Unlogged(name.removeprefix("log "), count) for name, count in more.items() if name.startswith("log ")]
    if more["stdout"]:
        sys.stdout = _Unwritten(streams[0], more["stdout"])  # type: ignore[assignment]
    if more["stderr"]:
        sys.stderr = _Unwritten(streams[1], more["stderr"])  # type: ignore[assignment]
    try:
        yield
    finally:
        sys.stdout, sys.stderr = streams
        for one in filters:
            one.end()


class _Unwritten:
    """A stream without the first ``count`` characters."""

    def __init__(self, stream: Any, count: int) -> None:
        self._stream = stream
        self._count = count

    def write(self, text: str) -> int:
        """Write what is behind them."""
        left = self._count
        self._count = max(0, left - len(text))
        if len(text) > left:
            self._stream.write(text[left:])
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class _Unlogged:
    """A filter of a log that takes out the first ``count`` records of this thread."""

    def __init__(self, name: str, count: int) -> None:
        self._logger = logging.getLogger(name if name != "root" else None)
        self._count = count
        self._thread = threading.get_ident()
        self._logger.filters.insert(0, self)

    def filter(self, record: Any) -> bool:
        """Whether a record is written."""
        if self._count == 0 or threading.get_ident() != self._thread:
            return True
        self._count -= 1
        return False

    def end(self) -> None:
        """All records are written again."""
        self._logger.removeFilter(self)
