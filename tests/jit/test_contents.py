"""What objects hold, looked at twice: every kind of change is seen, and looking changes nothing."""

import array
import collections
import functools
import io
import itertools
import random

import numpy as np
import pytest

from to_static.jit.contents import changed, held


class Slots:
    __slots__ = ("v",)


class Plain:
    pass


class Indexed:
    def __getitem__(self, index):
        return index

    def __len__(self):
        raise AssertionError("nothing of the user's runs")


def generator():
    k = 0
    while True:
        yield k
        k += 1


def plain(**values):
    made = Plain()
    vars(made).update(values)
    return made


def slots():
    made = Slots()
    made.v = 1
    return made


CHANGES = {
    "list": (lambda: [1], lambda v: v.append(2)),
    "dict": (lambda: {1: 2}, lambda v: v.update({1: 3})),
    "ordered": (lambda: collections.OrderedDict(a=1, b=2), lambda v: v.move_to_end("a")),
    "default": (lambda: collections.defaultdict(int), lambda v: v["a"]),
    "set": (lambda: {1}, lambda v: v.add(2)),
    "deque": (lambda: collections.deque([1, 2]), lambda v: v.rotate(1)),
    "ndarray": (lambda: np.zeros((2, 3)), lambda v: v.__setitem__((1, 2), 5)),
    "objects": (lambda: np.array([1, "a"], object), lambda v: v.__setitem__(0, 5)),
    "bytearray": (lambda: bytearray(b"a"), lambda v: v.append(1)),
    "array": (lambda: array.array("i", [1]), lambda v: v.append(1)),
    "random": (lambda: random.Random(1), lambda v: v.random()),
    "numpy": (lambda: np.random.default_rng(1), lambda v: v.random()),
    "older numpy": (lambda: np.random.RandomState(1), lambda v: v.rand()),
    "text": (io.StringIO, lambda v: v.write("a")),
    "list iterator": (lambda: iter([1, 2]), next),
    "set iterator": (lambda: iter({1, 2}), next),
    "string iterator": (lambda: iter("abc"), next),
    "range iterator": (lambda: iter(range(3)), next),
    "iterator by index": (lambda: iter(Indexed()), next),
    "count": (itertools.count, next),
    "generator": (generator, next),
    "attribute": (lambda: plain(a=1), lambda v: setattr(v, "a", 2)),
    "new attribute": (lambda: plain(a=1), lambda v: setattr(v, "b", 2)),
    "slot": (slots, lambda v: setattr(v, "v", 2)),
}


@pytest.mark.parametrize("name", CHANGES)
def test_change_is_seen(name):
    make, change = CHANGES[name]
    value = make()
    before = held(value)
    assert before is not None and not changed(before, held(value))
    change(value)
    assert changed(before, held(value))


@pytest.mark.parametrize(
    "make", [enumerate, zip, reversed, lambda x: map(str, x), lambda x: itertools.islice(x, 2), itertools.chain]
)
def test_looking_moves_no_iterator(make):
    made = make([1, 2, 3])
    held(made)
    assert len(list(made)) in (2, 3)


def test_iterators_inside_are_found():
    inner = iter([1, 2])
    assert inner in held(zip(inner, inner, strict=False))[1]


def test_an_iterator_that_has_let_go_of_others():
    made = itertools.zip_longest([1], [2, 3])
    assert list(made) == [(1, 2), (None, 3)]
    assert held(made) is not None and held(itertools.pairwise([1, 2])) is not None


def test_what_functions_hold_is_found():
    kept = []
    assert held(kept.append)[1] == [kept]
    assert held(kept.__len__)[1] == [kept]
    assert held(collections.defaultdict(kept.copy))[1] == [kept.copy]
    assert held(lambda: kept)[1] == [kept]
    assert held(functools.partial(print, kept))[1][1] == (kept,)


def test_values_that_cannot_change_are_skipped():
    assert [held(v) for v in (1, "a", None, (), 2.5, range(3), np.float32(1))] == [None] * 7


def test_a_cached_property_is_no_change():
    class Owner:
        @functools.cached_property
        def size(self):
            return 3

    owner = Owner()
    before = held(owner)
    assert owner.size == 3 and not changed(before, held(owner))
