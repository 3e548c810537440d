"""`memory_efficient_attention`: what Paddle computes on GPUs without keeping the scores; here they are kept."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ir.tensor import Tensor
from to_static.core.errors import ArgumentTypeError
from to_static.incubate.nn.attn_bias import LowerTriangularMask
from to_static.nn.functional import dropout, softmax

__all__ = ["memory_efficient_attention"]


def memory_efficient_attention(
    query: Any, key: Any, value: Any, attn_bias: Any = None, p: float = 0.0, scale: float | None = None, training: bool = True
) -> Any:
    """``softmax(query @ key.T * scale + bias) @ value`` of each head, [batch, length, heads, size of value].

    Args:
        query, key, value: [batch, length, heads, size].
        attn_bias: None, a Tensor that is added to the scores [batch, heads, length, length], or a
            `attn_bias.LowerTriangularMask`.
        p: how many of the weights are dropped in training.
        scale: default: 1 / sqrt(size).
        training: whether this is training.

    Raises ArgumentTypeError for another kind of mask (masks of blocks run on Paddle's GPUs only).

    Example:
        >>> y = memory_efficient_attention(q, k, v, p=0.1)

    Source: Rabe and Staats, "Self-attention Does Not Need O(n^2) Memory", 2021.
    """
    q, k, v = (x.transpose([0, 2, 1, 3]) for x in (query, key, value))
    scores = q.matmul(k, transpose_y=True) * (query.shape[-1] ** -0.5 if scale is None else scale)
    if isinstance(attn_bias, LowerTriangularMask):
        scores = scores + attn_bias.materialize([query.shape[1], key.shape[1]], scores.dtype)
    elif isinstance(attn_bias, Tensor):
        scores = scores + attn_bias
    elif attn_bias is not None:
        message = f"a Tensor or a LowerTriangularMask was expected as attn_bias, got {type(attn_bias).__name__}"
        raise ArgumentTypeError(f"memory_efficient_attention: {message}")
    weights = dropout(softmax(scores, axis=-1), p, training=training)
    return weights.matmul(v).transpose([0, 2, 1, 3])
