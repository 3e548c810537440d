"""Which object a condition chose"""

import collections
import copy
import dataclasses
import functools
import operator

from language_table import BOTH, COUNTS, NEG, POS, T, case, refused

import to_static as paddle
from to_static.core.errors import TranslationError


class Box:
    def __init__(self, value, items=None):
        self.value = value
        self.items = items

    def add(self, value):
        self.value = self.value + value
        return self


@dataclasses.dataclass
class Pair:
    first: object
    second: object = None


@case("a list that a condition chose stays that list: appended to, assigned into, `is`", *BOTH)
def chosen_list(x):
    a, b = [x], [x * 2]
    c = a
    if x.sum() > 0:
        c = b
    c.append(x * 3)
    c[0] = x * 9
    c += [x]
    return a, b, c, c is a, c is not b


@case("numbers, dicts and dataclasses that a condition chose", *BOTH)
def chosen_others(x):
    n, m, d, e, p, q = [1], [2], {"k": x}, {"k": x * 2}, Pair(x), Pair(x * 2)
    numbers, table, pair = (n, d, p) if x.sum() > 0 else (m, e, q)
    numbers.append(5)
    table["k"] = x * 7
    pair.second = 3
    return n, m, d, e, p, q, table is d, pair is q


@case("objects that a condition chose, their methods and their lists", *BOTH)
def chosen_objects(x):
    a, b = Box(x, []), Box(x * 2, [])
    o = a if x.sum() > 0 else b
    o.value = o.value + 1
    o.items.append(x)
    same = o.add(x) is o
    return a.value, b.value, len(a.items), len(b.items), same, o is a


@case("the old list still has another name", *BOTH)
def replaced_list(x):
    table = {"a": [x]}
    items = table["a"]
    if x.sum() > 0:
        items = [x * 7]
    items.append(x)
    return items, table


@case("an item or attribute that becomes another list", *BOTH)
def replaced_places(x):
    table, box = {"a": [x], "b": [x * 2]}, Box(x, [x])
    old, kept = table["a"], box.items
    if x.sum() > 0:
        table["a"] = table["b"]
        box.items = [x * 5]
    table["a"].append(x * 3)
    box.items.append(x * 4)
    return table, old, kept, box.items, box.items is kept


@case("swapping lists in a branch", *BOTH)
def swapped(x):
    a, b = [x], [x * 2]
    first = a
    if x.sum() > 0:
        a, b = b, a
    a.append(x * 3)
    return a, b, first, first is a


@case("two names of one new list in one branch, of two in the other", *BOTH)
def one_or_two(x):
    if x.sum() > 0:
        a = [x]
        b = a
    else:
        a, b = [x], [x]
    b.append(x * 5)
    return a, b, a is b


@case("a list of the caller's that a branch replaces", ([POS], POS), ([POS], NEG))
def replaced_argument(items, x):
    if x.sum() > 0:
        items = [x]
    items[0] = x * 3
    return items


@case("a closure changes the list that a condition chose", *BOTH)
def chosen_in_closure(x):
    a, b = [x], [x * 2]
    c = a

    def add(v):
        c.append(v)

    if x.sum() > 0:
        c = b
    add(x * 3)
    return a, b, c


@case("a branch changes one of the lists that a condition chose from", *BOTH)
def chosen_before_branch(x):
    a, b = {"k": x}, {"k": x * 2}
    c = a if x.sum() > 0 else b
    y = x
    if x.max() > -5:
        a["k"] = x * 9
        y = c["k"] + 1
        c["k"] = y
    return a, b, c, y


@case("reading a list that a condition chose", *BOTH)
def reading_list(x):
    a, b = [x, x * 2], [x * 3, x * 4]
    c = a if x.sum() > 0 else b
    p, q = c
    total = 0
    for v in c:
        total = total + v
    mine = c.copy()
    mine[0] = x * 0
    stacked = paddle.stack(c), paddle.concat(c), paddle.add_n(c)
    return p - q, total, [*c, x], list(reversed(c)), len(c), c[-1], c[:1], c + [x], stacked, mine, copy.copy(c), a, b


@case("reading a dict that a condition chose", *BOTH)
def reading_dict(x):
    def minus(p, q):
        return p - q

    a, b = {"p": x, "q": x * 2}, {"p": x * 3, "q": x * 4}
    c = a if x.sum() > 0 else b
    total = 0
    for _, v in c.items():
        total = total + v
    return total, [k for k in c], list(c.values()), c.get("p"), "q" in c, minus(**c), dict(c), {**c, "z": 1}


