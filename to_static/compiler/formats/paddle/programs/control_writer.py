"""Writes `cond`, `while_loop`, lists and constants in the form of Paddle's files.

A branch becomes two ``conditional_block`` ops and a ``select_input`` for each result. Carried values of a loop get variables of
their own, to which the initial values are copied before the loop. At its end, the body assigns all new values, and then evaluates
the condition.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from to_static.compiler.formats.paddle.messages.desc import var_message
from to_static.compiler.ir.program import Block, Op, Var
from to_static.compiler.ir.spec import ListSpec, TensorSpec
from to_static.compiler.ir.var_kinds import ARG
from to_static.core.dtypes import bool_, int32, int64

if TYPE_CHECKING:
    from to_static.compiler.formats.paddle.programs.program_writer import BlockWriter, ProgramWriter

EMPTY = "empty_list"  # a list variable that nothing is ever written to
Lowering: TypeAlias = Callable[["ProgramWriter", Op], None]  # writes an operator

LOWERED: dict[str, Lowering] = {}


def lowers(*names: str) -> Callable[[Lowering], Lowering]:
    """Register how operators are written."""

    def decorate(function: Lowering) -> Lowering:
        LOWERED.update(dict.fromkeys(names, function))
        return function

    return decorate


@lowers("constant")
def _constant(w: ProgramWriter, op: Op) -> None:
    w.names[op.out] = w.constant(op.attrs["value"])


def constant_scalar(var: Var) -> Any:
    """The value of a 0-D constant; None for any other value."""
    op = var.op
    if op is None or var.spec != TensorSpec((), var.spec.dtype):
        return None
    if op.name == "constant" or (op.name == "full" and not op.inputs[0]):
        return np.asarray(op.attrs["value"]).astype(var.spec.dtype.np).item()
    return None


def _close(w: ProgramWriter) -> list[str]:
    """Leave a sub-block; returns the outer names that it reads."""
    block = w.block
    w.block = block.parent  # type: ignore[assignment]
    return sorted(block.outer)


def _bind(w: ProgramWriter, block: Block, names: list[str]) -> None:
    w.names.update(zip(block.args, names, strict=True))


def assign(w: ProgramWriter, source: Var | str, target: str) -> None:
    """Write a copy of a value into a variable."""
    w.write("assign", {"X": source}, {"Out": target}, {})


# branches ----------------------------------------------------------------------------------------------------------------


@lowers("cond")
def _cond(w: ProgramWriter, op: Op) -> None:
    pred, operands = op.inputs
    if not op.outputs:
        return  # nothing but prints and asserts
    condition = w.name(pred) if pred.spec.dtype is bool_ else w.cast(pred, pred.spec, bool_)
    names = [w.name(v) for v in operands]
    true = _branch(w, op, op.blocks[0], names, condition)
    opposite = w.temp(TensorSpec(pred.spec.shape, bool_), "logical_not")
    w.write("logical_not", {"X": condition}, {"Out": opposite}, {})
    false = _branch(w, op, op.blocks[1], names, opposite)
    branch_index = w.cast(condition, TensorSpec(pred.spec.shape, bool_), int32)
    for var, a, b in zip(op.outputs, true, false, strict=True):
        w.write("select_input", {"Mask": branch_index, "X": [b, a]}, {"Out": var}, {})
    w.owned.update(op.outputs)


def _branch(w: ProgramWriter, op: Op, block: Block, operands: list[str], condition: str) -> list[str]:
    targets = [w.temp(v.spec, "branch") for v in op.outputs]
    scope = w.temp("STEP_SCOPES", "scope")
    inner = w.open_block()
    _bind(w, block, operands)
    w.ops(block)
    w.current = op
    for result, target in zip(block.results, targets, strict=True):
        assign(w, result, target)
    reads = _close(w)
    w.write(
        "conditional_block",
        {"Cond": condition, "Input": reads},
        {"Out": targets, "Scope": scope},
        {"sub_block": ("block", inner.index), "is_scalar_condition": ("bool", True)},
    )
    return targets


# loops -------------------------------------------------------------------------------------------------------------------


@lowers("while_loop")
def _while(w: ProgramWriter, op: Op) -> None:
    (operands,) = op.inputs
    count = op.attrs["carried"]
    test, body = op.blocks
    carried = [w.temp(out.spec, "carried") for out in op.outputs]
    for start, name in zip(operands, carried, strict=False):
        assign(w, start, name)
    among = set(carried)
    names = carried + [w.name(v) for v in operands[count:]]
    spec = test.results[0].spec
    condition = w.temp(TensorSpec(spec.shape, bool_), "condition")
    _evaluate(w, op, test, names, condition)
    scope = w.temp("STEP_SCOPES", "scope")
    inner = w.open_block()
    _bind(w, body, names)
    w.owned.update(body.args[:count])
    w.ops(body)
    w.current = op
    pairs = []
    for result, target in zip(body.results, carried, strict=True):
        source = w.name(result)
        if source == target:
            continue
        if result.kind == ARG and source in among:  # another carried value, overwritten below
            copied = w.temp(result.spec, "held")
            assign(w, result, copied)
            source = copied
        pairs.append((source, target))
    for source, target in pairs:
        assign(w, source, target)
    _evaluate(w, op, test, names, condition)
    write_loop(w, inner, condition, carried, scope)
    w.names.update(zip(op.outputs, carried, strict=True))
    w.owned.update(op.outputs)


def _evaluate(w: ProgramWriter, op: Op, test: Block, names: list[str], condition: str) -> None:
    _bind(w, test, names)
    w.ops(test)
    w.current = op
    result = test.results[0]
    if result.spec.dtype is bool_:
        assign(w, result, condition)
    else:
        w.write(
            "cast", {"X": result}, {"Out": condition},
            {"in_dtype": ("dtype", result.spec.dtype), "out_dtype": ("dtype", bool_)},
        )  # fmt: skip


# lists -------------------------------------------------------------------------------------------------------------------


def _list_variable_for_write(w: ProgramWriter, op: Op) -> str:
    """The variable of a list that ``op`` changes: the list's own if nothing else uses it, else a copy."""
    items = op.inputs[0]
    source = w.names[items]
    w.owned.add(op.out)
    if w.reads(items) == 1 and items in w.owned:
        return source
    target = w.temp(items.spec, "list")
    assign(w, items, target)
    return target


