"""Which update operators may write the new state of an optimizer over the old one, as they do outside of Programs.

Moments and velocities belong to the optimizer alone, and their new values need no memory of their own. (Parameters do: views of
them may be about.) A run that raises has written nothing, so nothing after such an operator may raise.
"""

from __future__ import annotations

from to_static.ir.edit import contains
from to_static.ir.program import PARAM, Op, Program, Var


def overwriting(program: Program) -> set[Op]:
    """The ops of the outermost block that may be called with ``reuse=True``."""
    written = dict(zip(program.state, program.state_values, strict=True))
    reads: dict[Var, int] = {}
    for op in program.block.ops:
        for var in op.operands():
            reads[var] = reads.get(var, 0) + 1
    for var in program.block.results:
        reads[var] = reads.get(var, 0) + 1
    found: set[Op] = set()
    for op in reversed(program.block.ops):
        if contains(op, "fails") or contains(op, "effect"):
            break
        if op.opdef.reuses:
            state, count = [v for v in state_of(op) if v in written], _count(op)
            if all(written[v] in op.outputs and reads[v] == 1 for v in state) and len(state) == len(op.outputs) - count:
                found.add(op)
    return found


def state_of(op: Op) -> list[Var]:
    """What an update operator keeps of its parameters: tensors from outside that hold its results afterwards."""
    return [v for v in list(op.operands())[_count(op) :] if v.kind != PARAM and hasattr(v.holder, "hold")]


def _count(op: Op) -> int:
    """The number of parameters of an update operator."""
    return len(op.inputs[0]) if isinstance(op.inputs[0], tuple) else 1


def owning(program: Program) -> set[Op]:
    """Those of them that write some rows of a parameter, which nothing reads after them.

    They may write into it, if nobody has it besides (`recycle.alone`): a large table is not copied for a few rows.
    """
    written = dict(zip(program.state, program.state_values, strict=True))
    found: set[Op] = set()
    later = set(program.block.results)
    for op in reversed(program.block.ops):
        if contains(op, "fails") or contains(op, "effect"):
            break
        first = op.inputs[0] if op.opdef.owns else None
        if isinstance(first, Var) and first.kind == PARAM and first not in later and written.get(first) in op.outputs:
            found.add(op)
        later.update(op.operands())
    return found
