"""Printing of uncaught errors: the user's frames, and hints below the text.

Python's own errors, of an argument that a function of ours does not have, say, are raised where none of our code runs. So the
notes (`hints`) come to them when somebody looks: the hooks for errors that nothing catches, in the main thread, in others and in
IPython, and `traceback.TracebackException`, by which ``logging.exception``, ``traceback.print_exc``, unittest and pytest print.
Before Python 3.11 nothing prints ``__notes__`` by itself; there this module does.

Imported at start-up, so that programs without static functions have it, too: what it takes is imported when there is an error.
"""

from __future__ import annotations

import contextlib
import functools
import sys
import threading
import traceback
import types
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import TracebackType

_PRINTS_NOTES = sys.version_info >= (3, 11)


def show_without_ours() -> None:
    """Let Python print errors without frames of ours where nothing caught them, and with the hints of `hints` wherever it does."""
    sys.excepthook = _hook(sys.excepthook)
    threading.excepthook = _thread_hook(threading.excepthook)
    if hasattr(traceback.TracebackException.__init__, "__wrapped__"):
        return
    traceback.TracebackException.__init__ = _noting(traceback.TracebackException.__init__)  # type: ignore[method-assign]
    if not _PRINTS_NOTES:
        printed = traceback.TracebackException.format_exception_only
        traceback.TracebackException.format_exception_only = _printing(printed)  # type: ignore[assignment,method-assign]
    shells = sys.modules.get("IPython.core.interactiveshell")
    if shells is not None:
        shells.InteractiveShell.showtraceback = _in_notebook(shells.InteractiveShell.showtraceback)  # type: ignore[attr-defined]


def shown_to_users(error: BaseException, trace: TracebackType | None) -> BaseException:
    """The error with its notes, and a traceback of the user's frames; as it is where that can't be had."""
    from to_static.core.diagnostics.tracebacks import of_uncaught  # start-up does without it

    try:
        return of_uncaught(error, trace)
    except Exception:  # a mistake in telling of errors must not hide them
        return error.with_traceback(trace)


def _hook(replaced_hook: Callable[..., Any]) -> Callable[..., Any]:
    def show(cls: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        user_error = shown_to_users(error, trace)
        replaced_hook(cls, user_error, user_error.__traceback__)
        _print_notes(user_error, replaced_hook)

    return show


def _thread_hook(replaced_hook: Callable[..., Any]) -> Callable[..., Any]:
    def show(args: Any) -> None:
        if args.exc_value is not None and args.exc_type is not SystemExit:
            user_error = shown_to_users(args.exc_value, args.exc_traceback)
            args = threading.ExceptHookArgs((args.exc_type, user_error, user_error.__traceback__, args.thread))
        replaced_hook(args)
        _print_notes(args.exc_value, replaced_hook)

    return show


def _print_notes(error: BaseException | None, hook: Callable[..., Any]) -> None:
    """Print the notes that Python's own hooks, which are C, leave out before 3.11; others print by way of `traceback`."""
    if not _PRINTS_NOTES and isinstance(hook, types.BuiltinFunctionType):
        for note in getattr(error, "__notes__", ()):
            print(note, file=sys.stderr)


def _noting(original_init: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(original_init)
    def patched_init(self: Any, exc_type: type[BaseException], exc_value: Any, *args: Any, **kwargs: Any) -> None:
        if isinstance(exc_value, (TypeError, LookupError, AttributeError, ImportError)):
            from to_static.core.diagnostics.error_hints import note_meaning  # start-up does without it

            with contextlib.suppress(Exception):  # a mistake in telling of errors must not hide them
                note_meaning(exc_value)
        original_init(self, exc_type, exc_value, *args, **kwargs)
        if not _PRINTS_NOTES:
            self.__notes__ = getattr(exc_value, "__notes__", None)

    return patched_init


def _printing(original_format: Callable[..., Iterator[str]]) -> Callable[..., Iterator[str]]:
    @functools.wraps(original_format)
    def lines(self: traceback.TracebackException, *args: Any, **kwargs: Any) -> Iterator[str]:
        yield from original_format(self, *args, **kwargs)
        for note in getattr(self, "__notes__", None) or ():
            yield f"{note}\n"

    return lines


def _in_notebook(original_showtraceback: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original_showtraceback)
    def show(self: object, exc_tuple: Any = None, *args: Any, **kwargs: Any) -> Any:
        _, error, trace = exc_tuple or sys.exc_info()
        if isinstance(error, BaseException):
            user_error = shown_to_users(error, trace)
            exc_tuple = type(user_error), user_error, user_error.__traceback__
        result = original_showtraceback(self, exc_tuple, *args, **kwargs)
        if isinstance(error, BaseException) and not _ipython_prints_notes():
            for note in getattr(exc_tuple[1], "__notes__", ()):
                print(note)
        return result

    return show


@functools.cache
def _ipython_prints_notes() -> bool:
    """Return whether this IPython prints ``__notes__``, as those since 2023 do."""
    import inspect  # only for errors: it costs start-up time

    module = sys.modules.get("IPython.core.ultratb")
    return module is None or "__notes__" in inspect.getsource(module)
