"""``with`` and the objects of the user's: their methods are translated, and told of errors that tensors decide.

``with _jst.entering(manager):`` is ``with manager:`` for objects of libraries. The body of a manager that may suppress errors is
one of a ``try``: refusals are not suppressed, and an error that depends on a tensor is a value that ``__exit__`` is told of.
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
from to_static.ir import mode
from to_static.jit.jst.blocks import caught
from to_static.jit.jst.branch import if_
from to_static.jit.jst.chosen import chosen
from to_static.jit.jst.convert import call
from to_static.jit.jst.levels import Back, ways
from to_static.jit.jst.logic import not_
from to_static.jit.jst.traced import failure
from to_static.jit.jst.unbound import Maybe
from to_static.transpile import is_translated, transpile_function
from to_static.transpile.managers import Unfit
from to_static.transpile.resolve import is_library
from to_static.transpile.source import source_of


def entering(manager: Any, *told: str) -> Any:
    """The object that ``with`` is to enter in place of ``manager``.

    ``told``: the variables that say whether the body ends by an error that is a value, and by which (see `failures`).
    """
    if not mode.building():
        return manager
    generator = isinstance(manager, contextlib._GeneratorContextManager)
    fresh = generator and inspect.getgeneratorstate(manager.gen) == inspect.GEN_CREATED
    halves = _halves(manager.func) if told and fresh else None
    if fresh and halves is None:
        manager.gen = call(manager.func)(*manager.args, **manager.kwds)
    leave = getattr(type(manager), "__exit__", None)
    users = type(leave) is types.FunctionType and not is_library(leave)
    if halves is not None:
        return _Halves(manager, halves, told)
    kinds = _suppressed(manager, users)
    if kinds or users or told:
        return _Entered(manager, kinds, told)
    return _Holding(manager)


class _Holding:
    """A manager of a library, which may hold objects of the user's."""

    def __init__(self, manager: Any) -> None:
        self.manager = manager

    def __enter__(self) -> Any:
        value = self.manager.__enter__()
        self.within = mode.state.mode.entered
        self.within.append(self.manager)
        return value

    def __exit__(self, *told: Any) -> Any:
        _leave(self.within, self.manager)
        end = self.manager.__exit__(*told)
        return end and not isinstance(told[1], Back)


def _leave(within: list[Any], manager: Any) -> None:
    del within[next(i for i, x in enumerate(within) if x is manager)]


class _Entered:
    def __init__(self, manager: Any, kinds: tuple[Any, ...], told: tuple[str, ...]) -> None:
        self.manager, self.told = manager, told
        self.looks = bool(kinds) or _looks(type(manager).__exit__)
        self.caught = caught(*kinds)
        self.generator = manager.func if isinstance(manager, contextlib._GeneratorContextManager) else None
        self.passed: Any = False  # whether an error that is a value leaves this `with`
        self.error: Any = None  # and which

    def __enter__(self) -> Any:
        value = self.begin()
        self.caught.__enter__()
        self.within = mode.state.mode.entered
        self.within.append(self.holder())
        return value

    def begin(self) -> Any:
        """What ``with`` gives its variable."""
        return call(type(self.manager).__enter__)(self.manager)

    def holder(self) -> Any:
        """What holds objects of the user's until the end."""
        return self.manager

    def __exit__(self, kind: Any, error: Any, trace: Any) -> Any:
        _leave(self.within, self.holder())
        try:
            self.caught.__exit__(kind, error, trace)
        except BaseException as refusal:  # ours
            self.abandoned(refusal, trace)
            raise
        if isinstance(error, Back):
            self.abandoned(error, trace)
            return False
        around = sys._getframe(1).f_locals
        raised, made = [around.get(name) for name in self.told] or (False, None)
        return self.end(raised, made.value if type(made) is Maybe else made, (kind, error, trace))

    def abandoned(self, error: BaseException, trace: Any) -> None:
        """The trace goes back, or ends: the manager lets go of what it holds, but has no say."""
        with contextlib.suppress(Exception):
            call(type(self.manager).__exit__)(self.manager, type(error), error, trace)

    def end(self, raised: Any, made: Any, error: tuple[Any, Any, Any]) -> Any:
        """The end of the body, by the error ``made`` if ``raised``, or by an ``error`` of Python's."""
        leave = call(type(self.manager).__exit__)
        if error[0] is not None or raised is False:
            return leave(self.manager, *error)
        if self.generator is not None:
            _check_end(self.generator)
        elif isinstance(self.manager, contextlib.ExitStack):
            _check_stack(self.manager)
        elif self.looks:
            tell, end = (lambda manager: _tell(leave, manager, made)), (lambda manager: _end(leave, manager))
            self.passed, self.error = if_(raised, tell, end, self.manager), made
            return False
        self.passed, self.error = raised, made
        leave(self.manager, None, None, None)
        return False


