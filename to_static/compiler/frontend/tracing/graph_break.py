"""`GraphBreak`: the exception that ends a trace that cannot continue, with the reason, the user's line and a rewrite."""

from __future__ import annotations

from typing import Any

from to_static.core.diagnostics.source_location import SourceLocation, capture, report
from to_static.core.errors import TranslationError


class GraphBreak(BaseException):
    """Ends a trace. ``error`` is the error that the caller gets under ``full_graph=True``.

    It is not an `Exception`, so that an ``except`` or ``with`` statement of the user does not catch it.
    """

    def __init__(self, error: Exception) -> None:
        super().__init__(error)
        self.error = error


def broken(message: str, rewrite: str, error_class: Any = TranslationError, where: SourceLocation | None = None) -> GraphBreak:
    """Return a graph break: ``message`` says what cannot be traced, ``rewrite`` what to write instead.

    ``where``: the line that the message shows, by default the user's line that is running.
    """
    where = where or capture(2)
    error: Exception = error_class(report(message, where, rewrite))
    if where is not None and hasattr(error, "lineno"):
        error.filename, error.lineno = where.file, where.line  # type: ignore[attr-defined]
    return GraphBreak(error)
