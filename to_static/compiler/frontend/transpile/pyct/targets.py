"""Targets and values in steps: what a target leads to is computed once, before the value is put there."""

from __future__ import annotations

import gast

from to_static.compiler.frontend.transpile.context import Context
from to_static.compiler.frontend.transpile.pyct import template, visiting


def calls(target: gast.expr) -> bool:
    """True if computing a target does more than look something up: it has to be computed once."""
    return any(isinstance(n, (gast.Call, gast.NamedExpr)) for n in visiting.walk(target))


def evaluate_once(node: gast.expr, out: list[gast.stmt], ctx: Context) -> gast.expr:
    """``node`` by a name, which ``out`` gives to what it is now."""
    if isinstance(node, (gast.Name, gast.Constant)):
        return template.loaded(node)
    name = ctx.variable("kept")
    out += template.statements("NAME = VALUE", at=node, NAME=name, VALUE=node)
    return template.expression("NAME", at=node, NAME=name)
