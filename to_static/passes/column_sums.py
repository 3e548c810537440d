"""Sums over all dimensions but the last, as gradients of biases are: a product with a row of ones does them quicker.

The numbers are added up in another order.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from to_static.ir.edit import Walk, replace_all
from to_static.ir.program import Block, Op, Program, Var
from to_static.ir.registry import get
from to_static.ir.spec import TensorSpec
from to_static.passes.manager import every_block

_PRODUCT: dict[str, Any] = {"trans_x": False, "trans_y": False}


def run(program: Program) -> int:
    """Replace such sums in every block; returns how many."""
    return sum(_replace(block) for block in every_block(program))


def _replace(block: Block) -> int:
    mapping: dict[Var, Var] = {}
    ones: dict[TensorSpec, Var] = {}
    walk = Walk(block)
    for op in walk:
        if mapping:
            op.map_operands(lambda v: mapping.get(v, v))
        if not _is_column_sum(op):
            continue
        x, result = op.inputs[0], op.out.spec
        rows = prod(x.spec.shape[:-1])
        if x.spec.ndim > 2:
            flat = x.spec.with_shape((rows, x.spec.shape[-1]))
            x = walk.insert(get("reshape"), (x, ()), {"shape": list(flat.shape)}, (flat,)).out
        row = result.with_shape((rows,))
        if row not in ones:
            ones[row] = walk.insert(get("constant"), (), {"value": np.ones(rows, row.dtype.np)}, (row,)).out
        made = walk.insert(get("matmul"), (ones[row], x), dict(_PRODUCT), (result,)).out
        made.name, made.stop_gradient = op.out.name, op.out.stop_gradient
        mapping[op.out] = made
        walk.drop()
    replace_all(block, mapping)
    return len(mapping)


def _is_column_sum(op: Op) -> bool:
    if op.name not in ("sum_to", "sum"):
        return False
    x, spec = op.inputs[0], op.out.spec
    if not (x.spec.is_static and spec.is_static) or spec.dtype is not x.spec.dtype or x.spec.ndim < 2 or x.spec.size == 0:
        return False
    if spec.shape != x.spec.shape[-1:] or spec.dtype.name not in ("float32", "float64"):
        return False
    if x.spec.ndim > 2 and (x.op is None or "alias" in x.op.opdef.traits):
        return False  # it may not be in one piece of memory: to make it a matrix would cost a copy
    return op.name == "sum_to" or (not op.attrs["keepdim"] and sorted(op.attrs["axis"]) == list(range(x.spec.ndim - 1)))
