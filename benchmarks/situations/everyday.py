"""Rows of what else everyday programs change between calls: schedules, masks, caches, states, modes, loaded weights, threads."""

from __future__ import annotations

import collections
import enum
import functools
import itertools
import threading
import types
from collections.abc import Callable
from typing import Any

import numpy as np

import to_static as paddle
from situations.base import Config, Net, X, argument, attribute, changed, network, run_layers, situation, written

F = paddle.nn.functional
STATE: dict[str, Any] = {"step": 0, "deep": {"rate": 1.0}}
LEVEL = 0


class Phase(enum.Enum):
    """What a network does."""

    WARM = 1
    MAIN = 2
    COOL = 3


class Priority(enum.IntEnum):
    """A number with a name."""

    LOW = 1
    HIGH = 2


class Schedule:
    """A temperature that falls."""

    def __init__(self) -> None:
        self.step_count, self.history = 0, []

    def step(self) -> None:
        """Go on."""
        self.step_count += 1
        self.history.append(self.value)

    @property
    def value(self) -> float:
        """The temperature of now."""
        return 1.0 / (1 + 0.01 * self.step_count)

    def __call__(self) -> float:
        return self.value * 2


class Slotted:
    """Settings without a ``__dict__``."""

    __slots__ = ("rate",)

    def __init__(self, rate: float) -> None:
        self.rate = rate


# -- arguments ------------------------------------------------------------------------------------------------------------


def _masked(self: Any, x: Any, a: Any = None) -> Any:
    if a is not None:
        x = x * a
    return self.run(x)


def _keywords(self: Any, x: Any, **more: Any) -> Any:
    y = self.run(x)
    if "gain" in more:
        y = y * more["gain"]
    return y + more.get("bias", 0.0)


def _several(self: Any, x: Any, *more: Any) -> Any:
    for item in more:
        x = x + item
    return self.run(x)


def _state(self: Any, x: Any, a: Any) -> Any:
    h, c = a
    y = self.run(x + h)
    return y * c


def _bounds(self: Any, x: Any, a: Any) -> Any:
    return self.run(x)[:, a[0] : a[1]].sum()


def _beam(self: Any, x: Any, a: Any) -> Any:
    return self.run(x)[a]


def _phase(self: Any, x: Any, a: Any) -> Any:
    y = self.run(x)
    return y * a.value if a is not Phase.MAIN else y


def _priority(self: Any, x: Any, a: Any) -> Any:
    return self.run(x) * a


def _shape(self: Any, x: Any, a: Any) -> Any:
    return self.run(x).reshape(a).sum(0)


def _string(self: Any, x: Any, a: Any) -> Any:
    y = self.run(x)
    if a == "mean":
        return y.mean()
    return y.sum() if a == "sum" else y


def _simple(self: Any, x: Any, a: Any) -> Any:
    return self.run(x) * a.rate


def _pick(self: Any, x: Any, a: Any) -> Any:
    return self.run(x) * a["deep"]["rate"] + a["items"][-1]


def _loss(self: Any, x: Any, a: Any) -> Any:
    return a(self.run(x))


def _slices(self: Any, x: Any, a: Any) -> Any:
    return self.run(x)[a].sum()


def _dtype(self: Any, x: Any, a: Any) -> Any:
    return self.run(x).astype(a).astype("float32")


def _sets(self: Any, x: Any, a: Any) -> Any:
    y = self.run(x)
    return y * 2.0 if 3 in a else y


def _callback(self: Any, x: Any, a: Any) -> Any:
    y = self.run(x)
    a(y)
    return y


