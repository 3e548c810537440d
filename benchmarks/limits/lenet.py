"""C. LeNet with the images as the last axis: windows, pooling and products all run along long lines.

Bias and ReLU come after the pooling, which is the same: both grow with their argument. The bias goes through the ReLU into the next
layer where no padding follows.
"""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import as_strided

from limits.arrays import aligned, number, packed

CHUNK = 16
ZERO = number(0)


def windows(x, size):
    """All windows of ``x`` (channels, height, width, images): (channels, size, size, height, width, images)."""
    c, h, w, n = x.shape
    a, b, d, e = x.strides
    return as_strided(x, (c, size, size, h - size + 1, w - size + 1, n), (a, b, d, b, d, e))


def _pooled(y, work, out):
    """Maxima of 2x2 windows of (channels, height, width, images), as a function."""
    even, odd, left, right = y[:, ::2], y[:, 1::2], work[:, :, ::2], work[:, :, 1::2]

    def run():
        np.maximum(even, odd, out=work)
        np.maximum(left, right, out=out)

    return run


def lenet(weights, x):
    """Inference."""
    k1, c1, k2, c2, w1, b1, w2, b2, w3, b3 = weights
    n = min(CHUNK, len(x))
    padded_image, columns1, y1 = aligned(1, 30, 30, n, fill=0), aligned(9, 28 * 28 * n), aligned(6, 28 * 28 * n)
    work1, p1 = aligned(6, 14, 28, n), aligned(6, 14, 14, n)
    columns2, y2 = aligned(150, 100 * n), aligned(16, 100 * n)
    work2, p2 = aligned(16, 5, 10, n), aligned(16, 5, 5, n)
    inner = padded_image[0, 1:29, 1:29]
    view1, view2 = windows(padded_image, 3), windows(p1, 5)
    shaped1, shaped2 = columns1.reshape(view1.shape), columns2.reshape(view2.shape)
    k1, k2 = packed(k1.reshape(6, 9)), packed(k2.reshape(16, 150))
    low1 = packed(-c1.reshape(6, 1, 1, 1))
    c2 = c2 + k2 @ np.repeat(c1, 25)
    low2 = packed(-c2.reshape(16, 1, 1, 1))
    b1 = b1 + np.repeat(c2, 25) @ w1
    # three linear layers without anything in between are one
    w, b = w1 @ w2 @ w3, (b1 @ w2 + b2) @ w3 + b3
    w, b = packed(w.T), packed(b.reshape(10, 1))
    pool1 = _pooled(y1.reshape(6, 28, 28, n), work1, p1)
    pool2 = _pooled(y2.reshape(16, 10, 10, n), work2, p2)
    flat = p2.reshape(400, n)
    out = aligned(10, n)
    parts = [x[i : i + n, 0].transpose(1, 2, 0) for i in range(0, len(x), n)]

    def run():
        y = np.empty((len(x), 10), np.float32)
        for i, part in enumerate(parts):
            np.copyto(inner, part)
            np.copyto(shaped1, view1)
            np.dot(k1, columns1, y1)
            pool1()
            np.maximum(p1, low1, out=p1)
            np.copyto(shaped2, view2)
            np.dot(k2, columns2, y2)
            pool2()
            np.maximum(p2, low2, out=p2)
            np.dot(w, flat, out)
            np.add(out, b, out)
            y[i * n : i * n + n] = out.T
        return y

    return run


