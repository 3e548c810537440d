"""A. The MLP: bias and ReLU in place; one row by `dot` with column-major weights, more rows by row-major ones."""

from __future__ import annotations

import numpy as np

from limits.arrays import aligned, packed


def mlp(weights, x):
    """Three linear layers with ReLU between them."""
    w1, b1, w2, b2, w3, b3 = weights
    if len(x) == 1:
        w1, w2, w3 = (np.asfortranarray(w) for w in (w1, w2, w3))
    else:
        w1, w2, w3 = map(packed, (w1, w2, w3))
    # max(h + b, 0) = max(h, -b) + b, and what is added goes into the next bias
    b2 = b2 + b1 @ w2
    low1, low2, b3 = packed(-b1), packed(-b2), packed(b3 + b2 @ w3)
    dot, add, maximum = np.dot, np.add, np.maximum
    h1, h2 = aligned(len(x), 256), aligned(len(x), 128)

    def run():
        dot(x, w1, h1)
        maximum(h1, low1, out=h1)
        dot(h1, w2, h2)
        maximum(h2, low2, out=h2)
        y = dot(h2, w3)
        add(y, b3, y)
        return y

    return run
