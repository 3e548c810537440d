"""Embedding and one-hot vectors: repeated ids, padding, and ids out of range."""

import numpy as np
import pytest

from to_static.compiler.eager import tape
from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.ops.indexing.embedding import embedding, embedding_grad, one_hot
from to_static.core.errors import DTypeError, ShapeError


def t(array, grad=False):
    return EagerTensor(np.asarray(array), stop_gradient=not grad)


TABLE = np.arange(12, dtype="float32").reshape(4, 3)


def test_gradients_of_repeated_ids_add_up():
    w = t(TABLE, grad=True)
    [g] = tape.grad(embedding(t([[2, 0], [2, 2]]), w), w)
    np.testing.assert_array_equal(g.numpy()[:, 0], [1, 0, 3, 0])


def test_the_padding_row_gives_zeros_and_gets_no_gradient():
    w = t(TABLE, grad=True)
    for padding in (1, -3):
        y = embedding(t([1, 2]), w, padding)
        np.testing.assert_array_equal(y.numpy(), [[0, 0, 0], TABLE[2]])
        [g] = tape.grad(y, w)
        np.testing.assert_array_equal(g.numpy()[:, 0], [0, 0, 1, 0])


def test_sorted_sums_equal_sums_one_by_one():
    rng = np.random.default_rng(0)
    ids, g = rng.integers(0, 5, (7, 4)), rng.normal(size=(7, 4, 3)).astype("float32")
    want = np.zeros((6, 3), "float32")
    np.add.at(want, ids, g)
    got = embedding_grad([t(ids[:3]), t(ids[3:])], t(np.zeros((6, 3), "float32")), [t(g[:3]), t(g[3:])], -1)
    np.testing.assert_allclose(got.numpy(), want, rtol=1e-5, atol=1e-6)


def test_no_ids_give_no_rows():
    w = t(TABLE, grad=True)
    y = embedding(t(np.zeros((2, 0), "int64")), w)
    assert y.shape == [2, 0, 3]
    [g] = tape.grad(y, w)
    assert not g.numpy().any()


def test_what_does_not_fit_is_refused():
    with pytest.raises(IndexError, match=r"embedding: ids must lie in \[0, 4\), got values from -1 to 2"):
        embedding(t([2, -1]), t(TABLE))
    with pytest.raises(IndexError, match="from 4 to 4"):
        embedding(t([4]), t(TABLE))
    with pytest.raises(DTypeError, match="ids must be integers, got float32"):
        embedding(t(np.ones(2, "float32")), t(TABLE))
    with pytest.raises(ShapeError, match="2 dimensions"):
        embedding(t([1]), t(TABLE[0]))
    with pytest.raises(ValueError, match="padding_idx 4 is out of range"):
        embedding(t([1]), t(TABLE), 4)


def test_one_hot():
    y = one_hot(t(np.asarray([[2], [0]], "int32")), 3)
    assert y.dtype == "float32" and y.stop_gradient
    np.testing.assert_array_equal(y.numpy(), [[[0, 0, 1]], [[1, 0, 0]]])
    with pytest.raises(IndexError, match="one_hot"):
        one_hot(t([3]), 3)
    with pytest.raises(DTypeError, match="one_hot: expected an integer tensor"):
        one_hot(t(np.ones(2, "float32")), 3)
    with pytest.raises(ShapeError, match="num_classes must be positive"):
        one_hot(t([0]), 0)
