"""The pass `sums_to_matmul`: sums become matrix products with ones, which are faster.

These are sums over all dimensions but the last (such as gradients of biases) and over all elements of small arrays. The order of
the sums changes.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from to_static.compiler.ir.program import Block, Op, Program, Var
from to_static.compiler.ir.registry import get
from to_static.compiler.ir.rewriter import RewriteCursor, replace_all
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.passes.manager import every_block

FEW = 1 << 12  # elements of a full sum; a product with more elements has larger rounding errors than a sum
SHORT = 1 << 9  # rows of a float32 sum of columns, for the same reason
_PRODUCT: dict[str, Any] = {"trans_x": False, "trans_y": False}


def sums_to_matmul(program: Program) -> int:
    """Replace such sums in every block; returns their number."""
    return sum(_replace(block) for block in every_block(program))


def _replace(block: Block) -> int:
    mapping: dict[Var, Var] = {}
    ones: dict[TensorSpec, Var] = {}
    cursor = RewriteCursor(block)
    for op in cursor:
        if mapping:
            op.map_operands(lambda v: mapping.get(v, v))
        if not _is_sum(op):
            continue
        small = _is_small(op)
        if not small and not _is_of_columns(op):
            continue
        x, result = op.inputs[0], op.out.spec
        rows = x.spec.size if small else prod(x.spec.shape[:-1])
        if small:
            x = _reshape(cursor, x, (1, rows))
        elif x.spec.ndim > 2:
            x = _reshape(cursor, x, (rows, x.spec.shape[-1]))
        row = result.with_shape((rows,))
        if row not in ones:
            ones[row] = cursor.insert(get("constant"), (), {"value": np.ones(rows, row.dtype.np)}, (row,)).out
        if small:
            product = cursor.insert(get("matmul"), (x, ones[row]), dict(_PRODUCT), (result.with_shape((1,)),)).out
            new_var = _reshape(cursor, product, result.shape)
        else:
            new_var = cursor.insert(get("matmul"), (ones[row], x), dict(_PRODUCT), (result,)).out
        new_var.name, new_var.stop_gradient = op.out.name, op.out.stop_gradient
        mapping[op.out] = new_var
        cursor.drop()
    replace_all(block, mapping)
    return len(mapping)


def _reshape(cursor: RewriteCursor, x: Var, shape: tuple[int, ...]) -> Var:
    if x.spec.shape == shape:
        return x
    return cursor.insert(get("reshape"), (x, ()), {"shape": list(shape)}, (x.spec.with_shape(shape),)).out


def _is_sum(op: Op) -> bool:
    """True for a sum of known shape, whose result has the dtype of its input (float32 or float64)."""
    if op.name not in ("sum_to", "sum"):
        return False
    x, spec = op.inputs[0].spec, op.out.spec
    return x.is_static and spec.is_static and spec.dtype is x.dtype and x.dtype.name in ("float32", "float64") and x.size > 1


def _in_one_piece(x: Var) -> bool:
    """True if a value is certainly contiguous, so that a reshape copies nothing."""
    return x.op is not None and "alias" not in x.op.opdef.traits and x.op.name not in ("cond", "while_loop")


def _is_small(op: Op) -> bool:
    x: Any = op.inputs[0]
    return op.out.spec.shape == () and x.spec.size <= FEW and (x.spec.ndim == 1 or _in_one_piece(x))


def _is_of_columns(op: Op) -> bool:
    x, spec = op.inputs[0], op.out.spec
    if x.spec.ndim < 2 or spec.shape != x.spec.shape[-1:] or (prod(x.spec.shape[:-1]) > SHORT and spec.dtype.name == "float32"):
        return False
    if x.spec.ndim > 2 and not _in_one_piece(x):
        return False
    return op.name == "sum_to" or (not op.attrs["keepdim"] and sorted(op.attrs["axis"]) == list(range(x.spec.ndim - 1)))
