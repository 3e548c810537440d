"""Generator functions, in two forms.

*Pulled*, a generator as Python knows it: constructs with a ``yield`` inside stay Python's, whatever else is translated. *Pushed*, a
function that is handed the loop over it: ``yield v`` becomes ``state = _jst.give(each, state, v)``, which runs the loop's body with
``state``, the loop's variables, and ``if _jst.left(each, state): return state, None`` where the loop may end. So tensors may decide
whether and how often a generator yields. The function returns the loop's variables and what the generator returned.
"""

from __future__ import annotations

import gast

from to_static.transpile import template
from to_static.transpile.context import Context
from to_static.transpile.passes.calls import is_generator
from to_static.transpile.passes.jumps import diverts
from to_static.transpile.passes.spill import YIELDS
from to_static.transpile.scopes import FUNCTIONS, walk_scope


def run(function: gast.FunctionDef, ctx: Context) -> None:
    """Give a generator function its form; ``ctx.pushed`` says which."""
    if not is_generator(function):
        return
    if ctx.pushed:
        for node in walk_scope(function.body):
            if isinstance(node, gast.Try) and node.handlers and _yields(node):  # it would catch errors of the loop
                raise ctx.refuse(node, "`yield` inside of `try` with `except`", "catch errors around the parts that do not yield")
        _Pushed(function, ctx)


def keep(function: gast.FunctionDef, ctx: Context) -> None:
    """Leave the constructs of a pulled generator that yield to Python."""
    if is_generator(function):
        for node in walk_scope(function.body):
            if isinstance(node, (gast.If, gast.While, gast.For)) and _yields(node):
                node.native = True
                if not isinstance(node, gast.For) and not isinstance(node.test, gast.Constant):
                    node.test = template.expression("_jst.decided(TEST)", at=node.test, TEST=node.test)


def _yields(node: gast.AST) -> bool:
    return any(isinstance(n, YIELDS) for n in walk_scope(node))


class _Pushed:
    def __init__(self, function: gast.FunctionDef, ctx: Context) -> None:
        self.ctx = ctx
        self.each, self.state = ctx.fresh("each"), ctx.variable("state")
        self.cleans = False  # inside of something that ends when the generator does
        returns = [n for n in walk_scope(function.body) if isinstance(n, gast.Return) and n.value is not None]
        self.value = ctx.variable("value") if returns else "None"
        body = self.block(function.body)
        start = template.statements(f"{self.value} = None", at=body[0]) if returns else []
        end = [] if diverts(body) else [self.leave(body[-1])]
        function.body = [*start, *body, *end]
        args = function.args.posonlyargs if function.args.posonlyargs else function.args.args
        args[:0] = template.statement(f"def f({self.each}, {self.state}): pass", at=function).args.args
        function.leaves = self.leave(function).value

    def leave(self, at: gast.AST) -> gast.Return:
        return template.statement(f"return {self.state}, {self.value}", at=at)

    def block(self, stmts: list[gast.stmt]) -> list[gast.stmt]:
        return [made for s in stmts for made in self.statement(s)]

    def statement(self, s: gast.stmt) -> list[gast.stmt]:
        if isinstance(s, (*FUNCTIONS, gast.ClassDef)):
            return [s]
        if isinstance(s, gast.Return):
            value = template.statements(f"{self.value} = VALUE", at=s, VALUE=s.value) if s.value is not None else []
            return [*value, self.leave(s)]
        if isinstance(s, (gast.Expr, gast.Assign)) and isinstance(s.value, YIELDS):
            return self.yielded(s)
        cleans, self.cleans = self.cleans, self.cleans or isinstance(s, gast.With) or bool(getattr(s, "finalbody", None))
        for part in ("body", "orelse", "finalbody"):
            if getattr(s, part, None):
                setattr(s, part, self.block(getattr(s, part)))
        self.cleans = cleans
        for handler in getattr(s, "handlers", []):
            handler.body = self.block(handler.body)
        return [s]

    def yielded(self, s: gast.Expr | gast.Assign) -> list[gast.stmt]:
        node = s.value
        text = template.text_of(node).removeprefix("(").removesuffix(")")
        names = {"EACH": self.each, "STATE": self.state}
        nothing = template.expression("None", at=s)
        if isinstance(node, gast.YieldFrom):
            got = self.ctx.variable("got")
            give = "STATE, GOT = _jst.give_all(EACH, STATE, VALUE)"
            out = template.statements(give, at=s, GOT=got, VALUE=node.value, **names)
            s.value = template.expression("GOT", at=s, GOT=got)
        else:
            out = template.statements("STATE = _jst.give(EACH, STATE, VALUE)", at=s, VALUE=node.value or nothing, **names)
            s.value = nothing
        more = ", cleans=True" if self.cleans else ""
        stop = template.statement(f"if _jst.left(EACH, STATE{more}):\n    LEAVE", at=s, LEAVE=[self.leave(s)], **names)
        stop.header = f"`{text}`, where the loop over it may end"
        return [*out, stop, *([s] if isinstance(s, gast.Assign) else [])]
