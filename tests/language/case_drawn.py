"""Iterators of the user's classes"""

from language_table import COUNTS, T, case, refused, scenario

import to_static as paddle


class Batches:
    """An iterator of the old kind: an object that is its own."""

    def __init__(self, x, size):
        self.x, self.size, self.place = x, size, 0

    def __iter__(self):
        self.place = 0
        return self

    def __next__(self):
        if self.place >= self.x.shape[0]:
            raise StopIteration
        self.place += self.size
        return self.x[self.place - self.size : self.place]


class Doubling:
    def __init__(self, x, limit):
        self.x, self.limit = x, limit

    def __iter__(self):
        return DoublingSteps(self)


class DoublingSteps:
    def __init__(self, owner):
        self.x, self.limit, self.steps = owner.x, owner.limit, 0

    def __iter__(self):
        return self

    def __next__(self):
        self.x = self.x * 2
        self.steps += 1
        if self.x.sum() > self.limit or self.steps > 5:
            raise StopIteration()
        if self.x.max() > 30:
            raise ValueError("too large")
        return self.x


@case("an iterator of the user's class over batches", T([1.0, 2.0, 3.0]), T([1.0, 2.0]))
def own_iterator(x):
    total, batches = 0.0, Batches(x, 2)
    for _ in range(2):
        for batch in batches:
            total = total + batch.sum() if batch.max() > 1 else total
    return total, batches.place


LIMITS = [(T(v), 20) for v in ([1.0, 2.0], [9.0, 9.0], [0.0, 0.0], [31.0, -40.0])]


@refused("tensors decide where an iterator of the user's class ends: loops, `list`, `sum`, comprehensions", *LIMITS)
def own_iterator_ended(x, limit):
    found = []
    for v in Doubling(x, limit):
        if v[0] == 4:
            continue
        if v[0] == 8:
            break
        found.append(v)
    else:
        found.append(x)
    summed = sum(Doubling(x, limit), paddle.zeros([2]))
    return found, list(Doubling(x, limit)), [i * v for i, v in enumerate(Doubling(x, limit))], summed


@scenario("`next` of such an iterator in a `try`")
def own_next_tried(to_static):
    @to_static
    def taken(x):
        steps, found = iter(Doubling(x, 20)), []
        while True:
            try:
                found.append(next(steps))
            except StopIteration:
                break
        return found, steps.steps

    return [taken(x) for x, _ in LIMITS[:2]]


class Down:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n <= 0:
            raise StopIteration
        self.n -= 1
        return self.n


@refused("an iterator of the user's class that a loop leaves, used again", *COUNTS)
def own_iterator_left(n):
    steps, found = Down(5), []
    for v in steps:
        if v < n:
            break
        found.append(v)
    for v in steps:
        found.append(v * 10)
    return found, steps.n, iter(steps) is steps, max(Down(n), default=-1), sorted(Down(n)), any(v > 1 for v in Down(n))


@refused("`zip` of an iterator of the user's class that tensors end", (T([1.0, 2.0]), 20))
def own_iterator_zipped(x, limit):
    return list(zip(Doubling(x, limit), range(3)))
