"""The rows of the first table: arguments, attributes, what ``forward`` writes, the network itself."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import numpy as np

import to_static as paddle
from situations import base
from situations.base import Config, Net, X, argument, attribute, network, situation, written

scale = 1.0
mean = 1.0


# -- arguments ------------------------------------------------------------------------------------------------------------


def unused(self: Any, x: Any, a: Any) -> Any:
    """A ``forward`` that reads no argument but ``x``."""
    return self.run(x)


def _by_condition(self: Any, x: Any, a: Any) -> Any:
    if a > 5:
        x = x * 2
    return self.run(x)


def _dropout(self: Any, x: Any, a: Any) -> Any:
    return self.run(paddle.nn.functional.dropout(x, a, training=False))


def _of_dict(self: Any, x: Any, a: Any) -> Any:
    return self.run(x) * a["rate"] + a["bias"]


def of_list(self: Any, x: Any, a: Any) -> Any:
    """A ``forward`` that reads two items."""
    return self.run(x) * a[0] + a[1]


def _of_config(self: Any, x: Any, a: Any) -> Any:
    return self.run(x) * a.rate


def _with_gradient(self: Any, x: Any, a: Any) -> Any:
    return self.run(x) * a


def _sum(self: Any, x: Any, a: Any) -> Any:
    for item in a:
        x = x + item
    return self.run(x)


def _slice(self: Any, x: Any, a: Any) -> Any:
    return self.run(x)[:a]


def _repeat(self: Any, x: Any, a: Any) -> Any:
    for _ in range(a):
        x = x * 0.5
    return self.run(x)


argument("nothing", lambda i: 1.0)
argument("a float argument", lambda i: 1.0 + i / 7)
argument("an int argument", lambda i: i)
argument("a numpy scalar argument", lambda i: np.float32(1.0 + i / 7))
argument("a float argument that is not used", lambda i: 1.0 + i / 7, unused)
argument("a string argument that is not used", lambda i: f"step {i}", unused)
argument("an int argument in a condition", lambda i: i % 11, _by_condition)
argument("an int argument in a condition, growing", lambda i: i, _by_condition)
argument("a dropout rate", lambda i: i / 1000, _dropout)
argument("a dict argument", lambda i: {"rate": 1.0 + i / 7, "bias": float(i)}, _of_dict)
argument("a list argument", lambda i: [1.0 + i / 7, float(i)], of_list)
argument("a dataclass argument", lambda i: Config(1.0 + i / 7), _of_config)
argument("a numpy array argument", lambda i: np.full([16], 1.0 + i / 7, "float32"))
argument("a list of tensors of other length", lambda i: [X] * (1 + i % 4), _sum)
argument("a slice size", lambda i: 1 + i % 4, _slice)
argument("a repeat count", lambda i: 1 + i % 4, _repeat)


@situation("a string argument")
def _string(wrap: Any) -> Callable[[int], Any]:
    def forward(self: Any, x: Any, mode: str) -> Any:
        return self.run(x) * (2.0 if mode == "double" else 1.0)

    net = network(forward, wrap)
    return lambda i: net(X, f"mode {i}" if i % 2 else "double")


# -- attributes -----------------------------------------------------------------------------------------------------------


def _step(self: Any, x: Any) -> Any:
    return self.run(x) * (1.0 / (1 + self.value))


def _config(self: Any, x: Any) -> Any:
    return self.run(x) * self.value.rate


def _call(self: Any, x: Any) -> Any:
    return self.run(self.value(x))


attribute("a float attribute", lambda i: 1.0 + i / 7)
attribute("a step attribute", lambda i: i, _step)
attribute("a bool attribute", lambda i: i % 2 == 0)
attribute("a new config object", lambda i: Config(1.0 + i / 7), _config)
attribute("a numpy array attribute", lambda i: np.full([16], 1.0 + i / 7, "float32"))
attribute("a tensor attribute replaced", lambda i: paddle.full([4, 16], 1.0 + i / 7))
attribute("an attribute that nobody reads", lambda i: i, lambda self, x: self.run(x))
attribute("a new lambda of the same code", lambda i: lambda x: x * 2.0, _call)
attribute("a closure over another number", lambda i: (lambda a: lambda x: x * a)(1.0 + i / 7), _call)


@situation("a field of a config object")
def _field(wrap: Any) -> Callable[[int], Any]:
    config = Config()
    net = network(_config, wrap, value=config)

    def turn(i: int) -> Any:
        config.rate = 1.0 + i / 7
        return net(X)

    return turn


@situation("a global")
def _global(wrap: Any) -> Callable[[int], Any]:
    def forward(self: Any, x: Any) -> Any:
        return self.run(x) * scale

    net = network(forward, wrap)

    def turn(i: int) -> Any:
        globals()["scale"] = 1.0 + i / 7
        return net(X)

    return turn


@situation("a global that has the name of a local")
def _same_name(wrap: Any) -> Callable[[int], Any]:
    def forward(self: Any, x: Any) -> Any:
        mean = x.mean()
        return self.run(x) - mean

    net = network(forward, wrap)

    def turn(i: int) -> Any:
        globals()["mean"] = 1.0 + i / 7
        return net(X)

    return turn


@situation("a closed-over number")
def _cell(wrap: Any) -> Callable[[int], Any]:
    rate = 1.0

    def forward(self: Any, x: Any) -> Any:
        return self.run(x) * rate

    net = network(forward, wrap)

    def turn(i: int) -> Any:
        nonlocal rate
        rate = 1.0 + i / 7
        return net(X)

    return turn


@situation("a layer replaced by one like it")
def _layer(wrap: Any) -> Callable[[int], Any]:
    net = network(Net.forward, wrap)
    paddle.seed(1)
    others = [paddle.nn.Linear(16, 16) for _ in range(base.WARM + base.COUNTED)]

    def turn(i: int) -> Any:
        net.layers[2] = others[i]
        return net(X)

    return turn


@situation("a list in an attribute grows outside")
def _grows(wrap: Any) -> Callable[[int], Any]:
    def forward(self: Any, x: Any) -> Any:
        return self.run(x) * self.items[-1]

    net = network(forward, wrap, items=[1.0])

    def turn(i: int) -> Any:
        net.items.append(1.0 + i / 7)
        return net(X)

    return turn


@situation("a list in an attribute grows inside")
def _appends(wrap: Any) -> Callable[[int], Any]:
    def forward(self: Any, x: Any) -> Any:
        y = self.run(x)
        self.items.append(y.mean())
        return y

    net = network(forward, wrap, items=[])
    return lambda i: net(X)


# -- what forward writes --------------------------------------------------------------------------------------------------


def _keeps_last(self: Any, x: Any) -> Any:
    self.last = self.run(x)
    return self.last


def _keeps_parts(self: Any, x: Any) -> Any:
    y = self.run(x)
    self.parts = {"mean": y.mean(), "max": y.max()}
    return y


def _counts(self: Any, x: Any) -> Any:
    self.steps += 1
    return self.run(x)


def _keeps_loss(self: Any, x: Any) -> Any:
    y = self.run(x)
    self.loss = float(y.mean())
    return y


written("self.last = y", _keeps_last)
written("a dict of parts", _keeps_parts, parts=None)
written("self.steps += 1", _counts, steps=0)
written("self.loss = float(l)", _keeps_loss, loss=0.0)


# -- the network itself ---------------------------------------------------------------------------------------------------


@situation("a hook added and removed")
def _hook(wrap: Any) -> Callable[[int], Any]:
    net = network(Net.forward, wrap)

    def turn(i: int) -> Any:
        if i % 2:
            handle = net.layers[1].register_forward_post_hook(_twice)
            y = net(X)
            handle.remove()
            return y
        return net(X)

    return turn


def _twice(layer: Any, given: Any, y: Any) -> Any:
    return y * 2.0


@situation("train and eval in turns")
def _modes(wrap: Any) -> Callable[[int], Any]:
    net = network(Net.forward, wrap)

    def turn(i: int) -> Any:
        (net.train if i % 2 else net.eval)()
        return net(X)

    return turn


@situation("train and eval in turns, without gradients in eval")
def _modes_quiet(wrap: Any) -> Callable[[int], Any]:
    net = network(Net.forward, wrap)

    def turn(i: int) -> Any:
        if i % 2:
            net.train()
            return net(X)
        net.eval()
        with paddle.no_grad():
            return net(X)

    return turn


@situation("a parameter set")
def _parameter(wrap: Any) -> Callable[[int], Any]:
    net = network(Net.forward, wrap)
    values = [np.full([16], i / 50, "float32") for i in range(20)]

    def turn(i: int) -> Any:
        net.layers[0].bias.set_value(values[i % 20])
        return net(X)

    return turn


@situation("gradients wanted or not")
def _gradients(wrap: Any) -> Callable[[int], Any]:
    net = network(Net.forward, wrap)

    def turn(i: int) -> Any:
        with paddle.no_grad() if i % 2 else contextlib.nullcontext():
            return net(X)

    return turn


@situation("frozen and thawed")
def _frozen(wrap: Any) -> Callable[[int], Any]:
    net = network(Net.forward, wrap)

    def turn(i: int) -> Any:
        net.layers[0].weight.stop_gradient = bool(i % 2)
        return net(X)

    return turn


@situation("dtypes in turn")
def _dtypes(wrap: Any) -> Callable[[int], Any]:
    def forward(self: Any, x: Any) -> Any:
        return self.run(x.astype("float32"))

    net = network(forward, wrap)
    doubles = X.astype("float64")
    return lambda i: net(doubles if i % 2 else X)


@situation("another instance of the class at each call")
def _instances(wrap: Any) -> Callable[[int], Any]:
    nets = [network(Net.forward, wrap) for _ in range(10)]
    return lambda i: nets[i % 10](X)
