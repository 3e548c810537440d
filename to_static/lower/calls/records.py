"""Logs, warnings and standard error: written at every run of the Program, as `print` is, with the user's file and line."""

from __future__ import annotations

import logging
import sys
import warnings
from collections.abc import Callable
from typing import Any

from to_static.core.expressions import quoted
from to_static.core.site import Site, capture
from to_static.lower.values.formatting import percent
from to_static.lower.values.text import EACH, Text, pieces_of, settled, template
from to_static.ops.write import STDERR, Target, write
from to_static.ops.written import written
from to_static.tracing.graph_break import broken
from to_static.tracing.session import current

_LEVELS = {
    "debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "warn": logging.WARNING, "error": logging.ERROR,
    "exception": logging.ERROR, "critical": logging.CRITICAL, "fatal": logging.CRITICAL, "log": None,
}  # fmt: skip
_QUESTIONS = ("isEnabledFor", "getEffectiveLevel", "hasHandlers")


def twin(target: Any) -> Callable[..., Any] | None:
    """What stands for a function or method that writes to a log, warns or writes to standard error; None for any other."""
    if target is warnings.warn:
        return _warn
    owner, name = getattr(target, "__self__", None), getattr(target, "__name__", "")
    if name == "write" and owner is sys.stderr:
        return _write_error
    if name in _QUESTIONS and isinstance(owner, logging.Logger):
        return lambda *args: _asked(target, *args)
    if name not in _LEVELS:
        return None
    if isinstance(owner, (logging.Logger, logging.LoggerAdapter)):
        return lambda *args, **kwargs: _log(owner, name, args, kwargs)
    if owner is None and target is getattr(logging, name, None):
        return lambda *args, **kwargs: _log(logging.root, name, args, kwargs)
    return None


def _write_error(value: Any) -> Any:
    write(*template(pieces_of(value)), STDERR)
    return None if isinstance(value, Text) else len(value)


def _asked(target: Any, *args: Any) -> Any:
    """A question about a log, whose answer is built in."""
    watch = current().watch
    if watch is not None:
        watch.reads_answer(target, args)
    return target(*args)


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


def _warn(message: Any, category: Any = None, stacklevel: int = 1, source: Any = None, **kwargs: Any) -> None:
    if stacklevel > 1 or kwargs or current().filters is not warnings.filters:
        raise broken(
            f"a warning{quoted()} is of the line of a caller, or warnings are recorded or filtered around it",
            "`warnings.warn(message)`, with `warnings.catch_warnings()` around the call of the static function",
        )
    if type(message) in EACH:
        settled(lambda now: _warn(now, category), [message])
        return
    where = capture() or Site("", 0)
    files = ((function.__code__.co_filename, function.__globals__) for function, _ in current().functions)
    space: dict[str, Any] = next((space for file, space in files if file == where.file), {})

    def take(text: str) -> None:
        shown = message if isinstance(message, Warning) else text
        registry = space.setdefault("__warningregistry__", {})
        name = space.get("__name__", "<unknown>")
        warnings.warn_explicit(shown, category or UserWarning, where.file, where.line, name, registry)

    write(*template([] if isinstance(message, Warning) else pieces_of(message)), Target.of("warnings", take))
