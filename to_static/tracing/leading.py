"""Where an object leads: its items and attributes, what functions have from outside, classes."""

from __future__ import annotations

import collections
import functools
import sys
import types
from collections.abc import Collection, Iterable, Iterator
from typing import Any

import numpy as np

from to_static.core.libraries import LIBRARIES, package_of
from to_static.ir.tensor import Tensor
from to_static.nn.layer import Layer
from to_static.nn.layer_tree import held

_CODE = (types.FunctionType, staticmethod, classmethod, property, type)
_EMPTY = types.CellType()
ENDS = (str, bytes, int, float, type(None), types.BuiltinFunctionType, types.CodeType, types.ModuleType, np.generic)


def leads_to(value: Any, names: Collection[str] | None = None) -> list[Any]:
    """What a value has: items, attributes, closures, defaults and globals of functions, data of its class.

    ``names``: of attributes only these, and the globals of these names beside a class, for code that mentions no others.
    """
    if isinstance(value, Tensor):
        return list(value.options) if value.several else []  # type: ignore[attr-defined]
    if isinstance(value, ENDS):
        return []
    if hasattr(type(value), "dygraph_function"):  # of a static function Python's; its Programs are none of the user's
        return [value.dygraph_function]
    found: list[Any] = []
    if isinstance(value, dict):
        found += value.values()
    elif isinstance(value, (list, tuple, set, frozenset, collections.deque)):
        found += value
    if isinstance(value, types.MethodType):
        found += [value.__self__, value.__func__]
    elif isinstance(value, functools.partial):
        found += [value.func, value.args, value.keywords]
    elif isinstance(value, type):
        found += () if is_library(value) else _data(value, names)
    elif isinstance(value, types.FunctionType):
        found += [cell.cell_contents for cell in value.__closure__ or () if cell != _EMPTY]
        found += [*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values()]
        if not is_library(value):
            known = [value.__globals__[name] for name in names_in(value.__code__) if name in value.__globals__]
            found += [x for x in known if not isinstance(x, types.FunctionType)]
    else:
        own = getattr(value, "__dict__", None)
        if isinstance(own, dict):
            found += _named(own, names)
        if isinstance(value, Layer) and names is not None:
            found += [held(value, name)[1] for name in names]
        kind = type(value)
        if not is_library(kind):
            slots = [name for k in kind.__mro__ for name in _slots(k) if name != "_LayerTree__watched"]  # (that is ours)
            found += [getattr(value, name, None) for name in slots if names is None or name in names]
            found.append(kind)
    return found


def _named(space: dict[str, Any], names: Collection[str] | None) -> Iterable[Any]:
    return space.values() if names is None else [space[name] for name in names if name in space]


def _data(kind: type, names: Collection[str] | None) -> list[Any]:
    """What a class and its bases hold beside code."""
    bases = [k for k in kind.__mro__ if not is_library(k)]
    found = [x for k in bases for x in _named(dict(vars(k)), names)]
    if names is not None:
        modules = [sys.modules[k.__module__] for k in bases if k.__module__ in sys.modules]
        found += [x for module in modules for x in _named(vars(module), names)]
    return [x for x in found if not isinstance(x, _CODE)]


def is_library(value: Any) -> bool:
    """Whether a class or function is none of the user's."""
    return package_of(value) in LIBRARIES


def _slots(kind: type) -> Any:
    names = vars(kind).get("__slots__", ())
    return (names,) if isinstance(names, str) else names


def names_in(code: types.CodeType) -> Iterable[str]:
    """The names of globals and attributes that code mentions."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from names_in(constant)


def functions_from(function: types.FunctionType, kind: Any = None, but: Collection[str] = ()) -> Iterator[types.FunctionType]:
    """A function, and the user's ones that it leads to by names: methods and properties of ``kind``, functions of its module."""
    todo, seen = [function], {function}
    while todo:
        function = todo.pop()
        yield function
        names, space = set(names_in(function.__code__)) - set(but), function.__globals__
        found = [x for name in names for x in (getattr(kind, name, None), space.get(name))]
        found += [x.fget for x in found if isinstance(x, property)]
        more = {x for x in found if isinstance(x, types.FunctionType) and not is_library(x)} - seen
        seen |= more
        todo += more
