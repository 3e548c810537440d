"""Visitors of syntax trees, several times faster than those of the standard library; they take most of the translation time.

Same rules: `visit` calls ``visit_<Class>`` where there is one, else `generic_visit`. Contexts and operators are no nodes here:
nobody asks for them, and they are half of a tree. It does for trees of `ast` as well.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

import gast

_ATOMS = {"ctx", "op", "ops", "id", "attr", "kind", "type_comment", "module", "level", "conversion", "is_async", "simple"}
_LEAVES = frozenset([gast.Constant, ast.Constant, ast.Name])
_fields: dict[type, tuple[str, ...]] = {}


def _fields_of(cls: type[gast.AST]) -> tuple[str, ...]:
    _fields[cls] = names = tuple(name for name in cls._fields if name not in _ATOMS)
    return names


def children(node: gast.AST) -> list[gast.AST]:
    """The nodes right below ``node``, in source order."""
    cls = node.__class__
    nodes: list[gast.AST] = []
    if cls in _LEAVES:
        return nodes
    has = node.__dict__
    for name in _fields.get(cls) or _fields_of(cls):
        value = has.get(name)
        if not value:  # None, an empty list
            continue
        if value.__class__ is list:
            nodes += [item for item in value if isinstance(item, gast.AST)]
        elif isinstance(value, gast.AST):
            nodes.append(value)
    return nodes


def walk(node: gast.AST) -> Iterator[gast.AST]:
    """``node`` and all nodes below it, each level from left to right."""
    todo = [node]
    for node in todo:
        yield node
        todo += children(node)


def docstring_and_rest(body: list[gast.stmt]) -> tuple[list[gast.stmt], list[gast.stmt]]:
    """The docstring of a function, where it has one and more than that, and the other statements of its body."""
    value = getattr(body[0], "value", None) if isinstance(body[0], gast.Expr) else None
    count = isinstance(value, gast.Constant) and isinstance(value.value, str) and len(body) > 1
    return body[:count], body[count:]


def change_blocks(s: gast.AST, change: Callable[[list[gast.stmt]], list[gast.stmt]]) -> None:
    """Put ``change(block)`` in the place of each block of statements right below a statement, and below its ``except`` clauses."""
    for holder in (s, *getattr(s, "handlers", ())):
        for part in ("body", "orelse", "finalbody"):
            if isinstance(getattr(holder, part, None), list):
                setattr(holder, part, change(getattr(holder, part)))


class _Dispatcher:
    _methods: dict[type, Callable[..., Any]]

    def __init_subclass__(cls) -> None:
        cls._methods = {}

    def visit(self, node: gast.AST) -> Any:
        """Call the method for the class of ``node``."""
        cls = node.__class__
        method = self._methods.get(cls)
        if method is None:
            method = self._methods[cls] = getattr(type(self), "visit_" + cls.__name__, type(self).generic_visit)
        return method(self, node)

    def generic_visit(self, node: gast.AST) -> Any:
        """Visit the children of a node whose class has no method."""
        raise NotImplementedError


class Visitor(_Dispatcher):
    """A visitor like `ast.NodeVisitor`."""

    def generic_visit(self, node: gast.AST) -> Any:
        """Visit what is below ``node``."""
        for child in children(node):
            self.visit(child)


class AstTransformer(_Dispatcher):
    """A transformer like `ast.NodeTransformer`; but a method always returns one node."""

    def generic_visit(self, node: gast.AST) -> Any:
        """Put what `visit` returns for each node below ``node`` in its place."""
        cls = node.__class__
        has = node.__dict__
        for name in _fields.get(cls) or _fields_of(cls):
            value = has.get(name)
            if value.__class__ is list:
                value[:] = [self.visit(item) if isinstance(item, gast.AST) else item for item in value]
            elif isinstance(value, gast.AST):
                has[name] = self.visit(value)
        return node
