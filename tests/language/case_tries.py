"""`try` with tensors in it"""

import contextlib

from language_table import BOTH, COUNTS, T, case, refused

PLACES = [(T(k, "int64"),) for k in (0, 1, 2)]


@case("a variable that a branch assigns inside of `try`, read by the `except`", *BOTH)
def assigned_half_way(x):
    s, k = x, 0
    try:
        if x.sum() > 0:
            s = s + 1
        for i in range(3):
            k += 1
            if i == 1:
                s = s * 2
                k = 10
                {}["missing"]
    except KeyError as error:
        return s, k, str(error)
    return s, k


@case("a tensor loop inside of `try` with `break` and `else`", *BOTH)
def loop_in_try(x):
    s, word = x.sum(), None
    try:
        while s < 5:
            s = s + 1
            if s > 3:
                word = "over"
                break
        else:
            word = "done"
    except ValueError:
        word = "error"
    return s, word


@case("`return` and `continue` under tensor conditions inside of `try` with `except`", *BOTH)
def jumps_in_try(x):
    y = x
    for i in range(3):
        try:
            if x.sum() > 0:
                if i == 1:
                    continue
                y = x * i
            else:
                return y
        except ValueError as error:
            return y, error.args
        finally:
            x = x + 1
    return y


@case("an assignment expression to a variable that a closure reads, in the test of a loop inside of `try`", *BOTH)
def walrus_in_try(x):
    y = x.sum()

    def get():
        return y

    try:
        while (z := y * 2) < 7:
            y = y + 1
    except ValueError:
        y = None
    return get(), z


@case("a list popped in a ternary of a tensor loop", *COUNTS)
def popped_in_ternary(n):
    marks = [1, 2]
    s = 0
    for _ in range(n):
        s = s + marks.pop() if marks else s
    return s, marks


@refused("an item of a list that tensors make longer, inside of `try` that catches IndexError", *COUNTS)
def item_caught(n):
    items = [n * i for i in range(n)]
    try:
        return items[3]
    except IndexError:
        return None


@refused("a division by zero that depends on a tensor, caught", *PLACES)
def division_caught(n):
    try:
        return 6 // int(n)
    except ZeroDivisionError:
        return None


@refused("a key that depends on a tensor, in a `try` that catches KeyError", *PLACES)
def key_caught(n):
    try:
        return {1: 2}[int(n)]
    except LookupError:
        return None


@case("a step of `range` that is zero: Python's error", *PLACES)
def zero_step(n):
    total = 0
    for i in range(1, 4, n):
        total += i
    return total


@case("elements of several ranks in a list that tensors make longer, in a `try`", *BOTH)
def ranks_in_try(x):
    found = [x.sum()]
    try:
        while len(found) < x.sum():
            found.append(x)
    except ValueError:
        return None
    return found


@case("a variable that has no value in `finally`", *BOTH)
def unbound_in_finally(x):
    log = []

    def local(text):
        try:
            try:
                log.append(text)
                raise ValueError(text + word)  # noqa: F821
            except KeyError as error:
                word = error.args[0]
        finally:
            word += "!"
        return word

    return x + len(local("a"))


@refused(
    "`finally` that reads what conditions and loops of the `try` changed", (T(1.0), T(1, "int64")), (T(200.0), T(3, "int64")),
)
def changed_in_try(x, n):
    k, seen = 0, []
    try:
        if x > 100:
            k = 1
        for i in range(n):
            k += i
            seen.append(k)
        with contextlib.nullcontext("in"):
            if n > 2 and x < 0:
                raise ValueError(k)
            k *= 2
    finally:
        k += 1
        seen.append(k)
    return k, seen


@case("a loop with `return` in a `try` before what `except` reads is assigned", *COUNTS)
def returned_before(m):
    s = m * 1.0
    try:
        for i in range(m):
            if i == 2:
                return s * 10
        s = s + m
        {}["missing"]
    except KeyError:
        s = s - 1
    return s


@case("an error in a `finally` that takes the place of a jump, suppressed around it", *BOTH)
def jump_replaced(x):
    n, seen = 0, []
    for i in range(3):
        n += 1
        with contextlib.suppress(ZeroDivisionError):
            try:
                if x.sum() > i:
                    break
                if x.sum() > i - 4:
                    continue
            finally:
                seen.append(1 // (i % 2))
        seen.append(n)
        try:
            try:
                if x.sum() < -4 + i:
                    return x * n, seen
            finally:
                {}[n] if i == 0 else seen.append(-n)
        except KeyError:
            seen.append("missing")
    return x * n * 100, seen


@refused("recursion in a `try` that ends where a tensor raises", *BOTH)
def walked(x, n=3):
    try:
        if n == 0:
            if x.sum() > 3:
                raise ValueError("large")
            return x
        return walked(x + 1, n - 1)
    except ValueError:
        return x * 10


@refused("a branch in a `try` that assigns what is deleted behind it", *COUNTS)
def deleted_behind(m):
    k = m
    try:
        if m > 2:
            k = m * 2
        {}["missing"]
    except KeyError:
        m = k + 1
    del k
    return m


@refused("a list that is returned from a `try`, and grows in its `finally`", *BOTH)
def grown_at_last(x):
    steps = []
    try:
        steps.append("enter")
        if x.sum() > 0:
            return x * 2, steps
        y = x - 1
    finally:
        steps.append("exit")
    return y, steps


@refused("an item of a list that is returned from a `try` is set in its `finally`", *BOTH)
def set_at_last(x):
    steps = [0]
    try:
        if x.sum() > 0:
            return x * 2, steps
    finally:
        steps[0] = 3
    return x, steps
