"""Editable programs in the form of Paddle's files: operators and variables by name.

A `Program` has values instead of names, and cannot hold attributes that no operator here has (such as `out_threshold`). Code that
rewrites models for other tools (`static.quantization`) uses this form.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.formats.atomic_write import writing_all
from to_static.compiler.formats.paddle.messages import schema
from to_static.compiler.formats.paddle.messages.desc import attr_message, attr_value
from to_static.compiler.formats.paddle.messages.versions import version_map
from to_static.compiler.formats.paddle.model_reader import MODEL, PARAMS
from to_static.compiler.formats.paddle.programs.program_reader import NO_VALUES, parse_program, read_program
from to_static.compiler.formats.paddle.weights.params_writer import put_params
from to_static.compiler.ir.paddle_views.attr_types import AttrType
from to_static.compiler.ir.paddle_views.operator_view import OpDesc
from to_static.compiler.ir.program import Program
from to_static.core.dtypes import BY_CODE, DType
from to_static.core.var_type import VarType

if TYPE_CHECKING:
    from collections.abc import Sequence

_ATTR_TYPE_NAMES = {code: type_name for type_name, code in schema.ATTR_TYPE.items()}  # of attributes in files
_OURS = {
    "INT": "int", "FLOAT": "float", "STRING": "str", "INTS": "ints", "FLOATS": "floats", "STRINGS": "strs", "BOOLEAN": "bool",
    "BOOLEANS": "bools", "BLOCK": "block", "LONG": "long", "LONGS": "longs", "FLOAT64S": "float64s", "FLOAT64": "float64",
    "BLOCKS": "blocks", "VAR": "var", "VARS": "vars", "SCALAR": "scalar", "SCALARS": "scalars",
}  # fmt: skip
_OF_ALL_OPERATORS = {"op_callstack": "STRINGS", "op_role_var": "STRINGS"}  # also where the list is empty
_PYTHON = ((bool, "BOOLEAN"), (float, "FLOAT"), (str, "STRING"))


class FileOp:
    """An operator: its type, names by slot, and attributes by name. Paddle's names of the questions are answered, too."""

    def __init__(self, block: FileBlock, type: str, inputs: Any = None, outputs: Any = None, attrs: Any = None) -> None:
        self.block, self.type = block, type
        self.inputs: dict[str, list[str]] = {slot: list(names) for slot, names in (inputs or {}).items()}
        self.outputs: dict[str, list[str]] = {slot: list(names) for slot, names in (outputs or {}).items()}
        self.attrs: dict[str, Any] = {}
        self.attr_types: dict[str, str] = {}  # of the attributes
        self.saved_message: dict[str, Any] = {}  # messages of attributes that nobody changed
        self.is_target = False
        for name, value in (attrs or {}).items():
            self.set_attr(name, value)

    def attr_type(self, name: str) -> AttrType:
        """Of which kind an attribute is in files."""
        return AttrType[self.attr_types[name].replace("BOOLEAN", "BOOL")]

    @property
    def desc(self) -> FileOpDesc:
        """The same questions, all of them as methods."""
        return FileOpDesc(self)

    @property
    def idx(self) -> int:
        """Its number in the block."""
        return self.block.ops.index(self)

    @property
    def input_names(self) -> list[str]:
        """The slots of inputs."""
        return sorted(self.inputs)

    @property
    def output_names(self) -> list[str]:
        """The slots of results."""
        return sorted(self.outputs)

    def input(self, name: str) -> list[str]:
        """The names in a slot. Raises ValueError for a slot that there is not."""
        return self._names(self.inputs, name, "input")

    def output(self, name: str) -> list[str]:
        """The names in a slot of results. Raises ValueError for a slot that there is not."""
        return self._names(self.outputs, name, "output")

    def _names(self, slots: dict[str, list[str]], name: str, what: str) -> list[str]:
        if name not in slots:
            raise ValueError(f"{self.type} has no {what} {name!r}; it has {', '.join(sorted(slots)) or 'none'}")
        return list(slots[name])

    @property
    def input_arg_names(self) -> list[str]:
        """All names that it reads."""
        return [name for slot in self.input_names for name in self.inputs[slot]]

    @property
    def output_arg_names(self) -> list[str]:
        """All names that it writes."""
        return [name for slot in self.output_names for name in self.outputs[slot]]

    @property
    def attr_names(self) -> list[str]:
        """The names of all attributes."""
        return sorted(self.attrs)

    def all_attrs(self) -> dict[str, Any]:
        """All attributes."""
        return dict(self.attrs)

    def has_attr(self, name: str) -> bool:
        """True if there is an attribute of that name."""
        return name in self.attrs

    def attr(self, name: str) -> Any:
        """The attribute of that name. Raises ValueError when there is none."""
        if name not in self.attrs:
            raise ValueError(f"{self.type} has no attribute {name!r}; its attributes: {', '.join(self.attr_names) or 'none'}")
        return self.attrs[name]

    def set_attr(self, name: str, value: Any, attr_type: str | None = None) -> None:
        """Give it an attribute. ``attr_type``: the type in the file, by default the one that it had, or that of the value."""
        value = _attribute_value(value)
        self.attr_types[name] = attr_type or _attr_type_of(value, self.attr_types.get(name, _OF_ALL_OPERATORS.get(name)))
        self.attrs[name] = value
        self.saved_message.pop(name, None)
        self.block.program.changes += 1

    def remove_attr(self, name: str) -> None:
        """Take an attribute away; one that is not there is none."""
        for table in (self.attrs, self.attr_types, self.saved_message):
            table.pop(name, None)
        self.block.program.changes += 1

    def rename_input(self, old: str, new: str) -> None:
        """Read another name."""
        self._rename(self.inputs, old, new)

    def rename_output(self, old: str, new: str) -> None:
        """Write another name."""
        self._rename(self.outputs, old, new)

    def _rename(self, slots: dict[str, list[str]], old: str, new: str) -> None:
        for slot, names in slots.items():
            slots[slot] = [new if name == old else name for name in names]
        self.block.program.changes += 1

    def set_type(self, type: str) -> None:
        """Make it another operator."""
        self.type = type
        self.block.program.changes += 1

    _set_attr, _remove_attr, _rename_input, _rename_output = set_attr, remove_attr, rename_input, rename_output

    def message(self) -> Any:
        """The OpDesc."""
        attrs = [self.saved_message.get(k) or attr_message(k, _OURS[self.attr_types[k]], self.attrs[k]) for k in sorted(self.attrs)]
        sides = {"inputs": self.inputs, "outputs": self.outputs}
        named = {side: [schema.new("Var", parameter=s, arguments=table[s]) for s in sorted(table)] for side, table in sides.items()}
        return schema.new("OpDesc", type=self.type, attrs=attrs, **named)

    def __str__(self) -> str:
        return f"{{{self.outputs}}} = {self.type}(inputs={self.inputs}, {self.attrs})"

    __repr__ = __str__


