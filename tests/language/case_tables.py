"""Dicts and sets whose keys tensors decide"""

import collections

from language_table import BOTH, COUNTS, NEG, POS, T, case, refused, scenario

import to_static as paddle

SIGNS = [(T([1.0, -1.0, 2.0]),), (T([-1.0]),), (T([3.0]),)]
LABELS = [(T([1, 2, 1, 3, 1], "int64"),), (T([5], "int64"),), (T([2, 2], "int64"),)]
NUMBERS = [(T(1, "int64"),), (T(2, "int64"),), (T(7, "int64"),)]


@case("a new key in one branch: `in`, `get`, `len`, `d[k]`, the dict itself", *BOTH)
def new_key(x):
    d = {"a": x}
    if x.sum() > 0:
        d["b"] = x * 2
    size = len(d)
    d["c"] = 3
    there = d["b"] if "b" in d else x
    return d, size, "b" in d, "z" not in d, d.get("b", x), d.get("b"), d["a"], there, d.pop("b", None)


@case("a key that is missing raises KeyError", *BOTH)
def missing_key(x):
    d = {}
    if x.sum() > 0:
        d["b"] = x * 2
    return d["b"]


@case("keys in the order in which they came, which tensors decide", *BOTH)
def order_of_keys(x):
    d = {}
    if x.sum() > 0:
        d["a"], d["b"] = x, 1
    else:
        d["b"], d["a"] = 2, x
    d["c"] = d.pop("a")
    for k, v in d.items():
        print(k, v)
    return d, list(d), [k for k in d], list(d.values()), sorted(d)


@case("`pop`, `setdefault`, `update`, `del`, `|=`, `clear`, `popitem`", *BOTH)
def methods(x):
    d = {"a": x, "b": x + 1, "c": 2}
    if x.sum() > 0:
        d.pop("a")
        d.setdefault("b", 5)
        d |= {"e": 1}
        x = x + d.setdefault("n", x * 3)
    else:
        del d["c"]
        d.update({"m": x}, z=0)
        last = d.popitem()
        x = x + last[1]
    e = d | {"a": 7}
    f, g = d.copy(), dict(d)
    if x.sum() > 4:
        d.clear()
    return d, e, f, g, x, bool(d)


@case("`for` over keys, values and items, with `break`, `continue`, `return` and changed values", *COUNTS)
def walks(n):
    d = {"a": n, "b": n * 2}
    if n > 0:
        d["c"] = n * 3
    for k in d:
        d[k] = d[k] + 1
    total = 0
    for i, (k, v) in enumerate(d.items()):
        if k == "a":
            continue
        total = total + v * i
    for k, v in d.items():
        if v > 5:
            return k, v, total
    return "none", sum(d.values()), max(d.values()), [(k, w) for k, w in zip(d, (1, 2, 3))]


@case("a dict that grows while it is iterated over raises RuntimeError", *COUNTS)
def grows_while_walked(n):
    d = {"a": n}
    if n > 0:
        d["b"] = n
    for _ in d:
        if n > 1:
            d["z"] = n
    return d


@case("views see keys that come later", *BOTH)
def views(x):
    d = {"b": x}
    keys, values = d.keys(), d.values()
    if x.sum() > 0:
        d["c"] = x + 1
    return list(keys), list(values), len(keys), "c" in keys


@case("comprehensions of dicts and sets with tensor conditions, `**d` in a display, `dict(zip())`", *BOTH)
def made_of_others(x):
    d = {k: x * i for i, k in enumerate("abc") if x.sum() > i}
    e = {**d, "m": 1}
    f = {k: v * 2 for k, v in e.items() if k != "a"}
    names = ["a"]
    if x.sum() > 0:
        names.append("b")
    return d, e, f, dict(zip(names, [x, x * 2])), sorted({i for i in range(3) if x.sum() > i})


@case("traced numbers as keys", *LABELS)
def counts(labels):
    d, first = {}, {}
    for v in labels:
        k = int(v)
        d[k] = d.get(k, 0) + 1
        if k not in first:
            first[k] = v * 2
    first.pop(2, None)
    return d, first, len(d), sorted(d), sum(d.values()), list(d.items())


