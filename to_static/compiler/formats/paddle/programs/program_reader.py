"""Reads a ProgramDesc as a Program: each op is called in building mode on the present values of its variables.

A file's variable is a `Variable` of the builder, whose value changes when an op writes it, in any block. The builder turns such
changes inside a branch or loop into results of the `cond` or `while_loop`. So the Program has the meaning of the file, also if a
file writes a loop variable through another name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.formats.paddle.messages import schema
from to_static.compiler.formats.paddle.messages.desc import attr_value, slots, var_spec
from to_static.compiler.formats.paddle.messages.wire import parse
from to_static.compiler.formats.paddle.operators.op_reader import OpReader
from to_static.compiler.formats.paddle.programs.control_reader import CONTROL
from to_static.compiler.formats.paddle.programs.name_scope import Name, NameScope
from to_static.compiler.formats.unsupported_formats import foreign
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.program import Program, Stored
from to_static.compiler.ir.spec import TensorSpec, spec_of
from to_static.compiler.ir.symbolic.variable import Variable
from to_static.compiler.ir.var_kinds import BUFFER, PARAM
from to_static.compiler.ir.verifier import verify
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.sequence import offsets
from to_static.core.caching.cached_property import kept_property
from to_static.core.dtypes import as_dtype
from to_static.core.errors import FormatError, ProgramError

if TYPE_CHECKING:
    pass

NO_VALUES = frozenset(schema.VAR_TYPE[k] for k in ("FEED_MINIBATCH", "FETCH_LIST", "READER", "RAW", "STEP_SCOPES"))
MAX_OPS = 200_000  # of a program: reading, rewriting and compiling takes about .2 ms for each
MAX_NAMES = 200_000  # among the inputs or outputs of one operator
MAX_READINGS = 20, 200_000  # of operators of a program in all (so many for each, and so many more), as loops are read several times
MAX_NESTING, MAX_LOOPS = 48, 8  # blocks in blocks; a loop is traced a few times, so loops in loops multiply


def parse_program(data: bytes, path: object) -> Any:
    """The checked ProgramDesc message in ``data``; raises FormatError."""
    if not data:
        raise FormatError(path, "a Paddle program (ProgramDesc)", "an empty file", 0)
    other_format = None if data[:1] == b"\n" else foreign(data[:64], path)
    if other_format is not None:
        raise FormatError(path, "a Paddle 2.x program (ProgramDesc)", other_format, 0)
    desc = parse("ProgramDesc", data, path)
    if not desc.blocks:
        raise FormatError(path, "a program with at least one block", "none")
    _check_blocks(desc.blocks, path)
    if len(data) > 2 * MAX_NAMES:  # no name takes less
        _check_names(desc.blocks, path)
    return desc


def _check_names(blocks: Any, path: object) -> None:
    for op in (op for block in blocks for op in block.ops):
        for side, entries in (("inputs", op.inputs), ("outputs", op.outputs)):
            names = sum(len(entry.arguments) for entry in entries)
            if names > MAX_NAMES:
                raise FormatError(path, f"at most {MAX_NAMES} {side} of one operator", f"{names} of op {op.type!r}")


def _check_blocks(blocks: Any, path: object) -> None:
    """Blocks form a tree of bounded depth, each inner one belonging to one op of its parent."""
    nesting, loops, owned = [0] * len(blocks), [0] * len(blocks), {0}
    count = sum(len(block.ops) for block in blocks)
    if count > MAX_OPS:
        raise FormatError(path, f"at most {MAX_OPS} operators in a program", str(count))
    for i, block in enumerate(blocks):
        if block.idx != i or (block.parent_idx != -1 and i == 0):
            raise FormatError(path, f"block {i}", f"block {block.idx} with parent {block.parent_idx}")
        for op in block.ops:
            for attr in op.attrs:
                if attr.type != schema.ATTR_TYPE["BLOCK"]:
                    continue
                inner = attr.block_idx
                if not i < inner < len(blocks) or inner in owned or blocks[inner].parent_idx != i:
                    raise FormatError(path, f"a block of its own as {attr.name} of op {op.type!r}", f"block {inner}")
                owned.add(inner)
                nesting[inner], loops[inner] = nesting[i] + 1, loops[i] + (op.type in ("while", "recurrent"))
                if nesting[inner] > MAX_NESTING or loops[inner] > MAX_LOOPS:
                    raise FormatError(path, f"at most {MAX_NESTING} blocks and {MAX_LOOPS} loops inside each other", "more")


def persistable_vars(desc: Any) -> dict[str, Any]:
    """The variables that `.pdiparams` holds, in its order."""
    by_name = {v.name: v for b in desc.blocks for v in b.vars if v.persistable and v.type.type not in NO_VALUES}
    return {name: by_name[name] for name in sorted(by_name)}


def read_program(
    desc: Any,
    path: object,
    arrays: dict[str, np.ndarray] | None = None,
    info: dict[str, dict[str, Any]] | None = None,
    shapes: Mapping[str, Sequence[int]] | None = None,
    named: bool = False,
    straight: bool = False,
) -> Program:
    """The Program of a checked message (`parse_program`), its parameters holding ``arrays`` (by name).

    With ``info`` (see `info.read_info`) parameters carry their structured names and those not trainable are buffers. ``shapes``
    gives inputs (by name) other shapes than the file's; all later shapes follow from them. ``named``: values of the root block
    have the file's names for them, so that any may be asked for. ``straight``: the Program will be trained, and gradients pass
    quantization and its reverse as if neither were there.
    ``output_names`` are the file's names of the outputs. Raises FormatError naming the op and the file for anything that is
    not supported, and when an array does not have the shape or dtype that the program declares.
    """
    import to_static.compiler.ops  # noqa: F401  (the tables know where the operators are)

    refuse_unknown(desc, path)
    reader = ProgramReader(desc, path)
    reader.straight = straight
    with mode.use(reader.builder), mode.grad_mode(True):
        reader.add_params(arrays or {}, info)
        reader.add_feeds(shapes or {})
        reader.run(reader.root)
        if named or not reader.fetches:  # nobody said which values are its results: any may be asked for by name
            results = [name for _, name in sorted(reader.fetches) if name in reader.root.names]  # whose names count first
            for name in dict.fromkeys([*results, *reader.root.names]):
                handle = reader.root.names[name]
                if handle.handle.ssa.name is None:
                    handle.handle.ssa.name = name
                elif named and handle.handle.ssa.name != name:
                    reader.builder.program.aliases[name] = handle.handle.ssa
        names = [name for _, name in sorted(reader.fetches)]
        outputs = [reader.output(name) for name in names]
        if reader.builder.lods or reader.builder.lod_levels:
            reader.name_offsets(names, outputs)
    program = reader.builder.finish(outputs, names)
    try:
        verify(program, f"reading {path}")
    except ProgramError as error:
        raise FormatError(path, "a program whose parts fit together", str(error)) from error
    return program


def refuse_unknown(desc: Any, path: object) -> None:
    """Raise one FormatError for all operators that there are no readers of, with counts and the layers that they stand in."""
    from to_static.compiler.formats.paddle.operators.op_resolver import is_known

    ops = [op for block in desc.blocks for op in block.ops]
    counts = Counter(op.type for op in ops)
    unknown = [op_type for op_type in counts if op_type not in CONTROL and not is_known(op_type)]
    if not unknown:
        return
    layers: dict[str, str] = {}
    for op in ops:
        layer = next((attr.s for attr in op.attrs if attr.name == "op_namescope"), "") if op.type in unknown else ""
        if layer.strip("/"):
            layers.setdefault(op.type, f" in {layer}")
    in_order = sorted(unknown, key=lambda op_type: (-counts[op_type], op_type))
    listed = [f"{counts[op_type]} {op_type}{layers.get(op_type, '')}" for op_type in in_order]
    raise FormatError(path, "operators that can be read", f"others: {', '.join(listed)}")


_OLD = ("fake_dequantize_max_abs", "fake_channel_wise_dequantize_max_abs")  # which read quantized numbers, too


def _inputs(desc: Any, types: tuple[str, ...], slot: str) -> set[str]:
    """The variables that operators of some types have in a slot."""
    ops = [op for block in desc.blocks for op in block.ops if op.type in types]
    return {name for op in ops for name in slots(op.inputs).get(slot, ())}


class ProgramReader:
    """One reading of one program."""

    def __init__(self, desc: Any, path: object) -> None:
        self.desc = desc
        self.path = path
        self.builder = Builder(Program())
        self.builder.records_sites = False
        self.straight = False  # whether gradients pass quantization unchanged
        self.root = NameScope(self, desc.blocks[0], None)
        self.fetches: list[tuple[int, str]] = []
        self.marked: list[tuple[Name, bool]] = []  # names whose filler mark has changed, with what it was; branches take it back
        each, more = MAX_READINGS
        self.left = more + each * sum(len(block.ops) for block in desc.blocks)  # operators that may still be read

    def mark(self, name: Name, filler: bool) -> None:
        """Note whether the value of ``name`` is a filler."""
        if name.filler is not filler:
            self.marked.append((name, name.filler))
            name.filler = filler

    def add_params(self, arrays: dict[str, np.ndarray], info: dict[str, dict[str, Any]] | None) -> None:
        """A root value for every persistable variable."""
        quantized = _inputs(self.desc, ("dequantize_linear", *_OLD), "X")
        scales = _inputs(self.desc, ("quantize_linear", "dequantize_linear"), "Scale")
        for name, var in persistable_vars(self.desc).items():
            spec = var_spec(var, self.path)
            if name not in arrays:
                raise FormatError(self.path, f"a value for parameter {name!r}", "a model without its .pdiparams file")
            array = arrays[name]
            if name in quantized and isinstance(spec, TensorSpec) and array.dtype.kind == "i":
                spec = TensorSpec(spec.shape, as_dtype(array.dtype))  # declared as what it was before it was quantized
            if name in scales and isinstance(spec, TensorSpec) and spec.size == array.size:
                array = array.reshape(spec.shape)  # they are written with more or fewer dimensions of one element
            if not isinstance(spec, TensorSpec) or not spec.accepts(spec_of(array)):
                raise FormatError(self.path, f"parameter {name!r} of {spec}", str(spec_of(array)))
            entry = (info or {}).get(name, {})
            trainable = entry.get("trainable", info is None) and spec.dtype.is_floating
            holder = Stored(array, name, entry.get("stop_gradient", not trainable), trainable, entry.get("structured_name"))
            var_kind = PARAM if trainable else BUFFER
            self.root.names[name] = Name(self.builder.root_value(spec_of(array), var_kind, holder, name))

    def add_feeds(self, shapes: Mapping[str, Sequence[int]]) -> None:
        """The Program's inputs, in the order of their columns."""
        feeds = [op for op in self.root.block.ops if op.type == "feed"]
        names = [next(iter(slots(op.outputs).get("Out", ())), "") for op in sorted(feeds, key=self.column)]
        if not feeds:  # a Program that nobody made ready for inference: what is fed are its `data`
            names = sorted(name for name, var in self.root.declared.items() if var.need_check_feed)
        for name in names:
            var = self.root.declared.get(name)
            spec = None if var is None else var_spec(var, self.path)
            if var is None or not isinstance(spec, TensorSpec):
                raise FormatError(self.path, f"a tensor variable for input {name!r}", "none")
            spec = TensorSpec(tuple(shapes.get(name, spec.shape)), spec.dtype)
            # calls may want its gradient: whether they do, they tell
            handle = self.builder.feed(spec, name, not spec.dtype.is_floating)
            self.root.names[name] = Name(handle)
            levels = var.type.lod_tensor.lod_level  # of offsets of sequences
            if levels:
                self.builder.lod_levels[handle.ssa] = int(levels)

    def column(self, op: Any) -> int:
        """The position of a feed or fetch op among the inputs or outputs."""
        col = self.attrs(op).get("col", 0)
        if not isinstance(col, int):
            raise FormatError(self.path, f"an integer as col of op {op.type!r}", repr(col))
        return col

    @kept_property
    def reads(self) -> dict[str, int]:
        """The number of reads of each name in the file."""
        return Counter(name for b in self.desc.blocks for op in b.ops for entry in op.inputs for name in entry.arguments)

    def output(self, name: str) -> Variable:
        """The tensor that a fetch op names."""
        handle = self.root.read(name)
        if not isinstance(handle.spec, TensorSpec):
            raise FormatError(self.path, f"a tensor as output {name!r}", str(handle.spec))
        return handle

    def name_offsets(self, names: list[str], outputs: list[Variable]) -> None:
        """Call the offsets of sequences in results as the results with `offsets.SUFFIX`."""
        for name, output in zip(names, outputs, strict=True):
            of_output = offsets.known_offsets(self.builder, output.ssa)
            if of_output is not None:
                self.builder.program.aliases[f"{name}{offsets.SUFFIX}"] = of_output.ssa

    def attrs(self, op: Any) -> dict[str, Any]:
        """Attributes of an op message."""
        return {a.name: attr_value(a) for a in op.attrs}

    def run(self, scope: NameScope) -> None:
        """Read the ops of a block, in order."""
        for name, var in scope.declared.items():
            if var.type.type == schema.VAR_TYPE["LOD_TENSOR_ARRAY"]:  # no op makes these: they are empty when a block begins
                scope.names[name] = Name(F.list_new([]))
        ops = scope.block.ops
        at = 0
        while at < len(ops):
            op = ops[at]
            self.left -= 1
            if self.left < 0:
                raise FormatError(self.path, "loops whose variables reach stable shapes", "nested loops that never reach them")
            try:
                control = CONTROL.get(op.type)
                at += (control(self, scope, at) or 1) if control is not None else self.call(scope, op)
            except FormatError:
                raise
            except Exception as error:  # whatever a damaged op makes an operator or its reader do
                problem = f"one that does not fit: {type(error).__name__}: {error}"
                raise FormatError(self.path, f"a valid {op.type!r} op (number {at} of block {scope.block.idx})", problem) from error

    def call(self, scope: NameScope, op: Any) -> int:
        """Read one ordinary op."""
        from to_static.compiler.formats.paddle.operators.op_resolver import results, unrounded

        view = OpReader(self, scope, op)
        slots = results(view)
        view.store(unrounded(view, slots) if self.straight else slots)
        return 1
