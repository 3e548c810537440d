"""Makes statements of assignment expressions that Python may skip, or that are in code that becomes a function.

``if a and (t := f()) > 0: ...`` -> ``holds = False; if a: t = f(); if t > 0: holds = True`` and ``if holds: ...`` (see `hoist`).
``while (s := f()) > 0: ...`` -> ``while True: s = f(); if not s > 0: break; ...``. A lambda with such an expression becomes a
``def``.
"""

from __future__ import annotations

import gast

from to_static.compiler.frontend.transpile.analysis.activity import EXPRESSIONS, FUNCTIONS, names_of
from to_static.compiler.frontend.transpile.context import Context
from to_static.compiler.frontend.transpile.passes.anf import YIELDS, Hoist, binds, needs, refused
from to_static.compiler.frontend.transpile.pyct import template, visiting


def hoist_walrus(function: gast.FunctionDef, ctx: Context) -> None:
    """Rewrite the statements of ``function`` in place."""
    function.body = _block(function.body, ctx)


def _block(stmts: list[gast.stmt], ctx: Context) -> list[gast.stmt]:
    return [new for s in stmts for new in _statement(s, ctx)]


def _statement(s: gast.stmt, ctx: Context) -> list[gast.stmt]:
    if isinstance(s, gast.ClassDef):
        return [s]
    if isinstance(s, FUNCTIONS):
        return [_checked(s, [*s.decorator_list, *s.args.defaults, *filter(None, s.args.kw_defaults)], ctx)]
    lambdas = _Lambdas(ctx)
    for field in EXPRESSIONS:
        value = getattr(s, field, None)
        if isinstance(value, gast.AST):
            setattr(s, field, lambdas.visit(value))
    visiting.change_blocks(s, lambda block: _block(block, ctx))
    if isinstance(s, gast.While):
        return [*lambdas.hoisted, *_while(s, ctx)]
    hoist = _hoist(ctx)
    _hoisted(s, hoist)
    read_first = isinstance(s, gast.AugAssign) and bool(hoist.hoisted)  # the target, by Python
    if read_first and not (isinstance(s.target, gast.Name) and s.target.id not in names_of(hoist.hoisted).writes):
        raise refused(s, ctx)
    expressions = [n for n in visiting.children(s) if not isinstance(n, (gast.stmt, gast.ExceptHandler))]
    return [*lambdas.hoisted, *hoist.hoisted, _checked(s, expressions, ctx)]


def _hoist(ctx: Context) -> Hoist:
    return Hoist(ctx, lambda stmts: _block(stmts, ctx))


def _hoisted(s: gast.stmt, hoist: Hoist) -> None:
    """Split the expression of a statement if necessary."""
    if isinstance(s, (gast.If, gast.Assert)):
        s.test = hoist.truth(s.test) if needs(s.test) else s.test
    elif isinstance(s, gast.With):
        s.items[0].context_expr = hoist.value(s.items[0].context_expr)
    elif isinstance(s, (gast.Assign, gast.Expr)) and isinstance(s.value, YIELDS):  # stays a statement
        if s.value.value is not None:
            s.value.value = hoist.value(s.value.value)
    elif isinstance(s, (gast.Assign, gast.AnnAssign, gast.AugAssign, gast.Expr, gast.Return, gast.For, gast.Raise)):
        field = {gast.For: "iter", gast.Raise: "exc"}.get(type(s), "value")
        if getattr(s, field) is not None:
            setattr(s, field, hoist.value(getattr(s, field)))


def _checked(s: gast.stmt, parts: list[gast.AST], ctx: Context) -> gast.stmt:
    """``s``, unless something is left in its ``parts``."""
    for part in parts:
        if needs(part) and not (isinstance(part, YIELDS) and not any(map(needs, visiting.children(part)))):
            raise refused(part, ctx)
        for node in visiting.walk(part):
            if isinstance(node, gast.Lambda) and needs(node.body):
                raise refused(node.body, ctx)
    return s


def _while(s: gast.While, ctx: Context) -> list[gast.stmt]:
    """``while (s := f()) > 0: ...`` as ``while True: s = f(); if not s > 0: break; ...``."""
    if not binds(s.test):
        return [s]
    stop = template.statement("if not TEST:\n    break", at=s, TEST=s.test)
    s.header = "while " + template.text_of(s.test)  # the comment names the test that the user wrote
    out: list[gast.stmt] = [s]
    if s.orelse:
        ended = ctx.variable("ended")
        stop.body.insert(0, template.statement("ENDED = True", at=s, ENDED=ended))
        out = [template.statement("ENDED = False", at=s, ENDED=ended), s]
        out.append(template.statement("if ENDED:\n    BODY", at=s, ENDED=ended, BODY=s.orelse))
        s.orelse = []
    s.test = template.expression("True", at=s)
    hoist = _hoist(ctx)
    if needs(stop.test):
        stop.test = hoist.truth(stop.test)
    else:
        stop.test.operand = hoist.first(stop.test.operand)
    s.body = [*hoist.hoisted, stop, *s.body]
    return out


class _Lambdas(visiting.AstTransformer):
    """Replaces lambdas whose assignment expressions may be skipped by functions before the statement."""

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self.hoisted: list[gast.stmt] = []

    def visit_Lambda(self, node: gast.Lambda) -> gast.AST:
        if not any(isinstance(n, gast.Lambda) and needs(n.body) for n in visiting.walk(node)):
            return node
        name = self.ctx.variable("lambda_")
        function = template.statement("def NAME():\n    return VALUE", at=node, NAME=name, VALUE=node.body)
        function.args, function.written = node.args, "<lambda>"
        self.hoisted.append(function)
        return template.expression("NAME", at=node, NAME=name)

    def visit_ListComp(self, node: gast.AST) -> gast.AST:
        return node  # its variables are not the function's

    visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_ListComp
