"""I. The LSTM: the inputs of all steps in one product, the gates in one `tanh`."""

from __future__ import annotations

import numpy as np

from limits.arrays import aligned, number, packed


def lstm(weights, x):
    """``x`` [1, T, 128]; gates in the order input, forget, cell, output. sigmoid(g) = tanh(g / 2) / 2 + 1 / 2."""
    wi, wh, bi, bh = weights
    width = wh.shape[1]
    halves = np.full(4 * width, 0.5, np.float32)
    halves[2 * width : 3 * width] = 1
    wi, wh, bias = packed((wi * halves[:, None]).T), np.asfortranarray((wh * halves[:, None]).T), packed((bi + bh) * halves)
    steps = x.shape[1]
    projected, g, y = aligned(steps, 4 * width), aligned(1, 4 * width), aligned(1, steps, width)
    c, t = aligned(1, width), aligned(1, width)
    first, forget, cell, last = (g[:, i * width : (i + 1) * width] for i in range(4))
    sigmoids, half = (g[:, : 2 * width], last), number(0.5)
    rows = [(projected[i : i + 1], y[:, i - 1], y[:, i]) for i in range(steps)]
    dot, add, multiply, tanh = np.dot, np.add, np.multiply, np.tanh
    zero = aligned(1, width, fill=0)

    def run():
        dot(x[0], wi, projected)
        add(projected, bias, projected)
        c.fill(0)
        previous = zero
        for row, _, here in rows:
            dot(previous, wh, g)
            add(g, row, g)
            tanh(g, g)
            for part in sigmoids:
                multiply(part, half, part)
                add(part, half, part)
            multiply(c, forget, c)
            multiply(first, cell, t)
            add(c, t, c)
            tanh(c, t)
            multiply(last, t, here)
            previous = here
        return y.copy()

    return run
