"""A loop of 100 trips with a data-dependent branch: x = tanh(x @ w + b), halved where it grew. Dynamic, static, by hand.

    python benchmarks/loop.py
"""

from __future__ import annotations

import timing  # isort: skip (it fixes the number of BLAS threads, before NumPy looks)

import numpy as np

import to_static as paddle

TRIPS = 100


def recurrent(x, w, b, n):
    """The function, on tensors of either kind."""
    i = paddle.zeros([], "int64")
    while i < n:
        x = paddle.tanh(paddle.matmul(x, w) + b)
        if x.sum() > 0:
            x = x * 0.5
        i = i + 1
    return x


def by_hand(x, w, b, n):
    """The same in NumPy, as anyone would write it."""
    for _ in range(n):
        x = np.tanh(x @ w + b)
        if x.sum() > 0:
            x = x * np.float32(0.5)
    return x


def by_hand_with_buffers(x, w, b, n):
    """The same, written into buffers with names bound beforehand."""
    dot, add, tanh, multiply, reduce = np.dot, np.add, np.tanh, np.multiply, np.add.reduce
    half, h = np.asarray(0.5, "float32"), np.empty_like(x)
    x = x.copy()
    for _ in range(n):
        dot(x, w, h)
        add(h, b, h)
        tanh(h, x)
        if reduce(x, (0, 1)) > 0:
            multiply(x, half, x)
    return x


def main() -> None:
    """Print the table."""
    rng = np.random.default_rng(0)
    arrays = [rng.normal(0, s, shape).astype("float32") for s, shape in ((1, (1, 64)), (0.2, (64, 64)), (0.1, (64,)))]
    tensors = [paddle.to_tensor(a) for a in arrays]
    n = paddle.to_tensor(TRIPS)
    static = paddle.jit.to_static(recurrent)
    wanted = by_hand(*arrays, TRIPS)
    np.testing.assert_allclose(static(*tensors, n).numpy(), wanted, rtol=1e-3, atol=1e-5)
    np.testing.assert_allclose(by_hand_with_buffers(*arrays, TRIPS), wanted, rtol=1e-3, atol=1e-5)
    ways = {
        "NumPy by hand": lambda: by_hand(*arrays, TRIPS),
        "NumPy by hand, with buffers": lambda: by_hand_with_buffers(*arrays, TRIPS),
        "to_static(f)(x, w, b, n)": lambda: static(*tensors, n),
        "f(x, w, b, n)": lambda: recurrent(*tensors, n),
    }
    with paddle.no_grad():
        timing.report(f"while loop, {TRIPS} trips, no_grad", ways, "NumPy by hand")


if __name__ == "__main__":
    main()
