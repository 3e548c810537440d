"""What loops return and leave, of several kinds, and how it is taken apart"""

import collections
import dataclasses

import numpy as np
from language_table import COUNTS, NEG, POS, T, case, picture, refused, scenario

import to_static as paddle
from to_static.core.errors import TranslationError

LOOPED = [(T(v),) for v in ([3.0, 0.1], [0.5, 5.0], [0.1, -1.0], [0.2, 0.1])]


@case("tuples of several lengths, and None, returned from a loop", *LOOPED)
def tuples_from_loop(x):
    for i in range(int(x.abs().sum()) + 2):
        if x[0] > 2:
            return "inner", i, x
        if x[1] > 3:
            return x, i
        if x[1] < 0:
            return None
        x = x + 0.5
    return "end"


@case("a list that grows in the loop that returns it, or a tuple or dict with it", *LOOPED)
def lists_from_loop(x):
    tokens, n = [], 0
    while True:
        tokens.append(x[0] + n)
        n += 1
        if n > 5:
            return tokens
        if x[1] > 3:
            return tokens, n
        if x[1] < 0:
            return [n, x]
        if x[0] + n > 4:
            return {"tokens": tokens, "n": n}


@case("tokens until the end token, returned from `while True`", *COUNTS)
def tokens_from_loop(n):
    tokens = [n]
    while True:
        tokens.append(n * 2)
        n = n + 1
        if n > 3:
            return tokens


@case("tuples and numbers returned from several places of nested loops", T([3.0, 1.0]), T([1.0, 3.0]), T([0.1, 0.1]))
def nested_returns(x):
    for i in range(3):
        for v in x:
            if v * i > 2.5:
                return i, float(v)
            if v * i > 1.5:
                return float(v)
    return -1


@scenario("tensors of several ranks and tuples returned from a loop, with gradients")
def gradients_from_loop(to_static):
    @to_static
    def unrolled(x):
        made, n = x, 0
        while n < 4:
            n += 1
            if x.sum() > 10 and n > 2:
                return made.sum(), x
            if x.sum() < 0 and n > 1:
                return (made * 2).sum(), made
            made = paddle.concat([made, x])
        return made.reshape([2, -1]).sum() * 3, made.reshape([2, -1])

    found = []
    for value in ([1.0, 2.0], [-1.0, -2.0], [7.0, 8.0]):
        x = T(value, stop_gradient=False)
        loss, other = unrolled(x)
        (loss + other.sum()).backward()
        found.append((loss, other, x.grad))
    return found


@case("a tuple of one length or another in a loop variable", *LOOPED)
def tuples_in_variable(x):
    best, last = ("start",), None
    for i, v in enumerate(x):
        if v > 0.3:
            best = ("high", i, v)
        elif v < 0:
            best = ("low", v)
        last = (i, v) if last is None or v > last[1] else (i, v, "smaller")
    return best, len(best), last


@case("a tuple or None, taken apart after a test", T([1.0, 2.0, 3.0]), T([3.0, -1.0]), T([0.0]))
def unpack_found(x):
    found = first_above(x, 1.5)
    if found is None:
        return "nothing"
    i, v = found
    return i, v * 2


def first_above(x, limit):
    for i, v in enumerate(x):
        if v > limit:
            return i, v
    return None


@case("a tuple or None, taken apart without a test: Python's error", T([1.0, 2.0, 3.0]), T([0.0]))
def unpack_none(x):
    i, v = first_above(x, 1.5)
    return i, v * 2


@case("sequences of several lengths, taken apart with and without a star", POS, NEG, T([0.0, 0.0]))
def unpack_lengths(x):
    several = (x, 1) if x.sum() > 0 else [x, 2, 3] if x.sum() < 0 else x
    a, *rest = several
    b, c = several if len(rest) == 1 else (None, None)
    return a, rest, b, c


@case("the wrong number of items is Python's error", POS, NEG)
def unpack_wrong(x):
    several = (x, 1) if x.sum() > 0 else (x, 2, 3)
    a, b = several
    return a, b


@case("nested tuples, or None, taken apart", POS, NEG)
def unpack_nested(x):
    several = ((x, 1), "a") if x.sum() > 0 else None
    if several is not None:
        (a, b), c = several
        return a * b, c
    return several


@case("a dict of these keys or those in a loop variable", *LOOPED)
def dicts_in_variable(x):
    found = {"a": [x]}
    for v in x:
        if v > 0.3:
            found = {"b": [v], "c": v}
    return found


BEST = [(T([1.0, 2.0, 3.0]) * k, T(n, "int64")) for k in (1.0, -1.0) for n in (0, 1, 2, 4)]


@case("the best of lists that trips make, changed behind the loop", *BEST)
def best_list(x, n):
    best, score, pair = None, x[0] * 0, (None, x[0] * 0)
    for i in range(n):
        made = [x[i % 3]]
        made.append(x[0] * i)
        if sum(made) > score:
            best, score = made, sum(made)
        made = [x[i % 3], x[1]]
        if sum(made) > pair[1]:
            pair = made, sum(made)
    if best is not None:
        best.append(x[0])
    return best, pair


@case("such a list that the loop goes on changing, and the one before it", *BEST)
def best_changed(x, n):
    best = before = old = late = None
    score = x[0] * 0
    for i in range(n):
        made = [x[i % 3]]
        if best is None or sum(made) > score:
            best, score = made, sum(made)
        else:
            best.append(x[0] * i)
        other = [x[i % 3]]
        if x[0] > 0:
            late = other
        other.append(x[1] + i)
        before, old = old, [x[i % 3]]
    return best, score, late, before, old