@case("a dict with known keys, one of which a tensor chooses", *NUMBERS)
def chosen_keys(n):
    d = {1: n * 2, 2: n * 3}
    found = d.get(int(n), n), d.get(int(n)), int(n) in {1, 2, 3}
    d[int(n)] = n
    d[int(n)] += 1
    k = "a" if n > 1 else "b"
    names = {"a": 1}
    names[k] = names.get(k, 5) + 1
    return found, d, names, {int(n): "x", 2: "y"}


@case("`Counter`, `defaultdict` and `OrderedDict`", *LABELS)
def kinds_of_dicts(labels):
    c, d, o = collections.Counter(a=1), collections.defaultdict(int), collections.OrderedDict(x=1)
    n = collections.Counter()
    for v in labels:
        n[int(v)] += 1
        d[int(v)] += int(v)
        if v > 2:
            c["big"] += 1
            o["big"] = v
        else:
            c.update(["small", "small"])
            o["small"] = v
            o.move_to_end("x")
    return c, d, o, n, c["none"], len(n), type(o) is collections.OrderedDict, isinstance(c, dict)


@case("`move_to_end` and `rotate` under a condition, of a key that a tensor decides", *SIGNS)
def moved_to_end(x):
    o = collections.OrderedDict([("a", x), ("b", 2), ("c", 3)])
    other, q = collections.OrderedDict([(1, 5), (2, 6)]), collections.deque([1, 2, 3])
    for name, v in zip("abc", x, strict=False):
        if v > 0:
            o.move_to_end(name)
            q.rotate(1)
    if x.sum() > 0:
        other.move_to_end(1)
    return o, list(o), other, q


@case("`update` and `subtract` of a Counter under a condition", *SIGNS)
def counted_under_condition(x):
    c, d, e = (collections.Counter("aab") for _ in range(3))
    for v in x:
        if v > 0:
            c.subtract({"a": 2})
            d.update("ac")
    if x.sum() > 0:
        collections.Counter.update(e, "b")
    return c, d, e


@case("a `defaultdict(list)`, `setdefault(k, [])` and `if k not in d: d[k] = []`", *SIGNS)
def groups(x):
    d, e, f = collections.defaultdict(list), {}, {}
    for v in x:
        d["pos" if v > 0 else "neg"].append(v)
        e.setdefault("all", []).append(v)
        if v > 0:
            e.setdefault("pos", []).append(v * 2)
        k = "p" if v > 0 else "n"
        if k not in f:
            f[k] = []
        f[k].append(v)
    d["last"].append(x[-1])
    return d, e, f, len(d["last"]), "pos" in d


@case("sets: `add`, `discard`, `remove`, `in`, `len`, `sorted` and their operators", *LABELS)
def sets(labels):
    seen, out, names = set(), [], {"a"}
    for v in labels:
        if int(v) not in seen:
            seen.add(int(v))
            out.append(v)
        names.add("big" if v > 2 else "small")
    names.discard("small")
    t = {1, 2}
    joined = sorted(seen | t), sorted(seen & t), sorted(seen - t), sorted(t - seen), sorted(seen ^ t)
    seen.update([9])
    seen.remove(9)
    return out, joined, seen == t, seen <= {1, 2, 3}, seen.isdisjoint(t), sum(seen), names, len(seen), seen


@case("a member that is missing raises KeyError", *NUMBERS)
def missing_member(n):
    s = {1, 2}
    if n > 1:
        s.remove(2)
    s.remove(int(n))
    return s


@case("all names of a dict see its new keys: aliases, arguments, attributes, closures, defaults", (POS, {"a": 1}), (NEG, {"a": 1}))
def one_object(x, d):
    class Box:
        pass

    box, e, log = Box(), d, {}
    box.d, held = d, [d]

    def note(k, memo={}):  # noqa: B006
        log[k] = log.get(k, 0) + 1
        if x.sum() > 0:
            memo[k] = 1
        return len(memo)

    if x.sum() > 0:
        box.d["n"] = x
        note("p")
    held[0]["m"] = 1
    return e is d, box.d is d, held[0] is d, len(e), log, note("q"), note("r"), d


