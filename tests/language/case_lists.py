"""Lists changed and searched at places that tensors decide"""

from language_table import BOTH, COUNTS, POS, T, case, refused

import to_static as paddle

PLACES = [(T(k, "int64"),) for k in (0, 2, -1, -3, 3, -4)]
VECTORS = [(T([3.0, 1.0, 2.0, -4.0]),), (T([1.0, 1.0]),)]


@case("`pop` of a Python list at a traced place, with Python's error out of range", *PLACES)
def pop_at(n):
    items = [10, 20, 30]
    return items.pop(n), items


@case("`pop` of tensors and of other objects at a traced place", *PLACES[:4])
def pop_objects(n):
    tensors, others = [n * 1.0, n * 2.0, n * 3.0], ["a", None, 3]
    return tensors.pop(n), tensors, others.pop(int(n)), others


@case("`del` of an item at a traced place", *PLACES)
def delete_at(n):
    items = ["a", "b", "c"]
    del items[n]
    return items, len(items)


@case("`insert` at a traced place", *PLACES)
def insert_at(n):
    items = ["a", None, 3]
    items.insert(n, "x")
    return items


@case("`index`, `count` and `remove` of a traced value", *PLACES)
def search_for(n):
    items = [0, 2, 2, -1]
    k = int(n)
    return items.count(k), items.index(k) if items.count(k) else None


@case("`index` of what is not there is Python's error", *PLACES)
def search_fails(n):
    return [0, 2, -1].index(int(n))


@case("`remove` of a traced value", *PLACES)
def remove_value(n):
    items = [0, 2, -1, 2]
    items.remove(int(n))
    return items


@case("`pop` and `insert` at traced places in a branch", *COUNTS)
def places_in_branch(n):
    items = [1, 2, 3, 4]
    taken = 0
    if n > 1:
        taken = items.pop(n)
        items.insert(n, 9)
    else:
        items[n] = 7
    return items, taken, items.count(9)


@case("a Python list of tensors popped and inserted into, with gradients", *VECTORS)
def pop_trains(x):
    rows = [x * 1, x * 2, x * 3]
    k = (x > 1.5).sum()
    taken = rows.pop(k)
    rows.insert(k - 1, x * 5)
    return rows, taken


@case("`==` and `!=` of lists made in loops", *COUNTS)
def compare_lists(n):
    out = [5, 6]
    for i in range(n):
        out.append(i)
    if out == [5, 6, 0]:
        n = n + 10
    while out != [5]:
        out.pop()
        n = n + 1
    return n, out, out == (5,), out == out


@case("`*` and `*=` of lists made in loops", *COUNTS)
def repeat_list(n):
    out = []
    for i in range(n):
        out.append(i)
    out *= 2
    return out, out * int(n - 1), 2 * out, out * -1


@case("`index`, `count` and `remove` of lists made in loops", *COUNTS)
def search_list(n):
    out = [5]
    for i in range(n):
        out.append(i)
    out.remove(5)
    return out.count(1), out.index(0) if len(out) > 0 else -1, out


@case("`remove` and `index` of what a list made in a loop may not hold", *COUNTS)
def remove_missing(n):
    out = [5]
    for i in range(n):
        out.append(i)
    k = out.index(1)
    out.remove(2)
    return out, k


@case("`sort` and `sorted` of lists made in loops", *COUNTS)
def sort_list(n):
    out = []
    for i in range(n):
        out.append((i * 7) % 3)
    down = sorted(out, reverse=True)
    near = sorted(out, key=lambda v: abs(v - 1))
    out.sort()
    return out, down, near


@case("tuples in order, and the largest of them: the first items that differ decide", *COUNTS, T(7, "int64"))
def sort_tuples(n):
    best, top = [], (-1, "none")
    for i in range(n):
        best.append(((i * 7) % 3, -i))
        best.sort(reverse=True)
        if len(best) > 2:
            best.pop()
        if (i % 4, "some") > top:
            top = (i % 4, "some")
    odd = sorted(best, key=lambda pair: (pair[1] % 2, pair[0]))
    return best, sorted(best), odd, top, max(best, default=None)


@case("rows sorted by a key, with gradients", (T([[1.0, 2.0], [0.0, 5.0], [-9.0, 0.0], [4.0, -1.0]]),))
def sort_rows(x):
    rows = []
    for row in x:
        if row.sum() > 0:
            rows.append(row * row)
    rows.sort(key=lambda row: row.max(), reverse=True)
    del rows[0]
    rows.insert(-1, x[0])
    return rows


