"""What holds a list or tensor where no variable does"""

import collections
import contextlib
import functools

import numpy as np
from language_table import BOTH, COUNTS, POS, T, case, fresh, refused, scenario

import to_static as paddle
from to_static import nn


class Noted:
    def __init__(self, log):
        self.log = log

    def __enter__(self):
        self.log.append("in")

    def __exit__(self, *told):
        self.log.append("out")


@contextlib.contextmanager
def noted(log):
    log.append("enter")
    try:
        yield
    finally:
        log.append("exit")


@case("a list that changes inside of a `with` whose manager holds it: objects, generators, `ExitStack`", *BOTH)
def managers(x):
    log, table = [], {}
    with noted(log), Noted(log), contextlib.ExitStack() as stack:
        stack.callback(log.append, "called")
        stack.callback(table.setdefault, "k", 1)
        stack.enter_context(noted(log))
        stack.push(lambda *told: log.append("pushed"))
        if x.sum() > 0:
            log.append("pos")
            table["pos"] = 2
    return log, table


def in_pieces(log):
    log.append("a")
    yield 1
    log.append("b")
    yield 2


@case("a list that changes while a bound method, a partial or a generator holds it", *BOTH)
def held_elsewhere(x):
    log = []
    add, put, pieces = log.append, functools.partial(log.insert, 0), in_pieces(log)
    next(pieces)
    if x.sum() > 0:
        log.append("pos")
    next(pieces)
    add("added")
    put("first")
    return log


@case("a list at hand in the middle of a `return`, display or assignment while a call changes it", *BOTH)
def at_hand(x):
    log = []

    def grow(value):
        if x.sum() > 0:
            log.append(value)
        return value

    first, kept = log, {"log": log, "value": grow(1)}
    return [log, grow(2)], first, kept, (log, grow(3), len(log))


@refused("a list whose method is at hand while its argument changes the list", *BOTH)
def method_at_hand(x):
    log = []

    def grow(value):
        if x.sum() > 0:
            log.append(value)
        return value

    log.append(grow(1))
    return log


def last_or(items, other):
    return items[-1] + other if items else other


@refused("a list at hand in the middle of a call, sum or item while a call changes it, and read after that", *BOTH)
def read_at_hand(x):
    log = []

    def grow(value):
        if x.sum() > 0:
            log.append(x * value)
        return x

    first = last_or(log, grow(3))
    texts = f"{len(log)} {grow(4).shape} {len(log)}"
    log += [grow(5)]
    count = (lambda *rest: len(rest))(*log, grow(6))
    return first, (log + [grow(7)])[-2], last_or(log, grow(8) if x.max() > 0 else x), texts, count


class Book:
    def __init__(self):
        self.pages = []

    def add(self, x):
        if x.sum() > 0:
            self.pages.append(x * 3)
        return x


@refused("an attribute at hand in the middle of an expression while a method makes the list longer", *BOTH)
def attribute_at_hand(x):
    book = Book()
    first = last_or(book.pages, book.add(x))
    book.pages += [book.add(x)]
    book.pages.append(book.add(x) + book.pages[0])
    return first, {"pages": book.pages, "x": book.add(x)}["pages"][-1], len(book.pages)


@refused("a list at hand in a `yield`, a condition of a loop, a `try` and a comprehension", *BOTH)
def statements_at_hand(x):
    book = Book()

    def each():
        for i in range(2):
            yield last_or(book.pages, book.add(x) + i)

    found = list(each())
    while len(book.pages) < 4 and last_or(book.pages, book.add(x)).sum() > 0:
        found.append(x)
    try:
        if last_or(book.pages, book.add(x)).sum() > 8:
            raise ValueError("big")
    except ValueError:
        found.append(x * 2)
    return found, [last_or(book.pages, book.add(x)) for _ in range(2)], len(book.pages)


@refused("a list that its own method makes longer, and a function meanwhile", *BOTH)
def extended_meanwhile(x):
    log = [x]

    def grow(value):
        if x.sum() > 0:
            log.append(value)
        return value

    log.extend(map(grow, [x, x * 2]))
    return log


@case("a list changes while `map` or `max` goes over it", *BOTH)
def behind_map(x):
    items = [x, x * 2]

    def grow(value):
        if x.sum() > 0 and len(items) < 5:
            items.append(value)
        return value.sum()

    return max(items, key=grow), list(map(grow, items))


@case("a list changes behind an iterator over it", *BOTH)
def behind_iterator(x):
    items = [1, 2]
    rest = enumerate(items)
    next(rest)
    if x.sum() > 0:
        items.append(3)
    return list(rest)