MASKS = [paddle.ones([4, 16]) * 0.5, paddle.ones([4, 1])]
argument("an optional mask, there or not", lambda i: MASKS[0] if i % 2 else None, _masked)
argument("a mask of another shape or none", lambda i: (None, *MASKS)[i % 3], _masked)
argument("a tuple of states", lambda i: (X * (i / 100), paddle.full([1], i / 50)), _state)
argument("bounds of a slice", lambda i: (i % 5, 6 + i % 7), _bounds)
argument("a slice object", lambda i: slice(i % 3, 4), _slices)
argument("the k-th beam", lambda i: i % 4, _beam)
argument("the last beam but k", lambda i: -1 - i % 4, _beam)
argument("an enum argument with its value", lambda i: (Phase.WARM, Phase.MAIN, Phase.COOL)[i % 3], _phase)
argument("an IntEnum argument", lambda i: Priority(1 + i % 2), _priority)
argument("a list of sizes", lambda i: [[64, 1], [2, 32], [8, 8]][i % 3], _shape)
argument("a string of a few", lambda i: ("mean", "sum", "none")[i % 3], _string)
argument("a SimpleNamespace argument", lambda i: types.SimpleNamespace(rate=1.0 + i / 7, name="a"), _simple)
argument("an argument with slots", lambda i: Slotted(1.0 + i / 7), _simple)
argument("an item of a nested dict", lambda i: {"deep": {"rate": 1.0 + i / 7}, "items": [float(i)]}, _pick)
argument(
    "an OrderedDict argument",
    lambda i: collections.OrderedDict(rate=1.0 + i / 7, bias=0.5),
    lambda self, x, a: self.run(x) * a["rate"],
)
argument("a loss function of a few", lambda i: (paddle.mean, paddle.sum, paddle.max)[i % 3], _loss)
argument("a dtype of a few", lambda i: ("float32", "float64", "int32")[i % 3], _dtype)
argument("a set argument", lambda i: {i % 5, 7}, _sets)
argument("a callback argument, a method of a new object", lambda i: [].append, _callback)
argument("a bool argument", lambda i: i % 3 == 0, lambda self, x, a: self.run(x) * 2.0 if a else self.run(x))
argument(
    "a numpy integer argument in a condition",
    lambda i: np.int64(i % 11),
    lambda self, x, a: self.run(x * 2 if a > 5 else x),
)
argument("a numpy bool argument", lambda i: np.bool_(i % 2), lambda self, x, a: self.run(x) * 2.0 if a else self.run(x))
argument(
    "a float that is inf in turns",
    lambda i: float("inf") if i % 2 else 1.0 + i,
    lambda self, x, a: paddle.clip(self.run(x), max=a),
)
argument("a tensor of no dimensions", lambda i: paddle.to_tensor(1.0 + i / 7), lambda self, x, a: self.run(x) * a)
argument(
    "a tensor in a condition", lambda i: paddle.to_tensor(i % 3), lambda self, x, a: self.run(x * 2 if a > 1 else x)
)
argument(
    "float32 and float64 in turns",
    lambda i: MASKS[0].astype("float64" if i % 2 else "float32"),
    lambda self, x, a: self.run(x + a.astype("float32")),
)
argument(
    "tensors that need a gradient or not",
    lambda i: paddle.to_tensor(np.ones([4, 16], "float32"), stop_gradient=bool(i % 2)),
    _masked,
)
argument("a range argument", lambda i: range(i % 4), lambda self, x, a: self.run(sum((x * k for k in a), x)))
argument("a complex number", lambda i: complex(1.0, i / 7), lambda self, x, a: self.run(x) * a.real)
argument("a big int that is not used", lambda i: 10**20 + i, lambda self, x, a: self.run(x))


@situation("keywords of other sets")
def _keywords_of(wrap: Any) -> Callable[[int], Any]:
    net = network(_keywords, wrap)
    every = [{}, {"gain": 2.0}, {"bias": 1.0}, {"gain": 3.0, "bias": 0.5}, {"unread": 1}]
    return lambda i: net(X, **every[i % 5])


@situation("keywords with changing numbers")
def _keywords_with(wrap: Any) -> Callable[[int], Any]:
    net = network(_keywords, wrap)
    return lambda i: net(X, gain=1.0 + i / 7, bias=float(i))


@situation("arguments of another count")
def _count(wrap: Any) -> Callable[[int], Any]:
    net = network(_several, wrap)
    return lambda i: net(X, *[X] * (i % 4))


# -- attributes -----------------------------------------------------------------------------------------------------------


def _scaled(y: Any, by: float) -> Any:
    return y * by


def _halved(x: Any, times: int) -> Any:
    for _ in range(times):
        x = x * 0.5
    return x


ACTS = [paddle.nn.ReLU(), paddle.nn.Tanh(), paddle.nn.Sigmoid()]


