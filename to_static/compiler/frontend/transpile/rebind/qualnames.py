"""Qualified names of functions and classes inside of a translated function: ``f.<locals>.inner``, as Python gave them.

Errors about arguments and the texts of objects show these names. The translation has functions of its own in between.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator


def with_names_of(code: types.CodeType, qualname: str, original: types.FunctionType) -> types.CodeType:
    """Return ``code`` with the qualified names of the nested functions of ``original``; ``qualname`` is the present prefix."""
    inside = f"{qualname}.<locals>."
    own_names = set(_names(original.__code__))

    def name(old: str) -> str:
        *around, last = old.removeprefix(inside).split(".<locals>.")
        return ".<locals>.".join([original.__qualname__, *(part for part in around if part.split(".")[0] in own_names), last])

    def renamed(code: types.CodeType) -> types.CodeType:
        new_code = code.replace(co_consts=tuple(
            renamed(c) if isinstance(c, types.CodeType) else name(c) if type(c) is str and c.startswith(inside) else c
            for c in code.co_consts
        ))  # fmt: skip
        if sys.version_info >= (3, 11) and new_code.co_qualname.startswith(inside):
            new_code = new_code.replace(co_qualname=name(new_code.co_qualname))
        return new_code

    return renamed(code)


def _names(code: types.CodeType) -> Iterator[str]:
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            yield inner.co_name
            yield from _names(inner)
