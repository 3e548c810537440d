"""The d2l book's hybridize benchmark: an MLP 512-256-128-2 on one row, dynamic, static, and by hand in NumPy.

    python benchmarks/mlp.py

What counts: `to_static(net)(x)` against "NumPy by hand", with and without gradients enabled.
"""

from __future__ import annotations

import timing  # isort: skip (it fixes the number of BLAS threads, before NumPy looks)

import numpy as np

import to_static as paddle
from to_static.core.backend import NUMPY
from to_static.passes.pipeline import FROZEN, optimize
from to_static.runtime.plan import compile_plan

SIZES = (512, 256, 128, 2)


class MLP(paddle.nn.Layer):
    """Three linear layers with ReLU between them."""

    def __init__(self) -> None:
        super().__init__()
        self.net = paddle.nn.Sequential(
            paddle.nn.Linear(512, 256), paddle.nn.ReLU(),
            paddle.nn.Linear(256, 128), paddle.nn.ReLU(),
            paddle.nn.Linear(128, 2),
        )  # fmt: skip

    def forward(self, x):
        """[N, 512] to [N, 2]."""
        return self.net(x)


def by_hand(arrays, x):
    """As anyone would write it."""
    w1, b1, w2, b2, w3, b3 = arrays

    def run():
        h = np.maximum(x @ w1 + b1, 0)
        h = np.maximum(h @ w2 + b2, 0)
        return h @ w3 + b3

    return run


def by_hand_with_buffers(arrays, x):
    """As fast as we know: results written into aligned buffers, names bound beforehand."""
    w1, b1, w2, b2, w3, b3 = arrays
    dot, add, maximum, zero = np.dot, np.add, np.maximum, np.zeros((), "float32")
    h1, h2 = aligned(len(x), 256), aligned(len(x), 128)

    def run():
        dot(x, w1, h1)
        add(h1, b1, h1)
        maximum(h1, zero, out=h1)
        dot(h1, w2, h2)
        add(h2, b2, h2)
        maximum(h2, zero, out=h2)
        return add(dot(h2, w3), b3)

    return run


def aligned(*shape):
    """An empty float32 array that begins at a cache line."""
    nbytes = 4 * int(np.prod(shape))
    raw = np.empty(nbytes + 64, "uint8")
    skip = -raw.ctypes.data % 64
    return raw[skip : skip + nbytes].view("float32").reshape(shape)


def compare(batch: int) -> None:
    """Print both tables of one batch size."""
    dynamic, static = MLP(), paddle.jit.to_static(MLP())
    static.set_state_dict(dynamic.state_dict())
    array = np.random.default_rng(0).normal(size=(batch, 512)).astype("float32")
    x = paddle.to_tensor(array)
    weights = [p.numpy() for p in dynamic.parameters()]
    np.testing.assert_allclose(static(x).numpy(), by_hand(weights, array)(), rtol=1e-4, atol=1e-5)
    with paddle.no_grad():
        static(x)
    program = static.forward.main_program
    plan = compile_plan(optimize(program.clone()), NUMPY).call
    frozen = compile_plan(optimize(program.clone(), FROZEN), NUMPY).call
    ways = {
        "NumPy by hand": by_hand(weights, array),
        "NumPy by hand, with buffers": by_hand_with_buffers(weights, array),
        "the plan alone": lambda: plan(array),
        "the plan, weights as constants": lambda: frozen(array),
        "to_static(net)(x)": lambda: static(x),
        "net(x)": lambda: dynamic(x),
    }
    with paddle.no_grad():
        timing.report(f"batch {batch}, no_grad", ways, "NumPy by hand")
    timing.report(f"batch {batch}, gradients enabled", ways, "NumPy by hand")


if __name__ == "__main__":
    paddle.seed(0)
    for size in (1, 64):
        compare(size)
