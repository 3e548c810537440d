"""One tensor, list or object under several names, from call to call"""

import copy
import dataclasses
import functools

from language_table import NEG, POS, T, fresh, scenario

import to_static as paddle
from to_static import nn


def same(*values):
    """Which of the values are one object, and what they are."""
    return [[a is b for a in values] for b in values], [fresh(x) if isinstance(x, paddle.Tensor) else x for x in values]


@scenario("a tensor that is handed in and also a global variable, a closure's, a buffer, a parameter or an attribute")
def tensor_by_two_names(to_static):
    weight = T([1.0, 1.0])

    class Holder:
        value = T([1.0, 1.0])

    class Net(nn.Layer):
        def __init__(self):
            super().__init__()
            self.linear = nn.Linear(2, 2, weight_attr=nn.initializer.Constant(0.5))
            self.register_buffer("state", paddle.ones([2]))

        def forward(self, x):
            self.state.add_(paddle.ones([2]))
            self.linear.weight.set_value(self.linear.weight * 2)
            return x * 1 + self.state.sum()

    @to_static
    def changes_closure(x):
        weight.add_(paddle.ones([2]))
        return x * 1, x is weight

    @to_static
    def changes_argument(x):
        x.add_(paddle.ones([2]))
        return weight * 1, Holder.value * 1

    net, seen = Net(), []
    run = to_static(net)
    for x in (fresh(POS), weight, fresh(NEG), weight, Holder.value):
        seen += [changes_closure(x), changes_argument(x), fresh(weight), fresh(Holder.value)]
    for x in (fresh(POS), net.state, net.linear.weight, fresh(NEG), net.state):
        seen += [run(x), fresh(net.state), fresh(net.linear.weight)]
    return seen


@dataclasses.dataclass
class Config:
    rate: float = 0.5
    steps: int = 0
    trail: list = dataclasses.field(default_factory=list)


ITEMS = []
TABLE = {}


@scenario("a list, dict or dataclass that is handed in and also read by another name")
def container_by_two_names(to_static):
    items, table, config = [T([1.0])], {"n": 0}, Config()

    class State:
        def __init__(self):
            self.items = [T([1.0])]
            self.count = {"n": 0}

    @to_static
    def closure(x, given, more, settings):
        given.append(x)
        more["n"] += 1
        settings.steps += 1
        settings.trail.append(x)
        if x.sum() > 0:
            given[0] = given[0] + x.sum()
        return len(items), items[0] * 1, table["n"], config.steps, len(config.trail)

    @to_static
    def attributes(x, state, given, more):
        given.append(x)
        more["n"] += 1
        return len(state.items), state.count["n"]

    @to_static
    def default(x, kept=ITEMS, by=TABLE):
        kept.append(x)
        by[len(by)] = x
        return len(ITEMS), len(TABLE)

    state, seen = State(), []
    for value in (POS, NEG):
        seen += [closure(fresh(value), [T([5.0])], {"n": 7}, Config()), closure(fresh(value), items, table, config)]
        seen += [attributes(fresh(value), state, [], {"n": 7}), attributes(fresh(value), state, state.items, state.count)]
        seen += [default(fresh(value)), default(fresh(value), [], {}), default(fresh(value), ITEMS, TABLE)]
        seen += [fresh(items), dict(table), copy.copy(config), list(config.trail), fresh(state.items), len(ITEMS), list(TABLE)]
    ITEMS.clear()
    TABLE.clear()
    return seen


@scenario("gradients of a parameter that is handed in, too")
def parameter_handed_in(to_static):
    net = nn.Linear(2, 1, weight_attr=nn.initializer.Constant(0.5))

    @to_static
    def loss(x, w):
        return net(x).sum() + (w * w).sum()

    seen = []
    for w in (net.weight, T([[1.0], [2.0]], stop_gradient=False), net.weight):
        loss(T([[1.0, 2.0]]), w).backward()
        seen += [fresh(net.weight.grad), fresh(net.bias.grad)]
    return seen


@scenario("what a partial keeps for a static function: dicts, lists, the object of a method")
def kept_by_partial(to_static):
    def count(state, x, *, log):
        state["n"] += 1
        log.append(x * 2)
        if x.sum() > 0:
            state["best"] = x
        return x * state["n"]

    class Best:
        def __init__(self):
            self.n, self.best, self.trail = 0, T([0.0, 0.0]), []

        def step(self, k, x):
            self.n += k
            if x.sum() > self.best.sum():
                self.best = x
            self.trail.append(self.best)
            return self.best * 2

    state, log, best, seen = {"n": 0, "best": None}, [], Best(), []
    functions = to_static(functools.partial(count, state, log=log)), to_static(functools.partial(best.step, 2))
    for value in (POS, NEG, POS):
        seen += [function(fresh(value)) for function in functions]
        seen += [dict(state), list(log), dict(vars(best)), list(best.trail)]
    return seen


class Particle:
    __slots__ = ("place", "speed", "trail")

    def __init__(self, place, speed):
        self.place, self.speed, self.trail = place, speed, []


@dataclasses.dataclass(slots=True)
class Meter:
    total: object
    count: int = 0


FOUND = Particle(T([3.0]), T([1.0]))


@scenario("attributes in `__slots__` of objects that live on, changed in branches and loops")
def slots_that_live_on(to_static):
    @to_static
    def moved(particle, meter, n):
        for _ in range(n):
            particle.place = particle.place + particle.speed
            meter.count += 1
            if particle.place.sum() > 2:
                particle.speed = -particle.speed
                particle.trail.append(particle.place)
        if n > 1:
            meter.total = meter.total + particle.place
            FOUND.place = FOUND.place * 2
        return particle.place

    particle, meter, seen = Particle(T([0.0]), T([1.0])), Meter(T([0.0])), []
    for n in (1, 4, 0, 3):
        seen += [moved(particle, meter, T(n, "int64")), particle.speed, list(particle.trail), meter.total, meter.count, FOUND.place]
    FOUND.place = T([3.0])
    return seen


@scenario("a copy that `copy.deepcopy` makes of a Layer, parameter or tensor is another one in every call")
def copied_in_every_call(to_static):
    net, seen = nn.Linear(2, 1, weight_attr=nn.initializer.Constant(0.5)), []
    weight = T([1.0, 1.0])

    @to_static
    def f(x):
        other, parameter, tensor = copy.deepcopy(net), copy.deepcopy(net.weight), copy.copy(weight)
        if x.sum() > 0:
            other.weight.set_value(other.weight * 2)
        parameter.set_value(parameter * 2)
        tensor.add_(x.sum())
        return other(x) - net(x), parameter * 1, tensor

    for value in (POS, NEG, POS):
        seen += [f(fresh(value).reshape([1, 2])), fresh(net.weight), fresh(weight)]
    return seen