class FileOpDesc(OpDesc):
    """``op.desc``: what are properties of an operator are methods here."""

    def __init__(self, op: FileOp) -> None:
        super().__init__(op)
        self.op = op
        self._set_attr, self.remove_attr = op.set_attr, op.remove_attr
        self._rename_input, self._rename_output = op.rename_input, op.rename_output

    def set_type(self, type: str) -> None:
        """Make it another operator."""
        self.op.set_type(type)

    def set_input(self, slot: str, names: Iterable[str]) -> None:
        """The names that a slot reads."""
        self.op.inputs[slot] = list(names)
        self.op.block.program.changes += 1

    def set_output(self, slot: str, names: Iterable[str]) -> None:
        """The names that a slot writes."""
        self.op.outputs[slot] = list(names)
        self.op.block.program.changes += 1

    def infer_shape(self, block: Any) -> None:
        """Nothing: shapes follow when the Program is read."""

    check_attrs = infer_var_type = infer_shape

    def inputs(self) -> dict[str, list[str]]:
        """The names that it reads by slot."""
        return dict(self.op.inputs)

    def outputs(self) -> dict[str, list[str]]:
        """The names that it writes by slot."""
        return dict(self.op.outputs)

    def attr_type(self, name: str, with_attr_var: bool = False) -> AttrType:
        """Of which kind an attribute is in files."""
        return self.op.attr_type(name)

    def id(self) -> int:
        """A number of its own."""
        return id(self.op)

    original_id = id


class FileVarDesc:
    """A variable as a block's `all_vars` returns it: its properties are methods."""

    def __init__(self, var: FileVar) -> None:
        self.var = var
        self.set_shape, self.set_dtype = var.set_shape, var.set_dtype

    def name(self) -> str:
        """Its name."""
        return self.var.name

    def shape(self) -> list[int]:
        """Its sizes. Raises ValueError for what is no tensor."""
        self._tensor()
        return list(self.var.shape)

    def dtype(self) -> DType:
        """Its dtype. Raises ValueError for what is no tensor."""
        self._tensor()
        return self.var.dtype

    def _tensor(self) -> None:
        if self.var.var_type not in ("LOD_TENSOR", "LOD_TENSOR_ARRAY"):
            raise ValueError(f"{self.var.name} is a {self.var.var_type}, which has no shape and dtype")

    def type(self) -> Any:
        """The type of the variable, in files."""
        return getattr(VarType, self.var.var_type)

    def persistable(self) -> bool:
        """True if it lives outside of runs."""
        return self.var.persistable

    def attr_names(self) -> list[str]:
        """None: variables have no attributes here."""
        return []


