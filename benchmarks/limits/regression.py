"""D. A step of softmax regression: forward, loss, gradients, SGD, in place."""

from __future__ import annotations

import numpy as np

from limits.arrays import aligned, packed


def step(weights, x, y, rate):
    """One step; returns the loss."""
    w, b = packed(weights[0]), packed(weights[1])
    n = len(x)
    rows, ones = np.arange(n) * w.shape[1] + y, np.ones(n, np.float32)
    dot, add, subtract, multiply, exp = np.dot, np.add, np.subtract, np.multiply, np.exp
    h, p, gw, gb, top, total = aligned(n, 10), aligned(n, 10), aligned(784, 10), aligned(10), aligned(n, 1), aligned(n, 1)
    flat, flat_h, left = p.reshape(-1), h.reshape(-1), x.T
    reduce_max, _reduce_add, scale, line = np.maximum.reduce, np.add.reduce, np.asarray(rate / n, np.float32), total.reshape(-1)
    width = np.ones((10,), np.float32)

    def run():
        dot(x, w, h)
        add(h, b, h)
        reduce_max(h, 1, None, top, True)
        subtract(h, top, h)
        exp(h, p)
        dot(p, width, line)
        loss = (np.log(total).sum() - flat_h[rows].sum()) / n
        np.divide(scale, total, total)
        multiply(p, total, p)
        flat[rows] -= scale
        dot(left, p, gw)
        dot(ones, p, gb)
        subtract(w, gw, w)
        subtract(b, gb, b)
        return loss

    run.weights = w, b
    return run
