"""Side effects"""

import array
import bisect
import collections
import contextlib
import functools
import heapq
import io
import itertools
import logging
import random
import sys
import warnings

import numpy as np
from language_table import BOTH, COUNTS, POS, T, case, refused, scenario

import to_static as paddle
from to_static.core.errors import TracedValueError, TranslationError


@case("`print` of tensors, at every run", *BOTH)
def printing(x):
    print("x:", x.sum(), "and", x, sep=" | ", end="!\n")
    print()
    return x


@case("`print` in branches and loops", *COUNTS)
def printing_loop(n):
    for i in range(n):
        print("trip", i)
        if i > 1:
            print("late", n - i)
    print("end", n)
    return n


@case("`print` of an f-string", *BOTH)
def printing_fstring(x):
    print(f"sum {x.sum()} of {len(x)} {{braces}} {3.14159:.2f} {'s'!r}")
    print("sum " + str(x.sum()))
    print("%d items" % 3, "a{}".format(1))
    return x


@case("`print` of a formatted number of the Program", *BOTH)
def printing_number(x):
    print(f"loss={x.sum().item():.3f} n={int(x[0]):03d} {float(x[1]):>8.2f}|")
    return x


@case("`print` of tensors inside containers", *BOTH)
def printing_container(x):
    print([x.sum(), 1], {"a": x})
    return x


@case("an f-string that is returned", *BOTH)
def fstring_value(x):
    name = f"value {x.sum()}"
    return name + "!", str(x), f"{x.mean().item():.2f}", [f"{x[0].item()!r:>9}"]


@refused("a string with a tensor in it, looked up", POS, error=TracedValueError)
def str_value(x):
    return {}.get(str(x.sum()))


@case("`assert` keeps its message", *BOTH)
def assertion(x):
    assert x.sum() > 0, "must be positive"
    assert x.shape[0] == 2
    return x


@case("`assert` with a computed message", *BOTH)
def assertion_message(x):
    assert x.sum() > 0, f"must be positive, limit {1 + 1}, is {x.sum().item()}"
    return x


class Records(logging.Handler):
    def __init__(self):
        super().__init__()
        self.found = []

    def emit(self, record):
        self.found.append((record.levelname, record.getMessage(), record.lineno, record.funcName, record.filename))


LOG = logging.getLogger("net")


def records(function, values, level=logging.DEBUG):
    """What ``function`` logs and warns of in calls with these numbers."""
    handler, disabled = Records(), logging.root.manager.disable
    LOG.handlers[:], LOG.propagate = [handler], False
    LOG.setLevel(level)
    logging.disable(logging.NOTSET)
    try:
        with warnings.catch_warnings(record=True) as warned, contextlib.redirect_stderr(io.StringIO()) as errors:
            warnings.simplefilter("always")
            for value in values:
                function(T(value))
    finally:
        logging.disable(disabled)
    told = [(str(w.message), w.category, w.lineno, w.filename) for w in warned if "graph break" not in str(w.message)]
    return handler.found, told, errors.getvalue()


@scenario("`logging`, at every run: levels, arguments with tensors, the user's line")
def logs(to_static):
    @to_static
    def f(x):
        LOG.debug("shape %s", x.shape)
        logging.getLogger("net").info("x %s %.2f", x, float(x.sum()))
        if x.sum() > 0:
            LOG.warning("positive %s", x.sum())
        else:
            LOG.error(f"negative {x.sum().item():.1f}")
        try:
            [][0]
        except IndexError:
            LOG.exception("empty")
        return x

    return records(f, [[1.0, 2.0], [-1.0, 2.0], [-1.0, -2.0]]), records(f, [[1.0, 2.0]], logging.ERROR)


@scenario("`logging` in a tensor loop")
def logs_loop(to_static):
    @to_static
    def f(n):
        for i in range(n.astype("int64")):
            LOG.log(logging.INFO, "trip %d", i)
        return n

    return records(f, [0, 1, 3])


