"""Names of variables for messages, read from the translated source, in which the assignment follows the function of a block."""

from __future__ import annotations

import ast
import functools
import re

from to_static.core.diagnostics.source_lines import lines_in
from to_static.core.diagnostics.source_location import is_internal, resolve

RETURNED = ("the returned value",)


def receivers(function: object, count: int) -> list[str]:
    """Return the names that ``a, b = _jst.if_(test, function, ...)`` assigns; 'result 1', ... if they are not known."""
    code = getattr(getattr(function, "func", function), "__code__", None)
    if code is not None and not is_internal(code.co_filename):
        targets = _assigned(code.co_filename, code.co_firstlineno, code.co_name)
        if targets is RETURNED:
            return [*targets] * count
        if len(targets) == count:
            words = _words(resolve(code.co_filename, code.co_firstlineno).file)
            return [name if name in words else "a value" for name in targets]  # unless the translator made it up
    return ["the result"] if count == 1 else [f"result {i + 1}" for i in range(count)]


@functools.lru_cache(maxsize=32)
def _words(file: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", "".join(lines_in(file))))


@functools.lru_cache(maxsize=1024)
def _assigned(file: str, line: int, name: str) -> tuple[str, ...]:
    """Return the targets of the statement whose call gets the function on this line; `RETURNED` for a ``return``."""
    try:
        nodes = list(ast.walk(ast.parse("".join(lines_in(file)))))
    except SyntaxError:
        return ()
    ends = [n.end_lineno or 0 for n in nodes if isinstance(n, ast.FunctionDef) and (n.lineno, n.name) == (line, name)]
    statements = [n for n in nodes if isinstance(n, (ast.Return, ast.Assign)) and isinstance(n.value, ast.Call)]
    if ends:
        mentions = lambda n: any(isinstance(x, ast.Name) and x.id == name for x in n.value.args)  # noqa: E731
        candidates = [n for n in statements if n.lineno > ends[0] and mentions(n)]
    else:  # a lambda
        candidates = [n for n in statements if n.lineno <= line <= (n.end_lineno or 0)]
    if not candidates:
        return ()
    first = min(candidates, key=lambda n: n.lineno)
    if isinstance(first, ast.Return):
        return RETURNED
    target = first.targets[0]
    return tuple(x.id for x in (target.elts if isinstance(target, ast.Tuple) else [target]) if isinstance(x, ast.Name))
