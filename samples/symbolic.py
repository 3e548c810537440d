"""Symbolic programming: state a computation first, then compile it, run it, and store it.

This is the program of the MXNet essay "Deep Learning Programming Paradigm":

    A = Variable('A')
    B = Variable('B')
    C = B * A
    D = C + Constant(1)
    gA, gB = D.grad(wrt=[A, B])
    f = compile([D, gA, gB])
    d, grad_a, grad_b = f(A=np.ones(10), B=np.ones(10) * 2)
    D.save('mygraph')
    D2 = load('mygraph')

written with ``paddle.static``.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np

import to_static as paddle
from to_static import static


def main() -> int:
    paddle.enable_static()
    program = static.Program()
    with static.program_guard(program):
        # Variables: names with a shape, but without numbers
        a = static.data("A", [10], "float32")
        b = static.data("B", [10], "float32")
        a.stop_gradient = b.stop_gradient = False
        c = b * a
        d = c + 1
        # D.grad(wrt=[A, B]): the gradients are further variables of the same program
        grad_a, grad_b = static.gradients([d], [a, b])
    print("The program, not run yet:")
    print(program)

    # compile, run
    executor = static.Executor(paddle.CPUPlace())
    feed = {"A": np.ones(10, "float32"), "B": np.full(10, 2, "float32")}
    values = executor.run(program, feed=feed, fetch_list=[d, grad_a, grad_b])
    for name, value in zip(["D", "dD/dA", "dD/dB"], values, strict=True):
        print(f"{name:6}= {value}")

    # save the graph, load it, run it again
    with tempfile.TemporaryDirectory() as directory:
        prefix = str(Path(directory) / "mygraph")
        static.save_inference_model(prefix, [a, b], [d], executor, program=program)
        print("saved:", ", ".join(sorted(path.name for path in Path(directory).iterdir())))
        loaded, feed_names, fetch_targets = static.load_inference_model(prefix, executor)
        (again,) = executor.run(loaded, feed={name: feed[name] for name in feed_names}, fetch_list=fetch_targets)
    print(f"D      = {again}   from the loaded graph")
    paddle.disable_static()
    return 0 if np.array_equal(again, values[0]) else 1


if __name__ == "__main__":
    sys.exit(main())
