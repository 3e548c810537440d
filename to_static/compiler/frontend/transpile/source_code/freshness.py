"""Checks that a text is the source of a function, because files may change while a program runs."""

from __future__ import annotations

import ast
import inspect
import os
import time
import types

from to_static.core.caching.identity_cache import cached_by_identity
from to_static.core.code_generation import compiled

_STARTED = time.time()


def doubtful(file: str) -> bool:
    """True for a file that was written since this process began, and for a text that is not in a file."""
    try:
        return os.stat(file).st_mtime >= _STARTED - 1
    except (OSError, ValueError):
        return file.startswith("<")


def holds(tree: ast.Module, code: types.CodeType) -> bool:
    """True if the text compiles to the code of this function."""
    codes = _codes(tree)
    return codes is None or any(alike(candidate, code) for candidate in codes if candidate.co_name == code.co_name)


@cached_by_identity()
def _codes(tree: ast.Module) -> list[types.CodeType] | None:
    try:
        return _all([compiled(tree, "<text>")])
    except (SyntaxError, ValueError):  # a notebook's cell with `await` in it
        return None


def _all(codes: list[types.CodeType]) -> list[types.CodeType]:
    return [c for code in codes for c in (code, *_all([c for c in code.co_consts if isinstance(c, types.CodeType)]))]


def alike(a: types.CodeType, b: types.CodeType) -> bool:
    """True if two code objects do the same with the same names and constants, wherever they are."""
    return _placeless(a) == _placeless(b)


def _placeless(code: types.CodeType) -> types.CodeType:
    """Return the code without its file, lines and future features."""
    inner = tuple(
        _placeless(c) if isinstance(c, types.CodeType) else c.rpartition("<locals>.")[2] if isinstance(c, str) else c
        for c in code.co_consts  # Python 3.10 has the whole names of inner functions there
    )
    return code.replace(
        co_filename="", co_firstlineno=1, co_linetable=b"", co_consts=inner, co_flags=inspect.CO_OPTIMIZED | inspect.CO_NEWLOCALS
    )
