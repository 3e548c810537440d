"""``eval(text)`` becomes a call of a function with that expression: ``_jst.evaluated(text, ('a', 'b'), lambda: 0)(a, b)``.

The function gets the variables that the text may read: those that surely have a value there. It is translated as any function is,
when the text is known, so what the text mentions is watched and its conditions may be tensors.
"""

from __future__ import annotations

import gast

from to_static.transpile.analysis.scopes import free_names, local_names, names_of, parameters, walk_scope
from to_static.transpile.context import Context
from to_static.transpile.trees import template, visiting


def run(function: gast.FunctionDef, ctx: Context) -> None:
    """Rewrite the calls in the body of ``function`` in place, but for those that might read a variable without a value."""
    if not any(_reads_frame(node, ctx) for node in walk_scope(function.body)):
        return
    around = free_names(function) & ctx.around
    sure = set(parameters(function))
    all_bound = local_names(function)
    bound = set(sure)  # by what comes before, or perhaps bound
    for i, statement in enumerate(function.body):
        names = names_of([statement])
        there = bound | (names.writes & all_bound if _may_repeat(statement) else set())
        if there <= sure:
            function.body[i] = _Calls(ctx, tuple(sorted(sure | around))).visit(statement)
        bound |= names.writes & all_bound
        sure |= _surely(statement) & all_bound
        if isinstance(statement, gast.Delete):
            sure -= names.writes


def _may_repeat(statement: gast.stmt) -> bool:
    """Whether what the statement binds may be bound already where an expression in it is evaluated."""
    return hasattr(statement, "body")


def _surely(statement: gast.stmt) -> set[str]:
    """The variables that have a value behind the statement, whatever happens in it."""
    if isinstance(statement, (gast.Assign, gast.AugAssign, gast.Import, gast.ImportFrom, gast.FunctionDef, gast.ClassDef)):
        return names_of([statement]).writes
    if isinstance(statement, gast.AnnAssign) and statement.value is not None:
        return names_of([statement]).writes
    return set()


def _reads_frame(node: gast.AST, ctx: Context) -> bool:
    plain = isinstance(node, gast.Call) and isinstance(node.func, gast.Name) and node.func.id == "eval" and ctx.builtin("eval")
    return plain and len(node.args) == 1 and not node.keywords and not isinstance(node.args[0], gast.Starred)


class _Calls(visiting.Transformer):
    def __init__(self, ctx: Context, names: tuple[str, ...]) -> None:
        self.ctx = ctx
        self.names = names

    def visit_Call(self, node: gast.Call) -> gast.AST:
        self.generic_visit(node)
        if not _reads_frame(node, self.ctx):
            return node
        made = template.expression(f"_jst.evaluated(TEXT, {self.names!r}, lambda: 0)", at=node, TEXT=node.args[0])
        args = [template.expression("NAME", at=node, NAME=name) for name in self.names]
        return gast.copy_location(gast.Call(made, args, []), node)

    def visit_FunctionDef(self, node: gast.FunctionDef) -> gast.AST:
        return node  # translated on its own

    visit_Lambda = visit_ClassDef = visit_AsyncFunctionDef = visit_FunctionDef
    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_FunctionDef
