"""`OpReader`: one op of a file, with its inputs and attributes, as ``from_file`` hooks get it."""

from __future__ import annotations

import reprlib
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.formats.paddle.messages.desc import dtype_of, slots
from to_static.compiler.formats.paddle.operators.attribute_defaults import DEFAULTS
from to_static.compiler.ir.opdef import OpDef
from to_static.compiler.ir.spec import UNKNOWN
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.traced_values import variable_of
from to_static.core.errors import FormatError

if TYPE_CHECKING:
    from to_static.compiler.formats.paddle.programs.program_reader import NameScope, ProgramReader
    from to_static.compiler.ir.opdef import Attr
    from to_static.compiler.ir.tensor import Tensor

# attributes that say how, not what: a file may have any value there
HINTS = frozenset(("force_cpu", "place_type", "use_cudnn", "use_mkldnn", "with_quant_attr", "is_test", "multi_precision"))
PIECES = {"split": ("X", "Out"), "unbind": ("X", "Out"), "unstack": ("X", "Y")}  # ops whose results an attribute or size counts
_NUMBER, _WHOLE = (int, float), int  # True and False are integers, as files may have them
_TYPES: dict[str, Any] = {
    "int": _WHOLE, "long": _WHOLE, "bool": _WHOLE, "float": _NUMBER, "float64": _NUMBER, "str": str, "ints": _WHOLE,
    "longs": _WHOLE, "bools": _WHOLE, "floats": _NUMBER, "float64s": _NUMBER, "strs": str, "list": object,
}  # fmt: skip
_WORDS = {
    "int": "an integer", "long": "an integer", "bool": "true or false", "float": "a number", "float64": "a number",
    "str": "a text", "ints": "integers", "longs": "integers", "bools": "a list of true or false", "floats": "numbers",
    "float64s": "numbers", "strs": "texts", "list": "a list",
}  # fmt: skip


def _kind_of(default: object) -> str:
    """The kind of attributes whose default is this value."""
    if isinstance(default, (list, tuple)):
        item_types = {_kind_of(v) for v in default}
        return f"{item_types.pop()}s" if len(item_types) == 1 else "list"
    return "bool" if isinstance(default, bool) else type(default).__name__


MAX_KNOWN = 1 << 16  # elements of a constant whose value is used while reading


