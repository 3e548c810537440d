"""``assert test, message`` -> ``_jst.assert_(test, lambda: message)``: checked when the Program runs if the test is a tensor."""

from __future__ import annotations

from typing import Any

import gast

from to_static.compiler.frontend.transpile.analysis.activity import OneFunction
from to_static.compiler.frontend.transpile.analysis.static_values import is_plain
from to_static.compiler.frontend.transpile.context import Context
from to_static.compiler.frontend.transpile.passes.logic import thunk
from to_static.compiler.frontend.transpile.pyct import template


def convert_asserts(function: gast.FunctionDef, ctx: Context) -> None:
    """Rewrite the assertions in the body of ``function`` in place."""
    rewriter = _Asserts(ctx)
    function.body = [rewriter.visit(s) for s in function.body]


class _Asserts(OneFunction):
    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx

    def visit_Assert(self, node: gast.Assert) -> Any:
        if is_plain(node.test, self.ctx):
            return node
        node.test.truth = True
        message = [] if node.msg is None else [thunk(node.msg)]
        return template.statement("_jst.assert_(TEST, REST)", at=node, TEST=node.test, REST=message)
