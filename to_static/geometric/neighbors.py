"""Parts of large graphs: neighbours drawn, and nodes renumbered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from to_static.compiler.ops.graph.graph import graph_reindex, graph_sample_neighbors
from to_static.compiler.ops.indexing.gather import gather
from to_static.compiler.ops.shapes.concat_split import concat


def reindex_graph(
    x: Any, neighbors: Any, count: Any, value_buffer: Any = None, index_buffer: Any = None, name: Any = None
) -> tuple[Any, Any, Any]:
    """The edges from neighbours to nodes, with all of them numbered from 0 as they come.

    Args:
        x: integer Tensor [nodes], the nodes.
        neighbors: integer Tensor [edges], the neighbours of all nodes, one after the other.
        count: int32 Tensor [nodes], how many neighbours each node has.
        value_buffer, index_buffer, name: not used; there for compatibility.

    Returns:
        ``(reindex_src, reindex_dst, out_nodes)``: where edges begin and end, [edges], and the nodes by their new numbers.

    Raises:
        ShapeError: the counts are not those of ``neighbors``.

    Example:
        >>> x, neighbors = paddle.to_tensor([0, 1]), paddle.to_tensor([8, 9, 0])
        >>> src, dst, nodes = paddle.geometric.reindex_graph(x, neighbors, paddle.to_tensor([2, 1], dtype="int32"))
        >>> src.tolist(), dst.tolist(), nodes.tolist()
        ([2, 3, 0], [0, 0, 1], [0, 1, 8, 9])
    """
    return tuple(graph_reindex(x, neighbors, count))


def reindex_heter_graph(
    x: Any, neighbors: Sequence[Any], count: Sequence[Any], value_buffer: Any = None, index_buffer: Any = None,
    name: Any = None,
) -> tuple[Any, Any, Any]:  # fmt: skip
    """`reindex_graph` of several kinds of edges: lists of neighbours and of counts; edges come kind by kind.

    ``x``, ``value_buffer``, ``index_buffer``: as there; ``neighbors``, ``count``: the lists.

    Example:
        >>> sources, targets, nodes = paddle.geometric.reindex_heter_graph(
        ...     paddle.to_tensor([0, 1]), [paddle.to_tensor([8, 9])], [paddle.to_tensor([1, 1], "int32")]
        ... )
        >>> nodes.tolist()
        [0, 1, 8, 9]
    """
    return tuple(graph_reindex(x, concat(list(neighbors), 0), concat(list(count), 0)))


def sample_neighbors(
    row: Any, colptr: Any, input_nodes: Any, sample_size: int = -1, eids: Any = None, return_eids: bool = False,
    perm_buffer: Any = None, name: Any = None,
) -> tuple[Any, ...]:  # fmt: skip
    """Neighbours of nodes, drawn without replacement.

    Args:
        row: integer Tensor [edges], the neighbours of all nodes, one after the other.
        colptr: integer Tensor [nodes + 1], where the neighbours of each node begin in ``row``.
        input_nodes: integer Tensor [n], the nodes.
        sample_size: how many neighbours at most (default -1: all).
        eids: integer Tensor [edges], the numbers of the edges (default None).
        return_eids: whether to return the numbers of the drawn edges, too (default False).
        perm_buffer, name: not used; there for compatibility.

    Returns:
        ``(neighbors, count)``, or with the numbers of edges as a third.

    Raises:
        ValueError: ``return_eids`` without ``eids``.

    Example:
        >>> row, colptr = paddle.to_tensor([3, 7, 0, 9, 1]), paddle.to_tensor([0, 2, 4, 5])
        >>> neighbors, count = paddle.geometric.sample_neighbors(row, colptr, paddle.to_tensor([0, 2]))
        >>> neighbors.tolist(), count.tolist()
        ([3, 7, 1], [2, 1])
    """
    return _drawn(row, colptr, None, input_nodes, sample_size, eids, return_eids)


def weighted_sample_neighbors(
    row: Any, colptr: Any, edge_weight: Any, input_nodes: Any, sample_size: int = -1, eids: Any = None,
    return_eids: bool = False, name: Any = None,
) -> tuple[Any, ...]:  # fmt: skip
    """`sample_neighbors` with the chance of an edge in proportion to its weight: ``edge_weight``, a floating Tensor [edges].

    ``row``, ``colptr``, ``input_nodes``, ``sample_size``, ``eids``, ``return_eids``: as there.

    Example:
        >>> neighbors, counts = paddle.geometric.weighted_sample_neighbors(
        ...     paddle.to_tensor([1, 2]), paddle.to_tensor([0, 2, 2, 2]), paddle.to_tensor([0.5, 0.5]), paddle.to_tensor([0])
        ... )
        >>> sorted(neighbors.tolist()), counts.tolist()
        ([1, 2], [2])
    """
    return _drawn(row, colptr, edge_weight, input_nodes, sample_size, eids, return_eids)


def _drawn(row: Any, colptr: Any, weights: Any, nodes: Any, size: int, eids: Any, return_eids: bool) -> tuple[Any, ...]:
    if return_eids and eids is None:
        raise ValueError("sample_neighbors: `eids` should not be None if `return_eids` is True")
    row, colptr, nodes = (v.reshape([-1]) for v in (row, colptr, nodes))
    edges, count = graph_sample_neighbors(row, colptr, nodes, weights, size)
    return (gather(row, edges), count, gather(eids, edges)) if return_eids else (gather(row, edges), count)
