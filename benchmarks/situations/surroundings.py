"""Rows of what else surrounds a network and changes: schedules in containers, objects with state, settings, hooks, layers."""

from __future__ import annotations

import abc
import collections
import contextlib
import contextvars
import dataclasses
import enum
import functools
import itertools
import operator
import os
import random
import types
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import to_static as paddle
from situations.base import Net, X, argument, attribute, changed, network, run_layers, situation, written

F = paddle.nn.functional
LEVEL: contextvars.ContextVar[float] = contextvars.ContextVar("level", default=1.0)
COUNTS: collections.Counter[str] = collections.Counter()


class Stage(enum.IntFlag):
    """What a network does."""

    SCALE = 1
    SHIFT = 2


class Carry(NamedTuple):
    """The state of a recurrent network."""

    hidden: Any
    step: int


@dataclasses.dataclass(frozen=True)
class Frozen:
    """Settings that are replaced as a whole."""

    rate: float = 1.0
    names: tuple[str, ...] = ("a",)


class Running:
    """A running mean that is kept outside."""

    def __init__(self) -> None:
        self.total, self.count = 0.0, 0

    def update(self, value: float) -> None:
        """One more."""
        self.total += value
        self.count += 1

    @property
    def mean(self) -> float:
        """The mean."""
        return self.total / max(self.count, 1)

    def __len__(self) -> int:
        return self.count


