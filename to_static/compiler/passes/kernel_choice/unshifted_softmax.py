"""The pass `unshift_softmax`: large softmaxes along the last axis do not subtract the maximum of each row, if that is safe.

`packed_softmax` checks the range of all elements at once instead.
"""

from __future__ import annotations

from to_static.compiler.ir.program import Block, Program, Var
from to_static.compiler.ir.registry import get
from to_static.compiler.ir.rewriter import insert_before, remove_dead_ops, replace_all
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.passes.manager import every_block

LEAST = 1 << 12  # elements; smaller softmaxes take a few microseconds, and stay bit-identical to dynamic mode


def unshift_softmax(program: Program) -> int:
    """Replace large `softmax` by `packed_softmax` in every block; returns their number. The order of sums changes."""
    return sum(_softmaxes(block) for block in every_block(program))


def _softmaxes(block: Block) -> int:
    mapping: dict[Var, Var] = {}
    for op in list(block.ops):
        spec = op.inputs[0].spec if op.name == "softmax" else None  # type: ignore[union-attr]
        if not isinstance(spec, TensorSpec) or not spec.is_static or spec.size < LEAST:
            continue
        if spec.ndim and op.attrs["axis"] % spec.ndim == spec.ndim - 1:
            new_op = insert_before(block, op, get("packed_softmax"), op.inputs, {}, (op.out.spec,))
            new_op.out.name, new_op.out.stop_gradient = op.out.name, op.out.stop_gradient
            mapping[op.out] = new_op.out
    replace_all(block, mapping)
    if mapping:
        remove_dead_ops(block)
    return len(mapping)
