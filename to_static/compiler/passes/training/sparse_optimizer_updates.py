"""The pass `sparse_optimizer_updates`: an update of an embedding table changes only the rows that were looked up.

Neither the dense gradient nor a new table is made. `sgd` subtracts zero from the other rows, and lazy `adam` does not change them,
so the results are equal bit by bit.
"""

from __future__ import annotations

from typing import Any

from to_static.compiler.ir.program import Block, Program, Var
from to_static.compiler.ir.registry import get
from to_static.compiler.ir.rewriter import RewriteCursor, remove_dead_ops, replace_all
from to_static.compiler.ir.uses import Uses
from to_static.compiler.passes.manager import every_block


def sparse_optimizer_updates(program: Program) -> int:
    """Rewrite such updates in every block; returns the number of updates."""
    return sum(_update_used_rows_only(block) for block in every_block(program))


def _update_used_rows_only(block: Block) -> int:
    """Replace each update whose gradient is an ``embedding_grad`` of one use by one that updates only the rows looked up.

    Returns how many updates were replaced. The dense gradient is then unused, and is removed.
    """
    uses = Uses(block)
    mapping: dict[Var, Var] = {}
    cursor = RewriteCursor(block)
    for op in cursor:
        if mapping:
            op.map_operands(lambda v: mapping.get(v, v))
        if op.name != "sgd" and not (op.name in ("adam", "adamw") and op.attrs["lazy_mode"]):
            continue
        param, gradient, *state = op.inputs
        producer: Any = gradient.op  # type: ignore[union-attr]
        if producer is None or producer.name != "embedding_grad" or not uses.has_one_use(gradient):  # type: ignore[arg-type]
            continue
        attrs = {"padding_idx": producer.attrs["padding_idx"], **{k: v for k, v in op.attrs.items() if k != "lazy_mode"}}
        inputs = (param, producer.inputs[0], producer.inputs[2], *state)
        new = cursor.insert(get(f"row_{op.name}"), inputs, attrs, tuple(v.spec for v in op.outputs))
        for old, var in zip(op.outputs, new.outputs, strict=True):
            var.name, var.stop_gradient = old.name, old.stop_gradient
            mapping[old] = var
        cursor.drop()
    replace_all(block, mapping)
    if mapping:
        remove_dead_ops(block)
    return len(mapping)