class OpReader:
    """One op of a file, as ``from_file`` hooks see it: inputs are tensors of the Program being built."""

    def __init__(self, reader: ProgramReader, scope: NameScope, op: Any) -> None:
        self.reader = reader
        self.scope = scope
        self.type: str = op.type
        self.ins = slots(op.inputs)
        self.outs = slots(op.outputs)
        self.attrs = reader.attrs(op)
        if self.type in DEFAULTS:
            self.attrs = {**DEFAULTS[self.type], **self.attrs}

    def has(self, slot: str) -> bool:
        """True if the slot has an input."""
        return bool(self.ins.get(slot))

    def input(self, slot: str) -> Any:
        """The first tensor of a slot, or None."""
        names = self.ins.get(slot)
        return self.scope.read(names[0]) if names else None

    def inputs(self, slot: str) -> list[Any]:
        """All tensors of a slot."""
        return [self.scope.read(name) for name in self.ins.get(slot, ())]

    def outputs(self, slot: str) -> int:
        """The number of outputs of the slot."""
        return len(self.outs.get(slot, ()))

    def attr(self, name: str, default: Any = None) -> Any:
        """An attribute's value, or the default when the file has none; one of another type than the default is refused."""
        attr_value = self.attrs.get(name)
        if attr_value is None:
            return default
        if default is not None:
            self.check_type(name, attr_value, _kind_of(default))
        return attr_value

    def constant_integers(self, name: str) -> list[int]:
        """The integers of an attribute, some of which may be constants of the Program, by name; others are refused."""
        ints = []
        for entry in self.attrs.get(name) or []:
            value = self.const(self.scope.read(entry)) if isinstance(entry, str) else entry
            if value is None or isinstance(value, float):
                self.refuse(f"attribute {name} = {reprlib.repr(self.attrs[name])}, of which {entry!r} is no number that is known")
            ints.append(int(np.asarray(value).reshape(-1)[0]))
        return ints

    def variable(self, name: str) -> Any:
        """The tensor that an attribute names."""
        return self.scope.read(self.attrs[name])

    def integer(self, name: str, default: int, slot: str = "") -> Any:
        """An integer attribute: an int, or a 0-D tensor that the program computes, given in ``slot`` or by a variable's name."""
        if slot and self.has(slot):
            return self._scalar(self.input(slot))
        attr_value = self.attrs.get(name)
        if isinstance(attr_value, list) and len(attr_value) == 1:
            attr_value = attr_value[0]
        return self._scalar(self.scope.read(attr_value)) if isinstance(attr_value, str) else int(self.attr(name, default))

    def integers(self, name: str, tensor_slot: str = "", list_slot: str = "") -> Any:
        """Return the integers of an attribute, with 0-D tensors for those that the program computes.

        A file has them as one tensor, a list of tensors, numbers, or names of variables. One tensor whose elements only a run knows
        is returned unchanged.
        """
        if tensor_slot and self.has(tensor_slot):
            return self._several(self.input(tensor_slot))
        if list_slot and self.has(list_slot):
            return [self._scalar(value) for value in self.inputs(list_slot)]
        values = self.attrs.get(name) or []
        if isinstance(values, str):
            return self._several(self.scope.read(values))
        if not isinstance(values, list) or not any(isinstance(entry, str) for entry in values):
            return list(self.attr(name, []))
        return [self._scalar(self.scope.read(entry)) if isinstance(entry, str) else int(entry) for entry in values]

    def _scalar(self, tensor: Tensor) -> Any:
        value = self.const(tensor)
        if value is None:
            return tensor if not tensor.spec.shape else F.reshape(tensor, [])
        if value.size != 1:
            self.refuse(f"{value.size} numbers, where there is one")
        return int(value.reshape(-1)[0])

    def _several(self, tensor: Tensor) -> Any:
        value = self.const(tensor)
        return tensor if value is None else [int(v) for v in value.reshape(-1)]

    def check_type(self, name: str, value: object, attr_type: str) -> None:
        """Refuse an attribute that is not of a kind: 'int', 'float', 'str', 'bool', or a list, 'ints' and so on ('list': any)."""
        items = value if isinstance(value, list) else [value]
        fits = isinstance(value, list) == (attr_type == "list" or attr_type.endswith("s"))
        if not fits or not all(isinstance(v, _TYPES[attr_type]) for v in items):
            expected = f"{_WORDS[attr_type]} as attribute {name} of op {self.type!r}"
            raise FormatError(self.reader.path, expected, reprlib.repr(value))

    def dtype(self, name: str) -> Any:
        """A dtype attribute as a DType; None when it is absent or -1 (meaning: as the input)."""
        code = self.attr(name, -1)  # an integer, or it is refused
        return None if code == -1 else dtype_of(code, self.reader.path, f"attribute {name} of op {self.type!r}")

    def const(self, tensor: object) -> np.ndarray | None:
        """The value of a tensor that is a constant of the Program; None for others."""
        op = getattr(variable_of(tensor), "op", None)
        if op is None:
            return None
        if op.name == "constant":
            return op.attrs["value"]
        if op.name == "full" and not op.inputs[0] and 0 <= op.out.spec.size <= MAX_KNOWN:
            return np.full(tuple(op.attrs["shape"]), op.attrs["value"], op.attrs["dtype"].np)
        return None

    def refuse(self, why: str) -> Any:
        """Raise the error that names this op and the file."""
        raise FormatError(self.reader.path, f"an operator that can be read, at op {self.type!r}", why)

    def check_pieces(self, source: str, target: str) -> None:
        """Refuse an op whose result count differs from its number of output names. A damaged count could ask for billions."""
        names, shape = self.outputs(target), self.input(source).spec.shape
        count = len(self.attr("sections", [])) or self.attr("num", 0)
        if self.type != "split" and shape and shape[self.attr("axis", 0) % len(shape)] != UNKNOWN:
            count = shape[self.attr("axis", 0) % len(shape)]
        if count != names and (count or self.type != "split") and not self.has("SectionsTensorList"):
            self.refuse(f"{count} pieces for {names} names")

    def read_declared(self, opdef: OpDef) -> Any:
        """Call the operator ``opdef`` with the slots and attributes of its declaration."""
        slot_names = {s.name for s in opdef.inputs}
        for slot, names in self.ins.items():
            if names and slot not in slot_names:
                self.refuse(f"an input {slot} = {names}, which {opdef.name} does not have")
        for name, (_, value) in opdef.file_attrs.items():
            actual = self.attrs.get(name)
            if actual is not None and actual != value and name not in HINTS:
                self.refuse(f"attribute {name} = {actual!r}, where only {value!r} is supported")
        values = []
        for slot in opdef.inputs:
            if not slot.variadic and not slot.optional and not self.has(slot.name):
                self.refuse(f"no input {slot.name}")
            values.append(self.inputs(slot.name) if slot.variadic else self.input(slot.name))
        return opdef.emit(*values, **{a.name: self._attr(opdef, a) for a in opdef.attrs})

    def _attr(self, opdef: OpDef, attr: Attr) -> Any:
        if attr.type == "dtype":
            attr_value = self.dtype(attr.file_name)
            return self.input(opdef.inputs[0].name).dtype if attr_value is None and opdef.inputs else attr_value
        attr_value = self.attrs.get(attr.file_name) if attr.type else None
        if attr_value is not None:
            self.check_type(attr.file_name, attr_value, attr.type)
            return attr_value
        if attr.name not in opdef.defaults:
            self.refuse(f"no attribute {attr.file_name}")
        return opdef.defaults[attr.name]

    def by_slot(self, results: Any, opdef: OpDef | None) -> dict[str, Any]:
        """The results of a reader or an operator, by the names of the op's outputs."""
        if isinstance(results, dict):
            return results
        outs = [s.name for s in opdef.outputs] if opdef is not None else list(self.outs)
        if opdef is not None and opdef.multi and opdef.outputs[0].variadic:
            return {outs[0]: list(results)}
        values = results if isinstance(results, tuple) else (results,)
        return dict(zip(outs, values, strict=False))

    def store(self, results: dict[str, Any]) -> None:
        """Write results under the names of the op's outputs."""
        for slot, value in results.items():
            names = self.outs.get(slot, [])
            values = value if isinstance(value, list) else [value]
            if len(names) not in (0, len(values)):
                self.refuse(f"{len(names)} names in output {slot}, where the op has {len(values)} results")
            for name, item in zip(names, values, strict=False):
                if item is not None:
                    self.scope.write(name, item)
