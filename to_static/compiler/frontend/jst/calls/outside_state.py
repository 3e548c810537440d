"""Calls of libraries whose answers may differ in each call, since they depend on state that no guard can look at: clocks, files,
random generators, context variables, locks, loggers, and objects of libraries that hide what they hold.

Translated code is asked at each of its calls (`converted_call`). Code that Python runs untranslated during a trace (properties,
operators, generators, functions marked `not_to_static`) is asked once, by its text: `call_in_untranslated`.
"""

from __future__ import annotations

import builtins
import contextvars
import enum
import functools
import inspect
import io
import logging
import types
import weakref
from typing import Any

import gast

from to_static.compiler.frontend.jst.calls.drawing import draws, note_drawing
from to_static.compiler.frontend.jst.iteration.outside_iterators import library_iterators
from to_static.compiler.frontend.tracing.graph_break import broken
from to_static.compiler.frontend.tracing.object_graph import is_library
from to_static.compiler.frontend.tracing.trace_context import current
from to_static.compiler.frontend.transpile.analysis.side_effects import reads_environment
from to_static.compiler.frontend.transpile.source_code.source import source_of
from to_static.core import callables
from to_static.core.caching.identity_cache import cached_by_identity
from to_static.core.diagnostics.source_expressions import in_expression
from to_static.core.diagnostics.source_location import of_function
from to_static.core.errors import TranslationError
from to_static.core.importing.skiplist import SKIPPED_PACKAGES, package_of

# Packages whose objects never change, or change only where guards look (`tracing.guards`), or whose methods break the graph anyway.
_OPEN_PACKAGES = """
    builtins numpy to_static cupy collections re io datetime pathlib decimal fractions enum functools operator types argparse
    threading queue configparser os posixpath string weakref weakrefset struct contextlib array ctypes itertools uuid zoneinfo abc
    typing inspect ast dataclasses random csv time math statistics numbers json logging warnings contextvars thread gast astor
    ipaddress importlib copy pprint traceback textwrap calendar difflib optparse gettext reprlib
"""
_OPEN = frozenset(_OPEN_PACKAGES.split())
_IMMUTABLE = (tuple, frozenset, str, bytes, int, float, complex, enum.Enum)  # results of `urlparse`, flags of `socket`
_LOCKS = frozenset(("thread", "threading", "multiprocessing"))
# Functions that say where code runs: untranslated helpers call them for the texts of errors, as `deprecate` of ppdiffusers does.
_OF_FRAMES = frozenset(("currentframe", "stack", "_getframe", "exc_info", "format_exc", "format_stack", "extract_stack"))
_FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.MethodType)
_MOST = 200  # functions that one walk over untranslated code looks at


def hides_state(owner: object) -> bool:
    """True for an object of a library that may change without any guard seeing it: a lock, a future, a database connection."""
    cls: Any = type(owner)
    return not isinstance(owner, (type, types.ModuleType)) and _hides_state(cls)


@functools.lru_cache(maxsize=1000)
def _hides_state(cls: Any) -> bool:
    if any(package_of(base) not in SKIPPED_PACKAGES for base in cls.__mro__):
        return False  # of the user's, in part
    if issubclass(cls, _IMMUTABLE):
        return False
    return package_of(cls).strip("_") not in _OPEN or callables.full_name(cls) in ("Context", "lock", "RLock")


def enters_lock(owner: object, name: str) -> bool:
    """True for the calls of ``with lock:``, whose body waits until the lock is free, so that its state changes no result."""
    cls: Any = type(owner)
    return name in ("__enter__", "__exit__") and package_of(cls).strip("_") in _LOCKS and hasattr(owner, "acquire")


def check_owner(owner: object, name: str) -> None:
    """Break the graph at a call of a method of such an object that was there before the call."""
    if hides_state(owner) and not enters_lock(owner, name) and current().outlives(owner):
        raise broken(
            f"{name}() of a {type(owner).__name__} is called{in_expression()}: its state may be another one in the next call, "
            f"and no guard can look at it",
            "call it before the static function, and pass the result as an argument",
        )


def reaches_hidden_state(target: object) -> bool:
    """True for a function in C of a context variable, a lock, a thread or a queue, and for ``__subclasses__`` of a class."""
    owner = callables.owner(target)
    if isinstance(owner, contextvars.ContextVar) or type(owner).__module__ in ("_queue", "_thread"):
        return True
    is_of_threads = isinstance(target, _FUNCTIONS) and getattr(target, "__module__", None) == "_thread"
    return is_of_threads or callables.name(target) == "__subclasses__"


def depends_on_state(target: object) -> bool:
    """True if a function of a library answers by state that no guard looks at."""
    owner = callables.owner(target)
    if isinstance(target, weakref.ref) or isinstance(owner, (io.IOBase, logging.Logger)) or reaches_hidden_state(target):
        return True
    if draws(target) or hides_state(target if owner is None else owner):
        return True
    return isinstance(target, _FUNCTIONS) and reads_environment(target)


