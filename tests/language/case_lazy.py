"""What runs no further than Python would: `any`, `all`, `map`, `filter` and generator expressions"""

from language_table import T, case, refused

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


@case("loops over `map`, `enumerate(map())` and generator expressions, with `break`", *ROWS)
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


@case("`map` and `filter` are empty once their items were taken", *ROWS)
def taken_once(x):
    doubled, positive = map(lambda v: v * 2, x), filter(lambda v: v > 0, x)
    first, pairs = next(doubled), map(float, [1, 2, 3, 4])
    for a in pairs:
        first = first + a * next(pairs)
    return first, list(doubled), list(doubled), sum(positive), list(positive), type(pairs).__name__


@case("`any` leaves an iterator where it found something", *ROWS)
def rest_of_iterator(x):
    items, flags = iter([x[0], x[1], x[2]]), iter([x[0] > 0, x[1] > 0, x[2] > 0])
    return any(v > 0 for v in items), list(items), any(flags), list(flags)


@refused("an `enumerate` that `any` may have left, used again", ROWS[0], says=("enumerate", "used again", "list"))
def enumerate_again(x):
    items = enumerate([x[0], x[1]])
    return any(v > 0 for _, v in items), list(items)


@refused("a `map` that a loop may have left, used again", ROWS[0], says=("map", "end early", "list"))
def map_again(x):
    items = map(lambda v: v > 0, x)
    for item in items:
        if item:
            break
    return list(items)


@refused("a `map` from before whose items an operand takes that may not run", ROWS[0], says=("a map", "before or after"))
def map_under_condition(x):
    items = map(lambda v: v * 2, [x[0], x[1]])
    return 1 if x.sum() > 0 and any(v > 1 for v in items) else 0
