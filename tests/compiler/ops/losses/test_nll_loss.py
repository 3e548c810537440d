"""Negative log likelihood."""

import numpy as np
import pytest

from to_static.compiler.eager.tensor import EagerTensor
from to_static.core.errors import DTypeError, ShapeError
from to_static.nn import functional as F


def t(array):
    return EagerTensor(np.asarray(array))


def r(*shape, seed=0):
    return np.random.default_rng(seed).uniform(-2, 2, shape).astype("float32")


def test_nll_of_log_softmax_is_cross_entropy():
    x, label, weight = t(r(4, 3)), t([0, 1, 2, 1]), t(np.asarray([1, 2, 3], "float32"))
    for options in ({}, {"weight": weight}, {"ignore_index": 1}, {"reduction": "sum"}):
        a = F.nll_loss(F.log_softmax(x), label, **options).numpy()
        np.testing.assert_allclose(a, F.cross_entropy(x, label, **options).numpy(), rtol=1e-5)


def test_labels_may_be_a_column():
    x, labels = t(r(4, 3)), [0, 1, 2, 1]
    for reduction in ("none", "mean"):
        column = F.nll_loss(x, t([[i] for i in labels]), reduction=reduction).numpy()
        np.testing.assert_array_equal(column, F.nll_loss(x, t(labels), reduction=reduction).numpy())


def test_what_does_not_fit_is_refused():
    with pytest.raises(ShapeError, match=r"\[N, C, \*\]"):
        F.nll_loss(t(r(2, 3)), t([[0, 1], [1, 1]]))
    with pytest.raises(DTypeError, match="labels must be integers"):
        F.nll_loss(t(r(2, 3)), t(r(2)))
    with pytest.raises(ShapeError, match="one element per class"):
        F.nll_loss(t(r(2, 3)), t([0, 1]), t(r(2)))
    with pytest.raises(IndexError, match=r"labels must lie in \[0, 3\)"):
        F.nll_loss(t(r(2, 3)), t([0, 3]))
    with pytest.raises(ValueError, match="reduction"):
        F.nll_loss(t(r(2, 3)), t([0, 1]), reduction="avg")