attribute(
    "a tuple state replaced outside",
    lambda i: (paddle.full([4, 16], i / 50), paddle.full([1], 1.0 + i / 7)),
    lambda self, x: self.run(x + self.value[0]) * self.value[1],
)
attribute(
    "a dict of states replaced outside",
    lambda i: {"h": paddle.full([4, 16], i / 50)},
    lambda self, x: self.run(x + self.value["h"]),
)
attribute(
    "a list of states replaced outside",
    lambda i: [paddle.full([4, 16], i / 50) for _ in range(2)],
    lambda self, x: self.run(x + self.value[0] + self.value[1]),
)
attribute(
    "a list of states of other length", lambda i: [X * 0.5] * (1 + i % 3), lambda self, x: self.run(sum(self.value, x))
)
attribute(
    "an enum attribute",
    lambda i: (Phase.WARM, Phase.MAIN, Phase.COOL)[i % 3],
    lambda self, x: self.run(x) * (2.0 if self.value is Phase.MAIN else 1.0),
)
attribute(
    "a string attribute of a few",
    lambda i: ("mean", "sum", "none")[i % 3],
    lambda self, x: _string(self, x, self.value),
)
attribute(
    "an attribute that is None in turns",
    lambda i: MASKS[0] if i % 2 else None,
    lambda self, x: self.run(x if self.value is None else x * self.value),
)
attribute(
    "a partial in an attribute",
    lambda i: functools.partial(_scaled, by=1.0 + i / 7),
    lambda self, x: self.value(self.run(x)),
)
attribute("a loop bound attribute", lambda i: 1 + i % 4, lambda self, x: self.run(_halved(x, self.value)))
attribute(
    "an attribute of another type in turns", lambda i: (1, 2.0, True)[i % 3], lambda self, x: self.run(x) * self.value
)
attribute(
    "a function of a few in an attribute",
    lambda i: (F.relu, F.tanh, F.sigmoid)[i % 3],
    lambda self, x: self.value(self.run(x)),
)
attribute("a layer of a few in an attribute", lambda i: ACTS[i % 3], lambda self, x: self.value(self.run(x)))
attribute(
    "a SimpleNamespace, a new one",
    lambda i: types.SimpleNamespace(rate=1.0 + i / 7),
    lambda self, x: self.run(x) * self.value.rate,
)
attribute(
    "an object with slots, a new one", lambda i: Slotted(1.0 + i / 7), lambda self, x: self.run(x) * self.value.rate
)
attribute(
    "a nested dict, a new one",
    lambda i: {"deep": {"rate": 1.0 + i / 7}},
    lambda self, x: self.run(x) * self.value["deep"]["rate"],
)
attribute("a numpy scalar attribute", lambda i: np.float32(1.0 + i / 7), lambda self, x: self.run(x) * self.value)
attribute(
    "a tensor of another size in an attribute",
    lambda i: paddle.full([1 + i % 4, 1, 16], 0.5),
    lambda self, x: (self.run(x) * self.value).sum(0),
)


def _set(path: str, make: Callable[[int], Any]) -> Callable[[Any, int], None]:
    *owners, name = path.split(".")

    def change(net: Any, i: int) -> None:
        for owner in owners:
            net = net[owner] if isinstance(net, dict) else net[int(owner)] if owner.isdigit() else getattr(net, owner)
        if isinstance(net, (dict, list)):
            net[int(name) if isinstance(net, list) else name] = make(i)
        else:
            setattr(net, name, make(i))

    return change


def _swap(layers: Any) -> None:
    layers[0], layers[1] = layers[1], layers[0]


@functools.lru_cache
def _parameter(i: int) -> Any:
    return paddle.create_parameter([16], "float32", default_initializer=paddle.nn.initializer.Constant(i / 50))


