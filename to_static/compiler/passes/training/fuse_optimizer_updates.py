"""The pass `fuse_optimizer_updates`: updates of small parameters become one op, with the call overhead of one.

Results are equal bit by bit, because these updates are elementwise. The op is in `ops/fused/foreach_update.py`.
"""

from __future__ import annotations

from typing import Any

from to_static.compiler.ir.program import Block, Op, Program, Var
from to_static.compiler.ir.registry import get
from to_static.compiler.ir.rewriter import insert_before, replace_all
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.uses import Uses
from to_static.compiler.ops.fused.foreach_update import ARRAYS, SMALL, TOGETHER


def fuse_optimizer_updates(program: Program) -> int:
    """Join updates of small parameters in the root block; returns the number of ops that are removed."""
    block, written = program.block, set(program.state_values)
    read = {*Uses(block).ops, *program.outputs}
    groups: dict[Any, list[list[Op]]] = {}
    for op in block.ops:
        if op.name not in ARRAYS or not _is_small(op) or not all(v in written and v not in read for v in op.outputs):
            continue
        param, *_, rate = op.inputs
        group_list = groups.setdefault((op.name, tuple(op.attrs.items()), rate, param.spec.dtype), [[]])  # type: ignore[union-attr]
        if sum(update.out.spec.size for update in (*group_list[-1], op)) > TOGETHER:  # type: ignore[union-attr]
            group_list.append([])
        group_list[-1].append(op)
    mapping: dict[Var, Var] = {}
    joined = [group for group_list in groups.values() for group in group_list if len(group) > 1]
    for group in joined:
        mapping.update(_join(block, group))
    if mapping:
        replace_all(block, mapping)
        gone = {op for group in joined for op in group}
        block.ops = [op for op in block.ops if op not in gone]
    return sum(len(group) - 1 for group in joined)


def _is_small(op: Op) -> bool:
    """True for an elementwise update of a small parameter, whose state consists of arrays of its shape and single elements."""
    specs = [v.spec for v in op.operands()]
    same_dtype = all(isinstance(s, TensorSpec) and s.is_static and s.dtype is specs[0].dtype for s in specs)
    if not same_dtype or op.attrs.get("lazy_mode"):
        return False
    arrays, scalar_specs = specs[: 2 + ARRAYS[op.name]], specs[2 + ARRAYS[op.name] :]
    same = all(s.shape == specs[0].shape for s in arrays) and all(s.size == 1 for s in scalar_specs)  # type: ignore[union-attr]
    return same and 0 < specs[0].size <= SMALL  # type: ignore[union-attr]


def _join(block: Block, group: list[Op]) -> dict[Var, Var]:
    """Insert one op in front of the last of ``group``; returns old result -> new result."""
    last = group[-1]
    params, gradients, *state = (tuple(column) for column in zip(*(op.inputs[:-1] for op in group), strict=True))
    inputs = (params, gradients, tuple(v for slot in state for v in slot), last.inputs[-1])
    results = [v for column in zip(*(op.outputs for op in group), strict=True) for v in column]
    attrs = {"rule": last.name, "settings": tuple(last.attrs.items())}
    new = insert_before(block, last, get("packed_update"), inputs, attrs, tuple(v.spec for v in results))
    for old, var in zip(results, new.outputs, strict=True):
        var.name, var.stop_gradient = old.name, old.stop_gradient
    return dict(zip(results, new.outputs, strict=True))
