"""Windows as columns, and channels as pixels: inverses and refusals."""

import numpy as np
import pytest

from to_static.compiler.eager.tensor import EagerTensor
from to_static.core.errors import ShapeError
from to_static.nn import functional as F


def t(array):
    return EagerTensor(np.asarray(array, "float32"))


def test_fold_counts_how_often_an_element_was_unfolded():
    x = np.random.default_rng(0).normal(size=(2, 3, 5, 6))
    options = {"strides": 2, "paddings": 1}
    there = F.fold(F.unfold(t(x), 3, **options), [5, 6], 3, **options).numpy()
    counts = F.fold(F.unfold(t(np.ones_like(x)), 3, **options), [5, 6], 3, **options).numpy()
    assert counts.max() == 4
    np.testing.assert_allclose(there, x * counts, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("layout", ["NCHW", "NHWC"])
def test_shuffles_have_inverses(layout):
    x = np.random.default_rng(0).normal(size=(2, 8, 4, 8)).astype("float32")
    np.testing.assert_array_equal(F.pixel_unshuffle(F.pixel_shuffle(t(x), 2, layout), 2, layout).numpy(), x)
    np.testing.assert_array_equal(F.channel_shuffle(F.channel_shuffle(t(x), 2, layout), 4, layout).numpy(), x)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda x: F.unfold(x, 5), "smaller than the window"),
        (lambda x: F.unfold(x, 2, paddings=[1, 2, 3]), "1, 2 or 4 paddings"),
        (lambda x: F.unfold(x, 2, strides=0), "strides must be positive"),
        (lambda x: F.fold(x, 4, 2), "fold: expected"),
        (lambda x: F.pixel_shuffle(x, 2), "channels 3 is not divisible by 4"),
        (lambda x: F.pixel_unshuffle(x, 3), "4 is not divisible by 3"),
        (lambda x: F.channel_shuffle(x, 2), "3 is not divisible by 2"),
    ],
)
def test_what_does_not_fit_is_refused(call, message):
    with pytest.raises(ShapeError, match=message):
        call(t(np.ones((1, 3, 4, 4))))


@pytest.mark.parametrize("ratio", [-0.1, 0.51, float("nan")])
def test_temporal_shift_refuses_another_share_after_a_valid_call(ratio):
    x = t(np.ones((4, 4, 1, 1)))
    F.temporal_shift(x, 2, 0.25)  # shape rules do not run again for another number
    with pytest.raises(ValueError, match="shift_ratio must lie between 0 and 0.5"):
        F.temporal_shift(x, 2, ratio)


@pytest.mark.parametrize("settings", [([4, 4], 2), ([5, 6], [2, 3], 1, 1), ([6, 6], 2, 2, 0), ([7, 7], 2, 1, [1, 2], 2)])
def test_columns_fold_as_the_kernel_does(settings):
    columns = F.unfold(t(np.ones([2, 3, *settings[0]])), *settings[1:])
    x = np.random.default_rng(0).normal(size=columns.shape).astype("float32")
    sizes, kernel, strides, pads, dilations = (*settings, *(1, 0, 1)[len(settings) - 2 :])
    pair = lambda v: [v, v] if isinstance(v, int) else list(v)
    attrs = {"output_sizes": sizes, "kernel_sizes": pair(kernel), "strides": pair(strides), "dilations": pair(dilations)}
    attrs["paddings"] = pair(pads) * 2
    expected = F.fold.op.kernel_for("numpy")(np, x, **attrs)
    np.testing.assert_array_equal(F.fold(t(x), *settings).numpy(), expected)