changed(
    "the temperature of a schedule object",
    lambda self, x: self.run(x) / self.schedule.value,
    lambda net, i: net.schedule.step(),
    schedule=Schedule,
)
changed(
    "a schedule object that is called",
    lambda self, x: self.run(x) / self.schedule(),
    lambda net, i: net.schedule.step(),
    schedule=Schedule,
)
changed(
    "an item of a nested config",
    lambda self, x: self.run(x) * self.options["deep"]["rate"],
    _set("options.deep.rate", lambda i: 1.0 + i / 7),
    options=lambda: {"deep": {"rate": 1.0}},
)
changed(
    "an item of a list",
    lambda self, x: self.run(x) * self.items[1],
    _set("items.1", lambda i: 1.0 + i / 7),
    items=lambda: [1.0, 2.0],
)
changed(
    "a tensor in a list replaced",
    lambda self, x: self.run(x + self.items[1]),
    _set("items.1", lambda i: paddle.full([16], i / 50)),
    items=lambda: [X, X],
)
changed(
    "a tensor in a dict replaced",
    lambda self, x: self.run(x + self.cache["k"]),
    _set("cache.k", lambda i: paddle.full([16], i / 50)),
    cache=lambda: {"k": X},
)
changed(
    "new keys in a dict that is read by one",
    lambda self, x: self.run(x) * self.cache["k"],
    lambda net, i: net.cache.update({i: i}),
    cache=lambda: {"k": 2.0},
)
changed(
    "a deque that grows and drops",
    lambda self, x: self.run(x) * self.items[-1],
    lambda net, i: net.items.append(float(i)),
    items=lambda: collections.deque([1.0], maxlen=5),
)
changed(
    "the rate of a dropout layer",
    lambda self, x: self.drop(self.run(x)),
    lambda net, i: (paddle.seed(i), setattr(net.drop, "p", i / 1000)),
    drop=lambda: paddle.nn.Dropout(0.0),
)
changed(
    "the epsilon of a norm layer",
    lambda self, x: self.norm(self.run(x)),
    _set("norm._epsilon", lambda i: 1e-5 * (1 + i)),
    norm=lambda: paddle.nn.LayerNorm(16),
)
changed(
    "train and eval of a sublayer",
    lambda self, x: self.norm(self.run(x)),
    lambda net, i: (net.norm.train if i % 2 else net.norm.eval)(),
    norm=lambda: paddle.nn.BatchNorm1D(16),
)
changed(
    "a buffer registered again",
    lambda self, x: self.run(x + self.total),
    lambda net, i: net.register_buffer("total", paddle.full([16], i / 50)),
)
changed(
    "a parameter of a list replaced",
    lambda self, x: self.run(x + self.rows[1]),
    lambda net, i: net.rows.__setitem__(1, _parameter(i)),
    rows=lambda: paddle.nn.ParameterList([_parameter(k) for k in range(3)]),
)
changed(
    "layers permuted",
    run_layers,
    lambda net, i: setattr(net, "layers", paddle.nn.LayerList(list(net.layers)[1:] + list(net.layers)[:1])),
)
changed("two layers swapped", run_layers, lambda net, i: _swap(net.layers))
changed(
    "layers that share and do not share weights",
    run_layers,
    lambda net, i: setattr(net.layers[1], "weight", net.layers[2 + i % 2].weight),
)
changed(
    "more or fewer layers in use",
    lambda self, x: self.run(x, self.depth),
    _set("depth", lambda i: 1 + i % 6),
    depth=lambda: 6,
)


@situation("a state dict loaded")
def _loaded(wrap: Any) -> Callable[[int], Any]:
    net = network(run_layers, wrap)
    states = [{k: v * factor for k, v in net.state_dict().items()} for factor in (1.0, 0.9, 0.8)]

    def turn(i: int) -> Any:
        net.set_state_dict(states[i % 3])
        return net(X)

    return turn


@situation("a state that goes in and comes out")
def _recurrent(wrap: Any) -> Callable[[int], Any]:
    def forward(self: Any, x: Any, state: Any = None) -> Any:
        h = paddle.zeros([16]) if state is None else state[0]
        y = self.run(x + h * 0.1)
        return y, (y.mean(0),)

    net = network(forward, wrap)
    last: list[Any] = [None]

    def turn(i: int) -> Any:
        y, last[0] = net(X, None if i % 10 == 0 else last[0])
        return y

    return turn


@situation("a cache of keys that grows")
def _cache(wrap: Any) -> Callable[[int], Any]:
    def forward(self: Any, x: Any, past: Any) -> Any:
        keys = paddle.concat([past, x])
        return self.run(x) + keys.mean(0), keys

    net = network(forward, wrap)
    last: list[Any] = [X]

    def turn(i: int) -> Any:
        y, last[0] = net(X, X if i % 20 == 0 else last[0].detach())
        return y

    return turn


