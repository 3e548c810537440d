"""Errors that a tensor decides, raised and caught"""

import contextlib

from language_table import BOTH, COUNTS, NEG, POS, T, case, refused

import to_static as paddle


class Negative(ValueError):
    """An error of the user's, with an attribute."""

    def __init__(self, value, where="here"):
        super().__init__(f"negative: {value}")
        self.value, self.where = value, where


class Found(Exception):
    pass


@refused("`raise` under a tensor condition, caught", *BOTH)
def raised(x):
    try:
        if x.sum() > 0:
            raise ValueError("positive")
        y = x * 2
    except ValueError as error:
        return x, str(error), error.args
    return y


@refused("`else` and `finally` of a `try` in which a tensor decides what is raised", *BOTH)
def complete(x):
    out = []
    try:
        if x.sum() > 0:
            raise ValueError("positive")
        out.append(x)
    except ValueError:
        out.append(-x)
    else:
        out.append(x * 3)
    finally:
        out.append(x * 10)
        print("done")
    return out


@refused("several errors, several clauses", *COUNTS)
def clauses(n):
    try:
        if n == 0:
            raise ValueError("zero")
        if n == 1:
            raise KeyError("one")
        r = n * 2
    except ValueError as error:
        r = n + 100
        print("V", error)
    except KeyError as error:
        r = n + 200
        print("K", error, error.args)
    return r


@refused("one clause for several errors: which one it was", *COUNTS)
def which_error(n):
    try:
        if n == 0:
            raise ValueError("zero")
        if n == 1:
            raise KeyError("one")
    except (ValueError, KeyError) as error:
        return str(error), type(error).__name__, isinstance(error, KeyError)
    return None


@refused("an error that no clause catches, and one that is raised again", *COUNTS)
def passed_on(n):
    try:
        if n == 0:
            raise ValueError("zero")
        if n == 1:
            raise KeyError("one")
    except ValueError:
        print("again")
        raise
    return n


@refused("another error raised in a clause", *COUNTS)
def replaced(n):
    try:
        if n == 1:
            raise KeyError("one")
    except KeyError as error:
        raise Negative(n, "there") from error
    return n


@refused("`try` in `try`", *COUNTS)
def nested(n):
    log = []
    try:
        try:
            if n == 0:
                raise KeyError("zero")
            if n == 1:
                raise ValueError("one")
            log.append("inner done")
        except KeyError:
            log.append("inner")
            raise Found("from inner") from None
        finally:
            log.append("finally")
        log.append("outer done")
    except ValueError as error:
        log.append("outer V" + str(error))
    except Found as error:
        log.append("outer F" + str(error))
    return log


@refused("`raise` inside of loops, caught outside of them", *COUNTS)
def out_of_loops(n):
    s = n * 0
    try:
        for i in range(n):
            for j in range(3):
                if i * 3 + j == n + 1:
                    raise Found
                s = s + j
            s = s + 10
        else:
            s = s + 1000
    except Found:
        return s, i, j
    return s


@refused("`raise` in a loop with a message that the loop makes", *COUNTS)
def message_in_loop(n):
    s = n * 0
    try:
        while s < 10:
            s = s + 1
            if s == n:
                raise Negative(7, f"at {s.item()}")
    except Negative as error:
        print(error.where)
        return s, error.value
    return s


@refused("`try` inside of a loop, with `continue`, `break`, `else` and `finally`", *COUNTS)
def try_in_loop(n):
    s = n * 0
    for i in range(n + 3):
        try:
            if i == 2:
                raise ValueError("two")
            s = s + i
            if i == 1:
                continue
            if i == 5:
                break
            s = s + 10
        except ValueError:
            s = s + 1000
        else:
            s = s + 5
        finally:
            s = s + 1
    return s


@refused("trying again until nothing is raised", *COUNTS)
def again(n):
    x, tries = n * 1.0, 0
    while True:
        try:
            if x > 2:
                raise Found("too much")
            break
        except Found:
            x = x - 1
            tries += 1
    return tries, x


@refused("`assert` on a tensor, caught", *BOTH)
def asserted(x):
    try:
        assert (x > 0).all(), f"not positive: {x.sum().item()}"
        assert x.sum() < 2, "big"
    except AssertionError as error:
        return str(error)
    return "fine"


@refused("arguments and attributes of an error that hold tensors", *BOTH)
def with_tensors(x):
    try:
        if x.sum() > 0:
            raise Negative(x.sum())
        if x.sum() < -100:
            raise Negative(x[0])
        r = x.sum()
    except ValueError as error:
        r = error.value + 1
        print(error.where)
    return r


@refused("`contextlib.suppress`", *BOTH)
def suppressed(x):
    y = x
    with contextlib.suppress(ValueError, KeyError):
        if x.sum() > 0:
            raise ValueError("a")
        y = x * 2
    return y


@refused("`finally` around an error that nobody catches", *COUNTS)
def cleanup(n):
    s = n * 0
    for i in range(n):
        try:
            if i == 2:
                raise ValueError("two")
            s = s + i
        finally:
            print("done", i)
    return s


