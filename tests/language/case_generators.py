"""Generators"""

import itertools

from language_table import BOTH, COUNTS, POS, T, case, refused

import to_static as paddle

ROWS = [T([1.0, -2.0, 3.0]), T([-1.0]), T([9.0, 2.0, -4.0, 8.0])]  # some, none, others


def positive(x, k=1, *, add=0):
    for v in x:
        if v > 0:
            yield v * k + add


def counting(n=0):
    while True:
        yield n
        n = n + 1


def inner(x):
    total = 0
    for v in x:
        if v > 0:
            yield v
        total = total + v
    return total


def delegating(x):
    total = yield from inner(x)
    yield total
    if total > 2:
        yield from [x[0], x[0] * 2]
    return total


def cleaning(x):
    try:
        for v in x:
            print("before", v)
            yield v if v > 0 else -v
            print("behind", v)
    finally:
        print("final")


def answering(items):
    for item in items:
        answer = yield item
        assert answer is None
    return 5


def larger(items, k):
    for v in items:
        if v * k > 4:
            yield v * k


def first_of(generator):
    for v in generator:
        return v


class Tree:
    def __init__(self, value, children=()):
        self.value = value
        self.children = children

    def walk(self):
        if self.value > 0:
            yield self.value
        for child in self.children:
            yield from child.walk()


@case("a generator function", POS)
def generator(x):
    def scaled():
        for i in range(3):
            yield x * i

    total = x
    for v in scaled():
        total = total + v
    return total


@refused("a generator with a tensor condition", *ROWS)
def conditions(x):
    def large():
        for v in positive(x):
            if v > 2:
                yield v
            yield v * 10

    total, count = x.sum(), 0
    for v in large():
        for w in positive(x, 2, add=total):
            total = total + v * w * 0.001
            count += 1
    return total, count


@refused("`break`, `continue`, `return` and `else` in a loop over a generator", *ROWS)
def leaving(x):
    total = x.sum() * 0
    for v in positive(x):
        if v == 2:
            continue
        if v > 7.5:
            break
        total = total + v
    else:
        total = total - 100
    for i, v in enumerate(positive(x), 1):
        if v > 2:
            return total, v, i
    return total, i


@refused("an endless generator, left by a tensor", T(1.0), T(9.0))
def endless(x):
    for n in counting():
        x = x * 2
        if x > 10:
            break
    return x, n


@case("an endless generator, left by Python", T(1.0))
def endless_python(x):
    for n in counting():
        x = x * 2
        if n == 3:
            break
    return x, n


@refused("an endless generator that counts a tensor up", T(1, "int64"), T(9, "int64"), T(0, "int64"))
def endless_tensor(n):
    total = n * 0
    for k in counting(n):
        total = total + k
        if total > 20:
            return k
    return total


@refused("`yield from`, and what a generator returns", *ROWS)
def delegation(x):
    out = []
    total = x.sum()
    for v in delegating(x):
        out.append(v)
    for v in delegating(x):
        total = total + v
        if total > 5:
            break
    return paddle.stack(out), total


@refused("a generator method that calls itself", *ROWS)
def recursion(x):
    tree = Tree(x[0], [Tree(x[-1], [Tree(x.sum())]), Tree(x[0] * 2)])
    total, count = x.sum(), 0
    for v in tree.walk():
        total = total + v
        count = count + 1
    return total, count


@refused("`try` / `finally` in a generator, in Python's order", *ROWS)
def cleanup(x):
    for v in cleaning(x):
        print("body", v)
        if v > 2.5:
            break
    print("done")
    return v


@case("the order of effects", *ROWS)
def order(x):
    def talking():
        print("start")
        for v in x:
            print("before", v)
            yield v
            print("behind", v)
        print("end")

    for v in talking():
        if v > 2:
            print("skip")
            continue
        print("body", v)
    else:
        print("else")
    return v


@refused("a generator inside of generators", *ROWS)
def pipeline(x):
    total = x.sum()
    for v in larger(larger(positive(x), 2), 3):
        total = total + v
        if total > 40:
            break
    return total


@refused("`list`, `sum`, `any`, `all`, `max` and `min` of a generator", *ROWS[::2])
def consumers(x):
    items = list(positive(x))
    return len(items), sum(positive(x)), any(v > 2 for v in positive(x)), all(positive(x)), max(positive(x)), min(positive(x))


@refused("`max` of a generator that yields nothing", *ROWS)
def nothing(x):
    return max(positive(x), default=None), min(v for v in positive(x))


@refused("`map`, `filter` and generator expressions over a generator", *ROWS)
def mapped(x):
    total = x.sum()
    for v in map(lambda w: w + 1, positive(x)):
        total = total + v
    for v in filter(lambda w: w > 1, positive(x)):
        total = total + v
    for v in (w * 2 for w in x if w > 0):
        total = total + v
    return total


@refused("`next` of a generator that nobody else sees", *ROWS)
def following(x):
    return next(positive(x), x.sum()), next((v for v in x if v > 2), None)


@refused("`next` of a generator that yields nothing", *ROWS)
def following_error(x):
    return next(positive(x))


@case("an error raised in a generator", *ROWS)
def raising(x):
    def checked():
        for v in x:
            if v > 8:
                raise ValueError("big")
            yield v

    total = x.sum()
    for v in checked():
        total = total + v
    return total


@refused("lists and dicts changed in a loop over a generator", *ROWS)
def containers(x):
    d = {"n": 0, "total": x.sum()}
    e = d
    out = []
    for v in positive(x):
        d["n"] += 1
        e["total"] = e["total"] + v
        out.append(v * 2)
    return d, e is d, len(out)


