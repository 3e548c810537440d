"""Splits assignment targets, so that the object and index of a target are computed once, before the assignment."""

from __future__ import annotations

import gast

from to_static.compiler.frontend.transpile.context import Context
from to_static.compiler.frontend.transpile.pyct import template, visiting


def calls(target: gast.expr) -> bool:
    """True if computing a target may have an effect, so that it must be computed only once."""
    return any(isinstance(n, (gast.Call, gast.NamedExpr)) for n in visiting.walk(target))


def evaluate_once(node: gast.expr, out: list[gast.stmt], ctx: Context) -> gast.expr:
    """Return a name for the value of ``node``; appends the assignment to ``out``."""
    if isinstance(node, (gast.Name, gast.Constant)):
        return template.loaded(node)
    name = ctx.variable("kept")
    out += template.statements("NAME = VALUE", at=node, NAME=name, VALUE=node)
    return template.expression("NAME", at=node, NAME=name)
