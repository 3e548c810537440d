"""What runs no further than Python would: `any`, `all`, `map`, `filter` and generator expressions"""

import collections
import itertools

from language_table import T, case, refused

import to_static as paddle

ROWS = [(T([1.0, 2.0, 3.0]),), (T([-1.0, 2.0, -3.0]),), (T([-1.0, -2.0, -3.0]),)]


class Positive:
    """Is asked whether numbers are positive, and keeps in mind which."""

    def __init__(self):
        self.seen = []

    def __call__(self, value):
        self.seen.append(value)
        return value > 0


@case("`any` and `all` of what a function says, which others see to be called", *ROWS)
def any_of_calls(x):
    positive, count = Positive(), 0

    def counted(v):
        nonlocal count
        count += 1
        return v > -2

    found = any(positive(v) for v in x), all(counted(v) for v in x), any(positive(v) for v in x if v < 2)
    pairs = any(positive(v) and counted(w) for v in x for w in x)
    return found, pairs, any(map(positive, [x[0], x[1]])), all([counted(v) for v in x]), positive.seen, count


@case("`print` in `any` over a generator that has a name", *ROWS)
def any_of_named(x):
    def positive():
        for v in x:
            print(float(v))
            yield v > 0

    items = positive()
    found = all(items)
    print("end")
    return found


@refused("loops over `map`, `enumerate(map())` and generator expressions, with `break`", *ROWS)
def loops_left_early(x):
    positive, steps = Positive(), []
    for answer in map(positive, x):
        if answer:
            break
    for i, answer in enumerate(map(positive, x)):
        steps.append(i)
        if answer:
            break
    for both in map(lambda v, n: positive(v) and n, x, [1, 0, 1]):
        if both:
            break
    for answer in (positive(v) for v in x):
        if answer:
            break
    return positive.seen, steps, next((v for v in x if positive(v)), None), next(filter(positive, [x[1], x[0]]), None)


@refused("`map` and `filter` are empty once their items were taken", *ROWS)
def taken_once(x):
    doubled, positive = map(lambda v: v * 2, x), filter(lambda v: v > 0, x)
    first, pairs = next(doubled), map(float, [1, 2, 3, 4])
    for a in pairs:
        first = first + a * next(pairs)
    return first, list(doubled), list(doubled), sum(positive), list(positive), type(pairs).__name__


@refused("`any` leaves an iterator where it found something", *ROWS)
def rest_of_iterator(x):
    items, flags = iter([x[0], x[1], x[2]]), iter([x[0] > 0, x[1] > 0, x[2] > 0])
    return any(v > 0 for v in items), list(items), any(flags), list(flags)


@case("an `enumerate` that `any` may have left, used again", ROWS[0])
def enumerate_again(x):
    items = enumerate([x[0], x[1]])
    return any(v > 0 for _, v in items), list(items)


@case("a `map` that a loop may have left, used again", ROWS[0])
def map_again(x):
    items = map(lambda v: v > 0, x)
    for item in items:
        if item:
            break
    return list(items)


@refused("a `map` from before whose items an operand takes that may not run", ROWS[0])
def map_under_condition(x):
    items = map(lambda v: v * 2, [x[0], x[1]])
    return 1 if x.sum() > 0 and any(v > 1 for v in items) else 0


class Noted:
    """Doubles numbers, and keeps in mind which."""

    def __init__(self):
        self.seen = []

    def __call__(self, value, *more):
        self.seen.append(value)
        print("asked", len(self.seen))
        return value * 2 + sum(more)


class Countdown:
    def __init__(self, start):
        self.left = start
        self.asked = 0

    def __iter__(self):
        return self

    def __next__(self):
        self.asked += 1
        if self.left == 0:
            raise StopIteration
        self.left -= 1
        return self.left


