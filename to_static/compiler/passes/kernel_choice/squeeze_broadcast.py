"""The pass `squeeze_leading_dims`: operands whose shape differs from the result's only by dimensions of size 1 are reshaped first.

NumPy processes arrays of equal shape as one line, and has to broadcast others. The results are equal.
"""

from __future__ import annotations

from to_static.compiler.ir.program import Block, Op, Program, Var
from to_static.compiler.ir.registry import get
from to_static.compiler.ir.rewriter import RewriteCursor
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.passes.manager import every_block


def squeeze_leading_dims(program: Program) -> int:
    """Reshape such operands in every block; returns their number."""
    return sum(_reshape(block) for block in every_block(program))


def _reshape(block: Block) -> int:
    cursor, count = RewriteCursor(block), 0
    reshaped: dict[tuple[Var, tuple[int, ...]], Var] = {}
    for op in cursor:
        for var in _narrow(op):
            key = (var, op.out.spec.shape)
            if key not in reshaped:
                spec = var.spec.with_shape(op.out.spec.shape)
                reshaped[key] = cursor.insert(get("reshape"), (var, ()), {"shape": list(spec.shape)}, (spec,)).out
            op.inputs = tuple(reshaped[key] if v is var else v for v in op.inputs)
            count += 1
    return count


def _narrow(op: Op) -> list[Var]:
    """Return the operands that have as many elements as the result, but another shape."""
    if op.opdef.ufunc is None or len(op.inputs) != 2 or len(op.outputs) != 1:
        return []
    specs = [v.spec for v in (*op.inputs, op.out)]
    if not all(isinstance(s, TensorSpec) and s.is_static for s in specs) or specs[2].size < 2:
        return []
    if all(s.shape != specs[2].shape for s in specs[:2]):
        return []
    return [v for v in op.inputs if v.spec.size == specs[2].size and v.spec.shape != specs[2].shape]
