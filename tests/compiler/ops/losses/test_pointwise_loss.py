"""Losses computed element by element: extremes, the documented formulas, and what they refuse."""

import numpy as np
import pytest

from to_static.compiler.eager.tensor import EagerTensor
from to_static.core.errors import ShapeError
from to_static.nn import functional as F


def t(array):
    return EagerTensor(np.asarray(array))


def r(*shape, seed=0):
    return np.random.default_rng(seed).uniform(-2, 2, shape).astype("float32")


def test_a_positive_weight_multiplies_the_term_that_paddle_multiplies():
    x, z, w = r(5), np.asarray([0, 1, 0.5, 1, 0], "float32"), np.float32(3)
    want = np.maximum(x, 0) - x * z + (z * (w - 1) + 1) * np.log1p(np.exp(-np.abs(x)))
    got = F.binary_cross_entropy_with_logits(t(x), t(z), reduction="none", pos_weight=t(np.full(5, w)))
    np.testing.assert_allclose(got.numpy(), want, rtol=1e-5)


def test_huge_logits_give_finite_losses():
    y = F.binary_cross_entropy_with_logits(t(np.asarray([1e30, -1e30], "float32")), t(np.ones(2, "float32")), reduction="none")
    np.testing.assert_allclose(y.numpy(), [0, 1e30])


def test_logarithms_of_zero_are_cut():
    y = F.binary_cross_entropy(t(np.zeros(1, "float32")), t(np.ones(1, "float32")))
    assert y.item() == 100


def test_huber_meets_its_parts_smoothly():
    x = t(np.asarray([0.5, 1.0, 1.5], "float32"))
    y = F.smooth_l1_loss(x, t(np.zeros(3, "float32")), "none", 1.0)
    np.testing.assert_allclose(y.numpy(), [0.125, 0.5, 1.0])


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: F.binary_cross_entropy(t(r(3) + 3), t(r(3))), ValueError, r"must lie in \[0, 1\]"),
        (lambda: F.binary_cross_entropy(t(r(3)), t(r(4))), ShapeError, "must have one shape"),
        (lambda: F.kl_div(t(r(3)), t(r(3)), "avg"), ValueError, "batchmean"),
        (lambda: F.mse_loss(t(r(3)), t(r(3)), "avg"), ValueError, "mse_loss: reduction"),
        (lambda: F.label_smooth(t(r(3)), epsilon=2), ValueError, "between 0 and 1"),
    ],
)
def test_what_does_not_fit_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()
