"""Reads branches and loops of a file as `cond` and `while_loop`.

In a file, a branch is a block that runs or not, and writes variables of outer blocks. Paddle writes ``conditional_block(c)``,
``conditional_block(not c)`` and a ``select_input`` for each result, which together are one `cond`. A loop body writes outer
variables, too; the builder finds these, and makes them loop-carried.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.formats.paddle.messages.conventions import OUTPUT_SCALE, UNASSIGNED
from to_static.compiler.formats.paddle.messages.desc import slots
from to_static.compiler.formats.paddle.operators.op_reader import OpReader
from to_static.compiler.formats.paddle.programs import arrays
from to_static.compiler.formats.paddle.programs.name_scope import Name, NameScope, filler_like
from to_static.compiler.ir.building.block_scope import TracedBlock
from to_static.compiler.ir.spec import TensorSpec, join
from to_static.compiler.ir.symbolic.variable import Variable
from to_static.compiler.ops import functions as F
from to_static.core.errors import ShapeError

if TYPE_CHECKING:
    from to_static.compiler.formats.paddle.programs.program_reader import ProgramReader

# plumbing ----------------------------------------------------------------------------------------------------------------


def feed(reader: ProgramReader, scope: NameScope, at: int) -> int:
    return 1  # `ProgramReader.add_feeds` has made the inputs already, in the order of their columns


def fetch(reader: ProgramReader, scope: NameScope, at: int) -> int:
    op = scope.block.ops[at]
    (name,) = slots(op.inputs).get("X") or [""]
    reader.fetches.append((reader.column(op), name))
    return 1


def assign(reader: ProgramReader, scope: NameScope, at: int) -> int:
    view = OpReader(reader, scope, scope.block.ops[at])
    entry = scope.find(view.ins["X"][0])
    value = view.input("X")
    if isinstance(value.spec, TensorSpec):  # a list is a value that nobody changes: no copy is needed
        value = F.assign(value)
    scope.write(view.outs["Out"][0], value, filler=entry is not None and entry.filler)
    return 1


def assign_value(reader: ProgramReader, scope: NameScope, at: int) -> int:
    view = OpReader(reader, scope, scope.block.ops[at])
    dtype = view.dtype("dtype")
    lists = [view.attr(f"{type_name}_values", []) for type_name in ("bool", "fp32", "fp64", "int32", "int64", "int8")]
    values: list[Any] = next((v for v in [*lists, view.attr("values", [])] if v), [])
    array = np.asarray(values).astype(dtype.np).reshape(view.attr("shape", []))
    filler = dtype.kind == "f" and array.size == 1 and bool(array == np.asarray(UNASSIGNED, dtype.np))
    scope.write(view.outs["Out"][0], F.constant(array), filler)
    return 1


def scale(reader: ProgramReader, scope: NameScope, at: int) -> int:
    op = scope.block.ops[at]
    view = OpReader(reader, scope, op)
    name = view.outs["Out"][0]
    if not name.startswith(OUTPUT_SCALE) or (view.attr("scale", 1.0), view.attr("bias", 0.0)) != (1.0, 0.0):
        return reader.call(scope, op)
    scope.write(name, view.input("X"))  # Paddle's marker of an output, which computes nothing
    return 1


# branches ----------------------------------------------------------------------------------------------------------------


class FileBranch:
    """A traced sub-block, and the values of names at its end."""

    def __init__(self, reader: ProgramReader, scope: NameScope, block: int | None) -> None:
        marked = len(reader.marked)
        if block is None:
            self.scope = scope
            self.traced: TracedBlock = reader.builder.trace_block(lambda: None)
        else:
            self.scope = NameScope(reader, reader.desc.blocks[block], scope)
            self.traced = reader.builder.trace_block(lambda: reader.run(self.scope))
        self.escaped = [] if block is None else list(self.scope.escaped)
        changed_lists = reader.marked[marked:]
        self.final_fillers = {entry: entry.filler for entry, _ in changed_lists}
        for entry, filler in reversed(changed_lists):
            entry.filler = filler
        del reader.marked[marked:]

    def value(self, name: str) -> tuple[Any, Any, bool]:
        """Handle, spec and filler mark of a name at the end of the branch; (None, None, True) when it has no value."""
        entry = self.scope.find(name)
        if entry is None:
            return None, None, True
        spec = self.traced.rebound.get(entry.handle, entry.handle.ssa).spec
        return entry.handle, spec, self.final_fillers.get(entry, entry.filler)


BETWEEN = ("logical_not", "cast", "assign_value", "fill_constant")  # what stands between the parts of a branch


def conditional_block(reader: ProgramReader, scope: NameScope, at: int) -> int:
    """This block, the one that runs in the other case, and the selections between their results."""
    ops = scope.block.ops
    view = OpReader(reader, scope, ops[at])
    if not view.attr("is_scalar_condition", False):
        view.refuse("a condition of several elements")
    condition = view.ins["Cond"][0]
    partner, selects, end = _partner(ops, at, condition)
    for i in range(at + 1, end):
        if ops[i].type == "assign_value":
            assign_value(reader, scope, i)
        elif ops[i].type in BETWEEN:
            reader.call(scope, ops[i])
    true = FileBranch(reader, scope, view.attr("sub_block"))
    false = FileBranch(reader, scope, None if partner is None else reader.attrs(partner)["sub_block"])
    selected: dict[str, int] = {}  # how often the selections read each name
    wanted: list[tuple[str, str, str]] = []  # name for the result, name in each branch
    for op in selects:
        false_name, true_name = slots(op.inputs)["X"]
        for name in (false_name, true_name):
            selected[name] = selected.get(name, 0) + 1
        wanted.append((slots(op.outputs)["Out"][0], true_name, false_name))
    for name in dict.fromkeys([*true.escaped, *false.escaped]):
        if reader.reads[name] > selected.get(name, 0):
            wanted.append((name, name, name))
    pairs = [_unify(reader, true, false, true_name, false_name) for _, true_name, false_name in wanted]
    retained = [(name, pair) for (name, _, _), pair in zip(wanted, pairs, strict=True) if pair is not None]
    pred = scope.read(condition)
    results = reader.builder.emit_cond(pred, true.traced, false.traced, [p[0] for _, p in retained], [p[1] for _, p in retained])
    for (name, pair), result in zip(retained, results, strict=True):
        scope.write(name, result, filler=pair[2])
    return end - at


def _partner(ops: Any, at: int, condition: str) -> tuple[Any, list[Any], int]:
    """The block for the other case (or None), the select_inputs that follow, and the index after all of them."""
    opposite: set[str] = set()
    casts: set[str] = set()
    partner, selects, end = None, [], at + 1
    for i in range(at + 1, len(ops)):
        op = ops[i]
        ins, outs = slots(op.inputs), slots(op.outputs)
        if op.type == "logical_not":
            if ins["X"] != [condition]:
                break
            opposite.update(outs["Out"])
        elif op.type == "cast":
            if ins["X"] != [condition]:
                break
            casts.update(outs["Out"])
        elif op.type == "conditional_block" and partner is None and set(ins["Cond"]) <= opposite:
            partner, end = op, i + 1
        elif op.type == "select_input" and partner is not None and set(ins["Mask"]) <= casts and len(ins["X"]) == 2:
            selects.append(op)
            end = i + 1
        elif op.type not in BETWEEN:
            break
    return partner, selects, end


def _unify(
    reader: ProgramReader, true: FileBranch, false: FileBranch, true_name: str, false_name: str
) -> tuple[Any, Any, bool] | None:
    """A result of both branches of one spec: where a branch has no value (or only the filler), one like the other's."""
    (a, spec_a, empty_a), (b, spec_b, empty_b) = true.value(true_name), false.value(false_name)
    if a is None and b is None:
        return None
    fits = spec_a is not None and spec_b is not None and join(spec_a, spec_b) is not None
    if not fits and (a is None or (empty_a and b is not None and not empty_b)):
        with reader.builder.resume(true.traced):
            a = filler_like(spec_b)
    elif not fits and (b is None or (empty_b and not empty_a)):
        with reader.builder.resume(false.traced):
            b = filler_like(spec_a)
    return a, b, empty_a and empty_b


