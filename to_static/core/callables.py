"""Names and modules of callables, whatever made them: Python, C, Cython, NumPy, an object with a ``__call__``.

Cython's functions are like Python's in one version of a library and like C's in the next, partials and caches have no names, and
C may leave any attribute out. So nobody asks a callable by the name of its type.
"""

from __future__ import annotations

from typing import Any


def owner(target: object) -> Any:
    """The object whose method a callable is (for C's functions their module); None for a class, and where there is none."""
    return _attribute_of(target, "__self__", None) if _attribute_of(type(target), "__self__", None) is not None else None


def name(target: object) -> str:
    """The last part of a callable's name: ``append``; that of its type where it has none."""
    told_name = _attribute_of(target, "__name__", None)
    return told_name if isinstance(told_name, str) else type(target).__name__


def full_name(target: object) -> str:
    """A callable's name with those of its classes: ``list.append``."""
    told_name = _attribute_of(target, "__qualname__", None)
    return told_name if isinstance(told_name, str) else name(target)


def module(target: object) -> str:
    """The module that a callable comes from, '' where nothing tells; of a method in C that of its object's class."""
    told_module = _attribute_of(target, "__module__", None)
    if isinstance(told_module, str):
        return told_module
    holder = _attribute_of(target, "__objclass__", None) or type(owner(target))
    told_module = _attribute_of(holder, "__module__", None) if holder is not type(None) else None
    return told_module if isinstance(told_module, str) and told_module != "builtins" else ""


def _attribute_of(target: object, attribute: str, otherwise: object) -> Any:
    try:
        return getattr(target, attribute, otherwise)
    except Exception:  # a property of somebody's, or a library that is loaded when it is asked
        return otherwise
