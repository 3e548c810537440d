"""Changing Programs: who uses what, replacing values, removing what nobody uses, copying and widening blocks.

Blocks are closed, so every question about uses is a question about one block.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from to_static.ir.opdef import OpDef
from to_static.ir.program import Block, Op, Program, Var, copy_op
from to_static.ir.spec import Spec


def users(block: Block) -> dict[Var, list[Op]]:
    """The ops that read each Var of the block, in order (an op appears once per Var)."""
    found: dict[Var, list[Op]] = {}
    for op in block.ops:
        for var in dict.fromkeys(op.operands()):
            found.setdefault(var, []).append(op)
    return found


def replace_all(block: Block, mapping: dict[Var, Var]) -> None:
    """Make every op and result of the block that reads a key of ``mapping`` read its value instead."""
    if not mapping:
        return
    for op in block.ops:
        if any(v in mapping for v in op.operands()):
            op.map_operands(lambda v: mapping.get(v, v))
    block.results = [mapping.get(v, v) for v in block.results]


def contains(op: Op, trait: str) -> bool:
    """Whether the op, or an op in its blocks, has the trait."""
    return trait in op.opdef.traits or any(trait in inner.opdef.traits for b in op.blocks for inner in b.walk())


def needed_ops(ops: Iterable[Op], wanted: Iterable[Var], effects: bool = True) -> list[Op]:
    """Those of ``ops`` (in order) that ``wanted`` depend on; with ``effects`` also the ones that print, assert and so on."""
    live = set(wanted)
    kept = []
    for op in reversed(list(ops)):
        if (effects and contains(op, "effect")) or any(v in live for v in op.outputs):
            kept.append(op)
            live.update(op.operands())
    return kept[::-1]


def remove_dead_ops(block: Block) -> int:
    """Drop the ops that no result of the block depends on and that have no effect, inside out; returns how many."""
    count = sum(remove_dead_ops(inner) for op in block.ops for inner in op.blocks)
    kept = needed_ops(block.ops, block.results)
    count += len(block.ops) - len(kept)
    block.ops = kept
    return count


def remove_unused_params(program: Program) -> int:
    """Drop root values that nothing reads and no run changes; returns how many."""
    used = {v for op in program.block.ops for v in op.operands()} | set(program.block.results) | set(program.state)
    kept = [v for v in program.params if v in used]
    count, program.params = len(program.params) - len(kept), kept
    return count


def insert_before(
    block: Block, place: Op | None, opdef: OpDef, inputs: tuple, attrs: dict, specs: tuple[Spec, ...]
) -> Op:
    """A new op of ``block`` in front of ``place`` (at the end when None)."""
    op = Op(opdef, inputs, attrs, specs, block, (), place.site if place is not None else None)
    block.ops.insert(len(block.ops) if place is None else block.ops.index(place), op)
    return op


def add_output(op: Op, spec: Spec, stop_gradient: bool = True) -> Var:
    """One more result of a control op (its blocks must be given the matching results)."""
    var = Var(spec, block=op.outputs[0].block if op.outputs else None, op=op, index=len(op.outputs))
    var.stop_gradient = stop_gradient
    op.outputs.append(var)
    return var


def inline(source: Block, target: Block, args: list[Var], skip: Callable[[Op], bool] | None = None) -> dict[Var, Var]:
    """Append copies of the ops of ``source`` to ``target``, with ``args`` for its arguments; returns old Var -> new Var.

    Ops for which ``skip`` is true are left out.
    """
    seen = dict(zip(source.args, args, strict=True))
    for op in source.ops:
        if skip is None or not skip(op):
            copy_op(op, target, seen)
    return seen
