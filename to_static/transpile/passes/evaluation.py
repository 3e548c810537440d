"""``eval(text)`` becomes ``_jst.evaluated(text, ('a', 'b'), lambda: 0)``: the value of that expression in the module.

The names are those of local variables, which the text may not read: where they are is for the translation to say.
"""

from __future__ import annotations

import gast

from to_static.transpile.analysis.scopes import free_names, local_names
from to_static.transpile.context import Context
from to_static.transpile.trees import template, visiting


def run(function: gast.FunctionDef, ctx: Context) -> None:
    """Rewrite the calls in the body of ``function`` in place."""
    calls = _Calls(ctx, tuple(sorted(local_names(function) | free_names(function) & ctx.around)))
    function.body = [calls.visit(statement) for statement in function.body]


class _Calls(visiting.Transformer):
    def __init__(self, ctx: Context, names: tuple[str, ...]) -> None:
        self.ctx = ctx
        self.names = names

    def visit_Call(self, node: gast.Call) -> gast.AST:
        self.generic_visit(node)
        named = isinstance(node.func, gast.Name) and node.func.id == "eval" and self.ctx.builtin("eval")
        if not named or len(node.args) != 1 or node.keywords or isinstance(node.args[0], gast.Starred):
            return node
        return template.expression(f"_jst.evaluated(TEXT, {self.names!r}, lambda: 0)", at=node, TEXT=node.args[0])

    def visit_FunctionDef(self, node: gast.FunctionDef) -> gast.AST:
        return node  # translated on its own

    visit_Lambda = visit_ClassDef = visit_AsyncFunctionDef = visit_FunctionDef
    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_FunctionDef
