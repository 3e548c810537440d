"""One training step (forward, loss, backward, SGD update) of the 784-256-10 classifier, batch 64: dynamic, static, by hand.

    python benchmarks/training.py
"""

from __future__ import annotations

import timing  # isort: skip (it fixes the number of BLAS threads, before NumPy looks)

import numpy as np

import to_static as paddle

BATCH, RATE = 64, 0.1


def network():
    """784-256-10 with ReLU."""
    return paddle.nn.Sequential(paddle.nn.Linear(784, 256), paddle.nn.ReLU(), paddle.nn.Linear(256, 10))


def stepper(net, x, y):
    """A function that makes one step."""
    optimizer = paddle.optimizer.SGD(learning_rate=RATE, parameters=net.parameters())

    def step():
        loss = paddle.nn.functional.cross_entropy(net(x), y)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    return step


def by_hand(arrays, x, y):
    """The same step in NumPy."""
    w1, b1, w2, b2 = (a.copy() for a in arrays)
    rows, rate = np.arange(len(x)), np.float32(RATE)

    def step():
        h = np.maximum(x @ w1 + b1, 0)
        logits = h @ w2 + b2
        logits -= logits.max(1, keepdims=True)
        p = np.exp(logits)
        p /= p.sum(1, keepdims=True)
        loss = -np.log(p[rows, y]).mean()
        p[rows, y] -= 1
        p /= len(x)
        gw2, gb2 = h.T @ p, p.sum(0)
        gh = (p @ w2.T) * (h > 0)
        gw1, gb1 = x.T @ gh, gh.sum(0)
        for w, g in ((w1, gw1), (b1, gb1), (w2, gw2), (b2, gb2)):
            w -= rate * g
        return loss

    return step


def main() -> None:
    """Print the table."""
    paddle.seed(0)
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(BATCH, 784)).astype("float32"), rng.integers(0, 10, BATCH)
    dynamic, static = network(), network()
    static.set_state_dict(dynamic.state_dict())
    tensors = paddle.to_tensor(x), paddle.to_tensor(y)
    hand = by_hand([p.numpy() for p in dynamic.parameters()], x, y)
    ways = {
        "NumPy by hand": hand,
        "to_static(net)": stepper(paddle.jit.to_static(static), *tensors),
        "net": stepper(dynamic, *tensors),
    }
    for _ in range(5):
        losses = [float(way()) for way in ways.values()]
    np.testing.assert_allclose(losses, losses[0], rtol=1e-4)
    timing.report(f"training step, batch {BATCH}", ways, "NumPy by hand")


if __name__ == "__main__":
    main()
