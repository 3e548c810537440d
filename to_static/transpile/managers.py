"""Generators of ``contextlib.contextmanager`` as two functions: what they do before their ``yield``, and after it.

The first returns what is yielded and the variables that it made; the second gets these, with the error by which the ``with``
ended, or none, which is raised where the ``yield`` was. So tensors may decide whether there is one.
"""

from __future__ import annotations

from typing import Any

import gast

from to_static.transpile import template
from to_static.transpile.scopes import FUNCTIONS, identifiers, names_of, parameters, walk_scope

_SIMPLE = (gast.Assign, gast.AnnAssign, gast.AugAssign, gast.Expr)


class Unfit(Exception):
    """A generator that is no such two functions."""


def split(function: gast.FunctionDef, form: str) -> None:
    """Make the function ``form`` of a generator, 'before' or 'after', in place. Raises `Unfit`."""
    nodes = list(walk_scope(function.body))
    yields = [n for n in nodes if isinstance(n, (gast.Yield, gast.YieldFrom))]
    if len(yields) != 1 or any(isinstance(n, (*FUNCTIONS, gast.ClassDef, gast.Return, gast.Global, gast.Nonlocal)) for n in nodes):
        raise Unfit
    before, value = _before(function.body, yields[0])
    names = [*dict.fromkeys([*parameters(function), *sorted(names_of(before).writes)])]
    simple = names_of([s for s in before if isinstance(s, _SIMPLE)]).writes | set(parameters(function))
    if names_of(before).writes - simple:
        raise Unfit  # some may have no value
    if form == "before":
        given = value or template.expression("None", at=function)
        function.body = [*before, *template.statements("return VALUE, (NAMES,)", at=yields[0], VALUE=given, NAMES=names)]
        return
    taken = identifiers(function)
    raised, error = (_free(name, taken) for name in ("left", "error_of_body"))
    function.body = _after(function.body, yields[0], raised, error)
    text = f"def f({', '.join([raised, error, *names])}): pass"
    function.args = template.statement(text, at=function).args


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _holding(stmts: list[gast.stmt], node: gast.AST) -> int:
    return next(i for i, s in enumerate(stmts) if any(n is node for n in walk_scope(s)))


def _is_place(s: gast.stmt, node: gast.AST) -> bool:
    return isinstance(s, gast.Expr) and s.value is node and isinstance(node, gast.Yield)


def _before(stmts: list[gast.stmt], node: Any) -> tuple[list[gast.stmt], Any]:
    i = _holding(stmts, node)
    if _is_place(stmts[i], node):
        return stmts[:i], node.value
    if not isinstance(stmts[i], gast.Try) or _holding_part(stmts[i], node) != 0:
        raise Unfit  # something is done in the `try` before it
    return stmts[:i], _before(stmts[i].body, node)[1]


def _holding_part(s: gast.Try, node: gast.AST) -> int:
    """The place in the body of a ``try``; -1 where it is in a clause."""
    return next((i for i, inner in enumerate(s.body) if any(n is node for n in walk_scope(inner))), -1)


def _after(stmts: list[gast.stmt], node: gast.AST, raised: str, error: str) -> list[gast.stmt]:
    i = _holding(stmts, node)
    s, rest = stmts[i], stmts[i + 1 :]
    if isinstance(s, gast.Try):
        s.body = _after(s.body, node, raised, error)
        return [s, *rest]
    return [*template.statements(f"if {raised}:\n    raise _jst.again({error})", at=s), *rest]