class FileBlockDesc:
    """A block as a Program's ``desc.block(i)`` returns it."""

    def __init__(self, block: FileBlock) -> None:
        self.block = block

    def all_vars(self) -> list[FileVarDesc]:
        """The variables, by name."""
        return [FileVarDesc(self.block.vars[name]) for name in sorted(self.block.vars)]

    def op_size(self) -> int:
        """The number of operators."""
        return len(self.block.ops)

    def op(self, i: int) -> FileOpDesc:
        """Operator ``i``."""
        return FileOpDesc(self.block.ops[i])

    def find_var(self, name: str) -> FileVarDesc | None:
        """The variable of that name; None: there is none."""
        file_var = self.block.vars.get(name.decode() if isinstance(name, bytes) else name)
        return None if file_var is None else FileVarDesc(file_var)


class FileVar:
    """A variable: its name, what kind of thing it holds, the dtype (its number) and shape, and whether it lives outside of runs."""

    def __init__(
        self,
        block: FileBlock,
        name: str,
        var_type: str = "LOD_TENSOR",
        dtype: int = 5,
        shape: Sequence[int] = (),
        persistable: bool = False,
    ) -> None:
        self.block, self.name, self.var_type = block, name, var_type
        self._dtype, self._shape = int(dtype), [int(n) for n in shape]
        self.persistable, self.stop_gradient, self.is_parameter, self.need_check_feed = persistable, False, False, False
        self.saved_message: Any = None  # its message, until it is changed

    @property
    def shape(self) -> tuple[int, ...]:
        """Its sizes; -1 where they are unknown."""
        return tuple(self._shape)

    @property
    def dtype(self) -> DType:
        """Its dtype."""
        return BY_CODE[self._dtype]

    def set_shape(self, shape: Sequence[int]) -> None:
        """Give it other sizes."""
        self._shape, self.saved_message = [int(n) for n in shape], None
        self.block.program.changes += 1

    def set_dtype(self, dtype: DType | int) -> None:
        """Give it another dtype."""
        self._dtype, self.saved_message = dtype.code if isinstance(dtype, DType) else int(dtype), None
        self.block.program.changes += 1

    def message(self) -> Any:
        """The VarDesc."""
        if self.saved_message is not None:
            return self.saved_message
        type_code = schema.VAR_TYPE[self.var_type]
        tensor = schema.new("TensorDesc", data_type=self._dtype, dims=self._shape)
        lod = schema.new("LoDTensorDesc", tensor=tensor, lod_level=0)
        where = {"LOD_TENSOR": {"lod_tensor": lod}, "LOD_TENSOR_ARRAY": {"tensor_array": lod}}.get(self.var_type, {})
        new_message = schema.new("VarDesc", name=self.name, type=schema.new("VarType", type=type_code, **where))
        for flag in ("persistable", "need_check_feed"):
            if getattr(self, flag):
                setattr(new_message, flag, True)
        return new_message

    def __str__(self) -> str:
        return f"var {self.name} : {self.var_type}.shape{self.shape}"

    __repr__ = __str__


class FileBlock:
    """A block: variables by name, and operators in order."""

    def __init__(self, program: FileProgram, idx: int, parent_idx: int) -> None:
        self.program, self.idx, self.parent_idx = program, idx, parent_idx
        self.vars: dict[str, FileVar] = {}
        self.ops: list[FileOp] = []

    def var(self, name: str) -> FileVar:
        """The variable of that name, in this block or one around it. Raises ValueError when there is none."""
        variable = self.find(name)
        if variable is None:
            raise ValueError(f"block {self.idx} has no variable {name!r}")
        return variable

    def find(self, name: str) -> FileVar | None:
        """The variable of that name, in this block or one around it; None: there is none."""
        block: FileBlock | None = self
        while block is not None:
            if name in block.vars:
                return block.vars[name]
            block = self.program.blocks[block.parent_idx] if block.parent_idx >= 0 else None
        return None

    def add(self, name: str, **fields: Any) -> FileVar:
        """A new variable."""
        self.vars[name] = FileVar(self, name, **fields)
        self.program.changes += 1
        return self.vars[name]

    def writer_of(self, name: str) -> FileOp | None:
        """The first operator that writes a name."""
        return next((op for op in self.ops if name in op.output_arg_names), None)

    def readers_of(self, name: str) -> list[FileOp]:
        """The operators that read a name."""
        return [op for op in self.ops if name in op.input_arg_names]

    def keep_vars(self, named: Collection[str]) -> None:
        """Take variables of other names away; `feed` and `fetch` stay."""
        self.vars = {name: var for name, var in self.vars.items() if name in named or name in ("feed", "fetch")}

    def message(self) -> Any:
        """The BlockDesc."""
        frame = [name for name in ("feed", "fetch") if name in self.vars]
        names = [*sorted(set(self.vars) - set(frame)), *frame]
        variables = [_built("VarDesc", self.vars[name].message()) for name in names]
        ops = [op.message() for op in self.ops]
        return schema.new("BlockDesc", idx=self.idx, parent_idx=self.parent_idx, vars=variables, ops=ops)


