"""Reads a program of Paddle 3 as a Program: each operation is called in building mode on the values of its operand ids.

An id stands for a `Variable`. An in-place operation gives its result the variable of its operand, which then holds the new value.
So later readers of the operand's id get the new value, also after a branch or loop: the builder carries it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from to_static.compiler.formats.paddle.messages.conventions import UNASSIGNED
from to_static.compiler.formats.paddle.operators.op_resolver import is_known, results
from to_static.compiler.formats.paddle.programs.program_reader import MAX_READINGS
from to_static.compiler.formats.pir.constant import PirConstant
from to_static.compiler.formats.pir.document import Document, DocumentBlock, Operation, ParameterFields, walk
from to_static.compiler.formats.pir.op_readers import READERS
from to_static.compiler.formats.pir.op_table import row
from to_static.compiler.formats.pir.op_view import OperationView
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.program import Program, Stored
from to_static.compiler.ir.spec import ListSpec, TensorSpec, spec_of
from to_static.compiler.ir.symbolic.variable import Variable
from to_static.compiler.ir.var_kinds import BUFFER, PARAM
from to_static.compiler.ir.verifier import verify
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.traced_values import variable_of
from to_static.core.errors import FormatError, ProgramError

_CHANGED = {"batch_norm_": {1: 1, 2: 2}, "sync_batch_norm_": {1: 1, 2: 2}, "rnn_": {}}  # result -> operand that it is written over
_FIRST = {0: 0}
_INT64 = ("matrix_rank", "matrix_rank_tol")  # int32 in files of version 0 and 1; declared as floating-point numbers


def parameters(block: DocumentBlock) -> dict[str, tuple[ParameterFields, TensorSpec]]:
    """The variables that `.pdiparams` holds, in its order."""
    ops = [op for op in block.ops if op.name == "builtin.parameter"]
    by_name = {op.attrs[""].name: (op.attrs[""], op.results[0][1]) for op in ops if op.attrs[""].persistable}
    return {name: by_name[name] for name in sorted(by_name)}


def read_program(
    document: Document,
    path: object,
    arrays: Mapping[str, np.ndarray] | None = None,
    info: Mapping[str, Mapping[str, Any]] | None = None,
    shapes: Mapping[str, Sequence[int]] | None = None,
    named: bool = False,
) -> Program:
    """The Program of a checked document (`document.parse_document`), its parameters holding ``arrays`` (by name).

    ``info`` (`info.read_info`) tells the names of parameters in their layer. ``shapes`` gives inputs (by name) other shapes than
    the file's. ``named``: values have names, so that any may be asked for. Raises FormatError, naming the operator and the file,
    for anything that is not supported, and when an array does not have the shape or dtype that the program declares.
    """
    import to_static.compiler.ops  # noqa: F401  (the tables know where the operators are)

    block = document.block
    refuse_unknown(block, path)
    reader = PirReader(document, path, arrays or {}, info or {}, shapes or {})
    with mode.use(reader.builder), mode.grad_mode(True):
        reader.run(block)
        fetches = sorted(reader.fetches, key=lambda fetch: fetch[0])
        outputs = [reader.output(value_id, name) for _, name, value_id in fetches]
    if named:
        for value_id, value in reader.values.items():
            if isinstance(value, Variable) and value.ssa.name is None:
                value.ssa.name = f"value_{value_id}"
    program = reader.builder.finish(outputs, [name for _, name, _ in fetches])
    try:
        verify(program, f"reading {path}")
    except ProgramError as error:
        raise FormatError(path, "a program whose parts fit together", str(error)) from error
    return program


def refuse_unknown(block: DocumentBlock, path: object) -> None:
    """Raise one FormatError for all operators that there are no readers of, with counts and the layers that they stand in."""
    counts: Counter[str] = Counter()
    layers: dict[str, str] = {}
    readable: dict[str, bool] = {}
    for op in walk(block):
        if op.name not in readable:
            entry = row(op.name)
            readable[op.name] = op.name in READERS or (entry is not None and is_known(entry.op_type))
        if not readable[op.name]:
            counts[op.name] += 1
            layers.setdefault(op.name, str(op.attrs.get("struct_name") or ""))
    if counts:
        where = {name: f" in {layer}" if layer.strip("/") else "" for name, layer in layers.items()}
        listed = [f"{count} {name}{where[name]}" for name, count in counts.most_common()]
        raise FormatError(path, "operators that can be read", f"others: {', '.join(listed)}")


class PirReader:
    """One reading of one program: values by number."""

    def __init__(
        self,
        document: Document,
        path: object,
        arrays: Mapping[str, np.ndarray],
        info: Mapping[str, Mapping[str, Any]],
        shapes: Mapping[str, Sequence[int]],
    ) -> None:
        self.path, self.version = path, document.version
        self.arrays, self.info, self.shapes = arrays, info, shapes
        self.builder = Builder(Program())
        self.builder.records_sites = False
        self.values: dict[int, Any] = {}  # a Variable, a PirConstant or a list of these
        self.makers: dict[int, Operation] = {}  # of the values that other operators look into
        self.fetches: list[tuple[int, str, int]] = []
        self.yields: tuple[int, ...] = ()
        self.mutated_ids = {op.operands[i] for op in walk(document.block) for i in changes(op).values() if i < len(op.operands)}
        each, more = MAX_READINGS
        self.left = more + each * sum(1 for _ in walk(document.block))

    # values ----------------------------------------------------------------------------------------------------------

    def read(self, value_id: int) -> Any:
        """The tensor, or list of tensors, that a number stands for."""
        return self._materialised(self._value(value_id))

    def _materialised(self, value: Any) -> Any:
        if isinstance(value, PirConstant):
            return F.constant(value.array)
        return [self._materialised(item) for item in value] if isinstance(value, list) else value

    def _value(self, value_id: int) -> Any:
        if value_id not in self.values:
            raise FormatError(self.path, f"value %{value_id} to be defined before it is used", "no operator that defines it here")
        return self.values[value_id]

    def define(self, value_id: int, value: Any) -> None:
        """Store the value of an id: a new variable, or a constant."""
        self.values[value_id] = self.handle(value) if value_id in self.mutated_ids and isinstance(value, PirConstant) else value

    def is_written(self, value_id: int) -> bool:
        """Return whether operations in place change the value that a number stands for."""
        return isinstance(self._value(value_id), Variable)

    def number_of(self, value_id: int) -> Any:
        """An integer, or a 0-D tensor."""
        constant = self.constant_of(value_id)
        if constant is not None and constant.size == 1:
            return int(constant.reshape(-1)[0])
        return F.reshape(self.read(value_id), [])

    def shape_of(self, value_id: int) -> Any:
        """A shape: integers and 0-D tensors, or one tensor."""
        constant = self.constant_of(value_id)
        if constant is not None:
            return constant.reshape(-1).tolist()
        return self.pieces_of(value_id) or self.read(value_id)

    def handle(self, value: Any) -> Variable:
        """Return a new variable with this value: changes of it do not affect others."""
        return Variable(self.builder.var(self._materialised(value)), self.builder)

    def constant_of(self, value_id: int) -> np.ndarray | None:
        """The array of a constant; None for other values."""
        value = self._value(value_id)
        if isinstance(value, PirConstant):
            return value.array
        op = getattr(variable_of(value), "op", None)
        return op.attrs["value"] if op is not None and op.name == "constant" else None

    def pieces_of(self, value_id: int) -> list[Any] | None:
        """Return the elements of a 1-D tensor that was stacked from numbers (ints, and 0-D tensors); None for other tensors."""
        maker = self.makers.get(value_id)
        combined = self.makers.get(maker.operands[0]) if maker is not None else None
        if maker is None or combined is None or combined.name != "builtin.combine":
            return None
        pieces: list[Any] = []
        for operand in combined.operands:
            constant, spec = self.constant_of(operand), getattr(self._value(operand), "spec", None)
            if constant is not None and constant.size == 1:
                pieces.append(int(constant.reshape(-1)[0]))
            elif isinstance(spec, TensorSpec) and spec.size == 1:
                pieces.append(F.reshape(self.read(operand), []))
            else:
                return None
        return pieces

    def fillers(self, block: DocumentBlock, start: Sequence[Any], value_ids: Sequence[int]) -> dict[int, Any]:
        """Start values of loop variables that have none before the loop: Paddle passes one number, of another number of dimensions.

        They are those that no operation of the block reads before it has written them, or that are the number that marks them.
        """
        specs = {value_id: end_spec for op in walk(block) for value_id, end_spec in op.results}
        read = {value_id for op in walk(block) for value_id in op.operands if op is not block.ops[-1]}
        values: dict[int, Any] = {}
        for i, ((value_id, _), end) in enumerate(zip(block.args, block.ops[-1].operands[1:], strict=False)):
            spec, end_spec = start[i].spec, specs.get(end)
            if (
                not isinstance(spec, TensorSpec)
                or not isinstance(end_spec, TensorSpec)
                or spec.size != 1
                or end_spec.ndim == spec.ndim
            ):
                continue
            constant = self.constant_of(value_ids[i])
            marked = constant is not None and bool((constant == np.asarray(UNASSIGNED).astype(constant.dtype)).all())
            if end_spec.size != 1 and (marked or value_id not in read):
                values[i] = F.full([max(dim, 1) for dim in end_spec.shape], 0, end_spec.dtype)
        return values

    # operations ------------------------------------------------------------------------------------------------------

    def run(self, block: DocumentBlock) -> None:
        """Read the operations of a block, in order."""
        for at, op in enumerate(block.ops):
            self.left -= 1
            if self.left < 0:
                raise FormatError(self.path, "loops whose variables reach stable shapes", "nested loops that never reach them")
            try:
                self.operation(op)
            except FormatError:
                raise
            except Exception as error:  # whatever a damaged operation makes an operator or its reader do
                problem = f"one that does not fit: {type(error).__name__}: {error}"
                raise FormatError(self.path, f"a valid {op.name!r} operation (number {at} of its block)", problem) from error

    def region(self, block: DocumentBlock, args: Sequence[Any] = ()) -> list[Any]:
        """Read a block inside an operation; gives the values that it ends with."""
        if len(args) != len(block.args) or not block.ops or block.ops[-1].name != "cf.yield":
            raise FormatError(self.path, f"a block of {len(args)} arguments that ends in cf.yield", "another one")
        for (value_id, _), value in zip(block.args, args, strict=True):
            self.values[value_id] = value
        self.run(block)
        ends = [self.read(value_id) for value_id in block.ops[-1].operands]
        for value_id in [*(value_id for value_id, _ in block.args), *(value_id for op in block.ops for value_id, _ in op.results)]:
            self.values.pop(value_id, None)
        return ends

    def operation(self, op: Operation) -> None:
        """Read one operation."""
        special = READERS.get(op.name)
        if special is not None:
            special(self, op)
            return
        entry = row(op.name)
        assert entry is not None  # `refuse_unknown` has looked
        view = OperationView(self, op, entry)
        by_slot = results(view)
        if op.name in _INT64 and self.version >= 2:
            by_slot = {slot: F.cast(value, "int64") for slot, value in by_slot.items()}
        self.store(op, [by_slot.get(result.slot) for result in entry.results])
        if op.name in ("stack", "concat"):
            self.makers[op.results[0][0]] = op

    def store(self, op: Operation, values: Sequence[Any]) -> None:
        """Bind the ids of an operation's results to values, in order; None: a result that cannot be read."""
        target_id = changes(op)
        for i, ((value_id, spec), value) in enumerate(zip(op.results, values, strict=False)):
            if value is None or spec is None:
                continue
            if isinstance(spec, list):
                items = value if isinstance(value, list) else [value]
                if len(items) != len(spec):
                    raise FormatError(self.path, f"{len(spec)} results of {op.name!r}", str(len(items)))
                self.values[value_id] = [self.handle(item) for item in items]
            elif i in target_id:
                target = self._value(op.operands[target_id[i]])
                self.builder.rebind(target, self.fitting(value, spec))
                self.values[value_id] = target
            else:
                self.values[value_id] = self.handle(self.fitting(value[0] if isinstance(value, list) else value, spec))

    def fitting(self, value: Any, expected: Any) -> Any:
        """A value in the integer dtype and, of one element, with the number of dimensions that the file declares."""
        spec = getattr(value, "spec", None)
        if not isinstance(spec, TensorSpec) or not isinstance(expected, TensorSpec):
            return value
        if spec.dtype is not expected.dtype and spec.dtype.kind in "iu" and expected.dtype.kind in "iu":
            value = F.cast(value, expected.dtype)
        if spec.size == 1 == expected.size and spec.ndim != expected.ndim:
            value = F.reshape(value, list(expected.shape))
        return value

    # the ends --------------------------------------------------------------------------------------------------------

    def parameter(self, op: Operation) -> None:
        """A root value for a parameter or buffer; zeros for one that is not in the file of parameters."""
        ((value_id, spec),) = op.results
        entry: ParameterFields = op.attrs[""]
        if not isinstance(spec, TensorSpec):
            raise FormatError(self.path, f"a tensor as parameter {entry.name!r}", str(spec))
        if not entry.persistable:
            self.values[value_id] = PirConstant(np.zeros([1 if dim < 0 else dim for dim in spec.shape], spec.dtype.np))
            return
        if entry.name not in self.arrays:
            raise FormatError(self.path, f"a value for parameter {entry.name!r}", "a model without its .pdiparams file")
        array = self.arrays[entry.name]
        if not spec.accepts(spec_of(array)):
            raise FormatError(self.path, f"parameter {entry.name!r} of {spec}", str(spec_of(array)))
        said = self.info.get(entry.name, {})
        trainable = said.get("trainable", entry.is_parameter and entry.trainable) and spec.dtype.is_floating
        stop_gradient = said.get("stop_gradient", entry.stop_gradient or not trainable)
        holder = Stored(array, entry.name, stop_gradient, trainable, said.get("structured_name"))
        self.values[value_id] = self.builder.root_value(spec_of(array), PARAM if trainable else BUFFER, holder, entry.name)

    def feed(self, op: Operation) -> None:
        """An input of the Program."""
        ((value_id, spec),) = op.results
        name = op.attrs.get("name")
        if not isinstance(spec, TensorSpec) or not isinstance(name, str):
            raise FormatError(self.path, "a tensor with a name as input", f"{name!r} of {spec}")
        spec = TensorSpec(tuple(self.shapes.get(name, spec.shape)), spec.dtype)
        self.values[value_id] = self.builder.feed(spec, name, not spec.dtype.is_floating)

    def output(self, value_id: int, name: str) -> Any:
        """The tensor that a fetch names."""
        value = self.read(value_id)
        if isinstance(value, list) or isinstance(value.spec, ListSpec):
            raise FormatError(self.path, f"a tensor as output {name!r}", "a list of tensors")
        return value


def changes(op: Operation) -> Mapping[int, int]:
    """Results of an operation in place, each with the operand that it is written over."""
    return _CHANGED.get(op.name, _FIRST) if op.name.endswith("_") else {}
