"""Statements that are short for others: ``match`` on values, ``del`` in a branch or loop, ``while`` with an assignment in its test.

``match`` becomes ``if`` / ``elif``; ``del t`` becomes the marker of a variable without value; ``while (s := f()) > 0: ...`` becomes
``while True: s = f(); if not s > 0: break; ...``.
"""

from __future__ import annotations

import gast

from to_static.transpile import template
from to_static.transpile.context import Context
from to_static.transpile.flow import is_native
from to_static.transpile.scopes import FUNCTIONS, walk_scope


def run(function: gast.FunctionDef, ctx: Context) -> None:
    """Rewrite these statements in the body of ``function`` in place."""
    function.body = _block(function.body, ctx, inside=False)


def _block(stmts: list[gast.stmt], ctx: Context, inside: bool) -> list[gast.stmt]:
    return [made for s in stmts for made in _statement(s, ctx, inside)]


def _statement(s: gast.stmt, ctx: Context, inside: bool) -> list[gast.stmt]:
    if isinstance(s, (*FUNCTIONS, gast.ClassDef)):
        return [s]
    if isinstance(s, gast.Match):
        return _block(_match(s, ctx), ctx, inside)
    if isinstance(s, gast.Delete) and inside:
        return _delete(s)
    inside = inside or (isinstance(s, (gast.If, gast.While, gast.For)) and not is_native(s, ctx))
    for part in ("body", "orelse", "finalbody"):
        if getattr(s, part, None):
            setattr(s, part, _block(getattr(s, part), ctx, inside))
    for handler in getattr(s, "handlers", []):
        handler.body = _block(handler.body, ctx, inside)
    if isinstance(s, gast.While) and any(isinstance(n, gast.NamedExpr) for n in walk_scope(s.test)):
        stop = template.statement("if not TEST:\n    break", at=s, TEST=s.test)
        s.header = "while " + template.text_of(s.test)  # the comment names the test that the user wrote
        s.test = template.expression("True", at=s)
        s.body = [*_assigned(stop), *s.body]
    return [s]


def _assigned(stop: gast.If) -> list[gast.stmt]:
    """``if not (s := f()) > 0: break`` as an assignment and a test without one, where the assignment comes first."""
    moved = _Walrus()
    stop.test.operand = moved.visit(stop.test.operand)
    return [*moved.before, stop]


class _Walrus(gast.NodeTransformer):
    """Take out the assignment expressions of a test that are evaluated whatever the rest of it is."""

    def __init__(self) -> None:
        self.before: list[gast.stmt] = []

    def visit_NamedExpr(self, node: gast.NamedExpr) -> gast.AST:
        value = self.visit(node.value)
        self.before.append(template.statement("NAME = VALUE", at=node, NAME=node.target.id, VALUE=value))
        return template.expression("NAME", at=node, NAME=node.target.id)

    def visit_BoolOp(self, node: gast.BoolOp) -> gast.AST:
        node.values[0] = self.visit(node.values[0])
        return node

    def visit_IfExp(self, node: gast.IfExp) -> gast.AST:
        node.test = self.visit(node.test)
        return node

    def visit_Lambda(self, node: gast.Lambda) -> gast.AST:
        return node


def _delete(s: gast.Delete) -> list[gast.stmt]:
    made: list[gast.stmt] = []
    for target in s.targets:
        if isinstance(target, gast.Name):
            check = template.statement("NAME", at=s, NAME=target.id)  # Python raises where there is nothing to delete
            mark = template.statement(f"NAME = _jst.unbound({target.id!r})", at=s, NAME=target.id)
            mark.unbinds = target.id
            made += [check, mark]
        else:
            made.append(gast.copy_location(gast.Delete([target]), s))
    return made


def _match(s: gast.Match, ctx: Context) -> list[gast.stmt]:
    """``match`` whose patterns are values, names, ``|`` and ``_`` as a chain of ``if``."""
    subject = ctx.fresh("subject")
    out = template.statements("NAME = VALUE", at=s, NAME=subject, VALUE=s.subject)
    chain: list[gast.stmt] = []
    for case in reversed(s.cases):
        name, test = _pattern(case.pattern, subject, ctx)
        bind = template.statements("NAME = SUBJECT", at=case.pattern, NAME=name, SUBJECT=subject) if name else []
        if case.guard is not None:
            if bind:
                raise ctx.refuse(case.pattern, "a `case` with a name and an `if`", "test the subject itself in the `if`")
            parts = [case.guard] if test is None else [test, case.guard]
            test = parts[0] if len(parts) == 1 else gast.copy_location(gast.BoolOp(gast.And(), parts), case.pattern)
        if test is None:
            chain = [*bind, *case.body]
        else:
            chosen = template.statement("if TEST:\n    BODY", at=case.pattern, TEST=test, BODY=[*bind, *case.body])
            chosen.orelse = chain
            chosen.header = "case " + template.text_of(test).replace(f"{subject} == ", "")
            chain = [chosen]
    return [*out, *chain]


def _pattern(pattern: gast.AST, subject: str, ctx: Context) -> tuple[str, gast.expr | None]:
    """The name that a pattern gives the subject ('' for none), and its test (None: always)."""
    kind = type(pattern).__name__
    if kind == "MatchAs":
        name, test = ("", None) if pattern.pattern is None else _pattern(pattern.pattern, subject, ctx)
        if name:
            raise ctx.refuse(pattern, "a pattern with two names", "use if / elif / else")
        return (pattern.name or ""), test
    if kind == "MatchValue":
        return "", template.expression("SUBJECT == VALUE", at=pattern, SUBJECT=subject, VALUE=pattern.value)
    if kind == "MatchSingleton":
        return "", template.expression(f"SUBJECT is {pattern.value}", at=pattern, SUBJECT=subject)
    if kind == "MatchOr":
        tests = [_pattern(p, subject, ctx) for p in pattern.patterns]
        if all(not name and test is not None for name, test in tests):
            return "", gast.copy_location(gast.BoolOp(gast.Or(), [test for _, test in tests]), pattern)
    raise ctx.refuse(pattern, "a `case` that looks into its subject", "use if / elif / else with len(), isinstance() and indexing")
