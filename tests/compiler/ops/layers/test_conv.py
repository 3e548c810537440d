"""Convolutions against a direct sum, and what they refuse. (Gradients: test_all_ops; values: the recorded ones of Paddle.)"""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import to_static as paddle
from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ops.layers import conv
from to_static.core.errors import DTypeError, ShapeError


def t(array):
    return EagerTensor(np.asarray(array))


def r(*shape, seed=0):
    return np.random.default_rng(seed).uniform(-1, 1, shape).astype("float32")


def direct(x, w, stride, pads, dilation, groups):
    """The definition, one window at a time."""
    x = np.pad(x, [(0, 0), (0, 0), *pads])
    count, per_group = w.shape[0], w.shape[1]
    sizes = [
        (i - (d * (k - 1) + 1)) // s + 1
        for i, k, s, d in zip(x.shape[2:], w.shape[2:], stride, dilation, strict=True)
    ]
    y = np.zeros((x.shape[0], count, *sizes), "float64")
    for m in range(count):
        first = m // (count // groups) * per_group
        for place in itertools.product(*map(range, sizes)):
            window = x[:, first : first + per_group]
            for axis, (p, s, d, k) in enumerate(zip(place, stride, dilation, w.shape[2:], strict=True), 2):
                window = window.take(range(p * s, p * s + d * (k - 1) + 1, d), axis=axis)
            y[(slice(None), m, *place)] = (window * w[m]).reshape(len(x), -1).sum(1)
    return y


@settings(max_examples=40, deadline=None)
@given(
    st.integers(1, 3),
    st.sampled_from([(1, 2, 3), (2, 2, 1), (3, 1, 2), (2, 1, 1)]),
    st.tuples(st.integers(3, 6), st.integers(3, 6)),
    st.tuples(st.integers(1, 3), st.integers(1, 3)),
    st.tuples(st.integers(1, 3), st.integers(1, 3)),
    st.lists(st.integers(0, 2), min_size=4, max_size=4),
    st.booleans(),
)
def test_conv2d_is_the_sum_over_windows(batch, group_sizes, size, kernel, stride, pads, last):
    groups, channels, multiplier = group_sizes
    x, w = r(batch, groups * channels, *size), r(groups * multiplier, channels, *kernel, seed=1)
    want = direct(x, w, stride, [pads[:2], pads[2:]], (1, 1), groups)
    image = x.transpose(0, 2, 3, 1) if last else x
    got = conv.conv2d(t(np.ascontiguousarray(image)), t(w), None, stride, pads, 1, groups, "NHWC" if last else "NCHW")
    got = got.numpy().transpose(0, 3, 1, 2) if last else got.numpy()
    np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-5)


def test_dilation_spreads_the_kernel():
    x, w = r(1, 2, 7, 6), r(3, 2, 3, 2, seed=1)
    got = conv.conv2d(t(x), t(w), dilation=[2, 3]).numpy()
    np.testing.assert_allclose(got, direct(x, w, (1, 1), [(0, 0)] * 2, (2, 3), 1), rtol=1e-4, atol=1e-5)


def test_results_keep_float32_and_bias_is_per_channel():
    y = conv.conv2d(t(r(1, 2, 3, 3)), t(r(4, 2, 1, 1)), t(np.arange(4, dtype="float32")))
    assert y.dtype == "float32"
    plain = conv.conv2d(t(r(1, 2, 3, 3)), t(r(4, 2, 1, 1)))
    np.testing.assert_allclose((y - plain).numpy()[0, :, 0, 0], np.arange(4), rtol=1e-5, atol=1e-6)


def test_a_strided_view_is_read_correctly():
    x = r(1, 4, 6, 2)
    view = x.transpose(0, 3, 2, 1)  # [1, 2, 6, 4], not contiguous
    w = r(3, 2, 3, 3, seed=1)
    np.testing.assert_allclose(
        conv.conv2d(t(view), t(w), padding=1).numpy(), conv.conv2d(t(view.copy()), t(w), padding=1).numpy(), rtol=1e-6
    )


