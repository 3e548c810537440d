"""`GraphBreak`: the exception that ends a trace that cannot continue, with the reason, the user's line and a rewrite."""

from __future__ import annotations

from typing import Any

from to_static.core.diagnostics.source_location import SourceLocation, capture, report
from to_static.core.errors import TranslationError


class GraphBreak(BaseException):
    """Ends a trace. ``error`` is what a caller who asked for a whole graph sees.

    It is no `Exception`, so that an ``except`` or ``with`` of the user's does not take it for an error of the program.
    """

    def __init__(self, error: Exception) -> None:
        super().__init__(error)
        self.error = error


def broken(message: str, rewrite: str, error_class: Any = TranslationError, where: SourceLocation | None = None) -> GraphBreak:
    """The graph break at the user's line, if it is not ``where``: what can't be traced, and what to write instead."""
    where = where or capture(2)
    error: Exception = error_class(report(message, where, rewrite))
    if where is not None and hasattr(error, "lineno"):
        error.filename, error.lineno = where.file, where.line  # type: ignore[attr-defined]
    return GraphBreak(error)
