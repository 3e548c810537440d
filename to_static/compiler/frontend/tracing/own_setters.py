"""``__setattr__`` of a user's class: which of them a trace may run as they are.

Python calls a setter of its own for ``obj.name = value``, and no translation sees what it does. One that changes its object alone,
by the setter of the class above, by ``object.__setattr__`` or in ``__dict__``, is harmless: all attributes of the object are
announced before it runs, and the names in its code count as read.
"""

from __future__ import annotations

import types
from typing import Any

from to_static.core.bytecode_names import names_mentioned, names_reached
from to_static.core.importing.skiplist import SKIPPED_PACKAGES, package_of
from to_static.nn.layer import Layer

_BUILTINS = frozenset(
    [
        "super", "isinstance", "issubclass", "getattr", "hasattr", "setattr", "object", "type", "len", "str",
        "int", "float", "bool", "list", "tuple", "dict", "set", "callable", "repr", "AttributeError",
        "TypeError", "ValueError", "KeyError", "RuntimeError",
    ]
)  # fmt: skip
_SETTERS = ("__setattr__", "__getattribute__", "__getattr__")


def names_used(cls: type) -> set[str] | None:
    """The names of attributes that the setters of a class read or write; None where one may change more than its object."""
    names: set[str] = set()
    for base in cls.__mro__:
        if base in (Layer, object):
            return names
        setter: Any = vars(base).get("__setattr__")
        setter = getattr(setter, "__wrapped__", setter)
        if setter is None:
            continue
        if type(setter) is not types.FunctionType or not _is_harmless(setter, cls):
            return None
        names |= names_mentioned(setter.__code__)
    return names


def _is_harmless(setter: types.FunctionType, cls: type) -> bool:
    reached, outside = names_reached(setter.__code__), setter.__globals__
    around = {name: cell.cell_contents for name, cell in zip(setter.__code__.co_freevars, setter.__closure__ or (), strict=True)}
    fixed = all(_is_fixed(outside[name], cls) if name in outside else name in _BUILTINS for name in reached.global_names)
    fixed = fixed and all(name not in around or _is_fixed(around[name], cls) for name in reached.cells)
    calls = any(_may_change_more(getattr(cls, name, None)) for name in reached.attributes if name not in _SETTERS)
    return fixed and not calls and not reached.changes


def _is_fixed(value: Any, cls: type) -> bool:
    """True if nothing can be changed in what a name outside stands for; of the class itself attributes are looked at."""
    if isinstance(value, types.ModuleType):
        return value.__name__.split(".")[0] in ("to_static", "numpy", "collections", "typing", "numbers")
    if isinstance(value, tuple):
        return all(_is_fixed(item, cls) for item in value)
    if isinstance(value, type):
        return value in cls.__mro__ or package_of(value) in SKIPPED_PACKAGES
    return isinstance(value, (str, int, float, types.NoneType, frozenset))


def _may_change_more(member: Any) -> bool:
    """True if an attribute of a class is a container, or a method of the user's, of which nobody knows what it does."""
    if isinstance(member, (property, list, dict, set)):
        return True
    function = getattr(member, "__func__", member)
    return isinstance(function, types.FunctionType) and package_of(function) not in SKIPPED_PACKAGES
