"""Names of variables for messages. They are read from the translated text, and only when an error is about to be raised."""

from __future__ import annotations

import ast
import linecache
import sys

from to_static.core.site import is_internal


def receivers(count: int) -> list[str]:
    """Names that the running ``a, b = _jst.if_(...)`` statement assigns; 'result 1', ... when they can't be told."""
    unknown = ["the result"] if count == 1 else [f"result {i + 1}" for i in range(count)]
    frame = sys._getframe(1)
    while frame is not None and is_internal(frame.f_code.co_filename):
        frame = frame.f_back  # type: ignore[assignment]
    if frame is None:
        return unknown
    text = "".join(linecache.getlines(frame.f_code.co_filename, frame.f_globals))
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return unknown
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and node.lineno <= frame.f_lineno <= (node.end_lineno or 0):
            if isinstance(node, ast.Return):
                unknown = ["the returned value"] * count
            if isinstance(node, ast.Assign) and len(node.targets) == 1:
                target = node.targets[0]
                parts = target.elts if isinstance(target, ast.Tuple) else [target]
                names = [p.id for p in parts if isinstance(p, ast.Name)]
                if len(names) == count:
                    return names
    return unknown
