"""Lists that tensors make, taken item by item"""

import functools
import itertools

from language_table import BOTH, COUNTS, POS, T, case, refused

import to_static as paddle
from to_static.core.errors import TranslationError

ROWS = [(T(v),) for v in ([1.0, -2.0, 3.0], [1.0, 2.0, 3.0], [-1.0, -2.0, -3.0], [-1.0, -2.0, 4.0])]  # several, all, none, one


def many(*values, k=1.0):
    total = 0.0
    for value in values:
        total = total + value * k
    return total


def first_and(first, *rest, k=2):
    return first + len(rest) * k


def minus(a, b):
    return a - b


def back(*values):
    return values, values[1:], len(values), isinstance(values, tuple), type(values) is list


def forward(*values):
    return many(*values), first_and(*values)


@case("a star hands a function as many arguments as a tensor says", *ROWS)
def star_call(x):
    found = [v for v in x if v > 0]
    return many(*found), many(x[0], *found, x[1], k=2.0), forward(x[0], *[v for v in x if v > 0])


@case("parameters filled by a star, with Python's error for too few", *ROWS)
def star_first(x):
    return first_and(*[v for v in x if v > 0])


@case("parameters filled by a star, with Python's error for another number", *ROWS)
def star_exact(x):
    return minus(*[v for v in x if v > 0])


@case("`*args` that a tensor made is a tuple", *ROWS)
def star_tuple(x):
    return back(*[v for v in x if v > 0])


@case("`print`, `max` and displays with a star", *ROWS)
def star_others(x):
    found = [v for v in x if v > 0]
    print("found", *found, sep="; ")
    return [*found, x[0]], (x[0], *found), max(*found, *x), paddle.add_n([*found, x[1]])


@refused("a star of a list that a tensor makes, for a class", *ROWS, error=TranslationError)
def star_class(x):
    return complex.__new__(complex, *[v for v in x if v > 0])


@case("`a, *b = items` and `*a, b = items`", *ROWS)
def unpacked_star(x):
    first, *rest = [v for v in x if v > 0] + [x[0]]
    *most, last = [v for v in x if v > 0] + [x[1]]
    a, *b, c = x
    return first, rest, most, last, a, b, c


@case("`a, b = items`, with Python's error for another number", *ROWS)
def unpacked(x):
    a, b = [v for v in x if v > 0]
    return a, b


@case("`a, *b = items` of too few, with Python's error", *ROWS)
def unpacked_few(x):
    a, b, *c = [v for v in x if v > 0]
    return a, b, c


@case("`next` of an iterator that tensors decide, with and without default", *ROWS)
def next_of(x):
    found = iter([v for v in x if v > 0])
    first = next(found, None)
    return first, next(found, x[0]), list(found), list(found), next((v for v in [v for v in x if v > 1]), "none")


@case("`next` of an empty iterator: Python's error", *ROWS)
def next_empty(x):
    return next(v * 2 for v in [v for v in x if v > 0])


@refused("an iterator that a tensor loop, a branch and its own loop move on", *ROWS)
def shared_iterator(x):
    found = iter([v for v in x if v > 0])
    total = x[0]
    if total > 0:
        total = total + next(found)
    for v in found:
        total = total + v * next(found, 0.5)
        if total > 3:
            break
    while total < 5:
        total = total + next(found, 1.0)
    return total


@case("`zip`, `enumerate`, `map` and `reversed` give their items once", *ROWS)
def taken_once(x):
    pairs = zip(x, x, strict=False)
    first = next(pairs)
    return first, [a + b for a, b in pairs], [a + b for a, b in pairs], len(list(reversed(x)))


@case("`zip` of one iterator with itself", *ROWS)
def zip_pairs(x):
    found = iter([v for v in x if v > 0])
    return [a + b for a, b in zip(found, found, strict=False)]


@case("`map`, `filter`, `sum`, `sorted`, `max`, `any` and `all` over a list that tensors make", *ROWS)
def mapped(x):
    found = [v for v in x if v > 0]
    total = sum(map(many, found)) + sum(filter(lambda v: v > 1, found))
    twice = list(map(minus, found, found[1:]))
    return total, twice, sorted(map(lambda v: -v, found)), any(map(lambda v: v > 2, found)), all(v > 2 for v in found)


