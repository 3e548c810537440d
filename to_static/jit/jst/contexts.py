"""``with`` and the objects of the user's: their methods are translated, and no error that tensors decide may come to them.

``with _jst.entering(manager):`` is ``with manager:`` for objects of libraries, but for `contextlib.suppress` and what holds others.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
import types
from typing import Any

from to_static.core.errors import TranslationError
from to_static.ir import mode
from to_static.jit.jst.catching import caught
from to_static.jit.jst.convert import call
from to_static.jit.jst.levels import Back
from to_static.transpile.resolve import is_library
from to_static.transpile.source import source_of


def entering(manager: Any) -> Any:
    """The object that ``with`` is to enter in place of ``manager``."""
    if not mode.building():
        return manager
    generator = isinstance(manager, contextlib._GeneratorContextManager)
    if generator and inspect.getgeneratorstate(manager.gen) == inspect.GEN_CREATED:
        manager.gen = call(manager.func)(*manager.args, **manager.kwds)
    return _Entered(manager, _told(manager))


def _told(manager: Any) -> tuple[Any, ...]:
    """Kinds of errors that ``manager`` may suppress, or do something about."""
    if isinstance(manager, contextlib.suppress):
        return manager._exceptions  # type: ignore[attr-defined, no-any-return]
    if isinstance(manager, contextlib._GeneratorContextManager):
        return (BaseException,) if _holds_yield(manager.func) else ()
    leave = getattr(type(manager), "__exit__", None)
    users = type(leave) is types.FunctionType and not is_library(leave)
    return (BaseException,) if users or isinstance(manager, contextlib.ExitStack) else ()


def _holds_yield(function: Any) -> bool:
    """Whether a generator yields inside of a ``try`` or ``with``, as far as its source tells: else it does nothing about errors."""
    if is_library(function):
        return False
    try:
        tree = source_of(function).node
    except TranslationError:
        return True
    around = (n for n in ast.walk(tree) if isinstance(n, (ast.Try, ast.With)))
    return any(isinstance(n, ast.Yield) for s in around for n in ast.walk(s))


class _Entered:
    """A manager at work, which may hold objects of the user's."""

    def __init__(self, manager: Any, kinds: tuple[Any, ...]) -> None:
        self.manager, self.kinds = manager, kinds
        self.caught = caught(*kinds)

    def __enter__(self) -> Any:
        value = call(type(self.manager).__enter__)(self.manager)
        self.caught.__enter__()
        self.within = mode.state.mode.entered
        self.within.append(self.manager)
        return value

    def __exit__(self, kind: Any, error: Any, trace: Any) -> Any:
        del self.within[next(i for i, x in enumerate(self.within) if x is self.manager)]
        leave = call(type(self.manager).__exit__)
        try:
            self.caught.__exit__(kind, error, trace)
        except BaseException as refusal:  # ours: the manager lets go of what it holds, but has no say
            with contextlib.suppress(Exception):
                leave(self.manager, type(refusal), refusal, trace)
            raise
        if isinstance(error, Back):
            with contextlib.suppress(Exception):
                leave(self.manager, kind, error, trace)
            return False
        return leave(self.manager, kind, error, trace)