@refused("`zip`, `enumerate` and `map` of `map`, in loops that tensors leave", *ROWS)
def zip_of_map(x):
    double, pairs = Noted(), []
    for a, b in zip(map(double, x), [1, 2, 3]):
        if a > 3:
            break
        pairs.append(a * b)
    for i, (a, name) in enumerate(zip(map(double, [x[0], x[1], x[2]]), "abc"), 1):
        if a > 0:
            break
    for both in map(lambda v, w: v + w, map(double, x), map(double, [1, 2, 3])):
        if both > 4:
            break
    for _, a in zip(itertools.count(), (double(v) for v in x)):
        if a > 3:
            break
    return pairs, i, name, both, double.seen


@case("`zip` stops at the shortest, after it asked those before", *ROWS)
def zip_uneven(x):
    double = Noted()
    for k, _ in zip(map(double, [1, 2, 3]), [1, 2]):
        if x[0] > k:
            break
    return k, [v for v, _ in zip(map(double, x), [1])], double.seen


@refused("`zip(...)` in `any`, `next` and `in`, no further than the item that answers", *ROWS)
def zip_asked(x):
    double = Noted()
    first = next((a for a, b in zip(map(double, x), [3, 3, 3]) if a > b), None)
    return any(a > b for a, b in zip(map(double, x), [3, 3, 3])), first, x[1] in map(double, [0.5, 1.0, 2.0]), double.seen


@refused("an error behind the item where a loop was left", *ROWS)
def zip_raises(x):
    def check(v, k):
        if k == 2:
            raise ValueError("two")
        return v * k

    def late():
        yield 1
        raise KeyError("late")

    for k, v in zip(late(), x):
        if v > 0:
            break
    for a, _ in zip(map(check, [x[0], x[1]], [1, 2]), "ab"):
        if a > 0:
            break
    return a, k


@refused("`itertools.starmap`, `chain`, `accumulate` and `islice`, in loops that tensors leave", *ROWS)
def itertools_left(x):
    double, seen = Noted(), []
    for a in itertools.starmap(double, ((v, k) for k, v in enumerate(x, 1))):
        if a > 4:
            break
    for b in itertools.chain(map(double, [x[0], x[1]]), map(double, [x[2]])):
        if b > 3:
            break
    for c in itertools.accumulate([x[0], x[1], x[2]], lambda total, v: total if total > v else double(v)):
        if c > 3:
            break
    for d in itertools.islice(map(double, x), 1, 3):
        seen.append(d)
        if d > 3:
            break
    return a, b, c, seen, double.seen


@refused("`itertools.chain` and `islice` over generators, which begin when they are reached", *ROWS)
def chained_generators(x):
    def signed(sign):
        print("begin", sign)
        for v in x:
            if v * sign > 0:
                yield v * sign
        print("end", sign)

    total = 0.0
    for v in itertools.chain(signed(1), signed(-1)):
        total = total + v
        if total > 3:
            break
    for v in itertools.chain.from_iterable(signed(k) for k in (1, -1)):
        if v > 1:
            break

    def counting():
        k = x.sum()
        while True:
            k = k + 1
            yield k

    numbers = counting()
    parts = list(itertools.islice(numbers, 2)), list(itertools.islice(numbers, 2))
    return total, v, list(itertools.islice(signed(1), 2)), list(itertools.islice(signed(1), 0, 5, 2)), parts


@refused("`itertools.takewhile`, `dropwhile`, `filterfalse` and `compress` ask tensors", *ROWS)
def itertools_ask(x):
    seen = []

    def positive(v):
        seen.append(v)
        return v > 0

    found = list(itertools.takewhile(positive, x)), list(itertools.dropwhile(positive, x)), list(itertools.filterfalse(positive, x))
    for v in itertools.takewhile(positive, [x[0], x[1], x[2]]):
        if v > 2:
            break
    else:
        return found, seen, None
    return found, seen, v, list(itertools.compress([1, 2, 3], x > 1))


@case("`iter(f, end)`, where tensors leave the loop or say what is read", *ROWS)
def iter_until(x):
    items, place = [x[0], x[1], x[2], None], 0

    def read():
        nonlocal place
        place += 1
        return x[place - 1]

    for v in iter(lambda: items.pop(0), None):
        if v > 0:
            break
    total = 0.0
    for w in iter(read, x[2]):
        total = total + w
        if w > 1:
            break
    return v, len(items), total, place