@case("`enumerate`, `zip` and `reversed` over a list that tensors make", *ROWS)
def numbered(x):
    found = [v for v in x if v > 0]
    total = x[0]
    for i, v in enumerate(found, 1):
        total = total + v * i
    return total, [v * i for i, v in zip(range(5), found, strict=False)], [v * i for i, v in enumerate(reversed(found))]


@refused("`functools.reduce` and `itertools` over a list that tensors make", *ROWS)
def reduced(x):
    found = [v for v in x if v > 0]
    total = functools.reduce(lambda a, b: a * 2 + b, itertools.chain(found, [x[0]]), x[1])
    return total, list(itertools.islice(found, 2)), list(itertools.accumulate(found, minus)), list(itertools.accumulate(found))


@case("`functools.reduce` with a tensor condition, and of nothing: Python's error", *ROWS)
def reduced_empty(x):
    largest = functools.reduce(lambda a, b: a if a > b else b, [x[0], x[1], x[2]])
    return largest, functools.reduce(lambda a, b: a + b, [v for v in x if v > 0])


@case("a tuple of a list that tensors make", *ROWS)
def made_tuple(x):
    found = tuple(v for v in x if v > 0)
    try:
        found.append(1)
    except AttributeError as error:
        words = str(error)
    return found, found + (x[0],), found[1:], found[-1:] == found, found * 2, words, paddle.stack((*found, x[0]))


@refused("a tuple of a length that tensors decide, or another", *ROWS, error=TranslationError)
def either_tuple(x):
    found = tuple(v for v in x if v > 0)
    if x[0] > 0:
        found = found[1:]
    return found


@case("a list that its own loop makes longer or shorter", *ROWS)
def changed_by_loop(x):
    longer, shorter = [v for v in x if v > 0], [v for v in x if v > 0]
    n = 0
    for v in longer:
        if len(longer) < 5:
            longer.append(v * 2)
        n += 1
    for _ in shorter:
        shorter.pop()
        n += 1
    return n, longer, shorter


@refused("Python's own code iterates over a list that tensors make", *ROWS)
def iterated_by_python(x):
    return dict.fromkeys([v for v in x if v > 0])


class Box:
    def __init__(self, value):
        self.value = value


@case("iterators and objects made in a tensor loop, moved on and changed by loops inside of it", *ROWS)
def made_in_loop(x):
    found = [v for v in x if v > 0]
    total = x[0]
    for _ in found:
        total = total + sum(map(many, found))
        pairs = zip(found, found, strict=False)
        for a, b in pairs:
            total = total + a * b
        box = Box(x[0])
        while box.value < 3:
            box.value = box.value + 1
        total = total + box.value
    return total


@case("a list that tensors make beside a tensor, which makes a tensor of it", *ROWS)
def beside_tensor(x):
    found = [v for v in x if v > 0]
    return found + x[0], x[1] + found, x[0] - found, found / x[2]


@refused("`itertools.count` in a loop that a tensor ends", T([1.0, 4.0, 9.0]), T([0.0, 0.0]), T([5.0]))
def counting(x):
    y, seen = paddle.ones_like(x), 0
    for k in itertools.count(3, -2):
        seen += k
        if x.sum() + k < -20:
            break
    for i in itertools.count():
        new = 0.5 * (y + x / y)
        if paddle.allclose(new, y, atol=1e-3) or i >= 12:
            return new, i, k, seen
        y = new


@refused("`zip` of an endless iterator and a list that tensors make", POS)
def zip_endless(x):
    return [v * k for k, v in zip(itertools.count(1), [v for v in x if v > 0])]


@refused("`zip` of endless iterators and a tensor", *ROWS)
def zip_endless_rows(x):
    count, kept = itertools.count(1), []
    for v, name in zip(x, itertools.cycle("ab")):
        if v > 0:
            kept.append(name)
    squares = [v**k for v, k in zip(x, itertools.repeat(2)) if v > 0]
    return sum(v * k for v, k in zip(x, count)), next(count), kept, squares, min(zip(itertools.count(10), x), key=lambda p: p[1])[0]


