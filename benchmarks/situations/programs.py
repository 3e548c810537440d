"""Rows of what programs have beside a network: instances, callbacks, other kinds of arguments, globals, sizes."""

from __future__ import annotations

import contextlib
import datetime
import enum
import functools
import logging
import random
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import to_static as paddle
from situations import base
from situations.base import Config, Net, X, argument, network, situation
from situations.calls import of_list, unused

logger = logging.getLogger(__name__)
settings = Config()
table = np.ones([16], "float32")
bank = paddle.ones([16])


# -- instances ------------------------------------------------------------------------------------------------------------


class Member(Net):
    """One of many instances of a class."""

    def forward(self, x: Any) -> Any:
        """A tensor like ``x``."""
        return self.run(x) * 2.0


def _members(count: int, wrap: Any) -> list[Any]:
    paddle.seed(0)
    return [wrap(Member()) for _ in range(count)]


@situation("members of an ensemble in turns")
def _ensemble(wrap: Any) -> Callable[[int], Any]:
    nets = _members(5, wrap)
    return lambda i: nets[i % 5](X)


@situation("another instance, as the tenth, for ten calls each")
def _folds(wrap: Any) -> Callable[[int], Any]:
    nets = _members((base.WARM + base.COUNTED) // 10, wrap)
    return lambda i: nets[i // 10](X)


@situation("another instance at each call, made there")
def _fresh(wrap: Any) -> Callable[[int], Any]:
    def turn(i: int) -> Any:
        paddle.seed(i)
        return wrap(Member())(X)

    return turn


@situation("teacher and student in turns, one moving along")
def _teacher(wrap: Any) -> Callable[[int], Any]:
    teacher, student = _members(2, wrap)

    def turn(i: int) -> Any:
        if i % 2:
            return student(X)
        for p, q in zip(teacher.parameters(), student.parameters(), strict=True):
            p.set_value(0.9 * p + 0.1 * q)
        with paddle.no_grad():
            return teacher(X)

    return turn


@situation("weights swapped for their average")
def _averaged(wrap: Any) -> Callable[[int], Any]:
    [net] = _members(1, wrap)
    states = [{k: v.numpy() * scale for k, v in net.state_dict().items()} for scale in (1.0, 0.9)]

    def turn(i: int) -> Any:
        net.set_state_dict(states[i % 2])
        return net(X)

    return turn


@situation("a network given to a function, in turns")
def _given(wrap: Any) -> Callable[[int], Any]:
    nets = _members(5, lambda net: net)

    def run(net: Any, x: Any) -> Any:
        return net(x).mean()

    run = wrap(run)
    return lambda i: run(nets[i % 5], X)


@situation("a network given to a function, another at each call")
def _given_anew(wrap: Any) -> Callable[[int], Any]:
    nets = _members(base.WARM + base.COUNTED, lambda net: net)

    def run(net: Any, x: Any) -> Any:
        return net(x).mean()

    run = wrap(run)
    return lambda i: run(nets[i], X)


# -- what programs have beside ----------------------------------------------------------------------------------------------


class Mode(enum.Enum):
    """An argument."""

    FIRST = 1
    SECOND = 2


class Pair(NamedTuple):
    """Two numbers."""

    a: float
    b: float


class Recorder:
    """A callback with counters."""

    def __init__(self) -> None:
        self.calls, self.seen = 0, []

    def note(self, value: Any) -> None:
        """Count."""
        self.calls += 1
        self.seen.append(value)


def _by_enum(self: Any, x: Any, a: Any) -> Any:
    return self.run(x) * (2.0 if a is Mode.FIRST else 3.0)


def _by_pair(self: Any, x: Any, a: Any) -> Any:
    return self.run(x) * a.a + a.b


def _by_items(self: Any, x: Any, a: Any) -> Any:
    y = self.run(x)
    for value in a.values():
        y = y + value
    return y


def _generated(self: Any, x: Any, a: Any) -> Any:
    y = self.run(x)
    for value in a:
        y = y + value
    return y


def _logged(self: Any, x: Any, a: Any) -> Any:
    logger.debug("call %s", a)
    return self.run(x)


def _partial(self: Any, x: Any, a: Any) -> Any:
    return a(self.run(x))


def _times(y: Any, by: float) -> Any:
    return y * by


argument("an enum argument", lambda i: Mode(1 + i % 2), _by_enum)
argument(
    "a datetime argument that is not used", lambda i: datetime.datetime(2024, 1, 1) + datetime.timedelta(i), unused
)
argument("a named tuple argument", lambda i: Pair(1.0 + i / 7, float(i)), _by_pair)
argument("a tuple argument", lambda i: (1.0 + i / 7, float(i)), of_list)
argument("a dict argument with other keys", lambda i: {f"k{i % 3}": 1.0, f"j{i % 5}": 2.0}, _by_items)
argument("a generator argument", lambda i: (k * 1.0 for k in range(3)), _generated)
argument("an argument that is logged", lambda i: i, _logged)
argument("a partial argument with another number", lambda i: functools.partial(_times, by=1.0 + i / 7), _partial)
argument("a lambda argument", lambda i: lambda y: y * 2.0, _partial)
argument("an object argument that is not used", lambda i: object(), unused)
argument("an array argument of other sizes", lambda i: np.full([1 + i % 4, 1, 16], 1.0 + i / 7, "float32"))


@situation("a callback with counters in an attribute")
def _callback(wrap: Any) -> Callable[[int], Any]:
    def forward(self: Any, x: Any) -> Any:
        self.recorder.note(1.0)
        return self.run(x)

    net = network(forward, wrap, recorder=Recorder())
    return lambda i: net(X)


@situation("a learning curve that grows outside")
def _curve(wrap: Any) -> Callable[[int], Any]:
    net = network(Net.forward, wrap, curve=[])

    def turn(i: int) -> Any:
        y = net(X)
        net.curve.append(float(y.mean()))
        return y

    return turn


@situation("a property of a changing number")
def _property(wrap: Any) -> Callable[[int], Any]:
    paddle.seed(0)

    def forward(self: Any, x: Any) -> Any:
        return self.run(x) * self.rate

    rate = property(lambda self: self.step * 0.5)
    net = wrap(type("Net", (Net,), {"forward": forward, "rate": rate, "__module__": __name__})())

    def turn(i: int) -> Any:
        net.step = i
        return net(X)

    return turn


@situation("an attribute of the class")
def _of_class(wrap: Any) -> Callable[[int], Any]:
    def forward(self: Any, x: Any) -> Any:
        return self.run(x) * self.rate

    paddle.seed(0)
    kind = type("Net", (Net,), {"forward": forward, "rate": 1.0, "__module__": __name__})
    net = wrap(kind())

    def turn(i: int) -> Any:
        kind.rate = 1.0 + i / 7  # type: ignore[attr-defined]
        return net(X)

    return turn


@situation("a default value that is filled")
def _default(wrap: Any) -> Callable[[int], Any]:
    def forward(self: Any, x: Any, seen: list[float] = []) -> Any:  # noqa: B006
        seen.append(1.0)
        return self.run(x)

    net = network(forward, wrap)
    return lambda i: net(X)


@situation("a random number of Python's")
def _drawn(wrap: Any) -> Callable[[int], Any]:
    draws = random.Random(0)

    def forward(self: Any, x: Any) -> Any:
        return self.run(x) * self.draws.random()

    net = network(forward, wrap, draws=draws)
    return lambda i: net(X)


@situation("a context manager in an attribute")
def _context(wrap: Any) -> Callable[[int], Any]:
    def forward(self: Any, x: Any) -> Any:
        with self.context:
            return self.run(x)

    net = network(forward, wrap, context=contextlib.nullcontext())
    return lambda i: net(X)


@situation("an activation by name, a few in turn")
def _by_name(wrap: Any) -> Callable[[int], Any]:
    def forward(self: Any, x: Any) -> Any:
        return getattr(paddle.nn.functional, self.act)(self.run(x))

    net = network(forward, wrap, act="relu")

    def turn(i: int) -> Any:
        net.act = ("relu", "tanh", "sigmoid")[i % 3]
        return net(X)

    return turn


@situation("a layer chosen by an index")
def _chosen(wrap: Any) -> Callable[[int], Any]:
    def forward(self: Any, x: Any, k: int) -> Any:
        return self.run(x) + self.layers[k](x)

    net = network(forward, wrap)
    return lambda i: net(X, i % 6)


@situation("a layer frozen after each call, one more")
def _freezing(wrap: Any) -> Callable[[int], Any]:
    net = network(Net.forward, wrap)

    def turn(i: int) -> Any:
        for p in net.layers[i % 6].parameters():
            p.stop_gradient = not p.stop_gradient
        return net(X)

    return turn


@situation("a layer appended and removed")
def _appended(wrap: Any) -> Callable[[int], Any]:
    net = network(Net.forward, wrap)
    paddle.seed(1)
    more = paddle.nn.Linear(16, 16)

    def turn(i: int) -> Any:
        if i % 2:
            net.layers.append(more)
        elif len(net.layers) > 6:
            net.layers = paddle.nn.LayerList(list(net.layers)[:6])
        return net(X)

    return turn


@situation("a block of layers replaced by one like it")
def _block(wrap: Any) -> Callable[[int], Any]:
    net = network(lambda self, x: self.run(self.head(x)), wrap, head=None)
    paddle.seed(1)
    others = [paddle.nn.Sequential(paddle.nn.Linear(16, 16), paddle.nn.ReLU()) for _ in range(base.WARM + base.COUNTED)]

    def turn(i: int) -> Any:
        net.head = others[i]
        return net(X)

    return turn


@situation("a parameter replaced by one like it")
def _new_parameter(wrap: Any) -> Callable[[int], Any]:
    net = network(Net.forward, wrap)
    paddle.seed(1)
    others = [paddle.nn.Linear(16, 16).weight for _ in range(base.WARM + base.COUNTED)]

    def turn(i: int) -> Any:
        net.layers[2].weight = others[i]
        return net(X)

    return turn


@situation("a global array replaced")
def _global_array(wrap: Any) -> Callable[[int], Any]:
    def forward(self: Any, x: Any) -> Any:
        return self.run(x) * table

    net = network(forward, wrap)

    def turn(i: int) -> Any:
        globals()["table"] = np.full([16], 1.0 + i / 7, "float32")
        return net(X)

    return turn


@situation("an array in an attribute that changes in place")
def _array_in_place(wrap: Any) -> Callable[[int], Any]:
    net = network(lambda self, x: self.run(x) * paddle.to_tensor(self.value), wrap, value=np.ones([16], "float32"))

    def turn(i: int) -> Any:
        net.value[i % 16] = 1.0 + i / 7
        return net(X)

    return turn


@situation("a global tensor replaced")
def _global_tensor(wrap: Any) -> Callable[[int], Any]:
    def forward(self: Any, x: Any) -> Any:
        return self.run(x) * bank

    net = network(forward, wrap)

    def turn(i: int) -> Any:
        globals()["bank"] = paddle.full([16], 1.0 + i / 7)
        return net(X)

    return turn


@situation("a global config object, a new one")
def _global_config(wrap: Any) -> Callable[[int], Any]:
    def forward(self: Any, x: Any) -> Any:
        return self.run(x) * settings.rate

    net = network(forward, wrap)

    def turn(i: int) -> Any:
        globals()["settings"] = Config(1.0 + i / 7)
        return net(X)

    return turn


# -- sizes ----------------------------------------------------------------------------------------------------------------


def _sizes(name: str, size_of: Callable[[int], int]) -> None:
    def make(wrap: Any) -> Callable[[int], Any]:
        net = network(Net.forward, wrap)
        batches = [paddle.ones([n, 16]) * 0.1 for n in range(400)]
        return lambda i: net(batches[size_of(i)])

    situation(name)(make)


_sizes("batch size, 4 values in turn", lambda i: 2 + i % 4)
_sizes("batch size, 16 values in turn", lambda i: 2 + i % 16)
_sizes("batch size, 64 values in turn", lambda i: 2 + i % 64)
_sizes("batch size, always another one", lambda i: 2 + i)
