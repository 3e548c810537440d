"""``eval`` of an expression: a function with that text, which is translated like functions in files are."""

from __future__ import annotations

import itertools
import linecache
import types
from typing import Any

from to_static.core.expressions import quoted
from to_static.tracing.graph_break import broken

_count = itertools.count(1)
_made: dict[tuple[str, tuple[str, ...], int], types.FunctionType] = {}  # the function keeps the globals, whose id is in the key


def evaluated(text: Any, names: tuple[str, ...], here: types.FunctionType) -> Any:
    """The function of the variables ``names`` that gives the value of the expression ``text`` in the module of ``here``.

    Raises SyntaxError, as ``eval`` does, for what is no expression.
    """
    if type(text) is not str:
        raise broken(f"eval() of a {type(text).__name__}{quoted()}, whose text is not known", "the code itself")
    key = (text, names, id(here.__globals__))
    if key not in _made:
        compile(text.lstrip(" \t"), "<string>", "eval", dont_inherit=True)
        lines = f"def eval_({', '.join(names)}):\n    return ({text.strip()}\n    )\n"
        file = f"<eval {next(_count)}>"
        linecache.cache[file] = (len(lines), None, lines.splitlines(keepends=True), file)
        space: dict[str, Any] = {}
        exec(compile(lines, file, "exec", dont_inherit=True), here.__globals__, space)
        _made[key] = space["eval_"]
    return _made[key]
