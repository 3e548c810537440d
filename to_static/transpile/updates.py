"""``obj.total += f(x)`` in steps: what the target was is read before the call, which may change what is there."""

from __future__ import annotations

import copy
from typing import Any

import gast

from to_static.transpile import template, visiting
from to_static.transpile.context import Context


def updated(s: gast.AugAssign, captured: set[str], ctx: Context) -> list[gast.stmt]:
    """``value = obj.total; value += f(x); obj.total = value``; ``captured`` are the variables that calls can change."""
    target = s.target
    out: list[gast.stmt] = []
    if isinstance(target, gast.Subscript):
        place: Any = gast.Subscript(kept(target.value, out, ctx), kept(target.slice, out, ctx), gast.Store())
    elif isinstance(target, gast.Attribute):
        place = gast.Attribute(kept(target.value, out, ctx), target.attr, gast.Store())
    elif target.id in captured:
        place = copy.copy(target)
    else:  # a variable that no call can change
        return [s]
    gast.copy_location(place, target)
    value = ctx.variable("value")
    out += template.statements("VALUE = PLACE", at=s, VALUE=value, PLACE=template.loaded(place))
    s.target = template.statement("VALUE = 0", at=s, VALUE=value).targets[0]
    return [*out, s, gast.copy_location(gast.Assign([place], template.expression("VALUE", at=s, VALUE=value), None), s)]


def calls(target: gast.expr) -> bool:
    """Whether computing a target does more than look something up: it has to be computed once."""
    return any(isinstance(n, (gast.Call, gast.NamedExpr)) for n in visiting.walk(target))


def kept(node: gast.expr, out: list[gast.stmt], ctx: Context) -> gast.expr:
    """``node`` by a name, which ``out`` gives to what it is now."""
    if isinstance(node, (gast.Name, gast.Constant)):
        return template.loaded(node)
    name = ctx.variable("kept")
    out += template.statements("NAME = VALUE", at=node, NAME=name, VALUE=node)
    return template.expression("NAME", at=node, NAME=name)
