"""Objects and their identity"""

import collections
import dataclasses
import functools
import types

from language_table import NEG, POS, T, fresh, refused, scenario

import to_static as paddle
from to_static import nn
from to_static.core.errors import TranslationError

WEIGHT = T([3.0, 4.0])
LAST = None


class Box:
    def __init__(self, value=0):
        self.value = value
        self.items = []


@dataclasses.dataclass
class Pair:
    first: object
    second: object = None


class Keeper(nn.Layer):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", paddle.zeros([2]))
        self.weight = self.create_parameter([2], default_initializer=nn.initializer.Constant(2.0))
        self.last = None
        self.trail = []
        self.names = ["a"]


@scenario("the same list passed twice is one object")
def passed_twice(to_static):
    @to_static
    def f(a, b):
        a.append(2)
        return a is b, len(b)

    items = [1]
    return f(items, items), f([1], [1]), items


@scenario("new objects in every call")
def new_in_every_call(to_static):
    @to_static
    def f(x):
        box = Box(x * 2)
        box.me = box
        box.items.append(x)
        return box, [1], types.SimpleNamespace(a=1), bytearray(b"a"), functools.partial(max, 1)

    first, second = f(POS), f(NEG)
    first[1].append(2)
    first[3].append(2)
    box = second[0]
    return first[0] is box, box.me is box, box.items[0] is NEG, box.value, second[1:], f(POS)[1], first[4](2)


@scenario("tensors in sets, deques, `defaultdict`s, dataclasses, closures and slots that are returned")
def returned_in_objects(to_static):
    class Slots:
        __slots__ = ("a", "b")

    @to_static
    def f(x):
        slots = Slots()
        slots.a = x * 5
        table = collections.defaultdict(list)
        table["a"].append(x * 3)

        def later():
            return x * 0 + slots.a

        return {x * 2}, collections.deque([x, x * 2], maxlen=3), table, Pair(x * 4), slots, later

    numbers, queue, table, pair, slots, later = f(POS)
    table["b"].append(1)
    return [v.tolist() for v in numbers], list(queue), queue.maxlen, table, pair, slots.a, hasattr(slots, "b"), later()


@refused("an iterator or generator that is returned", POS, error=TranslationError)
def returned_generator(x):
    return (v * 2 for v in (x, x))


@scenario("a tensor kept in an attribute of a Layer, with its gradient")
def kept_in_attribute(to_static):
    class Net(Keeper):
        def forward(self, x):
            self.last = (x * self.weight).sum()
            return x * 2

    net, losses = Net(), []
    f = to_static(net)
    for value in (POS, NEG, POS):
        f(value)
        losses.append(net.last)
    sum(losses).backward()
    return losses, net.weight.grad, sorted(net.state_dict())


@scenario("a state that starts as None and goes on from call to call")
def kept_state(to_static):
    class Net(Keeper):
        def forward(self, x):
            h, c = (x * 0, x * 0) if self.last is None else self.last
            self.last = h + x, c - x
            return self.last[0]

    net = Net()
    f = to_static(net)
    return [f(POS) for _ in range(4)], net.last


@scenario("an attribute of an argument that a tensor condition sets, or leaves `None`")
def kept_under_condition(to_static):
    @to_static
    def f(x, box):
        box.value = None
        if x.sum() > 0:
            box.value = x * 2
        return x

    box, seen = Box(), []
    for value in (NEG, POS, NEG):
        f(value, box)
        seen.append(box.value)
    return seen


@scenario("attributes of an argument that change between calls")
def changed_between(to_static):
    @to_static
    def f(box, x):
        return x * box.value

    box, found = Box(2), []
    for value in (2, 3, POS, WEIGHT):
        box.value = value
        found.append(f(box, POS))
    return found


@scenario("a closure that is returned sees its variables")
def returned_closure(to_static):
    @to_static
    def f(x):
        y = x * 2

        def later():
            return y, x

        if x.sum() > 0:
            y = x * 3
        return later

    return f(POS)(), f(NEG)()


PLACES = (0, 1, 2, 3, 2)


@scenario("what a trace does before it is made again, to know which tensor a result is, happens once")
def asked_again(to_static):
    calls, numbers = [], iter(range(9))

    @to_static
    def f(x, n):
        calls.append(1)
        k = next(numbers)
        return x if n > 0 else x * k

    seen = []
    for n in (0, 1, 0):
        seen += [f(fresh(POS), T(n, "int64")), len(calls)]
    return seen, next(numbers)