@case("such a list in an attribute and in a closure", *BEST)
def best_elsewhere(x, n):
    class Kept:
        last = None

    kept, best = Kept(), []

    def put(items):
        nonlocal best
        best = items

    for i in range(n):
        made, other = [x[i % 3]] * 2, {"at": x[i % 3]}
        if x[i % 3] > 1:
            kept.last = made
            put(other)
    return kept.last, best


@case("a list that a loop and its condition ask for, and make longer", *BEST)
def best_asked(x, n):
    best, i = None, 0
    while best is None or (len(best) < 3 and i < n):
        made = [x[i % 3]] if best is None else best + [x[i % 3]]
        if x[0] > 0 or best is None:
            best = made
        i += 1
        if i > 5:
            break
    return best


@case("a list that trips make, kept under two names", *BEST[:1])
def two_names(x, n):
    best = old = None
    for i in range(n):
        made = [x[i % 3], x[0]]
        old = made
        if x[0] > 0:
            best = made
    return best, old


class Lists:
    def __init__(self):
        self.near, self.far = [T(1.0)], {2}


@scenario("a list or set that a loop returns is the object that it is: alone, chosen, in a tuple, out of two loops")
def returned_lists(to_static):
    kept = Lists()

    @to_static
    def first(x, n):
        for i in range(n):
            if x > i:
                return kept.near if x > 3 else kept.far
            x = x + 1
        return None

    @to_static
    def second(x, n):
        for i in range(n):
            for j in range(n):
                if x > i + j:
                    return kept.near, kept.far
                x = x + 1
        return kept.far, kept.near

    found = []
    for x, n in ((1.0, 2), (5.0, 2), (-3.0, 4), (0.0, 0)):
        one, (two, three) = first(T(x), T(n, "int64")), second(T(x), T(n, "int64"))
        found.append((one is kept.near, one is kept.far, two is kept.near, two is kept.far, three is kept.near, three is kept.far))
    return found


@refused("a dict returned from a tensor loop that a `finally` changes", (T([1.0, -2.0]),), error=TranslationError)
def changed_finally(x):
    seen = {"open": True, "n": 0}
    try:
        for v in x:
            if v < 0:
                return seen
            seen["n"] += 1
    finally:
        seen["open"] = False
    return seen


@case("a dict that a `finally` changes behind a tensor loop with `break`", (T([1.0, 2.0]),), (T([1.0, -2.0]),))
def changed_behind(x):
    seen = {"open": True, "n": 0}
    try:
        for v in x:
            if v < 0:
                break
            seen["n"] += 1
    finally:
        seen["open"] = False
    return seen


@case("items that a comprehension takes apart: too many of them, caught; lists whose length tensors decide", *LOOPED)
def taken_apart(x):
    def answer(rows):
        try:
            return any(a > b for a, b in rows)
        except ValueError as error:
            return str(error)

    parts = []
    for v in [x[0], x[1], x[0] + x[1]]:
        if v > 1:
            parts.append(v)
    answers = answer([(x[0], x[1])]), answer([(x[0], x[1], 3)]), answer([(x[0],)])
    return answers, [a - b for a, b in [parts]]


class Windows:
    """Neighbours in a list, one pair after the other."""

    def __init__(self, items):
        self.items, self.place = items, 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.place + 2 > len(self.items):
            raise StopIteration
        self.place += 1
        return self.items[self.place - 1 : self.place + 1]


@refused("an iterator that a loop left, and a comprehension goes on with, both taking its items apart", *LOOPED)
def windows_left(x):
    windows = Windows([x[0], x[1], x[0] * 2, x[1] * 2])
    for a, b in windows:
        if a + b > 3:
            break
    return a, [p + q for p, q in windows], windows.place


@dataclasses.dataclass
class Settings:
    rate: float = 0.5
    notes: list = dataclasses.field(default_factory=list)


class Slotted:
    __slots__ = ("k",)

    def __init__(self):
        self.k = 1


def _seen_thrice(to_static, make, change):
    run, seen = to_static(make), []
    for _ in range(3):
        seen.append(run(POS))
        change(seen[-1][1])
    return [picture(value) for value in seen], seen[0][1] is seen[1][1]


@scenario("objects of Python values that each call makes and changes, and the caller changes afterwards")
def made_anew(to_static):
    def f(x):
        made = Settings()
        made.rate *= 2
        made.notes.append(len(x))
        return x, made

    return _seen_thrice(to_static, f, lambda made: setattr(made, "rate", 9.0))


@scenario("sets, deques, counters and arrays that each call makes, and the caller changes afterwards")
def containers_made_anew(to_static):
    makers = [
        (lambda x: (x, {1, 2}), lambda made: made.add(9)), (lambda x: (x, collections.deque([1])), lambda made: made.append(9)),
        (lambda x: (x, collections.Counter("aab")), lambda made: made.update("b")),
        (lambda x: (x, np.zeros(2)), lambda made: made.fill(7.0)), (lambda x: (x, bytearray(b"a")), lambda made: made.append(9)),
    ]  # fmt: skip
    return [_seen_thrice(to_static, make, change) for make, change in makers]


@scenario("an object with slots that each call makes")
def slots_made_anew(to_static):
    def f(x):
        made = Slotted()
        made.k += 1
        return x, made

    run, seen = to_static(f), []
    for _ in range(2):
        made = run(POS)[1]
        made.k += 1
        seen.append(made.k)
    return seen


@case("tuples of names and tensors in order of their names", (POS, NEG))
def ordered_by_name(x, y):
    return sorted({"b": x, "a": y}.items()), sorted([(2, x), (1, y)], reverse=True)
