"""``eval`` of an expression: translated like a function with this text."""

from __future__ import annotations

import ast
import itertools
import linecache
import types
from typing import Any

from to_static.compiler.frontend.jst.calls.converted_call import call
from to_static.compiler.frontend.tracing.graph_break import broken
from to_static.core.code_generation import lines_of
from to_static.core.diagnostics.source_expressions import in_expression

_count = itertools.count(1)
_compiled: dict[tuple[str, int], types.FunctionType] = {}  # the function keeps the globals, whose id is in the key


def evaluated(text: object, names: tuple[str, ...], caller: types.FunctionType) -> Any:
    """Return the value of the expression ``text`` in the module of ``caller``. Raises SyntaxError as ``eval`` does.

    A text that reads ``names``, which are local variables, is a graph break.
    """
    if type(text) is not str:
        raise broken(
            f"eval() of a {type(text).__name__}{in_expression()}, which is not a string known during the trace",
            "the expression itself",
        )
    tree = ast.parse(text.lstrip(" \t"), "<string>", "eval")
    if read := {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}.intersection(names):
        raise broken(
            f"eval() reads the local variable {min(read)!r} by its name{in_expression()}",
            "the expression itself in place of the text",
        )
    key = (text, id(caller.__globals__))
    if key not in _compiled:
        lines = f"def eval_():\n    return ({text.strip()}\n    )\n"
        file = f"<eval {next(_count)}>"
        linecache.cache[file] = (len(lines), None, lines_of(lines), file)
        space: dict[str, Any] = {}
        exec(compile(lines, file, "exec", dont_inherit=True), caller.__globals__, space)
        _compiled[key] = space["eval_"]
    return call(_compiled[key])()
