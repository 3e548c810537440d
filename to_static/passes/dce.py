"""Dead code: ops that nothing depends on, and results, loop variables and operands of control ops that nobody uses."""

from __future__ import annotations

from collections.abc import Iterable

from to_static.ir.edit import contains
from to_static.ir.program import Block, Op, Program, Var


def run(program: Program) -> int:
    """Remove them all; effects stay, and so do random ops (the numbers drawn after them must not change)."""
    return _clean(program.block)


def _clean(block: Block) -> int:
    count = 0
    live = set(block.results)
    kept = []
    for op in reversed(block.ops):
        if op.name == "cond":
            count += _trim_cond(op, live)
        elif op.name == "while_loop":
            count += _trim_loop(op, live)
        if _acts(op) or any(v in live for v in op.outputs):
            for inner in op.blocks:
                count += _clean(inner)
            if op.blocks:
                count += _drop_operands(op)
            live.update(op.operands())
            kept.append(op)
        else:
            count += 1
    block.ops = kept[::-1]
    return count


def _acts(op: Op) -> bool:
    return contains(op, "effect") or contains(op, "random")


def _trim_cond(op: Op, live: set[Var]) -> int:
    keep = [i for i, v in enumerate(op.outputs) if v in live]
    removed = len(op.outputs) - len(keep)
    for block in op.blocks:
        block.results = [block.results[i] for i in keep]
    _keep_outputs(op, keep)
    return removed


def _trim_loop(op: Op, live: set[Var]) -> int:
    """Drop loop variables that neither the loop's users, its condition, its effects nor a kept variable need."""
    test, body = op.blocks
    n = op.attrs["carried"]
    needed = {i for i, v in enumerate(op.outputs) if v in live}
    while True:
        used = _reach(test, test.results) | _reach(body, [body.results[i] for i in sorted(needed)])
        more = needed | {i for i in range(n) if test.args[i] in used or body.args[i] in used}
        if more == needed:
            break
        needed = more
    keep = sorted(needed)
    removed = n - len(keep)
    if removed:
        rest = list(range(n, len(test.args)))
        for block in op.blocks:
            block.args = [block.args[i] for i in keep + rest]
        body.results = [body.results[i] for i in keep]
        op.inputs = (tuple(op.inputs[0][i] for i in keep + rest),)
        op.attrs = {**op.attrs, "carried": len(keep)}
        _keep_outputs(op, keep)
    return removed


def _reach(block: Block, wanted: Iterable[Var]) -> set[Var]:
    """Everything in the block that ``wanted`` and the block's effects depend on."""
    found = set(wanted)
    for op in reversed(block.ops):
        if _acts(op) or any(v in found for v in op.outputs):
            found.update(op.operands())
    return found


def _keep_outputs(op: Op, keep: list[int]) -> None:
    op.outputs = [op.outputs[i] for i in keep]
    for index, var in enumerate(op.outputs):
        var.index = index


def _drop_operands(op: Op) -> int:
    """Drop operands that no block of the op reads (loop variables stay)."""
    first = op.attrs.get("carried", 0)
    operands = op.inputs[-1]
    used = {v for b in op.blocks for inner in b.ops for v in inner.operands()}
    used |= {v for b in op.blocks for v in b.results}
    keep = [i for i in range(len(operands)) if i < first or any(b.args[i] in used for b in op.blocks)]
    if len(keep) < len(operands):
        for block in op.blocks:
            block.args = [block.args[i] for i in keep]
        op.inputs = (*op.inputs[:-1], tuple(operands[i] for i in keep))
    return len(operands) - len(keep)
