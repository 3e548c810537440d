"""Loops"""

from language_table import BOTH, COUNTS, POS, T, case, refused

import to_static as paddle
from to_static.core.errors import TranslationError

ROWS = [(T([[1.0, 2.0], [3.0, 4.0]]),), (T(paddle.zeros([0, 2])),), (T([[5.0, 6.0]]),)]


@case("`while` on a tensor", (T(1.0),), (T(60.0),), (T(500.0),))
def while_tensor(x):
    while x < 100:
        x = x * 2
    return x


@case("`while` on Python values", POS)
def while_python(x):
    n = 3
    while n > 0:
        x = x + n
        n -= 1
    return x, n


@case("numbers carried by a loop stay Python numbers", *COUNTS)
def carried_numbers(n):
    i, half = 0, 1.0
    while i < n:
        i += 1
        half = half / 2
    return i, half


@case("an int that becomes a float in the loop", *COUNTS)
def carried_promotion(n):
    total = 0
    for i in range(n):
        total = total + 0.5
    return total


@case("`None` before the loop, a tensor in it", *COUNTS)
def carried_none(n):
    last = None
    for i in range(n):
        last = n * i
    if last is None:
        return n - 1
    return last


@case("`None` before the loop, returned", *COUNTS)
def carried_none_returned(n):
    last = None
    for i in range(n):
        last = n * i
    return last


@case("a best value that starts as `None`", (T([1.0, 5.0, 2.0]),), (T([3.0]),))
def best(x):
    found = None
    for v in x:
        if found is None or v > found:
            found = v
    return found


@case("strings carried by a loop", *COUNTS)
def carried_string(n):
    state = "start"
    for i in range(n):
        state = "even" if i % 2 == 0 else "odd"
    return state


@case("aliases of loop variables", *COUNTS)
def alias(n):
    x = n + 1
    y = x
    i = 0
    while i < n:
        y = y * 2
        i += 1
    return x, y


