"""`with` whose body a tensor may end by an error"""

import contextlib

from language_table import BOTH, COUNTS, case, refused


class Base(Exception):
    code = 1


class Sub(Base):
    code = 2

    def __init__(self, msg, *, value=None):
        super().__init__(msg)
        self.value = value


def check(x, limit=0.0, *, name="x"):
    if x.sum() < limit:
        raise Sub(f"{name} too small", value=x.sum())
    return x * 2


class Forgiving:
    def __init__(self):
        self.seen = None

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        self.seen = None if kind is None else (kind.__name__, str(error))
        return kind is not None and issubclass(kind, (ValueError, Base))


class Watching:
    def __init__(self):
        self.seen = "nothing"
        self.count = 0

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        self.count += 1
        if kind is not None:
            self.seen = kind.__name__
        return False


@contextlib.contextmanager
def plain_cm(log):
    log.append("in")
    yield 5
    log.append("out")


@contextlib.contextmanager
def fin_cm(log):
    log.append("in")
    try:
        yield 5
        log.append("fine")
    finally:
        log.append("out")


@contextlib.contextmanager
def catch_cm(log):
    try:
        yield 5
    except (ValueError, Base) as e:
        log.append(str(e))
    else:
        log.append("ok")


@contextlib.contextmanager
def replacing(tag):
    try:
        yield tag
    except Base as e:
        raise KeyError(tag) from e


@contextlib.contextmanager
def reraising(log):
    k = 1
    try:
        yield k
    except Base as e:
        log.append(e.code)
        raise
    else:
        log.append("else")
    finally:
        k = k + 1
        log.append(k)


@contextlib.contextmanager
def scaled(box):
    old = box.scale
    box.scale = old * 2
    try:
        yield
    finally:
        box.scale = old


class Box:
    def __init__(self):
        self.scale = 1.0


class Tx:
    def __init__(self, x):
        self.x = x
        self.saved = None
        self.done = 0

    def __enter__(self):
        self.saved = self.x * 1
        return self

    def __exit__(self, kind, error, tb):
        if kind is not None:
            self.x = self.saved
            self.done = -1
            return issubclass(kind, Base)
        self.done = 1


@refused("an object of the user's that suppresses an error", *BOTH)
def suppressed_by_object(x):
    y = x
    with Forgiving() as f:
        if x.sum() < 0:
            raise ValueError("neg")
        y = x * 2
    return y, f.seen


@refused("the same, of a called function", *BOTH)
def suppressed_below(x):
    y = x
    with Forgiving() as f:
        y = check(x)
    return y, f.seen


@refused("an object that only looks at the error", *BOTH)
def watched(x):
    w = Watching()
    try:
        with w:
            y = check(x)
    except (ValueError, Base):
        y = x
    return y, w.seen, w.count


@refused("a `contextmanager` that does something after its `yield` only if there was no error", *BOTH)
def generator_without_finally(x):
    log = []
    try:
        with plain_cm(log) as k:
            y = check(x) + k
    except (ValueError, Base):
        y = x
    return y, log


@refused("`finally` around the `yield` of a `contextmanager`, and something behind it", *BOTH)
def generator_with_finally(x):
    log = []
    try:
        with fin_cm(log) as k:
            y = check(x) + k
    except (ValueError, Base):
        y = x
    return y, log


@refused("a `contextmanager` that catches the error", *BOTH)
def generator_that_catches(x):
    log = []
    y = x
    with catch_cm(log) as k:
        y = check(x) + k
    return y, log


@refused("`raise` inside of a `contextmanager` of the user's", *BOTH)
def generator_and_raise(x):
    log = []
    try:
        with plain_cm(log) as k:
            if x.sum() < 0:
                raise ValueError("neg")
            y = x + k
    except (ValueError, Base):
        y = x
    return y, log


@refused("`raise` inside of one that catches it", *BOTH)
def generator_catches_raise(x):
    log = []
    y = x
    with catch_cm(log) as k:
        if x.sum() < 0:
            raise ValueError("neg")
        y = x + k
    return y, log


@refused("an object that suppresses errors in a tensor loop", *COUNTS)
def object_in_loop(n):
    s = n * 0
    for i in range(n):
        with Forgiving():
            if i == 2:
                raise ValueError("two")
            s = s + i
        s = s + 10
    return s


@refused("`contextlib.suppress` in a tensor loop with `break`", *COUNTS)
def suppress_in_loop(n):
    s = n * 0
    for i in range(n):
        with contextlib.suppress(ValueError, KeyError):
            if i == 2:
                raise ValueError("two")
            s = s + i
            if i == 3:
                break
        s = s + 10
    return s