def lenet_step(weights, x, y, rate):
    """A step of training by SGD with the cross-entropy's mean; returns the loss."""
    k1, c1, k2, c2, w1, b1, w2, b2, w3, b3 = (packed(w) for w in weights)
    total, n = len(x), min(CHUNK, len(x))
    columns1, y1 = aligned(9, 784 * n), aligned(6, 784 * n)
    work1, p1, y2 = aligned(6, 14, 28, n), aligned(6, 14, 14, n), aligned(16, 100 * n)
    columns2, work2, p2 = aligned(150, 100 * n), aligned(16, 5, 10, n), aligned(16, 5, 5, n)
    g1, g2, gc = aligned(6, 28, 28, n), aligned(16, 10, 10, n), aligned(150, 100 * n)
    gp1, m1, m2 = aligned(6, 14, 14, n), k1.reshape(6, 9), k2.reshape(16, 150)
    hit1, hit2, done1, done2 = (np.empty(s, bool) for s in ((6, 14, 14, n), (16, 5, 5, n), (6, 14, 14, n), (16, 5, 5, n)))
    padded_image = aligned(1, 30, 30, n, fill=0)
    inner, view1, view2 = padded_image[0, 1:29, 1:29], windows(padded_image, 3), windows(p1, 5)
    shaped1, shaped2 = columns1.reshape(view1.shape), columns2.reshape(view2.shape)
    z1, z2 = y1.reshape(6, 28, 28, n), y2.reshape(16, 10, 10, n)
    pool1, pool2 = _pooled(z1, work1, p1), _pooled(z2, work2, p2)
    flat = p2.reshape(400, n)
    parts = [(x[i : i + n, 0].transpose(1, 2, 0), y[i : i + n]) for i in range(0, total, n)]
    row_indices, scale = np.arange(n), np.float32(rate / total)
    work_g2 = gc.reshape(view2.shape)

    def spread(z, top, g, target, hit, done):
        """The gradient ``g`` of maxima ``top`` to the first element of ``z`` that is one."""
        done.fill(False)
        for u in range(2):
            for v in range(2):
                np.equal(z[:, u::2, v::2], top, out=hit)
                np.greater(hit, done, out=hit)
                np.logical_or(done, hit, out=done)
                np.multiply(g, hit, out=target[:, u::2, v::2])

    def run():
        loss = 0.0
        steps = [np.zeros_like(w) for w in (m1, c1, m2, c2, w1, b1, w2, b2, w3, b3)]
        for part, labels in parts:
            np.copyto(inner, part)
            np.copyto(shaped1, view1)
            np.dot(m1, columns1, y1)
            pool1()
            top1 = p1.copy()
            np.add(p1, c1.reshape(6, 1, 1, 1), p1)
            np.maximum(p1, ZERO, out=p1)
            np.copyto(shaped2, view2)
            np.dot(m2, columns2, y2)
            pool2()
            top2 = p2.copy()
            np.add(p2, c2.reshape(16, 1, 1, 1), p2)
            np.maximum(p2, ZERO, out=p2)
            h = flat.T
            h1 = h @ w1 + b1
            h2 = h1 @ w2 + b2
            logits = h2 @ w3 + b3
            logits -= logits.max(1, keepdims=True)
            p = np.exp(logits)
            sums = p.sum(1, keepdims=True)
            loss += float((np.log(sums[:, 0]) - logits[row_indices, labels]).sum())
            p *= scale / sums
            p[row_indices, labels] -= scale
            d2 = p @ w3.T
            d1 = d2 @ w2.T
            g = np.dot(w1, d1.T).reshape(16, 5, 5, n)
            g *= p2 > 0
            spread(z2, top2, g, g2, hit2, done2)
            found = [None, None, np.dot(g2.reshape(16, -1), columns2.T), g.sum((1, 2, 3)),
                     flat @ d1, d1.sum(0), h1.T @ d2, d2.sum(0), h2.T @ p, p.sum(0)]  # fmt: skip
            np.dot(m2.T, g2.reshape(16, -1), gc)
            gp1.fill(0)
            for u in range(5):
                for v in range(5):
                    np.add(gp1[:, u : u + 10, v : v + 10], work_g2[:, u, v], gp1[:, u : u + 10, v : v + 10])
            gp1[...] *= p1 > 0
            spread(z1, top1, gp1, g1, hit1, done1)
            found[0], found[1] = np.dot(g1.reshape(6, -1), columns1.T), gp1.sum((1, 2, 3))
            for step, one in zip(steps, found, strict=True):
                step += one
        for w, step in zip((m1, c1, m2, c2, w1, b1, w2, b2, w3, b3), steps, strict=True):
            w -= step
        return loss / total

    run.weights = k1, c1, k2, c2, w1, b1, w2, b2, w3, b3
    return run
