"""Generator expressions that are taken item by item become generator functions, as Python defines them.

``for v in (f(w) for w in xs if w > 0)`` -> ``def generated(items): for w in items: if w > 0: yield f(w)`` and
``for v in generated(xs)``; so do those handed to ``next``, ``enumerate``, ``map``, ``filter`` and ``yield from``, when a tensor may
decide what they yield, and those of ``any`` and ``all`` that go over a generator.
"""

from __future__ import annotations

from typing import Any

import gast

from to_static.transpile import template, visiting
from to_static.transpile.context import Context
from to_static.transpile.passes.spill import binds
from to_static.transpile.plain import is_plain_iterable
from to_static.transpile.scopes import FUNCTIONS

_TAKERS = ("next", "enumerate", "map", "filter", "any", "all")


def run(function: gast.FunctionDef, ctx: Context) -> None:
    """Rewrite the generator expressions in the statements of ``function`` in place."""
    function.body = _block(function.body, ctx)


def _block(stmts: list[gast.stmt], ctx: Context) -> list[gast.stmt]:
    out: list[gast.stmt] = []
    for s in stmts:
        if not isinstance(s, (*FUNCTIONS, gast.ClassDef)):
            for part in ("body", "orelse", "finalbody"):
                if getattr(s, part, None):
                    setattr(s, part, _block(getattr(s, part), ctx))
            for handler in getattr(s, "handlers", []):
                handler.body = _block(handler.body, ctx)
            rewriter = _Expressions(ctx)
            for field in ("value", "test", "iter", "exc"):
                value = getattr(s, field, None)
                if isinstance(value, gast.AST):
                    setattr(s, field, rewriter.visit(value))
            if isinstance(s, gast.For):
                s.iter = rewriter.function(s.iter)
            out += rewriter.made
        out.append(s)
    return out


class _Expressions(visiting.Transformer):
    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self.made: list[gast.stmt] = []

    def visit_Call(self, node: gast.Call) -> gast.AST:
        self.generic_visit(node)
        if isinstance(node.func, gast.Name) and node.func.id in _TAKERS and self.ctx.builtin(node.func.id):
            at = 1 if node.func.id in ("map", "filter") else 0
            if len(node.args) > at:
                tests = node.func.id in ("any", "all")
                node.args[at] = self.function(node.args[at], not tests, tests or node.func.id == "next")
        return node

    def visit_YieldFrom(self, node: gast.YieldFrom) -> gast.AST:
        self.generic_visit(node)
        node.value = self.function(node.value)
        return node

    def visit_Lambda(self, node: gast.AST) -> gast.AST:
        return node  # its variables are not the function's

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_Lambda

    def function(self, node: Any, filters: bool = True, at_once: bool = False) -> Any:
        """A generator expression as the call of a function that is made for it; other expressions as they are."""
        if not isinstance(node, gast.GeneratorExp) or any(g.is_async for g in node.generators):
            return node
        if not self._decided(node, filters):
            return self._mapped(node) if at_once else node
        body = template.statements("yield VALUE", at=node.elt, VALUE=node.elt)
        items = self.ctx.fresh("items")
        first = node.generators[0].iter
        node.generators[0].iter = template.expression("ITEMS", at=first, ITEMS=items)
        for generator in reversed(node.generators):
            for test in reversed(generator.ifs):
                body = template.statements("if TEST:\n    BODY", at=test, TEST=test, BODY=body)
            loop = template.statement("for TARGET in ITER:\n    BODY", at=node, ITER=generator.iter, BODY=body)
            loop.target = generator.target
            body = [loop]
        name = self.ctx.variable("generated")
        function = template.statement("def NAME(ITEMS):\n    BODY", at=node, NAME=name, ITEMS=items, BODY=body)
        function.written = "<genexpr>"
        self.made.append(function)
        return template.expression("NAME(FIRST)", at=node, NAME=name, FIRST=first)

    def _mapped(self, node: gast.GeneratorExp) -> gast.expr:
        """``(f(v) for v in xs)``, done with when the statement is, as ``map(lambda v: f(v), xs)``: ``xs`` may be of the Program."""
        (first, *more), target = node.generators, node.generators[0].target
        if more or first.ifs or not isinstance(target, gast.Name) or is_plain_iterable(first.iter, self.ctx) or binds(node.elt):
            return node
        text = "_jst.map(lambda NAME: VALUE, ITEMS)"
        made = template.expression(text, at=node, NAME=[target.id], VALUE=node.elt, ITEMS=first.iter)
        made.args[0].thunk = True
        return made

    def _decided(self, node: gast.GeneratorExp, filters: bool) -> bool:
        """Whether a tensor may decide which items there are: in an ``if`` (where these count) or in what it goes over."""
        calls = (g.iter for g in node.generators if isinstance(g.iter, gast.Call))
        return (filters and any(g.ifs for g in node.generators)) or any(not self.ctx.library(c.func) for c in calls)