def select_input(reader: ProgramReader, scope: NameScope, at: int) -> int:
    """A selection that stands alone."""
    view = OpReader(reader, scope, scope.block.ops[at])
    values = view.inputs("X")
    if len(values) != 2:
        view.refuse(f"{len(values)} inputs")
    # a list is a value that nobody changes: no copy is needed
    false_value, true_value = (F.assign(v) if isinstance(v.spec, TensorSpec) else v for v in values)
    (result,) = reader.builder.cond(F.cast(view.input("Mask"), "bool"), lambda: [true_value], lambda: [false_value])
    scope.write(view.outs["Out"][0], result)
    return 1


# loops -------------------------------------------------------------------------------------------------------------------


def while_op(reader: ProgramReader, scope: NameScope, at: int) -> int:
    """A loop: the names that its body writes outside of itself are carried."""
    view = OpReader(reader, scope, scope.block.ops[at])
    condition, block = view.ins["Condition"][0], view.attr("sub_block")
    written = _written(reader, block)
    _settle_fillers(reader, scope, block, written)
    start = {name: entry.handle.ssa.spec for name in written if (entry := scope.find(name)) is not None}

    def body() -> list[Any]:
        inner = NameScope(reader, reader.desc.blocks[block], scope)
        reader.run(inner)
        for name, spec in start.items():
            value = inner.read(name)
            if isinstance(spec, TensorSpec) and spec.size == 1 and value.spec.ndim != spec.ndim and value.spec.size == 1:
                inner.write(name, F.reshape(value, list(spec.shape)))  # Paddle's [] and [1] are both one number
        return []

    try:
        reader.builder.while_loop(lambda: scope.read(condition), body, [])
    except ShapeError:
        if not _replace_unread(reader, scope, block, written):
            raise
        start.update({name: scope.find(name).handle.ssa.spec for name in start})  # type: ignore[union-attr]
        reader.builder.while_loop(lambda: scope.read(condition), body, [])
    for name in start:
        reader.mark(scope.find(name), False)  # type: ignore[arg-type]
    return 1


