"""Rematerialization: the block of a control op runs again in the backward pass, with saved results of costly and random ops.

`save` extends the control op by saved values, `replay` appends the block's ops to the backward pass. `control` calls this module.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from to_static.compiler.ir import registry
from to_static.compiler.ir.program import Block, Op, Var, copy_op
from to_static.compiler.ir.rewriter import add_output, has, insert_before
from to_static.compiler.ir.spec import ListSpec, Spec, spec_of


@dataclass
class Saved:
    """The further results of a control op that save values of the first run for its replay.

    ``values``: for each block, Var of the block -> index of the result, which is a list of one value per iteration, or of the one
    value of the branch that ran. ``nested``: the same for nested control ops that do not run again. ``iterations``: the index of
    the result that counts iterations.
    """

    values: list[dict[Var, int]] = field(default_factory=list)
    nested: dict[Op, Saved] = field(default_factory=dict)
    iterations: int = -1


class SavedOp(Op):
    """An op whose results are read from the first run: it takes part in the reverse sweep, but is in no block."""

    __slots__ = ("saved",)

    def __init__(self, op: Op, inputs: tuple[Any, ...], outputs: list[Var], saved: Saved | None) -> None:
        super().__init__(op.opdef, inputs, op.attrs, (), None, op.blocks, op.site)
        self.outputs = outputs
        self.saved = saved


def save(op: Op, block: Block) -> Saved:
    """Extend ``op`` (of ``block``) so that it also returns the values that its replay in the backward pass needs.

    These are the results of the ops that `_saved_values` names and, for a loop, the number of iterations and the values at
    the start of each. Values that the reverse sweep does not read are removed afterwards (`rewriter.prune_control`).
    """
    saved = Saved()
    if op.name == "cond":
        for inner in op.blocks:
            saved.values.append(dict.fromkeys(_saved_values(inner, saved), -1))
        for i, values in enumerate(saved.values):
            for var in values:
                values[var] = _branch_result(op, i, var)
        return saved
    body = op.blocks[1]
    retained = [*body.args[: op.attrs["carried"]], *_saved_values(body, saved)]
    saved.iterations = _count_iterations(op, block)
    saved.values.append({})
    saved.values.append({var: _history(op, block, var) for var in retained})
    return saved


def _saved_values(block: Block, saved: Saved) -> list[Var]:
    """Return the values of a block that are saved: results of random ops, which a replay would change, and of expensive ops.

    Elementwise ops, views and ops without a gradient are cheaper to run again than to save.
    """
    saved_vars = []
    for op in list(block.ops):  # a copy, since `save` inserts initial values of further carried lists
        if op.blocks:
            if any(_keep(inner) for b in op.blocks for inner in b.walk()):
                saved.nested[op] = save(op, block)
                saved_vars += op.outputs
        elif _keep(op):
            saved_vars += op.outputs
    return saved_vars


def _keep(op: Op) -> bool:
    if has(op, "random"):
        return True
    made_of_something = bool(op.operands())
    return made_of_something and not op.blocks and not op.opdef.traits & {"elementwise", "alias", "nodiff", "effect"}


def _branch_result(op: Op, branch: int, var: Var) -> int:
    """Add a result that is the list ``[var]`` if the branch runs, and an empty list otherwise; returns its index.

    If ``var`` is a list, the result is ``var`` itself, so that values saved in nested branches are not wrapped at each level.
    """
    make = registry.get("list_new")
    if isinstance(var.spec, ListSpec):
        for i, block in enumerate(op.blocks):
            block.results.append(var if i == branch else insert_before(block, None, make, ((),), {}, (ListSpec(None),)).out)
        add_output(op, var.spec, var.stop_gradient)
        return len(op.outputs) - 1
    spec = ListSpec(var.spec)
    for i, block in enumerate(op.blocks):
        items = (var,) if i == branch else ()
        new = insert_before(block, None, make, (items,), {}, (spec if items else ListSpec(None),))
        new.out.stop_gradient = var.stop_gradient or not items
        block.results.append(new.out)
    add_output(op, spec, var.stop_gradient)
    return len(op.outputs) - 1


def _history(op: Op, block: Block, var: Var) -> int:
    """Add a carried list to which each iteration appends ``var`` (an argument or a value of the body); returns its result's index.
    """
    start = insert_before(block, op, registry.get("list_new"), ((),), {}, (ListSpec(None),)).out
    spec = ListSpec(var.spec)
    arg = carry(op, start, spec, var.stop_gradient)
    new = insert_before(op.blocks[1], None, registry.get("list_append"), (arg, var), {}, (spec,))
    new.out.stop_gradient = var.stop_gradient
    op.blocks[1].results.append(new.out)
    return len(op.outputs) - 1


def _count_iterations(op: Op, block: Block) -> int:
    zero, one = np.asarray(0, "int64"), np.asarray(1, "int64")
    constant, spec = registry.get("constant"), spec_of(zero)
    arg = carry(op, insert_before(block, op, constant, (), {"value": zero}, (spec,)).out, spec, True)
    step = insert_before(op.blocks[1], None, constant, (), {"value": one}, (spec,)).out
    new = insert_before(op.blocks[1], None, registry.get("add"), (arg, step), {}, (spec,))
    op.blocks[1].results.append(new.out)
    return len(op.outputs) - 1


def carry(op: Op, start: Var, spec: Spec, stop_gradient: bool) -> Var:
    """Add a carried value with the initial value ``start`` to a ``while_loop``; returns its argument in the body.

    The caller appends the new value to the body's results.
    """
    n = op.attrs["carried"]
    (operands,) = op.inputs
    op.inputs = ((*operands[:n], start, *operands[n:]),)
    for block in op.blocks:
        arg = block.add_arg(spec, None, stop_gradient)
        block.args.insert(n, block.args.pop())
    op.attrs["carried"] = n + 1
    add_output(op, spec, stop_gradient)
    return arg


def replay(ops: list[Op], target: Block, var_map: dict[Var, Var], saved: Saved, silent: bool = True) -> list[Op]:
    """Append copies of ``ops`` to ``target``; returns the ops for the reverse sweep: the copies, and a `SavedOp` for each saved op.

    ``var_map`` maps arguments and saved values to Vars of ``target``; it is extended. ``silent``: leave out ops with effects, which
    the first run has executed.
    """
    copies: list[Op] = []
    for op in ops:
        if op.outputs and all(v in var_map for v in op.outputs):
            inputs = tuple(
                None if x is None else tuple(var_map[v] for v in x) if isinstance(x, tuple) else var_map[x] for x in op.inputs
            )
            copies.append(SavedOp(op, inputs, [var_map[v] for v in op.outputs], saved.nested.get(op)))
        else:
            copy = copy_op(op, target, var_map)
            for block in copy.blocks if silent else ():
                _silence(block)
            copies.append(copy)
    return copies


def _silence(block: Block) -> None:
    block.ops = [op for op in block.ops if "effect" not in op.opdef.traits]
    for op in block.ops:
        for inner in op.blocks:
            _silence(inner)