@scenario("`warnings.warn` and standard error, at every run")
def warns(to_static):
    @to_static
    def f(x):
        warnings.warn("called", UserWarning, stacklevel=1)
        print("x", x.sum(), file=sys.stderr)
        if x.sum() > 0:
            warnings.warn(f"positive {x.sum().item()}", RuntimeWarning, stacklevel=1)
            sys.stderr.write("positive\n")
        return x

    return records(f, [[1.0, 2.0], [-1.0, 2.0], [-1.0, -2.0]])


@case("`print` into a string, and with standard output redirected", POS)
def print_elsewhere(x):
    kept, shown = io.StringIO(), io.StringIO()
    print("kept", 1, file=kept)
    with contextlib.redirect_stdout(shown):
        print("shown", x.shape)
    return kept.getvalue(), shown.getvalue()


@refused("warnings recorded inside of the function", POS, error=TranslationError)
def warnings_recorded(x):
    with warnings.catch_warnings(record=True) as found:
        if x.sum() > 0:
            warnings.warn("positive", stacklevel=1)
    return len(found)


@refused("a handler added to a log inside of the function", POS, error=TranslationError)
def handler_added(x):
    log, records = logging.getLogger("with a handler"), []
    handler = logging.Handler()
    handler.emit = records.append
    log.addHandler(handler)
    try:
        log.warning("positive")
    finally:
        log.removeHandler(handler)
    return len(records)


@refused("text with tensors written to a file", POS, error=TranslationError)
def file_text(x):
    kept = io.StringIO()
    print("x", x, file=kept)
    return kept.getvalue()


@refused("a file opened for writing", POS, error=TranslationError)
def file_opened(x):
    with open("/nowhere/to/write", "a") as file:
        file.write("called")
    return x


@case("random tensors are drawn at every run", POS)
def randomness(x):
    return x + paddle.rand([2]), paddle.randn([2])


@case("an error of an operator keeps its type", (T([[1.0, 2.0]]), T([[1.0, 2.0]])))
def operator_error(x, y):
    return paddle.matmul(x, y)


@case("other objects than lists and dicts change in Python control flow", POS)
def foreign_top(x):
    counts, queue, heap = collections.Counter("aab"), collections.deque([1, 2]), [3, 1]
    numbers, text, items, draws = np.zeros(2), io.StringIO(), iter([1, 2, 3]), random.Random(3)
    counts["a"] += 1
    queue.rotate(1)
    heapq.heapify(heap)
    bisect.insort(heap, 2)
    numbers += 1
    text.write("hello")
    first = next(items)
    return dict(counts), list(queue), heap, numbers.tolist(), text.getvalue(), first, list(items), x * draws.random()


@case("objects that a branch makes may change in it", *BOTH)
def foreign_inside(x):
    k = 0
    if x.sum() > 0:
        counts, queue, numbers, items = collections.Counter(), collections.deque(), np.zeros(2), iter([1, 2])
        draws = random.Random(1)
        counts.update("aab")
        counts["a"] += 1
        queue.append(next(items))
        numbers[0] = 5
        numbers.sort()
        draws.random()
        groups = collections.defaultdict(list)
        groups["a"].append(1)
        k = counts["a"] + len(queue) + next(items) + int(numbers[1]) + len(groups)
    return x * k


@case("a NumPy array changed in a branch", *BOTH)
def foreign_array(x):
    a = np.zeros(2)
    if x.sum() > 0:
        np.add(a, 1, out=a)
    return a.tolist()


@refused("Python's random numbers drawn in a tensor loop", *COUNTS, error=TranslationError)
def foreign_random(n):
    total = 0.0
    for i in range(n):
        total = total + random.random()
    return total


@refused("a generator of random numbers that a branch draws from", *BOTH, error=TranslationError)
def foreign_generator(x):
    draws = random.Random(3)
    if x.sum() > 0:
        draws.random()
    return x * draws.random()


