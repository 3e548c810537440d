"""Dropout: masks, scales, reproducibility, and its gradient."""

import numpy as np
import pytest

from to_static.compiler.eager import tape
from to_static.compiler.eager.tensor import EagerTensor
from to_static.core import backend
from to_static.core.errors import ShapeError
from to_static.nn import functional as F


def t(array, grad=False):
    return EagerTensor(np.asarray(array, "float32"), stop_gradient=not grad)


def test_training_zeroes_some_and_scales_the_rest():
    backend.seed(1)
    y = F.dropout(t(np.ones((100, 100))), 0.25).numpy()
    assert set(np.unique(y)) == {0, np.float32(1 / 0.75)}
    assert 0.22 < (y == 0).mean() < 0.28
    unscaled = F.dropout(t(np.ones((10, 10))), 0.5, mode="downscale_in_infer").numpy()
    assert set(np.unique(unscaled)) == {0, 1}


def test_the_seed_decides():
    draws = []
    for seed in (3, 3, 4):
        backend.seed(seed)
        draws.append(F.dropout(t(np.ones(50))).numpy())
    np.testing.assert_array_equal(draws[0], draws[1])
    assert (draws[0] != draws[2]).any()


def test_the_gradient_uses_the_same_mask():
    x = t(np.ones((20, 20)), grad=True)
    y = F.dropout(x, 0.4)
    [g] = tape.grad(y, x)
    np.testing.assert_allclose(g.numpy(), y.numpy())


def test_axis_shares_the_mask_along_the_other_dimensions():
    backend.seed(0)
    y = F.dropout(t(np.ones((8, 5, 3))), 0.5, axis=[0, 2]).numpy()
    assert (y == y[:, :1]).all() and len(np.unique(y)) == 2
    channels = F.dropout2d(t(np.ones((4, 6, 3, 3))), 0.5).numpy()
    assert (channels == channels[:, :, :1, :1]).all()
    last = F.dropout2d(t(np.ones((4, 3, 3, 6))), 0.5, data_format="NHWC").numpy()
    assert (last == last[:, :1, :1]).all() and len(np.unique(last)) == 2


def test_without_training_or_probability_nothing_is_dropped():
    x = t([[1, -2], [3, 4]])
    for y in (F.dropout(x, 0.5, training=False), F.dropout(x, 0), F.alpha_dropout(x, 0.5, training=False)):
        np.testing.assert_array_equal(y.numpy(), x.numpy())
    np.testing.assert_allclose(
        F.dropout(x, 0.25, training=False, mode="downscale_in_infer").numpy(), x.numpy() * 0.75
    )
    assert not F.dropout(x, 1.0).numpy().any()


def test_alpha_dropout_keeps_mean_and_variance():
    backend.seed(0)
    x = np.random.default_rng(0).normal(size=(400, 400))
    y = F.alpha_dropout(t(x), 0.3).numpy()
    assert abs(y.mean()) < 0.02 and abs(y.std() - 1) < 0.02


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"p": 1.5}, ValueError),
        ({"p": "0.5"}, TypeError),
        ({"mode": "upscale"}, ValueError),
        ({"axis": 2}, ShapeError),
        ({"axis": [-1]}, ShapeError),
    ],
)
def test_wrong_arguments_are_refused(options, error):
    with pytest.raises(error, match="dropout"):
        F.dropout(t(np.ones((2, 2))), **options)
