"""Dead code: ops that nothing depends on, and results, loop variables and operands of control ops that nobody uses."""

from __future__ import annotations

from to_static.compiler.ir.program import Program
from to_static.compiler.ir.rewriter import prune


def eliminate_dead_code(program: Program) -> int:
    """Remove them all; effects stay, and so do random ops (the numbers drawn after them must not change)."""
    return prune(program.block)
