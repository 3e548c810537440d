"""Types, texts and truth of values that tensors decide"""

import collections
import dataclasses

from language_table import BOTH, COUNTS, NEG, POS, T, case, refused, scenario

import to_static as paddle
from to_static import nn


@dataclasses.dataclass
class Point:
    a: object
    b: object = dataclasses.field(default=None, repr=False)
    c: object = None


Pair = collections.namedtuple("Pair", "a b")


class Named:
    def __init__(self, value):
        self.value = value

    def __repr__(self):
        return f"Named({self.value:.2f})"


@case("`range` of a tensor: text, length, truth, items, membership, bounds, comparison", *COUNTS)
def ranges(n):
    r = range(n)
    print(r, [r], f"{r!r}" if len(r) > 2 else "short")
    words = "some" if r else "none"
    found = [i for i in reversed(r)]
    same = r == range(4), r == range(n), r != range(0, n, 2)
    return r, len(r), range(1, n, 2), words, found, same, 2 in r, type(r), isinstance(r, range), r.stop, r[-1] if len(r) else None


@case("the length of a `range` that ends before it begins", *[(T(n, "int64"),) for n in (-3, 0, 2)])
def backwards(n):
    return len(range(n)), bool(range(n)), list(range(n)), range(n, 0)


@case("an index out of a `range`", *COUNTS)
def range_index(n):
    return range(n)[2]


@refused("a slice of a `range` of a tensor", *COUNTS)
def range_slice(n):
    return range(n)[1:]


@case("`type()` and `isinstance()` of tensors, numbers, strings and iterators", *BOTH)
def types_of(x):
    n, text = int(x.sum()), f"{x.sum()}"
    print(type(x), type(n), type(text), type(enumerate(x)).__name__, type(zip(x, x)).__name__, type(map(abs, x)).__name__)
    kinds = [isinstance(v, (str, enumerate, collections.abc.Iterator)) for v in (x, n, text, enumerate(x), reversed(x))]
    return kinds, isinstance(x, type(x)), n.__class__, type(text) is str


@case("`hasattr()` and `getattr()` with a default, of what a tensor chose", *BOTH)
def attributes_of(x):
    word = "a" if x[0] > 0 else "bb"
    either = x if x[0] > 0 else None
    n = int(x.sum())
    asked = hasattr(word, "append"), hasattr(either, "shape"), hasattr(n, "__len__"), hasattr(n, "real")
    return asked, getattr(word, "missing", 5), getattr(either, "ndim", -1)


@case("what numbers and lists that tensors decide can't do fails as in Python", *[(POS, k) for k in range(5)])
def cannot(x, which):
    n, found = int(x.sum()), [v for v in x if v > 0]
    if which == 0:
        return 1 in n
    if which == 1:
        return -found
    if which == 2:
        return found < 2
    if which == 3:
        return len(enumerate(x))
    return abs(found)


@case("objects that hold tensors, printed: dataclasses, named tuples, slices, containers", *BOTH)
def printed(x):
    point = Point(1, x, x.sum())
    print(point, [point], {"a": Pair("q", x)}, slice(0, int(x.sum())))
    print(Named(x.sum()), [Pair(1, 2), Point(x)])
    point.c = point  # Python writes `...`
    return f"{Pair(1, x)!r} {Pair(x, 'a')}", repr(Point(x)), str(Point(x, 1, 2)), "%s" % (Point(2, x, 3),)


@scenario("parameters, printed")
def parameters_printed(to_static):
    class Net(nn.Layer):
        def __init__(self):
            super().__init__()
            self.weight = self.create_parameter([2], default_initializer=nn.initializer.Constant(1.5))

        def forward(self, x):
            print(self.weight, [self.weight, x], f"{self.weight!r}")
            return x * self.weight, str(self.weight)

    run = to_static(Net())
    return run(POS), run(POS)


@case("the text of an OrderedDict and a deque that hold tensors", *BOTH)
def ordered(x):
    print(collections.OrderedDict(a=x), collections.deque([x.sum(), 1]))
    return x


@refused("operators of a deque that tensors change", *BOTH)
def deque_sum(x):
    found = collections.deque()
    for v in x:
        if v > 0:
            found.append(v)
    return found + found


@refused("an iterator over tensors of a Layer, returned", (POS,))
def iterator_returned(x):
    weight = paddle.ones([2])
    return zip(weight, x)


@case("`item()` of a float32 tensor, rounded to digits", *BOTH)
def rounded_item(x):
    return round(x.sum().item() / 3, 2), round(x.sum().item(), 1)


@case("`repeat_interleave` of a number below 1", *[(POS, T(n, "int64")) for n in (2, 0, -1)])
def repeated(x, n):
    return paddle.repeat_interleave(x, int(n))


class Doubled:
    def __init__(self, value):
        self.value = value

    def twice(self):
        return self.__class__(self.value * 2)


@case("`__class__` of tensors, numbers, lists, dicts and what a condition chose", *BOTH)
def classes_of(x):
    items, table, queue, chosen = [], {}, collections.deque(), x if x.sum() > 0 else None
    for v in x:
        items.append(v)
        table[int(v)] = v
        queue.append(v)
    kinds = x.__class__ is type(x), items.__class__, table.__class__, queue.__class__, (str(v) + "").__class__, zip(x, x).__class__
    same = isinstance(x, chosen.__class__), getattr(items, "__class__"), items.__class__([1, 2])  # noqa: B009
    made = Doubled(x)
    made = made.twice() if x.sum() > 0 else made
    return kinds, same, chosen.__class__.__name__, made.__class__.__name__, made.__class__(x).value


@scenario("`__qualname__` of functions and classes made inside")
def names_inside(to_static):
    def f(x):
        def up(v):
            """Upwards"""
            return v + 1

        def down(v):
            return v - 1

        @dataclasses.dataclass
        class Pair:
            a: int

            def nested(self):
                return lambda: self.a

        chosen = up if x.sum() > 0 else down
        other = (lambda v: v + 1) if x.sum() > 0 else (lambda v: v - 1)
        text = repr(Pair(1)), Pair(1).nested().__qualname__
        return chosen.__name__, chosen.__qualname__, chosen.__doc__, chosen.__module__, other.__qualname__, text, up(1)

    def wrong(x):
        def inner(a, b):
            return a

        return inner(x)

    seen = [to_static(f)(x) for x in (POS, NEG)]
    try:
        return to_static(wrong)(POS)
    except TypeError as error:
        return seen, str(error).split("\n")[0]


class Reading:
    def __init__(self, value):
        self.value = value

    def __float__(self):
        return float(self.value) + 0.5

    def __int__(self):
        return int(self.value) if self.value > 0 else -1

    def __len__(self):
        return int(self.value)

    def __repr__(self):
        return "high" if self.value > 0 else "low"

    def __str__(self):
        return f"<{self!r}>"


@case("`float()` and `int()` of the user's objects", *BOTH)
def converted_objects(x):
    return float(Reading(x[0])), int(Reading(x[0]))


@case("`__repr__` and `__str__` that choose among strings", *BOTH)
def chosen_texts(x):
    reading = Reading(x[0])
    print(reading, [reading])
    return f"{reading} {reading!r}", str(reading), repr([reading]), "%s" % reading


@case("a `__len__` that may be negative", POS, NEG)
def negative_length(x):
    return len(Reading(x[0]))


@case("the truth of an object whose `__len__` may be negative", POS, NEG)
def negative_truth(x):
    return "some" if Reading(x[0]) else "none"
