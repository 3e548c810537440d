"""E and J. The encoder block, and one token through a decoder block with a cache."""

from __future__ import annotations

import numpy as np

from limits.arrays import aligned, gelu, norm, number, packed


def softmax(x):
    """In place over the last axis, without a shift: the numbers of these workloads are small."""
    total, ones = aligned(*x.shape[:-1], 1), aligned(x.shape[-1], 1, fill=1)
    rows, sums = x.reshape(-1, x.shape[-1]), total.reshape(-1, 1)

    def run():
        np.exp(x, x)
        np.dot(rows, ones, sums)
        np.divide(x, total, x)

    return run


def encoder(weights, x):
    """Queries, keys and values in one product; norms after the sums."""
    wq, bq, wk, bk, wv, bv, wo, bo, w1, b1, w2, b2, gain1, shift1, gain2, shift2 = weights
    n, length, width = x.shape
    heads, each = 4, width // 4
    scale = each**-0.5
    wqkv, bqkv = packed(np.concatenate([wq * scale, wk, wv], 1)), packed(np.concatenate([bq * scale, bk, bv]))
    wo, w1, w2 = map(packed, (wo, w1, w2))
    size = 1  # one image at a time keeps everything in the cache
    qkv = aligned(size * length, 3 * width)
    q, k, v = (qkv.reshape(size, length, 3, heads, each)[:, :, i].transpose(0, 2, 1, 3) for i in range(3))
    scores, mixed = aligned(size, heads, length, length), aligned(size, heads, length, each)
    joined, a, b, h = (aligned(size * length, width) for _ in range(4))
    inner = aligned(size * length, w1.shape[1])
    y = aligned(n, length, width)
    weigh = softmax(scores)
    norm1, norm2 = norm(a, b, h, gain1, shift1), norm(h, a, joined, gain2, shift2)
    act = gelu(inner, aligned(1 << 14), aligned(1 << 14))
    joined4, mixed4, keys = joined.reshape(size, length, heads, each), mixed.transpose(0, 2, 1, 3), k.swapaxes(2, 3)
    parts = [(x[i], y[i]) for i in range(n)]
    dot, add = np.dot, np.add

    def run():
        for source, target in parts:
            dot(source, wqkv, qkv)
            add(qkv, bqkv, qkv)
            np.matmul(q, keys, scores)
            weigh()
            np.matmul(scores, v, mixed)
            np.copyto(joined4, mixed4)
            dot(joined, wo, a)
            add(a, bo, a)
            add(a, source, a)
            norm1()
            dot(b, w1, inner)
            add(inner, b1, inner)
            act()
            dot(inner, w2, h)
            add(h, b2, h)
            add(h, b, h)
            norm2()
            np.copyto(target, a)
        return y

    return run


def decoder(weights, x, keys, values):
    """One token: products with column-major weights; the cache is copied with the token behind it, as the result must be new."""
    gain1, shift1, gain2, shift2, wqkv, bqkv, wo, bo, w1, b1, w2, b2 = weights
    width, heads = 256, 4
    each, past = width // heads, keys.shape[2]
    wqkv, wo, w1, w2 = (np.asfortranarray(w) for w in (wqkv, wo, w1, w2))
    a, h, qkv, inner = aligned(1, width), aligned(1, width), aligned(1, 3 * width), aligned(1, 1024)
    q, k, v = (qkv[:, i * width : (i + 1) * width].reshape(1, heads, 1, each) for i in range(3))
    scores, mixed = aligned(1, heads, 1, past + 1), aligned(1, heads, 1, each)
    flat_x, weigh, joined, scale = x.reshape(1, width), softmax(scores), mixed.reshape(1, width), number(0.125)
    y = aligned(1, width)
    norm1, norm2 = norm(flat_x, h, a, gain1, shift1), norm(a, h, y, gain2, shift2)
    act = gelu(inner, aligned(1024), aligned(1024))
    dot, add = np.dot, np.add

    def run():
        norm1()
        dot(h, wqkv, qkv)
        add(qkv, bqkv, qkv)
        new_keys, new_values = np.empty((1, heads, past + 1, each), np.float32), np.empty((1, heads, past + 1, each), np.float32)
        new_keys[:, :, :past], new_keys[:, :, past:] = keys, k
        new_values[:, :, :past], new_values[:, :, past:] = values, v
        np.matmul(q, new_keys.swapaxes(2, 3), scores)
        np.multiply(scores, scale, scores)
        weigh()
        np.matmul(scores, new_values, mixed)
        dot(joined, wo, a)
        add(a, bo, a)
        add(a, flat_x, a)
        norm2()
        dot(h, w1, inner)
        add(inner, b1, inner)
        act()
        dot(inner, w2, y)
        add(y, b2, y)
        return (y + a).reshape(1, 1, width), new_keys, new_values

    return run
