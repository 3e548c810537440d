"""Splits expressions into statements, in Python's order of evaluation.

An assignment expression becomes a statement if Python may skip it: ``a and (t := f())``, a branch of a ternary, a comprehension.
All parts that Python evaluates before it are evaluated before it.
``g(x) + (y if c else (t := h()))`` -> ``kept = g(x); if c: value = y / else: t = h(); value = t``, ``kept + value``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from to_static.compiler.frontend.transpile.analysis.activity import COMPREHENSIONS, names_of, walk_scope
from to_static.compiler.frontend.transpile.context import Context
from to_static.compiler.frontend.transpile.pyct import template, visiting

YIELDS = (gast.Yield, gast.YieldFrom)


def refused(node: gast.AST, ctx: Context) -> Exception:
    """Return the error for an expression that cannot be split."""
    inner = next((n for n in walk_scope(node) if isinstance(n, gast.NamedExpr)), None)
    name = inner.target.id if inner is not None else "t"
    return ctx.refuse(
        node, f"the assignment expression `{name} := ...` in this place", f"assign `{name} = ...` in a statement of its own before"
    )


def binds(node: gast.AST) -> bool:
    """True if evaluating ``node`` may bind a name, or a part of it must become a statement."""
    return any(isinstance(n, (gast.NamedExpr, *YIELDS)) for n in walk_scope(node))


def is_lazy(node: gast.AST) -> bool:
    """True if a part of ``node`` that may run never or several times binds a name."""
    if isinstance(node, gast.BoolOp):
        return any(map(binds, node.values[1:]))
    if isinstance(node, gast.IfExp):
        return binds(node.body) or binds(node.orelse)
    if isinstance(node, gast.Compare):
        return len(node.ops) > 1 and any(map(binds, node.comparators))
    return isinstance(node, COMPREHENSIONS) and binds(node)


def needs(node: gast.AST) -> bool:
    """True if a part of ``node`` must become a statement."""
    return any(is_lazy(n) or isinstance(n, YIELDS) for n in walk_scope(node))


class Hoist:
    """Splits an expression: the methods return the remaining expression, and append statements to ``hoisted``.

    ``rewrite`` does the same for statements that come out of comprehensions.
    """

    def __init__(self, ctx: Context, rewrite: Callable[[list[gast.stmt]], list[gast.stmt]]) -> None:
        self.ctx = ctx
        self.rewrite = rewrite
        self.hoisted: list[gast.stmt] = []
        self.single_assignment: set[str] = set()  # variables that nothing else assigns

    def inner(self) -> Hoist:
        """Return a `Hoist` for a block inside."""
        return Hoist(self.ctx, self.rewrite)

    def variable(self, name: str) -> str:
        """Return a new variable, which is read only after its assignment."""
        unique = self.ctx.variable(name)
        self.ctx.generated.add(unique)
        return unique

    @staticmethod
    def assign(name: str, value: gast.expr) -> gast.stmt:
        """``name = value``"""
        return template.statement("NAME = VALUE", at=value, NAME=name, VALUE=value)

    def keep(self, value: gast.expr) -> gast.expr:
        """Return a variable that has ``value``, computed by a statement before the expression."""
        if isinstance(value, gast.Constant) or getattr(value, "id", "") in self.single_assignment:
            return value
        name = self.variable("kept")
        self.single_assignment.add(name)
        self.hoisted.append(self.assign(name, value))
        return template.expression("NAME", at=value, NAME=name)

    def first(self, node: Any) -> Any:
        """Make a statement of the assignment expression that is first in ``node``."""
        if isinstance(node, gast.NamedExpr):
            self.hoisted.append(self.assign(node.target.id, self.first(node.value)))
            return template.expression("NAME", at=node, NAME=node.target.id)
        field = {gast.Compare: "left", gast.BinOp: "left", gast.UnaryOp: "operand"}.get(type(node))
        if field:
            setattr(node, field, self.first(getattr(node, field)))
        return node

    # conditions ------------------------------------------------------------------------------------------------------

    def truth(self, node: gast.expr) -> gast.expr:
        """Split an expression of which only the truth counts."""
        if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not) and needs(node):
            node.operand = self.truth(node.operand)
            return node
        if not (isinstance(node, gast.BoolOp) and is_lazy(node)):
            return self.value(node) if needs(node) else node
        conjunction = isinstance(node.op, gast.And)
        holds = self.variable("holds")
        self.hoisted.append(template.statement(f"HOLDS = {not conjunction}", at=node, HOLDS=holds))
        block = self.hoisted
        for value in node.values:
            inner = self.inner()
            test = inner.truth(value)
            block += inner.hoisted
            text = "if TEST:\n    pass" if conjunction else "if not TEST:\n    pass"
            block.append(template.statement(text, at=value, TEST=test))
            block[-1].body = []
            block = block[-1].body
        block.append(template.statement(f"HOLDS = {conjunction}", at=node, HOLDS=holds))
        return template.expression("HOLDS", at=node, HOLDS=holds)

    # values ----------------------------------------------------------------------------------------------------------

    def value(self, node: gast.expr) -> gast.expr:
        """Split an expression, so that no part that Python may skip assigns a name."""
        if not needs(node):
            return node
        if isinstance(node, COMPREHENSIONS):
            return self.comprehension(node)
        if is_lazy(node):
            return self.lazy(node)
        if isinstance(node, gast.IfExp):
            node.test = self.truth(node.test)
            return node
        fields = parts(node)
        if fields is None:
            raise refused(node, self.ctx)
        last = max(i for i, (holder, key) in enumerate(fields) if needs(_get(holder, key)))
        bound = names_of(node).writes
        for i, (holder, key) in enumerate(fields[: last + 1]):
            part = self.value(_get(holder, key))
            looked_up = key == "func" and is_path(part) and not names_of(part).reads & bound
            _set(holder, key, part if i == last or looked_up else self.keep(part))
        return node

    def lazy(self, node: gast.expr) -> gast.expr:
        if isinstance(node, gast.Compare):
            return self.compare(node)
        name = self.variable("value")
        if isinstance(node, gast.IfExp):
            test = self.truth(node.test)
            branches = []
            for part in (node.body, node.orelse):
                inner = self.inner()
                value = inner.value(part)
                branches.append([*inner.hoisted, self.assign(name, value)])
            chosen = template.statement("if TEST:\n    BODY", at=node, TEST=test, BODY=branches[0])
            chosen.orelse = branches[1]
            self.hoisted.append(chosen)
            return template.expression("NAME", at=node, NAME=name)
        block = self.hoisted
        text = "if NAME:\n    pass" if isinstance(node.op, gast.And) else "if not NAME:\n    pass"
        for i, value in enumerate(node.values):
            inner = self.inner()
            hoisted = inner.value(value)
            block += [*inner.hoisted, self.assign(name, hoisted)]
            if i < len(node.values) - 1:
                block.append(template.statement(text, at=value, NAME=name))
                block[-1].body = []
                block = block[-1].body
        return template.expression("NAME", at=node, NAME=name)

    def compare(self, node: gast.Compare) -> gast.expr:
        """Split a chain of comparisons, whose first two operands are always evaluated."""
        if any(map(binds, node.comparators[1:])):
            raise refused(node, self.ctx)
        node.left = self.keep(self.value(node.left))
        node.comparators[0] = self.keep(self.value(node.comparators[0]))
        return node

    # comprehensions --------------------------------------------------------------------------------------------------

    def comprehension(self, node: Any) -> gast.expr:
        """Make a loop that fills a container of a comprehension."""
        if isinstance(node, gast.GeneratorExp) or any(g.is_async for g in node.generators):
            raise refused(node, self.ctx)
        name = self.variable("made")
        start = {"ListComp": "[]", "SetComp": "set()", "DictComp": "{}"}[type(node).__name__]
        self.hoisted.append(template.statement(f"NAME = {start}", at=node, NAME=name))
        if isinstance(node, gast.DictComp):
            add = template.statements("NAME[KEY] = VALUE", at=node, NAME=name, KEY=node.key, VALUE=node.value)
        else:
            method = "append" if isinstance(node, gast.ListComp) else "add"
            add = template.statements(f"NAME.{method}(ITEM)", at=node, NAME=name, ITEM=node.elt)
        self.hoisted += self.rewrite(_loops(node.generators, add, self.ctx))
        return template.expression("NAME", at=node, NAME=name)


def _loops(generators: list[Any], body: list[gast.stmt], ctx: Context) -> list[gast.stmt]:
    """The ``for`` and ``if`` of a comprehension around ``body``; its variables get names of their own."""
    for generator in reversed(generators):
        for test in reversed(generator.ifs):
            body = template.statements("if TEST:\n    BODY", at=test, TEST=test, BODY=body)
        loop = template.statement("for TARGET in ITER:\n    BODY", at=generator.iter, ITER=generator.iter, BODY=body)
        loop.target = generator.target
        body = [loop]
    targets = {n.id for g in generators for n in visiting.walk(g.target) if isinstance(n, gast.Name)}
    rename = _Rename({name: ctx.variable(name) for name in targets})
    first = generators[0].iter  # evaluated outside, where the names are the function's
    body[0].iter = gast.Constant(None, None)
    rename.visit(body[0])
    body[0].iter = first
    return body


class _Rename(visiting.AstTransformer):
    """Names of a comprehension's variables, and of lambdas' parameters that have the same ones."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: gast.Name) -> gast.AST:
        node.id = self.names.get(node.id, node.id)
        return node


