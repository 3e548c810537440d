"""Whether a text is the one that a function was compiled from: files change while programs run."""

from __future__ import annotations

import ast
import os
import time
import types
from typing import Any

_STARTED = time.time()
_compiled: dict[int, tuple[ast.Module, list[types.CodeType]]] = {}  # by id of the tree, which is kept alive


def doubtful(file: str) -> bool:
    """True for files written since this process began, and for texts that are no files."""
    try:
        return os.stat(file).st_mtime >= _STARTED - 1
    except (OSError, ValueError):
        return file.startswith("<")


def holds(tree: ast.Module, code: types.CodeType) -> bool:
    """Whether compiling the text makes this very function."""
    known = _compiled.get(id(tree))
    if known is None:
        try:
            known = (tree, _all([compile(tree, "<text>", "exec", dont_inherit=True)]))
        except (SyntaxError, ValueError):  # a notebook's cell with `await` in it
            return True
        _compiled[id(tree)] = known
    return any(_alike(made, code) for made in known[1] if made.co_name == code.co_name)


def _all(codes: list[types.CodeType]) -> list[types.CodeType]:
    return [c for code in codes for c in (code, *_all([c for c in code.co_consts if isinstance(c, types.CodeType)]))]


def _alike(a: types.CodeType, b: types.CodeType) -> bool:
    """Whether two code objects do the same with the same names and constants, wherever they are."""
    return (
        a.co_code == b.co_code
        and (a.co_names, a.co_varnames, a.co_freevars, a.co_cellvars) == (b.co_names, b.co_varnames, b.co_freevars, b.co_cellvars)
        and len(a.co_consts) == len(b.co_consts)
        and all(map(_same, a.co_consts, b.co_consts))
    )


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, types.CodeType) and isinstance(b, types.CodeType):
        return _alike(a, b)
    return type(a) is type(b) and repr(a) == repr(b)
