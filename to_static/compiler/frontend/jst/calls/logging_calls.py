"""Logs and warnings: written in each run, like `print`, with the user's file and line."""

from __future__ import annotations

import functools
import logging
import warnings
from collections.abc import Callable
from typing import Any

from to_static.compiler.frontend.jst.values.formatting import percent
from to_static.compiler.frontend.jst.values.text import pieces_of, resolve_unions, template
from to_static.compiler.frontend.tracing.graph_break import broken
from to_static.compiler.frontend.tracing.trace_context import current
from to_static.compiler.ops.control.log_write import Target, write
from to_static.compiler.ops.output_tracking import written
from to_static.core.diagnostics.source_expressions import in_expression
from to_static.core.diagnostics.source_location import SourceLocation, capture

_LEVELS = {name: getattr(logging, name.upper()) for name in ("debug", "info", "warning", "warn", "error", "critical", "fatal")}


def twin(target: object) -> Callable[..., Any] | None:
    """Return the replacement of a function or method that logs or warns; None for other functions."""
    if target is warnings.warn:
        return _warn
    name = getattr(target, "__name__", "")
    owner = logging.root if target is getattr(logging, name, None) else getattr(target, "__self__", None)
    if not isinstance(owner, logging.Logger):
        return None
    if name == "log":
        return functools.partial(_log_at, owner)
    return functools.partial(_log, owner, name, _LEVELS[name]) if name in _LEVELS else None


def _log_at(logger: logging.Logger, level: int, message: object, *values: object, **keywords: Any) -> None:
    if not isinstance(level, int):
        raise TypeError("level must be an integer")  # as Python says it
    _log(logger, "log", level, message, *values, **keywords)


def _log(
    logger: logging.Logger,
    name: str,
    level: int,
    message: object,
    *values: object,
    extra: dict[str, Any] | None = None,
    **unsupported: object,
) -> None:
    if unsupported:
        more = ", ".join(unsupported)
        raise broken(
            f"{name}() of a logger{in_expression()} gets {more}, which a Program cannot pass on",
            f"the message and its values: `log.{name}('...')`",
        )
    where = capture() or SourceLocation("", 0)

    def take(text: str) -> None:
        if logger is logging.root and not logging.root.handlers:
            logging.basicConfig()
        if logger.isEnabledFor(level):
            logger.handle(logger.makeRecord(logger.name, level, where.file, where.line, text, (), None, where.function, extra))
            written.much[f"log {logger.name}"] += 1

    def emit(message: object, *values: object) -> None:
        percent_values = values[0] if len(values) == 1 and isinstance(values[0], dict) and values[0] else values
        pieces = pieces_of(percent(message, percent_values) if values else message)
        write(*template(pieces), Target.create(f"the log {logger.name!r}", take))

    resolve_unions(emit, [message, *values])


def _warn(message: object, category: type[Warning] | None = None, stacklevel: int = 1, source: object = None) -> None:
    where = capture() or SourceLocation("", 0)
    warning_cls = category or (type(message) if isinstance(message, Warning) else UserWarning)
    caught = [cls for error_types, _ in current().catching for cls in error_types if issubclass(cls, Warning)]
    if issubclass(warning_cls, tuple(caught)):
        raise broken(
            f"`warnings.warn()` is called{in_expression()}, where an `except` catches a {warning_cls.__name__}: a filter may "
            f"make an error of the warning in a later call",
            "warn outside of the `try`",
        )
    registry = _registries.setdefault(where.file, {})
    def warn(text: str) -> None:
        warnings.warn_explicit(text, warning_cls, where.file, where.line, registry=registry)

    target = Target.create("warnings", warn)
    resolve_unions(lambda text: write(*template(pieces_of(text)), target), [message])


_registries: dict[str, dict[Any, Any]] = {}  # by file: where a warning was shown already