def is_path(node: gast.AST) -> bool:
    """``a.b.c``"""
    while isinstance(node, gast.Attribute):
        node = node.value
    return isinstance(node, gast.Name)


def _get(holder: Any, key: Any) -> Any:
    return holder[key] if isinstance(holder, list) else getattr(holder, key)


def _set(holder: Any, key: Any, value: Any) -> None:
    if isinstance(holder, list):
        holder[key] = value
    else:
        setattr(holder, key, value)


def parts(node: gast.AST) -> list[tuple[Any, Any]] | None:
    """The places of the operands of ``node`` in evaluation order; None for an unknown class of nodes."""
    if any(isinstance(n, gast.Starred) or (isinstance(n, gast.keyword) and n.arg is None) for n in visiting.children(node)):
        return None
    fields = _OPERANDS.get(type(node))
    if fields is not None:
        return [(node, field) for field in fields]
    if isinstance(node, gast.Compare):
        return [(node, "left"), (node.comparators, 0)]
    if isinstance(node, gast.Call):
        return [(node, "func"), *((node.args, i) for i in range(len(node.args))), *((k, "value") for k in node.keywords)]
    if isinstance(node, (gast.Tuple, gast.List)):
        return [(node.elts, i) for i in range(len(node.elts))]
    return [(node.values, 0)] if isinstance(node, gast.BoolOp) else None  # whose other operands bind nothing


_OPERANDS = {
    gast.BinOp: ("left", "right"), gast.Subscript: ("value", "slice"), gast.UnaryOp: ("operand",),
    gast.Attribute: ("value",), gast.NamedExpr: ("value",),
}  # fmt: skip
