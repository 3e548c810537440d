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

_MOST = 4000  # items of a container
_BYTES = 1 << 16  # of an array
_CODE = (types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.ModuleType, types.CodeType, type, enum.Enum)
_ITEMS = (list, tuple, set, frozenset, collections.deque)


class Structure:
    """The structure of an instance: ``key``, equal for instances with equal structure, and ``parts``, the objects by index."""

    def __init__(self, layers: Iterable[Layer], guards: Guards, complete: bool = True) -> None:
        """``complete``: with everything that the guards have read; else of the Layers alone (for seats), which equals no other
        structure if their attributes hold more than plain values."""
        self._guards = guards
        self._complete = complete
        self.parts: list[Any] = []
        self._numbers: dict[int, int] = {}
        layers = list(layers)
        for layer in layers:
            self._number(layer)
        rows = tuple([self._of_layer(layer) for layer in layers])
        self.key: Any = rows
        if complete:
            self.key = (rows, tuple(map(self._of_place, guards.collected[0])), self._absent(guards))

    @property
    def ids(self) -> set[int]:
        """Ids of the parts."""
        return set(self._numbers)

    def _number(self, thing: Any) -> int:
        number = self._numbers.get(id(thing))
        if number is None:
            number = self._numbers[id(thing)] = len(self.parts)
            self.parts.append(thing)
        return number

    def _of_layer(self, layer: Layer) -> Any:
        own, cls = vars(layer), cast(Any, type(layer))
        forward = own.get("forward")
        if forward is not None and getattr(forward, "_instance", None) is layer and hasattr(type(forward), "dygraph_function"):
            forward = forward._function  # `to_static(layer)` has put it there
        elif forward is not None or own["_forward_pre_hooks"] or own["_forward_post_hooks"]:  # as a rule they know the instance
            return object()
        attributes = plain_attributes if self._complete else only_plain_attributes
        read = attributes(layer, self._guards.names_of(cls), self._guards.not_by_value)
        if read is None:
            return object()
        number = self._number
        row = [cls, forward, layer.training, *read]
        for table in (own["_parameters"], own["_buffers"]):
            if table:
                row += table
                row += [None if tensor is None else number(tensor) for tensor in table.values()]
                row.append(kinds_of(table.values()))
        row += [name in own["_assigned_buffer_names_set"] for name in own["_buffers"]]
        below = own["_sub_layers"]
        row += below
        row += [None if sub is None else number(sub) for sub in below.values()]
        return tuple(row)

    def _of_place(self, source: GuardSource) -> Any:
        key = source.key
        if type(key) is tuple and len(key) == 2 and (key[1] is INPUT or plain_key(source.value) is not NOTHING):
            return source.name, key
        name = source.name if isinstance(source.name, (str, int)) else None
        return self._numbers.get(id(source.owner)), name, source.text, self._of(source.value, 0)

    def _of(self, value: Any, depth: int) -> Any:
        value_key = plain_key(value)
        if value_key is not NOTHING:
            return value_key
        if isinstance(value, _CODE):
            return value if type(value) is not types.MethodType else (value.__func__, self._of(value.__self__, depth))
        if isinstance(value, EagerTensor):
            alike = type(value) in (EagerTensor, Parameter)
            return (self._number(value), kinds_of([value])) if alike else object()
        if isinstance(value, np.ndarray):
            small = value.nbytes <= _BYTES and not value.dtype.hasobject
            return (self._number(value), value.shape, value.dtype, value.tobytes()) if small else object()
        if isinstance(value, Layer):
            is_numbered = id(value) in self._numbers
            return self._number(value) if is_numbered else object()
        if isinstance(value, (*_ITEMS, dict)):
            is_numbered = id(value) in self._numbers
            numbered = type(value), self._number(value)
            if is_numbered or depth > 3 or len(value) > _MOST:
                return numbered if is_numbered else object()
            items = [*value, *value.values()] if isinstance(value, dict) else value
            return (*numbered, tuple([self._of(item, depth + 1) for item in items]))
        cls: Any = type(value)
        return (cls, self._number(value)) if is_looked_into(cls) else _Itself(value)

    @staticmethod
    def _absent(guards: Guards) -> Any:
        return tuple([absent.names for absent in guards.collected[1] if isinstance(absent, AbsenceGuard)])


class _Itself:
    """An object as part of a key."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Itself) and other.value is self.value

    def __hash__(self) -> int:
        return id(self.value)