@scenario("a global dict and one that a Layer keeps get keys at every call")
def kept(to_static):
    import to_static as paddle

    class Net(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            self.cache = {}

        def forward(self, x):
            if x.sum() > 0:
                self.cache["p"] = x * 2
            else:
                KEPT["n"] = x
            return x + 1

    KEPT.clear()
    net = to_static(Net())
    found = []
    for x in (NEG, POS, NEG, POS * 2):
        net(x)
        found.append([{k: v.numpy().tolist() for k, v in d.items()} for d in (KEPT, net.cache)])
    return found


KEPT = {}


@case("dicts made in a branch, returned from one, replaced by another", *BOTH)
def made_in_branches(x):
    d = {"a": x}
    if x.sum() > 0:
        e = {}
        if x.max() > 1.5:
            e["hi"] = x
    else:
        e = {"lo": x}
        if x.min() > -1.5:
            d = {"c": 1}
    if x.max() > 1.5:
        d = {**d, "z": 1}

    def build(t):
        if t.sum() > 0:
            made = {}
            if t.max() > 1.5:
                made["hi"] = t
            return made
        return {"lo": t}

    return d, e, len(e), build(x), build(-x)


@case("values of several kinds, lists and dicts among them", *SIGNS)
def values(x):
    out = {"logits": x.reshape([1, -1]), "hidden": [x], "n": 2, "name": "s", "opts": {"k": x}}
    if x.sum() > 0:
        out["loss"] = x.sum()
        out["n"] = None
        out["opts"]["new"] = (x, 1)
    out["hidden"].append(paddle_matmul(out["logits"]))
    return out, out["n"], out["name"] + "!", out.get("loss", 0)


def paddle_matmul(x):
    return x.matmul(x.t())


@case("keys that a loop deletes", *COUNTS)
def deleted(n):
    d = {"a": n, "b": n + 1}
    if n > 5:
        d["c"] = n
    s = n * 0
    for i in range(n):
        if "a" in d:
            s = s + d["a"]
        d.pop("a", None)
        if i == 2:
            d["a"] = i
    return s, d, list(d)


@case("`match` of a dict", *BOTH)
def matched(x):
    d = {"b": x}
    if x.sum() > 0:
        d["c"] = x + 1
    match d:
        case {"c": v}:
            return v
        case {"b": v, **rest}:
            return v + 10, rest


@case("`deque` as a window, as a queue of tuples, turned round and compared", *SIGNS)
def deques(x):
    window, queue, ring = collections.deque(maxlen=2), collections.deque([(0, x[0])]), collections.deque([1, 2, 3])
    for v in x:
        if v > -2:
            window.append(v * 2)
    steps = 0
    while queue and steps < 4:
        depth, v = queue.popleft()
        steps += 1
        if v > 0:
            queue.append((depth + 1, v - 1))
            queue.appendleft((depth + 1, v - 3))
    if x.sum() > 0:
        ring.rotate(1)
        ring.extendleft([7, 8])
    else:
        ring += [5]
    ring[0] = 9
    seen = [v for v in window], window[-1], len(window), bool(queue), ring == collections.deque([9, 2, 3, 5])
    return window, queue, ring, steps, seen, sorted(ring), sum(ring), 2 in ring, list(reversed(ring)), window.maxlen


@scenario("a Layer keeps a window of what it saw")
def kept_window(to_static):
    import to_static as paddle

    class Net(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            self.window = collections.deque(maxlen=2)

        def forward(self, x):
            if x.sum() > 0:
                self.window.append(x)
            return len(self.window)

    net, found = to_static(Net()), []
    for x in (NEG, POS, NEG, POS * 2, POS * 3):
        found += [net(x), [v.numpy().tolist() for v in net.window], type(net.window).__name__, net.window.maxlen]
    return found


@refused("a deque that changes while it is iterated over", *SIGNS)
def deque_walked(x):
    q = collections.deque([1, 2, 3])
    for v in q:
        if x.sum() > 0:
            q.append(v)
            break
    return q


@case("`Counter(...)`, `dict.fromkeys(...)`, `d.keys() - ...`, `iter(d)` with numbers of the Program", *LABELS)
def made_of_numbers(labels):
    c = collections.Counter(int(v) for v in labels)
    d = {"a": 1}
    if labels.sum() > 5:
        d["b"] = 2
    keys = sorted(d.keys() - {"a"}), sorted(d.keys() | {"z"})
    return c, c.most_common(1), list(dict.fromkeys(int(v) for v in labels)), keys, next(iter(d)), dict((v, k) for k, v in d.items())


@refused("a set in Python's order", *LABELS)
def set_in_order(labels):
    s = set()
    for v in labels:
        s.add(int(v))
    return [i for i in s]


@refused("whole numbers beside other keys", *BOTH)
def mixed_keys(x):
    d = {"a": 1}
    if x.sum() > 0:
        d[3] = x
    return d


@refused("`print(d)` of a dict whose keys tensors decide", *BOTH)
def printed(x):
    d = {"a": 1}
    if x.sum() > 0:
        d["b"] = 2
    print(d)
    return x


@refused("`f(**d)` of a dict whose keys tensors decide", *BOTH)
def spread(x):
    d = {}
    if x.sum() > 0:
        d["scale"] = 2.0
    return (lambda x, scale=1.0: x * scale)(x, **d)


@refused("a tensor in such a dict changed in place", *BOTH)
def in_place(x):
    y = x * 1
    d = {"a": y}
    if x.sum() > 0:
        d["b"] = x * 2
    y.add_(x)
    return d


@case("a number counted up twice in a dict that makes missing values", *COUNTS)
def counted_twice(n):
    c, d = collections.Counter(), collections.defaultdict(int)
    c[int(n)] += 1
    c[int(n)] += 1
    d[int(n)] -= 2
    d[int(n)] *= 3
    return c, d


@case("lists under numbers that tensors decide: `setdefault(k, [])`, `defaultdict(list)`", *LABELS)
def lists_under_numbers(labels):
    found, counts = {}, collections.defaultdict(list)
    for i, v in enumerate(labels):
        items = found.setdefault(int(v), [])
        items.append(v * 2)
        found[int(v)].append(len(items))
        counts[int(v) % 2].append((i, "even" if v % 2 == 0 else "odd"))
    for items in counts.values():
        items.reverse()
    sizes = sorted((len(items), k) for k, items in counts.items())
    return found, counts, sizes, 3 in found, sum(len(items) for items in found.values())


@case("dicts of such lists are compared", *LABELS[:1])
def lists_under_numbers_compared(labels):
    found, sums = {}, {}
    for v in labels:
        found.setdefault(int(v), []).append(v * 1)
        sums[int(v)] = sums.get(int(v), []) + [int(v)]
    return sums == found, sums


@case("such a list is one under all its names, and sorted and cut", *LABELS)
def one_list(labels):
    d, k = {7: [1]}, int(labels.sum())
    a, b = d.setdefault(k, []), d[k]
    a.append(3)
    b.extend([2, 1])
    a.sort()
    del b[0]
    return d, a, b, len(d.get(k, [])), len(d.get(100, [])), a is b, a is d[7]


@case("such lists made where they are missing, and taken from", *LABELS)
def made_where_missing(labels):
    d = {7: [1]}
    for v in labels:
        if int(v) not in d:
            d[int(v)] = [int(v)]
        d[int(v)] += [0, int(v)]
        if v == 3:
            last = d[3].pop()
            d[7].append(last)
    return d


@case("tensors in such lists, with gradients", *[(*row, T([1.0, 2.0, 3.0], stop_gradient=False)) for row in LABELS])
def tensors_under_numbers(labels, x):
    d = collections.defaultdict(list)
    for v in labels:
        d[int(v)].append(x * x * v)
    total = x * 0
    for k, items in d.items():
        total = total + paddle.stack(items).sum(0) * (k + 1)
    return total


@refused("a list under a number that has another name", POS)
def named_list(x):
    d, items = {}, []
    d[int(x.sum())] = items
    items.append(x)
    return d


@refused("a dict with lists under numbers copied", POS)
def copied_groups(x):
    d = {}
    d.setdefault(int(x.sum()), []).append(x)
    return d, d.copy()
