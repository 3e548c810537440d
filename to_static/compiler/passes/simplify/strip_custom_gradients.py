"""Values with a gradient that somebody wrote are the values, where no gradient is taken any more; so are those that leaves got."""

from __future__ import annotations

from to_static.compiler.ir.program import Block, Op, Program, Var
from to_static.compiler.ir.rewriter import replace_all
from to_static.compiler.passes.manager import every_block


def strip_custom_gradients(program: Program) -> int:
    """Remove every `custom_gradient` and `as_leaf`, and copies that differ from their operand only in a gradient."""
    return sum(_strip_block(block) for block in list(every_block(program)))


def _strip_block(block: Block) -> int:
    """Remove them from one block; return how many."""
    mapping: dict[Var, Var] = {}
    results = set(block.results)
    for op in block.ops:
        if op.name == "custom_gradient":
            values: tuple[Var, ...] = op.inputs[0]  # type: ignore[assignment]
            mapping.update(zip(op.outputs, (mapping.get(v, v) for v in values), strict=True))
        elif op.name == "as_leaf" or (op.name == "assign" and op.out not in results and _begins_or_ends(op)):
            value: Var = op.inputs[0]  # type: ignore[assignment]
            mapping[op.out] = mapping.get(value, value)
    if mapping:
        replace_all(block, mapping)
        block.ops = [op for op in block.ops if not op.outputs or op.outputs[0] not in mapping]
    return len(mapping)


def _begins_or_ends(op: Op) -> bool:
    """True if a gradient goes to this copy and no further, or not to it."""
    return op.inputs[0].stop_gradient != op.out.stop_gradient  # type: ignore[union-attr]
