"""Dead code: ops that nothing depends on, and results, loop variables and operands of control ops that nobody uses."""

from __future__ import annotations

from to_static.ir.edit import prune
from to_static.ir.program import Program


def run(program: Program) -> int:
    """Remove them all; effects stay, and so do random ops (the numbers drawn after them must not change)."""
    return prune(program.block)
