"""Tensors as values of branches and loops: they must agree in dtype and rank; sizes that differ become unknown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from to_static.compiler.frontend.jst import protocol
from to_static.compiler.frontend.jst.protocol import ValueSpec
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.spec import join as join_specs
from to_static.compiler.ir.symbolic.sym_number import SymNumber
from to_static.compiler.ir.symbolic.variable import Variable
from to_static.compiler.ir.tensor import Tensor


class OneTensor(ValueSpec):
    """The spec of a tensor."""

    __slots__ = ("spec",)

    def __init__(self, spec: TensorSpec) -> None:
        self.spec = spec

    def flatten(self, value: object) -> list[Any]:
        return [value]

    def unflatten(self, tensors: Iterator[Any]) -> Any:
        return next(tensors)

    def tensor_specs(self) -> list[Any]:
        return [self.spec]

    def joined(self, other_spec: ValueSpec) -> ValueSpec | None:
        if not isinstance(other_spec, OneTensor):
            return None
        spec = join_specs(self.spec, other_spec.spec)
        return None if spec is None else OneTensor(spec)  # type: ignore[arg-type]

    def key(self) -> Any:
        return ("tensor", self.spec.dtype, len(self.spec.shape))

    def describe(self) -> str:
        return f"a tensor {self.spec}"


@protocol.SPEC_FUNCTIONS.append
def tensor_spec(value: object) -> ValueSpec | None:
    """Return the spec of a tensor."""
    if isinstance(value, Tensor) and not isinstance(value, SymNumber) and not getattr(value, "data_dependent", False):
        return OneTensor(value.spec) if isinstance(value.spec, TensorSpec) else None
    return None


def value_of(value: object) -> Any:
    """Return a symbolic tensor without shared memory, for code that reads only its values; other values unchanged."""
    return Variable(value.ssa, value.builder) if type(value) is Variable else value
