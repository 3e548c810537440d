"""Graphs, under the names that they had before they moved to `paddle.geometric`, and small fused functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from to_static.compiler.ops.dtype_checks import need_one_dtype
from to_static.compiler.ops.indexing.where import where
from to_static.compiler.ops.reductions.reduce import mean, sum
from to_static.compiler.ops.shapes.concat_split import concat
from to_static.compiler.ops.shapes.create import full_like, to_tensor
from to_static.compiler.ops.shapes.diagonal import tril
from to_static.geometric import (
    reindex_graph,
    sample_neighbors,
    segment_max,
    segment_mean,
    segment_min,
    segment_sum,
    send_u_recv,
)
from to_static.nn import functional as F

__all__ = [
    "graph_khop_sampler", "graph_reindex", "graph_sample_neighbors", "graph_send_recv", "identity_loss", "segment_max",
    "segment_mean", "segment_min",
    "segment_sum", "softmax_mask_fuse", "softmax_mask_fuse_upper_triangle",
]  # fmt: skip


def graph_send_recv(
    x: Any, src_index: Any, dst_index: Any, pool_type: str = "sum", out_size: Any = None, name: Any = None
) -> Any:
    """`paddle.geometric.send_u_recv`; ``pool_type``: 'sum' (default), 'mean', 'max' or 'min'.

    The other arguments, ``x``, ``src_index``, ``dst_index`` and ``out_size``, are as there.

    Example:
        >>> x = paddle.to_tensor([[1.0], [2.0]])
        >>> paddle.incubate.graph_send_recv(x, paddle.to_tensor([0, 1]), paddle.to_tensor([1, 1])).tolist()
        [[0.0], [3.0]]
    """
    return send_u_recv(x, src_index, dst_index, pool_type, out_size)


def graph_reindex(
    x: Any, neighbors: Any, count: Any, value_buffer: Any = None, index_buffer: Any = None, flag_buffer_hashtable: bool = False,
    name: Any = None,
) -> tuple[Any, Any, Any]:  # fmt: skip
    """`paddle.geometric.reindex_graph`; ``flag_buffer_hashtable`` is not used.

    The other arguments, ``x``, ``neighbors``, ``count``, ``value_buffer`` and ``index_buffer``, are as there.

    Example:
        >>> nodes, neighbors = paddle.to_tensor([0, 1]), paddle.to_tensor([8, 9, 0])
        >>> src, dst, nodes = paddle.incubate.graph_reindex(nodes, neighbors, paddle.to_tensor([2, 1], dtype="int32"))
    """
    return reindex_graph(x, neighbors, count)


def graph_sample_neighbors(
    row: Any, colptr: Any, input_nodes: Any, eids: Any = None, perm_buffer: Any = None, sample_size: int = -1,
    return_eids: bool = False, flag_perm_buffer: bool = False, name: Any = None,
) -> tuple[Any, ...]:  # fmt: skip
    """`paddle.geometric.sample_neighbors`; ``flag_perm_buffer`` is not used.

    The other arguments, ``row``, ``colptr``, ``input_nodes``, ``eids``, ``perm_buffer``, ``sample_size`` and
    ``return_eids``, are as there.

    Example:
        >>> row, colptr = paddle.to_tensor([3, 7, 0, 9, 1]), paddle.to_tensor([0, 2, 4, 5])
        >>> neighbors, count = paddle.incubate.graph_sample_neighbors(row, colptr, paddle.to_tensor([0, 2]))
    """
    return sample_neighbors(row, colptr, input_nodes, sample_size, eids, return_eids)


def graph_khop_sampler(
    row: Any, colptr: Any, input_nodes: Any, sample_sizes: Sequence[int], sorted_eids: Any = None, return_eids: bool = False,
    name: Any = None,
) -> tuple[Any, ...]:  # fmt: skip
    """Neighbours of nodes, neighbours of these, and so on, drawn without replacement, with all nodes numbered from 0.

    Args:
        row, colptr: integer Tensors [edges] and [nodes + 1], see `paddle.geometric.sample_neighbors`.
        input_nodes: integer Tensor [n].
        sample_sizes: how many neighbours at most in each round (-1: all). A round begins at the nodes that the last one found.
        sorted_eids: integer Tensor [edges], the numbers of the edges (default None).
        return_eids: whether to return the numbers of the drawn edges, too (default False).
        name: not used; there for compatibility.

    Returns:
        ``(edge_src, edge_dst, sample_index, reindex_nodes)``: where edges begin and end, [m, 1], by the new numbers; the nodes by
        these; the new numbers of ``input_nodes``; and the numbers of the edges, [m], if asked for.

    Raises:
        ValueError: ``return_eids`` without ``sorted_eids``.

    Example:
        >>> row, colptr = paddle.to_tensor([1, 0, 2, 1]), paddle.to_tensor([0, 1, 3, 4])
        >>> paddle.incubate.graph_khop_sampler(row, colptr, paddle.to_tensor([0]), [2, 2])[2].tolist()
        [0, 1, 2]
    """
    fresh, nodes = input_nodes.reshape([-1]), input_nodes.reshape([-1]).numpy()
    sources, targets = [], []
    edges: list[Any] = []
    for size in sample_sizes:
        neighbours = sample_neighbors(row, colptr, fresh, size, sorted_eids, return_eids)
        sources.append(neighbours[0].numpy())
        targets.append(np.repeat(fresh.numpy(), neighbours[1].numpy()))
        edges.extend(neighbours[2:])
        new = np.setdiff1d(sources[-1], nodes)
        nodes, fresh = np.concatenate([nodes, new]), to_tensor(new)
    order = np.argsort(nodes, kind="stable")

    def new_ids(parts: list[np.ndarray]) -> Any:
        every = np.concatenate(parts)
        return to_tensor(order[np.searchsorted(nodes, every, sorter=order)].astype(every.dtype).reshape(-1, 1))

    first = np.arange(len(input_nodes.reshape([-1])), dtype=nodes.dtype)
    sampled = (new_ids(sources), new_ids(targets), to_tensor(nodes), to_tensor(first))
    return (*sampled, concat(edges)) if return_eids else sampled


def identity_loss(x: Any, reduction: Any = "none") -> Any:
    """A tensor as a loss: itself, its sum or its mean.

    ``reduction``: 'sum' or 0, 'mean' or 1, 'none' (default) or 2. Raises ValueError for something else.
    ``x``: a tensor.

    Example:
        >>> float(paddle.incubate.identity_loss(paddle.to_tensor([1.0, 2.0]), 'sum'))
        3.0
    """
    reductions = {"sum": sum, 0: sum, "mean": mean, 1: mean, "none": None, 2: None}
    if reduction not in reductions:
        raise ValueError(f"identity_loss: reduction should be 'sum', 'mean' or 'none', got {reduction!r}")
    function = reductions[reduction]
    return x if function is None else function(x)


def softmax_mask_fuse(x: Any, mask: Any, name: Any = None) -> Any:
    """``softmax(x + mask)`` along the last axis: [batch, heads, m, n] and [batch, 1, m, n]. The mask gets no gradient.

    Example:
        >>> paddle.incubate.softmax_mask_fuse(paddle.zeros([1, 1, 1, 2]), paddle.zeros([1, 1, 1, 2])).tolist()
        [[[[0.5, 0.5]]]]
    """
    need_one_dtype("softmax_mask_fuse", x, mask)
    return F.softmax(x + mask.detach())


def softmax_mask_fuse_upper_triangle(x: Any) -> Any:
    """The softmax along the last axis of [batch, heads, n, n] up to the diagonal; 0 above it.

    ``x``: the scores.

    Example:
        >>> paddle.incubate.softmax_mask_fuse_upper_triangle(paddle.zeros([1, 1, 2, 2])).tolist()
        [[[[1.0, 0.0], [0.5, 0.5]]]]
    """
    below = tril(full_like(x, 1.0).detach()) > 0
    return F.softmax(where(below, x, full_like(x, float("-inf"))))
