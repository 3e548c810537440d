"""Items, divisions and iterators that tensors make fail, in `try`"""

import contextlib
import math

import numpy as np
from language_table import BOTH, COUNTS, NEG, POS, T, case, refused, scenario

import to_static as paddle

PLACES = [(T(k, "int64"),) for k in (0, 1, 2, 3, -1, -4)]


@refused("an index that depends on a tensor, with IndexError caught", *PLACES)
def index_caught(n):
    items = [10, 20, 30]
    try:
        v = items[int(n)]
    except IndexError as e:
        v = str(e)
    return v


@refused("a key that depends on a tensor, with KeyError caught and its argument used", *PLACES)
def key_argument(n):
    d = {1: "a", 2: "b"}
    try:
        v = d[int(n)]
    except KeyError as e:
        v = e.args[0]
    return v


@refused("a division whose divisor depends on a tensor, with the words of its error", *PLACES)
def divisor(n):
    try:
        return 6 // int(n)
    except ZeroDivisionError as e:
        return str(e)


@refused("a division by a whole number that `int` makes of a tensor of floats", T(4.0), T(0.0))
def divisor_of_float(x):
    log = []
    try:
        y = 8 // int(x)
    except ZeroDivisionError as e:
        log.append(str(e))
        y = -1
    else:
        log.append("divided")
    finally:
        log.append("end")
    return y, log


@refused("`%` and `/` of numbers that depend on tensors, in a `try`", *PLACES)
def remainder(n):
    k = int(n)
    try:
        a = 7 % k
        b = 5 / (k - 1)
    except ZeroDivisionError as e:
        return str(e), k
    return a, b


@refused("`next` in a `try` with StopIteration, where a tensor says how many items there are", *COUNTS)
def next_caught(n):
    it = iter(range(n))
    got = []
    try:
        got.append(next(it))
        got.append(next(it))
        got.append(next(it))
    except StopIteration:
        got.append(-1)
    return got


@refused("`pop` of a list that tensors make, until IndexError", *COUNTS)
def popped_until(n):
    items = [n * i for i in range(n)]
    s = n * 0
    try:
        while True:
            s = s + items.pop() + 1
    except IndexError as e:
        return s, str(e)


@refused("`next` in a loop that StopIteration ends", *COUNTS)
def next_until(n):
    it = iter([n * i for i in range(n)])
    s = n * 0
    while True:
        try:
            v = next(it)
        except StopIteration:
            break
        s = s + v
    return s


@refused("an index that depends on a tensor, in a `try` inside of a loop", *PLACES)
def index_in_loop(n):
    items = [n, n + 1, n + 2]
    out = []
    for i in range(3):
        try:
            out.append(items[int(n) + i])
        except (IndexError, KeyError):
            out.append(n * 0 - 1)
    return out


@refused("an item of a dict whose keys tensors decide, with KeyError caught", *PLACES)
def key_of_table(n):
    d = {}
    for i in range(n):
        d[i] = n * i
    try:
        v = d[2]
    except KeyError as e:
        return str(e), len(d)
    return v, len(d)


@refused("an index and a division in a local function, caught outside of it", *PLACES)
def index_below(n):
    def pick(k):
        return [1.5, 2.5][k] / (k - 1)
    try:
        return pick(int(n))
    except IndexError:
        return "index"
    except ZeroDivisionError as e:
        return "zero", str(e)


@refused("`else` and `finally` around a key that depends on a tensor", *PLACES)
def key_else(n):
    d = {1: n, 3: n * 2}
    try:
        v = d[int(n)]
    except LookupError:
        v = n * 0
    else:
        v = v + 100
    finally:
        print("fin")
    return v


