"""``with`` and the objects of the user's: their methods are translated, and what the Program raises they can't suppress.

``with _jst.entering(manager):`` is ``with manager:`` for objects of libraries. The body of a manager that may suppress errors is
one of a ``try``: an error that depends on a tensor is refused, and refusals are not suppressed.
"""

from __future__ import annotations

import ast
import contextlib
import dis
import inspect
import sys
import types
from typing import Any

from to_static.core.errors import TranslationError
from to_static.core.expressions import shown
from to_static.ir import mode
from to_static.jit.contents import held
from to_static.jit.jst.blocks import caught
from to_static.jit.jst.branch import if_
from to_static.jit.jst.chosen import chosen
from to_static.jit.jst.convert import call
from to_static.jit.jst.endings import begun, ended
from to_static.jit.jst.traced import failure, is_traced
from to_static.jit.jst.unbound import Maybe
from to_static.transpile.resolve import is_library
from to_static.transpile.source import source_of


def entering(manager: Any, *told: str) -> Any:
    """The object that ``with`` is to enter in place of ``manager``.

    ``told``: the variables that say whether the body ends by an error that is a value, and by which (see `failures`).
    """
    if not mode.building():
        return manager
    if isinstance(manager, contextlib._GeneratorContextManager) and inspect.getgeneratorstate(manager.gen) == inspect.GEN_CREATED:
        manager.gen = call(manager.func)(*manager.args, **manager.kwds)
    leave = getattr(type(manager), "__exit__", None)
    users = type(leave) is types.FunctionType and not is_library(leave)
    kinds = _suppressed(manager, users)
    return _Entered(manager, kinds, told) if kinds or users else _Holding(manager) if held(manager) is not None else manager


class _Holding:
    """A manager of a library that holds objects of the user's."""

    def __init__(self, manager: Any) -> None:
        self.manager = manager

    def __enter__(self) -> Any:
        value = self.manager.__enter__()
        self.within = mode.state.mode.entered
        self.within.append(self.manager)
        return value

    def __exit__(self, *told: Any) -> Any:
        _leave(self.within, self.manager)
        return self.manager.__exit__(*told)


def _leave(within: list[Any], manager: Any) -> None:
    del within[next(i for i, x in enumerate(within) if x is manager)]


class _Entered:
    def __init__(self, manager: Any, kinds: tuple[Any, ...], told: tuple[str, ...]) -> None:
        self.manager, self.told = manager, told
        self.looks = bool(kinds) or (not told and _looks(type(manager).__exit__))
        self.caught = caught(*kinds)

    def __enter__(self) -> Any:
        value = call(type(self.manager).__enter__)(self.manager)
        self.start = begun()
        self.caught.__enter__()
        self.within = mode.state.mode.entered
        self.within.append(self.manager)
        if self.looks:
            watching.append(self)
        return value

    def __exit__(self, kind: Any, error: Any, trace: Any) -> Any:
        _leave(self.within, self.manager)
        leave = call(type(self.manager).__exit__)
        if self.looks:
            watching.remove(self)
        try:
            self.caught.__exit__(kind, error, trace)
        except BaseException as refusal:  # ours: the manager ends, but has no say
            leave(self.manager, type(refusal), refusal, trace)
            raise
        around = sys._getframe(1).f_locals
        raised, made = [around.get(name) for name in self.told] or (None, None)
        with ended(self.start):
            if kind is None and is_traced(raised) and _looks(type(self.manager).__exit__):
                if_(raised, lambda manager: _tell(leave, manager, made), lambda manager: _tell(leave, manager, None), self.manager)
                return False
            return leave(self.manager, kind, error, trace)


def _tell(leave: Any, manager: Any, made: Any) -> None:
    """Call ``__exit__`` for an error that is a value, or for none."""
    from to_static.jit.jst.failures import error

    if made is None:
        leave(manager, None, None, None)
    else:
        found = error(made.value if type(made) is Maybe else made)
        chosen(lambda values: leave(values[1], type(values[0]), values[0], None), (found, manager))


watching: list[_Entered] = []  # those whose end is told of an error and does something with that


def unwatched(made: BaseException) -> None:
    """Refuse an error of the Program that the end of a ``with`` around would be told of."""
    if watching:
        raise failure(
            TranslationError,
            f"a {type(made).__name__} that depends on a tensor{shown()} would be told to the end of a `with` "
            f"({type(watching[-1].manager).__name__}), but whether there is one is known only when the Program runs",
            "raise the error behind the `with`: set a variable inside of it, `bad = condition`, and `if bad: raise ...` after it",
        )


def _looks(leave: Any) -> bool:
    """Whether ``__exit__`` reads what it is told of an error, as far as its code tells."""
    code = getattr(leave, "__code__", None)
    if code is None or is_library(leave):
        return False
    count = code.co_argcount + bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    told = set(code.co_varnames[1:count])
    read = (step.argval if type(step.argval) is tuple else (step.argval,) for step in dis.get_instructions(code))
    return any(told.intersection(x for x in names if isinstance(x, str)) for names in read)


def _suppressed(manager: Any, users: bool) -> tuple[Any, ...]:
    """Kinds of errors that ``manager`` may suppress."""
    if isinstance(manager, contextlib.suppress):
        return manager._exceptions  # type: ignore[attr-defined, no-any-return]
    if isinstance(manager, contextlib._GeneratorContextManager):
        return (Exception,) if _catches(manager.func) else ()
    return (Exception,) if users and not _gives_nothing(type(manager).__exit__.__code__) else ()


def _catches(function: Any) -> bool:
    """Whether a generator yields inside of ``try`` with ``except``, as far as its source tells."""
    if is_library(function):
        return False
    try:
        tree = source_of(function).node
    except TranslationError:
        return True
    tries = (n for n in ast.walk(tree) if isinstance(n, ast.Try) and n.handlers)
    return any(isinstance(n, ast.Yield) for t in tries for n in ast.walk(t))


def _gives_nothing(code: types.CodeType) -> bool:
    """Whether a function returns None or False wherever it returns."""
    steps = [s for s in dis.get_instructions(code) if s.opname not in ("NOP", "CACHE", "RESUME")]
    for before, step in zip([None, *steps], steps, strict=False):
        if step.opname == "RETURN_VALUE" and not (before and before.opname == "LOAD_CONST" and before.argval in (None, False)):
            return False
        if step.opname == "RETURN_CONST" and step.argval not in (None, False):
            return False
    return True
