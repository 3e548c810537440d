"""Buffer donation: update operators that write the new state of an optimizer over the old state.

Only the optimizer holds moments and velocities, so their new values need no new memory. (New parameters do: parameters may have
views.) A run that raises must write nothing. So these operators run last, and their writes happen together with all other writes
of the run (`core.atomic`). `Plan` and `codegen` call this module.
"""

from __future__ import annotations

from collections.abc import Sequence

from to_static.compiler.ir.program import Op, Program, Var
from to_static.compiler.ir.uses import Uses
from to_static.compiler.ir.var_kinds import PARAM


def donates_state(program: Program) -> list[Op]:
    """Return the ops of the root block that may be called with ``deferred_writes=``, in order."""
    written = dict(zip(program.state, program.state_values, strict=True))
    values = set(written.values())
    outputs = set(program.outputs)
    uses = Uses(program.block)
    updates = []
    for op in program.block.ops:
        if not op.opdef.defers_state or any(var not in values or var in outputs or uses.count(var) > 1 for var in op.outputs):
            continue
        state = [v for v in state_of(op) if v in written]
        if all(written[v] in op.outputs and uses.count(v) == 1 for v in state) and len(state) == len(op.outputs) - _count(op):
            updates.append(op)
    return updates


def state_of(op: Op) -> list[Var]:
    """Return the state of an update operator: its operands whose tensors hold its results afterwards."""
    return [v for v in list(op.operands())[_count(op) :] if v.kind != PARAM and hasattr(v.holder, "holding")]


def _count(op: Op) -> int:
    """The number of parameters of an update operator."""
    return len(op.inputs[0]) if isinstance(op.inputs[0], tuple) else 1


def donates_param(program: Program, last: Sequence[Op]) -> set[Op]:
    """Return the update operators that write some rows of a parameter which is no result of the Program itself.

    They may write into its array if nothing else refers to it (`core.arrays.array_ownership`), so a large
    table is not copied for a few rows.
    """
    written = dict(zip(program.state, program.state_values, strict=True))
    donors: set[Op] = set()
    for op in last:
        first = op.inputs[0] if op.opdef.accepts_donation else None
        if not isinstance(first, Var) or first.kind != PARAM or first in program.block.results:
            continue
        if written.get(first) in op.outputs:
            donors.add(op)
    return donors
