"""The pass `freeze_parameters`, for Programs whose weights never change: parameters become constants, so that folding reaches them.
"""

from __future__ import annotations

from to_static.compiler.ir.program import Op, Program
from to_static.compiler.ir.registry import get
from to_static.compiler.ir.rewriter import replace_all


def freeze_parameters(program: Program) -> int:
    """Replace every root value that no run changes by a constant with its array (not a copy); returns their number."""
    block = program.block
    fixed = [v for v in program.params if v not in program.state]
    constants = []
    for var in fixed:
        op = Op(get("constant"), (), {"value": var.holder._array}, (var.spec,), block)
        op.out.name, op.out.stop_gradient = var.name, var.stop_gradient
        constants.append(op)
    replace_all(block, {v: op.out for v, op in zip(fixed, constants, strict=True)})
    block.ops[:0] = constants
    program.params = list(program.state)
    return len(fixed)
