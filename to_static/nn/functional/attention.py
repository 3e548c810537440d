"""Attention, and functions of sequences."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ops import functions
from to_static.compiler.ops.layers import dropout
from to_static.compiler.ops.layers.softmax import softmax
from to_static.compiler.ops.shape_rules import show
from to_static.core.errors import ShapeError
from to_static.core.unavailable_devices import on_gpus

sparse_attention = on_gpus("nn.functional.sparse_attention", "scaled_dot_product_attention with a mask")


def _select_sdp(head_dim: int) -> str:
    """Return the name of the method of `scaled_dot_product_attention`: always 'math', ordinary operators."""
    return "math"


def scaled_dot_product_attention(
    query: Any,
    key: Any,
    value: Any,
    attn_mask: Any = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    training: bool = True,
    name: Any = None,
) -> Any:
    """``softmax(query @ key.T / sqrt(d) + mask) @ value``, for each head.

    Args:
        query, key, value: ``[batch, length, heads, d]``; the lengths of key and value are one.
        attn_mask: broadcasts to ``[batch, heads, query length, key length]``; booleans (True: attend) or numbers to add.
        dropout_p: probability of dropping a weight while ``training``.
        is_causal: attend to earlier positions only.

    Returns ``[batch, query length, heads, d]``. Raises ShapeError when the inputs do not have 4 dimensions.

    Example:
        >>> q = paddle.ones([2, 5, 4, 8])
        >>> F.scaled_dot_product_attention(q, q, q).shape
        [2, 5, 4, 8]

    Source: Vaswani et al., "Attention Is All You Need".
    """
    for what, tensor in (("query", query), ("key", key), ("value", value)):
        if tensor.ndim != 4:
            raise ShapeError(
                f"scaled_dot_product_attention: {what} must be [batch, length, heads, d], got {show(tensor.spec.shape)}"
            )
    transpose, matmul = functions.transpose, functions.matmul
    q, k, v = (transpose(t, [0, 2, 1, 3]) for t in (query, key, value))
    scores = matmul(q * query.shape[-1] ** -0.5, k, transpose_y=True)  # the size may be a number of the Program
    if is_causal:
        allowed = functions.tril(functions.ones_like(scores))
        scores = scores + (1.0 - allowed) * -1e9
    if attn_mask is not None:
        if attn_mask.dtype.name == "bool":
            attn_mask = (1.0 - attn_mask.astype(scores.dtype)) * -1e9
        scores = scores + attn_mask
    weights = dropout.dropout(softmax(scores, -1), dropout_p, training=training)
    return transpose(matmul(weights, v), [0, 2, 1, 3])


def sequence_mask(x: Any, maxlen: Any = None, dtype: Any = "int64", name: Any = None) -> Any:
    """``[*x.shape, maxlen]`` with 1 in the first ``x[i]`` places and 0 after them.

    ``maxlen``: an integer, or an integer tensor of one element; None takes the largest length.
    ``dtype``: of the result.

    Example:
        >>> F.sequence_mask(paddle.to_tensor([1, 3])).tolist()
        [[1, 0, 0], [1, 1, 1]]
    """
    size = functions.max(x) if maxlen is None else maxlen
    positions = functions.arange(0, size, 1, x.dtype)
    return functions.cast(functions.less_than(positions, functions.unsqueeze(x, -1)), dtype)