class FileProgram:
    """A Program in the form of Paddle's files, which can be edited.

    ``arrays``: the known values of its persistable variables by name. ``changes``: a counter that each edit increases.
    """

    def __init__(self) -> None:
        self.blocks = [FileBlock(self, 0, -1)]
        self.arrays: dict[str, np.ndarray] = {}
        self.changes = 0

    @classmethod
    def of_message(cls, desc: Any, arrays: Mapping[str, Any] | None = None) -> FileProgram:
        """The program of a ProgramDesc message."""
        program = cls()
        program.blocks = [FileBlock(program, block.idx, block.parent_idx) for block in desc.blocks]
        names = {type_code: type_name for type_name, type_code in schema.VAR_TYPE.items()}
        for block, message in zip(program.blocks, desc.blocks, strict=True):
            for var in message.vars:
                type_name = names.get(var.type.type, "RAW")
                lod = var.type.tensor_array if type_name == "LOD_TENSOR_ARRAY" else var.type.lod_tensor
                shape = list(lod.tensor.dims)
                variable = block.add(
                    var.name, var_type=type_name, dtype=lod.tensor.data_type, shape=shape, persistable=bool(var.persistable)
                )
                variable.stop_gradient, variable.is_parameter = bool(var.stop_gradient), bool(var.is_parameter)
                variable.need_check_feed, variable.saved_message = bool(var.need_check_feed), var
            for op in message.ops:
                ins, outs = ({slot.parameter: list(slot.arguments) for slot in side} for side in (op.inputs, op.outputs))
                added = FileOp(block, op.type, ins, outs)
                for attr in op.attrs:
                    added.attrs[attr.name], added.attr_types[attr.name] = attr_value(attr), _ATTR_TYPE_NAMES[attr.type]
                    if attr.type in (schema.ATTR_TYPE["SCALAR"], schema.ATTR_TYPE["SCALARS"]):
                        added.saved_message[attr.name] = _built("Attr", attr)
                block.ops.append(added)
        program.arrays = dict(arrays or {})
        program.changes = 0
        return program

    @classmethod
    def of_bytes(cls, data: bytes, path: object, arrays: Mapping[str, Any] | None = None) -> FileProgram:
        """The program in the bytes of a ``.pdmodel``. Raises FormatError."""
        return cls.of_message(parse_program(data, path), arrays)

    def copy(self) -> FileProgram:
        """A copy; the arrays are shared."""
        return FileProgram.of_bytes(self.data(), "<copy>", self.arrays)

    def message(self) -> Any:
        """The ProgramDesc."""
        version = schema.new("Version", version=schema.VERSION)
        blocks = [block.message() for block in self.blocks]
        return schema.new("ProgramDesc", blocks=blocks, version=version, op_version_map=version_map())

    def data(self) -> bytes:
        """The bytes of a ``.pdmodel``."""
        return bytes(self.message().SerializeToString(deterministic=True))

    def persistables(self) -> list[FileVar]:
        """The variables that ``.pdiparams`` holds, in its order."""
        variables = (var for block in self.blocks for var in block.vars.values() if var.persistable)
        by_name = {var.name: var for var in variables if schema.VAR_TYPE[var.var_type] not in NO_VALUES}
        return [by_name[name] for name in sorted(by_name)]

    def save(self, prefix: str) -> None:
        """Write ``PREFIX.pdmodel`` and ``PREFIX.pdiparams``, both or none; without values there is no second one."""
        arrays = [self.arrays[var.name] for var in self.persistables()]
        model, params = prefix + MODEL, prefix + PARAMS
        with writing_all([model, params] if arrays else [model], [] if arrays else [params]) as files:
            files[0].write(self.data())
            for file in files[1:]:
                put_params(file, arrays)

    def read(self, path: object = "<program>", info: Any = None, straight: bool = False) -> Program:
        """The Program of ours, whose values have the names of the file; options: see `read_program`. Raises FormatError."""
        arrays = {var.name: self._array(var) for var in self.persistables()}
        return read_program(parse_program(self.data(), path), path, arrays, info, named=True, straight=straight)

    def _array(self, var: FileVar) -> np.ndarray:
        array = self.arrays.get(var.name)
        return np.zeros(var.shape, var.dtype.np) if array is None else array

    def ops(self) -> Iterator[FileOp]:
        """The operators of all blocks."""
        return (op for block in self.blocks for op in block.ops)

    def named(self) -> set[str]:
        """The names that operators read or write."""
        return {name for op in self.ops() for name in (*op.input_arg_names, *op.output_arg_names)}

    def sort(self) -> None:
        """Sort the operators of each block so that each follows the writers of its inputs; otherwise the order stays."""
        for block in self.blocks:
            block.ops = _sorted(block.ops)
        self.changes += 1

    def prune(self) -> None:
        """Remove operators of the root block whose results are neither read nor fetched, and variables that no operator names."""
        block = self.blocks[0]
        wanted = {name for inner in self.blocks[1:] for op in inner.ops for name in op.input_arg_names}
        live_ops: list[FileOp] = []
        for op in reversed(block.ops):
            keeps = op.type in ("feed", "fetch") or "BLOCK" in op.attr_types.values()
            if keeps or any(name in wanted for name in op.output_arg_names):
                live_ops.append(op)
                wanted.difference_update(op.output_arg_names)  # who wrote the same name before is read by nobody
                wanted.update(op.input_arg_names)
        block.ops = live_ops[::-1]
        named = self.named()
        for each in self.blocks:
            each.keep_vars(named)
        self.changes += 1


