"""Classes of the user's"""

import dataclasses
import enum
import functools
import types
import typing

from language_table import BOTH, COUNTS, POS, T, case, refused, scenario

import to_static as paddle


class Best:
    def __init__(self):
        self.best, self.count = None, 0

    def add(self, v):
        self.count += 1
        if self.best is None or v > self.best:
            self.best = v


@case("a method that finds None in an attribute, or what an earlier trip left there", *BOTH)
def method_asks_attribute(x):
    found = Best()
    for v in x:
        if v > -1.5:
            found.add(v)
    return found.best, found.count


class Filled:
    def __init__(self, items=()):
        self.items = list(items)

    def __iter__(self):
        return iter(self.items)


class Positive:
    def __init__(self, x):
        self.x = x

    def __iter__(self):
        for v in self.x:
            if v > 0:
                yield v


class Three:
    def __iter__(self):
        self.i = 0
        return self

    def __next__(self):
        if self.i == 3:
            raise StopIteration
        self.i += 1
        return self.i


@refused("objects of classes with `__iter__`, over lists and generators that tensors decide", *BOTH)
def iterable_objects(x):
    filled, positive, three = Filled(), Positive(x), Three()
    for v in positive:
        filled.items.append(v * 2)
    found = [list(zip(three, x)), sum(three), [v + 1 for v in filled], sum(filled), list(enumerate(filled)), any(filled)]
    return found, list(positive), sum(positive), [*positive], list(map(abs, positive)), all(positive), 2 in filled, 2 in positive


class Bag:
    def __init__(self, x):
        self.x = x

    def __bool__(self):
        if self.x.sum() > 100:
            return True
        return bool(self.x.sum() > 0)

    def __len__(self):
        return int((self.x > 0).sum())

    def __contains__(self, v):
        for i in self.x:
            if i == v:
                return True
        return False


class Sized:
    def __init__(self, x):
        self.x = x

    def __len__(self):
        return int((self.x > 0).sum())


class Pair:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Pair(self.x + other.x, self.y + other.y)

    def __mul__(self, k):
        return Pair(self.x * k, self.y * k)

    __rmul__ = __mul__

    def __getitem__(self, i):
        return self.x if i == 0 else self.y

    def __iter__(self):
        yield self.x
        yield self.y

    def __call__(self, k):
        return self.x * k if self.x.sum() > 0 else self.y

    def __lt__(self, other):
        return self.x.sum() < other.x.sum()

    def __eq__(self, other):
        return bool((self.x == other.x).all())

    def __enter__(self):
        self.x = self.x + 1
        return self

    def __exit__(self, *error):
        self.x = self.x - 1
        return False

    @property
    def size(self):
        if self.x.sum() > 0:
            return self.x.sum()
        return -self.x.sum()

    @size.setter
    def size(self, value):
        self.x = self.x * value

    @classmethod
    def twice(cls, x):
        return cls(x, x)


@case("`__bool__`, and `__len__` in its place, where Python asks for the truth of an object", *BOTH)
def truth_of_objects(x):
    bag, sized = Bag(x), Sized(x)
    n = 0
    if bag:
        n += 1
    if not sized:
        n += 10
    k = 100 if bag and sized else 200
    while sized and n < 5:
        n += 1
    assert bag or n > 0
    found = sized and x
    return n, k, bool(bag), bool(sized), not bag, (bag or x) is bag, type(found).__name__


@case("`len()` and `in` of objects whose methods ask tensors", *BOTH)
def length_and_membership(x):
    bag = Bag(x)
    return len(bag), len(Sized(x)), 1.0 in bag, 2 not in bag, x.sum() in bag


@case("what such methods may not give", (POS, 0), (POS, 1), (POS, 2))
def wrong_answers(x, which):
    class Wrong:
        def __bool__(self):
            return x.sum()

        def __len__(self):
            return -1 if which == 1 else "two"

    return bool(Wrong()) if which == 0 else len(Wrong())


@case("operators, items, iteration and calls of objects", *BOTH)
def operators(x):
    v = Pair(x, x * 2) + Pair.twice(x) * 2
    w = 2 * v
    a, b = w
    return w[0], w[1], v(3), a - b, [t for t in w], v < w


@case("properties that tensors decide in", *BOTH)
def properties(x):
    v = Pair.twice(x)
    v.size = 3
    return v.x, v.size


@case("an object as a context that changes itself", *BOTH)
def contexts(x):
    v = Pair.twice(x)
    with v as w:
        if w.x.sum() > 0:
            r = w.x * 2
        else:
            r = w.x
    return r, v.x


