"""Group and instance norm."""

import numpy as np
import pytest

from to_static.compiler.eager.tensor import EagerTensor
from to_static.core.errors import ShapeError
from to_static.nn import functional as F


def t(array):
    return EagerTensor(np.asarray(array, "float32"))


def r(*shape, seed=0):
    return np.random.default_rng(seed).uniform(-1, 1, shape).astype("float32")


def test_group_norm_of_one_group_per_channel_is_instance_norm():
    x = t(r(2, 4, 3, 3))
    np.testing.assert_allclose(F.group_norm(x, 4).numpy(), F.instance_norm(x).numpy(), rtol=1e-4, atol=1e-5)
    y = F.group_norm(x, 2).numpy().reshape(2, 2, -1)
    np.testing.assert_allclose(y.mean(2), 0, atol=1e-6)
    np.testing.assert_allclose(y.std(2), 1, rtol=1e-3)


def test_layouts_agree_and_scales_are_per_channel():
    x, w, b = r(2, 4, 3, 5), t(r(4, seed=1)), t(r(4, seed=2))
    first = F.group_norm(t(x), 2, 1e-5, w, b).numpy()
    last = F.group_norm(t(x.transpose(0, 2, 3, 1).copy()), 2, 1e-5, w, b, "NHWC").numpy()
    np.testing.assert_allclose(last.transpose(0, 3, 1, 2), first, rtol=1e-5, atol=1e-6)
    plain = F.group_norm(t(x), 2).numpy()
    np.testing.assert_allclose(first, plain * w.numpy()[:, None, None] + b.numpy()[:, None, None], rtol=1e-5, atol=1e-6)


def test_empty_batches_pass_through():
    assert F.group_norm(t(np.zeros((0, 4, 3))), 2).shape == [0, 4, 3]


def test_what_does_not_fit_is_refused():
    with pytest.raises(ShapeError, match="3 channels do not divide into 2 groups"):
        F.group_norm(t(r(2, 3, 2)), 2)
    with pytest.raises(ShapeError, match="weight must have 4 elements"):
        F.instance_norm(t(r(2, 4, 2)), weight=t(r(3)))
    with pytest.raises(ShapeError, match="at least 2 dimensions"):
        F.instance_norm(t(r(2)))
