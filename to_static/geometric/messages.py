"""Messages along the edges of a graph: made of nodes and edges, received by nodes."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ops.dtype_checks import need_one_dtype
from to_static.compiler.ops.graph.message_passing import message, reduced_rows
from to_static.compiler.ops.indexing.gather import gather


def _rows(x: Any, out_size: Any) -> Any:
    if out_size is None or (isinstance(out_size, int) and out_size <= 0):
        return x.shape[0]
    return out_size.reshape([]).astype("int64") if hasattr(out_size, "reshape") else int(out_size)


def send_u_recv(
    x: Any, src_index: Any, dst_index: Any, reduce_op: str = "sum", out_size: Any = None, name: Any = None
) -> Any:
    """Each node gets the rows of the nodes that have an edge to it, reduced.

    Args:
        x: Tensor [nodes, ...].
        src_index, dst_index: integer Tensors [edges]: where edges begin and end.
        reduce_op: 'sum' (default), 'mean', 'max' or 'min'; 0 for a node without edges.
        out_size: how many nodes the result has, an int or a Tensor (default None, or not positive: as many as ``x``).
        name: not used; there for compatibility.

    Returns:
        Tensor [out_size, ...].

    Raises:
        ValueError: ``reduce_op`` is something else.

    Example:
        >>> x = paddle.to_tensor([[0.0, 2.0], [1.0, 4.0], [2.0, 6.0]])
        >>> paddle.geometric.send_u_recv(x, paddle.to_tensor([0, 1, 2, 0]), paddle.to_tensor([1, 2, 1, 0])).tolist()
        [[0.0, 2.0], [2.0, 8.0], [1.0, 4.0]]
    """
    return reduced_rows("send_u_recv", gather(x, src_index), dst_index, _rows(x, out_size), reduce_op)


def send_ue_recv(
    x: Any, y: Any, src_index: Any, dst_index: Any, message_op: str = "add", reduce_op: str = "sum", out_size: Any = None,
    name: Any = None,
) -> Any:  # fmt: skip
    """`send_u_recv` of messages made of the node that sends and of the edge.

    Args:
        y: Tensor [edges, ...], broadcast with the rows of ``x``.
        message_op: 'add' (default), 'sub', 'mul' or 'div': ``x[src] op y``.

    The other arguments are those of `send_u_recv`.

    ``src_index``, ``dst_index``, ``reduce_op``, ``out_size``: as for `send_u_recv`.

    Example:
        >>> x, y = paddle.to_tensor([[0.0, 2.0], [1.0, 4.0]]), paddle.to_tensor([1.0, 2.0])
        >>> paddle.geometric.send_ue_recv(x, y, paddle.to_tensor([0, 1]), paddle.to_tensor([1, 1])).tolist()
        [[0.0, 0.0], [4.0, 9.0]]
    """
    need_one_dtype("send_ue_recv", x, y)
    messages = message("send_ue_recv", gather(x, src_index), y, message_op)
    return reduced_rows("send_ue_recv", messages, dst_index, _rows(x, out_size), reduce_op)


def send_uv(x: Any, y: Any, src_index: Any, dst_index: Any, message_op: str = "add", name: Any = None) -> Any:
    """For each edge ``x[src] op y[dst]``: Tensor [edges, ...].

    ``message_op``: 'add' (default), 'sub', 'mul' or 'div'; the other arguments are those of `send_u_recv`.
    ``src_index``, ``dst_index``: as for `send_u_recv`.

    Example:
        >>> x, y = paddle.to_tensor([[0.0], [1.0]]), paddle.to_tensor([[5.0], [7.0]])
        >>> paddle.geometric.send_uv(x, y, paddle.to_tensor([0, 1]), paddle.to_tensor([1, 1])).tolist()
        [[7.0], [8.0]]
    """
    need_one_dtype("send_uv", x, y)
    return message("send_uv", gather(x, src_index), gather(y, dst_index), message_op)
