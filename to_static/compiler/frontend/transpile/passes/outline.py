"""Outlines ``if``, ``while`` and ``for``: bodies become functions with explicit parameters and results.

Innermost constructs first. Names that a body only reads come through the closure; `flow.annotate` chose parameters and results.
"""

from __future__ import annotations

import gast

from to_static.compiler.frontend.transpile.analysis.activity import names_of, walk_scope
from to_static.compiler.frontend.transpile.analysis.liveness import is_native
from to_static.compiler.frontend.transpile.context import Context
from to_static.compiler.frontend.transpile.pyct import template, visiting


def outline_blocks(function: gast.FunctionDef, ctx: Context) -> None:
    """Outline all constructs of ``function`` in place."""
    ctx.declared = {}
    for node in walk_scope(function.body):
        if isinstance(node, (gast.Global, gast.Nonlocal)):
            outer = [name for name in node.names if name not in ctx.nonlocals]  # the others are handed in and out
            ctx.declared.update(dict.fromkeys(outer, type(node).__name__.lower()))
    function.body = _block(function.body, ctx)


def _block(stmts: list[gast.stmt], ctx: Context) -> list[gast.stmt]:
    return [new for s in stmts for new in _statement(s, ctx)]


def _statement(s: gast.stmt, ctx: Context) -> list[gast.stmt]:
    if isinstance(s, (gast.If, gast.While, gast.For, gast.With, gast.Try)):
        visiting.change_blocks(s, lambda block: _block(block, ctx))
    if is_native(s, ctx):
        if isinstance(s, gast.For) and getattr(s, "flag", None) in getattr(s, "params", ()):
            s.body.append(template.statement("if FLAG:\n    break", at=s, FLAG=s.flag))
        return [s]
    if isinstance(s, gast.If):
        return _branch(s, ctx)
    if isinstance(s, gast.While):
        return _while(s, ctx)
    if isinstance(s, gast.For):
        return _for(s, ctx)
    return [s]


def _function(ctx: Context, name: str, params: list[str], body: list[gast.stmt], results: list[str], at: gast.AST) -> gast.stmt:
    """``def name(params): body; return results``."""
    body = [s for s in body if not isinstance(s, gast.Pass)]
    if results and not (body and isinstance(body[-1], gast.Raise)):
        body = _returning(body, results, at)
    outer = names_of(body).writes & set(ctx.declared) if ctx.declared else set()
    body = [template.statement(f"{ctx.declared[n]} {n}", at=at) for n in sorted(outer)] + body
    body = body or template.statements("pass", at=at)
    definition = template.statement("def NAME(PARAMS):\n    BODY", at=at, NAME=name, PARAMS=params, BODY=body)
    definition.generated = True
    return definition


def _returning(body: list[gast.stmt], results: list[str], at: gast.AST) -> list[gast.stmt]:
    """The body with a ``return`` of the results; where the last statement computes just these, it becomes the ``return``."""
    last = body[-1] if body else at
    if isinstance(last, gast.Assign) and len(last.targets) == 1:
        target = last.targets[0]
        names = [target] if isinstance(target, gast.Name) else getattr(target, "elts", [])
        values = [last.value] if isinstance(target, gast.Name) else getattr(last.value, "elts", [])
        same = [getattr(n, "id", None) for n in names] == results and len(values) == len(names)
        if same and not names_of(body).captures & set(results):
            return_statement = template.statement("return VALUE", at=last, VALUE=last.value)
            return_statement.end_lineno = last.end_lineno  # where the user's comment may be
            return [*body[:-1], return_statement]
    return [*body, template.statement("return RESULTS", at=last, RESULTS=_pack(results, at))]


def _pack(names: list[str], at: gast.AST) -> gast.expr:
    return template.expression(names[0] if len(names) == 1 else "(NAMES,)", at=at, NAMES=names)


def _receive(names: list[str], call: gast.expr, at: gast.AST) -> gast.stmt:
    text = ["CALL", "NAME = CALL", "(NAMES,) = CALL"][min(len(names), 2)]
    return template.statement(text, at=at, CALL=call, NAME=names[0] if names else "", NAMES=names)


def _branch(s: gast.If, ctx: Context) -> list[gast.stmt]:
    yes, no = ctx.outlined("if_true"), ctx.outlined("if_false")
    tail = getattr(s, "tail", False)
    functions: list[gast.stmt] = []
    branches: dict[str, gast.expr] = {}
    for key, name, body in (("YES", yes, s.body), ("NO", no, s.orelse)):
        if s.params == s.results and all(isinstance(x, gast.Pass) for x in body):
            branches[key] = template.expression("None", at=s)  # hands everything through
            continue
        functions.append(_function(ctx, name, s.params, body, s.results, s if not functions else body[0] if body else s))
        branches[key] = template.expression(name, at=s)
    if not functions:
        return [template.statement("_jst.if_(TEST, None, None)", at=s, TEST=s.test)]  # Python asks for its truth
    _comment(functions[0], s)
    call = template.expression("_jst.if_(TEST, YES, NO, PARAMS)", at=s, TEST=s.test, PARAMS=s.params, **branches)
    last = template.statement("return CALL", at=s, CALL=call) if tail else _receive(s.results, call, s)
    return [*functions, last]


def _while(s: gast.While, ctx: Context) -> list[gast.stmt]:
    cond, body = ctx.outlined("while_cond"), ctx.outlined("while_body")
    test = _function(ctx, cond, s.params, [template.statement("return TEST", at=s, TEST=s.test)], [], s)
    _comment(test, s)
    call = template.expression("_jst.while_(COND, BODY, PARAMS)", at=s, COND=cond, BODY=body, PARAMS=s.params)
    return [test, _function(ctx, body, s.params, s.body, s.results, s.body[0]), _receive(s.results, call, s)]


def _for(s: gast.For, ctx: Context) -> list[gast.stmt]:
    name, body = ctx.outlined("for_body"), s.body
    if isinstance(s.target, gast.Name) and s.target.id not in s.params:
        item = s.target.id
    else:
        item = ctx.unique_name("item")
        body = [template.statement("TARGET = ITEM", at=s, TARGET=s.target, ITEM=item), *body]
    function = _function(ctx, name, [item, *s.params], body, s.results, s)
    _comment(function, s)
    breaks = bool(s.params) and s.params[0] == getattr(s, "flag", None)  # a flag that nothing sets is not among them
    more = ", breaks=True" if breaks else ""
    text = f"_jst.for_(ITER, BODY, PARAMS{more})"
    call = template.expression(text, at=s, ITER=s.iter, BODY=name, PARAMS=s.params)
    return [function, _receive(s.results, call, s)]


def _comment(function: gast.stmt, s: gast.stmt) -> None:
    """Say which line of the user's the function was; flags' own conditions have none."""
    if hasattr(s, "header"):
        function.comment = f"line {s.lineno}: {s.header}"
