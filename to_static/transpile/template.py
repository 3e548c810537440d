"""Syntax trees from source text with holes: the only place where node trees are built.

``statements("def NAME(PARAMS):\\n    BODY", at=node, NAME="if_true", PARAMS=["n"], BODY=body)`` parses the text and fills every
name that is a hole:

* a string renames it (a name, a function's name, a parameter);
* a node replaces it;
* a list takes its place in an argument list, a parameter list, a tuple or, as an expression statement, in a body.

Nodes that come from the text get the source line of ``at``; nodes put into holes keep their own.
"""

from __future__ import annotations

import copy
import functools
from typing import Any

import gast


@functools.lru_cache(maxsize=256)
def _parsed(text: str) -> gast.Module:
    return gast.parse(text)


def statements(text: str, at: gast.AST, **holes: Any) -> list[gast.stmt]:
    """The statements of ``text`` with its holes filled."""
    line, column = at.lineno, at.col_offset
    place = {"lineno": line, "col_offset": column, "end_lineno": line, "end_col_offset": column}
    return _Filler(holes).visit(_copy(_parsed(text), place)).body


def _copy(value: Any, place: dict[str, int]) -> Any:
    """A deep copy of a tree with another source position (much faster than `copy.deepcopy`)."""
    if isinstance(value, list):
        return [_copy(item, place) for item in value]
    if not isinstance(value, gast.AST):
        return value
    made = value.__class__.__new__(value.__class__)
    fields = made.__dict__
    for name, item in value.__dict__.items():
        fields[name] = _copy(item, place)
    if "lineno" in fields:
        fields.update(place)
    return made


def statement(text: str, at: gast.AST, **holes: Any) -> gast.stmt:
    """The one statement of ``text`` with its holes filled."""
    (node,) = statements(text, at, **holes)
    return node


def expression(text: str, at: gast.AST, **holes: Any) -> gast.expr:
    """The expression ``text`` with its holes filled."""
    return statement(text, at, **holes).value


def text_of(node: gast.AST) -> str:
    """The expression or statement ``node`` as source text on one line."""
    import ast

    return " ".join(ast.unparse(gast.gast_to_ast(node)).split())


class _Filler(gast.NodeTransformer):
    def __init__(self, holes: dict[str, Any]) -> None:
        self.holes = holes

    def visit_Name(self, node: gast.Name) -> Any:
        value = self.holes.get(node.id)
        if value is None:
            return node
        if isinstance(value, str):
            node.id = value
            return node
        if isinstance(value, list):  # NodeTransformer splices lists into argument lists, parameters and tuples
            return [self._named(node, item) if isinstance(item, str) else item for item in value]
        return value

    @staticmethod
    def _named(like: gast.Name, name: str) -> gast.Name:
        node = copy.copy(like)
        node.id = name
        node.ctx = type(like.ctx)()
        return node

    def visit_Expr(self, node: gast.Expr) -> Any:
        if isinstance(node.value, gast.Name) and isinstance(self.holes.get(node.value.id), list):
            return self.holes[node.value.id]
        return self.generic_visit(node)

    def visit_FunctionDef(self, node: gast.FunctionDef) -> Any:
        node.name = self.holes.get(node.name, node.name)
        return self.generic_visit(node)
