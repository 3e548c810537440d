"""What Python itself reads of lists and values that tensors decide: properties, operators, generators, functions of libraries"""

import collections
import contextlib
import copy
import dataclasses
import functools
import itertools
import json
import operator

from language_table import POS, T, case

from to_static.jit import not_to_static
from to_static.nn import Layer

CALLS = [(POS, T(n, "int64")) for n in (3, 0, 2, 1)]


class Pile:
    """Its methods run by name are translated; the others are Python's."""

    def __init__(self):
        self.items, self.kept, self.count = [], None, 0

    def grow(self, x, n):
        for i in range(n):
            self.items.append(x * i)

    def keep(self, x, n):
        if n > 1:
            self.kept = x
            self.count = 5


class Told(Pile):
    @property
    def size(self):
        return len(self.items)

    @property
    def last(self):  # hands on what it reads
        return self.items[-1]

    @functools.cached_property
    def rest(self):
        return self.items[1:]


class Asked(Pile):
    @property
    def is_kept(self):
        return self.kept is not None

    @property
    def counts(self):
        return isinstance(self.count, int)

    @property
    def now(self):
        return self.kept


class Behind(Pile):
    def __getattr__(self, name):
        if name == "size":
            return len(self.items)
        raise AttributeError(name)


class Length:
    def __get__(self, owner, kind):
        return len(owner.items)


class Described(Pile):
    size = Length()


class Added(Pile):
    def __add__(self, other):
        return len(self.items) + other

    def __iter__(self):
        return iter(self.items)

    def __len__(self):
        return len(self.items)

    def each(self):
        for i in range(len(self.items)):
            yield i

    @contextlib.contextmanager
    def scope(self):
        yield len(self.items)


class Spelled(Layer):
    def __init__(self):
        super().__init__()
        self.items = []

    grow = Pile.grow

    def extra_repr(self):
        return str(len(self.items))


@dataclasses.dataclass
class Board:
    items: list = dataclasses.field(default_factory=list)
    best: object = None

    grow = Pile.grow


@dataclasses.dataclass(order=True)
class Ordered:
    items: list


@not_to_static
def size_of(items):
    return len(items)


@not_to_static
def kept_by(pile):
    return pile.kept is not None


def grown(x, n, kind=Pile):
    made = kind()
    made.grow(x, n)
    return made


@case("a property that measures a list", *CALLS)
def property_measures(x, n):
    made = grown(x, n, Told)
    return made.size


@case("a property that hands a list or item on", *CALLS[:1], *CALLS[2:])
def property_hands_on(x, n):
    made = Told.__mro__[1]()  # without the others
    made.grow(x, n)
    return made.items[-1], len(made.items)


@case("a cached property that slices a list", *CALLS)
def cached_slice(x, n):
    return grown(x, n, Told).rest


@case("a property that asks whether there is a value", *CALLS)
def property_asks(x, n):
    made = Asked()
    made.keep(x, n)
    return made.is_kept, made.counts


@case("a property that asks whether a number is an int", *CALLS)
def property_asks_kind(x, n):
    made = Asked()
    made.count = int(n)
    return made.counts, made.now


@case("`__getattr__` that measures a list", *CALLS)
def attribute_made_up(x, n):
    return grown(x, n, Behind).size


@case("a descriptor that measures a list", *CALLS)
def descriptor_measures(x, n):
    return grown(x, n, Described).size


@case("an operator, an iteration, a generator of an object that holds a list", *CALLS)
def operators_measure(x, n):
    made = grown(x, n, Added)
    return made + 1, len(made), [v * 2 for v in made], list(made.each())


@case("a context manager made of a generator that measures a list", *CALLS)
def manager_measures(x, n):
    made = grown(x, n, Added)
    with made.scope() as size:
        return size


@case("functions that are not translated, of lists and of objects that hold them", *CALLS)
def not_translated(x, n):
    made = grown(x, n)
    return size_of(made.items)


@case("functions that are not translated, of a value that may not be there", *CALLS)
def not_translated_value(x, n):
    made = Pile()
    made.keep(x, n)
    return kept_by(made)


@case("slices and items, at places that are written out, of a list that another function grew", *CALLS)
def places_of_grown(x, n):
    items = grown(x, n).items
    return items[1:], items[:-1], items[-1:], items[::2]


@case("an item, at a place that is written out, of a list that another function grew", *CALLS)
def item_of_grown(x, n):
    return grown(x, n).items[0] if n > 0 else x, n


@case("a list that another function grew, beside others", *CALLS)
def compared_lists(x, n):
    made, other, empty = grown(x, n), grown(x, n), []
    return made.items == [], made.items != [], made.items == empty, made.items == other.items, (made, 1) == (other, 1)


@case("`==` and `<` of dataclasses that hold lists", *CALLS)
def compared_dataclasses(x, n):
    return grown(x, n, Board) == grown(x, n, Board), Ordered([1]) < Ordered([1, 2])


@case("`<` of ordered dataclasses whose lists grow", *CALLS)
def ordered_lists(x, n):
    a, b = Ordered([]), Ordered([])
    for i in range(n):
        a.items.append(i)
    return a < b, a >= b


@case("a list that another function grew, repeated and joined", *CALLS)
def joined_lists(x, n):
    items = grown(x, n).items
    return items * 2, [x] + items, items + [x]


@case("copies, a deque and a chain of a list that another function grew", *CALLS)
def copied_lists(x, n):
    items = grown(x, n).items
    return copy.copy(items), list(itertools.chain(items, [x])), len(collections.deque(items))


@case("functions of `operator`, of a list that another function grew", *CALLS)
def operator_functions(x, n):
    items = grown(x, n).items
    return operator.truth(items), operator.length_hint(items), operator.eq(items, []), operator.itemgetter(slice(1, None))(items)


@case("special methods called by name, of a list that another function grew", *CALLS)
def named_methods(x, n):
    items = grown(x, n).items
    return items.__len__(), list.__len__(items), items.__getitem__(slice(1, None))


@case("a list that another function grew, as text", *CALLS)
def text_of_grown(x, n):
    numbers = []
    for i in range(n):
        numbers.append(i)
    return json.dumps({"numbers": numbers})


@case("the text of a Layer that tells how many items it has", *CALLS)
def text_of_layer(x, n):
    return f"{grown(x, n, Spelled)}"


@case("a list that another function grew, taken apart", *CALLS)
def taken_apart(x, n):
    items = grown(x, n).items
    try:
        first, second = items
    except ValueError:
        return x
    return first + second * 3


@case("`any` of tensors with several elements in a list that tensors made", *CALLS)
def any_of_several(x, n):
    return any(grown(x, n).items)
