"""Context managers of ``with`` statements: whether they are a library's, and whether they may suppress an error."""

from __future__ import annotations

import gast

from to_static.compiler.frontend.transpile.analysis.activity import walk_scope
from to_static.compiler.frontend.transpile.context import Context


def mark_suppressing(function: gast.FunctionDef, ctx: Context) -> None:
    """Mark each ``with`` of ``function`` that does not suppress exceptions: control leaves it only from the end of its body."""
    for s in walk_scope(function.body):
        if isinstance(s, gast.With):
            s.passes = not any(may_suppress(item.context_expr, ctx) for item in s.items)


def suppresses(s: gast.AST) -> bool:
    """True if an error in the body of this ``with`` may end there."""
    return isinstance(s, gast.With) and not getattr(s, "passes", False)


_ASKED = ("ExitStack", "catch_warnings")  # what these do while tracing is for the run to say


def called(node: gast.Call) -> str:
    """Return the dotted name of the called function."""
    return getattr(node.func, "attr", getattr(node.func, "id", ""))


def of_library(manager: gast.expr, ctx: Context) -> bool:
    """True if a context manager is a library's and calls no code of the user. Of these, only `suppress` suppresses errors."""
    return isinstance(manager, gast.Call) and ctx.library(manager.func) and called(manager) not in _ASKED


def may_suppress(manager: gast.expr, ctx: Context) -> bool:
    """True if a context manager may suppress an error."""
    return not of_library(manager, ctx) or called(manager) == "suppress"  # type: ignore[arg-type]