@refused("a `contextmanager` that raises another error", *BOTH)
def replaced_error(x):
    log = []
    try:
        with replacing("tag") as t:
            y = check(x)
            log.append(t)
    except KeyError as e:
        return e.args, log
    return y, log


@refused("a `contextmanager` that raises the error again, with `else` and `finally`", *BOTH)
def raised_again_inside(x):
    log = []
    try:
        with reraising(log) as k:
            y = check(x) * k
    except Sub as e:
        y = e.value
    return y, log


@refused("an attribute that a `contextmanager` puts back", *BOTH)
def attribute_put_back(x):
    b = Box()
    try:
        with scaled(b):
            y = check(x) * b.scale
    except Base:
        y = x * b.scale
    return y, b.scale


@refused("an object that takes changes back after an error, and suppresses it", *BOTH)
def transaction(x):
    with Tx(x) as t:
        t.x = t.x * 3
        t.x = check(t.x)
    return t.x, t.done


@refused("two objects in one `with`, of generators of the function", *BOTH)
def two_objects(x):
    log = []

    @contextlib.contextmanager
    def noted(k):
        log.append(k)
        try:
            yield
        finally:
            log.append(-k)

    try:
        with noted(1), noted(2):
            y = check(x)
    except Base:
        y = x
    return y, log


@refused("an ExitStack with a callback that prints", *BOTH)
def stack_of_callbacks(x):
    with contextlib.ExitStack() as stack:
        stack.callback(print, "bye")
        y = check(x)
    return y


@refused("an ExitStack with an object that looks at errors", *BOTH)
def stack_of_objects(x):
    watching = Watching()
    try:
        with contextlib.ExitStack() as stack:
            stack.enter_context(watching)
            y = check(x)
    except Base:
        y = x
    return y, watching.seen


class Silent:
    """Suppresses whatever it is."""

    def __init__(self):
        self.seen = []

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        self.seen.append(None if kind is None else kind.__name__)
        return True


@refused("a list that grows in a tensor loop inside of a `with` that suppresses all errors", *COUNTS)
def grows_in_silence(n):
    silent, first, second, third, log = Silent(), [], [], [], []
    for i in range(n):
        with silent:
            if i != 1:
                first.append(i * 2)
        with contextlib.ExitStack() as stack:
            stack.push(lambda *error: True)
            second.append(i)
        with plain_cm(log):
            third.append(i)
            append_to(log, i)
    try:
        if n > 2:
            raise Sub("many", value=n)
    except Base as error:
        third.append(error.value)
    return first, second, third, len(log), len(silent.seen)


def append_to(items, i):
    if i > 0:
        items.append("more")


@refused("`return` in a `with` whose object suppresses an error of Python's that comes before it: what follows runs", *BOTH)
def returns_or_goes_on(x):
    silent, items, found = Silent(), [x], []
    for index in (0, 1):
        with silent:
            found.append(first_of(items, index, x))
    if x.sum() > 0:
        with contextlib.suppress(LookupError):
            return items[len(found)] * 2, found
    with contextlib.ExitStack() as stack, plain_cm([]):
        stack.push(silent)
        return items[3], found
    return x * 7, found


def first_of(items, index, x):
    with Silent():
        if x.mean() > 2:
            index = 0
        return items[index]
    return x - 1


@case("variables that a `with` was to assign, when it ends by an error of Python's", *BOTH)
def assigned_before_it_ended(x):
    items, s, t = [x], x * 0, x
    if x.sum() > 0:
        s = x
    with Silent():
        if x.sum() < 5:
            t = x + 1
        items[2]
        s = t = x * 2
    late = t
    with contextlib.suppress(IndexError), Silent():
        if x.sum() > 1:
            late = s + t
        items[1]
        late = t * 0
    return s, t, late


@case("a trip that a `with` ends early: `break` and `continue` behind the error", *COUNTS)
def trips_that_end(n):
    items, total = [1, 2], n * 0
    for i in range(n + 2):
        with Silent():
            total = total + items[1]
            items[2]
            if i > 2:
                break
            continue
        total = total + 10
        if total > 40:
            break
    return total


@case("a key or an index that an empty dict or list does not have, in a branch and in a `try`", *COUNTS)
def nothing_there(n):
    table, items, missed = {}, [], 0
    try:
        n = n + table[int(n)]
    except KeyError as error:
        missed = missed + error.args[0]
    try:
        n = n + items[int(n)]
    except IndexError as error:
        missed = missed + len(str(error))
    if n > 4:
        n = n + items[int(n)] * 2
    elif n > 1:
        n = n + table[int(n)]
    return n, missed
