"""Lists that grow and shrink"""

import bisect
import collections
import heapq
import types
from dataclasses import dataclass, field

from language_table import BOTH, COUNTS, NEG, POS, T, case, refused, scenario

import to_static as paddle

THREE = [(T([1.0, 2.0, 3.0]),), (T([-1.0, 2.0, -3.0]),), (T([-1.0, -2.0, -3.0]),), (T([1.0, -2.0, -3.0]),)]
EITHER = [(T(1.0), T(3, "int64")), (T(-1.0), T(0, "int64")), (T(2.0), T(1, "int64"))]


@dataclass
class Track:
    items: list = field(default_factory=list)
    count: int = 0


class Counter:
    def __init__(self, value):
        self.value = value
        self.count = 0


@case("`pop` and `append` in a ternary, in `and`, in a lambda", *EITHER)
def lazily(x, n):
    marks, seen = [x, x * 2], []
    note = lambda v: seen.append(v)
    s = x
    for i in range(n):
        s = s + marks.pop() if marks else s
        (marks.append(s) if s > 3 else None)
        x > 0 and note(s * i)
    return s, marks, seen


@case("`pop` in the condition of a loop", *EITHER)
def popping_condition(x, n):
    marks, k = [x, x * 2, x * 3], 0
    while marks and marks.pop() > 1.5:
        k += 1
    queue = [x, x * 4]
    while queue.pop() > 1.5 and k < 4:
        queue.append(x * k)
        k += 1
    return marks, queue, k


@case("items of a list that has always been empty fail as in Python", *COUNTS)
def always_empty(n):
    out, total = [], n
    for i in range(n):
        total = total + out[-1] if i > 0 else total
        out.append(total)
    gone = []
    if n > 2:
        gone.pop()
    return out, total


@refused("`enumerate`, `zip` and `reversed` of a list that is still empty in the first trip", *BOTH)
def empty_at_first(x):
    seen, out = [], x * 0
    for i in range(2):
        try:
            if x.sum() < 0:
                raise ValueError
        except ValueError:
            continue
        for k, e in enumerate(seen, 1):
            out = out + e * k
        for e in reversed(seen):
            out = out * 2 + e
        for a, b in zip(seen, [1, 2, 3]):
            out = out + a * b
        seen += [x + i]
    return out, seen, len(list(enumerate(seen)))


@case("a list of an argument grows in a branch that returns", *[(x, [T(5.0)], {"a": [T(1.0)]}) for x in (T(1.0), T(-1.0))])
def grown_argument(x, items, named):
    if x > 0:
        items.append(x)
        return items
    named["a"].pop()
    items.extend([x, x])
    return items


@case("a list of an argument grows in a loop", *[(T(n, "int64"), [1, 2], Track([T(1.0)])) for n in (0, 2)])
def grown_in_loop(n, numbers, track):
    for i in range(n):
        numbers.append(i)
        track.items.append(n * 1.0)
        track.count += 1
    return sum(numbers), track


@case("objects that a loop makes, with attributes set in it", POS, NEG)
def made_in_loop(x):
    track = Track()
    while x.sum() < 20 and x.sum() > 0:
        made = Counter(x)
        made.value = x + 1
        made.count += 2
        track = Track([made.value], made.count)
        track.count += 1
        x = x + made.value * made.count
    return x, track


@case("a list that was emptied is reversed, and stacked only where it holds something", *BOTH)
def emptied(x):
    items = [x]
    if x.sum() > 0:
        items.append(x * 2)
    items.clear()
    items = items[::-1]
    return paddle.stack(items).sum() if items else x


@scenario("a trace that fails leaves lists from outside alone")
def failed_trace(to_static):
    kept, track = [T(1.0)], Track([T(2.0)])

    @to_static
    def f(x):
        if x > 0:
            kept.append(x)
            track.items.append(x)
        raise ValueError("bad")

    try:
        f(T(-1.0))
    except ValueError:
        pass
    return type(kept).__name__, kept, track


