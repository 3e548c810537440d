"""The protocol by which branches join values, loops carry them and static functions return them.

A `ValueSpec` describes a value. Each type of value implements four functions in a file of its own:

* `value_spec_of(value)`: its `ValueSpec`;
* `join(a, b)`: the common `ValueSpec` of two, if a tensor decides which one it is;
* ``spec.flatten(value)``: the tensors that represent it in the block that is being built;
* ``spec.unflatten(tensors)``: the value that these tensors represent: symbolic tensors in a trace, eager ones after a run.

`ConstantSpec` is for a Python value, which needs no tensors. `unify` returns the common spec of a variable before and after a
branch or iteration; a value that did not change keeps its `ConstantSpec`.
"""

from __future__ import annotations

import enum
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from to_static.compiler.frontend.tracing.graph_break import broken
from to_static.compiler.ir.tensor import Tensor

_BY_VALUE = (int, float, complex, str, bytes, tuple, frozenset, range, slice, type(None), np.dtype, np.generic)


class NotJoinable(Exception):
    """Two values have no common spec; ``why`` is the reason."""

    def __init__(self, a: ValueSpec, b: ValueSpec, why: str = "") -> None:
        super().__init__(why)
        self.a, self.b, self.why = a, b, why


class ValueSpec:
    """The description of a value; each type of value has a subclass. ``is_union``: the value is one of several types."""

    is_union = False

    def flatten(self, value: object) -> list[Any]:
        """Return the tensors that represent a value, computed in the block that is being built."""
        raise NotImplementedError

    def unflatten(self, tensors: Iterator[Any]) -> Any:
        """Return the value that the next tensors represent."""
        raise NotImplementedError

    def tensor_specs(self) -> list[Any]:
        """Return the specs of the tensors that `flatten` returns."""
        raise NotImplementedError

    def joined(self, other_spec: ValueSpec) -> ValueSpec | None:
        """Return the common spec of both, or None if this type has none."""
        raise NotImplementedError

    def key(self) -> Any:
        """Return a key that is equal for specs that differ only in sizes of dimensions."""
        raise NotImplementedError

    def describe(self) -> str:
        """Return a description for messages."""
        raise NotImplementedError


class ConstantSpec(ValueSpec):
    """A Python value."""

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        self.value = value

    def flatten(self, value: object) -> list[Any]:
        return []

    def unflatten(self, tensors: Iterator[Any]) -> Any:
        return self.value

    def tensor_specs(self) -> list[Any]:
        return []

    def joined(self, other_spec: ValueSpec) -> ValueSpec | None:
        return self if isinstance(other_spec, ConstantSpec) and same(self.value, other_spec.value) else None

    def key(self) -> Any:
        return ("known", id(self.value))

    def describe(self) -> str:
        return describe_value(self.value)


SPEC_FUNCTIONS: list[Callable[[Any], ValueSpec | None]] = []  # what knows kinds of values, in the order in which they are asked
JOINERS: list[
    Callable[[ValueSpec, ValueSpec], ValueSpec | None]
] = []  # what joins kinds that differ, in the order in which they are asked
UNIFIERS: list[Callable[[ValueSpec, Any, Any], ValueSpec | None]] = []  # what follows changes inside of a value
# What some types of values answer in a Program, where Python's own answer would be another:
LENGTHS: dict[type, Callable[[Any], Any]] = {}  # how many items there are
TRUTHS: dict[type, Callable[[Any], Any]] = {}  # a Python bool, or a 0-D boolean tensor
INDEXABLE: dict[type, Callable[[Any], Any]] = {}  # the items by index (see `iteration.indexed`)


def first_spec_function(spec_function: Callable[[Any], ValueSpec | None]) -> Callable[[Any], ValueSpec | None]:
    """Register a function that is tried before the others, for types that others would accept, too."""
    SPEC_FUNCTIONS.insert(0, spec_function)
    return spec_function


def value_spec_of(value: object) -> ValueSpec:
    """Return the spec of a value."""
    for spec_function in SPEC_FUNCTIONS:
        spec_found = spec_function(value)
        if spec_found is not None:
            return spec_found
    return ConstantSpec(value)


def join(a: ValueSpec, b: ValueSpec) -> ValueSpec:
    """Return the common spec of two specs. Raises `NotJoinable`."""
    if a is b:
        return a
    for first, second in ((a, b), (b, a)):
        joined_spec = first.joined(second)
        if joined_spec is not None:
            return joined_spec
    for joiner in JOINERS:
        joined_spec = joiner(a, b)
        if joined_spec is not None:
            return joined_spec
    raise NotJoinable(a, b)


def unify(spec: ValueSpec, known_value: object, value: object) -> ValueSpec:
    """Join ``spec``, which describes ``known_value``, with the spec of ``value``: the variable holds either of the two."""
    if value is known_value:
        return spec
    for unifier in UNIFIERS:
        unified_spec = unifier(spec, known_value, value)
        if unified_spec is not None:
            return unified_spec
    return join(value_spec_of(spec.value) if isinstance(spec, ConstantSpec) else spec, value_spec_of(value))


def same(a: Any, b: Any) -> bool:
    """True if no program can distinguish two Python values: one object, or equal values of an immutable type."""
    if a is b:
        return True
    if type(a) is not type(b) or isinstance(a, Tensor) or not isinstance(a, _BY_VALUE):
        if isinstance(a, types.MethodType) and isinstance(b, types.MethodType):
            return a.__self__ is b.__self__ and a.__func__ is b.__func__
        return False
    if isinstance(a, enum.Enum):
        return False
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(same, a, b))
    return repr(a) == repr(b) if isinstance(a, (float, complex, np.inexact)) else bool(a == b)


def describe_value(value: object) -> str:
    """Return a short description of a Python value, for messages."""
    if isinstance(value, Tensor):
        return f"a tensor {value.spec}"
    if isinstance(value, (bool, int, float, str, type(None))):
        text = repr(value)
        return text if len(text) <= 40 else f"{text[:37]}..."
    if isinstance(value, (list, tuple, set, dict)):
        return f"a {type(value).__name__} of {len(value)}"
    name = getattr(value, "__name__", None)
    return f"{type(value).__name__} {name}" if isinstance(name, str) else f"a {type(value).__name__}"


def differ(name: str, mismatch: NotJoinable, where: str, what: str) -> BaseException:
    """Return the graph break for a variable whose values have no common spec."""
    why = f" ({mismatch.why})" if mismatch.why else ""
    return broken(
        f"{name} is {mismatch.a.describe()} {what} and {mismatch.b.describe()} {where}{why}",
        "give it one type on all paths: a tensor of one dtype and number of dimensions, numbers of one type, or containers of one "
        "length; methods of objects of two classes are called in the branches",
    )
