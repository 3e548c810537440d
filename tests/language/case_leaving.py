"""Errors that leave a static function"""

import contextlib
import logging
import warnings

from language_table import NEG, POS, T, case, fresh, picture, scenario

import to_static as paddle
from to_static import nn

PLACES = [(T([1.0, 2.0]), T(n, "int64")) for n in (0, 5, -7)]  # the first is in range


def calls(function, *places):
    """What calls with these indices give or raise."""
    seen = []
    for n in places:
        try:
            seen.append(function(T([1.0, 2.0]), T(n, "int64")))
        except IndexError:
            seen.append("IndexError")
    return seen


@case("`finally` runs when an operator fails", *PLACES)
def finally_runs(x, n):
    print("before", x)
    try:
        y = x[n]
        print("got", y)
    finally:
        print("cleaned", n)
    return y


@case("`finally` in a loop, when an operator fails in some trip", *[(T([1.0, 2.0]), T(n, "int64")) for n in (0, 1, 4, 2)])
def finally_in_loop(x, n):
    found = []
    for i in range(n):
        print("trip", i)
        try:
            found.append(x[i])
        finally:
            print("cleaned", i)
    return found


@contextlib.contextmanager
def logged():
    print("in")
    try:
        yield
    finally:
        print("out")


@case("the end of a `with` when an operator fails", *PLACES)
def with_runs(x, n):
    with logged():
        y = x[n]
    return y


@case("changes of arguments before an operator fails", *[(*place, [T([0.0])], {"a": T([0.0])}) for place in PLACES])
def arguments_changed(x, n, items, table):
    x.add_(paddle.ones([2]))
    items.append(x * 2)
    table["b"] = x * 3
    y = x[n]
    items.append(y)
    x[0] = 9.0
    return y


@case("what was printed and changed before shapes do not fit", (POS, POS), (POS, T([1.0, 2.0, 3.0])))
def shapes_do_not_fit(x, y):
    print("adding")
    x.add_(paddle.ones([2]))
    return x + y


class Kept:
    """An object."""

    last, count = None, 0


@scenario("attributes, lists and globals changed before an operator fails")
def objects_changed(to_static):
    kept, log = Kept(), []

    @to_static
    def f(x, n):
        kept.last = x * 2
        kept.count += 1
        log.append(x + 1)
        y = x[n]
        kept.last = x * 3
        log.append("after")
        return y

    seen = []
    for n in (0, 5, 0, 5, -7):
        seen += [*calls(f, n), kept.last, kept.count, list(log)]
    return seen


@scenario("what a loop changed that always ends in an error")
def loop_changed(to_static):
    net, kept = Halving(), Kept()
    kept.last = None

    @to_static
    def f(x, items, held):
        for row in x:
            if x.max() < 0.5:
                net(row)
                items.append(row * 2)
                kept.last = row
                held.add_(paddle.ones([]))
            raise ValueError("bad")
        return x

    seen = []
    for x in (POS, NEG, NEG, POS):
        items, held = [x], T(1.0)
        with contextlib.suppress(ValueError):
            f(x, items, held)
        seen += [items, kept.last, float(net.last), held]
    return seen


class Halving(nn.Layer):
    def __init__(self):
        super().__init__()
        self.register_buffer("last", T(1.0))

    def forward(self, x):
        self.last = self.last * 0.5
        return x * self.last


class Counting(nn.Layer):
    def __init__(self):
        super().__init__()
        self.register_buffer("total", paddle.zeros([2]))
        self.last, self.count = None, 0

    def forward(self, x, n):
        self.total.add_(x)
        self.last = x * self.total
        self.count += 1
        if x.sum() > 100:
            raise ValueError("large", x, self.total * 1)
        y = x[n]
        self.total.add_(x * 10)
        self.count += 1
        return y


@scenario("buffers and attributes of a Layer before an error")
def layer_changed(to_static):
    net, seen = Counting(), []
    run = to_static(net)
    for value, n in [(1.0, 0), (1.0, 5), (100.0, 0), (1.0, 0), (1.0, -7)]:
        try:
            seen.append(run(T([value, 2.0]), T(n, "int64")))
        except (IndexError, ValueError) as error:
            seen += ["error", list(error.args)[:3] if type(error) is ValueError else ()]
        seen += [picture(net.total), net.last, net.count]
    return seen


