"""Models with several static methods, which share parameters and buffers or have their own: for Paddle, and for our own files."""

from __future__ import annotations

from typing import Any

import numpy as np

import to_static as paddle
from to_static import nn
from to_static.compiler.frontend.function.static_function import StaticFunction
from to_static.compiler.ir.input_spec import InputSpec

LARGE = [np.random.default_rng(seed).normal(size=(50, 2)).astype("float32") for seed in (0, 1)]  # more than a constant of a Program
static = paddle.jit.to_static(input_spec=[InputSpec([None, 2], "float32", "x")])


class Shared(nn.Layer):
    """Two methods on one layer."""

    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(2, 2)

    @static
    def forward(self, x: Any) -> Any:
        return self.fc(x)

    @static
    def score(self, x: Any) -> Any:
        return paddle.nn.functional.softmax(self.fc(x))


class Own(Shared):
    """A method with a parameter, buffers and a norm that ``forward`` does not use, and one without any."""

    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.BatchNorm1D(2)
        self.head = nn.Linear(2, 2)
        self.register_buffer("scale", paddle.full([2], 7.0))
        self.register_buffer("shift", paddle.full([2], 5.0), persistable=False)

    @static
    def score(self, x: Any) -> Any:
        return self.head(self.norm(x)) * self.scale + self.shift

    @static
    def twice(self, x: Any) -> Any:
        return x * 2


class Apart(Own):
    """A ``forward`` without parameters."""

    @static
    def forward(self, x: Any) -> Any:
        return x - 1


class Frozen(Own):
    """A parameter of another method that can't be trained."""

    def __init__(self) -> None:
        super().__init__()
        self.head.weight.stop_gradient = True


class Captured(Shared):
    """Each method with a tensor from outside that is too large to be a constant."""

    def __init__(self) -> None:
        super().__init__()
        self.__dict__["tensors"] = [paddle.to_tensor(array) for array in LARGE]

    @static
    def forward(self, x: Any) -> Any:
        return x + self.tensors[0].sum(0)

    @static
    def score(self, x: Any) -> Any:
        return x + self.tensors[1].sum(0)


MODELS = {kind.__name__.lower(): kind for kind in (Shared, Own, Apart, Frozen, Captured)}


def methods_of(layer: Any) -> list[str]:
    """Names of the static methods, in the order of the names of their files."""
    kinds = [name for name in dir(type(layer)) if isinstance(getattr(type(layer), name, None), StaticFunction)]
    return sorted(kinds, key=lambda name: "pdmodel" if name == "forward" else name)
