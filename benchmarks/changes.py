"""What static functions cost while something changes from call to call: another number, attribute, global, tensor, layer, size.

    python benchmarks/changes.py [words of the rows that are wanted]

Six `Linear` of 16, batch 4. Static and dynamic calls take turns in rounds; after 150 calls each to warm up, the mean of the next
150. What counts: static / dynamic. The results of both are compared at every call.
"""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import enum
import functools
import gc
import io
import logging
import os
import random
import statistics
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import timing  # isort: skip (it fixes the number of BLAS threads, before NumPy looks)

import numpy as np

import to_static as paddle

clock = timing.CLOCKS[os.environ.get("BENCH_CLOCK", "wall")]
WARM, COUNTED, ROUND = 150, 150, 10
SITUATIONS: dict[str, Callable[[Callable[[Any], Any]], Callable[[int], Any]]] = {}
scale = 1.0
mean = 1.0
unread = 0
logger = logging.getLogger(__name__)
table = np.ones([16], "float32")
bank = paddle.ones([16])


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

    def run(self, x: Any) -> Any:
        """Through all layers."""
        for layer in self.layers:
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


settings = Config()
X = paddle.to_tensor(np.random.RandomState(0).randn(4, 16).astype("float32"))


def network(forward: Any, wrap: Any, **attributes: Any) -> Any:
    """A network with this ``forward`` and these attributes, static or not; the weights are always the same."""
    paddle.seed(0)
    net = type("Net", (Net,), {"forward": forward, "__module__": __name__})()
    for name, value in attributes.items():
        setattr(net, name, value)
    return wrap(net)


def _argument(name: str, of: Callable[[int], Any], forward: Any = None) -> None:
    def make(wrap: Any) -> Callable[[int], Any]:
        def plain(self: Any, x: Any, a: Any) -> Any:
            return self.run(x) * a

        net = network(forward or plain, wrap)
        return lambda i: net(X, of(i))

    situation(name)(make)


# -- arguments ------------------------------------------------------------------------------------------------------------


def _unused(self: Any, x: Any, a: Any) -> Any:
    return self.run(x)


def _by_condition(self: Any, x: Any, a: Any) -> Any:
    if a > 5:
        x = x * 2
    return self.run(x)


def _dropout(self: Any, x: Any, a: Any) -> Any:
    return self.run(paddle.nn.functional.dropout(x, a, training=False))


def _of_dict(self: Any, x: Any, a: Any) -> Any:
    return self.run(x) * a["rate"] + a["bias"]


def _of_list(self: Any, x: Any, a: Any) -> Any:
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


_argument("nothing", lambda i: 1.0)
_argument("a float argument", lambda i: 1.0 + i / 7)
_argument("an int argument", lambda i: i)
_argument("a numpy scalar argument", lambda i: np.float32(1.0 + i / 7))
_argument("a float argument that is not used", lambda i: 1.0 + i / 7, _unused)
_argument("a string argument that is not used", lambda i: f"step {i}", _unused)
_argument("an int argument in a condition", lambda i: i % 11, _by_condition)
_argument("an int argument in a condition, growing", lambda i: i, _by_condition)
_argument("a dropout rate", lambda i: i / 1000, _dropout)
_argument("a dict argument", lambda i: {"rate": 1.0 + i / 7, "bias": float(i)}, _of_dict)
_argument("a list argument", lambda i: [1.0 + i / 7, float(i)], _of_list)
_argument("a dataclass argument", lambda i: Config(1.0 + i / 7), _of_config)
_argument("a numpy array argument", lambda i: np.full([16], 1.0 + i / 7, "float32"))
_argument("a list of tensors of other length", lambda i: [X] * (1 + i % 4), _sum)
_argument("a slice size", lambda i: 1 + i % 4, _slice)
_argument("a repeat count", lambda i: 1 + i % 4, _repeat)


@situation("a string argument")
def _string(wrap: Any) -> Callable[[int], Any]:
    def forward(self: Any, x: Any, mode: str) -> Any:
        return self.run(x) * (2.0 if mode == "double" else 1.0)

    net = network(forward, wrap)
    return lambda i: net(X, f"mode {i}" if i % 2 else "double")


# -- attributes -----------------------------------------------------------------------------------------------------------


def _attribute(name: str, of: Callable[[int], Any], forward: Any = None) -> None:
    def make(wrap: Any) -> Callable[[int], Any]:
        def plain(self: Any, x: Any) -> Any:
            return self.run(x) * self.value

        net = network(forward or plain, wrap, value=of(0))

        def turn(i: int) -> Any:
            net.value = of(i)
            return net(X)

        return turn

    situation(name)(make)


def _step(self: Any, x: Any) -> Any:
    return self.run(x) * (1.0 / (1 + self.value))


def _config(self: Any, x: Any) -> Any:
    return self.run(x) * self.value.rate


def _call(self: Any, x: Any) -> Any:
    return self.run(self.value(x))


_attribute("a float attribute", lambda i: 1.0 + i / 7)
_attribute("a step attribute", lambda i: i, _step)
_attribute("a bool attribute", lambda i: i % 2 == 0)
_attribute("a new config object", lambda i: Config(1.0 + i / 7), _config)
_attribute("a numpy array attribute", lambda i: np.full([16], 1.0 + i / 7, "float32"))
_attribute("a tensor attribute replaced", lambda i: paddle.full([4, 16], 1.0 + i / 7))
_attribute("an attribute that nobody reads", lambda i: i, lambda self, x: self.run(x))
_attribute("a new lambda of the same code", lambda i: lambda x: x * 2.0, _call)
_attribute("a closure over another number", lambda i: (lambda a: lambda x: x * a)(1.0 + i / 7), _call)


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
    others = [paddle.nn.Linear(16, 16) for _ in range(WARM + COUNTED)]

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


