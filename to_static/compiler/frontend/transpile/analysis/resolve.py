"""What names mean, as far as it can be known before the code runs.

For a live function its closure and globals tell; for a module's text its imports do. The answers only decide whether a call needs
`_jst.call` around it; saying "not known" is always right.
"""

from __future__ import annotations

import ast
import builtins
import types
from collections.abc import Callable
from typing import Any

import gast

from to_static.compiler.frontend.transpile.pyct import visiting
from to_static.core import callables
from to_static.core.skiplist import SKIPPED_PACKAGES

Meaning = tuple[Callable[[gast.expr], bool], Callable[[str], bool]]  # (is library code, is the builtin)
_MISSING = object()
_LOOKING = {"operator", "_operator", "copy", "itertools", "collections", "_collections", "statistics", "json", "pickle", "_pickle"}
_LIBRARIES = (
    SKIPPED_PACKAGES - {"numpy", "random"} - _LOOKING
)  # whose functions may change what they are handed, draw, or look into lists
_NAMED = _LIBRARIES | {"paddle"}  # in text: a module may still say `import paddle`


def of_function(function: types.FunctionType, local: set[str]) -> Meaning:
    """Meanings for the code of a live function whose local names are ``local``."""
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))

    def lookup(name: str) -> Any:
        if name in local:
            return _MISSING
        if name in cells:
            try:
                return cells[name].cell_contents
            except ValueError:  # not assigned yet
                return _MISSING
        return function.__globals__.get(name, getattr(builtins, name, _MISSING))

    def library(expression: gast.expr) -> bool:
        names = dotted(expression)
        if not names:
            return False
        value = lookup(names[0])
        for name in names[1:]:
            if not isinstance(value, types.ModuleType):
                return False
            if is_library(value):
                return True
            value = getattr(value, name, _MISSING)
        # of other objects code of the user's may answer
        name = value.__name__ if isinstance(value, (types.BuiltinFunctionType, type)) else names[-1]
        if name != names[-1] and getattr(builtins, name, _MISSING) is value:
            return False  # a builtin under another name: those that tensors may enter are told by theirs
        return is_library(value)

    def builtin(name: str) -> bool:
        return lookup(name) is getattr(builtins, name, None)

    return library, builtin


def properties(function: types.FunctionType) -> frozenset[str]:
    """Names of the properties of the user's classes that the code of a function may name."""
    cells = [cell.cell_contents for cell in function.__closure__ or () if cell != types.CellType()]
    classes = [value for value in [*function.__globals__.values(), *cells] if isinstance(value, type)]
    kinds = {kind for value in classes for kind in value.__mro__ if not is_library(kind)}
    return frozenset(name for kind in kinds for name, member in vars(kind).items() if type(member) is property)


def of_module(tree: ast.Module) -> Callable[[set[str]], Meaning]:
    """Meanings for functions in the text of a module: a function of the function's local names."""
    imported: dict[str, bool] = {}
    bound: set[str] = set()
    for node in visiting.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                imported[alias.asname or alias.name.split(".")[0]] = alias.name.split(".")[0] in _NAMED
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                root = (node.module or "").split(".")[0]
                imported[alias.asname or alias.name] = not node.level and root in _NAMED
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            bound.add(node.name)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            bound.add(node.id)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            bound.add(node.name)

    def meaning(local: set[str]) -> Meaning:
        def library(expression: gast.expr) -> bool:
            names = dotted(expression)
            if not names or names[0] in local or names[0] in bound:
                return False
            return imported.get(names[0], len(names) == 1 and hasattr(builtins, names[0]))

        def builtin(name: str) -> bool:
            return name not in local and name not in bound and name not in imported and hasattr(builtins, name)

        return library, builtin

    return meaning


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


def dotted(expression: gast.expr) -> list[str]:
    """``a.b.c`` as names; empty for anything else."""
    names: list[str] = []
    while isinstance(expression, gast.Attribute):
        names.insert(0, expression.attr)
        expression = expression.value
    return [expression.id, *names] if isinstance(expression, gast.Name) else []
