"""Rows that belong together, reduced: sums, means, largest and smallest."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ops.graph.message_passing import reduced_rows


def _segments(name: str, data: Any, segment_ids: Any, reduction: str) -> Any:
    return reduced_rows(name, data, segment_ids, None, reduction)


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
    """The mean of the rows of each segment; see `segment_sum`.

    ``data``, ``segment_ids``: as there.

    Example:
        >>> paddle.incubate.segment_mean(paddle.to_tensor([[1.0], [3.0], [2.0]]), paddle.to_tensor([0, 0, 1])).tolist()
        [[2.0], [2.0]]
    """
    mean = _segments("segment_mean", data, segment_ids, "mean")
    return mean.astype(data.dtype) if data.dtype.is_integer else mean  # towards zero


def segment_max(data: Any, segment_ids: Any, name: Any = None) -> Any:
    """The largest numbers of the rows of each segment; see `segment_sum`.

    ``data``, ``segment_ids``: as there.

    Example:
        >>> paddle.incubate.segment_max(paddle.to_tensor([[1.0], [3.0], [2.0]]), paddle.to_tensor([0, 0, 1])).tolist()
        [[3.0], [2.0]]
    """
    return _segments("segment_max", data, segment_ids, "max")


def segment_min(data: Any, segment_ids: Any, name: Any = None) -> Any:
    """The smallest numbers of the rows of each segment; see `segment_sum`.

    ``data``, ``segment_ids``: as there.

    Example:
        >>> paddle.incubate.segment_min(paddle.to_tensor([[1.0], [3.0], [2.0]]), paddle.to_tensor([0, 0, 1])).tolist()
        [[1.0], [2.0]]
    """
    return _segments("segment_min", data, segment_ids, "min")
