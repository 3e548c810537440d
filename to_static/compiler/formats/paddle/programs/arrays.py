"""Reads tensor arrays of a file as lists of the Program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from to_static.compiler.formats.paddle.operators.op_reader import OpReader
from to_static.compiler.formats.paddle.programs.name_scope import NameScope, filler_like
from to_static.compiler.ir.registry import FUNCTIONS, REGISTRY
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ops import functions as F

if TYPE_CHECKING:
    from to_static.compiler.formats.paddle.programs.program_reader import ProgramReader


def write_to_array(reader: ProgramReader, scope: NameScope, at: int) -> int:
    view = OpReader(reader, scope, scope.block.ops[at])
    name = view.outs["Out"][0]
    items, x, i = scope.read(name), view.input("X"), view.input("I")
    op = i.ssa.op
    while op is not None and op.name in ("reshape", "cast", "assign"):
        op = op.inputs[0].op
    if op is not None and op.name == "list_len" and op.inputs[0] is reader.builder.var(items):
        scope.write(name, F.list_append(items, x))
        return 1
    i = F.reshape(i, [])
    (result,) = reader.builder.cond(
        F.less_than(i, F.cast(F.list_len(items), i.dtype)),
        lambda: [F.list_set(items, i, x)],
        lambda: [F.list_append(items, x)],
    )
    scope.write(name, result)
    return 1


def slice_op(reader: ProgramReader, scope: NameScope, at: int) -> int:
    """Read a slice of a list; slices of tensors are read by their operator."""
    view = OpReader(reader, scope, scope.block.ops[at])
    items = view.input("Input")
    if isinstance(items.spec, TensorSpec):
        return reader.call(scope, scope.block.ops[at])
    length = F.list_len(items)
    start, end = (_bound(view, what, length) for what in ("Starts", "Ends"))
    if view.attr("decrease_axis", []):
        result = F.list_get(items, start)
    else:
        start, end = F.clip(start, 0), F.minimum(end, length)

        def copy(i: Any, out: Any) -> list[Any]:
            return [i + 1, F.list_append(out, F.list_get(items, i))]

        _, result = reader.builder.while_loop(lambda i, out: i < end, copy, [start, F.list_new([])])
    scope.write(view.outs["Out"][0], result)
    return 1


def _bound(view: OpReader, what: str, length: Any) -> Any:
    """The start or end of a list's slice as a 0-D int64 tensor that counts from the list's start."""
    names = (f"{what}Tensor", f"{what}TensorList")
    limit = next((view.input(n) for n in names if view.has(n)), None)
    if limit is None:
        extent = view.attr(what.lower(), [0])[0]
        bound = F.full([], extent, "int64")
        return bound + length if extent < 0 else bound
    bound = F.reshape(F.cast(limit, "int64"), [])
    return F.where(bound < 0, bound + length, bound)


def read_from_array(reader: ProgramReader, scope: NameScope, at: int) -> int:
    view = OpReader(reader, scope, scope.block.ops[at])
    items, name = view.input("X"), view.outs["Out"][0]
    if items.spec.element is None:  # in a loop, which fills it later: the file says what it will give
        REGISTRY["assert"].emit(F.list_len(items) > 0, [], message="list index out of range", error="IndexError")
        scope.write(name, filler_like(scope.declared_spec(name)))
        return 1
    scope.write(name, F.list_get(items, F.reshape(view.input("I"), [])))
    return 1


def lod_array_length(reader: ProgramReader, scope: NameScope, at: int) -> int:
    view = OpReader(reader, scope, scope.block.ops[at])
    scope.write(view.outs["Out"][0], F.reshape(F.list_len(view.input("X")), [1]))
    return 1


def tensor_array_to_tensor(reader: ProgramReader, scope: NameScope, at: int) -> int:
    view = OpReader(reader, scope, scope.block.ops[at])
    list_op = "list_stack" if view.attr("use_stack", False) else "list_concat"
    scope.write(view.outs["Out"][0], FUNCTIONS[list_op](view.input("X"), axis=view.attr("axis", 0)))
    return 1