@case("`in` asks a dict or set for a tensor by its identity", T(1, "int64"))
def member_by_identity(k):
    table, other = {k: 1}, k + 0
    return k in {1: 2}, k in {1, 2}, k not in frozenset([1]), k in table, other in table, table[k], k in [1, 2]


@scenario("dicts and sets whose keys are parameters")
def keyed_by_parameters(to_static):
    paddle.seed(0)
    net = nn.Linear(2, 2)

    @to_static
    def f(x):
        scales = {p: k + 1 for k, p in enumerate(net.parameters())}
        scales[net.bias] += 5
        return sum((p * scales[p]).sum() for p in net.parameters()) * x, net.bias in set(net.parameters()), net.weight in {1: 2}

    return f(POS), f(POS)


@case("a truth of the Program as the index of a list, tuple or string, also of a list that tensors make longer", *BOTH)
def truth_as_index(x):
    names = ["neg", "pos"]
    values = [x * 0]
    if x.max() > 0:
        values.append(x)
    return names[x.sum() > 0], (1, 2)[x.max() > 0], "np"[x.sum() > 0], values[x.max() > 0]


@case("lists and strings sliced by tensors", *COUNTS)
def sliced_by_tensors(n):
    items = [n, n + 1, n + 2]
    return items[:n], items[n:], items[-n:], ["a", "b"][n:], "abc"[:n], (1, 2)[: n > 0]


def bounds(make):
    return case(f"a tensor of floats is no bound of a slice: {make.__doc__}", T(1.5))(make)


@bounds
def float_bound_of_tensors(i):
    """lists of tensors"""
    return [i, i][:i]


@bounds
def float_bound_of_strings(i):
    """strings"""
    return "abc"[i:]


@bounds
def float_number_as_bound(i):
    """numbers made from it"""
    return ["a", "b"][: float(i)]


@case("`.item()` of any dtype is a number like others: in branches, loops, lists and tuples with Python's", *BOTH)
def items_are_numbers(x):
    best, count, trail, pairs = 0.0, 1, [x[0].item()], [(1.5, "a")]
    for v in x:
        if v > best:
            best, count = v.item(), v.astype("int32").item()
        trail.append(2.5)
        pairs.append((v.item(), "b"))
    trail.append(x[1].item())
    return best, count, trail, pairs, [v for v in (x[0].item(), x[1].item()) if v > 1]


@refused("a defaultdict, Counter or dict with `__missing__` asked for a number that tensors decide", T([1, 0, 1], "int64"))
def missing_numbers(y):
    class Sevens(dict):
        def __missing__(self, key):
            return key + 7

    k, known = int(y[0]), int(y[1])
    sums, counts, sevens = collections.defaultdict(float), collections.Counter(), Sevens({0: 1})
    sums[0] = 1.5
    return sums[k], sums[known], len(sums), counts[k], len(counts), sevens[k], sevens[known]


@refused("a set under a number that tensors decide", T([1, 0, 1], "int64"))
def sets_by_number(y):
    groups = collections.defaultdict(set)
    for v in y:
        groups[int(v)].add(int(v) * 2)
    return groups


@case("lists for all numbers, one of which a tensor chooses", T([1, 0, 1], "int64"))
def lists_by_known_number(y):
    groups = {k: [] for k in range(10)}
    for v in y:
        groups[int(v)].append(v)
    return {k: paddle.stack(found).sum() for k, found in groups.items() if found}


class Queue(nn.Layer):
    def __init__(self):
        super().__init__()
        self.register_buffer("items", paddle.zeros([4]))
        self.register_buffer("at", paddle.to_tensor(np.int64(0)))

    def forward(self, x):
        place = int(self.at)
        self.items[place : place + 2] = x
        self.at = (self.at + 2) % 4
        return self.items.sum(), [10, 20, 30, 40][self.at], place


@scenario("a buffer as a number, before any operator met it")
def buffer_as_number(to_static):
    queue = to_static(Queue())
    return [queue(fresh(POS) * k) for k in range(3)], queue.items, queue.at


@scenario("`forward` of a sublayer replaced on the object")
def forward_replaced(to_static):
    net = to_static(nn.Sequential(nn.ReLU(), nn.Tanh()))
    seen = [net(-POS)]
    for replaced in (lambda x: x, lambda x: x * 2):
        net[0].forward = replaced
        seen.append(net(-POS))
    del net[0].forward
    return [*seen, net(-POS)]
