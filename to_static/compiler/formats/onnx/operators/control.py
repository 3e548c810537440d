"""Writes `cond` as If, `while_loop` as Loop, and lists of tensors as sequences."""

from __future__ import annotations

from typing import Any

from to_static.compiler.formats.onnx import schema
from to_static.compiler.formats.onnx.program_writer import OnnxWriter, writes
from to_static.compiler.ir.program import Block, Op, Var
from to_static.compiler.ir.spec import ListSpec, TensorSpec
from to_static.core.dtypes import bool_, int64

_SCALAR = TensorSpec((), bool_)


def _sequence(w: OnnxWriter, name: str, spec: Any) -> str:
    """Return the name of a list; an empty list that was made without an element type gets that of ``spec``."""
    if name != EMPTY:
        return name
    if spec.element is None:
        w.refuse("a list that is always empty")
    return w.op("SequenceEmpty", dtype=schema.DATA_TYPE_OF[spec.element.dtype.name])  # type: ignore[no-any-return]


EMPTY = "?"  # the name of a list without elements


def _flag(w: OnnxWriter, var: Var) -> str:
    name = w.as_dtype(var, bool_)
    return name if var.spec.shape == () else w.reshape(name, [])


def _result(w: OnnxWriter, var: Var, spec: Any) -> None:
    """Make a value of a block a result of the current graph, with the spec that it has outside."""
    name = w.names[var]
    if isinstance(spec, ListSpec):
        name = _sequence(w, name, spec)
    w.result(name, spec)


@writes("cond")
def _(w: OnnxWriter, op: Op) -> Any:
    pred, operands = op.inputs
    if not op.outputs:
        return []
    live = [var for var in op.outputs if not isinstance(var.spec, ListSpec) or var.spec.element is not None]
    if any(isinstance(var.spec, ListSpec) for var in live):
        w.need(13, "a list that a branch decides")
    names = [w.names[v] for v in operands]
    flag = _flag(w, pred)
    known_flag = w.value(flag)
    if known_flag is not None:
        chosen_block = op.blocks[0 if known_flag.item() else 1]
        w.names.update(zip(chosen_block.args, names, strict=True))
        w.block(chosen_block)
        return [w.names[var] for var in chosen_block.results]
    branches = []
    for block, hint in zip(op.blocks, ("then", "else"), strict=True):
        branches.append(w.open(hint))
        w.names.update(zip(block.args, names, strict=True))
        w.block(block)
        for var in live:
            _result(w, block.results[var.index], var.spec)
        w.close()
    results = w.op("If", flag, outputs=len(live), then_branch=branches[0], else_branch=branches[1]) if live else []
    named = dict(zip(live, [results] if isinstance(results, str) else results, strict=True))
    return [named.get(var, EMPTY) for var in op.outputs]


@writes("while_loop")
def _(w: OnnxWriter, op: Op) -> Any:
    (operands,) = op.inputs
    count = op.attrs["carried"]
    test, body = op.blocks
    outer = [w.names[v] for v in operands]
    specs = [var.spec for var in op.outputs]
    if any(isinstance(spec, ListSpec) for spec in specs):
        w.need(13, "a list that a loop changes")
    for i, spec in enumerate(specs):
        if isinstance(spec, ListSpec):
            outer[i] = _sequence(w, outer[i], spec)
    go_on = _tested(w, test, outer)
    graph = w.open("loop")
    w.formal("turn", TensorSpec((), int64))
    w.formal("goes_on", _SCALAR)
    inner = [w.formal(var.name or "carried", spec) for var, spec in zip(body.args[:count], specs, strict=True)]
    w.names.update(zip(body.args, inner + outer[count:], strict=True))
    w.block(body)
    result_names = [w.names[v] for v in body.results]
    for i, spec in enumerate(specs):
        if isinstance(spec, ListSpec):
            result_names[i] = _sequence(w, result_names[i], spec)
    flag = _tested(w, test, result_names + outer[count:])
    w.result(flag, _SCALAR)
    for name, spec in zip(result_names, specs, strict=True):
        w.result(name, spec)
    w.close()
    results = w.op("Loop", None, go_on, *outer[:count], outputs=count, body=graph)
    return [results] if isinstance(results, str) else results


def _tested(w: OnnxWriter, test: Block, values: list[str]) -> str:
    """The condition of a loop, of these values."""
    w.names.update(zip(test.args, values, strict=True))
    w.block(test)
    return _flag(w, test.results[0])


# lists -----------------------------------------------------------------------------------------------------------------


def _place(w: OnnxWriter, items: str, index: Var, more: int = 0) -> str:
    """A position in a list, from the start: 0-D int64. ``more``: elements that the list has not yet."""
    name = w.as_dtype(index, int64)
    name = name if index.spec.shape == () else w.reshape(name, [])
    array = w.value(name)
    if array is not None and array.item() >= 0:
        return name
    length = w.op("SequenceLength", items)
    length = w.op("Add", length, w.scalar(more, int64)) if more else length
    return w.op("Where", w.op("Less", name, w.scalar(0, int64)), w.op("Add", name, length), name)  # type: ignore[no-any-return]


@writes("list_new")
def _(w: OnnxWriter, op: Op) -> Any:
    return w.op("SequenceConstruct", *op.inputs[0]) if op.inputs[0] else EMPTY


@writes("list_append")
def _(w: OnnxWriter, op: Op) -> Any:
    items, x = op.inputs
    return w.op("SequenceInsert", _sequence(w, w.names[items], op.out.spec), x)


@writes("list_get")
def _(w: OnnxWriter, op: Op) -> Any:
    items, index = op.inputs
    sequence = _sequence(w, w.names[items], ListSpec(op.out.spec))
    return w.op("SequenceAt", sequence, _place(w, sequence, index))


@writes("list_set")
def _(w: OnnxWriter, op: Op) -> Any:
    items, index, x = op.inputs
    sequence = _sequence(w, w.names[items], op.out.spec)
    position = _place(w, sequence, index)
    return w.op("SequenceInsert", w.op("SequenceErase", sequence, position), x, position)


@writes("list_pop")
def _(w: OnnxWriter, op: Op) -> Any:
    items, index = op.inputs
    sequence = _sequence(w, w.names[items], ListSpec(op.outputs[1].spec))
    position = _place(w, sequence, index)
    return [w.op("SequenceErase", sequence, position), w.op("SequenceAt", sequence, position)]


@writes("list_insert")
def _(w: OnnxWriter, op: Op) -> Any:
    items, index, x = op.inputs
    sequence = _sequence(w, w.names[items], op.out.spec)
    return w.op("SequenceInsert", sequence, x, _place(w, sequence, index, 1))


@writes("list_len")
def _(w: OnnxWriter, op: Op) -> Any:
    items = op.inputs[0]
    return w.scalar(0, int64) if w.names[items] == EMPTY else w.op("SequenceLength", items)


@writes("list_stack", "list_concat")
def _(w: OnnxWriter, op: Op) -> Any:
    new = op.name == "list_stack"
    return w.op("ConcatFromSequence", op.inputs[0], axis=op.attrs["axis"] % op.out.spec.ndim, new_axis=int(new))


@writes("list_unstack")
def _(w: OnnxWriter, op: Op) -> Any:
    x = op.inputs[0]
    return w.op("SplitToSequence", x, axis=op.attrs["axis"] % x.spec.ndim, keepdims=0)