@case("swap in a loop", *COUNTS)
def swap(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a, b


@case("a variable first assigned in the loop", *COUNTS)
def first_in_loop(n):
    for i in range(n):
        y = n * i
    return y


@case("`while` / `else`, left by `break`", (T(1.0),), (T(30.0),), (T(90.0),))
def while_else(x):
    i = 0
    while x < 60:
        x = x + 10
        i += 1
        if i > 3:
            break
    else:
        x = x * 0
    return x, i


@case("`for` / `else`", *COUNTS)
def for_else(n):
    for i in range(n):
        if i == 2:
            break
    else:
        return n - 1
    return n


@case("the index after the loop", *COUNTS)
def index_after(n):
    i = -1
    for i in range(n):
        pass
    return i


@case("an index without value after no trips", *COUNTS)
def index_unbound(n):
    for i in range(n):
        pass
    return i


@case("the index reassigned in the body", *COUNTS)
def index_reassigned(n):
    total = 0
    for i in range(n):
        i = i * 10
        total += i
    return total


@case("`range` with start, stop and negative step", *COUNTS)
def range_steps(n):
    a = b = c = 0
    for i in range(n, -1, -1):
        a += i
    for i in range(1, n * 3, 2):
        b = b * 3 + i
    for i in range(10, n, -3):
        c = c * 2 + i
    return a, b, c


@case("`for` over a tensor", *ROWS)
def for_tensor(x):
    total = paddle.zeros([2])
    for row in x:
        total = total * 2 + row
    return total


@case("`for` with unpacked rows", *ROWS)
def for_unpacked(x):
    total = paddle.zeros([])
    for a, b in x:
        total = total + a * b
    return total


@case("`enumerate` over a tensor", *ROWS)
def for_enumerate(x):
    total = paddle.zeros([2])
    for i, row in enumerate(x, start=1):
        total = total + row * i
    return total


@case("`zip` over tensors and lists", *ROWS)
def for_zip(x):
    total = paddle.zeros([2])
    for a, b, c in zip(x, x + 1, [1.0, 2.0], strict=False):
        total = total + a * b * c
    return total


@case("`reversed` over a tensor", *ROWS)
def for_reversed(x):
    total = paddle.zeros([2])
    for row in reversed(x):
        total = total * 2 + row
    return total


@case("`for` over lists, tuples, dicts, strings and their views", POS)
def for_python(x):
    total = x
    for a, (b, c) in [(1, (2, 3)), (4, (5, 6))]:
        total = total + a * b - c
    for k, v in {"a": 1, "b": 2}.items():
        total = total * (2 if k == "a" else 3) + v
    for i, s in enumerate("xyz"):
        total = total + i
    for n in reversed([1, 2]):
        total = total * n
    for n in {3}:
        total = total + n
    return total


@case("a Python loop that a tensor breaks", *BOTH)
def break_becomes_tensor(x):
    n = -1
    for i in range(5):
        if x.sum() > i:
            break
        n = i
    return n


@case("`break` and `continue` on tensors", *COUNTS)
def break_continue(n):
    total = 0
    for i in range(10):
        if i % 2 == 0:
            continue
        if i > n:
            break
        if i == n - 1:
            continue
        total += i
    return total


@case("`break` out of the inner of two loops", *COUNTS)
def nested_break(n):
    total = 0
    for i in range(n):
        for j in range(n):
            if j > i:
                break
            total += j + 1
        total = total * 2
    return total


@case("`return` inside of loops", (T([1.0, 2.0]), T(5.0)), (T([9.0, 2.0]), T(5.0)), (T([-9.0, 9.0]), T(5.0)))
def return_in_loop(x, limit):
    for v in x:
        if v > limit:
            return v
        n = 0
        while n < 3:
            n += 1
            if v < -limit + n:
                return v * n
    return x.sum()


@case("`while True` left by a tensor", (T(1.0),), (T(70.0),))
def while_true(x):
    while True:
        x = x * 2
        if x > 50:
            break
    return x


@case("`while True` left by `return`", (T(1.0),), (T(70.0),))
def while_true_return(x):
    n = 0
    while True:
        x = x * 2
        n += 1
        if x > 50:
            return x, n


@case("a condition that is a constant in the end", POS)
def condition_constant(x):
    i = 0
    while i < 3 and x.shape[0] == 2:
        x = x * 2
        i += 1
    return x


@case("a loop variable whose shape grows", *COUNTS)
def growing(n):
    x = paddle.ones([1])
    for _ in range(n):
        x = paddle.concat([x, x * 2])
    return x, x.shape[0], x.sum()


@case("a loop variable whose dtype changes", *COUNTS)
def dtype_changes(n):
    x = n
    for _ in range(n):
        x = x.astype("float32") * 0.5
    return x


@case("list comprehension over a tensor", *ROWS)
def comprehension(x):
    return [row * 2 for row in x], [row.sum() + i for i, row in enumerate(x)]


@case("list comprehension with a tensor condition", (T([1.0, -2.0, 3.0]),), (T([-1.0]),), (T([], "float32"),))
def comprehension_filter(x):
    return [v * 2 for v in x if v > 0]


@case("a filtered comprehension that is stacked", (T([1.0, -2.0, 3.0]),), (T([4.0]),))
def comprehension_stack(x):
    return paddle.stack([v * 2 for v in x if v > 0]).sum()


@case("comprehensions with ternaries and nested loops", *ROWS)
def comprehension_nested(x):
    return [v if v > 2 else -v for row in x for v in row], {i: i * i for i in range(3)}, {n % 2 for n in range(4)}


@case("a comprehension over a Python list with a tensor condition", *BOTH)
def comprehension_python(x):
    return [n for n in [1.0, 2.0, 3.0] if x.sum() > n]


@case("generator expression in `sum`", *ROWS)
def generator_expression(x):
    return sum(row.sum() for row in x), sum(i for i in range(4))


@case("in-place changes in a loop", *COUNTS)
def inplace(n):
    y = paddle.zeros([3])
    for i in range(n):
        if i < 3:
            y[i] = 5.0
        y.add_(T([1.0, 1.0, 1.0]))
    return y


@case("a loop over `range(len(x))` with items set", *ROWS)
def range_len(x):
    y = x.clone()
    for i in range(len(x)):
        y[i] = y[i] * i
    return y


@case("`iter` and `next`", POS)
def iterators(x):
    it = iter([x, x * 2])
    a = next(it)
    return a + next(it), next(it, None)


@case("a loop inside a loop over tensors, with early exit", (T([[1.0, 2.0], [3.0, 4.0]]), T(2.5)), (T([[1.0]]), T(9.0)))
def nested_return(x, limit):
    count = 0
    for row in x:
        for v in row:
            count += 1
            if v > limit:
                return v, count
    return limit, count


@refused("a Python loop of many items that a tensor breaks", (POS, list(range(300))), error=TranslationError)
def long_python_loop(x, items):
    for i in items:
        if x.sum() > i + 1000:
            break
        x = x + i
    return x


def _asked(n, k, seen):
    print("asked", k)
    seen.add_(paddle.ones([], "int64"))
    return n > k


@case("a condition that prints and changes a tensor is evaluated as often as Python does", *COUNTS)
def acting_condition(n):
    k, seen = 0, n * 0
    while _asked(n, k, seen):
        k += 1
    return k, seen, paddle.rand([1])


@case("a condition that draws random numbers", *COUNTS)
def random_condition(n):
    k = 0
    while paddle.rand([1]) * 0 < n - k:
        k += 1
    return k, paddle.rand([1])


@case("a loop over the list that the loop around it fills", (T([0.9, 0.8, 0.1, 0.85, 0.3]),), (T([0.5]),), (T([1.0, 3.0, 2.0]),))
def list_filled_around(scores):
    kept, tests, last = [], 0, scores[0] * 0
    for s in scores:
        free = True
        for k in kept:
            tests += 1
            last = last + k
            if (s - k).abs() < 0.3:
                free = False
                break
        if free:
            kept.append(s)
    return kept, tests, last


@case("`len` and the truth of `range`, also of one that ends before it starts", *COUNTS, T(-3, "int64"))
def size_of_range(n):
    sizes = len(range(n)), len(range(1, n, 2)), len(range(5, n)), len(range(n, 0, -3))
    return sizes, bool(range(n)), 1 if range(n) else 2, not range(n, 3)
