"""Attributes that classes set and find themselves: `__setattr__`, `__getattr__`, descriptors, metaclasses"""

import dataclasses
import typing

from language_table import BOTH, COUNTS, NEG, POS, T, case, refused, scenario

from to_static import nn


class Recorder:
    def __init__(self):
        object.__setattr__(self, "names", [])
        self.value = 0

    def __setattr__(self, name, value):
        self.names.append(name)
        object.__setattr__(self, name, value)


class Forward:
    def __init__(self, inner):
        super().__setattr__("inner", inner)

    def __getattr__(self, name):
        return getattr(self.inner, name)

    def __setattr__(self, name, value):
        setattr(self.inner, name, value)


class Plain:
    def __init__(self, value):
        self.value, self.count = value, 0


@case("`__setattr__` in a branch: a class that notes what is set, and one that hands it on", *BOTH)
def setattr_in_branch(x):
    notes, plain = Recorder(), Plain(x)
    forward = Forward(plain)
    if x.sum() > 0:
        notes.value = x * 2
        forward.value = x * 3
        forward.count += 1
    else:
        notes.value = x
    return notes.value, len(notes.names), plain, forward.count


@case("`__setattr__` in a loop", *COUNTS)
def setattr_in_loop(n):
    notes, forward = Recorder(), Forward(Plain(n))
    notes.value = n
    for _ in range(n):
        notes.value = notes.value + n
        forward.count += 2
    return notes.value, len(notes.names), forward.inner


class Options:
    def __init__(self, **entries):
        self.__dict__["entries"] = entries

    def __getattr__(self, name):
        if name == "largest":
            if self.entries["x"].sum() > 0:
                return self.entries["x"].max()
            return -self.entries["x"].min()
        if name not in self.entries:
            raise AttributeError(f"no option {name}")
        return self.entries[name]

    def __setattr__(self, name, value):
        self.entries[name] = value

    def __delattr__(self, name):
        del self.entries[name]


@case("`__getattr__` that asks tensors, and options in a dict that `__setattr__` and `__delattr__` change", *BOTH)
def getattr_asks(x):
    options = Options(x=x, k=2)
    if x.sum() > 0:
        options.x = x * options.k
        options.k = 5
    options.extra = x
    del options.extra
    return options.largest, options.x, options.k, hasattr(options, "extra"), getattr(options, "missing", 3)


@dataclasses.dataclass(frozen=True)
class Frozen:
    x: typing.Any
    k: int = 1

    def __post_init__(self):
        object.__setattr__(self, "total", self.x.sum())
        if self.x.sum() > 0:
            object.__setattr__(self, "k", 7)


@case("`object.__setattr__` of a frozen dataclass in a branch", *BOTH)
def frozen_set(x):
    made = Frozen(x)
    return made.k, made.total, dataclasses.replace(made, x=-x).k


@case("a frozen dataclass that a branch sets raises as in Python", *BOTH)
def frozen_refuses(x):
    made = Frozen(x)
    if x.sum() < 0:
        made.k = 3
    return made.k


class Limited:
    """Keeps what it is given in the object's own namespace, under its own name."""

    def __init__(self, high):
        self.high = high

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, owner, kind=None):
        return self if owner is None else owner.__dict__[self.name]

    def __set__(self, owner, value):
        if value > self.high:
            value = value * 0 + self.high
        owner.__dict__[self.name] = value * 2

    def __delete__(self, owner):
        del owner.__dict__[self.name]


class Rates:
    rate = Limited(3.0)

    def __init__(self, rate):
        self.rate = rate


@case("a descriptor that keeps values in `owner.__dict__[name]`", (T(1.0), T(3, "int64")), (T(-1.0), T(0, "int64")))
def descriptor_in_dict(x, n):
    rates = Rates(x)
    if x > 0:
        rates.rate = x + 1
    for _ in range(n):
        rates.rate = rates.rate + x
    kept = rates.rate
    made = Rates(x) if x > 0 else Rates(x - 1)
    del rates.rate
    return kept, made, sorted(vars(rates))


class Temperature:
    def __init__(self, celsius):
        self.celsius, self.resets = celsius, 0

    @property
    def kelvin(self):
        return self.celsius + 273

    @kelvin.deleter
    def kelvin(self):
        self.celsius = self.celsius * 0
        self.resets += 1