@refused("`in` takes items until it finds the value", *ROWS)
def in_iterators(x):
    rows, listed, made = iter(x), iter([x[0], x[1], x[2]]), iter([v for v in x if v > 0])
    numbers, pairs, doubled = iter([1, 2, 3]), zip([1, 2, 3], "abc"), map(lambda v: v * 2, [1, 2, 3])
    first = 2.0 in rows
    second = 2.0 in listed
    third = 2.0 in made
    fourth = (2 if x[0] > 0 else 5) in numbers
    found = first, second, third, fourth, (2, "b") in pairs, 4 in doubled
    return found, list(rows), list(listed), list(made), list(numbers), list(pairs), list(doubled), 4.0 in map(lambda v: v * 2, x)


@case("`max` and `min` with a key over Python values", T([3.0, -1.0, 2.0]), T([1.0, 1.0, 1.0]), T([-5.0]))
def extremes_by_key(x):
    table = {"a": x[0], "b": x.sum() * 0.5}
    pair = max([(v, "n", i) for i, v in enumerate(x)], key=lambda p: p[0] if p[0] > 0 else -p[0])
    best = max(range(len(x)), key=lambda i: x[i]), min(range(len(x)), key=lambda i: abs(x[i] - 1))
    return best, pair, max(x, key=lambda v: -v), max(table, key=table.get), max([1, -3], key=abs), max("abc", key=ord)


@case("`max` and `min` with a key over a list that tensors make", T([3.0, -1.0, 2.0]), T([-5.0]), T([-1.0, -2.0]))
def extremes_of_list_by_key(x):
    def square(v):
        print("key")
        return v * v

    some = [v for v in x if v > -3]
    return max(some, key=square, default=None), min((v for v in x if v < 0), key=lambda v: v, default=7), max(some, default=0)


@case("`max` with a key of nothing, and with a wrong keyword: Python's errors", T([3.0, -1.0]), T([-5.0]))
def extreme_of_nothing(x):
    some = [v for v in x if v > 0]
    best = max(some, key=lambda v: -v)
    return best, max(x[0], x[1], default=1)


@case("`zip(*pairs)` of pairs that a loop appends, taken apart", T([1.0, -2.0, 3.0]), T([2.0]), T([-1.0]))
def unzipped(x):
    pairs = [(v, v * 2) for v in x if v > 0]
    values, doubles = zip(*pairs)
    return values, doubles, len(values), paddle.stack(doubles)


@case("`zip(*rows)` into lists, of fields of several kinds", *COUNTS)
def unzipped_lists(n):
    rows = [(n, 0, 0.5)]
    for i in range(n):
        rows.append((n * i, i, i / 2))
    tensors, indices, halves = map(list, zip(*rows))
    return tensors, indices, halves


@case("an iterator of a length that tensors decide, taken apart", *COUNTS)
def iterator_apart(n):
    a, b = zip(range(n + 1), range(1, n + 2))
    return a, b


@refused("`zip(*pairs)` in a loop, which has as many trips as fields if there are pairs", *COUNTS)
def unzipped_in_loop(n):
    pairs = []
    for i in range(n):
        pairs.append((i, i * 2))
    return [max(field) for field in zip(*pairs)]


ROWS = T([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])


@case("`next(it)` of an iterator over a tensor in loops and branches", *[(ROWS, T(n, "int64")) for n in (0, 1, 3)])
def next_in_loop(x, n):
    it = iter(x)
    total = x.sum() * 0
    for i in range(n):
        total = total + next(it).sum() * (i + 1)
    if n < 2:
        total = total + next(it).sum()
    return total, [row * 2 for row in it], type(it).__name__, iter(it) is it


@case("`next(it, default)` beyond the end, and one too many", *[(ROWS, T(n, "int64")) for n in (0, 2, 4)])
def next_beyond(x, n):
    it, found = iter(x), []
    for _ in range(n):
        row = next(it, None)
        found.append(0.0 if row is None else float(row.sum()))
    while n > 3:
        n = n - 1
        found.append(float(next(it).sum()))
    return found


@refused("iterators over tensors handed on", (ROWS,))
def handed_iterators(x):
    def doubled(rows):
        for row in rows:
            yield row * 2

    it = iter(x)
    first, pairs = next(it), list(zip(*[iter(x.flatten())] * 2))
    return first, list(doubled(it)), next(it, "gone"), pairs, sum(iter(x)), tuple(iter(x)), [*iter(x)], dict(enumerate(iter(x)))


