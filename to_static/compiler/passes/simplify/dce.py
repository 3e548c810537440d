"""Dead-code elimination: removes unused ops, and unused results, loop variables and operands of control ops."""

from __future__ import annotations

from to_static.compiler.ir.program import Program
from to_static.compiler.ir.rewriter import prune


def eliminate_dead_code(program: Program) -> int:
    """Remove all dead code; returns the number of removed ops, results and operands.

    Ops with effects stay, and so do random ops (the numbers drawn after them must not change).
    """
    return prune(program.block)
