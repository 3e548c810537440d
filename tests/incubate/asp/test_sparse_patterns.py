"""Masks of `n:m` sparsity. Numbers in the examples are those of PaddlePaddle 2.6.2, as in its documentation."""

import itertools

import numpy as np
import pytest

from to_static.core.errors import ArgumentError, ShapeError
from to_static.incubate import asp
from to_static.incubate.asp import CheckMethod, MaskAlgo

MATRIX = np.array([[2, 8, 9, 9], [9, 1, 3, 9], [5, 6, 3, 9], [2, 4, 6, 9]])
SHAPES = [(4,), (9,), (8, 8), (5, 9), (3, 5, 8), (4, 4, 5, 4), (1, 1)]


def test_examples():
    assert asp.calculate_density(np.array([[0, 1, 3, 0], [1, 1, 0, 1]])) == 0.625
    assert asp.create_mask(MATRIX).tolist() == [[0, 0, 1, 1], [1, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 1]]
    greedy = asp.get_mask_2d_greedy(np.array([[9, 8, 3, 7], [9, 2, 1, 10], [5, 1, 3, 6], [2, 4, 6, 1]]), 2, 4)
    assert greedy.tolist() == [[1, 1, 0, 0], [1, 0, 0, 1], [0, 0, 1, 1], [0, 1, 1, 0]]
    assert (MATRIX * asp.get_mask_2d_best(MATRIX, 2, 4)).sum() == 61
    assert (MATRIX * asp.get_mask_2d_greedy(MATRIX, 2, 4)).sum() == 56


@pytest.mark.parametrize(("matrix", "rows", "blocks"), [
    ([[0, 8, 9, 0], [9, 0, 0, 10], [5, 0, 0, 6], [0, 4, 6, 0]], True, True),
    ([[0, 8, 0, 9], [9, 0, 0, 10], [0, 5, 0, 6], [0, 4, 6, 0]], True, True),  # as Paddle: columns may be full where rows are not
    ([[0, 1, 5, 4], [1, 0, 0, 1]], False, True),
    ([[1, 1, 1, 0], [1, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0]], False, False),
])  # fmt: skip
def test_checks(matrix, rows, blocks):
    assert asp.check_mask_1d(np.array(matrix), 2, 4) is rows
    assert asp.check_mask_2d(np.array(matrix), 2, 4) is blocks


@pytest.mark.parametrize("algorithm", MaskAlgo)
@pytest.mark.parametrize(("n", "m"), [(2, 4), (1, 2), (1, 4), (0, 3)])
@pytest.mark.parametrize("shape", SHAPES)
def test_masks_are_sparse_and_keep_the_largest(algorithm, n, m, shape):
    x = np.random.RandomState(len(shape)).randn(*shape).astype("float32")
    mask = asp.create_mask(x, algorithm, n, m)
    assert (mask.shape, mask.dtype) == (x.shape, x.dtype) and set(np.unique(mask)) <= {0, 1}
    if algorithm is MaskAlgo.MASK_1D or n * 2 == m:  # blocks keep n in a row, PaddlePaddle's too
        assert asp.check_sparsity(mask, CheckMethod.get_checking_method(algorithm), n, m)


def test_the_best_pattern_is_the_best_of_all():
    rows = [r for r in itertools.product((0, 1), repeat=4) if sum(r) == 2]
    every = [np.array(p) for p in itertools.product(rows, repeat=4) if (np.sum(p, axis=0) == 2).all()]
    for seed in range(20):
        x = np.random.RandomState(seed).rand(4, 4)
        assert (x * asp.get_mask_2d_best(x, 2, 4)).sum() == pytest.approx(max((x * p).sum() for p in every))


def test_what_is_refused():
    with pytest.raises(TypeError, match="MaskAlgo, got str"):
        asp.create_mask(MATRIX, "mask_1d")
    with pytest.raises(TypeError, match="CheckMethod, got MaskAlgo"):
        asp.check_sparsity(MATRIX, MaskAlgo.MASK_1D)
    with pytest.raises(ShapeError, match="1 to 4 dimensions, got 5"):
        asp.create_mask(np.zeros((1, 1, 1, 1, 1)))
    with pytest.raises(ArgumentError, match="n is 5 and m 4"):
        asp.create_mask(MATRIX, n=5)
    with pytest.raises(ArgumentError, match="use mask_2d_greedy"):
        asp.get_mask_2d_best(np.zeros((8, 8)), 4, 8)