@case("objects of one class made in both branches, or in one", *BOTH)
def made_in_branches(x):
    if x.sum() > 0:
        a = Box(x * 2, [x])
    else:
        a = Box(x * 3, [x * 4])
    b = Box(x)
    if x.sum() > 0:
        b = Box(x * 3)
    a.value = a.value + 1
    a.items.append(x)
    b.add(x)
    return a.value, a.items, b.value


@case("a new object where the old one has another name", *BOTH)
def made_beside_name(x):
    b = Box(x)
    a = b
    if x.sum() > 0:
        b = Box(x * 3)
    b.value = b.value + 1
    return a.value, b.value, a is b


@case("an object that one branch changes and the other replaces", *BOTH)
def changed_or_replaced(x):
    a, b = Pair(x), Pair(x)
    kept = b
    if x.sum() > 0:
        a.first = x * 3
        b.first = x * 4
    else:
        a, b = Pair(x * 2), Pair(x * 5)
    b.second = x
    return a, b, kept, kept is b


@case("objects that hold each other", *BOTH)
def cycles(x):
    if x.sum() > 0:
        a = Box(x * 2)
        a.items = [a, Box(x + 1, a)]
    else:
        a = Box(x * 3)
        a.items = [a, Box(x + 2, a)]
    a.items[1].items.value = x * 10
    return a.value, a.items[0] is a, a.items[1].value


@case("an object that only one branch has, or None", *BOTH)
def object_or_none(x):
    made = None
    if x.sum() > 0:
        made = Box(x * 2)
        made.value = made.value + 1
    return x if made is None else made.value * 2


@case("a function that sees an object made beside it in a branch", POS)
def function_sees_object(x):
    if x.sum() > 0:
        box = Box(1)
        get = lambda: box.value
    else:
        box = Box(2)
        get = lambda: box.value * 10
    box.value = 7
    return get(), box.value


@refused("`id()` of what a condition chose", POS, error=TranslationError)
def id_of_chosen(x):
    y = x
    if x.sum() > 0:
        y = x * 2
    return id(x) == id(y)


@case("an object that every iteration makes anew, with its methods and nested objects", *COUNTS)
def made_in_iterations(n):
    box, pair = Box(n), Pair(Box(n), [n])
    for i in range(n):
        box.value = box.value + 1
        box = Box(box.value + i)
        box.add(i)
        pair = Pair(Box(pair.first.value + i), [pair.second[0] + 1])
    return box.value, pair.first.value, pair.second


@case("the best object of a loop, and the one before", *COUNTS)
def best_object(n):
    best, last, before = None, Box(n), Box(n * 0)
    for i in range(n):
        before = last
        last = Box(3 * i - i * i)
        if best is None or last.value > best.value:
            best = Box(last.value)
    return None if best is None else best.value, last.value, before.value


@case("an object or list that a loop replaces, while the old one has another name", *COUNTS)
def replaced_in_loop(n):
    box, items, table = Box(n), [n], {"k": n}
    old, kept, tables = box, items, [table]
    for i in range(n):
        box = Box(box.value + i)
        items = [items[0] + 1]
        table = {"k": table["k"] + 1}
    box.value = box.value * 2
    items[0] = items[0] * 10
    table["k"] = table["k"] * 10
    return box.value, old.value, box is old, items, kept, items is kept, table, tables


@case("swapping objects in a loop", *COUNTS)
def swapped_in_loop(n):
    a, b = Box(n), Box(n + 1)
    for _ in range(n):
        a, b = b, a
    a.value = 100
    return a.value, b.value


@case("swapping lists in a loop while one has another name", COUNTS[1])
def lists_swapped_in_loop(n):
    a, b = [n], [n * 2]
    first = a
    for _ in range(n):
        a, b = b, a
    return a, b, first


@case("`+=` on a list of which only another name is used afterwards", *BOTH)
def extended_under_other_name(x):
    def extend(items, more):
        if x.sum() > 0:
            items += more

    a, b = [x], [x]
    other, table = a, {"k": b}
    if x.sum() > 0:
        a += [x * 2]
    extend(b, [x * 3])
    return other, table


@case("`|=` on a dict of which only another name is used afterwards", *BOTH)
def dict_under_other_name(x):
    d = {"a": x}
    other = d
    if x.sum() > 0:
        d |= {"a": x * 2}
    return other


