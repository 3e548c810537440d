"""What calls of static functions cost beyond their plan, once the Program is known, in all ways to call one; and `backward()`.

    python benchmarks/calls.py

What counts: microseconds over "the plan alone", which computes next to nothing.
"""

from __future__ import annotations

import tempfile

import timing  # isort: skip (it fixes the number of BLAS threads, before NumPy looks)

import to_static as paddle
from to_static.inference import Config, create_predictor
from to_static.static import InputSpec


class Net(paddle.nn.Layer):
    """One operation."""

    @paddle.jit.to_static
    def forward(self, x):
        """A tensor like ``x``."""
        return x + x


@paddle.jit.to_static
def f(x, y, k=2.0, twice=True):
    """Three operations at most."""
    return (x + y) * k if twice else x + y


def main() -> None:
    """Print the tables."""
    x, y = paddle.ones([4]), paddle.ones([4])
    f(x, y)
    plan = f.concrete_program.plan
    arrays = x._array, y._array
    timing.report(
        "a known call of two tensors",
        {
            "the plan alone": lambda: plan(*arrays),
            "to_static f(x, y)": lambda: f(x, y),
            "f(y=y, x=x)": lambda: f(y=y, x=x),
            "f(x, x)": lambda: f(x, x),
            "f(x, y, 2.0, twice=True)": lambda: f(x, y, 2.0, twice=True),
            "f(array, array)": lambda: f(*arrays),
            "f without to_static": lambda: f.dygraph_function(x, y),
        },
        "the plan alone",
    )
    net = Net()
    net(x)
    plan = net.forward.concrete_program.plan
    with tempfile.TemporaryDirectory() as folder:
        paddle.jit.save(net, f"{folder}/net", input_spec=[InputSpec([4], "float32", "x")])
        loaded, predictor = paddle.jit.load(f"{folder}/net"), create_predictor(Config(f"{folder}/net"))
    timing.report(
        "a Layer, saved, loaded",
        {
            "the plan alone": lambda: plan(arrays[0]),
            "to_static net(x)": lambda: net(x),
            "loaded(x)": lambda: loaded(x),
            "predictor.run([array])": lambda: predictor.run([arrays[0]]),
        },
        "the plan alone",
    )
    _backward()


def _backward() -> None:
    w = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    loss_of = paddle.jit.to_static(lambda x: (x * w).sum())
    loss = loss_of(paddle.ones([2]))

    def backward() -> None:
        w._grad = None
        loss.backward(retain_graph=True)

    backward()
    node = loss._node
    training = node.training
    given = [*node.results[training.count : training.count + training.split.residual_count], loss._array]
    timing.report(
        "the gradients of one run",
        {"the plan alone": lambda: training.backward(*given), "to_static loss.backward()": backward},
        "the plan alone",
    )


if __name__ == "__main__":
    main()