def _index(w: ProgramWriter, items: str, i: Var) -> str:
    """An index variable of shape [1] and dtype int64 that counts from the start."""
    int64_index = w.cast(i, i.spec, int64) if i.spec.dtype is not int64 else w.name(i)
    flat = w.temp(TensorSpec((1,), int64))
    w.write("reshape2", {"X": int64_index}, {"Out": flat, "XShape": w.unused(int64)}, {"shape": ("ints", [1])})
    if i.op is not None and i.op.name in ("constant", "full") and np.all(np.asarray(i.op.attrs["value"]) >= 0):
        return flat
    negative, shifted, result = w.temp(TensorSpec((1,), bool_)), w.temp(TensorSpec((1,), int64)), w.temp(TensorSpec((1,), int64))
    compare = {"axis": ("int", -1), "force_cpu": ("bool", False)}
    w.write("less_than", {"X": flat, "Y": w.constant(np.zeros(1, "int64"))}, {"Out": negative}, compare)
    w.write("elementwise_add", {"X": flat, "Y": _length(w, items)}, {"Out": shifted}, {"axis": ("int", -1)})
    w.write("where", {"Condition": negative, "X": shifted, "Y": flat}, {"Out": result}, {})
    return result


def _length(w: ProgramWriter, items: Var | str) -> str:
    out = w.temp(TensorSpec((1,), int64), "length")
    w.write("lod_array_length", {"X": items}, {"Out": out}, {})
    return out


def _store(w: ProgramWriter, items: str, i: str, x: Var | str) -> None:
    w.write("write_to_array", {"I": i, "X": x}, {"Out": items}, {})


def _empty(w: ProgramWriter, spec: ListSpec) -> str:
    """A list variable that is empty: cleared, since one that another run in the same scope has filled stays so."""
    root = w.blocks[0]
    if EMPTY not in root.vars:
        root.vars[EMPTY] = var_message(EMPTY, spec)
    name = w.temp(spec, "list")
    assign(w, EMPTY, name)
    return name


@lowers("list_new")
def _list_new(w: ProgramWriter, op: Op) -> None:
    assert isinstance(op.out.spec, ListSpec)
    w.names[op.out] = name = _empty(w, op.out.spec)
    w.owned.add(op.out)
    for i, x in enumerate(op.inputs[0]):
        _store(w, name, w.constant(np.asarray([i], "int64")), x)


