"""Names that mean something else outside their class: ``self.__x`` is mangled as Python does it."""

from __future__ import annotations

import gast

from to_static.compiler.frontend.transpile.analysis.static_values import is_plain
from to_static.compiler.frontend.transpile.context import Context
from to_static.compiler.frontend.transpile.pyct import visiting
from to_static.compiler.frontend.transpile.pyct.template import text_of

_NAMES = {gast.Attribute: "attr", gast.Name: "id", gast.FunctionDef: "name", gast.ClassDef: "name"}


def mangle_names(function: gast.FunctionDef, ctx: Context) -> None:
    """Mangle private names of a method; note every construct's first line for its comment."""
    if not ctx.in_class:
        for node in visiting.walk(function):
            field = _NAMES.get(type(node), "")
            if node is not function and getattr(node, field, None):
                setattr(node, field, mangled(getattr(node, field), ctx))
    for node in visiting.walk(function):
        if isinstance(node, (gast.While, gast.For)) or (isinstance(node, gast.If) and not is_plain(node.test, ctx)):
            node.header = _header(node, ctx)


def mangled(name: str, ctx: Context) -> str:
    """The name that Python uses for a private ``name`` inside a class."""
    prefix = "_" + (ctx.class_name or "").lstrip("_")
    return prefix + name if name.startswith("__") and not name.endswith("__") and prefix != "_" else name


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
