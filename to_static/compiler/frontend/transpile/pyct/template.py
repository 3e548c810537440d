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
    location = {"lineno": line, "col_offset": column, "end_lineno": line, "end_col_offset": column}
    return _filled(_parsed(text).body, location, holes)


def _filled(value: Any, location: dict[str, int], holes: dict[str, Any]) -> Any:
    """A copy of a tree with another source position and its holes filled."""
    if value.__class__ is list:
        filled = []
        for item in value:
            part = _filled(item, location, holes)
            if part.__class__ is list:  # a list hole takes its place among arguments, parameters, items, statements
                filled += part
            else:
                filled.append(part)
        return filled
    if not isinstance(value, gast.AST):
        return value
    name = value.id if value.__class__ is gast.Name else value.name if value.__class__ is gast.FunctionDef else None
    hole = None if name is None else holes.get(name)
    if hole is not None and value.__class__ is gast.Name:
        if hole.__class__ is list:
            return [_named(value, item, location) if isinstance(item, str) else item for item in hole]
        return _named(value, hole, location) if isinstance(hole, str) else hole
    if value.__class__ is gast.Expr and value.value.__class__ is gast.Name and isinstance(holes.get(value.value.id), list):
        return holes[value.value.id]
    node = value.__class__.__new__(value.__class__)
    fields = node.__dict__
    for field, item in value.__dict__.items():
        fields[field] = item if field == "ctx" else _filled(item, location, holes)
    if hole is not None:
        node.name = hole
    if "lineno" in fields:
        fields.update(location)
    return node


def _named(like: gast.Name, name: str, location: dict[str, int]) -> gast.Name:
    node = gast.Name.__new__(gast.Name)
    node.__dict__.update(like.__dict__, id=name, **location)
    return node


def statement(text: str, at: gast.AST, **holes: Any) -> gast.stmt:
    """The one statement of ``text`` with its holes filled."""
    (node,) = statements(text, at, **holes)
    return node


def expression(text: str, at: gast.AST, **holes: Any) -> gast.expr:
    """The expression ``text`` with its holes filled."""
    return statement(text, at, **holes).value


def loaded(node: gast.expr) -> gast.expr:
    """A copy of a target, as the expression that gives what it holds."""
    node = copy.deepcopy(node)
    node.ctx = gast.Load()
    return node


def text_of(node: gast.AST) -> str:
    """The expression or statement ``node`` as source text on one line."""
    import ast

    return " ".join(ast.unparse(gast.gast_to_ast(node)).split())