@case("a property deleted in a branch", *BOTH)
def property_deleted(x):
    t = Temperature(x)
    if x.sum() > 0:
        del t.kelvin
    return t.kelvin, t.resets


@case("`delattr` in a branch", *BOTH)
def delattr_in_branch(x):
    plain = Plain(x)
    if x.sum() > 0:
        delattr(plain, "value")
    return hasattr(plain, "value"), getattr(plain, "value", 5), plain.count


class Units(type):
    made = 0

    def __call__(cls, *args):
        Units.made += 1
        return super().__call__(*args)

    def __getitem__(cls, k):
        if k > cls.base:
            return cls(k * cls.base)
        return cls(k)

    def __mul__(cls, k):
        return cls(cls.base * k)

    def __getattr__(cls, name):
        if name not in cls.extra:
            raise AttributeError(name)
        return cls.extra[name]

    @property
    def double(cls):
        return cls.base * 2


class Meter(metaclass=Units):
    base = 1
    extra = {"offset": 2.0}

    def __init__(self, v):
        self.v = v


@case("methods and properties of a metaclass that ask tensors", *BOTH)
def metaclass_methods(x):
    return Meter[x.sum()].v, (Meter * x).v, Meter.double * x + Meter.offset


@scenario("what a metaclass and its classes hold, changed by calls and between them")
def metaclass_changes(to_static):
    def scaled(x):
        return (Meter * x).v * Meter.offset, Meter(x).v

    run, found, before = to_static(scaled), [], Units.made
    for base, offset in ((1, 2.0), (1, 2.0), (4, 2.0), (4, 9.0), (1, 2.0)):
        Meter.base, Meter.extra["offset"] = base, offset
        found.append((run(POS), Units.made - before))
    return found


class Twice:
    def __init__(self, v):
        object.__setattr__(self, "v", v)

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value * 2)


@scenario("a setter runs once in every call: `__setattr__`, descriptors and Layers that live on")
def setters_once(to_static):
    class Counting(nn.Layer):
        def __init__(self):
            super().__init__()
            self.sets, self.state = 0, None

        def __setattr__(self, name, value):
            if name == "state":
                super().__setattr__("sets", getattr(self, "sets", 0) + 1)
            super().__setattr__(name, value)

        def forward(self, x):
            self.state = x if self.state is None else self.state + x
            return self.state

    notes, twice, rates, layer = Recorder(), Twice(POS), Rates(T(1.0)), Counting()

    def change(x, mine):
        notes.value = x
        twice.v = twice.v + x
        mine.v = mine.v + x
        if x.sum() > 0:
            rates.rate = rates.rate + x.sum()
        return twice.v, len(notes.names), layer(x), Twice(x), Rates(x.sum())

    run, found, mine = to_static(change), [], Twice(NEG)
    for x in (POS, POS, NEG):
        found.append((run(x, mine), list(notes.names), notes.value, twice.v, mine.v, rates.rate, layer.sets, layer.state))
    return found


class Schedule:
    def __init__(self):
        self.steps, self.last = 0, None

    def __call__(self, x):
        self.steps += 1
        self.last = x * self.steps
        return self.last


class WithSchedule:
    schedule = Schedule()


@scenario("an object with `__call__` that a class keeps, and attributes of functions, changed by calls")
def kept_callables(to_static):
    def count(x):
        count.calls = getattr(count, "calls", 0) + 1
        count.total = count.total + x
        if x.sum() > 0:
            count.best = x
        return x * count.calls

    count.total, count.best = T([0.0, 0.0]), None
    run, found, schedule = to_static(lambda x: (WithSchedule().schedule(x), count(x))), [], WithSchedule.schedule
    schedule.steps = 0
    for x in (POS, POS, NEG):
        found.append((run(x), schedule.steps, schedule.last, count.calls, count.total, count.best))
    return found


class Shut:
    def __init__(self, x):
        object.__setattr__(self, "x", x)

    def __setattr__(self, name, value):
        raise AttributeError(f"can't set {name}")


@case("a `__setattr__` that raises in a branch", *BOTH)
def shut_in_branch(x):
    shut = Shut(x)
    if x.sum() > 0:
        shut.x = x * 2
    return shut.x


class Table(dict):
    __setattr__ = dict.__setitem__
    __getattr__ = dict.__getitem__


@refused("attributes of a dict, set in a branch", *BOTH)
def dict_with_attributes(x):
    table = Table(v=x)
    if x.sum() > 0:
        table.v = x * 2
    return table.v
