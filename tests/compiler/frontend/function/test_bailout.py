"""What a refused call leaves: nothing. What an error of Python's leaves: what ran before it."""

import array
import collections
import io
import logging
import math
import random

import numpy as np
import pytest

import to_static as paddle
from to_static.core.errors import ToStaticError, TranslationError

X = paddle.ones([2])
TOTAL = 0
LOGGER = logging.getLogger("test_refused")
STEPS = iter([1])


class History(list):
    def append(self, value):
        self.last = value
        super().append(value)


class Table(dict):
    pass


class Counter:
    def __init__(self):
        self.calls, self.seen = 0, []

    def count(self):
        global TOTAL
        TOTAL += 1
        self.calls += 1
        self.seen.append(self.calls)

    def asks(self, x):
        self.count()
        return x.numpy().tolist()

    def yields(self, x):
        self.count()
        found = {}
        if x.sum() > 0:
            found[x] = x
        return found

    def sets_level(self, x):
        LOGGER.setLevel(logging.ERROR)
        return self.asks(x)

    def ends(self, x):
        self.count()
        return x * next(STEPS)

    def fails(self, x):
        self.count()
        return x[5], self.seen[7]

    def fails_below(self, x):
        if x.sum() > 0:
            self.count()
            return self.seen[7]
        return x


@pytest.mark.parametrize("name", ["asks", "yields", "sets_level"])
def test_a_refusal_leaves_everything_as_it_was(name):
    counter, total = Counter(), TOTAL
    LOGGER.setLevel(logging.DEBUG)
    assert LOGGER.isEnabledFor(logging.INFO)
    for _ in range(2):
        with pytest.raises(ToStaticError):
            paddle.jit.to_static(getattr(counter, name))(X)
        assert (counter.calls, counter.seen, TOTAL) == (0, [], total)
        assert LOGGER.isEnabledFor(logging.INFO)


@pytest.mark.parametrize("name", ["fails", "fails_below"])
@pytest.mark.parametrize("full_graph", [False, True])
def test_errors_of_python_leave_what_ran_before(name, full_graph, graph_breaks):
    dynamic, static = Counter(), Counter()
    for _ in range(2):
        with pytest.raises(IndexError):
            getattr(dynamic, name)(X)
        with pytest.raises(IndexError):
            paddle.jit.to_static(getattr(static, name), full_graph=full_graph)(X)
        assert (static.calls, static.seen) == (dynamic.calls, dynamic.seen)


@pytest.mark.parametrize("full_graph", [False, True])
def test_a_variable_without_a_value_leaves_what_ran_before(full_graph):
    def f(x):
        x.scale_(2.0)
        if x.sum() > 100:
            y = x
        return y

    static, seen = paddle.jit.to_static(f, full_graph=full_graph), []
    for function in (f, static, static):
        x = paddle.to_tensor([1.0])
        with pytest.raises(UnboundLocalError):
            function(x)
        seen.append(x.tolist())
    assert seen == [[2.0]] * 3


def test_an_error_of_a_list_is_raised_where_its_block_runs():
    def f(x, table):
        items = [x]
        if x.sum() < 0:
            items.pop()
            items.pop()
        if x.sum() > 9:
            return table.pop("none")
        return items[0]

    static = paddle.jit.to_static(f, full_graph=True)
    assert static(X, {"a": 1}).tolist() == X.tolist() and static.graph_breaks == 0
    with pytest.raises(IndexError, match="pop from empty list"):
        static(-X, {"a": 1})
    with pytest.raises(KeyError, match="none"):
        static(X * 100, {"a": 1})


