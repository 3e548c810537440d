"""First calls from several threads at once, in a process in which nothing was loaded or traced yet.

Run as a program: ``python tests/compiler/frontend/function/first_calls.py THREADS ROUNDS``; it prints what went wrong, and exits
with 1 then. `to_static` is imported, so the races are for its lazy parts, for tracing, for making plans and for loading.
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import traceback

import numpy as np

import to_static as paddle

TABLES = {"scale": 2.0, "shift": [1.0, -1.0]}


def branches(x):
    y = x * TABLES["scale"]
    if y.sum() > 0:
        y = y + TABLES["shift"][0]
    else:
        y = y - TABLES["shift"][0]
    return y


def loops(x, n=3):
    total = paddle.zeros_like(x)
    i = paddle.zeros([], "int64")
    while i < n:
        total = total + x * i.astype("float32")
        i = i + 1
    return total


def collects(x):
    rows = []
    for row in x:
        rows.append(row.cumsum(0) if row.sum() > 0 else row.flip(0))
    return paddle.stack(rows)


def late_methods(x):
    return x.tril().trace() + x.kron(x).diagonal().logsumexp() + x.erf().sum()


def helper(x, k):
    return paddle.clip(x, -k, k) if x.mean() > -k else x.abs()


def calls(x):
    return helper(x, 0.5) + helper(x * 2, 0.25)


def writes(x):
    y = x * 1.0
    y[0] = y[1:].sum()
    return y.scatter_nd_add(paddle.to_tensor([[0, 0]]), paddle.to_tensor([1.0])) if x.shape[0] == 2 else y


FUNCTIONS = [branches, loops, collects, late_methods, calls, writes]


class Net(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.first, self.second = paddle.nn.Linear(4, 8), paddle.nn.Linear(8, 4)
        self.norm = paddle.nn.LayerNorm(8)

    def forward(self, x):
        x = paddle.nn.functional.relu(self.norm(self.first(x)))
        return self.second(x) if x.mean() > 0 else self.second(-x)


class Gate:
    def __init__(self, k):
        self.k = k

    @paddle.jit.to_static
    def open(self, x):
        return x * self.k if x.sum() > 0 else x - self.k


def square(n, seed=0):
    return np.random.default_rng(seed).uniform(-1, 1, (n, n)).astype("float32")


class Round:
    """Objects that nobody has called yet, and what a thread does with them."""

    def __init__(self, folder):
        self.functions = [paddle.jit.to_static(f) for f in FUNCTIONS]
        self.net = paddle.jit.to_static(Net())
        self.gate = Gate(3.0)
        self.path = os.path.join(folder, "net")

    def jobs(self, me):
        """Pairs of static and dynamic results; the order differs from thread to thread."""
        found = [lambda f=f, n=n: self.function(f, n) for f in self.functions for n in (3, 3 + me % 3)]
        found += [self.keyword, self.layer, self.gradient, self.own_layer, self.method, self.loaded, self.look]
        return found[me % len(found) :] + found[: me % len(found)]

    def function(self, f, n):
        x = paddle.to_tensor(square(n))
        return f(x), f.dygraph_function(x)

    def keyword(self):
        x = paddle.to_tensor(square(3))
        return self.functions[1](x, n=4), loops(x, n=4)

    def layer(self):
        x = paddle.to_tensor(square(4))
        return self.net(x), self.net.forward.dygraph_function(x)

    def gradient(self):
        x, y = (paddle.to_tensor(square(4), stop_gradient=False) for _ in range(2))
        wanted = [self.net.first.weight, self.net.second.bias]
        found = paddle.grad(self.net(x).sum(), [x, *wanted])
        return found, paddle.grad(self.net.forward.dygraph_function(y).sum(), [y, *wanted])

    def own_layer(self):
        net, x = Net(), paddle.to_tensor(square(4))
        net.forward(x).sum().backward()
        expected = [p.grad.numpy() for p in net.parameters()]
        net.clear_gradients()
        paddle.jit.to_static(net)(x).sum().backward()
        return [p.grad for p in net.parameters()], [paddle.to_tensor(g) for g in expected]

    def method(self):
        x = paddle.to_tensor(square(3))
        return self.gate.open(x), x * 3.0 if x.sum() > 0 else x - 3.0

    def loaded(self):
        x = paddle.to_tensor(square(4))
        net = paddle.jit.load(self.path)
        return net(x), net(x)

    def look(self):
        return paddle.to_tensor(len(self.functions[0].code) > 10), paddle.to_tensor(True)


def flat(values):
    return [v.numpy() for v in (values if isinstance(values, (list, tuple)) else [values])]


def main(threads, rounds):
    sys.setswitchinterval(1e-5)
    errors = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(rounds):
            round_ = Round(folder)
            start = threading.Barrier(threads)

            def work(me, round_=round_, start=start):
                start.wait()
                for job in round_.jobs(me):
                    try:
                        for found, wanted in zip(*map(flat, job()), strict=True):
                            np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)
                    except Exception:
                        errors.append(traceback.format_exc())

            if number == 0:
                save(round_.path)
            workers = [threading.Thread(target=work, args=(i,)) for i in range(threads)]
            for worker in workers:
                worker.start()
            for worker in workers:
                worker.join()
    for text in errors[:5]:
        print(text)
    print(f"{len(errors)} errors")
    return bool(errors)


def save(path):
    """In a process of its own: nothing is loaded by it."""
    if os.spawnv(os.P_WAIT, sys.executable, [sys.executable, __file__, "save", path]):
        raise RuntimeError("could not save")


if __name__ == "__main__":
    if sys.argv[1] == "save":
        paddle.jit.save(Net(), sys.argv[2], [paddle.static.InputSpec([None, 4])])
    else:
        sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
