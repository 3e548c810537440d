"""The object graph: the objects to which an object refers, through items, attributes, closures, globals and its class.

The undo log and the checks of untranslated code walk it to find out what code can reach.
"""

from __future__ import annotations

import collections
import functools
import sys
import types
from collections.abc import Collection, Iterable, Iterator
from typing import Any

import numpy as np

from to_static.compiler.ir.tensor import Tensor
from to_static.core.importing.skiplist import SKIPPED_PACKAGES, package_of
from to_static.nn.layer import Layer
from to_static.nn.layer_tree import slot_of

_CODE = (types.FunctionType, staticmethod, classmethod, property, type)
_EMPTY = types.CellType()
ENDS = (str, bytes, int, float, type(None), types.BuiltinFunctionType, types.CodeType, types.ModuleType, np.generic)


def referents(value: Any, names: Collection[str] | None = None) -> list[Any]:
    """The values to which a value refers: items, attributes, closures, defaults and globals of functions, data of its class.

    ``names``: only attributes with these names, and the globals with these names in the module of the class. Use it for code
    that mentions no other names.
    """
    if isinstance(value, Tensor):
        return list(value.options) if value.is_union else []  # type: ignore[attr-defined]
    if isinstance(value, ENDS):
        return []
    if hasattr(type(value), "dygraph_function"):  # a static function: its Programs are not the user's objects
        return [value.dygraph_function]
    reached: list[Any] = []
    if isinstance(value, dict):
        reached += value.values()
    elif isinstance(value, (list, tuple, set, frozenset, collections.deque)):
        reached += value
    if isinstance(value, types.MethodType):
        reached += [value.__self__, value.__func__]
    elif isinstance(value, functools.partial):
        reached += [value.func, value.args, value.keywords]
    elif isinstance(value, type):
        reached += () if is_library(value) else _data(value, names)
    elif isinstance(value, types.FunctionType):
        reached += [cell.cell_contents for cell in value.__closure__ or () if cell != _EMPTY]
        reached += [*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values()]
        if not is_library(value):
            global_values = [value.__globals__[name] for name in names_in(value.__code__) if name in value.__globals__]
            reached += [x for x in global_values if not isinstance(x, types.FunctionType)]
    else:
        attributes = getattr(value, "__dict__", None)
        if isinstance(attributes, dict):
            reached += _named(attributes, names)
        if isinstance(value, Layer) and names is not None:
            reached += [slot_of(value, name)[1] for name in names]
        cls = type(value)
        if not is_library(cls):
            slots = [name for k in cls.__mro__ for name in _slots(k) if name != "_LayerTree__watched"]  # (not the user's)
            reached += [getattr(value, name, None) for name in slots if names is None or name in names]
            reached.append(cls)
    return reached


def _named(space: dict[str, Any], names: Collection[str] | None) -> Iterable[Any]:
    """The values of a namespace with these names; all values for None."""
    return space.values() if names is None else [space[name] for name in names if name in space]


def _data(cls: type, names: Collection[str] | None) -> list[Any]:
    """The data of a class and its bases, without code."""
    bases = [k for k in cls.__mro__ if not is_library(k)]
    members = [x for k in bases for x in _named(dict(vars(k)), names)]
    if names is not None:
        modules = [sys.modules[k.__module__] for k in bases if k.__module__ in sys.modules]
        members += [x for module in modules for x in _named(vars(module), names)]
    return [x for x in members if not isinstance(x, _CODE)]


def is_library(value: object) -> bool:
    """True if a class or function belongs to a library that is not translated."""
    return package_of(value) in SKIPPED_PACKAGES


def _slots(cls: type) -> Any:
    """The names that a class declares in ``__slots__``."""
    names = vars(cls).get("__slots__", ())
    return (names,) if isinstance(names, str) else names


def names_in(code: types.CodeType) -> Iterable[str]:
    """The names of globals and attributes that code mentions."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from names_in(constant)


def functions_from(function: types.FunctionType, cls: object = None, but: Collection[str] = ()) -> Iterator[types.FunctionType]:
    """Yield a function, and the user's functions that its code can call by name, directly or through others.

    These are methods and properties of ``cls``, and functions of its module, except those named in ``but``.
    """
    todo, visited = [function], {function}
    while todo:
        function = todo.pop()
        yield function
        names, space = set(names_in(function.__code__)) - set(but), function.__globals__
        members = [x for name in names for x in (getattr(cls, name, None), space.get(name))]
        members += [x.fget for x in members if isinstance(x, property)]
        callees = {x for x in members if isinstance(x, types.FunctionType) and not is_library(x)} - visited
        visited |= callees
        todo += callees
