"""Functions of the user that Python itself calls during a trace: whether they write or print, and what they read."""

from __future__ import annotations

import enum
import functools
import types
from collections import UserDict, UserList
from collections.abc import Iterable, Iterator
from typing import Any

import gast

from to_static.compiler.frontend.jst.calls.outside_state import called_in, check_untranslated
from to_static.compiler.frontend.tracing.graph_break import broken
from to_static.compiler.frontend.tracing.object_graph import functions_from, is_library, names_in, referents
from to_static.compiler.frontend.tracing.trace_context import current
from to_static.compiler.frontend.transpile.analysis.activity import MUTATORS
from to_static.compiler.frontend.transpile.source_code.source import source_of
from to_static.compiler.ir.tensor import Tensor
from to_static.core.caching.identity_cache import cached_by_identity
from to_static.core.diagnostics.source_location import of_function
from to_static.core.errors import TranslationError
from to_static.core.importing.skiplist import SKIPPED_PACKAGES, package_of
from to_static.nn.layer import Layer

_IMPLICIT = frozenset(  # what is called by name, or announced
    (
        "__init__", "__new__", "__call__", "__setattr__", "__delattr__", "__setitem__", "__delitem__", "__init_subclass__",
        "__class_getitem__", "__post_init__", "__set_name__", "__set__", "__delete__", "__repr__", "__str__",
        "__enter__", "__exit__",
    )
)  # fmt: skip
_SEEN = _IMPLICIT | {"__len__", "__bool__", "__contains__", "__eq__", "__ne__"}  # what translated code runs itself, or asks about
_ACTING = frozenset(["print", "open", "input", "setattr", "delattr", "next"])


@cached_by_identity("__code__")
def writes(function: types.FunctionType) -> bool:
    """True if the text of a function has a write to an attribute, item or global in it, or calls what writes."""
    try:
        tree = source_of(function).tree()
    except (TranslationError, OSError):
        return not function.__code__.co_filename.startswith("<")
    local = {n.id for n in gast.walk(tree) if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Store)}
    for node in gast.walk(tree):
        if isinstance(node, (gast.Attribute, gast.Subscript)) and not isinstance(node.ctx, gast.Load):
            owner = node.value
            if not (isinstance(owner, gast.Name) and owner.id in local):
                return True
        if isinstance(node, (gast.Global, gast.Nonlocal)):
            return True
        if isinstance(node, gast.Call):
            called = node.func
            if isinstance(called, gast.Name) and called.id in _ACTING:
                return True
            if isinstance(called, gast.Attribute) and called.attr in MUTATORS and getattr(called.value, "id", None) not in local:
                return True
    return False


@cached_by_identity()
def method_with_effects(cls: type) -> Any:
    """The method that Python itself may call and that writes, an operator, a property, an iteration; else what is false."""
    if issubclass(cls, enum.Enum):
        return None  # the members that a Flag makes when it is asked are no change
    if issubclass(cls, (UserDict, UserList)):
        return True
    named = _IMPLICIT - {"__call__"} if issubclass(cls, type) else _IMPLICIT
    methods = (run for _, run in _run_by_python(cls, named) if any(map(writes, functions_from(run, cls, _IMPLICIT))))
    return next(methods, None) or (type(cls) is not type and method_with_effects(type(cls)))


def _run_by_python(cls: type, but: frozenset[str]) -> Iterator[tuple[str, types.FunctionType]]:
    """Properties, and special methods with other names than these, by name."""
    for base in cls.__mro__:
        if package_of(base) in SKIPPED_PACKAGES:
            continue
        for name, member in vars(base).items():
            function = member
            if isinstance(member, property):
                function = member.fget
            elif isinstance(member, functools.cached_property):
                function = member.func
            elif not (name.startswith("__") and name.endswith("__")):
                function = getattr(type(member), "__get__", None)
            elif name in but:
                continue
            if isinstance(function, types.FunctionType) and not is_library(function):  # a dataclass has some of the library's
                yield name, function


@cached_by_identity()
def reads(cls: type) -> dict[str, set[str]]:
    """Methods of a class that Python itself runs (properties, operators that are not translated): the names that each mentions."""
    return {name: names_read(function, cls) for name, function in _run_by_python(cls, _SEEN) if _decides(function)}


def watch_reads(value: object) -> None:
    """Make the trace check from now on that Python reads no traced value of this object."""
    for method, names in reads(type(value)).items():
        current().effects.untranslated_reads.add(value, method, names, f"`{type(value).__name__}.{method}`")
    for method, function in untranslated_methods(type(value)).items():
        current().effects.untranslated_reads.add_check(method, functools.partial(check_untranslated, function, value))


@cached_by_identity()
def untranslated_methods(cls: type) -> dict[str, types.FunctionType]:
    """The methods of a class that Python itself may run, and that call something."""
    return {name: function for name, function in _run_by_python(cls, _SEEN) if called_in(function)}


_DECIDING = (
    gast.If, gast.IfExp, gast.While, gast.For, gast.BoolOp, gast.Not, gast.Compare, gast.Call, gast.comprehension, gast.Assert,
    gast.Match, gast.Starred, gast.Yield, gast.YieldFrom, gast.Slice,
)  # fmt: skip


def _decides(function: types.FunctionType) -> bool:
    """Return whether a function uses the values that it reads, instead of only passing them on to checked code."""
    try:
        return any(isinstance(node, _DECIDING) for node in gast.walk(source_of(function).tree()))
    except (TranslationError, OSError):  # a dataclass made it
        return function.__name__ not in ("__eq__", "__repr__", "__hash__")


def names_read(function: types.FunctionType, cls: object = None) -> set[str]:
    """The names that a function mentions, and what it leads to: methods of the same object, functions of its module."""
    names_seen: set[str] = set()
    for f in functions_from(function, cls, _SEEN):
        names = set(names_in(f.__code__))
        names_seen |= names - {"__class__"} if f.__code__.co_filename.startswith("<") else names
    return names_seen


def check_classes(roots: Iterable[Any]) -> None:
    """Break the graph if objects are used whose operators or properties write: Python calls these untranslated.

    ``roots``: values, and functions whose globals and closures are searched. For reads see `tracing.untranslated_code`.
    """
    visited: set[int] = set()
    todo = list(roots)
    for value in list(todo):
        if isinstance(value, types.FunctionType):
            todo += referents(value)
    while todo and len(visited) < _MANY:
        value = todo.pop()
        if id(value) in visited or isinstance(value, _PLAIN):
            continue
        visited.add(id(value))
        cls = value if isinstance(value, type) else type(value)
        users = not issubclass(cls, Layer) and package_of(cls) not in SKIPPED_PACKAGES
        if users and (method := method_with_effects(cls)):
            raise broken(
                f"the class {cls.__name__!r} has an operator, property or iteration that changes something, and "
                f"Python calls it untranslated",
                "a named method: `obj.add(x)` in place of `obj += x`",
                where=of_function(method),
            )
        if value is not cls:
            watch_reads(value)
        if isinstance(value, dict):
            todo += value.values()
        elif isinstance(value, (list, tuple, set, frozenset)):
            todo += value
        elif not isinstance(value, type) and isinstance(getattr(value, "__dict__", None), dict):
            todo += vars(value).values()


_MANY = 5_000  # objects that are looked at
_PLAIN = (str, bytes, int, float, type(None), types.FunctionType, types.ModuleType, types.BuiltinFunctionType, Tensor)