@case("`==` and `!=` of objects whose `__eq__` takes the truth of tensors", *BOTH)
def equal_objects(x):
    a, b = Pair.twice(x), Pair.twice(x * 2)
    return a == b, a != b, a == Pair.twice(x), (1 if a == b else 2)


class Checked:
    def __init__(self, x):
        if x.sum() > 0:
            self.x = x
        else:
            self.x = -x
        self.seen = [abs(v) for v in x if v > 1]

    def __getitem__(self, i):
        return self.x[i] if self.x[i] > 1 else 0.0

    def __setitem__(self, i, v):
        if v > 0:
            self.x = self.x + v

    def __sub__(self, k):
        return self.x - k if self.x.mean() > k else self.x


class Filtered(paddle.nn.Layer):
    @property
    def last(self):
        if self.value.sum() > 0:
            return self.value.sum()
        return -self.value.sum()

    def forward(self, x):
        self.value = x
        return self.last


@case("conditions in `__init__`, items and operators", *BOTH)
def special_methods(x):
    box = Checked(x)
    box[0] = x.sum()
    for v in x:
        box[0] = v
    if x.mean() > 0:
        box[1] = x.mean()
    return box[0], box[1], box - 1, box.x, len(box.seen)


@scenario("a property of a Layer; classes have their own methods afterwards")
def layer_property(to_static):
    own = Checked.__dict__["__init__"], Filtered.__dict__["last"]
    run = to_static(lambda x: Checked(x).x)
    net = to_static(Filtered())
    results = [run(POS), run(-POS), net(POS), net(-POS)]
    return results, own == (Checked.__dict__["__init__"], Filtered.__dict__["last"])


@case("a property set under a tensor condition", *BOTH)
def property_in_branch(x):
    v = Pair.twice(x)
    if x.sum() > 0:
        v.size = 2
    return v.x


class Color(enum.Enum):
    RED = 1
    BLUE = 2


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 5


@case("members of enumerations chosen by tensors", *BOTH)
def enumerations(x):
    color = Color.RED if x.sum() > 0 else Color.BLUE
    level = Level.HIGH if x.sum() > 0 else Level.LOW
    if color is Color.RED:
        y = x * level
    else:
        y = x - level
    return y, color == Color.BLUE, color.name, level + 1


class Point(typing.NamedTuple):
    a: object
    b: int = 3


@case("named tuples replaced in a branch", *BOTH)
def named_tuples(x):
    p = Point(x)
    if x.sum() > 0:
        p = p._replace(a=p.a * 2)
    q, r = p
    return p, p.a, q + r


@dataclasses.dataclass
class Walker:
    v: object
    w: int = 0
    items: list = dataclasses.field(default_factory=list)

    def step(self, k):
        if self.v.sum() > k:
            self.v = self.v - k
            self.w += 1
        self.items.append(self.v)
        return self


@case("dataclasses whose methods change them", *BOTH)
def dataclass_methods(x):
    d = Walker(x)
    for k in range(3):
        d.step(k)
    other = dataclasses.replace(d, w=9)
    d.w |= 4
    return d.v, d.w, len(d.items), other.w, other.v


class Base:
    def __init__(self, k):
        self.k = k

    def f(self, x):
        return x * self.k if x.sum() > 0 else x


class Child(Base):
    def f(self, x):
        y = super().f(x)
        if y.mean() > 1:
            y = super(Child, self).f(y)
        return y + 1


@case("`super()` with and without arguments, methods called through classes", *BOTH)
def inheritance(x):
    return Child(2).f(x), Base.f(Child(3), x), paddle.Tensor.sum(x)


class Slotted:
    __slots__ = ("items", "n", "v")

    def __init__(self, v):
        self.v, self.n, self.items = v, 0, [v]


@dataclasses.dataclass(slots=True)
class SlottedData:
    a: object
    n: int = 0


class Watched:
    def __init__(self, v):
        self._v, self.sets = v, 0

    @property
    def v(self):
        return self._v

    @v.setter
    def v(self, new):
        if new.sum() > 0:
            self._v = new
        self.sets += 1

    @property
    def fixed(self):
        return 1


@case("attributes of objects with `__slots__` in branches and loops", *COUNTS)
def slots(n):
    o, d = Slotted(n), SlottedData(n)
    same = o
    for i in range(n):
        same.v = o.v + i
        d.a = d.a * 2
        if i > 0:
            o.n += 1
            o.items.append(o.v)
    if n > 1:
        d.n = 3
        d = dataclasses.replace(d, n=d.n + 1)
    return o.v, o.n, o.items, d, o is same