@lowers("list_append")
def _list_append(w: ProgramWriter, op: Op) -> None:
    name = _list_variable_for_write(w, op)
    _store(w, name, _length(w, name), op.inputs[1])
    w.names[op.out] = name


@lowers("list_set")
def _list_set(w: ProgramWriter, op: Op) -> None:
    name = _list_variable_for_write(w, op)
    _store(w, name, _index(w, name, op.inputs[1]), op.inputs[2])
    w.names[op.out] = name


@lowers("list_get")
def _list_get(w: ProgramWriter, op: Op) -> None:
    name = w.name(op.inputs[0])
    w.write("read_from_array", {"X": name, "I": _index(w, name, op.inputs[1])}, {"Out": op.out}, {})


@lowers("list_pop")
def _list_pop(w: ProgramWriter, op: Op) -> None:
    items = w.name(op.inputs[0])
    items_left, item = op.outputs
    at = _index(w, items, op.inputs[1])
    w.write("read_from_array", {"X": items, "I": at}, {"Out": item}, {})
    assert isinstance(items_left.spec, ListSpec)
    w.names[items_left] = name = _empty(w, items_left.spec)
    w.owned.add(items_left)
    trailing = w.temp(TensorSpec((1,), int64))
    step = {"scale": ("float", 1.0), "bias": ("float", 1.0), "bias_after_scale": ("bool", True)}
    w.write("scale", {"X": at}, {"Out": trailing}, step)
    _append_range(w, items, name, w.constant(np.zeros(1, "int64")), at, item.spec)
    _append_range(w, items, name, trailing, _length(w, items), item.spec)


def _append_range(w: ProgramWriter, source: str, target: str, start: str, end: str, spec: TensorSpec) -> None:
    """A loop that appends the elements from ``start`` to ``end`` of one list variable to another."""
    k, condition = w.temp(TensorSpec((1,), int64), "position"), w.temp(TensorSpec((1,), bool_), "condition")
    compare = {"axis": ("int", -1), "force_cpu": ("bool", False)}
    assign(w, start, k)
    w.write("less_than", {"X": k, "Y": end}, {"Out": condition}, compare)
    scope = w.temp("STEP_SCOPES", "scope")
    inner = w.open_block()
    element, more = w.temp(spec), w.temp(TensorSpec((1,), bool_))
    w.write("read_from_array", {"X": source, "I": k}, {"Out": element}, {})
    _store(w, target, _length(w, target), element)
    w.write("increment", {"X": k}, {"Out": k}, {"step": ("float", 1.0)})
    w.write("less_than", {"X": k, "Y": end}, {"Out": more}, compare)
    assign(w, more, condition)
    write_loop(w, inner, condition, [k, target], scope)


def write_loop(w: ProgramWriter, inner: BlockWriter, condition: str, changed_names: list[str], scope: str) -> None:
    """Close the body ``inner`` and write the ``while`` op over it."""
    reads = _close(w)
    w.write(
        "while",
        {"Condition": condition, "X": sorted({*reads, *changed_names} - {condition})},
        {"Out": [*changed_names, condition], "StepScopes": scope},
        {"sub_block": ("block", inner.index), "is_test": ("bool", True)},
    )


@lowers("list_len")
def _list_len(w: ProgramWriter, op: Op) -> None:
    length = _length(w, op.inputs[0])
    w.write("squeeze2", {"X": length}, {"Out": op.out}, {"axes": ("ints", [0])})  # oneDNN can't reshape2 to 0-D


@lowers("list_stack")
def _list_stack(w: ProgramWriter, op: Op) -> None:
    _to_tensor(w, op, True)


@lowers("list_concat")
def _list_concat(w: ProgramWriter, op: Op) -> None:
    _to_tensor(w, op, False)


def _to_tensor(w: ProgramWriter, op: Op, stack: bool) -> None:
    sizes = w.temp(TensorSpec((-1,), int32), "sizes")
    attrs = {"axis": ("int", op.attrs["axis"]), "use_stack": ("bool", stack)}
    w.write("tensor_array_to_tensor", {"X": op.inputs[0]}, {"Out": op.out, "OutIndex": sizes}, attrs)
