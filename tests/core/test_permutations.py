"""Permutations against the loop that defines them; Paddle's own numbers are in tests/compiler/ops/test_seeded.py."""

import numpy as np
import pytest

from to_static.core.random.cpp_random import Seeded
from to_static.core.random.mt19937_64 import Engine, plain_seeded


def _shuffled(count, word):
    """What C++'s library does: one word for two places, and one for place 1 alone where the count is even."""

    def below(end):
        divisor = (2**64 - 1) // end
        while (found := word()) >= divisor * end:
            pass
        return found // divisor

    order = list(range(count))
    others = [] if count % 2 or not count else [below(2)]
    for size in range(len(others) + 2, count + 1, 2):
        others += divmod(below(size * (size + 1)), size + 1)
    for i, j in enumerate(others, 1):
        order[i], order[j] = order[j], order[i]
    return order


@pytest.mark.parametrize("count", [*range(12), 97, 98, 3000, 3001])
def test_permutations_are_those_of_the_plain_loop(count):
    source, words = Seeded.of_one(count + 5), Engine(plain_seeded(count + 5))
    for _ in range(3):
        found = source.permutation(count)
        assert found.dtype == np.int64
        assert found.tolist() == _shuffled(count, lambda: int(words.one()))


def test_words_are_the_same_one_by_one_and_many_at_once():
    one, many = Engine(plain_seeded(1)), Engine(plain_seeded(1))
    for count in (1, 310, 311, 312, 20_000):
        assert many.take(count).tolist() == [int(one.one()) for _ in range(count)]
