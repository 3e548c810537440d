"""Rewrites statements into simpler ones: ``match`` into ``if``; ``del t`` in a branch or loop into an assignment of the marker of a
variable without value.
"""

from __future__ import annotations

import gast

from to_static.compiler.frontend.transpile.analysis.activity import FUNCTIONS
from to_static.compiler.frontend.transpile.analysis.liveness import is_native
from to_static.compiler.frontend.transpile.context import Context
from to_static.compiler.frontend.transpile.passes import patterns
from to_static.compiler.frontend.transpile.pyct import template, visiting


def desugar(function: gast.FunctionDef, ctx: Context) -> None:
    """Rewrite these statements in the body of ``function`` in place."""
    function.body = _block(function.body, ctx, inside=False)


def _block(stmts: list[gast.stmt], ctx: Context, inside: bool) -> list[gast.stmt]:
    return [new for s in stmts for new in _statement(s, ctx, inside)]


def _statement(s: gast.stmt, ctx: Context, inside: bool) -> list[gast.stmt]:
    if isinstance(s, (*FUNCTIONS, gast.ClassDef)):
        return [s]
    if isinstance(s, gast.Match):
        return _block(patterns.as_ifs(s, ctx), ctx, inside)
    if isinstance(s, gast.Delete) and inside:
        return _delete(s, ctx)
    inside = inside or (isinstance(s, (gast.If, gast.While, gast.For)) and not is_native(s, ctx))
    visiting.change_blocks(s, lambda block: _block(block, ctx, inside))
    return [s]


def _delete(s: gast.Delete, ctx: Context) -> list[gast.stmt]:
    statements: list[gast.stmt] = []
    for target in s.targets:
        if isinstance(target, gast.Name) and target.id in ctx.locals | ctx.nonlocals:
            check = template.statement("NAME", at=s, NAME=target.id)  # Python raises where there is nothing to delete
            mark = template.statement(f"NAME = _jst.unbound({target.id!r})", at=s, NAME=target.id)
            mark.unbinds = target.id
            statements += [check, mark]
        else:
            statements.append(gast.copy_location(gast.Delete([target]), s))
    return statements
