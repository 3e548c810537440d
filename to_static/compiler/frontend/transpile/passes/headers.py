"""Stores the first line of each construct, for the comments in the translated source."""

from __future__ import annotations

import gast

from to_static.compiler.frontend.transpile.analysis.static_values import is_plain
from to_static.compiler.frontend.transpile.context import Context
from to_static.compiler.frontend.transpile.pyct import visiting
from to_static.compiler.frontend.transpile.pyct.template import text_of


def note_headers(function: gast.FunctionDef, ctx: Context) -> None:
    """Note the first line of every construct for its comment."""
    for node in visiting.walk(function):
        if isinstance(node, (gast.While, gast.For)) or (isinstance(node, gast.If) and not is_plain(node.test, ctx)):
            node.header = _header(node, ctx)


def _header(node: gast.stmt, ctx: Context) -> str:
    """The user's own header line when it is one line, else what it says; shortened. For an `if` that is none of his, his line."""
    line = ctx.lines[node.lineno - 1].split("#")[0].strip() if node.lineno <= len(ctx.lines) else ""
    bare = isinstance(node, gast.If) and not (hasattr(node, "header") or line.startswith(("if", "elif", "while", "case")))
    if bare or (line.endswith(":") and line.startswith(("if ", "elif ", "while ", "for ", "case "))):
        text = line.rstrip(":")
    elif isinstance(node, gast.For):
        text = f"for {text_of(node.target)} in {text_of(node.iter)}"
    else:
        text = getattr(node, "header", "") or f"{'if' if isinstance(node, gast.If) else 'while'} {text_of(node.test)}"
    return text if len(text) <= 70 else text[:67] + "..."
