"""Containers"""

from collections import OrderedDict, defaultdict, deque, namedtuple
from dataclasses import dataclass, field

from language_table import BOTH, COUNTS, POS, T, case, refused, scenario

import to_static as paddle
from to_static.core.errors import ToStaticError

Point = namedtuple("Point", "x y")
VECTORS = [(T([1.0, -2.0, 3.0]),), (T([-1.0]),), (T([], "float32"),)]


@dataclass
class Pair:
    left: object
    right: object = 1
    extra: list = field(default_factory=list)


@case("`append` in a tensor loop", *COUNTS)
def append(n):
    out = []
    for i in range(n):
        out.append(n * i)
    return out


@case("`append` in a tensor branch", *VECTORS)
def append_branch(x):
    out = []
    for v in x:
        if v > 0:
            out.append(v)
    return out, len(out)


@case("`append` in Python control flow", POS)
def append_python(x):
    out = [x]
    for i in range(3):
        out.append(out[-1] * i)
    return out


@case("a list stacked after the loop", (T(1, "int64"),), (T(4, "int64"),))
def stacked(n):
    out = []
    for i in range(n):
        out.append(paddle.ones([2]) * i)
    return paddle.stack(out), paddle.concat(out)


@case("a list read, sliced, measured and iterated after a loop", (T(2, "int64"),), (T(4, "int64"),))
def read_list(n):
    out = []
    for i in range(n):
        out.append(n * i)
    total = n * 0
    for v in out:
        total = total + v
    return out[0], out[-1], out[n - 1], len(out), out[1:], out[:-1], total, out[::-1]


@case("`pop`, `insert`, `extend`, `+=` and item assignment in a loop", (T(2, "int64"),), (T(4, "int64"),))
def change_list(n):
    out = [n, n + 1]
    for i in range(n):
        out.append(n * i)
        out.extend([n, n * 7])
        out += [n + i]
        out.insert(1, n * 3)
        out[0] = out[0] + out.pop()
        out[i] = n
    return out, out.pop(0)


@case("`reverse`, `clear`, `copy` and `+` of a list after a loop", *COUNTS)
def more_list_methods(n):
    out = []
    for i in range(n):
        out.append(n * i)
    other = out.copy()
    out.reverse()
    both = other + out
    other.clear()
    return out, other, both, list(both)


@case("a string appended in a tensor loop", *COUNTS)
def append_string(n):
    out = []
    for i in range(n):
        out.append("a")
    return out


@case("a list from outside changed in a branch", *BOTH)
def outside_list(x):
    kept = [x]
    other = kept
    if x.sum() > 0:
        kept.append(x * 2)
    return len(other), other


@case("a list that a loop fills and a condition empties", *COUNTS)
def pop_while(n):
    stack = [n]
    total = n * 0
    while len(stack) > 0:
        v = stack.pop()
        total = total + v
        if v > 1:
            stack.append(v - 1)
    return total


@case("a dict entry written in a branch", *BOTH)
def dict_entry(x):
    d = {"a": x}
    if x.sum() > 0:
        d["a"] = d["a"] + 1
    return d


@case("a new dict entry in a branch", *BOTH)
def dict_new_entry(x):
    d = {"a": x}
    if x.sum() > 0:
        d["b"] = x * 2
    return d["a"], "b" in d, d.get("b")


@case("dict entries written in a loop", *COUNTS)
def dict_loop(n):
    d = {"sum": n * 0, "count": 0}
    for i in range(n):
        d["sum"] = d["sum"] + i
        d["count"] += 1
    return d


@case("dict methods in Python control flow", POS)
def dict_methods(x):
    d = {"a": x}
    d.update(b=x * 2)
    d.setdefault("c", x * 3)
    return list(d.keys()), d.pop("a"), d.get("zz", 5), [v.sum() for v in d.values()], {**d, "z": 1}, len(d)


