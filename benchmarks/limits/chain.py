"""G. The elementwise chain in parts that stay in the cache, with two temporaries."""

from __future__ import annotations

import numpy as np

from limits.arrays import aligned, number

PART = 1 << 15


def chain(x):
    """``tanh(2 x + 1) / 2 + sigmoid(x) - x * x``, the sigmoid as ``tanh(x / 2) / 2 + 1 / 2``."""
    y = aligned(x.size)
    a, b = aligned(PART), aligned(PART)
    parts = [(x[i : i + PART], y[i : i + PART]) for i in range(0, x.size, PART)]
    two, one, half = number(2), number(1), number(0.5)
    multiply, add, subtract, tanh = np.multiply, np.add, np.subtract, np.tanh

    def run():
        for source, target in parts:
            u, v = a[: source.size], b[: source.size]
            multiply(source, two, u)
            add(u, one, u)
            tanh(u, u)
            multiply(source, half, v)
            tanh(v, v)
            add(u, v, u)
            add(u, one, u)
            multiply(u, half, u)
            multiply(source, source, v)
            subtract(u, v, target)
        return y

    return run
