"""State: attributes, entries and objects that change"""

from language_table import BOTH, COUNTS, NEG, POS, T, case, refused, scenario

import to_static as paddle


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


@scenario("an attribute of an object that outlives the call, changed in a branch")
def outliving(to_static):
    @to_static
    def f(x):
        if x.sum() > 0:
            KEPT.value = x
        return x

    KEPT.value = None
    first = f(NEG), KEPT.value
    return first, f(POS), KEPT.value, f(NEG), KEPT.value


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


class Switch:
    def __init__(self):
        self.on = False
        self.rates = {"k": 1}
        self.weight = T([1.0, 1.0])

    def step(self, x):
        self.on = not self.on
        return x * (2 if self.on else 3)

    def read(self, x):
        return x * self.rates["k"] + self.weight


@scenario("an attribute that a method or function changes in every call")
def changed_every_call(to_static):
    own, given, named = Switch(), Switch(), Switch()

    def takes(switch, x):
        switch.on = not switch.on
        return x * (2 if switch.on else 3)

    def names(x):
        named.on = True
        return x

    method, takes, names = to_static(own.step), to_static(takes), to_static(names)
    seen = []
    for _ in range(4):
        named.on = False
        names(POS)
        seen.append((method(POS), own.on, takes(given, POS), given.on, named.on))
    return seen


@scenario("attributes of an object that are replaced between calls")
def replaced_between_calls(to_static):
    switch = Switch()

    def reads(switch, x):
        return switch.read(x)

    method, reads = to_static(switch.read), to_static(reads)
    seen = [method(POS), reads(switch, POS)]
    switch.weight = T([5.0, 5.0])
    seen += [method(POS), reads(switch, POS)]
    switch.rates["k"] = 3
    return [*seen, method(POS), reads(switch, POS)]


class Counting(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.calls = 0
        self.inner = Switch()

    def forward(self, x):
        self.calls += 1
        return self.inner.step(x)


@scenario("plain attributes that the `forward` of a Layer changes")
def changed_by_forward(to_static):
    called, named = to_static(Counting()), Counting()

    def calls(x):
        return named(x) + named.calls

    calls = to_static(calls)
    return [(called(POS), called.calls, calls(POS), named.calls) for _ in range(4)]


@case("a tensor left in an attribute of an argument", (Switch(), POS))
def tensor_left(switch, x):
    switch.last = x * 2
    return x


class Totals:
    count, last, best = 0, None, 0.0

    @classmethod
    def note(cls, x):
        cls.count += 1
        if x.sum() > cls.best:
            cls.best = float(x.sum())
        cls.last = x

    @classmethod
    def seen(cls):
        return cls.count, cls.last, cls.best, sorted(vars(cls).keys() & {"count", "last", "best", "made"})


class MoreTotals(Totals):
    count = 5


@scenario("attributes of classes: set, set in branches and counted in loops, through names, `type(self)` and class methods")
def class_attributes(to_static):
    class Net(paddle.nn.Layer):
        calls = 0

        def forward(self, x):
            type(self).calls += 1
            self.__class__.made = x
            if x.sum() > 0:
                Net.calls += 10
                Totals.note(x)
            for _ in range(x.astype("int64")[0]):
                MoreTotals.count += 1
            Totals.best = Totals.best + x.mean()
            MoreTotals.last = x + 1
            return x * self.calls

    def at_start():
        Totals.count, Totals.last, Totals.best, MoreTotals.count = 0, None, 0.0, 5
        for name in vars(MoreTotals).keys() & {"last"}:
            delattr(MoreTotals, name)

    at_start()
    run, found = to_static(Net()), []
    for k in (1.0, -1.0, 3.0, 3.0, 0.0):
        found.append((run(T([1.0, 2.0]) * k), Net.calls, Net.made, Totals.seen(), MoreTotals.seen()))
    at_start()
    return found


@refused("an attribute of a class that gets its first value under a condition", POS)
def first_of_class(x):
    if x.sum() > 0:
        MoreTotals.best = x
    return x


@scenario("an attribute of a class that an error leaves")
def class_and_error(to_static):
    def check(x):
        Totals.last = x
        if x.sum() < 0:
            raise ValueError("negative")
        return x

    run, found = to_static(check), []
    for k in (1.0, -1.0, 2.0):
        try:
            found.append(run(T([k])))
        except ValueError as error:
            found.append(str(error))
        found.append(Totals.last)
    Totals.last = None
    return found