@case("a list with two names: the first iteration changes it, and makes another one", *BOTH)
def changed_then_replaced(x):
    items = [x]
    same = items
    for v in x:
        items.append(v)
        items = items[:]
    return len(same), len(items), items is same


@case("`is` between lists of which a loop makes one anew", T(2, "int64"))
def is_of_loop(n):
    items = [n]
    same = items
    for _ in range(n):
        if same is items:
            items = [n, n]
    return items


@case("one list at several places of a list or dict, changed in a loop by any of them", *COUNTS)
def list_at_two_places(n):
    rows, row = [[0] * 2] * 2, [0, 1]
    table = {"a": row, "b": (row, 5)}
    k = n
    while k > 0:
        rows[k % 2][0] += k
        rows[0][1] += rows[1][0]
        table["a"][0] += 1
        table["b"][0][1] += row[0]
        k = k - 1
    return rows, rows[0] is rows[1], table, row


@case("two lists become one in a loop, and are changed there and afterwards", *COUNTS)
def lists_become_one(n):
    a, b, table = [0], [1], [[0], [0]]
    for i in range(n):
        a = b
        a[0] += i
        b[0] *= 2
        table[1] = table[0]
        table[0][0] += i + 1
        table[1][0] *= 2
    a.append(5)
    table[0][0] += 1
    return a, b, a is b, table, table[0] is table[1]


@case("one list at two places becomes two in a loop", T(3, "int64"))
def list_becomes_two(n):
    row = [0, 1]
    t = [row, row]
    for i in range(n):
        if i == 2:
            t[1] = [7, 7]
        t[0][0] += 1
    return t, row


@case("a list that a loop changes under one name and reads under another: attribute, closure, tuple, method", *COUNTS)
def read_under_other_name(n):
    row, nested = [0], [[0]]
    box, other, pair = Box(0, row), [row], (nested, 1)
    first = lambda: nested[0][0]
    total = 0
    for i in range(n):
        other[0][0] += i + 1
        pair[0][0][0] += 2
        total += box.items[0] * first()
    if n > 1:
        other[0][0] += 5
        total += box.items[0]
    return total, row, nested


@case("a variable that a loop makes a name of a list from around it", *COUNTS)
def name_from_around(n):
    t, u, kept = [[0], [0]], {"a": {"k": 1}}, [3]
    r, q, s = t[1], {"k": 5}, kept
    for i in range(n):
        r = t[0]
        last = t[1]
        q = u["a"]
        s = [i]
    r[0] += 100
    q["k"] += 100
    if n > 0:
        last[0] += 7
    kept[0] += 1
    return t, u, kept, r, q, s


@case("the row before and the row that a loop makes, both used afterwards", *COUNTS)
def last_rows(n):
    row, cur = [0, 1, 2], [9]
    for i in range(n):
        cur = [i]
        for j in range(2):
            cur.append(min(row[j], cur[j]) + 1)
        row = cur
    row[0] = 50
    return row, cur[-1], len(cur), row is cur


@case("an in-place change beside a loop variable of another rank", NEG, T([3.0, -1.0, 4.0]))
def beside_other_rank(x):
    y = x.clone()
    total = y.sum()
    while y.norm() > 2:
        y = y * 0.5
        total = total - 1
    y[0] = total
    return y, total


@case("lists that two objects swap in a loop, and a dict that a condition chose gets a new key", *COUNTS)
def swapped_lists(n):
    a, b, d = Box(0, []), Box(0, []), {"x": [0]}
    chosen = d if n > 1 else {"x": [5]}
    k = 0
    while k < n:
        a.items, b.items = b.items, a.items
        a.items.append(k)
        k += 1
    chosen["x"][0] += 1
    chosen["y"] = n
    return a.items, b.items, d, chosen


@case("copies of what holds tensors and numbers of the Program", *COUNTS)
def copies_of_all(n):
    y, out = n * 2, []
    known = {"w": [y, 0], "n": int(n)}
    for i in range(n):
        out.append(i)
    deep, flat, other, kept = copy.deepcopy(known), copy.copy(known), copy.copy(y), copy.deepcopy(out)
    y += 1
    out.append(5)
    for i in range(n):
        known["w"][1] += i
        flat["n"] += 1
    return known, deep, flat, other, out, kept


