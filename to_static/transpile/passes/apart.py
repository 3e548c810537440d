"""Operands in variables: ``second(log, g())`` becomes ``kept = log; kept_2 = g(); second(kept, kept_2)``.

Between the two Python has ``log`` at hand and in no variable. When ``g`` makes that a list of the Program, it has to be replaced
wherever it is held (see `jit.jst.growth`), which can't be done there. Only traces that meet this have functions translated so.
"""

from __future__ import annotations

from typing import Any

import gast

from to_static.transpile.context import Context
from to_static.transpile.passes.spill import YIELDS, parts
from to_static.transpile.scopes import COMPREHENSIONS, EXPRESSIONS, FUNCTIONS, names_of, walk_scope
from to_static.transpile.updates import updated


def run(function: gast.FunctionDef, ctx: Context) -> None:
    """Mark what has to come out of expressions in ``function`` (see `spill`), where that is asked for."""
    if ctx.apart:
        function.body = _block(function.body, names_of(function.body).captures, ctx)


def _block(stmts: list[gast.stmt], captured: set[str], ctx: Context) -> list[gast.stmt]:
    return [made for s in stmts for made in _statement(s, captured, ctx)]


def _statement(s: Any, captured: set[str], ctx: Context) -> list[gast.stmt]:
    if isinstance(s, (*FUNCTIONS, gast.ClassDef)):
        return [s]
    for part in ("body", "orelse", "finalbody"):
        if getattr(s, part, None):
            setattr(s, part, _block(getattr(s, part), captured, ctx))
    for handler in getattr(s, "handlers", []):
        handler.body = _block(handler.body, captured, ctx)
    fields = [getattr(s, field, None) for field in EXPRESSIONS]
    for expression in [s.items[0].context_expr] if isinstance(s, gast.With) else fields:
        if isinstance(expression, gast.AST):
            _mark(expression, isinstance(s, gast.AugAssign))
    if isinstance(s, gast.AugAssign) and any(isinstance(n, gast.Call) for n in walk_scope(s.value)):
        return updated(s, captured, ctx)
    return [s]


def _mark(node: Any, held: bool) -> None:
    """Mark the calls in ``node`` at whose time something is held; ``held``: by the expression around."""
    if isinstance(node, gast.Lambda):
        _mark(node.body, False)
    elif isinstance(node, YIELDS):
        if node.value is not None:
            _mark(node.value, held)
    elif isinstance(node, gast.GeneratorExp):
        return  # what takes its items is a call
    elif isinstance(node, COMPREHENSIONS):
        node.apart = held
        first, *rest = node.generators
        _mark(first.iter, held)
        inner = [node.key, node.value] if isinstance(node, gast.DictComp) else [node.elt]
        for part in (*inner, *(g.iter for g in rest), *(test for g in node.generators for test in g.ifs)):
            _mark(part, False)
    elif isinstance(node, gast.IfExp):
        for part in (node.test, node.body, node.orelse):
            _mark(part, held)
    elif isinstance(node, gast.BoolOp):
        for part in node.values:
            _mark(part, held)
    else:
        if isinstance(node, gast.Call):
            node.apart = held
        inside = held
        for holder, key in parts(node) or []:
            part = holder[key] if isinstance(holder, list) else getattr(holder, key)
            _mark(part, inside)
            inside = inside or (
                not isinstance(part, gast.Constant) and not (key == "func" and isinstance(part, gast.Name))
            )
