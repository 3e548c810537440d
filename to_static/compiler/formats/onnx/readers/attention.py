"""Reads attention and other nodes of large language models."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.formats.onnx.node_view import NodeView, constant, reads, scalar_like
from to_static.compiler.ir.spec import UNKNOWN
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions as F


def _heads(n: NodeView, x: Tensor, name: str) -> Tensor:
    """[batch, heads, length, size] of a value that may have all heads side by side."""
    if x.ndim == 4:
        return x
    count = n.integer(name)
    width = x.spec.shape[2]
    return F.transpose(F.reshape(x, [0, 0, count, width // count]), [0, 2, 1, 3])  # type: ignore[no-any-return]


def _positions(x: Tensor) -> Any:
    """0 to the length of [batch, heads, length, size]."""
    length = x.spec.shape[2]
    if length != UNKNOWN:
        return constant(np.arange(length))
    return F.range(constant(np.int64(0)), F.cast(F.dim_size(x, 2), "int64"), constant(np.int64(1)))


def _window_bias(n: NodeView, q: Tensor, k: Tensor) -> Any:
    """0 where a query may see a key, -inf elsewhere: [queries, keys], or [batch, 1, queries, keys]; None if it sees all.

    The first query stands behind the past keys. If there are numbers of keys (``nonpad_kv_seqlen``), the last query stands at the
    last of these keys.
    """
    left, right = n.integer("left_window_size", -1), n.integer("right_window_size", -1)
    if n.flag("is_causal"):
        right = 0
    if left < 0 and right < 0:
        return None
    first: Any = 0
    if n.has(4):
        past = n.x(4)
        first = past.spec.shape[2] if past.spec.shape[2] != UNKNOWN else F.cast(F.dim_size(past, 2), "int64")
    elif n.has(6):
        count = q.spec.shape[2] if q.spec.shape[2] != UNKNOWN else F.cast(F.dim_size(q, 2), "int64")
        first = F.reshape(F.cast(n.x(6), "int64"), [-1, 1, 1, 1]) - count
    distance = _positions(k) - F.unsqueeze(_positions(q), 1) - first
    allowed: Any = None
    if left >= 0:
        allowed = distance >= -left
    if right >= 0:
        allowed = distance <= right if allowed is None else F.logical_and(allowed, distance <= right)
    return F.where(allowed, scalar_like(0, q), scalar_like(-np.inf, q))


@reads("Attention")
def _(n: NodeView) -> Any:
    flat = n.x(0).ndim == 3
    q, k, v = _heads(n, n.x(0), "q_num_heads"), _heads(n, n.x(1), "kv_num_heads"), _heads(n, n.x(2), "kv_num_heads")
    if n.has(4):
        k, v = F.concat([n.x(4), k], 2), F.concat([n.x(5), v], 2)
    present = [k, v]
    count, kv_heads = q.spec.shape[1], k.spec.shape[1]
    if count != kv_heads:
        k, v = (F.repeat_interleave(value, count // kv_heads, 1) for value in (k, v))
    lengths = q.spec.shape[2], k.spec.shape[2]
    scale = n.attr("scale")
    scale = 1 / np.sqrt(q.spec.shape[3]) if scale is None else scale
    root = scalar_like(np.sqrt(scale), q)
    scores = F.matmul(q * root, F.transpose(k * root, [0, 1, 3, 2]))
    mode = n.integer("qk_matmul_output_mode")
    visible: Any = scores
    bias = _window_bias(n, q, k)
    if n.has(3):
        mask = n.x(3)
        size = mask.spec.shape[-1]
        if mask.dtype.kind == "b":
            mask = F.where(mask, scalar_like(0, q), scalar_like(-np.inf, q))
        if UNKNOWN not in (size, lengths[1]) and 1 < size < lengths[1]:
            pads = [0, 0] * mask.ndim
            pads[-1] = lengths[1] - size
            mask = F.pad(mask, pads, -np.inf)
        mask = F.cast(mask, q.dtype)
        bias = mask if bias is None else bias + mask
    if n.has(6):
        ends = F.reshape(F.cast(n.x(6), "int64"), [-1, 1, 1, 1])
        padding = F.where(_positions(k) < ends, scalar_like(0, q), scalar_like(-np.inf, q))
        bias = padding if bias is None else bias + padding
    cap = n.real("softcap")
    if cap:
        scores = F.tanh(scores / scalar_like(cap, scores)) * scalar_like(cap, scores)
    visible = scores if mode == 1 else visible
    if bias is not None:
        scores = scores + bias
    visible = scores if mode == 2 else visible
    if bias is None:
        weights = F.softmax(scores, -1)
    else:  # a query that sees nothing has weights of zero
        blind = F.all(F.equal(scores, scalar_like(-np.inf, scores)), [-1], keepdim=True)
        zero = scalar_like(0, scores)
        weights = F.where(blind, zero, F.softmax(F.where(blind, zero, scores), -1))
    visible = weights if mode == 3 else visible
    y = F.matmul(weights, v)
    if flat:
        y = F.reshape(F.transpose(y, [0, 2, 1, 3]), [0, 0, count * v.spec.shape[3]])
    return [y, *present, visible]


@reads("RotaryEmbedding")
def _(n: NodeView) -> Any:
    x = n.x(0)
    flat = x.ndim == 3
    if flat:
        heads = n.integer("num_heads")
        x = F.reshape(x, [0, 0, heads, x.spec.shape[2] // heads])
    else:
        x = F.transpose(x, [0, 2, 1, 3])
    cos, sin = n.x(1), n.x(2)
    if n.has(3):
        ids = F.cast(n.x(3), "int64")
        cos, sin = (_rows(table, ids) for table in (cos, sin))
    size = n.integer("rotary_embedding_dim") or x.spec.shape[3]
    rotated, passed_through = x[..., :size], x[..., size:]
    cos, sin = (F.unsqueeze(table[..., : size // 2], 2) for table in (cos, sin))
    if n.flag("interleaved"):
        a, b = rotated[..., 0::2], rotated[..., 1::2]
    else:
        a, b = rotated[..., : size // 2], rotated[..., size // 2 :]
    real, imaginary = cos * a - sin * b, sin * a + cos * b
    if n.flag("interleaved"):
        y = F.reshape(F.stack([real, imaginary], -1), [0, 0, x.spec.shape[2], size])
    else:
        y = F.concat([real, imaginary], -1)
    y = F.concat([y, passed_through], -1) if size != x.spec.shape[3] else y
    if flat:
        return F.reshape(y, [0, 0, n.x(0).spec.shape[2]])
    return F.transpose(y, [0, 2, 1, 3])


def _rows(table: Tensor, ids: Tensor) -> Tensor:
    flat = F.index_select(table, F.reshape(ids, [-1]), 0)
    return F.reshape(flat, [*(d if d != UNKNOWN else 0 for d in ids.spec.shape), table.spec.shape[1]])  # type: ignore[no-any-return]


@reads("SwiGLU")
def _(n: NodeView) -> Any:
    x = n.x(0)
    axis = n.integer("axis", -1) % x.ndim
    gate, value = F.split(x, 2, axis) if not n.has(1) else (x, n.x(1))
    alpha = n.real("alpha", 1.0)
    return gate * F.sigmoid(gate if alpha == 1 else gate * scalar_like(alpha, gate)) * value