@case("slices of lists made in loops assigned and deleted", *COUNTS)
def change_slices(n):
    out = [5, 6]
    for i in range(n):
        out.append(i)
    out[1:n] = [8, 8]
    out[-1:] = out
    del out[:-2]
    del out[5:2]
    del out[-1]
    out.insert(-1, 7)
    out.insert(100, 9)
    return out


@case("a list sorted, searched and cut in the loop in which it grows", *COUNTS)
def sort_in_loop(n):
    out = [3]
    for i in range(n):
        out.append(i)
        out.sort()
        out.remove(3)
        out.append(3)
        del out[0]
    return out


@case("`in` a list that a loop made is a Python bool", *COUNTS)
def in_grown(n):
    out = []
    for i in range(n):
        out.append(n * i)
    return n * 1 in out, 99 in out


@case("a list rebound after the loop in which it grew", *COUNTS)
def rebound(n):
    out = []
    for i in range(n):
        out.append(i)
    out = out + [len(n.shape)]
    return out


@case("lists inside of a list grow in a loop", *COUNTS)
def lists_in_list(n):
    out = [[], []]
    for i in range(n):
        out[0].append(i)
        out[1].append(n * i)
    return out


@refused("a list made in a loop beside a tensor", POS)
def list_beside_tensor(x):
    out = []
    for v in x:
        out.append(v)
    return out * x.sum()


@refused("`==` of a list made in a loop and a tensor", POS)
def list_equals_tensor(x):
    out = []
    for v in x:
        out.append(paddle.abs(v))
    return out == x


@case("an item of a list that a traced index gives, changed", (T(0, "int64"),), (T(-1, "int64"),))
def change_nested(n):
    rows, named = [[n * 1.0], [n * 2.0]], [{"a": n * 1.0}, {"a": n * 2.0}]
    row = rows[n]
    row[0] = n + 9.0
    named[n]["a"] = n + 8.0
    return rows, named, row


@case("lists that move to places that tensors decide", (T(1, "int64"),))
def move_nested(n):
    rows = [[n * 1.0], [n * 2.0]]
    row = [n * 7.0]
    rows.insert(n, row)
    row[0] = n * 9.0
    return rows


@case("`[item] * n` and text as often as a number of the Program says", *COUNTS)
def repeated_by_number(n):
    k = int(n)
    table, pad = [0.0] * (k + 1), "-" * (k - 1)
    for i in range(1, k + 1):
        table[i] = table[i - 1] + i * 0.5
    mixed = [None, "a", n] * k
    print(pad + "x")
    return table, mixed, (1, 2) * k, [[0] * k for _ in range(2)], 2 * [k] + [1] * bool(n > 1), f"{k}," * k


@case("`items += ...` and `items *= n` change the list that all names mean, `items = items + ...` does not", *COUNTS)
def augmented(n):
    class Box:
        items = None

    made = [i for i in range(n)]
    a, b, c, box, d = [9], [1, 2], [5], Box(), {"k": [3]}
    box.items = [4]
    others = a, b, c, box.items, d["k"]
    a += made
    b *= int(n)
    c = c + made
    box.items += tuple(made)
    d["k"] += made
    others[0].extend(made)
    for i in range(n):
        others[0].extend([0] * i)
    return a, b, c, box.items, d, others, a is others[0], c is others[2]


@case("`index` and `count` of a tuple", *[T(v) for v in ([1.0, 2.0, 3.0], [1.0, -2.0, 3.0], [-1.0, -2.0, -3.0])])
def found_in_tuple(x):
    n = int((x > 0).sum())
    return (1, 2, 3).count(n), (1, 2, 3).index(n)


@case("slices of a list that tensors bound, set and deleted, seen under its other name", *COUNTS)
def traced_slices(n):
    items = [1, 2, 3, 4]
    same, tensors = items, [n, n + 1, n * 2]
    items[int(n) :] = [9]
    tensors[: int(n)] = [n * 3, n * 4]
    del tensors[int(n) % 3 :]
    tensors[:0] = [n]
    empty = []
    empty.insert(int(n), n)
    for i in range(n):
        items[i : i + 1] = [i, i]
    return items, same is items, tensors, empty


@case("`max()` and `min()` with a key, of a list whose length depends on tensors", *BOTH)
def extremes_by_key(x):
    found = [x.sum()]
    for i, v in enumerate(x):
        if v > 1:
            found.append(v * i)
    return max(found, key=lambda v: (v - 1) ** 2), min(found, key=lambda v: -v)


def _pairs(items):
    for i in range(len(items) - 1):
        yield items[i], items[i + 1]


@case("a loop over a generator that is made where a tensor decides", *BOTH)
def generator_in_branch(x):
    total = x.sum() * 0
    if x[0] > 0:
        for a, b in _pairs([x, x + 1, x * 2]):
            total = total + (a * b).sum()
    return total
