"""Multi-head attention."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from to_static.compiler.ir.spec import UNKNOWN
from to_static.compiler.ops import functions
from to_static.compiler.ops.shape_rules import show
from to_static.core.errors import ShapeError
from to_static.nn import functional as F
from to_static.nn.layer import Layer
from to_static.nn.linear import Linear


def additive_mask(mask: Any, dtype: Any) -> Any:
    """A mask to be added to scores: of a bool or integer one, 0 where it is true and -1e9 elsewhere."""
    if mask is None or mask.dtype is dtype:
        return mask
    if mask.dtype.is_floating:
        return mask.astype(dtype)
    return (mask.astype(dtype) - 1.0) * 1e9


class MultiHeadAttention(Layer):
    """Scaled dot-product attention in several projected subspaces (Vaswani et al., 2017).

    Args:
        embed_dim: last dimension of query and result.
        num_heads: number of subspaces; divides ``embed_dim``.
        dropout: probability of dropping attention weights while training (default 0).
        kdim, vdim: last dimension of key and value (default ``embed_dim``).
        need_weights: also return the weights.
        weight_attr, bias_attr: how the parameters of the four projections are made.

    Raises ValueError when ``num_heads`` does not divide ``embed_dim``.

    Example:
        >>> y = paddle.nn.MultiHeadAttention(128, 2)(paddle.rand([2, 4, 128]))
    """

    Cache = namedtuple("Cache", ["k", "v"])  # grows by each call's keys and values
    StaticCache = namedtuple("StaticCache", ["k", "v"])  # stands for keys and values that do not change

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        kdim: int | None = None,
        vdim: int | None = None,
        need_weights: bool = False,
        weight_attr: Any = None,
        bias_attr: Any = None,
    ) -> None:
        super().__init__()
        if embed_dim <= 0 or num_heads <= 0 or embed_dim % num_heads:
            raise ValueError(
                f"MultiHeadAttention: embed_dim={embed_dim} must be a positive multiple of num_heads={num_heads}"
            )
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.kdim, self.vdim = kdim or embed_dim, vdim or embed_dim
        self.dropout, self.need_weights = dropout, need_weights
        self.q_proj = Linear(embed_dim, embed_dim, weight_attr, bias_attr)
        self.k_proj = Linear(self.kdim, embed_dim, weight_attr, bias_attr)
        self.v_proj = Linear(self.vdim, embed_dim, weight_attr, bias_attr)
        self.out_proj = Linear(embed_dim, embed_dim, weight_attr, bias_attr)

    def _heads(self, x: Any) -> Any:
        """``[N, T, embed_dim]`` to ``[N, heads, T, head_dim]``."""
        split = functions.reshape(x, [0, 0, self.num_heads, self.head_dim])
        return functions.transpose(split, [0, 2, 1, 3])

    def compute_kv(self, key: Any, value: Any) -> tuple[Any, Any]:
        """Projected keys and values, ``[N, heads, T, head_dim]``."""
        return self._heads(self.k_proj(key)), self._heads(self.v_proj(value))

    def _prepare_qkv(self, query: Any, key: Any, value: Any, cache: Any = None) -> tuple[Any, ...]:
        """Projected query, keys and values ``[N, heads, T, head_dim]``, those of the cache too; and the new cache, if any."""
        q = self._heads(self.q_proj(query))
        k, v = (cache.k, cache.v) if isinstance(cache, self.StaticCache) else self.compute_kv(key, value)
        if isinstance(cache, self.Cache):
            k, v = functions.concat([cache.k, k], 2), functions.concat([cache.v, v], 2)
            cache = self.Cache(k, v)
        return (q, k, v) if cache is None else (q, k, v, cache)

    def gen_cache(self, key: Any, value: Any = None, type: Any = Cache) -> Any:
        """A cache for `forward`: `StaticCache` of key and value; an empty `Cache`; or a `Cache` of projected key and value."""
        if type is MultiHeadAttention.StaticCache:
            return self.StaticCache(*self.compute_kv(key, value))
        if value is not None:
            return self.Cache(key, value)
        shape = [key.shape[0], self.num_heads, 0, self.head_dim]
        return self.Cache(*(functions.full(shape, 0, key.dtype) for _ in range(2)))

    def forward(self, query: Any, key: Any = None, value: Any = None, attn_mask: Any = None, cache: Any = None) -> Any:
        """The result ``[N, T, embed_dim]``, followed by the weights (``need_weights``) and the new cache, if any.

        ``key``, ``value``: by default ``query``. ``attn_mask``: broadcast to ``[N, heads, T, S]``; bool or int (true: may be
        seen) or float (added to the scores).
        """
        shape = query.spec.shape
        if len(shape) != 3 or shape[2] not in (self.embed_dim, UNKNOWN):
            expected = f"[batch, length, embed_dim] with embed_dim={self.embed_dim}"
            raise ShapeError(f"MultiHeadAttention: query must be {expected}, got {show(shape)}")
        key = query if key is None else key
        value = query if value is None else value
        q, k, v, *new_cache = self._prepare_qkv(query, key, value, cache)
        scores = functions.matmul(q * self.head_dim**-0.5, k, transpose_y=True)
        if attn_mask is not None:
            scores = scores + additive_mask(attn_mask, scores.dtype)
        weights = functions.softmax(scores)
        if self.dropout:
            weights = F.dropout(weights, self.dropout, training=self.training)
        joined = functions.transpose(functions.matmul(weights, v), [0, 2, 1, 3])
        result = self.out_proj(functions.reshape(joined, [0, 0, self.embed_dim]))
        extra = ([weights] if self.need_weights else []) + new_cache
        return (result, *extra) if extra else result