def check_untranslated(function: types.FunctionType, instance: object = None) -> None:
    """Break the graph if a function that Python runs untranslated, or one that it leads to, calls such a function.

    Not for a file: it contains what such calls answer when the function is saved.
    """
    call = call_in_untranslated(function, instance)
    if call is None:
        return
    caller, target = call
    if draws(target):
        note_drawing(target)
        return
    if current().for_file:
        return
    raise broken(
        f"{callables.name(target)}() is called in `{caller.__name__}()`, which is not translated: it would happen once, during the "
        f"trace, and the Program would use its result in every run",
        "call it before the static function, and pass the result as an argument",
        where=of_function(caller),
    )


def call_in_untranslated(function: types.FunctionType, instance: object = None) -> tuple[types.FunctionType, Any] | None:
    """The first such call in the text of a function, or of the user's functions that it calls: the caller and the callee."""
    todo: list[tuple[types.FunctionType, list[Any]]] = [(function, [instance])]
    visited: set[types.FunctionType] = set()
    while todo and len(visited) < _MOST:
        caller, parameters = todo.pop()
        if caller in visited or is_library(caller):
            continue
        visited.add(caller)
        values = dict(zip(caller.__code__.co_varnames[: caller.__code__.co_argcount], parameters, strict=False))
        for chain, argument_chains in called_in(caller):
            target = _resolved(chain, caller, values)
            if target is None:
                continue
            arguments = [_resolved(argument, caller, values) for argument in argument_chains]
            callee = target
            if isinstance(target, types.MethodType):
                callee, arguments = target.__func__, [target.__self__, *arguments]
            if isinstance(callee, types.FunctionType) and not is_library(callee):
                todo.append((callee, arguments))
            elif callables.name(target) not in _OF_FRAMES and (depends_on_state(target) or any(library_iterators(arguments))):
                return caller, target
    return None


@cached_by_identity("__code__")
def called_in(function: types.FunctionType) -> list[tuple[Any, list[Any]]]:
    """The expressions that a function calls, and the arguments, where they are names with attributes and constant items.

    ``time.time()`` is ``("time", "time")``, other arguments are ``()``; a loop calls ``iter``.
    """
    try:
        tree = source_of(function).tree()
    except (TranslationError, OSError):
        return []
    nodes = list(gast.walk(tree))
    calls = [node for node in nodes if isinstance(node, gast.Call)]
    loops = [node.iter for node in nodes if isinstance(node, (gast.For, gast.comprehension))]
    called = [(chain, [_chain(argument) for argument in node.args]) for node in calls if (chain := _chain(node.func))]
    return called + [(("iter",), [chain]) for iterable in loops if (chain := _chain(iterable))]


def _chain(node: gast.AST) -> tuple[Any, ...]:
    if isinstance(node, gast.Name):
        return (node.id,)
    if isinstance(node, gast.Attribute) and (chain := _chain(node.value)):
        return (*chain, node.attr)
    if isinstance(node, gast.Subscript) and isinstance(node.slice, gast.Constant) and (chain := _chain(node.value)):
        return (*chain, [node.slice.value])
    return ()


def _resolved(chain: tuple[Any, ...], function: types.FunctionType, values: dict[str, Any]) -> Any:
    """The value of such an expression in a function, found without running code of the user's; None where that is not possible.

    ``values``: those of parameters, as far as they are known.
    """
    if not chain:
        return None
    name, *parts = chain
    code = function.__code__
    if name in code.co_freevars:
        cell = (function.__closure__ or ())[code.co_freevars.index(name)]
        value = None if cell == types.CellType() else cell.cell_contents
    elif name in code.co_varnames or name in code.co_cellvars:
        value = values.get(name)
    else:
        value = function.__globals__.get(name, getattr(builtins, name, None))
    for part in parts:
        value = None if value is None else _item(value, part[0]) if type(part) is list else _attribute(value, part)
    return value


def _item(value: Any, key: object) -> Any:
    try:
        return value[key] if type(value) in (list, tuple, dict) else None
    except (LookupError, TypeError):
        return None


def _attribute(value: Any, name: str) -> Any:
    if isinstance(value, types.ModuleType) or is_library(type(value) if not isinstance(value, type) else value):
        try:
            return getattr(value, name, None)
        except Exception:
            return None
    member = inspect.getattr_static(value, name, None)
    if isinstance(member, types.FunctionType) and not isinstance(value, type):
        return types.MethodType(member, value)
    if isinstance(member, (staticmethod, classmethod)):
        return member.__func__
    return None if hasattr(type(member), "__get__") and not isinstance(member, _FUNCTIONS) else member
