"""Softmax and its kin: extremes, samples, and what they refuse."""

import numpy as np
import pytest

from to_static.compiler.eager import tape
from to_static.compiler.eager.tensor import EagerTensor
from to_static.core.errors import DTypeError, ShapeError
from to_static.nn import functional as F


def t(array, grad=False):
    return EagerTensor(np.asarray(array), stop_gradient=not grad)


def test_softmax_of_huge_and_infinite_values():
    y = F.softmax(t(np.asarray([[1e30, -1e30, 1e30], [0, -np.inf, 0]], "float32"))).numpy()
    np.testing.assert_allclose(y, [[0.5, 0, 0.5]] * 2)


def test_hard_gumbel_samples_are_one_hot_with_the_soft_gradient():
    x = t(np.asarray([[1.0, 2.0, 0.5]] * 50, "float32"), grad=True)
    y = F.gumbel_softmax(x, hard=True)
    np.testing.assert_allclose(np.sort(y.numpy(), 1), [[0, 0, 1]] * 50, atol=1e-6)
    [g] = tape.grad((y * t(np.asarray([1, 2, 3], "float32"))).sum(), x)
    assert np.abs(g.numpy()).max() > 0


def test_log_softmax_keeps_what_softmax_rounds_to_zero():
    y = F.log_softmax(t(np.asarray([[0.0, -200.0]], "float32"))).numpy()
    np.testing.assert_allclose(y, [[0, -200]])


def test_a_wider_dtype_can_be_asked_for():
    assert F.softmax(t(np.ones((2, 3), "float32")), dtype="float64").dtype == "float64"
    assert F.log_softmax(t(np.ones((2, 3), "int64")), dtype="float32").dtype == "float32"


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: F.softmax(t([1.0]), 1), ShapeError, "axis 1 is out of range"),
        (lambda: F.softmax(t([1])), DTypeError, "softmax"),
        (lambda: F.maxout(t(np.ones((2, 3), "float32")), 2), ShapeError, "not divisible into groups of 2"),
        (lambda: F.glu(t(np.ones((2, 3), "float32"))), ShapeError, "must be even"),
        (lambda: F.gumbel_softmax(t([1.0]), 0), ValueError, "temperature"),
    ],
)
def test_what_does_not_fit_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()