def _written(name: str, forward: Any, **attributes: Any) -> None:
    def make(wrap: Any) -> Callable[[int], Any]:
        net = network(forward, wrap, **attributes)
        return lambda i: net(X)

    situation(name)(make)


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


_written("self.last = y", _keeps_last)
_written("a dict of parts", _keeps_parts, parts=None)
_written("self.steps += 1", _counts, steps=0)
_written("self.loss = float(l)", _keeps_loss, loss=0.0)


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
    nets = _members((WARM + COUNTED) // 10, wrap)
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
    nets = _members(WARM + COUNTED, lambda net: net)

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


_argument("an enum argument", lambda i: Mode(1 + i % 2), _by_enum)
_argument("a datetime argument that is not used", lambda i: datetime.datetime(2024, 1, 1) + datetime.timedelta(i), _unused)
_argument("a named tuple argument", lambda i: Pair(1.0 + i / 7, float(i)), _by_pair)
_argument("a tuple argument", lambda i: (1.0 + i / 7, float(i)), _of_list)
_argument("a dict argument with other keys", lambda i: {f"k{i % 3}": 1.0, f"j{i % 5}": 2.0}, _by_items)
_argument("a generator argument", lambda i: (k * 1.0 for k in range(3)), _generated)
_argument("an argument that is logged", lambda i: i, _logged)
_argument("a partial argument with another number", lambda i: functools.partial(_times, by=1.0 + i / 7), _partial)
_argument("a lambda argument", lambda i: lambda y: y * 2.0, _partial)
_argument("an object argument that is not used", lambda i: object(), _unused)
_argument("an array argument of other sizes", lambda i: np.full([1 + i % 4, 1, 16], 1.0 + i / 7, "float32"))


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
    others = [paddle.nn.Sequential(paddle.nn.Linear(16, 16), paddle.nn.ReLU()) for _ in range(WARM + COUNTED)]

    def turn(i: int) -> Any:
        net.head = others[i]
        return net(X)

    return turn


@situation("a parameter replaced by one like it")
def _new_parameter(wrap: Any) -> Callable[[int], Any]:
    net = network(Net.forward, wrap)
    paddle.seed(1)
    others = [paddle.nn.Linear(16, 16).weight for _ in range(WARM + COUNTED)]

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


def _sizes(name: str, of: Callable[[int], int]) -> None:
    def make(wrap: Any) -> Callable[[int], Any]:
        net = network(Net.forward, wrap)
        batches = [paddle.ones([n, 16]) * 0.1 for n in range(400)]
        return lambda i: net(batches[of(i)])

    situation(name)(make)


_sizes("batch size, 4 values in turn", lambda i: 2 + i % 4)
_sizes("batch size, 16 values in turn", lambda i: 2 + i % 16)
_sizes("batch size, 64 values in turn", lambda i: 2 + i % 64)
_sizes("batch size, always another one", lambda i: 2 + i)


# -- the table ------------------------------------------------------------------------------------------------------------


def run(make: Callable[[Callable[[Any], Any]], Callable[[int], Any]]) -> tuple[float, float, float]:
    """Seconds of a dynamic and of a static call in the mean, and the largest difference of their results."""
    ways = [make(lambda net: net), make(paddle.jit.to_static)]
    draws = random.Random(0)
    seconds: list[list[float]] = [[], []]
    worst = 0.0
    for start in range(0, WARM + COUNTED, ROUND):
        results: list[list[Any]] = [[], []]
        for way in draws.sample((0, 1), 2):
            begin = clock()
            for i in range(start, start + ROUND):
                results[way].append(ways[way](i))
            seconds[way].append((clock() - begin) / ROUND)
        for one, other in zip(*results, strict=True):
            a, b = one.numpy(), other.numpy()
            worst = max(worst, float(np.abs(a - b).max(initial=0.0)) if a.shape == b.shape else np.inf)
    counted = WARM // ROUND
    return statistics.mean(seconds[0][counted:]), statistics.mean(seconds[1][counted:]), worst


def rows(wanted: list[str]) -> Iterator[tuple[str, float, float, float]]:
    """The rows whose names have one of the wanted words; all without any."""
    for name, make in SITUATIONS.items():
        if not wanted or any(word in name for word in wanted):
            with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):
                warnings.simplefilter("ignore")
                gc.unfreeze()  # a full collection looks at what all rows before have left: .1 to 1 ms for each call of this row
                gc.collect()
                gc.freeze()
                yield name, *run(make)


def main() -> None:
    """Print the table."""
    print(
        f"{'what changes from call to call':52s} {'dynamic us':>10s} {'static us':>10s} {'ratio':>8s}  largest difference"
    )
    for name, dynamic, static, worst in rows(sys.argv[1:]):
        print(f"{name:52s} {dynamic * 1e6:10.1f} {static * 1e6:10.1f} {static / dynamic:8.2f}  {worst:.1e}", flush=True)


if __name__ == "__main__":
    main()
