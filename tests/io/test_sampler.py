import numpy as np
import pytest

from to_static import io
from to_static.compiler.eager.tensor import EagerTensor
from to_static.core import backend as backends


def test_sequence():
    sampler = io.SequenceSampler("abc")
    assert list(sampler) == [0, 1, 2]
    assert len(sampler) == 3


def test_random_order_is_paddles_order_for_the_same_numpy_seed():
    np.random.seed(5)
    drawn = list(io.RandomSampler(range(10))), list(io.RandomSampler(range(10), True, 3))
    assert drawn == ([9, 5, 2, 4, 7, 1, 0, 8, 6, 3], [0, 0, 7])  # recorded from Paddle 2.6.2
    assert list(io.WeightedRandomSampler(np.array([1.0, 2, 3]), 4)) == [2, 2, 2, 2]
    assert np.random.rand() == 0.24254040538005428


def test_random_sampler_takes_indices_from_a_generator():
    assert list(io.RandomSampler(range(5), generator=iter([4, 1, 3]))) == [4, 1, 3]
    assert list(io.RandomSampler(range(2), generator=iter(range(100)))) == [0, 1]


@pytest.mark.parametrize(
    ("kwargs", "error"),
    [({"replacement": 1}, TypeError), ({"num_samples": 3}, ValueError),
     ({"replacement": True, "num_samples": 0}, ValueError)],
)  # fmt: skip
def test_random_sampler_refuses(kwargs, error):
    with pytest.raises(error):
        io.RandomSampler(range(3), **kwargs)


def test_subset_random_sampler_follows_the_seed():
    def draw():
        backends.seed(3)
        return list(io.SubsetRandomSampler([1, 3, 5, 7, 9]))

    assert sorted(draw()) == [1, 3, 5, 7, 9]
    assert draw() == draw()
    assert len(io.SubsetRandomSampler([4])) == 1
    with pytest.raises(ValueError):
        io.SubsetRandomSampler([])


def test_weights_are_probabilities():
    np.random.seed(0)
    drawn = list(io.WeightedRandomSampler([0.0, 1.0, 3.0], 4000))
    assert np.bincount(drawn, minlength=3) / 4000 == pytest.approx([0, 0.25, 0.75], abs=0.03)
    assert sorted(io.WeightedRandomSampler(EagerTensor(np.float32([1, 0, 2])), 2, replacement=False)) == [0, 2]


@pytest.mark.parametrize(
    ("weights", "count", "replacement"),
    [([-1, 2], 1, True), ([float("inf"), 1], 1, True), ([float("nan"), 1], 1, True), ([[1, 2]], 1, True),
     ([0, 0], 1, True), ([1, 0], 2, False), ([1, 2], 0, True)],
)  # fmt: skip
def test_weighted_sampler_refuses(weights, count, replacement):
    with pytest.raises(ValueError):
        io.WeightedRandomSampler(weights, count, replacement)
