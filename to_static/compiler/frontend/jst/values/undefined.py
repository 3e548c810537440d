"""`MaybeUndefined`: variables that may have no value after a branch or loop."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from to_static.compiler.frontend.jst import protocol
from to_static.compiler.frontend.jst.protocol import ValueSpec, join, value_spec_of
from to_static.compiler.frontend.jst.tracer_queries import constant, filler
from to_static.compiler.ir import mode
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.core.dtypes import bool_


class Undefined:
    """Stands for a variable that no statement on the path taken has assigned; any use goes through `bound`, which raises."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


class MaybeUndefined:
    """A variable that has a value only where the 0-D boolean tensor ``defined`` is true; ``value`` is filler otherwise."""

    __slots__ = ("defined", "name", "value")

    def __init__(self, name: str, value: object, defined: Tensor) -> None:
        self.name = name
        self.value = value
        self.defined = defined


class MaybeUndefinedSpec(ValueSpec):
    """The spec of a variable that may have no value; a flag says whether it has one."""

    __slots__ = ("name", "value")

    def __init__(self, name: str, value: ValueSpec | None) -> None:
        self.name = name
        self.value = value

    def flatten(self, value: object) -> list[Any]:
        if self.value is None:
            return []
        if type(value) is Undefined:
            return [constant(False, bool_), *map(filler, self.value.tensor_specs())]
        if type(value) is MaybeUndefined:
            return [value.defined, *self.value.flatten(value.value)]
        return [constant(True, bool_), *self.value.flatten(value)]

    def unflatten(self, tensors: Iterator[Any]) -> Any:
        if self.value is None:
            return Undefined(self.name)
        defined = next(tensors)
        value = self.value.unflatten(tensors)
        if mode.building():
            return MaybeUndefined(self.name, value, defined)
        return value if defined.item() else None  # our own `result`: a variable of the user's is asked for before it is handed out

    def tensor_specs(self) -> list[Any]:
        return [] if self.value is None else [TensorSpec((), bool_), *self.value.tensor_specs()]

    def joined(self, other_spec: ValueSpec) -> ValueSpec | None:
        value = other_spec.value if isinstance(other_spec, MaybeUndefinedSpec) else other_spec
        if self.value is None or value is None:
            return MaybeUndefinedSpec(self.name, value or self.value)
        return MaybeUndefinedSpec(self.name, join(self.value, value))

    def key(self) -> Any:
        return ("maybe", None if self.value is None else self.value.key())

    def describe(self) -> str:
        return "not assigned" if self.value is None else f"perhaps {self.value.describe()}"


@protocol.SPEC_FUNCTIONS.append
def describe_unbound(value: object) -> ValueSpec | None:
    """Return the spec of a marker."""
    if type(value) is Undefined:
        return MaybeUndefinedSpec(value.name, None)
    if type(value) is MaybeUndefined:
        return MaybeUndefinedSpec(value.name, value_spec_of(value.value))
    return None


def unbound(name: str = "") -> Undefined:
    """Return the marker for the variable ``name`` before its first assignment; '' for a variable of the translator."""
    return Undefined(name)