@case("property setters in branches and loops", *BOTH)
def setters(x):
    o = Watched(x)
    same = o
    if x.max() > 1.5:
        same.v = x * 2
    for v in x:
        o.v = v
    return o.v, same.sets, o.sets


@case("a property without setter fails as in Python", *BOTH)
def no_setter(x):
    o = Watched(x)
    if x.sum() > 0:
        o.fixed = 2
    return o.sets


@case("attributes of a `SimpleNamespace` in branches and loops", *COUNTS)
def namespace(n):
    state = types.SimpleNamespace(a=n, hist=[])
    inner = types.SimpleNamespace(state=state)
    for i in range(n):
        inner.state.a = state.a + i
        state.hist.append(state.a)
        if i > 1:
            state.a = state.a * 2
    if n > 0:
        state.last = 1
    else:
        state.last = 2
    return state, inner.state is state, state.last


@case("namespaces inside of namespaces, changed in a branch", *BOTH)
def nested_namespaces(x):
    outer = types.SimpleNamespace(k=1, inner=types.SimpleNamespace(v=x))
    if x.sum() > 0:
        outer.k, outer.inner.v = 5, x * 2
    return outer.inner.v * outer.k, vars(outer)["k"]


class Halved:
    """A descriptor of the user's, with tensor conditions."""

    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, owner, kind=None):
        if owner is None:
            return self
        value = getattr(owner, self.name)
        return value if value.sum() > 0 else -value

    def __set__(self, owner, value):
        if value.sum() > 4:
            value = value / 2
        setattr(owner, self.name, value)


class Described:
    value = Halved()


@case("descriptors with tensor conditions in `__get__` and `__set__`", *BOTH, T([10.0, 2.0]))
def descriptors(x):
    owner = Described()
    owner.value = x
    first = owner.value
    if x.sum() > 0:
        owner.value = x * 3
    return first, owner.value, owner._value, isinstance(Described.value, Halved)


class Lazy:
    def __init__(self, x):
        self.x, self.count = x, 0

    @functools.cached_property
    def stats(self):
        self.count += 1
        return (self.x.mean(), self.x.max()) if self.x.sum() > 0 else (self.x.min(), self.x.sum())


@case("a `cached_property` with a tensor condition: computed once", *BOTH)
def cached_properties(x):
    lazy, total = Lazy(x), 0
    a, b = lazy.stats
    for v in x:
        total = total + lazy.stats[0] * v
    if x.sum() > 0:
        total = total + lazy.stats[1]
    return a + b, lazy.stats[0] is a, lazy.count, total


@case("a `cached_property` first asked for in a loop, or in both branches", *BOTH)
def cached_late(x):
    one, other, total = Lazy(x), Lazy(x * 2), 0
    for v in x:
        total = total + one.stats[0] * v
    if x.sum() > 0:
        total = total + other.stats[0]
    else:
        total = total - other.stats[0]
    return total, one.count, other.count, other.stats


@refused("a `cached_property` asked for in one branch only", *BOTH)
def cached_in_branch(x):
    lazy, a = Lazy(x), x
    if x.sum() > 0:
        a = lazy.stats[0]
    return a, lazy.stats


@scenario("a `cached_property` of an object that lives on")
def cached_outside(to_static):
    lazy = Lazy(T([1.0, 2.0]))
    run = to_static(lambda x: x * lazy.stats[1])
    seen = [run(POS), run(POS + 1), lazy.count]
    lazy.x = T([5.0, 5.0])
    seen += [run(POS), lazy.count]
    del lazy.stats
    return [*seen, run(POS), lazy.count]


@dataclasses.dataclass(order=True)
class Scored:
    score: float
    name: str = dataclasses.field(default="", compare=False)


@case("dataclasses in order, of the numbers of tensors: `sorted`, `max`, `<`, `==`", *BOTH, T([2.0, 2.0]))
def ordered_dataclasses(x):
    items = [Scored(float(v), f"i{k}") for k, v in enumerate(x)]
    first, last = items
    down = [item.name for item in sorted(items, reverse=True)]
    return max(items).name, min(items).score, down, first < last, first >= last, first == last, first != last


@case("many objects in order, of Python numbers", *BOTH)
def many_objects(x):
    items = sorted([Scored(-k, f"i{k}") for k in range(20)])
    return x * items[0].score, [item.name for item in items[:2]]