def recurrent(reader: ProgramReader, scope: NameScope, at: int) -> int:
    """Read a ``StaticRNN``: a loop over the rows of tensors, whose block uses the names of the operands for one row."""
    view = OpReader(reader, scope, scope.block.ops[at])
    sequences, first = view.inputs("inputs"), view.inputs("initial_states")
    old_names, new_names, block = view.attr("ex_states", []), view.attr("states", []), view.attr("sub_block")
    if not sequences or not len(old_names) == len(new_names) == len(first):
        view.refuse(f"{len(sequences)} sequences, {len(first)} first states and names for {len(old_names)} and {len(new_names)}")
    count = F.shape(sequences[0])[0].astype("int64")
    names = view.outs.get("outputs", [])
    reverse = view.attr("reverse", False)

    def body(t: Any, *carried: Any) -> list[Any]:
        inner = NameScope(reader, reader.desc.blocks[block], scope)
        row = count - 1 - t if reverse else t
        rows = [x[row] for x in sequences]
        states = carried[: len(first)]
        for name, value in [*zip(view.ins["inputs"], rows, strict=True), *zip(old_names, states, strict=True)]:
            inner.names[name] = Name(Variable(reader.builder.var(value), reader.builder))
        reader.run(inner)
        new = [_in_form(inner.read(name), state.spec) for name, state in zip(new_names, states, strict=True)]
        lists = zip(carried[len(first) :], names, strict=True)
        return [t + 1, *new, *(F.list_append(items, inner.read(name)) for items, name in lists)]

    start = [F.full([], 0, "int64"), *first, *(F.list_new([]) for _ in names)]
    results = reader.builder.while_loop(lambda t, *_: t < count, body, start)
    for name, items in zip(names, results[1 + len(first) :], strict=True):
        stacked = F.list_stack(items, 0)
        scope.write(name, F.flip(stacked, [0]) if reverse else stacked)
    return 1


def _in_form(value: Any, spec: Any) -> Any:
    """Return a state in its old shape, if the new one differs only by dimensions of size 1."""
    return value if value.spec.ndim == spec.ndim else F.reshape(value, list(spec.shape))


def _written(reader: ProgramReader, block: int) -> list[str]:
    """Names that a block, or one inside it, writes and that neither declares."""
    written: dict[str, None] = {}
    desc = reader.desc.blocks[block]
    for op in desc.ops:
        inner = reader.attrs(op).get("sub_block")
        if inner is not None:
            written.update(dict.fromkeys(_written(reader, inner)))
        if op.type != "conditional_block":  # its Out lists what its block writes
            for entry in op.outputs:
                written.update(dict.fromkeys(entry.arguments))
    declared = {v.name for v in desc.vars}
    return [name for name in written if name not in declared]


def _settle_fillers(reader: ProgramReader, scope: NameScope, block: int, written: list[str]) -> None:
    """Give loop variables without a value before the loop one of the spec that they have after an iteration."""
    open_names = [n for n in written if (entry := scope.find(n)) is None or entry.filler]
    if not open_names:
        return
    trial = FileBranch(reader, scope, block)
    for name in open_names:
        handle, spec, _ = trial.value(name)
        entry = scope.find(name)
        if handle is None or (entry is None and not reader.reads[name]):
            continue
        if entry is None or join(entry.handle.ssa.spec, spec) is None:
            scope.write(name, filler_like(spec), filler=True)


def _replace_unread(reader: ProgramReader, scope: NameScope, block: int, written: list[str]) -> bool:
    """Replace start values of another spec that no iteration reads, such as the 0 that Paddle puts there; whether there are any."""
    trial = FileBranch(reader, scope, block)
    first = _written_first(reader.desc.blocks[block])
    replaced = False
    for name in written:
        entry, (handle, spec, _) = scope.find(name), trial.value(name)
        if entry is None or handle is None or join(entry.handle.ssa.spec, spec) is not None:
            continue
        if name not in first:
            return False
        scope.write(name, filler_like(spec))
        replaced = True
    return replaced


def _written_first(block: Any) -> set[str]:
    """The names that an operator of a block, which is no branch or loop, writes before any reads them."""
    read_names: set[str] = set()
    first_written: set[str] = set()
    for op in block.ops:
        read_names.update(name for entry in op.inputs for name in entry.arguments)
        written = {name for entry in op.outputs for name in entry.arguments}
        if op.type not in ("conditional_block", "while"):
            first_written |= written - read_names
        read_names |= written
    return first_written


Control = Callable[["ProgramReader", NameScope, int], int]
CONTROL: dict[str, Control] = {
    "feed": feed, "fetch": fetch, "assign": assign, "assign_value": assign_value, "scale": scale,
    "slice": arrays.slice_op, "conditional_block": conditional_block, "select_input": select_input, "while": while_op,
    "recurrent": recurrent,
    "write_to_array": arrays.write_to_array, "read_from_array": arrays.read_from_array, "lod_array_length": arrays.lod_array_length,
    "tensor_array_to_tensor": arrays.tensor_array_to_tensor,
}  # fmt: skip
