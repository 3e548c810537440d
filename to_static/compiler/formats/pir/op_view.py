"""A view of an operation of Paddle 3 for readers of Paddle 2's operators: tensors by slot, attributes by their older names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.formats.paddle.operators.op_reader import OpReader
from to_static.compiler.formats.pir.document import Operation
from to_static.compiler.formats.pir.op_table import Operand, Row
from to_static.compiler.ir.spec import UNKNOWN

if TYPE_CHECKING:
    from to_static.compiler.formats.pir.program_reader import PirReader

AT = 1 << 30  # an end that far before the first element means it, whatever the size


class OperationView(OpReader):
    """One operation, by its row of the table. ``reader`` has the values by number."""

    def __init__(self, reader: PirReader, op: Operation, row: Row) -> None:
        self.reader: Any = reader
        self.scope: Any = self
        self.type = row.op_type
        self.row = row
        self.operation = op
        self.ins: Any = {}
        self.named: dict[str, Any] = {}  # tensors that stand for attributes
        self.attrs = dict(row.fixed)
        if len(op.operands) > len(row.operands):
            self.refuse(f"{len(op.operands)} operands, where there are {len(row.operands)}")
        for operand, value_id in zip(row.operands, op.operands, strict=False):
            if value_id:
                self._operand(operand, value_id)
        for attribute in row.attributes:
            self._attribute(attribute)
        if row.op_type.startswith("reduce_") or row.op_type == "frobenius_norm":
            self.attrs["reduce_all"] = self.attrs.get("dim") == [] or self.attrs.get("reduce_all", False)
        if row.op_type == "strided_slice":
            self._python_ends()
        if op.name == "matrix_rank_tol":
            self.attrs["tol"] = 0.0
        counts = [len(spec) if isinstance(spec, list) else 1 for _, spec in op.results]
        self.outs: Any = {result.slot: [None] * count for result, count in zip(row.results, counts, strict=False)}

    def _attribute(self, attribute: Any) -> None:
        value = self.operation.attrs.get(attribute.name)
        if value is None or attribute.type == "place":
            return
        if attribute.attr is not None:
            self.attrs[attribute.attr] = value
        elif value != attribute.default:
            self.refuse(f"attribute {attribute.name} = {value!r}, where only {attribute.default!r} is supported")

    def _operand(self, operand: Operand, value_id: int) -> None:
        if operand.slot is not None:
            value = self.reader.read(value_id)
            self.ins[operand.slot] = list(value) if isinstance(value, list) else [value]
        elif operand.attr_type:
            self._attribute_of(operand, value_id)

    def _attribute_of(self, operand: Operand, value_id: int) -> None:
        """An operand that older files have as an attribute, or as a tensor in a slot."""
        constant = self.reader.constant_of(value_id)
        if constant is not None and operand.attr is not None:
            self.attrs[operand.attr] = self._attribute_value(operand, constant)
            return
        several = operand.attr_type.endswith("s")
        pieces = self.reader.pieces_of(value_id) if several and operand.attr is not None else None
        if pieces is not None:
            self.attrs[operand.attr] = [self._named(piece) for piece in pieces]  # type: ignore[index]
            return
        value = self.reader.read(value_id)
        if isinstance(value, list) and operand.attr is not None:
            self.attrs[operand.attr] = [self._named(item) for item in value]
        elif operand.tensor_slots and not operand.tensor_slots[0].endswith("List"):
            self.ins[operand.tensor_slots[0]] = [value]
        elif operand.attr is not None:
            self.attrs[operand.attr] = self._named(value)

    def _python_ends(self) -> None:
        """Say the ends of negative steps as Paddle 2 does, for which -1 is before the first element: here it is the last one."""
        attributes: list[Any] = [self.attrs.get(name) for name in ("ends", "strides", "axes")]
        ends, steps, axes = attributes
        if not all(isinstance(each, list) for each in attributes) or len({*map(len, attributes)}) > 1:
            return
        shape = self.input("Input").spec.shape
        for i, (end, step, axis) in enumerate(zip(ends, steps, axes, strict=True)):
            if isinstance(end, int) and isinstance(step, int) and step < 0 and end < 0:
                dim = shape[axis]
                if dim == UNKNOWN and end > -AT:
                    self.refuse("a negative step whose end counts from the end of an unknown dimension")
                ends[i] = -1 if dim == UNKNOWN else max(end + dim, -1)

    def _named(self, value: Any) -> Any:
        """A number, or the name that stands for a tensor among attributes."""
        if isinstance(value, int):
            return value
        name = f"#{len(self.named)}"
        self.named[name] = value
        return name

    def _attribute_value(self, operand: Operand, constant: np.ndarray) -> Any:
        """The attribute that a constant is."""
        values = constant.reshape(-1).tolist()
        if operand.attr_type.endswith("s"):
            return values
        if len(values) != 1:
            self.refuse(f"{len(values)} numbers as {operand.name}, where there is one")
        if operand.attr_type == "strf":
            return repr(float(values[0]))
        return float(values[0]) if operand.attr_type.startswith("f") else int(values[0])

    def read(self, name: str) -> Any:
        """The tensor that stands for an attribute."""
        return self.named[name]

    def input(self, slot: str) -> Any:
        """The first tensor of a slot, or None."""
        tensors = self.ins.get(slot)
        return tensors[0] if tensors else None

    def inputs(self, slot: str) -> list[Any]:
        """All tensors of a slot."""
        return list(self.ins.get(slot, ()))
