"""Draws of a few numbers take the words, and give the numbers, that draws of many do."""

import random

import numpy as np
import pytest

from to_static.core.random.cpp_random import Seeded


class Plain(Seeded):
    """A source that makes no numbers ahead, and has no steps of its own for a few."""

    def _of_ahead(self, count, cls):
        return None

    def _numbers_at_hand(self, count, cls):
        return None

    def _few_exchanged(self, count):
        return None


def _draw(source, kind, count, dtype, low, high):
    if kind == "normal":
        return source.normal((count,), dtype, low, 1.0 if low == 0 else 0.5)
    if kind == "uniform":
        return source.uniform((count,), dtype, low, high)
    if kind == "mask":
        return source.bernoulli_mask((count,), 0.3)
    if kind == "integers":
        return source.integers(int(low), int(low) + 7, (count,))
    if kind == "permutation":
        return source.permutation(count)
    return np.array(source.word())


def test_numbers_made_ahead_are_those_of_the_stream():
    rng = random.Random(5)
    quick, plain = Seeded.of_all(11), Plain.of_all(11)
    kinds = ["normal"] * 4 + ["uniform", "mask", "integers", "permutation", "word"]
    place = quick.place, plain.place
    for step in range(4000):
        kind, count = rng.choice(kinds), rng.choice([0, 1, 2, 3, 4, 5, 16, 33, 64, 100, 300, 1024, 1500])
        dtype, low = rng.choice([np.float32, np.float64]), float(rng.randrange(2))
        one, other = (_draw(source, kind, count, dtype, low, low + 1 + rng.randrange(1)) for source in (quick, plain))
        assert one.dtype == other.dtype and one.shape == other.shape
        np.testing.assert_array_equal(one, other)
        if step % 500 == 499:
            quick.place, plain.place = place
            place = quick.place, plain.place


def test_masks_of_few_and_of_many_are_those_of_one_rule():
    for probability in (0.0, 1e-7, 0.1, 0.5, 0.999999, 1.0):
        few, many = Seeded.of_all(3), Seeded.of_all(3)
        whole = many.bernoulli_mask((4000,), probability)
        parts = np.concatenate([few.bernoulli_mask((500,), probability) for _ in range(8)])
        np.testing.assert_array_equal(parts, whole)


def test_integers_pass_over_words_beyond_the_last_multiple():
    few, many = Seeded.of_all(9), Seeded.of_all(9)
    most = 2**62 + 12345  # a good part of all words is beyond
    one = np.concatenate([few.integers(0, most, (5,)) for _ in range(200)])
    np.testing.assert_array_equal(one, many.integers(0, most, (1000,)))
    assert one.min() >= 0 and one.max() < most


@pytest.mark.parametrize("low, high", [(0, 10), (-7, 3), (0, 2**62 + 1)])
def test_a_few_integers_at_a_time_are_those_of_one_draw(low, high):
    together = Seeded.of_all(5).integers(low, high, (600,))
    source = Seeded.of_all(5)
    np.testing.assert_array_equal(np.concatenate([source.integers(low, high, (3,)) for _ in range(200)]), together)


@pytest.mark.parametrize("cls", [np.float32, np.float64])
def test_numbers_to_read_are_those_to_own(cls):
    source, other_source = Seeded.of_all(5), Seeded.of_all(5)
    for count in (3, 0, 400, 5, 2000, 7):
        np.testing.assert_array_equal(source.units_to_read(count, cls), other_source.uniform((count,), cls), strict=True)
