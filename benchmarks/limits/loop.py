"""B. The loop: Python's `while` over three calls that write into buffers."""

from __future__ import annotations

import numpy as np

from limits.arrays import aligned, number, packed


def loop(x, w, b, trips):
    """100 iterations of ``tanh(x w + b)``, halved where the sum is positive."""
    dot, add, tanh, multiply, reduce = np.dot, np.add, np.tanh, np.multiply, np.add.reduce
    half, h, y, w = number(0.5), aligned(*x.shape), aligned(*x.shape), np.asfortranarray(w)
    b, flat = packed(b), y.reshape(-1)

    def run():
        y[...] = x
        i = 0
        while i < trips:
            dot(y, w, h)
            add(h, b, h)
            tanh(h, y)
            if reduce(flat) > 0:
                multiply(y, half, y)
            i += 1
        return y.copy()

    return run
