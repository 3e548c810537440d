"""Lists of tuples and of values of several kinds"""

from collections import namedtuple
from dataclasses import asdict, dataclass

from language_table import T, case, refused

Scored = namedtuple("Scored", "score step")


@dataclass
class Log:
    lines: list


ROWS = [(T([1.0, -2.0, 3.0]), T(n, "int64")) for n in (0, 1, 3)]


@case("tuples appended in a loop, unpacked after it, with gradients", *ROWS)
def tuples(x, n):
    found = [(7, x[0])]
    for i in range(n):
        found.append((i, x[i] * 2))
    total = x[1]
    for k, v in found:
        total = total + k * v
    k, v = found[-1]
    found[0] = (1, v)
    return found, total, k, v, len(found)


@case("numbers, tensors, strings and `None` in one list", *ROWS)
def kinds(x, n):
    found = [x[0]]
    for i in range(n):
        found.append(i)
        if x[i] < 0:
            found.append(0.5)
            found.extend([None, "negative", x])
    words = ["up" if v > 0 else "down" for v in x if v != n]
    return found, words, "up" in words


@case("a value of one kind or another appended", *ROWS)
def one_or_another(x, n):
    last, found, pairs = None, [], []
    for i in range(n):
        found.append(last)
        pairs.append((i, last))
        last = x[i] if x[i] > 0 else None
    total = 0
    for item in found:
        if item is not None:
            total = total + item
    return found, pairs, total


@case("named tuples and nested tuples", *ROWS)
def nested(x, n):
    found, best = [], Scored(x[0], -1)
    for i in range(n):
        found.append((Scored(x[i], i), ("a", None)))
        if x[i] > best.score:
            best = found[-1][0]
    for (score, _), (word, _) in found:
        x = x + score * len(word)
    return found, best, x


@case("a beam search", *ROWS)
def beams(x, n):
    beams = [(0.0, x[0])]
    for i in range(n):
        grown = []
        for score, value in beams:
            if value > 0:
                grown.append((score + 1.0, value * 2))
            grown.append((score, value - x[i]))
        beams = sorted(grown, key=lambda beam: beam[1])[:3]
    return beams, max(score for score, _ in beams)


@case("a stack of tuples, popped in a loop", *ROWS)
def stack(x, n):
    todo, total = [("root", 0, x[0])], x.sum()
    while todo:
        name, depth, value = todo.pop()
        total = total + value
        if depth < n:
            todo.append(("left", depth + 1, value * 2))
            if value > 0:
                todo.insert(0, ("right", depth + 2, value + 1))
    return total, name


@case("slices, `+`, `*`, `reverse`, `del`, `clear` and copies of them", *ROWS)
def sliced(x, n):
    found, kept = [], []
    for i in range(n):
        found.append((i, x[i]))
        if x[i] > 0:
            kept = list(found)
        if x[i] < 0:
            found.clear()
    behind, turned = found[1:], found[::-1]
    found.reverse()
    found.insert(0, (9, x[0]))
    found.extend([(3, x[1])])
    del found[0]
    return behind, turned, found, kept, found * 2, [(1, x[2])] + found + [4]


@case("lists of several kinds rebound in loops and branches", *ROWS)
def rebound(x, n):
    found, other = [], [x[0]]
    for i in range(n):
        found = found + [(i, x[i])]
    if n > 1:
        other = other + [1]
    if n > 2:
        other = [None, "a"]
    return found, other, (found if n > 1 else None)


@case("slots of a list that are filled one by one", *ROWS)
def slots(x, n):
    memo, k = [None, None, None], 0
    for i in range(n):
        if memo[i] is None:
            memo[i] = x[i]
            k += 1
    memo[n - 1] = "last"
    return memo, k


@case("a list of tensors that gets other items later", *ROWS)
def later(x, n):
    found = []
    for i in range(n):
        found.append(x[i])
    for i in range(n):
        found.append((i, x[i]))
    return found


@case("tuples in a list of the caller's", (T(1.0), [T(1.0)]), (T(-1.0), [T(1.0)]))
def of_caller(x, items):
    if x > 0:
        items.append((1, x))
    items.append("end")
    return items


@case("slices of a list of numbers replaced by tensors, tuples, texts", *ROWS)
def slices_replaced(x, n):
    items = []
    for i in range(n):
        items.append(i)
    items[-1:] = [x.sum() * 3, x.sum()]
    items[:1] = [(x.max(), 1), None]
    if x.sum() > 0:
        items.append("s")
    items[1:2] = items
    other = items[::2]
    if x.sum() > 0:
        items[0:1] = other
    return items, other


@refused("a list of tuples where tensors are needed", ROWS[1])
def stacked(x, n):
    import to_static as paddle

    found = []
    for i in range(n):
        found.append((i, x[i]))
    return paddle.stack(found)


@refused("a list of strings in a copy of an object", ROWS[1])
def strings_copied(x, n):
    state = Log(["begin"])
    for i in range(n):
        state.lines.append("more")
    return asdict(state)["lines"]


@refused("dicts appended in a loop", ROWS[1])
def dicts(x, n):
    found = []
    for i in range(n):
        found.append({"value": x[i]})
    return found