@situation("a position that moves on")
def _position(wrap: Any) -> Callable[[int], Any]:
    def forward(self: Any, x: Any, position: int) -> Any:
        return self.run(x + self.table[position])

    net = network(forward, wrap, table=paddle.ones([512, 16]) * 0.1)
    return lambda i: net(X, i)


@situation("a numpy generator in an attribute")
def _generator(wrap: Any) -> Callable[[int], Any]:
    def forward(self: Any, x: Any) -> Any:
        return self.run(x) * float(self.draws.random())

    net = network(forward, wrap, draws=np.random.default_rng(0))
    return lambda i: net(X)


@situation("numpy noise from a generator given")
def _noise(wrap: Any) -> Callable[[int], Any]:
    net = network(lambda self, x, a: self.run(x + a), wrap)
    draws = np.random.default_rng(0)
    return lambda i: net(X, draws.standard_normal((4, 16)).astype("float32"))


@situation("an itertools counter")
def _counter(wrap: Any) -> Callable[[int], Any]:
    def forward(self: Any, x: Any) -> Any:
        return self.run(x) * next(self.counter)

    net = network(forward, wrap, counter=itertools.count(1))
    return lambda i: net(X)


@situation("an item of a dict of the module")
def _module_dict(wrap: Any) -> Callable[[int], Any]:
    net = network(lambda self, x: self.run(x) * STATE["step"] + STATE["deep"]["rate"], wrap)

    def turn(i: int) -> Any:
        STATE["step"] = i
        STATE["deep"]["rate"] = 1.0 + i / 7
        return net(X)

    return turn


@situation("a global level in a condition")
def _level(wrap: Any) -> Callable[[int], Any]:
    net = network(lambda self, x: self.run(x) * 2.0 if LEVEL > 3 else self.run(x), wrap)

    def turn(i: int) -> Any:
        globals()["LEVEL"] = i % 7
        return net(X)

    return turn


@situation("a class attribute that is a dict, changed")
def _class_dict(wrap: Any) -> Callable[[int], Any]:
    paddle.seed(0)
    options = {"rate": 1.0}
    cls = type(
        "Net",
        (Net,),
        {"forward": lambda self, x: self.run(x) * self.options["rate"], "options": options, "__module__": __name__},
    )
    net = wrap(cls())

    def turn(i: int) -> Any:
        options["rate"] = 1.0 + i / 7
        return net(X)

    return turn


@situation("a config that is given by a closure, a new one")
def _config_cell(wrap: Any) -> Callable[[int], Any]:
    config = Config()

    def forward(self: Any, x: Any) -> Any:
        return self.run(x) * config.rate if config.name == "a" else self.run(x)

    net = network(forward, wrap)

    def turn(i: int) -> Any:
        nonlocal config
        config = Config(1.0 + i / 7)
        return net(X)

    return turn


@situation("a function made anew at each call")
def _anew(wrap: Any) -> Callable[[int], Any]:
    net = network(run_layers, lambda net: net)

    def turn(i: int) -> Any:
        rate = 1.0 + i / 7
        return step(net, rate)

    def plain(net: Any, rate: float) -> Any:
        return net(X) * rate

    step = wrap(plain)
    return turn


@situation("a method of a plain object with counters")
def _plain_object(wrap: Any) -> Callable[[int], Any]:
    class Trainer:
        def __init__(self, net: Any) -> None:
            self.net, self.step, self.rate = net, 0, 1.0
            self.predict = wrap(self.predict)

        def predict(self, x: Any) -> Any:
            return self.net(x) * self.rate + self.step

    trainer = Trainer(network(run_layers, lambda net: net))

    def turn(i: int) -> Any:
        trainer.step, trainer.rate = i, 1.0 + i / 7
        return trainer.predict(X)

    return turn


@situation("a training step with a scheduled rate")
def _training(wrap: Any) -> Callable[[int], Any]:
    net = network(run_layers, wrap)
    rate = paddle.optimizer.lr.ExponentialDecay(0.01, 0.99)
    optimizer = paddle.optimizer.SGD(rate, parameters=net.parameters())

    def turn(i: int) -> Any:
        loss = net(X).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        rate.step()
        return loss

    return turn


