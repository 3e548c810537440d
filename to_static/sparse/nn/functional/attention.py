"""Attention where a sparse mask says who looks at whom."""

from __future__ import annotations

import math
from typing import Any

from to_static.compiler.eager.sparse_tensor import SparseCsrTensor
from to_static.compiler.ops.indexing.gather import gather
from to_static.compiler.ops.indexing.where import where
from to_static.compiler.ops.shapes.create import full_like
from to_static.compiler.ops.shapes.reshape import reshape, transpose
from to_static.core.errors import ShapeError
from to_static.sparse.creation import need_sparse
from to_static.sparse.nn.functional.activation import softmax
from to_static.sparse.products import masked_matmul, matmul


def attention(
    query: Any, key: Any, value: Any, sparse_mask: Any, key_padding_mask: Any = None, attn_mask: Any = None, name: Any = None
) -> Any:
    """``softmax(query @ key.T / sqrt(head_dim)) @ value``, computed only where a sparse mask has numbers.

    Args:
        query, key, value: Tensors [batch, heads, length, head_dim].
        sparse_mask: a sparse Tensor in rows, [batch * heads, length, length]; its numbers do not count.
        key_padding_mask: Tensor [batch, length], 0 for the keys that nobody looks at (default None).
        attn_mask: Tensor [length, length], 0 where a query does not look at a key (default None).
        name: not used; there for compatibility.

    Returns:
        Tensor [batch, heads, length, head_dim]; zeros for a query that looks at nothing.

    Raises:
        ShapeError: the shapes do not fit.
        TypeError: ``sparse_mask`` is no sparse tensor in rows.

    Example:
        >>> q = paddle.randn([1, 1, 2, 4])
        >>> mask = paddle.to_tensor([[[1.0, 0.0], [1.0, 1.0]]]).to_sparse_csr()
        >>> paddle.sparse.nn.functional.attention(q, q, q, mask).shape
        [1, 1, 2, 4]
    """
    need_sparse("attention", sparse_mask, SparseCsrTensor)
    batch, heads, length, width = query.shape
    if sparse_mask.shape != [batch * heads, length, length]:
        raise ShapeError(f"attention: expected a sparse_mask of shape {[batch * heads, length, length]}, got {sparse_mask.shape}")
    q, k, v = (reshape(x, [batch * heads, length, width]) for x in (query, key, value))
    scores = masked_matmul(q, transpose(k, [0, 2, 1]), sparse_mask)
    values = scores.values() / math.sqrt(width)
    which, row, column = (scores.to_sparse_coo(3).indices()[i].astype("int64") for i in range(3))
    visible = None
    for mask, shape, first in ((key_padding_mask, [batch, length], which // heads), (attn_mask, [length, length], row)):
        if mask is None:
            continue
        if list(mask.shape) != shape:
            raise ShapeError(f"attention: expected a mask of shape {shape}, got {list(mask.shape)}")
        unmasked = gather(reshape(mask, [-1]), first * length + column) != 0
        visible = unmasked if visible is None else visible.logical_and(unmasked)
    if visible is not None:
        values = where(visible, values, full_like(values, -1e30))
    weights = softmax(scores.with_values(values))
    if visible is not None:
        weights = weights.with_values(where(visible, weights.values(), full_like(values, 0.0)))
    return reshape(matmul(weights, v), [batch, heads, length, width])