@case("a list that a loop makes anew until both agree", T([3.0, -1.0, 4.0, 1.0, -5.0]), T([1.0, 2.0, 8.0]), T([2.0]))
def until_they_agree(x):
    centres, cells = [x.min(), x.max()], [0, 1, 0, 1, 1]
    for _ in range(4):
        groups = ([], [])
        for v in x:
            groups[0 if (v - centres[0]).abs() <= (v - centres[1]).abs() else 1].append(v)
        new = []
        for group, old in zip(groups, centres, strict=True):
            new.append(sum(group) / len(group) if len(group) > 0 else old)
        if all((a - b).abs() < 1e-4 for a, b in zip(new, centres, strict=True)):
            break
        centres = new
    for step in range(int(x.max())):
        after = []
        for i in range(len(cells)):
            after.append(1 if cells[i - 1] != cells[(i + 1) % len(cells)] else step % 2)
        if after == cells:
            break
        cells = after
    return centres, cells


@refused("`+=` and `extend` of a list with several names, by a list or generator that tensors make", *BOTH)
def list_updated(x):
    items, held = [1], {"items": [2]}
    same, inside = items, held["items"]
    items += [v for v in x if v > 0]
    items.extend(v * 2 for v in x if v > 1)
    held["items"] += (v for v in x if v > 0)
    inside.extend([v for v in x if v < 0])
    return items, same, items is same, held, inside


@case("`|=`, `&=`, `-=` and `^=` of sets with several names, by a set that tensors make", *BOTH)
def set_updated(x):
    found, kept, left, one = {1, 5}, {1, 2}, {1, 2}, {1, 7}
    names = [found, kept, left, one]
    found |= {int(v) for v in x if v > 0}
    kept &= {int(v) for v in x if v > 0}
    left -= {int(v) for v in x if v > 0}
    one ^= {int(v) for v in x if v > 0}
    return [sorted(s) for s in names], found is names[0], sorted(one)


@case("`+=` of a deque with another name, by a list that tensors make", *BOTH)
def deque_updated(x):
    queue = collections.deque([1])
    same = queue
    queue += [v for v in x if v > 0]
    return list(queue), list(same)


@case("a tuple and a list that tensors make are not joined", *BOTH)
def tuple_and_list(x):
    return (1,) + [v for v in x if v > 0]


@refused("`|=` of Python's dict by one that tensors make", POS)
def dict_updated(x):
    found = {1: 1}
    found |= {int(v): 2 for v in x if v > 0}
    return found


@case("a slice of a list with another name, replaced by what tensors make", *BOTH)
def slice_replaced(x):
    items = [x[0], x[1]]
    same = items
    items[1:] = [v * 2 for v in x if v > 0]
    return items, same, items is same


@case("`update` of a dict by a dict that tensors make", *BOTH)
def dict_updated_by_method(x):
    found = {"a": 1}
    same = found
    found.update({key: x.sum() for key in ("b", "c") if x.sum() > 0})
    return same, list(found), found is same


@case("`operator.iadd` and `operator.ior` of what tensors make", *BOTH)
def updated_by_operator(x):
    items, found = [1], {1}
    same, members = items, found
    items = operator.iadd(items, [v for v in x if v > 0])
    found = operator.ior(found, {int(v) for v in x if v > 0})
    return items, same, sorted(found), sorted(members), functools.reduce(operator.iadd, [[v for v in x if v > 0], [1]], [])


class Holder:
    pass


@case("two attributes of one object that hold a list, one replaced in a branch", *COUNTS)
def two_attributes(n):
    o = Holder()
    o.best = [n]
    o.other = o.best
    if n > 1:
        o.best = [n * 2, n]
    o.best.append(n)
    return o.best, o.other, o.best is o.other


@refused("two attributes of one object that hold a list, one replaced in a loop", *COUNTS)
def two_attributes_in_a_loop(n):
    o = Holder()
    o.best = [n]
    o.other = o.best
    for i in range(n):
        if n > 2:
            o.best = [n * i, n]
        o.best.append(n)
    return o.best, o.other


@case("a tuple or list that holds a list twice, replaced in a branch by one that holds it once", *COUNTS)
def held_twice(n):
    items, more = [n], [n * 2]
    pair, both = (items, items), [more, more]
    if n > 1:
        pair = ([n * 3], items)
        both = [[n * 3], more]
    pair[0].append(n)
    both[0].append(n)
    return pair, items, both, more, pair[0] is pair[1], both[0] is both[1]


@refused("a list that a branch grew, and chose, is appended to", *BOTH)
def grown_and_chosen(x):
    s = [x]
    if x.sum() > 0:
        s.append(x * 2)
        r = s
    else:
        r = [x * 3]
    r.append(x * 4)
    return r, s