class _Halves(_Entered):
    """A generator of ``contextmanager`` as what it does before and after its ``yield`` (see `transpile/managers`)."""

    def __init__(self, manager: Any, halves: tuple[Any, Any], told: tuple[str, ...]) -> None:
        super().__init__(manager, (), told)
        self.halves, self.given = halves, (manager.args, manager.kwds)

    def begin(self) -> Any:
        """What the generator yields."""
        value, variables = self.halves[0](*self.given[0], **self.given[1])
        self.variables = list(variables)
        return value

    def holder(self) -> Any:
        """Its variables."""
        return self.variables

    def abandoned(self, error: BaseException, trace: Any) -> None:
        with contextlib.suppress(Exception):
            self.end(True, error, (None, None, None))

    def end(self, raised: Any, made: Any, error: tuple[Any, Any, Any]) -> Any:
        """The rest of the generator, with the error raised where it yielded."""
        from to_static.jit.jst.told import finished

        if error[0] is not None:
            raised, made = True, error[1]
        try:
            self.passed, self.error, _ = finished(self.halves[1], raised, made, *self.variables)
        except BaseException as found:
            if found is error[1]:
                return False
            raise
        return True  # if there was one of Python's, the generator caught it, or it is a value now


def _halves(function: Any) -> Any:
    from to_static.jit import jst

    if is_library(function) or is_translated(function.__code__):
        return None
    try:
        return tuple(transpile_function(function, jst, entry=False, form=form, **ways())[0] for form in ("before", "after"))
    except (Unfit, TranslationError):
        return None


def _check_stack(stack: Any) -> None:
    """Refuse an `ExitStack` with objects in it that look at errors, for one that tensors decide."""
    if not all(hasattr(leave, "__wrapped__") for _, leave in stack._exit_callbacks):  # `callback` made those
        raise failure(
            TranslationError,
            "whether the `with` ends by an error depends on a tensor, and an object that its ExitStack has entered would be told "
            "of it",
            "a `with` for each object: `with first as a, second as b:`",
        )


def _tell(leave: Any, manager: Any, made: Any) -> Any:
    """Call ``__exit__`` for an error that is a value: whether it goes on."""
    from to_static.jit.jst.failures import error

    return chosen(lambda values: not_(leave(values[1], type(values[0]), values[0], None)), (error(made), manager))


def _end(leave: Any, manager: Any) -> Any:
    leave(manager, None, None, None)
    return False


def passed(manager: Any, raised: Any) -> Any:
    """Whether an error that is a value leaves a ``with``, where ``raised`` says whether its body ends by one."""
    return manager.passed if isinstance(manager, _Entered) else raised


def leaving(manager: Any, error: Any) -> Any:
    """The error that leaves a ``with``: the one of its body, or another one."""
    return manager.error if isinstance(manager, _Entered) else error


def _check_end(function: Any) -> None:
    """Refuse a generator that does something else after an error than after none: which it is, tensors decide."""
    try:
        text = transpile_function(function, None)[1] if is_translated(function.__code__) else ""
        body: Any = ast.parse(text).body[0].body if text else source_of(function).node.body  # type: ignore[attr-defined]
    except TranslationError:
        body = []
    while body and isinstance(body[-1], ast.Try) and not body[-1].handlers and not body[-1].orelse:
        body = body[-1].body
    if not (body and isinstance(body[-1], ast.Expr) and isinstance(body[-1].value, ast.Yield)):
        name = getattr(function, "__name__", "it")
        raise failure(
            TranslationError,
            f"whether the `with` ends by an error depends on a tensor, and `{name}()` does something else after its `yield` then",
            f"put what comes after the `yield` of `{name}()` into a `finally`: `try: yield value` / `finally: ...`, with nothing "
            "behind it; or write a class with `__exit__`, which may look at the error",
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
