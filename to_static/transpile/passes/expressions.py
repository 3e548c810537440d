"""Generator expressions that are taken item by item become generator functions, as Python defines them.

``for v in (f(w) for w in xs if w > 0)`` -> ``def generated(items): for w in items: if w > 0: yield f(w)`` and
``for v in generated(xs)``, when a tensor may decide what they yield, or how many of them are asked for what calls do; so do those
of ``any`` and ``all`` that go over a generator.
Others whose items are taken all at once, by ``sum``, ``list`` and the like, become calls later (see `collections`).
"""

from __future__ import annotations

from typing import Any

import gast

from to_static.transpile import template, visiting
from to_static.transpile.context import Context
from to_static.transpile.passes.calls import fresh_containers
from to_static.transpile.passes.collections import EAGER, function_of, is_extend, is_simple
from to_static.transpile.passes.spill import binds
from to_static.transpile.plain import is_plain_iterable
from to_static.transpile.scopes import EXPRESSIONS, FUNCTIONS


def run(function: gast.FunctionDef, ctx: Context) -> None:
    """Rewrite the generator expressions in the statements of ``function`` in place."""
    function.body = _block(function.body, ctx, fresh_containers(function))


def _block(stmts: list[gast.stmt], ctx: Context, fresh: set[str]) -> list[gast.stmt]:
    out: list[gast.stmt] = []
    for s in stmts:
        if not isinstance(s, (*FUNCTIONS, gast.ClassDef)):
            for part in ("body", "orelse", "finalbody"):
                if getattr(s, part, None):
                    setattr(s, part, _block(getattr(s, part), ctx, fresh))
            for handler in getattr(s, "handlers", []):
                handler.body = _block(handler.body, ctx, fresh)
            rewriter = _Expressions(ctx, fresh)
            if isinstance(s, gast.AugAssign) and isinstance(s.op, gast.Add) and isinstance(s.value, gast.GeneratorExp):
                out.append(s)  # taken at once: see `collections`
                continue
            for field in EXPRESSIONS:
                value = getattr(s, field, None)
                if isinstance(value, gast.AST):
                    setattr(s, field, rewriter.visit(value))
            out += rewriter.made
        out.append(s)
    return out


class _Expressions(visiting.Transformer):
    def __init__(self, ctx: Context, fresh: set[str]) -> None:
        self.ctx = ctx
        self.fresh = fresh
        self.made: list[gast.stmt] = []

    def visit_Call(self, node: gast.Call) -> gast.AST:
        own = isinstance(node.func, gast.Name) and self.ctx.builtin(node.func.id)
        name = node.func.id if own else ""
        if len(node.args) == 1 and isinstance(node.args[0], gast.GeneratorExp):
            if name in ("any", "all"):
                node.args[0] = self.function(node.args[0], filters=False, at_once=True)
                return node
            if name in EAGER or getattr(node.func, "attr", "") == "join" or is_extend(node, self.fresh):
                node.keywords = [self.visit(keyword) for keyword in node.keywords]
                return node
        if name == "zip":
            node.args = [self._mapped(arg, "_jst.map") if isinstance(arg, gast.GeneratorExp) else arg for arg in node.args]
        if name == "next" and node.args:
            node.args[0] = self.function(node.args[0], at_once=True)
        return self.generic_visit(node)

    def visit_Starred(self, node: gast.Starred) -> gast.AST:
        return node if isinstance(node.value, gast.GeneratorExp) else self.generic_visit(node)

    def visit_GeneratorExp(self, node: gast.GeneratorExp) -> gast.AST:
        return self.function(node)

    def visit_Lambda(self, node: gast.AST) -> gast.AST:
        return node  # its variables are not the function's

    def visit_ListComp(self, node: Any) -> gast.AST:
        node.generators[0].iter = self.visit(node.generators[0].iter)  # which is computed around it
        return node

    visit_SetComp = visit_DictComp = visit_ListComp

    def function(self, node: Any, filters: bool = True, at_once: bool = False) -> Any:
        """A generator expression as the call of a function that is made for it; other expressions as they are."""
        if not isinstance(node, gast.GeneratorExp) or any(g.is_async for g in node.generators) or binds(node):
            return node
        node.generators[0].iter = self.visit(node.generators[0].iter)
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

    def _mapped(self, node: gast.GeneratorExp, by: str = "_jst.each") -> gast.expr:
        """``(f(v) for v in xs)``, done with when the statement is, by a call: ``xs`` may be of the Program."""
        (first, *more), target = node.generators, node.generators[0].target
        if more or first.ifs or not is_simple(target) or is_plain_iterable(first.iter, self.ctx) or binds(node.elt):
            return node
        return template.expression(f"{by}(FUNCTION, ITEMS)", at=node, FUNCTION=function_of(target, node.elt), ITEMS=first.iter)

    def _decided(self, node: gast.GeneratorExp, filters: bool) -> bool:
        """Whether a tensor may decide which items there are (in an ``if``, if these count, or in what it goes over) or what runs.

        What it goes over may be an iterator that others see.
        """
        first, *more = node.generators
        if any(map(self._acts, [node.elt, *first.ifs, *(part for g in more for part in (g.iter, *g.ifs))])):
            return True
        if more and not isinstance(first.iter, gast.Call):
            return True
        calls = (g.iter for g in node.generators if isinstance(g.iter, gast.Call))
        known = self.ctx.library if not filters else lambda func: False
        return (filters and any(g.ifs for g in node.generators)) or any(
            not known(c.func) and not is_plain_iterable(c, self.ctx) for c in calls
        )

    def _acts(self, node: gast.expr) -> bool:
        """Whether computing this may do something that others see."""
        calls = (n.func for n in visiting.walk(node) if isinstance(n, gast.Call))
        return any(not self.ctx.library(func) or getattr(func, "id", "") in _ACTS for func in calls)


_ACTS = ("print", "next", "setattr")