@case("tuples, unpacking with stars", POS)
def tuples(x):
    a, *b = x, x + 1, x + 2
    (c, d), e = (x, 1), 2
    return (*b, a), c, d, e, (x,) + (1,), (x, 2)[1:]


@case("named tuples through branches", *BOTH)
def named_tuple(x):
    p = Point(x, 1)
    if x.sum() > 0:
        p = Point(p.x * 2, p.y + 1)
        p = p._replace(y=5)
    return p, p.x, p.y


@case("named tuples carried by a loop", *COUNTS)
def named_tuple_loop(n):
    p = Point(n, 0)
    for i in range(n):
        p = Point(p.x + i, p.y + 1)
    return p


class Span(namedtuple("Span", "low high")):
    @property
    def size(self):
        return self.high - self.low


@case("named tuples of a class with properties", *COUNTS)
def named_tuple_class(n):
    span = Span(n, n + 1)
    for i in range(n):
        span = Span(span.low - 1, span.high + i)
    return span, span.size


@case("dataclasses through branches", *BOTH)
def dataclass_branch(x):
    p = Pair(x)
    if x.sum() > 0:
        p = Pair(x * 2, 5)
    return p.left, p.right


@case("dataclass fields written in a branch", *BOTH)
def dataclass_field(x):
    p = Pair(x, 0)
    if x.sum() > 0:
        p.left = x * 2
        p.right += 1
    return p.left, p.right


@case("containers as arguments and results", ([POS, {"k": POS}], Point(POS, 3), Pair(POS)))
def nested_arguments(a, p, q):
    return {"a": a[0] + a[1]["k"], "p": p, "q": q.left * p.y}, (a[0],), [p.x]


@case("an argument list changed in place", ([POS, POS],))
def argument_list(items):
    items.append(items[0] * 2)
    items[0] = items[1]
    return len(items)


@case("`OrderedDict`, `defaultdict`, `deque`, sets", POS)
def collections_types(x):
    o = OrderedDict(a=x)
    o["b"] = x * 2
    d = defaultdict(list)
    d["k"].append(x)
    q = deque([x], maxlen=2)
    q.append(x + 1)
    q.appendleft(x + 2)
    return list(o), d["k"], q[0], len(q), {1, 2} | {3}


@case("nested lists in Python control flow", POS)
def nested_lists(x):
    grid = [[x * i + j for j in range(2)] for i in range(2)]
    grid[0][1] = x
    return grid, [row[0] for row in grid]


@refused("nested lists grown in a tensor loop", COUNTS[0], error=ToStaticError)
def nested_growth(n):
    out = []
    for i in range(n):
        out.append([n, n])
    return out


class Box:
    def __init__(self):
        self.items = []
        self.count = 0

    def add(self, value):
        if value > 0:
            self.items.append(value)
            self.count += 1


@case("a list of an object grown in a tensor loop", *BOTH)
def object_list(x):
    box = Box()
    kept = box.items
    for v in x:
        box.add(v * 2)
    return box.items, box.count, len(kept)


@case("lists of a dict grown in a tensor loop", *BOTH)
def dict_lists(x):
    kinds = {"up": [], "down": []}
    for v in x:
        kinds["up" if v > 0 else "down"].append(v)
        if v > 1:
            kinds["up"].append(v * 2)
    return kinds, len(kinds["up"])


@case("a growing list with several names", *BOTH)
def grown_names(x):
    a = [x.sum()]
    b = a
    held = [a]
    other = a + [x.max()]

    def size():
        return len(a)

    def add(items, value):
        items.append(value)

    for v in x:
        if v > 0:
            add(a, v)
            for w in x:
                if w > v:
                    b.append(w * v)
    return a, len(b), held, size(), a is b, other


@case("a list in a tuple, grown in a tensor loop", *BOTH)
def grown_in_tuple(x):
    out = []
    pair = (out, Point(out, 1))
    for v in x:
        out.append(v)
    return len(pair[0]), pair[1].x, pair[1].x is out


