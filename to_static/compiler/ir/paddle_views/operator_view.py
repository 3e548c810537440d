"""`Operator`: a view of an op with the interface of Paddle's operators, for code written for Paddle's blocks."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from to_static.compiler.ir.paddle_views.attr_types import AttrType, attr_type_of
from to_static.core.diagnostics.printable import printable, quoted

if TYPE_CHECKING:
    from to_static.compiler.ir.program import Op, Var

_WRITTEN = {"cond": "conditional_block", "while_loop": "while", "constant": "assign_value"}  # what files have several forms of
_SHAPES = frozenset(("flatten_contiguous_range", "reshape2", "squeeze2", "transpose2", "unsqueeze2"))  # which have an `XShape`
XSHAPE = ".xshape"  # how the name of that ends
_OF_REDUCTIONS = {"dim": "axis", "keep_dim": "keepdim"}
_OF_ALL = {"op_role": 0, "op_role_var": (), "op_namescope": "/", "op_device": "", "with_quant_attr": False}  # as files have them


class Operator:
    """A view of an operation with Paddle's names; ``operator.op`` is the operation of the Program.

    Names of operators, slots and attributes are those of Paddle's files; attributes can also be read by the names of this package's
    operators. ``block.name_of(value)`` returns the name of a value.
    """

    def __init__(self, op: Op, block: Any, idx: int) -> None:
        self.op, self.block, self.idx = op, block, idx

    @property
    def type(self) -> str:
        """The operator's name in files."""
        if self._merged() is not None:
            return "flatten_contiguous_range"
        return self.op.opdef.file or _WRITTEN.get(self.op.name, self.op.name)

    def _merged(self) -> tuple[int, int] | None:
        """For a ``reshape`` that `flatten` made, return the first and last dimension that it merges; None for other ops."""
        if self.op.name != "reshape":
            return None
        shape, source = list(self.op.attrs.get("shape", ())), getattr(self.op.operands()[0].spec, "shape", None)
        if source is None or len(shape) >= len(source) or not shape or shape[0] != 0:
            return None
        first = next((i for i, size in enumerate(shape) if size != 0), len(shape))
        last = len(source) - len(shape) + first
        if first == len(shape) or shape[first + 1 :] != list(source[last + 1 :]):
            return None
        return (first, last) if shape[first] == math.prod(source[first : last + 1]) > 0 else None

    def _named(self, var: Var) -> str:
        return str(self.block.name_of(var))

    def _key(self, name: str) -> str:
        """The name that an attribute has here."""
        if name in self.op.attrs:
            return name
        return self._file_names().get(name, name)

    def _file_names(self) -> dict[str, str]:
        """Return file name -> name here, for the attributes."""
        names = {a.file_name: a.name for a in self.op.opdef.attrs}
        if self.type.startswith("reduce_"):
            names.update(_OF_REDUCTIONS)
        return names

    def _constant(self) -> dict[str, Any]:
        """Return the attributes in files for which the operators here support one value only."""
        fixed = {name: list(value) if value == () else value for name, value in _OF_ALL.items()}
        fixed.update({name: value for name, (_, value) in self.op.opdef.file_attrs.items()})
        return {"axis": -1, **fixed} if self.type.startswith("elementwise_") else fixed

    @property
    def input_names(self) -> list[str]:
        """The names of the slots that have inputs."""
        return [slot.name for slot, item in zip(self.op.opdef.inputs, self.op.inputs, strict=False) if item is not None]

    @property
    def output_names(self) -> list[str]:
        """The names of the slots of results."""
        return [*(slot.name for slot in self.op.opdef.outputs), *(["XShape"] if self.type in _SHAPES else [])]

    def input(self, name: str) -> list[str]:
        """The names of the values in a slot. Raises ValueError for an unknown slot."""
        for slot, item in zip(self.op.opdef.inputs, self.op.inputs, strict=False):
            if slot.name == name:
                return [self._named(v) for v in (item if isinstance(item, tuple) else [item] if item is not None else [])]
        raise ValueError(f"{self.type} has no input {name!r}; its inputs: {', '.join(self.input_names) or 'none'}")

    def output(self, name: str) -> list[str]:
        """The names of the results in a slot. Raises ValueError for an unknown slot."""
        names = self.output_names
        if name == "XShape" and name in names:
            return [self._named(self.op.outputs[0]) + XSHAPE]
        if name not in names:
            raise ValueError(f"{self.type} has no output {name!r}; its outputs: {', '.join(names) or 'none'}")
        results = self.op.outputs[names.index(name) :]
        return [self._named(v) for v in (results if self.op.opdef.outputs[names.index(name)].variadic else results[:1])]

    @property
    def input_arg_names(self) -> list[str]:
        """The names of all inputs."""
        return [self._named(v) for v in self.op.operands()]

    @property
    def output_arg_names(self) -> list[str]:
        """The names of all results."""
        return [*(self._named(v) for v in self.op.outputs), *(self.output("XShape") if self.type in _SHAPES else [])]

    @property
    def attr_names(self) -> list[str]:
        """The names of all attributes."""
        return list(self.all_attrs())

    def all_attrs(self) -> dict[str, Any]:
        """All attributes by the names that they have in files."""
        names = {name: file_name for file_name, name in self._file_names().items()}
        file_attrs = {names.get(name, name): value for name, value in self.op.attrs.items()}
        merged = self._merged()
        if merged is not None:
            file_attrs = {"start_axis": merged[0], "stop_axis": merged[1]}
        return {**file_attrs, **self._constant()}

    def has_attr(self, name: str) -> bool:
        """True if there is an attribute of that name."""
        if name in ("start_axis", "stop_axis") and self._merged() is not None:
            return True
        return self._key(name) in self.op.attrs or name in self._constant()

    def attr(self, name: str) -> Any:
        """The attribute of that name. Raises ValueError when there is none."""
        key, merged = self._key(name), self._merged()
        if merged is not None and name in ("start_axis", "stop_axis"):
            return merged[name == "stop_axis"]
        if key not in self.op.attrs and name in self._constant():
            return self._constant()[name]
        if key not in self.op.attrs:
            raise ValueError(f"{self.type} has no attribute {name!r}; its attributes: {', '.join(self.attr_names)}")
        return self.op.attrs[key]

    def attr_type(self, name: str) -> AttrType:
        """The kind that the attribute of that name has in files. Raises ValueError when there is none."""
        declared = {a.name: a.type for a in self.op.opdef.attrs}
        return attr_type_of(name, self.attr(name), declared.get(self._key(name), ""))

    @property
    def desc(self) -> OpDesc:
        """The operation as Paddle's C++ code has it: what are properties here are methods there."""
        return OpDesc(self)

    @property
    def blocks(self) -> Any:
        """The blocks of a branch or loop."""
        return self.op.blocks

    @property
    def site(self) -> Any:
        """The user's line."""
        return self.op.site

    def to_string(self, throw_on_error: bool = True) -> str:
        """The text of the operation."""
        return str(self)

    def __str__(self) -> str:
        inputs = ", ".join(f"{name}={_listed(self.input(name))}" for name in self.input_names)
        outputs = ", ".join(f"{name}={_listed(self.output(name))}" for name in self.output_names)
        attrs = "".join(f", {key}={printable(repr(value), 1000)}" for key, value in self.op.attrs.items())
        return f"{{{outputs}}} = {self.type}(inputs={{{inputs}}}{attrs})"

    __repr__ = __str__


def _listed(names: list[str]) -> str:
    return f"[{', '.join(map(quoted, names))}]"


class OpDesc:
    """``op.desc``: the same questions as an `Operator`, or an operator of a file, answers, all of them by methods."""

    def __init__(self, operator: Any) -> None:
        self._operator = operator
        self.attr, self.has_attr = operator.attr, operator.has_attr
        self.input, self.output = operator.input, operator.output

    def type(self) -> str:
        """The operator's name in files."""
        return self._operator.type

    def attr_names(self) -> list[str]:
        """The names of all attributes."""
        return self._operator.attr_names

    def attr_type(self, name: str, with_attr_var: bool = False) -> AttrType:
        """The kind that an attribute has in files; ``with_attr_var``: not used."""
        return self._operator.attr_type(name)

    def input_names(self) -> list[str]:
        """The names of the slots that have inputs."""
        return self._operator.input_names

    def output_names(self) -> list[str]:
        """The names of the slots of results."""
        return self._operator.output_names

    def input_arg_names(self) -> list[str]:
        """The names of all inputs."""
        return self._operator.input_arg_names

    def output_arg_names(self) -> list[str]:
        """The names of all results."""
        return self._operator.output_arg_names