class Counted:
    made = 0

    def __new__(cls, x):
        print("made", x.shape)
        new = super().__new__(cls)
        new.sign = 1 if x.sum() > 0 else -1
        return new

    def __init__(self, x):
        self.x = x


class Held(typing.NamedTuple):
    a: object
    b: object = 0


class CheckedPair(Held):
    __slots__ = ()

    def __new__(cls, a, b=0):
        if a.sum() > 0:
            print("positive")
        return super().__new__(cls, a * 2, b)


@case("`__new__` that tensors decide about", *BOTH)
def made_by_new(x):
    made = CheckedPair(x) if x.sum() > 0 else CheckedPair(x, 3)
    return Counted(x).sign, made, made.b, made._replace(b=x)


class Extent(tuple):
    def __new__(cls, *sizes):
        return super().__new__(cls, sizes)

    @property
    def size(self):
        return self[0] * self[1]


class Labelled(tuple):
    def __new__(cls, items, label):
        new = super().__new__(cls, items)
        new.label = label
        return new


@case("classes made from `tuple`, which conditions and loops choose", *BOTH)
def tuples_of_a_class(x):
    extent = Extent(2, 3) if x.sum() > 0 else Extent(4, 5)
    label = Labelled((x, 3), "a") if x.sum() > 0 else Labelled((x, 3), "b")
    found = []
    for v in x:
        extent = Extent(extent[0] + 1, extent[1])
        found.append(Extent(v, 1))
    return extent, extent.size, type(extent).__name__, label.label, found, Extent(x, x * 2)


@functools.total_ordering
class Price:
    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return self.value == other.value

    def __lt__(self, other):
        return self.value < other.value


@case("`functools.total_ordering` over tensors", *BOTH)
def total_ordering(x):
    a, b = Price(x[0]), Price(x[1])
    best = a if a >= b else b
    return best.value, a > b, a <= b, a != b, max(a, b).value, sorted([a, b], reverse=True)[0].value


@case("`super()` in a class that a function defines", *BOTH)
def local_super(x):
    class Scale:
        def __init__(self, k):
            self.k = k

        def run(self, v):
            return v * self.k

    class Signed(Scale):
        def __init__(self, k):
            super().__init__(k if x.sum() > 0 else -k)

        def run(self, v):
            if v.sum() > 0:
                return super().run(v) + 1
            return super().run(v)

    return Signed(2.0).run(x)


class Embedding:
    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return isinstance(other, Embedding) and self.value.sum() == other.value.sum()

    __hash__ = None


@case("`in`, `index`, `count` and `remove` with objects whose `__eq__` compares tensors", *BOTH)
def objects_found(x):
    a, b, c = Embedding(x), Embedding(x * 2), Embedding(x)
    items = [b, c]
    places = a in [b], a in items, a in (c,), items.index(a), [b, c, a].count(a), [a] == [c], (a, 1) == (b, 1)
    items.remove(a)
    return places, len(items), a == c, a != b


@refused("objects of a class with `__slots__` that two branches make", *BOTH)
def slotted_of_two(x):
    s = Slotted(x) if x.sum() > 0 else Slotted(x * 2)
    return s.v


class Pile:
    """Its length is that of a list that tensors may have made."""

    def __init__(self):
        self.items = []

    def push(self, value):
        self.items.append(value)

    def __len__(self):
        return len(self.items)

    def __bool__(self):
        return len(self.items) > 0

    def __contains__(self, value):
        return any((item == value).all() for item in self.items)

    def __getitem__(self, place):
        return self.items[place] * 2


@case("methods that Python calls by itself, of an object whose list grows where a tensor decides", *BOTH)
def pile(x):
    made = Pile()
    for v in x:
        if v > 0:
            made.push(v)
    last = len(made) - 1
    return len(made), "some" if made else "none", x[0] in made, made[last] if len(made) > 0 else x[0]


class Told:
    """Its constructor prints, counts and asks a tensor."""

    made = 0

    def __init__(self, x):
        print("made")
        Told.made += 1
        self.x = x * 2 if x.sum() > 0 else x


@scenario("a constructor that prints, writes to its class and asks a tensor, at every run")
def constructor_that_acts(to_static):
    Told.made = 0
    run = to_static(lambda x: Told(x).x)
    return [run(T([1.0, 2.0])), run(T([-1.0, -2.0])), run(T([3.0, 4.0]))], Told.made
