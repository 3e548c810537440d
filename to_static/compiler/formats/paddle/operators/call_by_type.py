"""Calls of operators by their types in Paddle's files, with tensors by slot, as Paddle's own functions call them."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np

from to_static.compiler.formats.paddle.operators import op_resolver
from to_static.compiler.formats.paddle.operators.attribute_defaults import DEFAULTS
from to_static.compiler.formats.paddle.operators.op_reader import OpReader
from to_static.core.dtypes import DType
from to_static.core.errors import ProgramError

# results that only Paddle's own backward pass reads: they need not be there
_FOR_BACKWARD = frozenset(("XShape", "ReserveSpace", "SavedMean", "SavedVariance", "InnerCache"))


class DirectOp(OpReader):
    """An operator whose slots hold tensors of the current mode, not names of a file."""

    def __init__(self, op_type: str, inputs: Mapping[str, Any], counts: Mapping[str, int], attrs: Mapping[str, Any]) -> None:
        self.reader: Any = SimpleNamespace(path=f"operator {op_type!r}")
        self.type = op_type
        self.ins: Any = {slot: _listed(value) for slot, value in inputs.items() if value is not None}
        self.outs: Any = {slot: [None] * count for slot, count in counts.items()}
        file_attrs = {name: _file_attribute(value) for name, value in attrs.items() if value is not None}
        self.attrs = {**DEFAULTS.get(op_type, {}), **file_attrs}

    def input(self, slot: str) -> Any:
        """The first tensor of a slot, or None."""
        tensors_in = self.ins.get(slot)
        return tensors_in[0] if tensors_in else None

    def inputs(self, slot: str) -> list[Any]:
        """All tensors of a slot."""
        return list(self.ins.get(slot, ()))

    def const(self, tensor: Any) -> np.ndarray | None:
        """The value of a tensor that is known: of one in dynamic mode, and of a constant of the Program."""
        return super().const(tensor) if hasattr(tensor, "ssa") else np.asarray(tensor.numpy())

    def check_pieces(self, source: str, target: str) -> None:
        """Refuse more names than there are pieces; who names none gets them all."""
        if self.outputs(target):
            super().check_pieces(source, target)

    def refuse(self, why: str) -> Any:
        """Raise the error that names this operator."""
        raise ProgramError(f"operator {self.type!r}: {why}")


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _file_attribute(value: Any) -> Any:
    """Convert an attribute to the form that files have."""
    if isinstance(value, DType):
        return value.code
    if isinstance(value, (list, tuple)):
        return [_file_attribute(item) for item in value]
    return value.item() if isinstance(value, np.generic) else value


def call(
    op_type: str, inputs: Mapping[str, Any], attrs: Mapping[str, Any] | None = None, counts: Mapping[str, int] | None = None
) -> dict[str, Any]:
    """The results of an operator by slot: a tensor, or a list of those, each.

    Args:
        op_type: the type of the operator in Paddle's files.
        inputs: by slot a tensor, a list of them, or None.
        attrs: attributes by Paddle's names; None as a value: the default.
        counts: by slot how many results are wanted, where attributes do not say it.

    Raises ProgramError when there is no such operator, or when it does not take what is given.

    Example:
        >>> call('elementwise_add', {'X': x, 'Y': y}, {'axis': -1})['Out']
    """
    return op_resolver.results(DirectOp(op_type, inputs, counts or {}, attrs or {}))


def append(
    op_type: str, inputs: Mapping[str, Any] | None, outputs: Mapping[str, Any] | None, attrs: Mapping[str, Any] | None
) -> None:
    """Call an operator and have the tensors in ``outputs`` hold its results, as ``append_op`` of a block does.

    Raises ProgramError as `call` does, and for a slot of results that the operator does not have.
    """
    wanted = {slot: _listed(value) for slot, value in (outputs or {}).items() if value is not None}
    results = call(op_type, inputs or {}, attrs, {slot: len(tensors) for slot, tensors in wanted.items()})
    for slot, tensors in wanted.items():
        if slot not in results and slot not in _FOR_BACKWARD:
            raise ProgramError(f"operator {op_type!r} has no results {slot!r}; it has {', '.join(results)}")
        values = _listed(results.get(slot, []))
        if values and len(values) != len(tensors):
            raise ProgramError(f"operator {op_type!r} has {len(values)} results {slot!r}, not {len(tensors)}")
        for tensor, value in zip(tensors, values, strict=False):
            if value is not None:
                tensor._become(value)
