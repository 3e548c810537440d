"""The meaning of names, as the text of the module gives it.

The answers decide only whether a call needs `_jst.call` around it; saying "not known" is always right. They come from the text, not
from live objects: so `to_static convert`, which runs nothing, and a static function have the same translation. Live objects only
overrule the text, where another module has bound a name anew (`overruled`).
"""

from __future__ import annotations

import ast
import builtins
import functools
import types
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import gast

from to_static.compiler.frontend.transpile.analysis.imported_source import is_library_module
from to_static.compiler.frontend.transpile.pyct import visiting
from to_static.core import callables
from to_static.core.importing.skiplist import SKIPPED_PACKAGES

_MISSING = object()
_LOOKING = {"operator", "_operator", "copy", "itertools", "collections", "_collections", "statistics", "json", "pickle", "_pickle"}
_LIBRARIES = (
    SKIPPED_PACKAGES - {"numpy", "random"} - _LOOKING
)  # whose functions may change what they are handed, draw, or look into lists
_NAMED = _LIBRARIES | {"paddle"}  # in text: a module may still say `import paddle`


@dataclass(frozen=True)
class Import:
    """The value that an import binds a name to: a ``module``, or a ``member`` of it (any object, or a module)."""

    module: str
    member: str = ""

    @property
    def is_library(self) -> bool:
        """True if the value is a library's. A builtin under another name is not: builtins that handle tensors are found by name."""
        return self.module.split(".")[0] in _NAMED and not (self.module == "builtins" and self.member)

    @property
    def is_module(self) -> bool:
        """True if the value is certainly a module, so that its attributes are the library's."""
        return not self.member or is_library_module(f"{self.module}.{self.member}")


@dataclass
class Bindings:
    """The names that one scope binds.

    ``imports``: names that only imports bind. ``aliases``: names for an attribute of a module. ``opaque``: names that are bound in
    another way, so that their values are not known. ``star``: an ``import *`` may bind any name.
    """

    imports: dict[str, list[Import]] = field(default_factory=dict)
    opaque: set[str] = field(default_factory=set)
    aliases: dict[str, list[str]] = field(default_factory=dict)  # `F = paddle.nn.functional`, once
    star: bool = False

    def __contains__(self, name: str) -> bool:
        return name in self.imports or name in self.opaque or name in self.aliases


@functools.lru_cache(maxsize=64)
def module_bindings(tree: ast.Module) -> Bindings:
    """The names that the text of a module binds in the module's own scope."""
    bindings = _bindings(tree.body)
    for node in visiting.walk(tree):
        if isinstance(node, ast.Global):
            bindings.opaque.update(node.names)
            for name in node.names:
                bindings.aliases.pop(name, None)
    return bindings


