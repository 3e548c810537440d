"""The structure of an instance: everything that Programs depend on, with indices in the place of its objects.

Two instances of a class with the same structure run the same Program, each on its own ``parts``: Layers, parameters, buffers,
lists and objects, in the order of the walk. The structure says which parts are the same object. Everything else (functions,
classes, objects of libraries) is part of it by identity.
"""

from __future__ import annotations

import collections
import enum
import types
from collections.abc import Iterable
from typing import Any, cast

import numpy as np

from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.frontend.function.program.template import kinds_of
from to_static.compiler.frontend.tracing.guards import AbsenceGuard, Guards, GuardSource, is_looked_into
from to_static.compiler.frontend.tracing.input_places import INPUT
from to_static.compiler.frontend.tracing.name_usage import NOTHING, only_plain_attributes, plain_attributes, plain_key
from to_static.nn.layer import Layer
from to_static.nn.parameter import Parameter

_MOST = 4000  # the most items of a container
_BYTES = 1 << 16  # the most bytes of an array
_CODE = (types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.ModuleType, types.CodeType, type, enum.Enum)
_ITEMS = (list, tuple, set, frozenset, collections.deque)


class Structure:
    """The structure of an instance: ``key``, equal for instances with equal structure, and ``parts``, the objects by index."""

    def __init__(self, layers: Iterable[Layer], guards: Guards, complete: bool = True) -> None:
        """``complete``: include every place that the guards read. Otherwise the structure is that of the Layers alone (for seats).

        It then equals no other structure if an attribute of a Layer is not plain.
        """
        self._guards = guards
        self._complete = complete
        self.parts: list[Any] = []
        self._indices: dict[int, int] = {}
        layers = list(layers)
        for layer in layers:
            self._index_of(layer)
        rows = tuple([self._layer_structure(layer) for layer in layers])
        self.key: Any = rows
        if complete:
            self.key = (rows, tuple(map(self._place_structure, guards.collected[0])), self._absent(guards))

    @property
    def ids(self) -> set[int]:
        """The ids of the parts."""
        return set(self._indices)

    def _index_of(self, thing: Any) -> int:
        """Return the index of an object among the parts, to which it is added."""
        index = self._indices.get(id(thing))
        if index is None:
            index = self._indices[id(thing)] = len(self.parts)
            self.parts.append(thing)
        return index

    def _layer_structure(self, layer: Layer) -> Any:
        """The structure of a Layer: class, mode, attributes, parameters, buffers, sublayers; an ``object`` if it has hooks."""
        attributes, cls = vars(layer), cast(Any, type(layer))
        forward = attributes.get("forward")
        if forward is not None and getattr(forward, "_instance", None) is layer and hasattr(type(forward), "dygraph_function"):
            forward = forward._function  # `to_static(layer)` has put it there
        elif forward is not None or attributes["_forward_pre_hooks"] or attributes["_forward_post_hooks"]:
            return object()  # such functions usually refer to the instance
        read_attributes = plain_attributes if self._complete else only_plain_attributes
        read = read_attributes(layer, self._guards.names_of(cls), self._guards.not_by_value)
        if read is None:
            return object()
        index_of = self._index_of
        row = [cls, forward, layer.training, *read]
        for table in (attributes["_parameters"], attributes["_buffers"]):
            if table:
                row += table
                row += [None if tensor is None else index_of(tensor) for tensor in table.values()]
                row.append(kinds_of(table.values()))
        row += [name in attributes["_assigned_buffer_names_set"] for name in attributes["_buffers"]]
        sublayers = attributes["_sub_layers"]
        row += sublayers
        row += [None if sub is None else index_of(sub) for sub in sublayers.values()]
        return tuple(row)

    def _place_structure(self, source: GuardSource) -> Any:
        """The structure of a guarded place: its owner by index, its name, and the structure of its value."""
        key = source.key
        if type(key) is tuple and len(key) == 2 and (key[1] is INPUT or plain_key(source.value) is not NOTHING):
            return source.name, key
        name = source.name if isinstance(source.name, (str, int)) else None
        return self._indices.get(id(source.owner)), name, source.text, self._value_structure(source.value, 0)

    def _value_structure(self, value: Any, depth: int) -> Any:
        """The structure of a value, in ``depth`` containers. An ``object``, which equals no other structure, if it has none."""
        value_key = plain_key(value)
        if value_key is not NOTHING:
            return value_key
        if isinstance(value, _CODE):
            return value if type(value) is not types.MethodType else (value.__func__, self._value_structure(value.__self__, depth))
        if isinstance(value, EagerTensor):
            is_library_type = type(value) in (EagerTensor, Parameter)
            return (self._index_of(value), kinds_of([value])) if is_library_type else object()
        if isinstance(value, np.ndarray):
            is_small = value.nbytes <= _BYTES and not value.dtype.hasobject
            return (self._index_of(value), value.shape, value.dtype, value.tobytes()) if is_small else object()
        if isinstance(value, Layer):
            is_indexed = id(value) in self._indices
            return self._index_of(value) if is_indexed else object()
        if isinstance(value, (*_ITEMS, dict)):
            is_indexed = id(value) in self._indices
            indexed = type(value), self._index_of(value)
            if is_indexed or depth > 3 or len(value) > _MOST:
                return indexed if is_indexed else object()
            items = [*value, *value.values()] if isinstance(value, dict) else value
            return (*indexed, tuple([self._value_structure(item, depth + 1) for item in items]))
        cls: Any = type(value)
        return (cls, self._index_of(value)) if is_looked_into(cls) else _IdentityKey(value)

    @staticmethod
    def _absent(guards: Guards) -> Any:
        """The names that guarded namespaces lack."""
        return tuple([absent.names for absent in guards.collected[1] if isinstance(absent, AbsenceGuard)])


class _IdentityKey:
    """An object as part of a key, compared by identity."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _IdentityKey) and other.value is self.value

    def __hash__(self) -> int:
        return id(self.value)
