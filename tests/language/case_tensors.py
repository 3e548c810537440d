"""Which tensor a condition or loop chose"""

from language_table import BOTH, COUNTS, NEG, POS, T, case

import to_static as paddle


@case("an in-place change of the tensor that a condition chose is seen through all its names", *BOTH)
def chosen_tensor(x):
    a, b = x * 1, x * 2
    c = a
    if x.sum() > 0:
        c = b
    c[0] = 9
    c.add_(x)
    return a, b, c


@case("an in-place change of one of the tensors that a condition chose from", *BOTH)
def chosen_from(x):
    a, b = x * 1, x * 2
    c = a if x.sum() > 0 else b
    a[0] = 9
    b.multiply_(x)
    return a, b, c


@case("an argument, or a new tensor: what is changed in place", *BOTH)
def argument_or_new(x):
    y = x
    if x.sum() > 0:
        y = x * 2
    y[0] = 9
    return y


@case("two names of one new tensor in one branch, of two in the other", *BOTH)
def names_of_new(x):
    if x.sum() > 0:
        y = x * 2
        z = y
    else:
        y, z = x * 3, x * 4
    y.add_(x)
    return y, z, y is z


@case("`is` between tensors that a condition makes one or two", *BOTH)
def is_joined(x):
    y = x if x.sum() > 0 else x * 1
    z = x * 5 if y is x else x * 7
    return y is x, y is not z, z


@case("nested conditions choose, one of them raises", *BOTH)
def nested_choice(x):
    a, b, c = x * 1, x * 2, x * 3
    d = a
    if x.sum() > 100:
        raise ValueError("large")
    elif x.max() > 0:
        d = b
        if x.max() > 1:
            d = c if x.sum() > 2 else x * 4
    d[0] = 9
    return a, b, c, d


@case("a branch or a loop changes in place what a condition chose", *COUNTS)
def changed_in_flow(n):
    a, b = n * 1, n * 2
    c = a if n > 1 else b
    if n > 2:
        c.add_(n)
    for i in range(n):
        c.add_(n + i)
    return a, b, c


@case("swapped tensors that a loop changes in place", *COUNTS)
def swapped_tensors(n):
    a, b = n * 1, n * 2
    first = a
    for _ in range(n):
        a.add_(n)
        a, b = b, a
    b.add_(n)
    return a, b, first, a is first, b is first


@case("a tensor that a loop replaces and changes in place, under two names", *COUNTS)
def replaced_tensors(n):
    y = n * 1
    z = first = y
    last = None
    for i in range(n):
        z.add_(n)
        y = y + i
        if i > 0:
            z = y
        if i == 2:
            last = z
    y.add_(n)
    return y, z, first, y is z, last


@case("the best tensor of a loop, which goes on to change", *COUNTS)
def best_tensor(n):
    best, w = None, n * 1
    for i in range(n):
        w.add_(n)
        if i > 1:
            best = w
            w = w + 1
    if best is not None:
        best.add_(n)
    return best, w


@case("tensors made in nested loops are not taken for one another", *COUNTS)
def made_in_loops(n):
    kept = n * 1
    y = kept
    for i in range(n):
        for j in range(n):
            y = y + j
            if i + j == 2:
                kept = y
        y.add_(n)
    kept.add_(n)
    return kept, y, kept is y


@case("items, attributes and closures that hold what a condition chose", *BOTH)
def chosen_in_containers(x):
    table = {"a": x * 1}
    old = table["a"]
    y = x * 3

    def get():
        return y

    z = y
    if x.sum() > 0:
        table["a"] = y
        y = x * 2
    table["a"].add_(x)
    z.add_(x)
    return table, old, get(), z


@case("a list in Python's hands, an item of it chosen by a tensor and changed in place", *COUNTS)
def chosen_item(n):
    items = [n * 1, n * 2, n * 3, n * 4, n * 5]
    y = items[n]
    y.add_(n)
    for i in range(n):
        items[i].add_(n)
    return items, y


GROWN = [(T(1.0), T(1.0), [5.0]), (T(1.0), T(-1.0), [5.0]), (T(-1.0), T(1.0), [])]


class Ranked:
    def __init__(self, value):
        self.value = value

    def __lt__(self, other):
        return self.value.sum() < other.value.sum()

    def __gt__(self, other):
        return self.value.sum() > other.value.sum()


