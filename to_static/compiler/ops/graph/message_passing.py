"""Reductions of segments, and messages along edges, as compositions of operators. `geometric` and readers of files call them."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ir.registry import FUNCTIONS
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops.graph.graph import segment_extreme
from to_static.compiler.ops.indexing.gather import scatter_nd_add
from to_static.compiler.ops.shapes.create import full_like, zeros

REDUCTIONS = ("sum", "mean", "max", "min")
_MESSAGES = {"add": "add", "sub": "subtract", "mul": "multiply", "div": "divide"}


def reduced_rows(name: str, x: Tensor, ids: Tensor, rows: Any, reduction: str) -> Tensor:
    """Reduce the rows of ``x`` by id: row i of the result is the sum, mean, max or min of the rows with id i, or 0 if none.

    ``rows``: the number of rows of the result; None: the largest id plus one.
    """
    if reduction not in REDUCTIONS:
        raise ValueError(f"{name}: expected one of {', '.join(REDUCTIONS)}, got {reduction!r}")
    if rows is None:
        rows = ids.max().astype("int64") + 1
    if reduction in ("max", "min"):
        count = rows if hasattr(rows, "astype") else full_like(ids.sum(), rows).astype("int64")
        return segment_extreme(x, ids, count, reduction == "max")
    position = ids.unsqueeze(-1)
    total = scatter_nd_add(zeros([rows, *x.shape[1:]], x.dtype), position, x)
    if reduction == "sum":
        return total
    count = scatter_nd_add(zeros([rows], x.dtype), position, full_like(ids, 1).astype(x.dtype))
    return total / count.clip(1).reshape([-1] + [1] * (x.ndim - 1))


def message(name: str, x: Tensor, y: Any, operation: str) -> Tensor:
    """``x`` and ``y``, a row for each edge, added, subtracted, multiplied or divided; what a row holds is broadcast."""
    if operation not in _MESSAGES:
        raise ValueError(f"{name}: message_op should be one of {', '.join(_MESSAGES)}, got {operation!r}")
    rank = max(x.ndim, y.ndim)
    x, y = (v.reshape([v.shape[0], *[1] * (rank - v.ndim), *v.shape[1:]]) if v.ndim < rank else v for v in (x, y))
    return FUNCTIONS[_MESSAGES[operation]](x, y)


FUNCTIONS["reduced_rows"] = reduced_rows
FUNCTIONS["message"] = message
