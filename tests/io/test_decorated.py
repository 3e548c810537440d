"""Functions of readers."""

from __future__ import annotations

import random

import pytest

import to_static as paddle
from to_static.io import decorated


def numbers(count):
    return lambda: iter(range(count))


def test_readers_of_readers():
    assert list(decorated.map_readers(lambda a, b: a + b, numbers(3), numbers(3))()) == [0, 2, 4]
    assert list(decorated.chain(numbers(2), numbers(1))()) == [0, 1, 0]
    assert list(decorated.firstn(numbers(9), 2)()) == [0, 1]
    assert list(decorated.buffered(numbers(5), 2)()) == [0, 1, 2, 3, 4]
    assert list(decorated.xmap_readers(lambda n: n * n, numbers(5), 2, 3)()) == [0, 1, 4, 9, 16]
    assert list(decorated.multiprocess_reader([numbers(2), numbers(3)])()) == [0, 0, 1, 1, 2]
    assert list(decorated.compose(numbers(2), lambda: iter([(5, 6), (7, 8)]))()) == [(0, 5, 6), (1, 7, 8)]
    random.seed(0)
    assert sorted(decorated.shuffle(numbers(7), 3)()) == list(range(7))
    assert paddle.reader.buffered is decorated.buffered


def test_a_reader_that_fails_tells_whoever_reads():
    def broken():
        yield 1
        raise RuntimeError("torn")

    with pytest.raises(RuntimeError, match="torn"):
        list(decorated.buffered(broken, 2)())
    with pytest.raises(decorated.ComposeNotAligned):
        list(decorated.compose(numbers(2), numbers(3))())


def test_a_cache_reads_once():
    count = []

    def once():
        count.append(1)
        yield 3

    kept = decorated.cache(once)
    assert list(kept()) == list(kept()) == [3] and count == [1]