def test_unknown_sizes_stay_unknown_and_same_padding_depends_on_them():
    builder = Builder()
    with mode.use(builder):
        x = builder.feed(TensorSpec((-1, 3, -1, 8), t(r(1)).dtype))
        assert conv.conv2d(x, t(r(4, 3, 3, 3)), padding=1, stride=2).spec.shape == (-1, 4, -1, 4)
        assert conv.conv2d(x, t(r(4, 3, 3, 3)), padding="same", stride=3).spec.shape == (-1, 4, -1, 3)


@pytest.mark.parametrize(
    ("x", "w", "options", "error", "message"),
    [
        ((1, 3, 4, 4), (2, 4, 3, 3), {}, ShapeError, "has 3 channels, but weight .2, 4, 3, 3. with groups=1 needs 4"),
        ((1, 4, 4, 4), (3, 2, 3, 3), {"groups": 2}, ShapeError, "does not divide into 2 groups"),
        ((1, 3, 2, 4), (2, 3, 3, 3), {}, ShapeError, "the input is smaller than the window"),
        ((3, 4, 4), (2, 3, 3, 3), {}, ShapeError, "expected an input of 4 dimensions"),
        ((1, 3, 4, 4), (2, 3, 3), {}, ShapeError, "conv2d weight: expected an input of 4 dimensions"),
        ((1, 3, 4, 4), (2, 3, 3, 3), {"padding": [1, 2, 3]}, ShapeError, "expected 1, 2 or 4 padding values"),
        ((1, 3, 4, 4), (2, 3, 3, 3), {"padding": -1}, ShapeError, "smaller than the window"),
        ((1, 3, 4, 4), (2, 3, 3, 3), {"padding": [-1, 0]}, ShapeError, "must not be negative"),
        ((1, 3, 4, 4), (2, 3, 3, 3), {"padding": "FULL"}, ValueError, "'SAME' or 'VALID'"),
        ((1, 3, 4, 4), (2, 3, 3, 3), {"padding": [[1, 1], [0, 0], [0, 0], [0, 0]]}, ShapeError, "batch and channel"),
        ((1, 3, 4, 4), (2, 3, 3, 3), {"stride": 0}, ShapeError, "stride must be positive"),
        ((1, 3, 4, 4), (2, 3, 3, 3), {"data_format": "NCL"}, ValueError, "'NCHW' or 'NHWC', got 'NCL'"),
    ],
)
def test_what_does_not_fit_is_refused(x, w, options, error, message):
    with pytest.raises(error, match=message):
        conv.conv2d(t(r(*x)), t(r(*w)), **options)


def test_mixed_dtypes_are_refused():
    with pytest.raises(DTypeError, match="input is float32 and the weight float64"):
        conv.conv2d(t(r(1, 3, 4, 4)), t(r(2, 3, 3, 3).astype("float64")))
    with pytest.raises(DTypeError, match="floating-point"):
        conv.conv2d(t(np.ones((1, 3, 4, 4), "int64")), t(np.ones((2, 3, 3, 3), "int64")))


def test_empty_batches_pass_through():
    assert conv.conv2d(t(r(0, 3, 4, 4)), t(r(2, 3, 3, 3))).shape == [0, 2, 2, 2]


def test_inputs_that_do_not_fit_are_told_what_to_write():
    weight = paddle.ones([4, 3, 3, 3])
    with pytest.raises(ShapeError, match=r"4 dimensions, batch and channels among them, `x.unsqueeze\(0\)` for a single one, got"):
        paddle.nn.functional.conv2d(paddle.ones([3, 8, 8]), weight)
    with pytest.raises(ShapeError, match="has 8 channels.* needs 3; channels are last in it: set `data_format`"):
        paddle.nn.functional.conv2d(paddle.ones([1, 8, 8, 3]), weight)
    with pytest.raises(ShapeError, match=r"has 5 channels.* needs 3$|needs 3 "):
        paddle.nn.functional.conv2d(paddle.ones([1, 5, 8, 8]), weight)