@case("`max` and `min` with a key, of objects, and of what tensors count: what is given is one of the values", (POS, 2), (NEG, 3))
def extremes(x, n):
    a, b, items = [x], [x * 2], []
    for i in range(paddle.to_tensor(n)):
        items.append(x * (i - 1))
    best = max([x, -x, x * 2], key=lambda v: v.sum())
    longest = max(a, b, key=lambda v: v[0].sum())
    longest.append(x)
    table = {"a": x, "b": -x}
    least = min(items, key=lambda v: v.sum())
    name = max(table, key=lambda k: table[k].sum())
    place = max(enumerate([x, -x]), key=lambda pair: pair[1].sum())
    return best, a, b, longest is a, max(Ranked(x), Ranked(-x)).value, least, name, place


@case("a list of several kinds that a condition chose and another made longer stays that list", *GROWN)
def chosen_rows(x, y, items):
    a, b = list(items), list(items)
    c = a
    if x > 0:
        if y > 0:
            c = b
        c.append(x)
    return len(a), len(b), len(c), c is a, c is b


@case("an in-place change of a tensor that a list holds whose length tensors decide", T(2, "int64"))
def change_of_appended(n):
    items, y = [], n * 1
    for _ in range(n):
        y.add_(n)
        items.append(y)
    return items


@case("an in-place change behind `else:` on its line", POS)
def change_behind_else(x):
    items = [x * 2]
    if x.sum() > 0: items.append(x)  # noqa: E701
    else: items[0].add_(x)  # noqa: E701
    return items


@case("an in-place change of an item of such a list", T(2, "int64"))
def change_of_item(n):
    items = [n * 1]
    for i in range(n):
        items.append(n + i)
    items[0].add_(n)
    return items


@case("an in-place change to another number of dimensions", POS)
def change_of_rank(x):
    y = x * 1
    z = y if x.sum() > 0 else x * 2
    z.unsqueeze_(0)
    return y, z


@case("`is` where no running function was seen to ask", POS)
def asked_elsewhere(x):
    y = x if x.sum() > 0 else x * 1
    return ASKS["same"](y, x)


ASKS = {"same": lambda a, b: a is b, "shape": paddle.shape}


@case("items of a tensor that a loop keeps, views of what changes", (T([1.0, 5.0, 2.0]), T(2, "int64")))
def kept_views(x, k):
    x, found = x.clone(), []
    for _ in range(k):
        place = x.argmax()
        found.append(x[place])
        x[place] = -1e9
    return found


@case("a view that a tensor chose, and a change of what it is a view of", *BOTH)
def chosen_view(x):
    x = x.clone()
    row = x[0:1] if x.sum() > 0 else x[1:2]
    x[0] = 7.0
    return row, x


@case("items set in a loop with a step that a tensor decides, in a branch", *COUNTS, T(20, "int64"))
def sieve(n):
    prime = paddle.ones([n + 1], "bool")
    i = 2
    while i * i <= n:
        if prime[i]:
            for j in range(i * i, n + 1, i):
                prime[j] = False
        i += 1
    return prime


@case("neighbours change places, row by row, until none does", T([3.0, 1.0, 2.0]), T([5.0, 4.0, 3.0, 2.0, 1.0]), T([1.0]))
def bubbles(a):
    a, n = a.clone(), len(a)
    for i in range(n):
        swapped = False
        for j in range(n - i - 1):
            if a[j] > a[j + 1]:
                kept = a[j].clone()
                a[j] = a[j + 1]
                a[j + 1] = kept
                swapped = True
        if not swapped:
            break
    return a


@case("a tensor that a branch changed and then looked at is changed through a view behind it", *BOTH)
def viewed_later(x):
    y, z = x + 1, x.sum()
    if x.sum() > 0:
        y.add_(x)
        row = y[1]
        if row > 0:
            z = z + row
    w = y[0:2]
    w[0] = 1.0
    return y, w, z


@case("a tensor is changed and looked at in each round of a loop, and changed through a view behind it", *COUNTS)
def viewed_in_rounds(n):
    y = paddle.zeros([3])
    for i in range(n):
        y[0] = i
        tail = y[1:]
        tail[0] = 2.0
    w = y[0:2]
    w[1] += 1.0
    return y, w
