"""Known gaps: what a static function does not notice"""

import abc
import contextlib
import decimal
import enum
import unittest.mock
import weakref

from language_table import POS, scenario, twice, unseen

import to_static as paddle
import to_static.nn.functional as F


@unseen("a function of a library, ours or another, that is replaced between calls", "call a function of your own that calls it")
def replaced(to_static):
    kept = F.relu

    def change():
        F.relu = lambda x: x * 7

    try:
        return twice(to_static, lambda x: F.relu(x), change)
    finally:
        F.relu = kept


@unseen("a method of a Layer of the library that is replaced between calls", "derive a class, and override it there")
def method_replaced(to_static):
    kept, layer = paddle.nn.Flatten.forward, paddle.nn.Flatten(0)

    def change():
        paddle.nn.Flatten.forward = lambda self, x: x * 7

    try:
        return twice(to_static, lambda x: layer(x), change)
    finally:
        paddle.nn.Flatten.forward = kept


@scenario("what a `Mock` counts and returns: its calls break the graph")
def mocked(to_static):
    scale = unittest.mock.Mock(return_value=2)
    run = to_static(lambda x: x * scale())
    return run(POS), run(POS), scale.call_count


@scenario("the context of `decimal`, changed between calls")
def precision(to_static):
    before = decimal.getcontext().prec

    def change():
        decimal.getcontext().prec = 2

    try:
        return twice(to_static, lambda x: x * float(decimal.Decimal(1) / decimal.Decimal(3)), change)
    finally:
        decimal.getcontext().prec = before


class Round:
    pass


class Base:
    scale = 1


class Other:
    scale = 5


class Derived(Base):
    pass


@unseen("a class registered with an abstract one between calls", "register it before the first call")
def registered(to_static):
    ball = Round()
    kind = abc.ABCMeta("Shape", (), {})
    return twice(to_static, lambda x: x * 2 if isinstance(ball, kind) else x, lambda: kind.register(Round))


@unseen("`__bases__` of a class, and its `__subclasses__`, changed between calls", "set an attribute of the class")
def rebased(to_static):
    kind = type("Derived", (Base,), {})
    made = kind()

    def change():
        kind.__bases__ = (Other,)

    return twice(to_static, lambda x: x * made.scale, change)


@scenario("an object that nothing else holds, kept alive by the Programs that were traced with it")
def alive(to_static):
    held = [Round()]
    seen = weakref.ref(held[0])
    return twice(to_static, lambda x: x * 2 if seen() is None else x, held.clear)


@scenario("one item among more than 1,024, changed between calls: noticed some calls later")
def among_many(to_static):
    many = list(range(2000))
    return twice(to_static, lambda x: x * sum(many), lambda: many.__setitem__(700, 5))


class Kind(enum.Enum):
    FIRST = 1

    @property
    def weight(self):
        return WEIGHTS["k"]


WEIGHTS = {"k": 1.0}


@scenario("what a property of an Enum reads")
def of_enum(to_static):
    WEIGHTS["k"] = 1.0
    return twice(to_static, lambda x: x * Kind.FIRST.weight, lambda: WEIGHTS.update(k=9.0))


@unseen("special methods (`__bool__`, `__len__`, ...) added to a class between calls", "give the class one, and replace it")
def special_method(to_static):
    kind = type("Plain", (), {})
    made = kind()
    return twice(to_static, lambda x: x if made else x * 5, lambda: setattr(kind, "__bool__", lambda self: False))


@scenario("what the `__getattribute__` of a class reads")
def every_attribute(to_static):
    scale = [2]

    class Reading:
        def __getattribute__(self, name):
            return scale[0] if name == "scale" else object.__getattribute__(self, name)

    made = Reading()
    return twice(to_static, lambda x: x * made.scale, lambda: scale.__setitem__(0, 3))


@scenario("the order of new attributes that a call sets: numbers first, then tensors")
def order_of_attributes(to_static):
    made = Round()

    def named(x):
        made.tensor = x
        made.number = 1

    to_static(named)(POS)
    return list(vars(made))


@unseen("hooks of a sublayer taken away by `_forward_post_hooks.clear()`", "`handle.remove()`, of what registering it gave")
def hooks_cleared(to_static):
    net = type("Net", (paddle.nn.Sequential,), {})(paddle.nn.ReLU())  # of no other instance's Programs
    net[0].register_forward_post_hook(lambda layer, given, made: made + 10)
    return twice(to_static, net, net[0]._forward_post_hooks.clear)


@scenario("a tensor set before an error that tensors decide, in a call that has taken items of an iterator")
def error_after_iterator(to_static):
    made, steps = Round(), iter([1, 2, 3])
    made.total = POS * 0

    def step(x):
        made.total = made.total + x
        k = next(steps)
        if x.sum() > 2:
            raise ValueError("large")
        return x * k

    with contextlib.suppress(ValueError):
        to_static(step)(POS)
    return made.total


@unseen("the name of a tensor, set in a branch", "set it outside, on the result")
def tensor_name(to_static):
    def named(x):
        y = x * 2
        if x.sum() > 0:
            y.name = "large"
        return y

    return to_static(named)(POS).name == "large"