@refused("`contextlib.suppress` around an index and a division", *PLACES)
def suppressed_index(n):
    with contextlib.suppress(ZeroDivisionError, IndexError):
        return [1, 2, 3][10 // int(n) - 3]
    return "none"


@refused("items of a tuple and of a string in a `try`", *PLACES)
def items_of_others(n):
    try:
        v = (1, 2, 3)[int(n)]
        w = "abc"[int(n) - 1]
    except IndexError as e:
        return str(e)
    return v, w


@case("`pop` at an index that depends on a tensor, with IndexError caught", *PLACES)
def popped_at(n):
    items = [1, 2, 3]
    try:
        v = items.pop(int(n))
    except IndexError as e:
        return str(e), items
    return v, items


@refused("`index` and `remove` of a list, with ValueError caught", *PLACES)
def index_of(n):
    items = [1, 2, 3]
    try:
        v = items.index(int(n))
        items.remove(int(n) + 1)
    except ValueError as e:
        return str(e), items
    return v, items


@refused("`pop` of a key that depends on a tensor, with KeyError caught", *PLACES)
def popped_key(n):
    d = {1: n, 3: n * 2}
    try:
        v = d.pop(int(n))
    except KeyError as e:
        return str(e), len(d)
    return v, len(d)


@refused("`//=` by a number that depends on a tensor, in a `try`", *PLACES)
def floor_divided(n):
    k = int(n)
    try:
        k //= int(n)
        k += 10 // (int(n) - 2)
    except ZeroDivisionError as e:
        return k, str(e)
    return k


class Counting:
    """Its items are looked up once each."""

    def __init__(self):
        self.hits = 0

    def __getitem__(self, n):
        self.hits += 1
        print("getting")
        return {1: 10, 2: 20}[int(n)]


@refused("`__getitem__` of the user's that a tensor makes fail, in a `try`", *PLACES)
def item_of_object(n):
    table = Counting()
    try:
        value = table[n]
    except KeyError:
        value = -1
    return value, table.hits


@refused("what an index is made of is computed once", *PLACES)
def computed_once(n):
    log = []

    def noted(i):
        log.append(i)
        return i

    try:
        value = [1, 2, 3][noted(int(n))] + {0: 1, 1: 2}[noted(int(n))]
    except LookupError as error:
        value = type(error).__name__
    return value, log


class Signed:
    """Its methods raise errors of numbers below zero, and count how often they run."""

    def __init__(self, x):
        self.x, self.count = x, 0

    def checked(self, kind):
        self.count += 1
        print(kind.__name__, self.count)
        if self.x.sum() < 0:
            raise kind("negative")
        return self.x

    @property
    def root(self):
        return self.checked(ValueError)

    def __add__(self, other):
        return Signed(self.checked(TypeError) + other)

    def __neg__(self):
        return self.checked(ArithmeticError)

    def __getitem__(self, index):
        return self.checked(KeyError) * index

    def __setitem__(self, index, value):
        self.x = self.checked(KeyError) + value

    def __len__(self):
        self.checked(ValueError)
        return 3

    def __str__(self):
        return f"<{self.checked(ValueError).sum().item()}>"


@refused("properties and operators of the user's that raise in a `try` run once, in Python's order", *BOTH)
def methods_in_try(x):
    a, b, log = Signed(x), Signed(-x), []
    try:
        log.append(a.root * 2 + b.root + a.root)
    except ValueError as error:
        log.append(error.args)
    try:
        log.append((a + 1).root.sum())
        log.append(-b)
    except (TypeError, ArithmeticError) as error:
        log.append(error.args)
    try:
        log.append(a[2] + a[3])
        a[1] = x
    except KeyError:
        log.append("no item")
    try:
        log += len(a), str(a), f"{a}"
    except ValueError:
        log.append("no length")
    return log, a.x, a.count, b.count


@refused("an item of a list that is set, in a `try`", *PLACES)
def set_in_try(n):
    items, rows, log = [1, 2], {"a": [n, n * 2]}, []
    same = items
    try:
        items[int(n)] = 9
        rows["a"][n + 1] = n * 10
        log.append("set")
    except IndexError as error:
        items.append(5)
        log.append(str(error))
    for i in range(n + 1):
        try:
            items[i + 1] = i
        except IndexError:
            log.append(i)
            break
    return items, same is items, rows, log


@refused("`divmod` by what may be zero, in a `try`", *PLACES)
def divmod_in_try(n):
    try:
        found = divmod(10, int(n)), divmod(7.5, float(n - 1))
    except ZeroDivisionError as error:
        return str(error)
    return found


@refused("`int()` of what may be no number, in a `try`", *[(T(v),) for v in (1.7, -3.9, np.inf)])
def whole_in_try(x):
    found = []
    try:
        found.append(int(x * 2) // 2)
        for v in (x, -x, x - x):
            found.append(int(v))
    except (ValueError, OverflowError) as error:
        return str(error), found
    return found


@refused("functions of `math` in a `try`, with the words of their errors", *[(T(v),) for v in (4, -1, 0, 1000, np.nan, np.inf)])
def roots_in_try(x):
    found = []
    try:
        y = math.sqrt(float(x)) + math.log(float(x) - 1)
    except ValueError as e:
        y = str(e)
    for i in range(3):
        try:
            found.append(math.log(x, i))
        except (ValueError, ZeroDivisionError) as e:
            found.append(repr(e))
    try:
        last = math.exp(x), math.floor(x)
    except OverflowError as e:
        last = repr(e)
    except ValueError as e:
        last = str(e)
    return y, found, last


class Stage(paddle.nn.Layer):
    def forward(self, x):
        if x.sum() < 0:
            raise ValueError("negative")
        return x * 2


class Stages(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.stages = paddle.nn.Sequential(Stage(), Stage())

    def forward(self, x):
        try:
            return self.stages(x)
        except ValueError:
            return x


@scenario("Layers in a `Sequential` that raise, in a `try`")
def stages_in_try(to_static):
    net = to_static(Stages())
    return [net(x) for x in (POS, NEG)]
