"""What making a network static brings, and what it changes: the benchmark and the exercises of "Dive into Deep Learning".

Part 1 is the book's benchmark (section 13.1, "Compilers and Interpreters"): a multilayer perceptron 512-256-128-2 is
called 1000 times on a batch of one, dynamically and statically.

Part 2 puts four statements into ``forward``: ``print``, ``x.numpy()``, ``a += b`` and ``a[:] = a + b``, and shows what
each does dynamically and statically.
"""

from __future__ import annotations

import argparse
import sys
import time

import to_static as paddle
from to_static import nn


def get_net():
    """The book's network."""
    return nn.Sequential(nn.Linear(512, 256), nn.ReLU(), nn.Linear(256, 128), nn.ReLU(), nn.Linear(128, 2))


def seconds(net, x, calls: int) -> float:
    """Time that ``calls`` calls take, after some to warm up."""
    for _ in range(20):
        net(x)
    start = time.perf_counter()
    for _ in range(calls):
        net(x)
    return time.perf_counter() - start


def benchmark(calls: int) -> bool:
    """Part 1. True when the static network gives the same numbers."""
    x = paddle.randn([1, 512])
    net = get_net()
    net.eval()
    with paddle.no_grad():
        expected = net(x)
        dynamic = seconds(net, x, calls)
        net = paddle.jit.to_static(net)
        result = net(x)
        static = seconds(net, x, calls)
    print(f"dynamic: {dynamic:.4f} s for {calls} calls")
    print(f"static:  {static:.4f} s for {calls} calls, {dynamic / static:.1f} times as fast")
    same = bool(paddle.allclose(result, expected, atol=1e-6))
    print(f"same numbers: {same}")
    return same


class Printing(nn.Layer):
    """``print`` of a tensor is an operator of the Program: it shows the numbers of every call."""

    def forward(self, x):
        y = x * 2
        print("the value of y is", y)
        return y


class LeavingForNumPy(nn.Layer):
    """``x.numpy()`` asks for numbers that the Program does not have yet: Python runs this call, and gives what it always gives."""

    def forward(self, x):
        return paddle.to_tensor(x.numpy() + 1)


class AddInPlace(nn.Layer):
    """``a += b`` gives the name ``a`` a new value."""

    def forward(self, x):
        a = x * 1
        b = x * 10
        a += b
        return a


class AssignToSlice(nn.Layer):
    """``a[:] = a + b`` writes into ``a``; every other name of the same tensor sees it."""

    def forward(self, x):
        a = x * 1
        alias = a
        a[:] = a + 1
        return a + alias


def call(net, times: int = 2) -> None:
    """Show what a network gives for two inputs, or how it fails."""
    for i in range(times):
        x = paddle.to_tensor([1.0 + i, 2.0 + i])
        try:
            print(f"    {x.tolist()} -> {net(x).tolist()}")
        except Exception as error:
            print(f"    {x.tolist()} -> {type(error).__name__}: {str(error).splitlines()[0]}")


def exercises() -> None:
    """Part 2."""
    for kind in (Printing, LeavingForNumPy, AddInPlace, AssignToSlice):
        print(f"\n{kind.__doc__.splitlines()[0]}")
        print("  dynamic")
        call(kind())
        print("  static")
        call(paddle.jit.to_static(kind()))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--calls", type=int, default=1000, help="calls to measure (default 1000)")
    args = parser.parse_args()
    paddle.seed(0)
    same = benchmark(args.calls)
    exercises()
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