@scenario("the arguments, attributes and causes of an error, tensors among them")
def error_contents(to_static):
    class Bad(Exception):
        def __init__(self, value):
            super().__init__("bad")
            self.value = value

    @to_static
    def several(x):
        if x.sum() > 0:
            raise ValueError("bad", x, x * 2)
        return x

    @to_static
    def one(x):
        if x.sum() > 0:
            raise ValueError(x)
        return x

    @to_static
    def attribute(x):
        y = x * 2
        if x.sum() > 0:
            raise Bad(y)
        return y

    @to_static
    def cause(x):
        if x.sum() > 0:
            raise ValueError("bad") from KeyError("k")
        return x

    @to_static
    def always(x):
        raise ValueError("bad", x * 2)

    seen = []
    for function in (several, one, attribute, cause, always):
        for value in (POS, NEG, POS):
            try:
                seen.append(function(fresh(value)))
            except (ValueError, Bad) as error:
                seen += [list(error.args), vars(error), repr(error.__cause__), repr(error.__context__)]
    return seen


@scenario("random numbers drawn before and after an operator fails")
def random_numbers(to_static):
    @to_static
    def f(x, n):
        a = paddle.rand([2])
        print(a)
        try:
            y = x[n]
        finally:
            print(paddle.rand([2]))
        return y + a

    paddle.seed(5)
    return calls(f, 0, 5, 0, 5, 0), paddle.rand([2])


@scenario("logs and standard error before and after an operator fails")
def logs(to_static):
    logger, records = logging.getLogger("case_leaving"), []
    handler = logging.Handler()
    handler.emit = lambda record: records.append(record.getMessage())
    logger.addHandler(handler)

    @to_static
    def f(x, n):
        logger.error("begin %s", x.sum())
        try:
            y = x[n]
        finally:
            logger.error("end")
        return y

    logging.disable(logging.NOTSET)
    try:
        return calls(f, 0, 5, 0, 5, 0), records
    finally:
        logger.removeHandler(handler)


@scenario("an operator's error that `except` catches: Python gives the result, with a warning")
def caught(to_static):
    @to_static
    def f(x, n):
        print("try")
        try:
            y = x[n]
        except IndexError:
            print("caught")
            y = x[0] * 10
        return y

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*and Python gave the result")
        return calls(f, 0, 5, 0, -7, 1)


@scenario("a number of another type or size than the Program has: Python gives the result, with a warning")
def other_numbers(to_static):
    @to_static
    def power(x):
        return 2 ** int(x.sum())

    @to_static
    def root(x):
        return float(x.sum()) ** 0.5

    @to_static
    def grown(n):
        k = 1
        for _ in range(n):
            k = k * 10
        return k

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*and Python gave the result")
        return [
            *(f(v) for f in (power, root) for v in (POS, NEG, POS)),
            *(grown(T(n, "int64")) for n in (0, 3, 30, 3)),
        ]


TOTAL = 0


class Shared:
    """A class."""

    total = 0


@scenario("globals and attributes of classes changed before an operator fails")
def globals_changed(to_static):
    global TOTAL
    TOTAL, Shared.total = 0, 0

    @to_static
    def f(x, n):
        global TOTAL
        TOTAL += 1
        Shared.total += 1
        y = x[n]
        TOTAL += 10
        Shared.total += 10
        return y

    seen = []
    for n in (0, 5, 1, 5):
        seen += [*calls(f, n), TOTAL, Shared.total]
    return seen


GRIDS = [T([[1.0, 2.0], [3.0, 4.0]]), T([[1.0, -2.0], [3.0, 4.0]])]


@case("a `for` with `else: continue` in a loop that returns what the inner loop found", *GRIDS)
def returned_by_inner_loop(m):
    for i, row in enumerate(m):
        for v in row:
            if v < 0:
                break
        else:
            continue
        return i, v
    else:
        return -1, row
