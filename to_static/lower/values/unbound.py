"""Variables that may have no value: what translated code holds where Python would have no variable."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from to_static.core.dtypes import bool_
from to_static.ir import mode
from to_static.ir.spec import TensorSpec
from to_static.lower import protocol
from to_static.lower.protocol import Spec, describe, join
from to_static.lower.traced import constant, filler


class Unbound:
    """Stands for a variable that no statement on the path taken has assigned; any use goes through `bound`, which raises."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


class Maybe:
    """A variable that has a value only where the 0-D boolean tensor ``defined`` is true; ``value`` is filler otherwise."""

    __slots__ = ("defined", "name", "value")

    def __init__(self, name: str, value: Any, defined: Any) -> None:
        self.name = name
        self.value = value
        self.defined = defined


class MaybeUnbound(Spec):
    """A value, or none; a flag says which."""

    __slots__ = ("name", "value")

    def __init__(self, name: str, value: Spec | None) -> None:
        self.name = name
        self.value = value

    def flatten(self, value: Any) -> list[Any]:
        if self.value is None:
            return []
        if type(value) is Unbound:
            return [constant(False, bool_), *map(filler, self.value.tensor_specs())]
        if type(value) is Maybe:
            return [value.defined, *self.value.flatten(value.value)]
        return [constant(True, bool_), *self.value.flatten(value)]

    def unflatten(self, tensors: Iterator[Any]) -> Any:
        if self.value is None:
            return Unbound(self.name)
        defined = next(tensors)
        value = self.value.unflatten(tensors)
        if mode.building():
            return Maybe(self.name, value, defined)
        return value if defined.item() else None  # our own `result`: a variable of the user's is asked for before it is handed out

    def tensor_specs(self) -> list[Any]:
        return [] if self.value is None else [TensorSpec((), bool_), *self.value.tensor_specs()]

    def joined(self, other: Spec) -> Spec | None:
        value = other.value if isinstance(other, MaybeUnbound) else other
        if self.value is None or value is None:
            return MaybeUnbound(self.name, value or self.value)
        return MaybeUnbound(self.name, join(self.value, value))

    def key(self) -> Any:
        return ("maybe", None if self.value is None else self.value.key())

    def words(self) -> str:
        return "not assigned" if self.value is None else f"perhaps {self.value.words()}"


@protocol.DESCRIBERS.append
def describe_unbound(value: Any) -> Spec | None:
    """Of markers."""
    if type(value) is Unbound:
        return MaybeUnbound(value.name, None)
    if type(value) is Maybe:
        return MaybeUnbound(value.name, describe(value.value))
    return None


def unbound(name: str = "") -> Unbound:
    """The marker for variable ``name`` before its first assignment; '' for the translator's own variable."""
    return Unbound(name)