@refused("an object that a branch changed, and chose, is changed again", *BOTH)
def changed_and_chosen(x):
    box = Box(x)
    if x.sum() > 0:
        box.value = x * 2
        chosen = box
    else:
        chosen = Box(x * 3)
    chosen.value = chosen.value + 1
    return chosen.value, box.value


@refused("one of two lists of one length under a key, and the other is assigned into", *BOTH)
def kept_or_replaced(x):
    s, t = [x, x + 1], [x * 2, x]
    kept = {"l": s}
    if x.sum() > 0:
        kept["l"] = t
    s[1] = x * 9
    return s, t, kept


@case("an object that a branch changes, or that it replaces by a changed copy", *BOTH)
def replaced_or_changed(x):
    pair = Pair(x, 0)
    if x.sum() > 0:
        pair = dataclasses.replace(pair, second=1)
        pair.first = pair.first * 2
    else:
        pair.first = pair.first - 1
    return pair


@case("each of two objects is changed in its branch, and chosen there", *BOTH)
def changed_where_chosen(x):
    one, other = Box(x), Box(x * 2)
    if x.sum() > 0:
        one.value = one.value + 1
        chosen = one
    else:
        other.value = other.value * 3
        chosen = other
    return chosen.value, one.value, other.value


@case("a container or None, written to by a method: the other name sees it", *BOTH)
def chosen_or_none(x):
    numbers, table = [3, 1], {"a": x}
    r, d = (numbers, table) if x.sum() > 0 else (None, None)
    if r is not None:
        r.append(2)
        d.update(z=x)
    return r, numbers, d, table


@case("a list or None that a branch chooses, sorted", *BOTH)
def chosen_sorted(x):
    numbers = [3, 1]
    r = numbers if x.sum() > 0 else None
    if r is not None:
        r.sort()
    return r, numbers


@case("a dict or None that a branch chooses, an item taken out", *BOTH)
def chosen_popped(x):
    table = {"a": x, "q": 2}
    r = table if x.sum() > 0 else None
    if r is not None:
        r.pop("a")
    return r, table


@case("a list in a dict or None", *BOTH)
def chosen_inside(x):
    items = [x]
    r = {"l": items} if x.sum() > 0 else None
    if r is not None:
        r["l"].append(x * 2)
    return r, items


@case("a list in a dict or None, of two conditions", *BOTH, (T([3.0, 4.0]),))
def chosen_twice(x):
    items, r = [x], None
    if x.sum() > 0:
        if x.sum() > 4:
            r = {"a": items}
    if r is not None:
        r["a"].append(x)
    return r, items


@case("a list or None that a loop chooses", *BOTH)
def chosen_in_loop(x):
    numbers, r, i = [1], None, paddle.to_tensor(0)
    while i < 3:
        if x.sum() > 2:
            r = numbers
        i = i + 1
    if r is not None:
        r.append(4)
    return r, numbers


@case("a new list or None, written to afterwards", *BOTH)
def new_or_none(x):
    r = [x] if x.sum() > 0 else None
    if r is not None:
        r.append(x * 2)
    return r


@case("a new list in a new dict or None, written to afterwards", *BOTH)
def new_inside(x):
    r = {"l": [x]} if x.sum() > 0 else None
    if r is not None:
        r["l"].append(x * 2)
    return r


@case("containers of several kinds that are given back", *BOTH)
def kinds_of_containers(x):
    r = {"s": x, "n": 3} if x.sum() > 0 else [x, (x, 1)]
    if x.min() > 5:
        return x
    if x.max() < 0:
        return {"r": r}
    return r, x.sum()


@case("a dict or another dict, read", *BOTH)
def dicts_read(x):
    r = {"a": x, "q": 2} if x.sum() > 0 else {"a": x * 2}
    return r["a"], r.get("q"), "q" in r, len(r), r == {"a": 1}, not r


@case("a list or a tuple, extended in place", *BOTH)
def extended(x):
    items = [3, 1]
    r = items if x.sum() > 0 else (4,)
    r += (5,)
    return items, r


@case("a dict or a list, written to by its name", *BOTH)
def written_by_name(x):
    a, b = [1], {"k": 2}
    r = a if x.sum() > 0 else b
    a.append(2)
    return a, b, r


@case("a dict or a list, sorted where it is one", *BOTH)
def sorted_where(x):
    items = [3, 1]
    r = items if x.sum() > 0 else {"a": 1}
    if x.sum() > 0:
        r.sort()
    return items, r