def function_bindings(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> set[str]:
    """The local names of a function around the one that is translated."""
    arguments = function.args
    names = {a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    names |= {a.arg for a in (arguments.vararg, arguments.kwarg) if a is not None}
    inner = _bindings(function.body if isinstance(function.body, list) else [function.body])
    return names | set(inner.imports) | inner.opaque | set(inner.aliases)


def _bindings(body: Iterable[ast.AST]) -> Bindings:
    scope, assigned = Bindings(), dict[str, int]()
    for statement in body:
        _collect(statement, scope, assigned)
    for name in [name for name, count in assigned.items() if count > 1 or name not in scope.aliases or name in scope.imports]:
        scope.opaque.add(name)
        scope.aliases.pop(name, None)
    return scope


def _collect(node: ast.AST, scope: Bindings, assigned: dict[str, int]) -> None:
    """Add what a statement or expression binds; functions and classes inside have scopes of their own."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            name = alias.asname or alias.name.split(".")[0]
            scope.imports.setdefault(name, []).append(Import(alias.name if alias.asname else name))
        return
    if isinstance(node, ast.ImportFrom):
        for alias in node.names:
            if alias.name == "*":
                scope.star = True
            else:
                module = "." * node.level + (node.module or "")
                scope.imports.setdefault(alias.asname or alias.name, []).append(Import(module, alias.name))
        return
    names: list[str] = []
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        assigned[node.name] = assigned.get(node.name, 0) + 2
        for outer in (*node.decorator_list, *getattr(node, "bases", ())):
            _collect(outer, scope, assigned)
        return
    if isinstance(node, ast.Lambda):
        return
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        names = [node.id]
    elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
        names = [node.name]
    elif isinstance(node, ast.MatchMapping) and node.rest:
        names = [node.rest]
    for name in names:
        assigned[name] = assigned.get(name, 0) + 1
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
        value = dotted(node.value)
        if len(value) > 1:
            scope.aliases[node.targets[0].id] = value
    for child in ast.iter_child_nodes(node):
        _collect(child, scope, assigned)


@dataclass
class Meaning:
    """The meaning of names in one function.

    ``local``: its local names, and those of functions around it. ``overruled``: names for which the text is not to be believed.
    ``outside``: what the module has beside its text, where this text is not all of it, as a cell of a notebook is not.
    """

    module: Bindings
    local: set[str]
    overruled: frozenset[str] = frozenset()
    outside: dict[str, Any] | None = None

    def library(self, expression: gast.expr) -> bool:
        """True if a called expression surely is library code."""
        names = dotted(expression)
        return bool(names) and names[0] not in self.local and names[0] not in self.overruled and self._is_library(names, 0)

    def builtin(self, name: str) -> bool:
        """True if a name surely means Python's builtin."""
        if name in self.local or name in self.overruled or name in self.module or not hasattr(builtins, name):
            return False
        if self.outside is not None:
            return self.outside.get(name, getattr(builtins, name)) is getattr(builtins, name)
        return not self.module.star

    def _is_library(self, names: list[str], depth: int) -> bool:
        name = names[0]
        if name in self.module.opaque:
            return False
        if name in self.module.aliases:
            return depth < 4 and self._is_library([*self.module.aliases[name], *names[1:]], depth + 1)
        if name in self.module.imports:
            return all(i.is_library and (len(names) == 1 or i.is_module) for i in self.module.imports[name])
        if len(names) == 1 and self.builtin(name):
            return True
        return self.outside is not None and _live_is_library(self.outside, names)


def overruled(function: types.FunctionType, names: Iterable[str], meaning: Meaning) -> frozenset[str]:
    """Of the names in a function those that the text takes for builtins or for library code, and that are something else."""
    space, wrong = function.__globals__, set()
    for name in names:
        if meaning.builtin(name):
            if space.get(name, getattr(builtins, name)) is not getattr(builtins, name):
                wrong.add(name)
        elif name in space and name in meaning.module.imports and meaning.library(gast.Name(name, gast.Load(), None, None)):
            value = space[name]
            home = value.__name__ if isinstance(value, types.ModuleType) else callables.module(value) or type(value).__module__
            if str(home).split(".")[0] not in _LIBRARIES:
                wrong.add(name)
    return frozenset(wrong)


def _live_is_library(space: dict[str, Any], names: list[str]) -> bool:
    """True if a dotted name is library code, as the live objects of a module say."""
    value = space.get(names[0], _MISSING)
    for name in names[1:]:
        if not isinstance(value, types.ModuleType):
            return False
        if is_library(value):
            return True
        value = getattr(value, name, _MISSING)
    name = value.__name__ if isinstance(value, (types.BuiltinFunctionType, type)) else names[-1]
    if name != names[-1] and getattr(builtins, name, _MISSING) is value:
        return False  # a builtin under another name: those that understand tensors go by theirs
    return is_library(value)


def is_library(value: Any) -> bool:
    """True for modules, functions and classes that belong to libraries, whose code is never translated."""
    if isinstance(value, types.ModuleType):
        return value.__name__.split(".")[0] in _LIBRARIES
    if isinstance(value, types.BuiltinFunctionType):  # `random.random` is a method of a generator
        return (callables.module(value).split(".")[0] or "builtins") in _LIBRARIES
    if isinstance(value, (types.FunctionType, type)):
        module = getattr(value, "__module__", None)
        return not isinstance(module, str) or module.split(".")[0] in _LIBRARIES  # classes made in C may have anything there
    return False


def dotted(expression: Any) -> list[str]:
    """``a.b.c`` as names, of an expression of `ast` or of `gast`; empty for anything else."""
    names: list[str] = []
    while isinstance(expression, (gast.Attribute, ast.Attribute)):
        names.insert(0, expression.attr)
        expression = expression.value
    return [expression.id, *names] if isinstance(expression, (gast.Name, ast.Name)) else []