def _sorted(ops: list[FileOp]) -> list[FileOp]:
    """Sort operators topologically and stably.

    An operator that writes a name that it reads works in place: that is no dependency.
    """
    writers: dict[str, list[int]] = defaultdict(list)
    for i, op in enumerate(ops):
        for name in set(op.output_arg_names) - set(op.input_arg_names):
            writers[name].append(i)
    waits: list[set[int]] = []
    for i, op in enumerate(ops):
        earlier: set[int] = set()
        for name in op.input_arg_names:
            writers_before = [w for w in writers.get(name, ()) if w < i]
            earlier.update(writers_before[-1:] or [w for w in writers.get(name, ()) if w > i][:1])
        waits.append(earlier - {i})
    rank = list(range(len(ops)))
    followers: dict[int, list[int]] = defaultdict(list)
    for i, earlier in enumerate(waits):
        for w in earlier:
            followers[w].append(i)
    for i in reversed(range(len(ops))):  # what somebody waits for that comes earlier goes there
        rank[i] = min([rank[i], *(rank[f] for f in followers[i])])
    count = [len(earlier) for earlier in waits]
    ready = [(rank[i], i) for i in range(len(ops)) if not count[i]]
    heapq.heapify(ready)
    order = []
    while ready:
        _, i = heapq.heappop(ready)
        order.append(ops[i])
        for f in followers[i]:
            count[f] -= 1
            if not count[f]:
                heapq.heappush(ready, (rank[f], f))
    return order if len(order) == len(ops) else ops


def _built(message_name: str, message: Any) -> Any:
    """A message that can be written; those that were read are of another kind."""
    if hasattr(message, "SerializeToString"):
        return message
    values: dict[str, Any] = {}
    for field in schema.fields_of(message_name):
        if field.name not in message.__dict__:
            continue
        value = message.__dict__[field.name]
        inner = field.type_name in schema.MESSAGES
        if field.label == "*":
            values[field.name] = [_built(field.type_name, item) for item in value] if inner else list(value)
        else:
            values[field.name] = _built(field.type_name, value) if inner else value
    return schema.new(message_name, **values)


def _attribute_value(value: Any) -> Any:
    """A value as attributes have it."""
    if isinstance(value, (np.generic, np.ndarray)):
        return value.tolist()
    if isinstance(value, DType):
        return value.code
    return [_attribute_value(item) for item in value] if isinstance(value, (list, tuple)) else value


def _attr_type_of(value: Any, old_type: str | None) -> str:
    if old_type is not None and old_type.endswith("S") == isinstance(value, list):
        return old_type
    first = value[0] if isinstance(value, list) and value else value
    attr_type = next((attr_type for python, attr_type in _PYTHON if isinstance(first, python)), "INT")
    return f"{attr_type}S" if isinstance(value, list) else attr_type
