"""Names of variables for messages, read from the translated text."""

from __future__ import annotations

import ast
import functools
import linecache
import re
import sys
import types
import weakref
from typing import Any

from to_static.core.site import capture, is_internal

RETURNED = "the returned value"
# code -> line -> what `_assigned` says of it: a loop asks once for each part that it carries
_found: weakref.WeakKeyDictionary[types.CodeType, dict[int, list[str] | str]] = weakref.WeakKeyDictionary()


def receivers(count: int) -> list[str]:
    """Names that the running ``a, b = _jst.if_(...)`` statement assigns; 'result 1', ... when they can't be told."""
    frame: Any = sys._getframe(1)
    while frame is not None and is_internal(frame.f_code.co_filename):
        frame = frame.f_back
    found: list[str] | str = ""
    if frame is not None:
        known = _found.setdefault(frame.f_code, {})
        if frame.f_lineno not in known:
            known[frame.f_lineno] = _assigned(
                linecache.getlines(frame.f_code.co_filename, frame.f_globals), frame.f_lineno
            )
        found = known[frame.f_lineno]
    if isinstance(found, list) and len(found) == count:
        return [users_name(name) for name in found]
    if found == RETURNED:
        return [found] * count
    return ["the result"] if count == 1 else [f"result {i + 1}" for i in range(count)]


def users_name(name: str) -> str:
    """``name``, unless the translator made it up."""
    where = capture()
    return "a value" if where is not None and name not in _words(where.file) else name


@functools.lru_cache(maxsize=32)
def _words(file: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", "".join(linecache.getlines(file))))


def _assigned(lines: list[str], line: int) -> list[str] | str:
    """The names that the statement there assigns, `RETURNED` for a ``return``, '' when it can't be told."""
    try:
        tree = ast.parse("".join(lines))
    except SyntaxError:
        return ""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Return, ast.Assign)) and node.lineno <= line <= (node.end_lineno or 0):
            if isinstance(node, ast.Return):
                return RETURNED
            if len(node.targets) == 1:
                target = node.targets[0]
                parts = target.elts if isinstance(target, ast.Tuple) else [target]
                return [p.id for p in parts if isinstance(p, ast.Name)]
    return ""