@case("an iterator that a branch moves on", *BOTH)
def foreign_iterator(x):
    items, found = iter([1, 2, 3]), False
    if x.sum() > 0:
        found = 2 in items
    return found, list(items)


@refused("a generator that a branch moves on", *BOTH, error=TranslationError)
def foreign_yields(x):
    def numbers():
        k = 0
        while True:
            k = (yield k) or k

    made = numbers()
    next(made)
    if x.sum() > 0:
        made.send(5)
    return next(made)


@refused("a counter, deque, heap or array that a branch changes", *BOTH, error=TranslationError)
def foreign_containers(x):
    kinds = [collections.Counter("aab"), collections.deque([1, 2]), [3, 1], array.array("i", [1]), itertools.count()]
    if x.sum() > 0:
        kinds[0].subtract("a")
        kinds[1].rotate(1)
        heapq.heapify(kinds[2])
        kinds[3].append(2)
    return [list(kind) for kind in kinds[:4]]


class Recorder:
    def __init__(self):
        self.seen = {}

    def __add__(self, other):
        self.seen["sum"] = other
        return 5

    def __enter__(self):
        self.seen["in"] = True

    def __exit__(self, *error):
        self.seen["out"] = True

    def __getattr__(self, name):
        self.seen[name] = True
        return 3

    def __iter__(self):
        self.seen["items"] = True
        return iter([1])


@case("an operator of an object that changes it, in a branch", *BOTH)
def foreign_operator(x):
    record, k = Recorder(), 0
    if x.sum() > 0:
        k = record + 1
    return record.seen, k


@case("a `with` block of an object that changes, in a branch", *BOTH)
def foreign_with(x):
    record = Recorder()
    if x.sum() > 0:
        with record:
            x = x + 1
    return record.seen, x


@case("an attribute or iteration that changes its object, in a branch", *BOTH)
def foreign_attribute(x):
    record, k = Recorder(), 0
    if x.sum() > 0:
        k = record.anything
        for v in record:
            k = k + v
    return record.seen, k


@case("a list changed by a library function in a branch", *BOTH)
def foreign_reduce(x):
    found = []
    if x.sum() > 0:
        functools.reduce(lambda a, b: found.append(b), [1, 2, 3])
    return found


DRAWS, TICKS, SEEN, SUMS = random.Random(3), itertools.count(), collections.Counter(), np.zeros(2, "float32")


@scenario("generators, iterators, counters and arrays from outside change in every call, and are seen anew in every call")
def foreign_outside(to_static):
    @to_static
    def f(x):
        SEEN["calls"] += 1
        return x * DRAWS.random() + next(TICKS) + SEEN["calls"] + paddle.to_tensor(SUMS)

    DRAWS.seed(3)
    SEEN.clear()
    SUMS[:] = 0
    start = next(TICKS)
    found = [f(T([1.0, 2.0])) - start]
    SUMS[0] = 100
    found += [f(T([1.0, 2.0])) - start, f(T([3.0, 4.0])) - start]
    return found, SEEN["calls"], next(TICKS) - start


@scenario("what a class keeps for its objects, and they move on in every call: an iterator, a generator, random numbers")
def kept_by_class(to_static):
    class Numbered:
        numbers = itertools.count(1)

        def __init__(self, value):
            self.value = value * next(Numbered.numbers)

    class Lettered:
        letters = (letter for letter in "abcdefgh")

        def __init__(self):
            self.name = next(self.letters)

    class Noisy:
        draws = random.Random(3)

        def __init__(self, value):
            self.value = value * self.draws.randint(1, 99)

    functions = (
        lambda x: Numbered(x).value + Numbered(x).value,
        lambda x: (x * 1, Lettered().name + Lettered().name),
        lambda x: Noisy(x).value + Noisy(x).value,
    )
    return [[f(POS), f(POS), f(POS)] for f in map(to_static, functions)], next(Numbered.numbers), next(Lettered.letters)
