"""Containers of fixed structure: tuples, named tuples, lists, dicts, dataclasses and plain objects, joined part by part.

A container that existed before a branch keeps its identity; a change of it in the branch is a write (see
`tracing.side_effects`). This module joins containers that the branches or iterations *create*.
"""

from __future__ import annotations

import collections
import copy
import dataclasses
import enum
import itertools
import types
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

from to_static.compiler.frontend.jst import protocol
from to_static.compiler.frontend.jst.protocol import ConstantSpec, ValueSpec, join, unify, value_spec_of
from to_static.compiler.frontend.jst.tracer_queries import is_list, is_tensor, is_union, was_there
from to_static.compiler.frontend.jst.values.undefined import MaybeUndefined
from to_static.compiler.frontend.tracing.trace_context import building, current
from to_static.compiler.ir.tensor import AnyTensor, Tensor
from to_static.core.importing.skiplist import package_of
from to_static.nn.layer import Layer

_DICTS = (dict, collections.OrderedDict)
_MUTABLE = (list, *_DICTS)
_LIBRARIES = ("builtins", "to_static", "numpy", "collections", "functools", "itertools", "types")


class Container(ValueSpec):
    """A container of ``python_type`` with ``keys`` (of a dict, names of attributes) and a spec for each part."""

    __slots__ = ("keys", "parts", "python_type")

    def __init__(self, cls: type, keys: Any, parts: list[ValueSpec]) -> None:
        self.python_type = cls
        self.keys = keys
        self.parts = parts

    def flatten(self, value: object) -> list[Any]:
        return [tensor for spec, part in zip(self.parts, parts_of(value), strict=True) for tensor in spec.flatten(part)]

    def unflatten(self, tensors: Iterator[Any]) -> Any:
        return rebuilt(self.python_type, self.keys, [spec.unflatten(tensors) for spec in self.parts])

    def tensor_specs(self) -> list[Any]:
        return [spec for part in self.parts for spec in part.tensor_specs()]

    def joined(self, other_spec: ValueSpec) -> ValueSpec | None:
        if not isinstance(other_spec, Container) or other_spec.python_type is not self.python_type or other_spec.keys != self.keys:
            return None
        if len(self.parts) != len(other_spec.parts):
            return None
        return Container(self.python_type, self.keys, [join(a, b) for a, b in zip(self.parts, other_spec.parts, strict=True)])

    def key(self) -> Any:
        return ("container", self.python_type, self.keys, tuple(part.key() for part in self.parts))

    def describe(self) -> str:
        length_text = f" of {len(self.parts)}" if issubclass(self.python_type, (tuple, list, dict)) else ""
        return f"a {self.python_type.__name__}{length_text}"


class Anew(ConstantSpec):
    """The spec of a set, deque or array without traced values that a function creates in every call."""

    __slots__ = ()

    def __init__(self, value: object) -> None:
        super().__init__(copy.copy(value))

    def unflatten(self, tensors: Iterator[Any]) -> Any:
        return copy.copy(self.value)


def is_container(value: object) -> bool:
    """True if a value is a container of parts."""
    cls = type(value)
    named = isinstance(value, tuple) and (cls is tuple or (hasattr(cls, "_fields") and not getattr(value, "__dict__", None)))
    return cls in _MUTABLE or named or is_plain_object(value)


def is_plain_object(value: object) -> bool:
    """True for an object of a user's class that consists only of its attributes."""
    cls: Any = type(value)
    if isinstance(value, (type, Layer, Tensor, enum.Enum, BaseException, types.ModuleType, types.FunctionType)):
        return False
    if package_of(cls) in _LIBRARIES:
        return cls is types.SimpleNamespace or isinstance(value, AnyTensor)  # a sparse one: what its fields say
    if cls.__new__ is not object.__new__ or any(base.__module__ == "builtins" for base in cls.__mro__[:-1]):
        return False
    setter = cls.__setattr__ is object.__setattr__ or dataclasses.is_dataclass(cls)
    has_slots = any("__slots__" in vars(k) for k in cls.__mro__[:-1])
    return setter and type(getattr(value, "__dict__", None)) is dict and not has_slots


def keys_of(value: object) -> Any:
    """Return the keys or field names of a container."""
    if isinstance(value, _DICTS):
        return tuple(value)
    return None if isinstance(value, (tuple, list)) else tuple(vars(value))


def parts_of(value: object) -> list[Any]:
    """Return the parts of a container."""
    value = current().effects.resolved(value) if building() else value
    if isinstance(value, Tensor):
        return value  # type: ignore[return-value]  # a list of the Program
    if isinstance(value, (list, tuple)):
        return list(value)
    return list(value.values()) if isinstance(value, _DICTS) else list(vars(value).values())


def rebuilt(cls: type, keys: Any, parts: list[Any]) -> Any:
    """Return a new container of these parts."""
    if cls is list:
        return parts
    if cls is tuple:
        return tuple(parts)
    if issubclass(cls, tuple):
        return tuple.__new__(cls, parts)
    if cls in _DICTS:
        return cls(zip(keys, parts, strict=True))
    instance = cls() if cls is types.SimpleNamespace else object.__new__(cls)
    vars(instance).update(zip(keys, parts, strict=True))
    return instance


