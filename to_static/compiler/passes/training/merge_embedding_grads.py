"""The pass `merge_embedding_grads`: the sum of gradients of several lookups in one table becomes one op.

It writes an array of the table's size once, instead of once for each lookup. The order of the sums changes.
"""

from __future__ import annotations

from typing import Any

from to_static.compiler.ir.program import Block, Op, Program, Var
from to_static.compiler.ir.rewriter import RewriteCursor, remove_dead_ops, replace_all
from to_static.compiler.ir.uses import Uses
from to_static.compiler.passes.manager import every_block


def merge_embedding_grads(program: Program) -> int:
    """Join such sums in every block; returns the number of sums."""
    return sum(_join(block) for block in every_block(program))


def _join(block: Block) -> int:
    uses = Uses(block)
    mapping: dict[Var, Var] = {}
    joined: set[Var] = set()
    cursor = RewriteCursor(block)
    for op in cursor:
        if mapping:
            op.map_operands(lambda v: mapping.get(v, v))
        pair = _lookups(op, uses, joined)
        if pair is None:
            continue
        first, second = pair
        inputs = ((*first.inputs[0], *second.inputs[0]), first.inputs[1], (*first.inputs[2], *second.inputs[2]))
        new_var = cursor.insert(first.opdef, inputs, dict(first.attrs), (op.out.spec,)).out
        new_var.name, new_var.stop_gradient = op.out.name, op.out.stop_gradient
        mapping[op.out] = new_var
        if uses.has_one_use(op.out):
            joined.add(new_var)
        cursor.drop()
    replace_all(block, mapping)
    if mapping:
        remove_dead_ops(block)
    return len(mapping)


def _lookups(op: Op, uses: Uses, joined: set[Var]) -> tuple[Any, Any] | None:
    """Return the two gradients of one embedding table that ``op`` adds, if it is their only use."""
    if op.name != "add":
        return None
    first, second = (v.op for v in op.inputs)
    for producer, var in zip((first, second), op.inputs, strict=True):
        if producer is None or producer.name != "embedding_grad" or not (var in joined or uses.has_one_use(var)):
            return None
    if first.inputs[1] is not second.inputs[1] or first.attrs != second.attrs:
        return None
    return first, second