class Log:
    def __init__(self):
        self.items, self.count, self.ends = [], 0, {"a": []}

    def add(self, *values):
        self.items += values
        self.count += len(values)
        self.ends["a"] += [self.count]
        return self

    def twice(self):
        self.items *= 2


@case("lists of attributes changed by `+=`, `*=` and functions of libraries", *THREE)
def attributes_updated(x):
    log, heap, places, numbers = Log(), [], [], ([3, 1, 2],)
    items = log.items
    for v in x:
        if v > 0:
            log.add(v, -v)
            heapq.heappush(heap, float(-v))
            bisect.insort(places, 1)
    if x[0] > 0:
        log.twice()
        numbers[0].sort()
    return log.items, log.count, log.ends, items is log.items, len(items), heap, places, numbers


@case("an attribute or item of what a call gives is assigned", *THREE)
def results_changed(x):
    log, groups, order = Log(), {}, []

    def value():
        order.append("value")
        return 3

    def index():
        order.append("index")
        return 0

    for v in x:
        if v > 0:
            groups.setdefault("a", {})["last"] = v
            log.add(v).count += 1
        else:
            groups.setdefault("b", {})["last"] = v
            log.add(v, v).items[index()] = value()
    return groups, log.items, log.count, order


@case("lists and dicts made for keys that tensors choose, under other names", *THREE)
def buckets(x):
    groups, tree, kinds = {}, {}, {}
    for word, v in zip(["ab", "ac", "b"], x):
        if v > 0:
            group, kind = groups.setdefault("positive", []), kinds.setdefault("p", {})
            node = tree
            for letter in word:
                node = node.setdefault(letter, {})
            node["last"] = v
        else:
            group, kind = groups.setdefault("others", []), kinds.setdefault("o", {})
        group.append(v)
        kind["last"] = v
    return groups, tree, kinds


@case("`dict` and `copy` of a `defaultdict` of lists that tensors filled", *THREE)
def groups_copied(x):
    groups = collections.defaultdict(list)
    for v in x:
        groups["positive" if v > 0 else "others"].append(v)
    plain, copy = dict(groups), groups.copy()
    if x[1] > 0:
        groups["positive"].append(x[0])
    return groups, plain, copy, dict(groups, more=1), plain == groups


@refused("a new list for a key whose list has other names", THREE[0])
def bucket_replaced(x):
    groups = {}
    if x[0] > 0:
        groups["a"] = []
    group = groups.get("a")
    if group is not None:
        group.append(x[0])
    if x[1] > 0:
        groups["a"] = []
    return group, groups


@case("pairs with a tensor put into a heap", *THREE)
def heap_of_pairs(x):
    heap = [(1, x[0])]
    if x[0] > 0:
        heapq.heappush(heap, (1, x[1]))
    return heap


@refused("counters that tensors filled, combined by operators", THREE[0])
def counters_combined(x):
    seen = collections.Counter()
    for v in x:
        seen["positive" if v > 0 else "others"] += 1
    return collections.Counter("ab") + seen


@case("new lists for keys that tensors choose", *THREE)
def lists_under_keys(x):
    groups, rest = {}, {}
    for v in x:
        key = "positive" if v > 0 else "others"
        if key in groups:
            groups[key].append(v)
        else:
            groups[key] = [v]
        rest[key] = rest.get(key, []) + [v * 2]
    return groups, rest, {key: [v * 3 for v in items] for key, items in groups.items()}


@scenario("`items.append` under another name, called in a branch")
def append_under_a_name(to_static):
    items, found = [], []
    kept = types.SimpleNamespace(add=items.append, log=items)

    def logged(x):
        if x.sum() > 0:
            kept.add(x)
            for add in (items.append,):
                add(x * 2)
        return x

    run = to_static(logged)
    for x in (POS, NEG, POS, POS):
        run(x)
        found.append((len(items), list(items), kept.add.__self__ is items))
    return found
