"""Attributes that tensors give and take, and global and nonlocal variables that they change"""

import dataclasses

from language_table import BOTH, COUNTS, POS, T, case, refused, scenario

from to_static import nn
from to_static.core.errors import TranslationError

counter, latest = 0, None
CALLS = [T([-1.0, -2.0]), T([1.0, 2.0]), T([1.0, 2.0]), T([-3.0, 1.0]), T([5.0, 6.0])]


class Notes:
    pass


class Counts:
    count = 0

    def step(self, x):
        if x.sum() > 0:
            self.count += 1
        return self.count


class Slots:
    __slots__ = ("a", "b")


@dataclasses.dataclass
class Fields:
    a: object


class Started:
    def __init__(self, x):
        if x.sum() > 0:
            self.positive = x

    @property
    def value(self):
        return self.positive if hasattr(self, "positive") else -1


@case("the first value of an attribute in a branch: `hasattr`, `getattr` with a default, the object itself", *BOTH)
def first_value(x):
    o, other = Notes(), Fields(1)
    alias, kept = o, [o]
    if x.sum() > 0:
        alias.new, other.b = x * 2, "b"
        if x[0] > 0:
            o.items = [x, 1]
    elif x[1] < 0:
        o.new = 5
        o.more = None
    if hasattr(kept[0], "items"):
        o.items.append(3)
    print(getattr(o, "new", None), hasattr(o, "items"))
    started = Started(x)
    return o, other, getattr(o, "items", ()), started.value, hasattr(o, "items") and hasattr(o, "new"), x if hasattr(o, "no") else 1


@refused("an attribute that no branch gave a value raises AttributeError, which `except` catches", *BOTH)
def no_value(x):
    o = Notes()
    if x.sum() > 0:
        o.new = x
    try:
        first = o.new
    except AttributeError as error:
        first = str(error)
    print(first)
    o.new += 1
    return o.new


@case("what a class has for all objects, until a branch gives one its own; `__slots__`", *BOTH)
def of_the_class(x):
    o, slots = Counts(), Slots()
    seen = [o.step(x), o.step(-x), o.step(x), o.count, Counts.count]
    if x.sum() > 0:
        slots.a = x
    return seen, getattr(slots, "a", 5), hasattr(slots, "a"), hasattr(slots, "b"), o


@case("an attribute deleted in a branch or loop", *COUNTS)
def deleted(n):
    o = Notes()
    o.a, o.b, o.c = 1, n * 2, 3
    if n > 2:
        del o.b
    for i in range(n):
        if i == 1:
            del o.a
    return hasattr(o, "a"), getattr(o, "b", 9), o


@case("an attribute that is deleted where it may not be", *BOTH)
def deleted_twice(x):
    o = Notes()
    if x.sum() > 0:
        o.a = x
    del o.a
    return hasattr(o, "a")


@case("the first value of an attribute in a loop", *COUNTS)
def first_in_loop(n):
    o = Notes()
    for i in range(n):
        v = n * 1.0 - i
        if not hasattr(o, "best") or v < o.best:
            o.best, o.at = v, i
        if i == 2:
            o.hit = i * n
            break
    return getattr(o, "best", None), getattr(o, "at", None), hasattr(o, "hit"), getattr(o, "hit", None)


@case("the last trip's attribute after no trips raises AttributeError", *COUNTS)
def last_of_loop(n):
    o = Notes()
    while n > 0:
        o.previous = n
        n = n - 1
    return o.previous


@scenario("a Layer and an argument get attributes that tensors decide, call after call")
def kept(to_static):
    class Cache(nn.Layer):
        def __init__(self):
            super().__init__()
            self.mode, self.tail = "first", 1

        @to_static
        def forward(self, x, note):
            if x.sum() > 0:
                self.cache = x if not hasattr(self, "cache") else x + self.cache
                self.seen = note.seen = 1
                del self.mode
            return x

        @to_static
        def read(self, x):
            if x.sum() > 0:
                self.value = x
            return x + self.value

    net, note, found = Cache(), Notes(), []
    for x in CALLS:
        net.mode = "first"
        found.append((net(x, note), dict(vars(note)), [getattr(net, name, None) for name in ("cache", "seen", "mode", "tail")]))
        try:
            found.append(net.read(x))
        except AttributeError as error:
            found.append(str(error).split("\n")[0])
    return found


@refused("which attributes an object has, asked for as a whole", POS)
def as_a_whole(x):
    o = Notes()
    if x.sum() > 0:
        o.new = x
    return sorted(vars(o))


def bump(x):
    global counter, latest
    if x.sum() > 0:
        counter += 1
        latest = x
    return latest is None


@scenario("global and nonlocal variables of functions that live on, changed under tensor conditions and in tensor loops")
def outer_variables(to_static):
    global counter, latest
    counter, latest = 0, None
    total, word, pair = 0, "none", (0, 1)
    mean = T([0.0, 0.0])

    def note(x):
        nonlocal total, word
        if x.sum() > 0:
            total += 2
            word = "positive"
        return total

    @to_static
    def run(x):
        nonlocal mean, pair, total
        first = bump(x), note(x), note(-x)
        for v in x:
            if v > 4:
                mean = mean * 0.5 + v
                pair = pair[1], pair[0] + pair[1]
                break
            total += 1
        if latest is None:
            return first, word, total
        return first, word == "positive", latest + mean, total * counter

    return [(run(x), counter, latest, total, word, pair, mean) for x in CALLS]


@scenario("a global variable bound by `:=` in a lazy operand, and deleted and set anew in a branch")
def bound_in_passing(to_static):
    global counter
    counter = 0

    @to_static
    def run(x):
        global counter
        if x.sum() > 0 and (counter := counter + 5):
            return x
        if x[0] < -2:
            del counter
            counter = 1
        return x + counter

    return [(run(x), counter) for x in CALLS]


@refused("a global variable that gets its first value in a branch", POS, error=TranslationError)
def first_global(x):
    global unknown
    if x.sum() > 0:
        unknown = x
    return x