@case("library code that takes some items of an iterator", (ROWS,))
def taken_in_part(x):
    it = iter(x)
    taken = list(itertools.islice(it, 1)), next(it)
    other = iter(x)
    chained = itertools.chain([x[0] * 0], other)
    taken += next(chained), next(chained), list(other), list(chained)
    third = iter(x)
    if x.sum() > 3:
        taken += (list(itertools.takewhile(lambda row: True, third)),)
    return taken, list(it), [*itertools.zip_longest(*[iter(x)] * 2)]


@refused("an iterator of a list that tensors make, of which library code took some", *ROWS)
def taken_of_made(x):
    it = iter([v for v in x if v > 0])
    first = list(itertools.islice(it, 1))
    return first, list(it)


@refused("an iterator over a list, tuple, range or string that a tensor loop or branch moves on", *COUNTS)
def moved_on(n):
    items = [3, 1]
    it, letters, steps, text = iter(items), iter(("a", "b", "c")), iter(range(3, 30, 4)), iter("hello")
    holder, total = [steps], 0
    next(steps)
    for i in range(n):
        items.append(i * 10)
        total += next(it) + next(holder[0])
        print(next(text), next(letters, "none"))
    for k in range(n):
        for v in it:
            total += v
            if total > k * 3:
                break
    return total, next(it, -1), next(steps), next(text), letters is text, [s for s in letters]


@refused("`next` of such an iterator that is at its end", *COUNTS)
def moved_to_the_end(n):
    it, total = iter([3, 1]), 0
    for i in range(n):
        try:
            total += next(it)
        except StopIteration:
            total += 100
    for i in range(n):
        total += next(it)
    return total


@refused("an iterator that a loop left early gives the others to the next loop", *COUNTS)
def left_early(n):
    it, layers, x = iter([1, 2, 3, 4, 5]), iter([lambda x: x + 1, lambda x: x * 2, lambda x: x - 3]), n * 1.0

    def next_above():
        for v in it:
            if v > n:
                return v
        return -1

    for layer in layers:
        x = layer(x)
        if x > 3:
            break
    for layer in layers:
        x = layer(x) * 10
    return next_above(), next_above(), next(it, None), x


@case("a `zip` or `map` object that a loop left early, used again", T(1, "int64"))
def left_zip(n):
    pairs = zip([1, 2, 3], [4, 5, 6])
    for a, _ in pairs:
        if a > n:
            break
    return list(pairs)


KEPT = iter([1, 2, 3])


@refused("an iterator that lives on, left early", T(1, "int64"))
def left_outside(n):
    for v in KEPT:
        if v > n:
            break
    return v


left_outside.stays_refused = "by default, too: what a trace takes from an iterator can't be put back"
MASKED = [(T([0.9, 0.2, 0.7, 0.4]), T(m, "bool")) for m in ([1, 0, 1, 1], [0, 1, 0, 0], [0, 0, 0, 0])]


@refused("rows of as many as a mask says, taken by Python's functions", *MASKED)
def masked(x, mask):
    s = x[mask]
    asked = any(v > 0.5 for v in s), all(v > 0.3 for v in s), max(s, default=None), sorted(s, key=lambda v: -v)
    taken = list(s), tuple(float(v) for v in s), [0.0, *s], list(map(lambda v: v * 2, s)), list(filter(lambda v: v > 0.5, s))
    return asked, taken, min(s) if len(s) else "none", sum(map(float, s))


@case("stacks of such rows, and what stars take apart", *MASKED)
def masked_stacks(x, mask):
    s = x[mask]
    first, *rest = [*s, x[0]]
    return first, rest, paddle.stack([*s, x[0]]), paddle.stack(list(s)) if len(s) > 1 else None


class Follower:
    def __init__(self, place):
        self.place, self.age = place, 0

    def update(self, seen):
        self.age += 1
        if (self.place - seen).abs().max() < 1.0:
            self.place = (self.place + seen) / 2
            self.age = 0
        return self


@case("`zip` of objects, or strings, and rows of a tensor: each object is changed in its turn", *BOTH)
def followed(x):
    followers = [Follower(x), Follower(x * 3)]
    for follower, row in zip(followers, paddle.stack([x + 0.5, x * 2])):
        follower.update(row)
    named = {}
    for name, number in zip("ab", x):
        named[name] = number
    return [(f.place, f.age) for f in followers], named