@refused("`raise` inside of `with no_grad()`", *BOTH)
def inside_with(x):
    try:
        with paddle.no_grad():
            if x.sum() > 0:
                raise ValueError("positive")
            y = x * 2
    except ValueError:
        y = -x
    return y


@refused("what a `try` changed before it left: variables, lists under two names, dicts, closures", *BOTH)
def changed_before(x):
    a, d, k = [1], {"n": 0}, 0
    b = a

    def get():
        return k

    try:
        a.append(2)
        d["n"], k = 1, 1
        if x.sum() > 0:
            raise Found
        a.append(3)
        d["n"], k = 2, 2
    except Found:
        b.append(4)
        d["n"] += get() * 10
    return a, b, a is b, d, k


@refused("the name of an error has no value after its clause", *BOTH)
def name_is_gone(x):
    error = 5
    try:
        if x.sum() > 0:
            raise Found
    except Found as error:
        pass
    return error


@refused("an error that a tensor decides in a function that is called, caught outside of it", *BOTH)
def raised_below(x):
    def check(v):
        if v.sum() > 0:
            raise Negative(1)
        return v

    try:
        return check(x)
    except Negative:
        return -x


@contextlib.contextmanager
def announced(name):
    print("in", name)
    try:
        yield name
    finally:
        print("out", name)


def positive(v):
    assert v.sum() > 0, "not positive"
    return v


@refused("what a `with` prints at its end, after an error that a tensor decides", *BOTH)
def printed_end(x):
    with announced("block"):
        if x.sum() > 0:
            raise ValueError("positive")
        print("inside")
    return x


@case("what is printed before an error of the user's class that Python decides, inside of a `with`", (T(1.0), 3), (T(1.0), 1))
def printed_before(x, n):
    with contextlib.nullcontext():
        if n > 2:
            print(f"{x:.2f}")
            raise Negative(n)
    return x


@refused("what a `finally` prints after an error in a function that is called", *BOTH)
def missing_print(x):
    try:
        y = positive(x)
    finally:
        print("done")
    return y


class Watching:
    def __init__(self):
        self.seen = "nothing"

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        self.seen = "nothing" if kind is None else kind.__name__
        print("ended by", self.seen, error)


@refused("an error that a tensor decides, told to the end of a `with`", *COUNTS)
def told(n):
    watching = Watching()
    try:
        with watching:
            if n == 1:
                raise ValueError("one")
            if n == 4:
                raise KeyError("four")
            print("inside")
    except ValueError:
        print(watching.seen)
    return n


class Forgiving(Watching):
    def __exit__(self, kind, error, trace):
        return kind is ValueError


@refused("an error that a tensor decides, suppressed by an object of a class", *BOTH)
def forgiven(x):
    with Forgiving():
        if x.sum() > 0:
            raise ValueError("positive")
    return x


@case("a `finally` that prints nothing, after an error in a function that is called", *BOTH)
def quiet_end(x):
    k = 0
    try:
        y = positive(x)
    finally:
        k += 1
    return y, k


@case("`raise` directly inside of `try` / `finally`, under a condition around it", *BOTH)
def raised_at_once(x):
    if x.sum() > 0:
        try:
            raise ValueError("positive")
        finally:
            print("finally")
    return x


@case("dtypes that an operator refuses, on one path or after a print", (POS, 1), (NEG, 1), (POS, 0))
def refused_dtypes(x, n):
    pair = (x, 1)
    if x.sum() > 0:
        pair = pair[::-1]
    print("joined")
    if n > 0:
        return paddle.stack([x, pair[0]])
    return paddle.concat([x, paddle.to_tensor([1, 2])])


def chosen_error(x):
    if x.sum() > 0:
        return Negative(1)
    return KeyError("k")


@case("`raise` of one of several errors that tensors decide, at the end of what was printed", *BOTH)
def one_of_several(x):
    print("before", x.sum().item())
    raise ValueError() if x.max() > 5 else chosen_error(x)


@case("`raise` of one of several classes", *BOTH)
def one_of_classes(x):
    x.add_(x)
    raise Found if x.sum() > 0 else KeyError


@refused("`raise` of one of several errors, caught", *BOTH)
def one_of_several_caught(x):
    try:
        raise chosen_error(x)
    except KeyError as error:
        print("caught", error)
    except Negative as error:
        return error.value
    kind = ValueError if x.sum() > -100 else KeyError
    try:
        raise kind
    except ValueError:
        return x
    except KeyError:
        return -x


@case("`raise` of what may be `None`", *BOTH)
def none_or_error(x):
    found = None
    if x.sum() > 0:
        found = ValueError("positive")
    raise found


@case("a mistake in a call of library code, in a branch", *BOTH)
def mistaken_call(x):
    y = x.reshape([1, 1, 2])
    if x.sum() > 0:
        y = paddle.nn.functional.interpolate(y, size=[4], mode="bad")
    return y