@case("slices assigned and deleted", POS)
def slices(x):
    items = [x, x + 1, x + 2]
    items[1:2] = [x * 5, x * 6]
    del items[0]
    return items


@case("strings", POS)
def texts(x):
    name = "net"
    return name.upper(), f"{name}-{3:03d}", "%s" % name, ",".join(["a", "b"]), name[0]


@case("`pop` and items that are not there fail as in Python, also when nobody uses them", *COUNTS)
def list_errors(n):
    items = [n, n]
    for i in range(n):
        items.pop()
    return n


@case("an index out of range, under a condition", (T(1, "int64"),), (T(7, "int64"),))
def list_index_error(n):
    items = [n]
    if n > 0:
        items.append(n)
    if n > 5:
        items[n] = n
    return items[n]


@case("slices of a list that changed in a loop, assigned and deleted", *COUNTS)
def list_slices_changed(n):
    items = [n, n + 1, n + 2]
    for i in range(n):
        items.append(n * i)
    head, tail, gone = items[:], items[:], items[:]
    del head[1:], tail[-1:], gone[2:1], items[0]
    items[1:2] = [n * 5, n * 6]
    return head, tail, gone, items


@case("a missing number as a key", (T(1, "int64"),), (T(3, "int64"),))
def missing_number(n):
    table = {1: n * 2, 2: n}
    if n > 2:
        return table[5]
    return table[int(n)]


@case("tuples with numbers of tensors in order: `sorted`, `max`, `min`, `<`", *BOTH, T([2.0, 2.0]))
def tuples_in_order(x):
    pairs = [(float(v), i) for i, v in enumerate(x)]
    first, last = pairs
    down = sorted([(1, *pair) for pair in pairs], reverse=True)
    pairs.sort()
    chosen = max(pairs), min(pairs), max(pairs, key=lambda p: (p[1], p[0]))
    return down, pairs, chosen, (first[0], 1) < (last[0], 1), (first[0],) <= (last[0], 0), [first[0], 2] > [last[0], 1]


class Output(OrderedDict):
    """With entries that are attributes as well, as models of some libraries return."""

    def __init__(self, **entries):
        super().__init__(**entries)
        for name, value in entries.items():
            super().__setattr__(name, value)

    def __setitem__(self, name, value):
        super().__setitem__(name, value)
        super().__setattr__(name, value)

    def to_tuple(self):
        return tuple(self.values())


class Stack(list):
    def push(self, value):
        self.append(value)
        return self


class Settings(dict):
    def __getattr__(self, name):
        return self[name]


@scenario("classes made from `dict`, `OrderedDict` and `list`, returned and handed over")
def made_from_containers(to_static):
    def run(x, settings):
        made = Output(a=x * settings.scale, b=x[0] if x.sum() > 0 else x[1])
        made["c"] = x + 1
        stack = Stack([x]).push(made)
        stack.top = made.a
        return made, stack, Settings(stack=stack, x=x)

    run, seen = to_static(run), []
    for x, scale in ((POS, 2), (-POS, 2), (POS, 3)):
        made, stack, settings = run(x, Settings(scale=scale))
        seen.append((type(made).__name__, made.a, made["b"], list(made), made.to_tuple(), made.a is made["a"]))
        seen.append((type(stack).__name__, stack[1] is made, len(stack), stack.top is made.a))
        seen.append((type(settings).__name__, settings.stack is stack, settings.x))
    return seen


@case("a dict in a dict, both written where a tensor decides, in a loop of Python's", *BOTH)
def moments(x):
    state = {"opt": {"m": x * 0, "v": 0.0}, "n": 0}
    own = state["opt"]
    for _ in range(3):
        g = x - state["opt"]["m"]
        state["opt"]["m"] = state["opt"]["m"] * 0.9 + g * 0.1
        if g.sum() > 0.5:
            state["opt"]["v"] = state["opt"]["v"] + g.sum()
            state["n"] += 1
    return state, own is state["opt"]