@protocol.SPEC_FUNCTIONS.append
def describe_container(value: object) -> ValueSpec | None:
    """Return the spec of a container that has a traced part, or that each run creates."""
    if not is_container(value) or _is_moved(value):
        return None
    keys = keys_of(value)
    if value.__class__ in _DICTS and any(isinstance(key, Tensor) for key in keys):
        return None
    return Container(type(value), keys, [value_spec_of(part) for part in parts_of(value)])


def _is_moved(value: object) -> bool:
    return type(value) is list and building() and current().effects.resolved(value) is not value


@protocol.UNIFIERS.append
def unify_container(spec: ValueSpec, old: object, value: object) -> ValueSpec | None:
    """Unify two containers part by part, so that parts that do not change stay constants."""
    if not is_container(old) or type(old) is not type(value) or _is_moved(old) or _is_moved(value):
        return None
    keys, old_parts, new_parts = keys_of(old), parts_of(old), parts_of(value)
    if keys_of(value) != keys or len(old_parts) != len(new_parts):
        return None
    part_specs = spec.parts if isinstance(spec, Container) else [ConstantSpec(part) for part in old_parts]
    if not isinstance(spec, (ConstantSpec, Container)) or len(part_specs) != len(old_parts):
        return None
    return Container(type(old), keys, [unify(s, a, b) for s, a, b in zip(part_specs, old_parts, new_parts, strict=True)])


def mark_ambiguous(a: object, b: object, merged: object, lives: Callable[[], Collection[int]]) -> None:
    """``made`` came in the place of ``a`` or ``b``, of which one lived before: to which of them a write would go is known only when
    the Program runs. ``lives()`` are the ids of what lived before.
    """
    if type(merged) is MaybeUndefined:
        merged = merged.value if merged.name else a  # our own `result`: nothing is written behind a `return`
    if a is b or merged is a or (merged is b and merged is not None):
        return
    a, b = (x.value if type(x) is MaybeUndefined else x for x in (a, b))
    sources, options = [*_each_of(a), *_each_of(b)], _each_of(merged)
    for source in sources:
        freeze_memory(source, merged)
        parts = parts_of(source) if is_container(source) else ()
        alike: list[Any] = [parts_of(x) for x in options if type(x) is type(source) and is_container(x)]
        for new in alike or [itertools.repeat(None)]:
            for part, new_part in zip(parts, new, strict=False) if isinstance(parts, list) else ():
                mark_ambiguous(part, None, new_part, lives)
    record = current().effects
    sources = [x for x in sources if can_be_shared(x)]
    sources += [record.list_behind(x) for x in sources if record.list_behind(x) is not None]  # names have that one
    if any(record.is_ambiguous(x) or (was_there(x) if is_tensor(x) else id(x) in lives()) for x in sources):
        for option in (merged, *(x for x in options if can_be_shared(x))):
            record.mark_ambiguous_while(option, *sources)


def _each_of(value: Any) -> list[Any]:
    """Return the options of a union; for another value the value alone."""
    return value.options if is_union(value) else [value]


def freeze_memory(value: object, merged: object = None) -> None:
    """Forbid writes to the memory of a view: they would have to change ``made``, too."""
    views = getattr(value, "views", None) if is_tensor(value) else None
    if views is not None:
        current().effects.mark_ambiguous_while(merged, views[0])


def follow(value: object, merged: object) -> None:
    """``made`` came in the place of ``value``, which may be one of several, or a view."""
    if isinstance(merged, tuple) and isinstance(value, tuple):
        for parts in zip(parts_of(value), parts_of(merged), strict=False):
            follow(*parts)
    elif merged is not value:
        freeze_memory(value, merged)
        if current().effects.is_ambiguous(value):
            current().effects.mark_ambiguous_while(merged, value)


def can_be_shared(value: object) -> bool:
    """True for a mutable value, whose changes all its names show."""
    of_python = isinstance(value, (*_MUTABLE, set)) or is_plain_object(value)
    return of_python or is_tensor(value) or is_list(value)


def mark_shared_ambiguous(first: Sequence[object], second: Sequence[object], merged: Sequence[object]) -> None:
    """Mark objects that two variables share on one path but not on the other: writing to one would be ambiguous.

    The arguments are tuples of the variables after each path and after the merge. Tensors shared on both paths are marked,
    too: the merge made two tensors of one.
    """
    for i, a in enumerate(first):
        for j in range(i):
            same_in_first, same_in_second = a is first[j], second[i] is second[j]
            parted = same_in_first is not same_in_second or (same_in_first and merged[i] is not merged[j] and is_tensor(merged[i]))
            if parted and can_be_shared(a) and can_be_shared(second[i]):
                current().effects.mark_ambiguous(merged[i], merged[j])