@situation("a whole training step, static, with a scheduled rate")
def _training_step(wrap: Any) -> Callable[[int], Any]:
    net = network(run_layers, lambda net: net)
    rate = paddle.optimizer.lr.ExponentialDecay(0.01, 0.99)
    optimizer = paddle.optimizer.SGD(rate, parameters=net.parameters())

    def step(x: Any) -> Any:
        loss = net(x).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    step = wrap(step)

    def turn(i: int) -> Any:
        loss = step(X)
        rate.step()
        return loss

    return turn


@situation("accumulated gradients, a step at each fourth call")
def _accumulated(wrap: Any) -> Callable[[int], Any]:
    net = network(run_layers, wrap)
    optimizer = paddle.optimizer.Adam(0.01, parameters=net.parameters())

    def turn(i: int) -> Any:
        loss = net(X).mean()
        loss.backward()
        if i % 4 == 3:
            optimizer.step()
            optimizer.clear_grad()
        return loss

    return turn


@situation("weights that are clipped after each call")
def _clipped(wrap: Any) -> Callable[[int], Any]:
    net = network(run_layers, wrap)

    def turn(i: int) -> Any:
        with paddle.no_grad():
            for p in net.parameters():
                p.set_value(paddle.clip(p, -0.3, 0.3))
        return net(X)

    return turn


@situation("two threads")
def _threads(wrap: Any) -> Callable[[int], Any]:
    net = network(lambda self, x, a: self.run(x) * a, wrap)

    def turn(i: int) -> Any:
        results: list[Any] = [None, None]

        def work(k: int) -> None:
            results[k] = net(X, 1.0 + i * k)

        threads = [threading.Thread(target=work, args=(k,)) for k in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return results[0] + results[1]

    return turn


@situation("default dtype in turns")
def _default_dtype(wrap: Any) -> Callable[[int], Any]:
    net = network(lambda self, x: self.run(x) + paddle.ones([16]).astype("float32"), wrap)

    def turn(i: int) -> Any:
        paddle.set_default_dtype("float64" if i % 2 else "float32")
        try:
            return net(X)
        finally:
            paddle.set_default_dtype("float32")

    return turn


@situation("autocast or not")
def _autocast(wrap: Any) -> Callable[[int], Any]:
    net = network(run_layers, wrap)

    def turn(i: int) -> Any:
        with paddle.amp.auto_cast(enable=bool(i % 2)):
            return net(X)

    return turn


@situation("a sequence of another length in a loop")
def _sequence(wrap: Any) -> Callable[[int], Any]:
    def forward(self: Any, x: Any) -> Any:
        h = paddle.zeros([16])
        for row in x:
            h = self.layers[0](row + h).tanh()
        return h

    net = network(forward, wrap)
    return lambda i: net(X[: 1 + i % 4])


@situation("a batch that is short at the end")
def _short(wrap: Any) -> Callable[[int], Any]:
    net = network(run_layers, wrap)
    return lambda i: net(X if i % 10 else X[:3])


@situation("two lengths that change together")
def _two_lengths(wrap: Any) -> Callable[[int], Any]:
    net = network(lambda self, x, y: self.run(x).mean(0) + self.run(y).mean(0), wrap)
    rows = paddle.ones([64, 16]) * 0.1
    return lambda i: net(rows[: 2 + i % 7], rows[: 2 + i % 11])


def _remembers(self: Any, x: Any) -> Any:
    y = self.run(x)
    self.best = y.mean() if self.best is None else paddle.maximum(self.best, y.mean())
    return y


def _history(self: Any, x: Any) -> Any:
    y = self.run(x)
    self.history[self.at % 4] = y.mean()
    self.at += 1
    return y


def _phases(self: Any, x: Any) -> Any:
    self.phase = "b" if self.phase == "a" else "a"
    return self.run(x) * (2.0 if self.phase == "a" else 1.0)


def _statistics(self: Any, x: Any) -> Any:
    y = self.run(x)
    self.stats["n"] += 1
    self.stats["mean"] = y.mean().detach()
    return y


def _every(self: Any, x: Any) -> Any:
    self.at += 1
    y = self.run(x)
    return y * 2.0 if self.at % 10 == 0 else y


written("self.best = max(self.best, y)", _remembers, best=None)
written("a ring of results", _history, history=[None] * 4, at=0)
written("a mode that forward flips", _phases, phase="a")
written("a dict of statistics", _statistics, stats={"n": 0, "mean": None})
written("something else at each tenth call", _every, at=0)
