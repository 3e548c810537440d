"""Excludes generators: a construct with a ``yield`` inside stays a Python statement."""

from __future__ import annotations

import gast

from to_static.compiler.frontend.transpile.analysis.activity import walk_scope
from to_static.compiler.frontend.transpile.analysis.bindings import is_generator
from to_static.compiler.frontend.transpile.context import Context
from to_static.compiler.frontend.transpile.passes.anf import YIELDS
from to_static.compiler.frontend.transpile.pyct import template


def mark_generators(function: gast.FunctionDef, ctx: Context) -> None:
    """Leave the constructs that yield to Python, in place; conditions of theirs that are tensors are refused."""
    if is_generator(function):
        for node in walk_scope(function.body):
            if isinstance(node, (gast.If, gast.While, gast.For)) and any(isinstance(n, YIELDS) for n in walk_scope(node)):
                node.native = True
                if not isinstance(node, gast.For) and not isinstance(node.test, gast.Constant):
                    node.test = template.expression("_jst.decided(TEST)", at=node.test, TEST=node.test)
