"""What functions and classes inside of a translated function are called: ``f.<locals>.inner``, as Python called them.

Errors about arguments and the texts of objects show these names. The translation has functions of its own in between.
"""

from __future__ import annotations

import inspect
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

_Key = tuple[Any, ...]


def with_names_of(code: types.CodeType, qualname: str, original: types.FunctionType, line: Callable[[int], int]) -> types.CodeType:
    """``code``, so far called ``qualname``, with the names of what is inside of ``original``; ``line`` gives the user's line."""
    names: dict[_Key, str] = {}
    for inner, name in _inside(original.__code__, original.__qualname__):
        for key in _keys(inner, inner.co_firstlineno):
            names.setdefault(key, name)
    return _renamed(code, qualname, names, line) if names else code


def _inside(code: types.CodeType, qualname: str) -> Iterator[tuple[types.CodeType, str]]:
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            name = _inner_name(code, qualname, inner)
            yield inner, name
            yield from _inside(inner, name)


def _inner_name(code: types.CodeType, qualname: str, inner: types.CodeType) -> str:
    return f"{qualname}{'.<locals>.' if code.co_flags & inspect.CO_NEWLOCALS else '.'}{inner.co_name}"


def _keys(code: types.CodeType, line: int) -> tuple[_Key, _Key]:
    """What tells a function or class from others, also where another line is its first one (that of a decorator)."""
    count = code.co_argcount + code.co_kwonlyargcount
    key = code.co_name, code.co_varnames[:count]
    return (*key, line), key


def _renamed(code: types.CodeType, qualname: str, names: dict[_Key, str], line: Callable[[int], int]) -> types.CodeType:
    consts: list[Any] = list(code.co_consts)
    for i, inner in enumerate(code.co_consts):
        if isinstance(inner, types.CodeType):
            old = _inner_name(code, qualname, inner)
            exact, alike = _keys(inner, line(inner.co_firstlineno))
            new = names.get(exact) or names.get(alike) or old
            made = _renamed(inner, old, names, line)
            if new != old:
                made = made.replace(co_consts=tuple(new if x == old and type(x) is str else x for x in made.co_consts))
                if sys.version_info >= (3, 11):
                    made = made.replace(co_qualname=new)
                consts = [new if x == old and type(x) is str else x for x in consts]
            consts[i] = made
    return code.replace(co_consts=tuple(consts))
