"""What the situations of `changes.py` are made of: the network, its wrapping, and the table of rows."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np

import to_static as paddle

WARM, COUNTED = 150, 150
SITUATIONS: dict[str, Callable[[Callable[[Any], Any]], Callable[[int], Any]]] = {}


def situation(name: str) -> Callable[[Any], Any]:
    """A row. Its function gets what makes a network static (or leaves it dynamic), and gives the call number ``i``."""

    def add(function: Any) -> Any:
        SITUATIONS[name] = function
        return function

    return add


class Net(paddle.nn.Layer):
    """Six layers; those of the rows say what else they read."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = paddle.nn.LayerList([paddle.nn.Linear(16, 16) for _ in range(6)])

    def run(self, x: Any, depth: int = 6) -> Any:
        """Through the first layers; all of them by default."""
        for layer in self.layers if depth == 6 else self.layers[:depth]:
            x = paddle.nn.functional.relu(layer(x))
        return x

    def forward(self, x: Any) -> Any:
        """A tensor like ``x``."""
        return self.run(x)


@dataclasses.dataclass
class Config:
    """Settings."""

    rate: float = 1.0
    depth: int = 2
    name: str = "a"


X = paddle.to_tensor(np.random.RandomState(0).randn(4, 16).astype("float32"))


def network(forward: Any, wrap: Any, **attributes: Any) -> Any:
    """A network with this ``forward`` and these attributes, static or not; the weights are always the same."""
    paddle.seed(0)
    net = type("Net", (Net,), {"forward": forward, "__module__": forward.__module__})()
    for name, value in attributes.items():
        setattr(net, name, value)
    return wrap(net)


def argument(name: str, value_at: Callable[[int], Any], forward: Any = None) -> None:
    """A row: ``forward`` gets ``value_at(i)`` as its second argument."""

    def make(wrap: Any) -> Callable[[int], Any]:
        def plain(self: Any, x: Any, a: Any) -> Any:
            return self.run(x) * a

        net = network(forward or plain, wrap)
        return lambda i: net(X, value_at(i))

    situation(name)(make)


def attribute(name: str, value_at: Callable[[int], Any], forward: Any = None) -> None:
    """A row: the attribute ``value`` is ``value_at(i)``."""

    def make(wrap: Any) -> Callable[[int], Any]:
        def plain(self: Any, x: Any) -> Any:
            return self.run(x) * self.value

        net = network(forward or plain, wrap, value=value_at(0))

        def turn(i: int) -> Any:
            net.value = value_at(i)
            return net(X)

        return turn

    situation(name)(make)


def run_layers(self: Any, x: Any) -> Any:
    """The plain ``forward``: through all layers."""
    return self.run(x)


def changed(name: str, forward: Any, change: Callable[[Any, int], Any], **attributes: Callable[[], Any]) -> None:
    """A row: ``change`` does something to the network before each call; ``attributes`` create its attributes."""

    def make(wrap: Any) -> Callable[[int], Any]:
        net = network(forward, wrap, **{key: create() for key, create in attributes.items()})

        def turn(i: int) -> Any:
            change(net, i)
            return net(X)

        return turn

    situation(name)(make)


def written(name: str, forward: Any, **attributes: Any) -> None:
    """A row: the same call again; what changes ``forward`` writes itself."""

    def make(wrap: Any) -> Callable[[int], Any]:
        net = network(forward, wrap, **copy.deepcopy(attributes))
        return lambda i: net(X)

    situation(name)(make)
