"""The pass `strip_custom_gradients`, for Programs that are not differentiated any more: removes ops that only change gradients."""

from __future__ import annotations

from to_static.compiler.ir.program import Block, Op, Program, Var
from to_static.compiler.ir.rewriter import replace_all
from to_static.compiler.passes.manager import every_block


def strip_custom_gradients(program: Program) -> int:
    """Remove every `custom_gradient` and `as_leaf`, and copies that differ from their operand only in ``stop_gradient``.

    Returns the number of replaced values.
    """
    return sum(_strip_block(block) for block in list(every_block(program)))


def _strip_block(block: Block) -> int:
    """Remove these ops from one block; returns the number of replaced values."""
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
    """True if only one of a copy and its operand has a gradient."""
    return op.inputs[0].stop_gradient != op.out.stop_gradient  # type: ignore[union-attr]
