"""State: attributes, entries and objects that change"""

from language_table import BOTH, COUNTS, POS, T, case, refused, scenario

import to_static as paddle
from to_static.core.errors import TranslationError


class Box:
    def __init__(self, value=None):
        self.value = value
        self.count = 0

    def bump(self, x):
        if x.sum() > 0:
            self.value = x * 2
            self.count += 1
        return self.value


@case("an attribute written in a branch", *BOTH)
def attribute(x):
    box = Box(x)
    if x.sum() > 0:
        box.value = box.value * 3
        box.count += 1
    return box.value, box.count


@case("attributes written in a loop", *COUNTS)
def attribute_loop(n):
    box = Box(n)
    for i in range(n):
        box.value = box.value + i
        box.count += 1
    return box.value, box.count


@case("an attribute written by a method called in a branch", *BOTH)
def attribute_method(x):
    box = Box(x)
    if x[0] > 0:
        y = box.bump(x)
    else:
        y = x
    return y, box.value, box.count


@case("an attribute of an attribute, written in a branch", *BOTH)
def attribute_nested(x):
    outer = Box(Box(x))
    if x.sum() > 0:
        outer.value.value = x * 5
    return outer.value.value


@case("an attribute of an argument, written at the top", POS)
def attribute_plain(x):
    box = Box()
    box.value = x * 2
    box.count = 3
    return box.value, box.count


@case("an entry of a nested container written in a branch", *BOTH)
def nested_entry(x):
    data = {"a": [x, x], "n": 0}
    if x.sum() > 0:
        data["a"][0] = x * 2
        data["n"] += 1
    return data


@case("an alias of a container written in a branch", *BOTH)
def container_alias(x):
    data = {"a": x}
    same = data
    if x.sum() > 0:
        data["a"] = x * 2
    return same["a"], same is data


@case("an object that two names share, written in a loop", *COUNTS)
def shared_object(n):
    a = Box(n)
    b = a
    for i in range(n):
        a.value = a.value + 1
    return b.value, a is b


@case("an object replaced in a branch by an object of the same class", *BOTH)
def replaced(x):
    box = Box(x)
    if x.sum() > 0:
        box.value = Box(x * 2).value
    return box.value


@refused("an attribute of an object that outlives the call, changed in a branch", BOTH[0], error=TranslationError, says=("value",))
def outliving(x):
    if x.sum() > 0:
        KEPT.value = x
    return x


KEPT = Box()


@case("`x += 1` on an alias", POS)
def augmented(x):
    y = x
    y += 1
    return x, y


@case("in-place methods", POS)
def inplace_methods(x):
    y = x.clone()
    z = y
    y.add_(x)
    y.scale_(2.0)
    y[0] = 7.0
    y[1:] = y[1:] + 1
    return y, z


@case("in-place changes of an argument are the caller's", POS)
def inplace_caller(x):
    x[0] = 9.0
    x.add_(T([1.0, 1.0]))
    return x.sum()


@refused("an in-place change of a tensor that may have other names", BOTH[0], error=TranslationError, says=("clone",))
def inplace_joined(x):
    y = x
    if x.sum() > 0:
        y = x * 2
    y[0] = 5.0
    return x, y


@scenario("a buffer counted up in `forward`")
def buffers(to_static):
    class Net(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            self.register_buffer("steps", paddle.zeros([1]))

        def forward(self, x):
            self.steps = self.steps + 1
            if x.sum() > 0:
                self.steps = self.steps + 10
            return x * self.steps

    net = Net()
    to_static(net)
    return [net(T([1.0])), net(T([-1.0])), net(T([2.0])), net.steps]


@scenario("closed-over tensors changed in place between and during calls")
def closed_over(to_static):
    total = paddle.zeros([2])

    def f(x):
        total.add_(x)
        return total * 1

    static = to_static(f)
    first = static(POS)
    total.add_(T([100.0, 100.0]))
    return [first, static(POS), total]
