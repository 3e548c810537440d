"""Logs, warnings and standard error: written when the Program runs, as `print` is. Other files take part while tracing only.

A record of a log has the user's file, line and function. Arguments with tensors in them are part of its message.
"""

from __future__ import annotations

import builtins
import io
import logging
import sys
import warnings
import weakref
from collections.abc import Callable
from typing import Any

from to_static.core.errors import TranslationError
from to_static.core.expressions import quoted
from to_static.core.site import capture, is_generated, is_internal
from to_static.ir import mode
from to_static.jit.jst.chosen import chosen
from to_static.jit.jst.formatting import percent
from to_static.jit.jst.text import Text, holds_later, may_hold, pieces_of, template
from to_static.jit.jst.traced import failure
from to_static.ops.write import STDERR, Target, write
from to_static.ops.written import written

_LEVELS = {
    "debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "warn": logging.WARNING, "error": logging.ERROR,
    "exception": logging.ERROR, "critical": logging.CRITICAL, "fatal": logging.CRITICAL, "log": None,
}  # fmt: skip
NAMES = frozenset(_LEVELS)
# builder -> when its trace began: sys.stdout, the filters of warnings, and the handlers of logs
_before: weakref.WeakKeyDictionary[Any, tuple[Any, Any, dict[Any, list[Any]]]] = weakref.WeakKeyDictionary()


def begin(builder: Any) -> None:
    """A trace begins: what is standard output now is where the Program prints to."""
    loggers = [x for x in (logging.root, *logging.root.manager.loggerDict.values()) if isinstance(x, logging.Logger)]
    _before[builder] = sys.stdout, warnings.filters, {logger: list(logger.handlers) for logger in loggers}


def redirected() -> bool:
    """True while standard output is another one than the Program's."""
    return _before[mode.state.mode][0] is not sys.stdout if mode.state.mode in _before else False


def twin(target: Any) -> Callable[..., Any] | None:
    """What stands for a function or method that writes elsewhere than to standard output; None for any other."""
    if not mode.building():
        return None
    if target is warnings.warn:
        return _warn
    owner, name = getattr(target, "__self__", None), getattr(target, "__name__", "")
    if name == "write" and owner is sys.stderr:
        return _write_error
    if name == "write" and isinstance(owner, io.IOBase) and owner is not sys.stdout:
        return lambda text: target(_known(text))
    if name not in _LEVELS:
        return None
    if isinstance(owner, (logging.Logger, logging.LoggerAdapter)):
        return lambda *args, **kwargs: _log(owner, name, args, kwargs)
    if owner is None and target is getattr(logging, name, None):
        return lambda *args, **kwargs: _log(_root(), name, args, kwargs)
    return None


def open_(file: Any, *args: Any, **kwargs: Any) -> Any:
    """``open``: what is read is good for one call; what is written would not be written in other calls."""
    from to_static.jit.jst.world import asking

    how = args[0] if args else kwargs.get("mode", "r")
    if mode.building() and set(how) & set("wax+"):
        raise failure(
            TranslationError,
            f"`open({file!r}, {how!r})` would write the file once, while the Program is built, and not in the calls after that",
            "return the value and write it outside of the static function, or `print` it",
        )
    read = asking(builtins.open) if mode.building() else builtins.open
    return read(file, *args, **kwargs)


def _write_error(text: Any) -> int:
    to_stderr([text])
    return len(text)


def to_stderr(parts: list[Any]) -> None:
    """Text for standard error."""
    _emit(parts, STDERR)


def elsewhere(file: Any, text: Any) -> None:
    """Text for a file that is no standard stream: Python's, while tracing."""
    from to_static.jit.jst.blocks import touch

    text = _known(text)
    touch(file)
    file.write(text)


def _known(text: Any) -> Any:
    if holds_later(text):
        raise failure(
            TranslationError,
            f"text with tensors in it is written to a file{quoted()}, and is known only when the Program runs",
            "`print` without `file`, `print(..., file=sys.stderr)` or a logger; or return the value and write it outside",
        )
    return text


def _emit(parts: Any, target: str) -> None:
    def one(values: list[Any]) -> None:
        tensors, words = template([piece for value in values for piece in pieces_of(value)])
        write(tensors, words, target)

    chosen(one, parts)


def _root() -> logging.Logger:
    if not logging.root.handlers:
        logging.basicConfig()
        _before[mode.state.mode][2][logging.root] = list(logging.root.handlers)
    return logging.root


def _check_same(same: bool, what: str, instead: str) -> None:
    """Refuse what the function arranges for warnings or logs: that would be while the Program is built, and not when it runs."""
    if not same:
        text = f"{what} in the function that is translated{quoted()}: that happens while the Program is built, not when it runs"
        raise failure(TranslationError, text, instead)


def _log(logger: Any, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    level = _LEVELS[name]
    if level is None:
        level, *rest = args
        args = tuple(rest)
    message, *values = args
    while isinstance(logger, logging.LoggerAdapter):
        message, kwargs = logger.process(message, kwargs)  # type: ignore[assignment]
        logger = logger.logger
    here: Any = logger
    while here is not None:
        same = here.handlers == _before[mode.state.mode][2].get(here, [])
        _check_same(same, f"handlers of the log {here.name!r} change", "add them before the static function is called")
        here = here.parent if here.propagate else None
    error = kwargs.get("exc_info", name == "exception")
    if error and not isinstance(error, tuple):
        error = (type(error), error, error.__traceback__) if isinstance(error, BaseException) else sys.exc_info()
    later = holds_later((message, values))
    text = percent(message, tuple(values)) if values and may_hold((message, values)) else message
    later = later or type(text) is Text
    where = capture()

    def take(made: str) -> None:
        if logger.isEnabledFor(level):
            file, line, function = ("", 0, "") if where is None else (where.file, where.line, where.function)
            shown, rest = (made, ()) if later else (message, tuple(values))
            record = logger.makeRecord(logger.name, level, file, line, shown, rest, error or None, function, kwargs.get("extra"))
            logger.handle(record)
            written.much[f"log {logger.name}"] += 1

    _emit([text] if later else [], Target.of(f"the log {logger.name!r}", take))


def _warn(message: Any, category: Any = None, stacklevel: int = 1, source: Any = None, **kwargs: Any) -> None:
    same = warnings.filters is _before[mode.state.mode][1]
    rewrite = "`with warnings.catch_warnings():` around the call of the static function"
    _check_same(same, "warnings are filtered or recorded", rewrite)
    frame = sys._getframe(1)
    while frame.f_back is not None and is_internal(frame.f_code.co_filename):
        frame = frame.f_back
    space, where = frame.f_globals, capture()

    def take(text: str) -> None:
        shown = message if isinstance(message, Warning) else text
        if stacklevel > 1 or where is None:
            caller = sys._getframe(1)
            while caller.f_back is not None and (is_internal(name := caller.f_code.co_filename) or _made(name)):
                caller = caller.f_back
            file, line, names = caller.f_code.co_filename, caller.f_lineno, caller.f_globals
        else:
            file, line, names = where.file, where.line, space
        registry = names.setdefault("__warningregistry__", {})
        warnings.warn_explicit(shown, category or UserWarning, file, line, names.get("__name__", "<unknown>"), registry)

    _emit([] if isinstance(message, Warning) else [message], Target.of("warnings", take))


def _made(file: str) -> bool:
    return is_generated(file) or file.startswith("<to_static")