CHANGES = {  # what an object is made of, how a call changes it, what can be seen of it
    "list": (lambda: History([0]), lambda h: h.append(1), lambda h: (list(h), vars(h))),
    "dict": (lambda: Table(a=1), lambda t: (t.update(a=2), setattr(t, "n", 1)), lambda t: (dict(t), vars(t))),
    "Counter": (collections.Counter, lambda c: c.update("ab"), dict),
    "OrderedDict": (lambda: collections.OrderedDict(a=1, b=2), lambda d: d.move_to_end("a"), list),
    "ndarray": (lambda: np.zeros(2), lambda a: a.__setitem__(0, 5.0), np.ndarray.tolist),
    "bytearray": (lambda: bytearray(b"a"), lambda b: b.append(5), bytes),
    "array": (lambda: array.array("i", [1]), lambda a: a.append(2), list),
    "StringIO": (io.StringIO, lambda s: s.write("text"), io.StringIO.getvalue),
    "Random": (lambda: random.Random(1), lambda r: r.random(), lambda r: r.getstate()),
    "RandomState": (lambda: np.random.RandomState(1), lambda r: r.rand(), lambda r: r.get_state()[2]),
    "Generator": (lambda: np.random.default_rng(1), lambda r: r.random(), lambda r: r.bit_generator.state),
}


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.filterwarnings("ignore:.*runs in Python")
def test_what_is_no_attribute_is_put_back_as_well(name, graph_breaks):
    make, change, seen = CHANGES[name]

    def call(found, x, fails):
        change(found)
        return x[5] if fails else x.numpy()

    found, before = make(), repr(seen(make()))
    with pytest.raises(ToStaticError):
        paddle.jit.to_static(lambda x: call(found, x, False), full_graph=True)(X)
    assert repr(seen(found)) == before
    # by default a call, also one that ends in an error of Python's, leaves one change, whatever was traced before
    dynamic, static = make(), make()
    for fails in (False, True):
        for to_static, kept in ((lambda f: f, dynamic), (paddle.jit.to_static, static)):
            run = to_static(lambda x, kept=kept, fails=fails: call(kept, x, fails))
            if fails:
                with pytest.raises(IndexError):
                    run(X)
            else:
                run(X)
        assert repr(seen(static)) == repr(seen(dynamic)) != before


def test_a_tensor_put_into_a_list_of_the_users_class_is_the_runs():
    kept, run = History([0]), None
    run = paddle.jit.to_static(lambda x: kept.append(x.mean()))
    for k in (1.0, 2.0):
        run(X * k)
        assert kept.last.item() == kept[-1].item() == k
    assert len(kept) == 3 and all(isinstance(x, paddle.Tensor) for x in kept[1:])


@pytest.mark.filterwarnings("ignore:.*runs in Python")
def test_an_iterator_from_outside_moves_on_in_every_call(graph_breaks):
    counter = Counter()
    run = paddle.jit.to_static(counter.ends)
    assert run(X).tolist() == [1.0, 1.0]
    for k in (2, 3):
        with pytest.raises(StopIteration):
            run(X)
        assert (counter.calls, counter.seen) == (k, list(range(1, k + 1)))


@pytest.mark.parametrize("full_graph", [False, True])
def test_a_branch_that_writes_and_raises_has_written(full_graph):
    box, net = Counter(), paddle.nn.Linear(2, 2)

    def f(x, way):
        if x.sum() > 0:
            if way == "object":
                box.calls = 5
            elif way == "layer":
                net.scale = 1.5
            else:
                x.add_(paddle.ones([2]))
            raise ValueError("positive")
        return x

    for way in ("object", "layer", "tensor"):
        x = X * 1
        with pytest.raises(ValueError, match="positive"):
            paddle.jit.to_static(f, full_graph=full_graph)(x, way)
    assert (box.calls, net.scale, x.tolist()) == (5, 1.5, [2.0, 2.0])


def _raises(x, kind):
    items, none = [x], 0
    if x.sum() > 5:
        if kind == "pop":
            items.pop()
            return items.pop()
        found = {
            "index": lambda: items[none + 5],
            "remove": lambda: {1}.remove(2),
            "largest": lambda: max([]),
            "step": lambda: range(1, 2, none),
            "root": lambda: math.sqrt(none - 1),
            "format": lambda: format(none, "zz"),
            "pairs": lambda: list(zip(items, [1, 2], strict=True)),
        }[kind]()
        x = x + len(found)
    return x * 2


@pytest.mark.parametrize("kind", ["pop", "index", "remove", "largest", "step", "root", "format", "pairs"])
def test_what_a_builtin_raises_in_a_branch_is_the_programs(kind):
    static = paddle.jit.to_static(_raises, full_graph=True)
    assert static(X, kind).tolist() == [2.0, 2.0]
    with pytest.raises((LookupError, ValueError)) as wanted:
        _raises(X * 9, kind)
    with pytest.raises(wanted.type) as found:
        static(X * 9, kind)
    assert str(found.value) == str(wanted.value)


def test_an_error_that_only_the_trace_raises_is_a_refusal():
    def f(x):
        if x.sum() > 5:
            x = x + sum(["a"])
        return x * 2

    with pytest.raises(TranslationError, match=r"TypeError ends the trace, .*operand type[\s\S]*sum") as found:
        paddle.jit.to_static(f, full_graph=True)(X)
    assert "rewrite: full_graph=False" in str(found.value)
