"""Logs: written at every run of the Program, as `print` is, with the user's file and line."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from to_static.core.expressions import quoted
from to_static.core.site import Site, capture
from to_static.lower.values.formatting import percent
from to_static.lower.values.text import EACH, Text, pieces_of, settled, template
from to_static.ops.write import Target, write
from to_static.ops.written import written
from to_static.tracing.graph_break import broken

_LEVELS = {
    "debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "warn": logging.WARNING, "error": logging.ERROR,
    "exception": logging.ERROR, "critical": logging.CRITICAL, "fatal": logging.CRITICAL, "log": None,
}  # fmt: skip


def twin(target: Any) -> Callable[..., Any] | None:
    """What stands for a function or method that writes to a log; None for any other."""
    owner, name = getattr(target, "__self__", None), getattr(target, "__name__", "")
    if name not in _LEVELS:
        return None
    if isinstance(owner, (logging.Logger, logging.LoggerAdapter)):
        return lambda *args, **kwargs: _log(owner, name, args, kwargs)
    if owner is None and target is getattr(logging, name, None):
        return lambda *args, **kwargs: _log(logging.root, name, args, kwargs)
    return None


def _log(logger: Any, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    level = _LEVELS[name]
    if level is None:
        level, *rest = args
        args = tuple(rest)
    message, *values = args
    if any(type(value) in EACH for value in args):
        settled(lambda *now: _log(logger, "log", (level, *now), kwargs), args)
        return
    while isinstance(logger, logging.LoggerAdapter):
        message, kwargs = logger.process(message, kwargs)  # type: ignore[assignment]
        logger = logger.logger
    extra = kwargs.get("extra")
    if {*kwargs} - {"extra"} or name == "exception":
        raise broken(
            f"a record of a log{quoted()} holds an error, or a line that is not the one of the call",
            "log what is known of it: `log.error('...')`",
        )
    shown = message
    if values and type(message) is str:
        shown = percent(message, values[0] if len(values) == 1 and isinstance(values[0], dict) and values[0] else tuple(values))
    later = type(shown) is Text
    where = capture() or Site("", 0)

    def take(made: str) -> None:
        if logger is logging.root and not logging.root.handlers:
            logging.basicConfig()
        if logger.isEnabledFor(level):
            text, rest = (made, ()) if later else (message, tuple(values))
            record = logger.makeRecord(logger.name, level, where.file, where.line, text, rest, None, where.function, extra)
            logger.handle(record)
            written.much[f"log {logger.name}"] += 1

    write(*template(pieces_of(shown) if later else []), Target.of(f"the log {logger.name!r}", take))
