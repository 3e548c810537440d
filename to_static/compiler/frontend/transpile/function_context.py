"""The context in which the passes translate one function of a module: the same for a live function and for text."""

from __future__ import annotations

import ast
import functools
import types
from dataclasses import dataclass, field
from typing import Any

import gast

from to_static.compiler.frontend.transpile.analysis import resolve
from to_static.compiler.frontend.transpile.analysis.activity import identifiers, local_names, parameters
from to_static.compiler.frontend.transpile.analysis.static_values import assigned_attributes
from to_static.compiler.frontend.transpile.context import Context
from to_static.compiler.frontend.transpile.pyct import visiting


@dataclass
class SourceModule:
    """The text of a module: its ``tree`` and ``lines``. ``properties`` are names of attributes that may be the user's code.

    ``outside``: what a live module has beside this text, where the text is not all of it (a cell of a notebook).
    """

    file: str
    lines: list[str]
    tree: ast.Module
    properties: frozenset[str] = frozenset()
    outside: dict[str, Any] | None = field(default=None, repr=False)

    def context(self, node: ast.AST, function: gast.FunctionDef, live: types.FunctionType | None = None) -> Context:
        """The context for ``function``, which is the tree that becomes the translation of ``node`` of this module.

        ``live`` is the function that Python made of it, where there is one.
        """
        around = enclosing(self.tree)[id(node)]
        names = identifiers(function)
        outer = set[str]().union(*(resolve.function_bindings(n) for n in around if not isinstance(n, ast.ClassDef)))
        meaning = resolve.Meaning(resolve.module_bindings(self.tree), local_names(function) | outer, outside=self.outside)
        if live is not None:
            meaning.overruled = resolve.overruled(live, names, meaning)
        ctx = Context(self.file, function.name, names | {"_jst"}, meaning.library, meaning.builtin)
        ctx.lines, ctx.around = self.lines, frozenset(outer)
        ctx.assigned, ctx.properties = assigned_attributes(self.tree), self.properties
        ctx.class_name = next((n.name for n in reversed(around) if isinstance(n, ast.ClassDef)), None)
        arguments = parameters(function)
        ctx.self_name = arguments[0] if arguments and ctx.class_name else None
        return ctx


@functools.lru_cache(maxsize=64)
def enclosing(tree: ast.Module) -> dict[int, list[Any]]:
    """The classes and functions around each function of a module, outer ones first, by the function's id."""
    around: dict[int, list[Any]] = {}

    def visit(node: ast.AST, path: list[Any]) -> None:
        for child in visiting.children(node):
            scope = isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef))
            if scope:
                around[id(child)] = path
            visit(child, [*path, child] if scope else path)

    visit(tree, [])
    return around