@refused("an iterator of the user's class in `chain`, left early", *ROWS)
def chained_own(x):
    count = Countdown(3)
    for i in itertools.chain([0], count):
        if x[i] > 0:
            break
    return i, count.left, count.asked


@case("a generator's own state in `zip`", *ROWS)
def zip_of_windows(x):
    def windows(size):
        window = collections.deque(maxlen=size)
        for v in x:
            window.append(v)
            if len(window) == size:
                yield list(window)

    for i, (a, b) in zip(range(5), windows(2)):
        if a + b > 0:
            break
    return i, a, b


@refused("an iterator with a name in `zip`, all its items taken by Python", *ROWS)
def zip_of_named(x):
    numbers, total = iter([1, 2, 3, 4, 5]), 0.0
    for k, v in zip(numbers, x):
        total = total + v * k
    return total, list(numbers)


@refused("a generator that prints, draws and changes what others see, in a `zip` that tensors leave", *ROWS)
def zip_of_acting(x):
    seen, total = [], paddle.zeros([1])

    def acting():
        try:
            for i in range(3):
                print("item", i)
                seen.append(i)
                total.add_(x[i])
                yield i
        finally:
            print("end")

    def noisy():
        for v in x:
            yield v + paddle.rand([])

    for i, v in zip(acting(), x):
        if v > 0:
            break
    for k, w in zip(range(5), noisy()):
        if w > 0:
            break
    return i, seen, total, k, w, paddle.rand([])


@case("two generators of which one prints, in a `zip` that tensors leave", ROWS[0])
def zip_of_printing(x):
    def counting():
        for i in range(3):
            print(i)
            yield i

    for i, v in zip(counting(), (w for w in x if w is not None)):
        if v > 0:
            break
    return i


@case("a generator that changes a list, in a `zip` of `zip` that tensors leave", ROWS[0])
def zip_of_changing(x):
    seen = []

    def noting():
        for i in range(3):
            seen.append(i)
            yield i

    for (i, _), v in zip(zip(noting(), "abc"), x):
        if v > 0:
            break
    return i, seen


@case("a generator that changes a tensor, in `enumerate` of a `zip` that tensors leave", ROWS[0])
def zip_of_adding(x):
    total = paddle.zeros([1])

    def adding():
        for v in x:
            total.add_(v)
            yield v

    for i, (_, v) in enumerate(zip("abc", adding())):
        if v > 0:
            break
    return i, total


@case("a generator that draws random numbers, in a `zip` with a string that tensors leave", ROWS[0])
def zip_of_random(x):
    def noisy():
        for v in x:
            yield v + paddle.rand([])

    for name, v in zip("abc", noisy()):
        if v > 0:
            break
    return name


@refused("an iterator of the user's class in a `zip` that tensors leave", *ROWS)
def zip_of_own(x):
    count = Countdown(3)
    for _, v in zip(count, x):
        if v > 0:
            break
    return count.left


@refused("an iterator with a name in a `zip` that tensors leave, used again", ROWS[0])
def zip_left_named(x):
    numbers = iter([1, 2, 3, 4, 5])
    for k, v in zip(numbers, x):
        if v > 0:
            break
    return k, list(numbers)


@refused("items by index of the user's class, in a loop that tensors leave", ROWS[0])
def by_index_left(x):
    class Counted:
        asked = 0

        def __getitem__(self, index):
            self.asked += 1
            return x[index]

    items = Counted()
    for v in items:
        if v > 0:
            break
    return items.asked


@refused("`zip` of what tensors count and a `map`, in turn", *[(T(n, "int64"),) for n in (0, 1, 2, 5)])
def zip_of_counted(n):
    double, seen = Noted(), []
    for k, a in zip(range(n), map(double, [1, 2, 3])):
        seen.append(k * a)
        if a > 3:
            break
    return seen, double.seen


@refused("a `map` that notes what it is asked, in a `zip` before what tensors count", ROWS[0])
def zip_before_counted(x):
    seen = []
    noted = map(lambda v: seen.append(v) or v, [1, 2, 3])
    return [a * b for a, b in zip(noted, [v for v in x if v > 0])], seen