class Registry(dict[str, Any]):
    """A dict whose items are attributes, too."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


class Base(abc.ABC):
    """What policies are."""

    @abc.abstractmethod
    def factor(self) -> float:
        """A factor."""


class Linear(Base):
    """One of them."""

    def __init__(self, slope: float) -> None:
        self.slope, self.at = slope, 0

    def factor(self) -> float:
        """It grows."""
        return 1.0 + self.slope * self.at


# -- schedules, counters, settings ------------------------------------------------------------------------------------------

changed(
    "a temperature in a dict of settings",
    lambda self, x: F.softmax(self.run(x) / self.settings["temperature"], -1),
    lambda net, i: net.settings.update(temperature=1.0 / (1 + i / 100)),
    settings=lambda: {"temperature": 1.0, "top": 3},
)
changed(
    "a running mean outside",
    lambda self, x: self.run(x) - self.meter.mean,
    lambda net, i: net.meter.update(i / 100),
    meter=Running,
)
changed(
    "the length of a meter in a condition",
    lambda self, x: self.run(x) * 2 if len(self.meter) > 7 else self.run(x),
    lambda net, i: net.meter.update(i / 100),
    meter=Running,
)
changed(
    "a policy with a method",
    lambda self, x: self.run(x) * self.policy.factor(),
    lambda net, i: setattr(net.policy, "at", i),
    policy=lambda: Linear(0.1),
)
changed(
    "a dict with attributes",
    lambda self, x: self.run(x) * self.options.rate,
    lambda net, i: net.options.update(rate=1.0 + i / 7),
    options=lambda: Registry(rate=1.0),
)
changed(
    "a defaultdict of counts",
    lambda self, x: self.run(x) * self.counts["seen"],
    lambda net, i: net.counts.update(seen=i),
    counts=lambda: collections.defaultdict(int, seen=1),
)
changed(
    "a Counter that counts",
    lambda self, x: self.run(x) * self.counts["seen"],
    lambda net, i: net.counts.update(["seen"]),
    counts=lambda: collections.Counter(seen=1),
)
changed(
    "a ChainMap of settings",
    lambda self, x: self.run(x) * self.chain["rate"],
    lambda net, i: net.chain.maps[0].update(rate=1.0 + i / 7),
    chain=lambda: collections.ChainMap({"rate": 1.0}, {"rate": 2.0}),
)
changed(
    "a set of names",
    lambda self, x: self.run(x) * (2.0 if "double" in self.names else 1.0),
    lambda net, i: (net.names.add if i % 2 else net.names.discard)("double"),
    names=set,
)
changed(
    "weights of losses in a list",
    lambda self, x: sum(w * part.mean() for w, part in zip(self.weights, self.run(x).split(2), strict=True)),
    lambda net, i: net.weights.__setitem__(i % 2, 1.0 + i / 7),
    weights=lambda: [1.0, 0.5],
)
changed(
    "noise levels in a numpy array, by step",
    lambda self, x: self.run(x) * float(self.betas[self.at]),
    lambda net, i: setattr(net, "at", i % 100),
    betas=lambda: np.linspace(0.1, 1.0, 100),
    at=lambda: 0,
)
changed(
    "noise levels in a tensor, by step",
    lambda self, x: self.run(x) * self.betas[self.at],
    lambda net, i: setattr(net, "at", i % 100),
    betas=lambda: paddle.linspace(0.1, 1.0, 100),
    at=lambda: 0,
)
attribute(
    "a numpy scalar of other values in a dict",
    lambda i: {"rate": np.float32(1 + i / 7)},
    lambda s, x: s.run(x) * s.value["rate"],
)
attribute("a flag enum of a few", lambda i: Stage(i % 4), lambda s, x: s.run(x) * (2.0 if Stage.SCALE in s.value else 1.0))
attribute("frozen settings replaced", lambda i: Frozen(1.0 + i / 7), lambda s, x: s.run(x) * s.value.rate)
attribute(
    "frozen settings replaced by `replace`",
    lambda i: dataclasses.replace(Frozen(), rate=1.0 + i / 7),
    lambda s, x: s.run(x) * s.value.rate if "a" in s.value.names else s.run(x),
)
attribute("a named tuple of state", lambda i: Carry(X * (i / 50), i), lambda s, x: s.run(x + s.value.hidden) * s.value.step)
attribute(
    "nested states of two layers",
    lambda i: [(X * (i / 50), X), (X, X * (i / 70))],
    lambda s, x: s.run(sum((h + c for h, c in s.value), x)),
)
attribute(
    "a mappingproxy, a new one",
    lambda i: types.MappingProxyType({"rate": 1.0 + i / 7}),
    lambda s, x: s.run(x) * s.value["rate"],
)
attribute("a slice of a few", lambda i: slice(i % 3, None), lambda s, x: s.run(x)[s.value].sum())
attribute("a dtype of two", lambda i: ("float32", "float64")[i % 2], lambda s, x: s.run(x).astype(s.value).sum())
attribute("an operator of a few", lambda i: (operator.add, operator.mul)[i % 2], lambda s, x: s.value(s.run(x), 2.0))
attribute("a method bound to another object", lambda i: Linear(i / 7).factor, lambda s, x: s.run(x) * s.value())
attribute("a tuple of sizes", lambda i: (2, 2, 16) if i % 2 else (4, 16), lambda s, x: s.run(x).reshape(s.value).sum())

# -- what is given ----------------------------------------------------------------------------------------------------------

argument("a beam width", lambda i: 1 + i % 5, lambda self, x, a: paddle.topk(self.run(x), a)[0].sum())
argument("a ragged list", lambda i: [X[: 1 + (i + k) % 3] for k in range(2)], lambda self, x, a: self.run(paddle.concat(a)).mean())
argument("a nested list of numbers", lambda i: [[1.0 + i, 2.0], [float(i)]], lambda self, x, a: self.run(x) * a[0][0] + a[1][0])
argument(
    "a dict of tensors and numbers",
    lambda i: {"mask": X, "rate": i / 7},
    lambda self, x, a: self.run(x * a["mask"]) * a["rate"],
)
argument("a named tuple with state", lambda i: Carry(X, i), lambda self, x, a: self.run(x + a.hidden) * a.step)
argument("a frozen dataclass", lambda i: Frozen(1.0 + i / 7), lambda self, x, a: self.run(x) * a.rate)
argument("None or a number in turns", lambda i: None if i % 3 == 0 else i / 7, lambda self, x, a: self.run(x) * (a or 1.0))
argument("a learning rate as a float", lambda i: 0.1 * 0.99**i, lambda self, x, a: self.run(x) - a * self.run(x).mean())
argument("a seed", lambda i: i, lambda self, x, a: self.run(x) * (a % 7))
argument("a set argument", lambda i: {i % 3}, lambda self, x, a: self.run(x) * (2.0 if 1 in a else 1.0))


# -- objects with a state of their own --------------------------------------------------------------------------------------


@situation("a RandomState in an attribute")
def _random_state(wrap: Any) -> Callable[[int], Any]:
    net = network(lambda self, x: self.run(x) * self.draws.rand(), wrap, draws=np.random.RandomState(0))
    return lambda i: net(X)


@situation("a Random of Python's in an attribute")
def _random(wrap: Any) -> Callable[[int], Any]:
    net = network(lambda self, x: self.run(x) * self.draws.random(), wrap, draws=random.Random(0))
    return lambda i: net(X)


@situation("a context variable")
def _context(wrap: Any) -> Callable[[int], Any]:
    net = network(lambda self, x: self.run(x) * LEVEL.get(), wrap)

    def turn(i: int) -> Any:
        LEVEL.set(1.0 + i / 7)
        return net(X)

    return turn


@situation("an environment variable of two")
def _environment(wrap: Any) -> Callable[[int], Any]:
    net = network(lambda self, x: self.run(x) * (2.0 if os.environ.get("SITUATION") == "b" else 1.0), wrap)

    def turn(i: int) -> Any:
        os.environ["SITUATION"] = "ab"[i % 2]
        return net(X)

    return turn


@situation("a counter in a closure")
def _closure(wrap: Any) -> Callable[[int], Any]:
    count = 0

    def tick() -> int:
        nonlocal count
        count += 1
        return count

    net = network(lambda self, x: self.run(x) * tick(), wrap)
    return lambda i: net(X)


@situation("a global Counter that forward counts in")
def _counted(wrap: Any) -> Callable[[int], Any]:
    def forward(self: Any, x: Any) -> Any:
        COUNTS["calls"] += 1
        return self.run(x)

    net = network(forward, wrap)
    return lambda i: net(X)


@situation("a generator of schedules")
def _schedule(wrap: Any) -> Callable[[int], Any]:
    net = network(lambda self, x: self.run(x) * next(self.rates), wrap, rates=(1.0 / (1 + k) for k in itertools.count()))
    return lambda i: net(X)


# -- calls, wrappers, hooks -------------------------------------------------------------------------------------------------


@situation("a partial of the network with another number")
def _partial(wrap: Any) -> Callable[[int], Any]:
    net = network(lambda self, x, a: self.run(x) * a, wrap)
    return lambda i: functools.partial(net, a=1.0 + i / 7)(X)


@situation("a static function made of a partial at each call")
def _static_partial(wrap: Any) -> Callable[[int], Any]:
    net = network(run_layers, lambda net: net)

    def scaled(x: Any, a: Any) -> Any:
        return net(x) * a

    step = wrap(scaled)
    return lambda i: functools.partial(step, a=1.0 + i / 7)(X)


@situation("a hook with a counter")
def _hook(wrap: Any) -> Callable[[int], Any]:
    net = network(run_layers, wrap)
    calls = [0]

    def count(layer: Any, given: Any, y: Any) -> None:
        calls[0] += 1

    net.layers[2].register_forward_post_hook(count)
    return lambda i: net(X)


@situation("a hook that scales by a number outside")
def _scaling_hook(wrap: Any) -> Callable[[int], Any]:
    net = network(run_layers, wrap)
    scale = [1.0]
    net.layers[2].register_forward_post_hook(lambda layer, given, y: y * scale[0])

    def turn(i: int) -> Any:
        scale[0] = 1.0 + i / 7
        return net(X)

    return turn


@situation("features that a hook keeps")
def _features(wrap: Any) -> Callable[[int], Any]:
    net = network(run_layers, wrap)
    kept: dict[str, Any] = {}
    net.layers[2].register_forward_post_hook(lambda layer, given, y: kept.update(two=y))

    def turn(i: int) -> Any:
        return net(X) + kept["two"] if i % 2 and kept else net(X)

    return turn


@situation("no_grad or not, in turns")
def _no_grad(wrap: Any) -> Callable[[int], Any]:
    net = network(run_layers, wrap)

    def turn(i: int) -> Any:
        with paddle.no_grad() if i % 2 else contextlib.nullcontext():
            return net(X)

    return turn


@situation("an input that needs a gradient or not")
def _needs(wrap: Any) -> Callable[[int], Any]:
    net = network(run_layers, wrap)
    inputs = [X.clone(), X.clone()]
    inputs[1].stop_gradient = False
    return lambda i: net(inputs[i % 2])


# -- layers and weights -----------------------------------------------------------------------------------------------------


@situation("averaged weights swapped in and out")
def _swapped(wrap: Any) -> Callable[[int], Any]:
    net = network(run_layers, wrap)
    shadow = [p.clone().detach() * 0.9 for p in net.parameters()]

    def turn(i: int) -> Any:
        for p, q in zip(net.parameters(), shadow, strict=True):
            now = p.clone().detach()
            p.set_value(q)
            q.set_value(now)
        with paddle.no_grad():
            return net(X)

    return turn


@situation("a layer list that grows and shrinks")
def _progressive(wrap: Any) -> Callable[[int], Any]:
    net = network(run_layers, wrap)
    more = [paddle.nn.Linear(16, 16) for _ in range(2)]

    def turn(i: int) -> Any:
        net.layers = paddle.nn.LayerList([*list(net.layers)[:6], *more[: i % 3]])
        return net(X)

    return turn


@situation("a python list of layers, another order")
def _orders(wrap: Any) -> Callable[[int], Any]:
    def forward(self: Any, x: Any) -> Any:
        for layer in self.order:
            x = F.relu(layer(x))
        return x

    net = network(forward, wrap)
    orders = [list(net.layers), list(net.layers)[::-1], list(net.layers)[::2]]

    def turn(i: int) -> Any:
        net.order = orders[i % 3]
        return net(X)

    return turn


@situation("a mask of pruned weights, another one")
def _pruned(wrap: Any) -> Callable[[int], Any]:
    def forward(self: Any, x: Any) -> Any:
        return F.linear(self.run(x), self.layers[0].weight * self.masks["weight"])

    net = network(forward, wrap, masks={"weight": paddle.ones([16, 16])})
    draws = np.random.RandomState(0)
    masks = [paddle.to_tensor((draws.rand(16, 16) > 0.5).astype("float32")) for _ in range(8)]

    def turn(i: int) -> Any:
        net.masks["weight"] = masks[i % 8]
        return net(X)

    return turn


@situation("an adapter of a few in a dict")
def _adapters(wrap: Any) -> Callable[[int], Any]:
    def forward(self: Any, x: Any) -> Any:
        return self.adapters[self.name](self.run(x))

    adapters = paddle.nn.LayerDict({name: paddle.nn.Linear(16, 16) for name in "abc"})
    net = network(forward, wrap, adapters=adapters, name="a")

    def turn(i: int) -> Any:
        net.name = "abc"[i % 3]
        return net(X)

    paddle.seed(3)
    for p in net.adapters.parameters():
        p.set_value(paddle.uniform(p.shape))
    return turn


@situation("rates of two param groups that change")
def _groups(wrap: Any) -> Callable[[int], Any]:
    net = network(run_layers, wrap)
    rate = paddle.optimizer.lr.LambdaDecay(0.01, lambda k: 0.95**k)
    groups = [
        {"params": net.layers[0].parameters(), "learning_rate": 0.1},
        {"params": net.layers[1].parameters(), "weight_decay": 0.01},
    ]
    optimizer = paddle.optimizer.Momentum(rate, parameters=groups)

    def turn(i: int) -> Any:
        loss = net(X).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        rate.step()
        return loss

    return turn


def _keeps_state(self: Any, x: Any) -> Any:
    h, c = self.state
    h = (x * 0.5 + h * 0.5).mean(0)
    self.state = (h, c * 0.9)
    return self.run(x + h) * c


def _keeps_list(self: Any, x: Any) -> Any:
    y = self.run(x)
    self.window = [*self.window[1:], y.mean().detach()]
    return y + sum(self.window)


def _counts_in_dict(self: Any, x: Any) -> Any:
    self.numbers["step"] += 1
    return self.run(x) / (1 + self.numbers["step"])


def _nested_counts(self: Any, x: Any) -> Any:
    self.numbers["train"]["steps"] += 1
    self.numbers["train"]["loss"] = float(len(x)) * self.numbers["train"]["steps"]
    return self.run(x)


written("a tuple state that forward keeps", _keeps_state, state=(paddle.zeros([16]), paddle.ones([16])))
written("a window of the last results", _keeps_list, window=[paddle.zeros([])] * 3)
written("a step in a dict that forward counts", _counts_in_dict, numbers={"step": 0})
written("counts in nested dicts", _nested_counts, numbers={"train": {"steps": 0, "loss": 0.0}})


@situation("a property of the class that reads a dict")
def _property(wrap: Any) -> Callable[[int], Any]:
    paddle.seed(0)
    cls = type(
        "Net",
        (Net,),
        {
            "forward": lambda self, x: self.run(x) * self.rate,
            "rate": property(lambda self: self.options["rate"] * 2),
            "__module__": __name__,
        },
    )
    plain = cls()
    plain.options = {"rate": 1.0}
    net = wrap(plain)

    def turn(i: int) -> Any:
        plain.options["rate"] = 1.0 + i / 7
        return net(X)

    return turn