@refused("a generator over `range` of a tensor", T(3, "int64"), T(0, "int64"))
def ranges(n):
    def squares(k):
        for i in range(k):
            yield i * i

    total = 0
    for s in squares(n):
        total = total + s
    return total, list(squares(3)), len(list(squares(n)))


@refused("a generator with a name, its items taken at once", *ROWS)
def with_a_name(x):
    generator = positive(x)
    total = x.sum()
    for v in generator:
        total = total + v
    for v in generator:  # there are no more
        total = total + v * 100
    return total


@case("items taken one by one, where Python decides which there are", (POS, [1, 2, 3]), (POS, []))
def one_by_one(x, items):
    total = x.sum()
    for a, b in zip(answering(items), answering(items), strict=True):
        total = total + a * b
    generator = answering(items)
    n = next(generator, 7)
    for k in generator:
        total = total + k
        if k == 2:
            break
    for k in generator:
        total = total + 100
    found = tuple(answering(items)), [*answering(items)], 2 in answering(items), sorted(answering(items))
    return total, n, found, max(answering(items), default=3), dict(enumerate(answering(items)))


@case("items taken one by one, tensors decide what they are", *BOTH)
def unpacked(x):
    def pair():
        y = x
        if x.sum() > 0:
            y = x * 2
        yield y
        yield y + 1

    a, b = pair()
    return a + b, [*pair()], (lambda *q: sum(q))(*pair())


@refused("`zip` of a generator, tensors decide which items there are", *ROWS)
def zipped(x):
    total = x.sum()
    for v, k in zip(positive(x), [1, 2], strict=False):
        total = total + v * k
    for v, name in zip(positive(x), ["a", "b", "c"]):
        if v > 1:
            return name
    return total, [k * v for k, v in zip(range(5), positive(x))]


@refused("`zip` of a generator and what tensors count, in Python's order", *ROWS)
def zipped_in_order(x):
    def noted():
        for v in x:
            print("item", float(v))
            if v > 0:
                yield v
        print("end")

    seen = []
    for v, k in zip(noted(), range(2)):
        print("body", k)
        seen.append(v * k)
    for w, v in zip([w for w in x if w < 3], noted()):
        seen.append(v * w)
    return seen, [v for _, v in zip([], noted())], [v for v, _ in zip(noted(), [])]


@refused("`zip` of two generators, tensors decide which items there are", POS)
def zipped_generators(x):
    return [v * w for v, w in zip(positive(x), positive(x * 2))]


@refused("a generator that was left early, used again", POS)
def again(x):
    generator = positive(x)
    return first_of(generator), first_of(generator)


@refused("a generator with a name, left early inside of `finally`", POS)
def cleanup_with_a_name(x):
    generator = cleaning(x)
    for v in generator:
        if v > 1:
            break
    return v


@refused("a tuple of as many items as a tensor says", *BOTH)
def tuple_of(x):
    return tuple(positive(x))


@refused("a list of an object, grown in a loop over one", *BOTH)
def object_list(x):
    tree = Tree(x)
    tree.children = []
    for v in positive(x):
        tree.children.append(v)
    return len(tree.children)


@case("an error in the loop over a generator, with `try` in the generator", *ROWS)
def raising_loop(x):
    def talking():
        try:
            yield 1
            yield 2
        except ValueError:
            print("not for the generator")
        finally:
            print("final")

    try:
        for _ in talking():
            raise ValueError("in the loop")
    except ValueError:
        print("caught")
    return x


@refused("what a generator yields goes into dicts, strings and gradients", *ROWS)
def values(x):
    def pairs():
        for i, v in enumerate(x):
            if v > 0:
                yield i, {"v": v, "both": [v, v * 2]}

    def letters():
        yield "a"
        if x.sum() > 0:
            yield "b"
        yield "c"

    total, last, text = x.sum(), 0, ""
    for i, d in pairs():
        total = total + d["v"] + d["both"][1] * i
        last = max(last, i)
    for letter in letters():
        text = text + letter
    return total, last, text


def _summed(items):
    total = 0
    for item in items:
        total = total + item
    return total


@refused("generator expressions handed on, kept, starred, in `extend` and `update`", *BOTH)
def expressions_handed(x):
    kept = (v * 2 for v in x if v > 0)
    found, members, entries = [1], {1}, {}
    found.extend(v for v in x if v > 0)
    found.extend(_rows(x))
    found += (v for v in x if v > 1)
    members.update(int(v) for v in x if v > 0)
    entries.update((int(v), 1) for v in x if v > 0)
    starred = [0, *(v for v in x if v > 0)]
    return _summed(kept), _summed(v for v in x if v > 0), found, members, entries, starred, {*(int(v) for v in x if v > 0)}


def _rows(x):
    for v in x:
        if v > 0:
            yield v + 1


def _first(items, count):
    for i, item in enumerate(items):
        if i >= count:
            return
        yield item


@refused("a generator expression handed to a generator function", *BOTH)
def expression_in_generator(x):
    return [v for v in _first((w for w in x if w > 0), 1)], list(itertools.chain.from_iterable([[v for v in x if v > 0], [1]]))


@case("generator expressions over a range of a tensor, starred and in `extend`", *COUNTS)
def expressions_of_range(n):
    found = []
    found.extend(i * 2 for i in range(n))
    return found, [*(i for i in range(n))], max(*(i for i in range(n)), 0, 0)
