"""`explain` turns an error in a running plan into one that names the user's line. Plans call it after an error only."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ir.program import Op
from to_static.core.diagnostics import source_location
from to_static.core.diagnostics.printable import harmless
from to_static.core.errors import ExecutionError, ShapeError, ToStaticError

_combined: dict[type, type] = {}
_PYTHONS = frozenset(["python", "list_get", "list_set", "list_pop"])  # operators that fail in Python's own words


class StaleProgramError(ShapeError):
    """A tensor that the Program reads has another shape or dtype than when it was built. Nothing of the Program was run."""


def explain(error: Exception, filename: str, lines: dict[int, Op]) -> Exception:
    """The error to raise for ``error``, which came out of the plan whose source is ``filename``.

    Errors of the user's own assert and raise are returned unchanged. Errors of this package, and Python's errors about numbers and
    lists, keep their class; any other becomes an `ExecutionError` that is also an instance of the original's class. The message
    names the operator and shows the user's line.
    """
    if isinstance(error, ExecutionError):
        return error
    op = _failing_op(error, filename, lines)
    if op is not None and op.site is not None:
        error.__user_site__ = op.site  # type: ignore[attr-defined]  # for the traceback
    if op is None or op.name == "assert":  # what the user's own assert or raise says
        return error
    pythons = op.name in _PYTHONS  # what Python itself would raise
    told_already = pythons or isinstance(error, IndexError)
    text = str(error) if told_already else source_location.of_operator(op.name, error)
    if op.site is not None:
        text = f"{text}\n{source_location.describe(op.site)}"
    error_class = type(error) if isinstance(error, ToStaticError) or pythons else _combined_class(type(error))
    try:
        reported = error_class(text)
    except TypeError:  # a class with a constructor of its own
        reported = ExecutionError(text)
    reported = reported if text in str(reported) else ExecutionError(text)
    reported.__dict__.update({name: value for name, value in vars(error).items() if not name.startswith("__")})  # `.shape`, `.axis`
    reported.__user_site__ = op.site  # type: ignore[union-attr]
    return reported


def _failing_op(error: Exception, filename: str, lines: dict[int, Op]) -> Op | None:
    trace: Any = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == filename:
            return lines.get(trace.tb_lineno)
        trace = trace.tb_next
    return None


def _combined_class(original: type) -> type:
    """A class that is both `ExecutionError` and the original, so that either can be caught."""
    error_class = _combined.get(original)
    if error_class is None:
        try:
            space = {"__module__": ExecutionError.__module__, "__init__": _take_text, "__str__": _text}
            error_class = ExecutionError if issubclass(ExecutionError, original) else type(
                "ExecutionError", (ExecutionError, original), space
            )
        except TypeError:  # their memory layouts can't be combined
            error_class = ExecutionError
        _combined[original] = error_class
    return error_class


def _take_text(error: Exception, text: str) -> None:
    """``__init__`` of a combined class. It takes a text, also if the original's takes something else, as NumPy's `MemoryError`."""
    Exception.__init__(error, text)


def _text(error: Exception) -> str:
    """The message: the original's ``__str__`` may need what only the original's ``__init__`` sets."""
    return harmless(str(error.args[0]))
