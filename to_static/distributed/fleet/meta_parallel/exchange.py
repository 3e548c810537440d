"""Exchanges of layers of tensor parallelism. One process has all numbers, so each returns its argument."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ops.indexing.where import where
from to_static.compiler.ops.shapes.create import zeros_like
from to_static.nn.functional import embedding

__all__ = ["_c_concat", "_c_identity", "_c_lookup_table", "_c_split", "_mp_allreduce"]


def _c_identity(tensor: Any, group: Any = None, *args: Any, **kwargs: Any) -> Any:
    """The tensor; its gradient would be summed over processes."""
    return tensor


def _c_concat(tensor: Any, group: Any = None) -> Any:
    """The parts of all processes along the last dimension."""
    return tensor


def _c_split(tensor: Any, group: Any = None) -> Any:
    """The part of this process along the last dimension."""
    return tensor


def _c_lookup_table(table: Any, index: Any, start_index: int = 0, vocab_size: int = -1, name: str | None = None) -> Any:
    """The rows of a table that begins with row ``start_index`` of the whole one; zeros for indices outside of it.

    Example:
        >>> _c_lookup_table(paddle.ones([2, 3]), paddle.to_tensor([0, 5])).tolist()
        [[1.0, 1.0, 1.0], [0.0, 0.0, 0.0]]
    """
    local_index = index - start_index
    inside = (local_index >= 0).logical_and(local_index < table.shape[0])
    rows = embedding(where(inside, local_index, zeros_like(local_index)), table)
    return where(inside.unsqueeze(-1), rows, zeros_like(rows))


def _mp_allreduce(tensor: Any, op: Any = None, group: Any = None, *args: Any, **kwargs: Any) -> Any:
    """The sum over processes."""
    return tensor
