"""The passes `split_to_views` (of `split`, `unbind` and `unstack`) and `drop_norm_statistics` (of layer norms)."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ir.program import Block, Op, Program, Var
from to_static.compiler.ir.registry import get
from to_static.compiler.ir.rewriter import insert_before, remove_dead_ops, replace_all
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.uses import Uses
from to_static.compiler.passes.manager import every_block


def split_to_views(program: Program) -> int:
    """Replace pieces by views in every block; returns their number.

    Pieces that a block returns stay copies: a view would keep the whole array alive.
    """
    return sum(_views(block) for block in every_block(program))


def drop_norm_statistics(program: Program) -> int:
    """Replace layer norms with unused statistics by `packed_norm` in every block; returns their number. Sums change their order."""
    return sum(_norms(block) for block in every_block(program))


def _views(block: Block) -> int:
    mapping: dict[Var, Var] = {}
    results = set(block.results)
    for op in list(block.ops):
        if op.name not in ("split", "unbind", "unstack") or not results.isdisjoint(op.outputs):
            continue
        x: Any = op.inputs[0]
        if not isinstance(x.spec, TensorSpec) or not x.spec.is_static:
            continue
        axis, start = op.attrs["axis"] % x.spec.ndim, 0
        for var in op.outputs:
            size = var.spec.shape[axis] if op.name == "split" else 1
            mapping[var] = _piece(block, op, var, axis, start, start + size)
            start += size
    replace_all(block, mapping)
    if mapping:
        remove_dead_ops(block)
    return len(mapping)


def _piece(block: Block, op: Op, var: Var, axis: int, start: int, end: int) -> Var:
    points = () if op.name == "split" else (axis,)
    attrs = {"axes": (axis,), "starts": (start,), "ends": (end,), "steps": (1,), "points": points}
    new_op = insert_before(block, op, get("slice"), (op.inputs[0], ()), attrs, (var.spec,))
    new_op.out.name, new_op.out.stop_gradient = var.name, var.stop_gradient
    return new_op.out


def _norms(block: Block) -> int:
    mapping: dict[Var, Var] = {}
    uses = Uses(block)
    for op in list(block.ops):
        if op.name == "layer_norm" and not any(v in uses for v in op.outputs[1:]):
            new_op = insert_before(block, op, get("packed_norm"), op.inputs, op.attrs, (op.outputs[0].spec,))
            new_op.out.name, new_op.out.stop_gradient = op.outputs[0].name, op.outputs[0].stop_gradient
            mapping[op.outputs[0]] = new_op.out
    replace_all(block, mapping)
    if mapping:
        remove_dead_ops(block)
    return len(mapping)
