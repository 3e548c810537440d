"""Rows that belong together, reduced: sums, means, largest and smallest."""

from __future__ import annotations

from typing import Any

from to_static.ops.places.gather import scatter_nd_add
from to_static.ops.programs.graph import segment_extreme
from to_static.ops.shapes.create import full_like, zeros

REDUCTIONS = ("sum", "mean", "max", "min")


def reduced(name: str, x: Any, ids: Any, rows: Any, how: str) -> Any:
    """Row i of the result: the rows of ``x`` whose id is i, summed, averaged, or the largest or smallest; 0 where there is none."""
    if how not in REDUCTIONS:
        raise ValueError(f"{name}: expected one of {', '.join(REDUCTIONS)}, got {how!r}")
    if how in ("max", "min"):
        count = rows if hasattr(rows, "astype") else full_like(ids.sum(), rows).astype("int64")
        return segment_extreme(x, ids, count, how == "max")
    place = ids.unsqueeze(-1)
    total = scatter_nd_add(zeros([rows, *x.shape[1:]], x.dtype), place, x)
    if how == "sum":
        return total
    count = scatter_nd_add(zeros([rows], x.dtype), place, full_like(ids, 1).astype(x.dtype))
    return total / count.clip(1).reshape([-1] + [1] * (x.ndim - 1))


def _segments(name: str, data: Any, segment_ids: Any, how: str) -> Any:
    return reduced(name, data, segment_ids, segment_ids.max().astype("int64") + 1, how)


def segment_sum(data: Any, segment_ids: Any, name: Any = None) -> Any:
    """The sum of the rows of each segment.

    Args:
        data: Tensor [rows, ...].
        segment_ids: integer Tensor [rows], not falling, from 0.
        name: not used; there for compatibility.

    Returns:
        Tensor [largest id + 1, ...]; 0 for an id that there is not.

    Example:
        >>> data = paddle.to_tensor([[1.0, 2.0], [3.0, 2.0], [4.0, 5.0]])
        >>> paddle.geometric.segment_sum(data, paddle.to_tensor([0, 0, 1])).tolist()
        [[4.0, 4.0], [4.0, 5.0]]
    """
    return _segments("segment_sum", data, segment_ids, "sum")


def segment_mean(data: Any, segment_ids: Any, name: Any = None) -> Any:
    """The mean of the rows of each segment; see `segment_sum`."""
    return _segments("segment_mean", data, segment_ids, "mean")


def segment_max(data: Any, segment_ids: Any, name: Any = None) -> Any:
    """The largest numbers of the rows of each segment; see `segment_sum`."""
    return _segments("segment_max", data, segment_ids, "max")


def segment_min(data: Any, segment_ids: Any, name: Any = None) -> Any:
    """The smallest numbers of the rows of each segment; see `segment_sum`."""
    return _segments("segment_min", data, segment_ids, "min")
