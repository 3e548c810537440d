"""Pooling against windows taken one by one, ties, and what it refuses."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from to_static.compiler.eager import tape
from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.ops.layers import pool_arrays
from to_static.core.errors import DTypeError, ShapeError
from to_static.nn import functional as F


def t(array, grad=False):
    return EagerTensor(np.asarray(array), stop_gradient=not grad)


def r(*shape):
    return np.random.default_rng(0).uniform(-1, 1, shape).astype("float32")


@settings(max_examples=40, deadline=None)
@given(
    st.tuples(st.integers(4, 7), st.integers(4, 7)),
    st.tuples(st.integers(2, 3), st.integers(2, 3)),
    st.tuples(st.integers(1, 3), st.integers(1, 3)),
    st.lists(st.integers(0, 1), min_size=4, max_size=4),
    st.booleans(),
)
def test_windows_one_by_one(size, kernel, stride, pads, last):
    x = r(1, 2, *size)
    wide = np.pad(x, [(0, 0), (0, 0), pads[:2], pads[2:]], constant_values=np.nan)
    sizes = [(wide.shape[2 + i] - kernel[i]) // stride[i] + 1 for i in range(2)]
    top, mean = np.zeros((1, 2, *sizes), "float32"), np.zeros((1, 2, *sizes), "float32")
    for i, j in np.ndindex(*sizes):
        top_left = i * stride[0], j * stride[1]
        window = wide[:, :, top_left[0] : top_left[0] + kernel[0], top_left[1] : top_left[1] + kernel[1]]
        top[:, :, i, j] = np.nanmax(window, (2, 3))
        mean[:, :, i, j] = np.nanmean(window, (2, 3))
    image = t(np.ascontiguousarray(x.transpose(0, 2, 3, 1)) if last else x)
    layout = "NHWC" if last else "NCHW"
    for function, want in ((F.max_pool2d, top), (F.avg_pool2d, mean)):
        got = function(image, kernel, stride, pads, data_format=layout).numpy()
        np.testing.assert_allclose(got.transpose(0, 3, 1, 2) if last else got, want, rtol=1e-5, atol=1e-6)


def test_windows_inside_the_padding():
    x = t(np.asarray([[[1.0, 2.0]]], "float32"), grad=True)
    largest, smallest = F.max_pool1d(x, 2, 1, 2), float(np.finfo("float32").min)
    assert largest.tolist() == [[[smallest, 1, 2, 2, smallest]]]
    assert F.avg_pool1d(x, 2, 1, 2).tolist() == [[[0, 1, 1.5, 2, 0]]]
    assert F.avg_pool1d(x, 1, 1, 1, exclusive=False).tolist() == [[[0, 1, 2, 0]]]
    [g] = tape.grad(largest[:, :, 1:4].sum(), x)
    assert g.tolist() == [[[1, 2]]]


def test_unpooled_elements_of_one_place_all_get_its_gradient():
    x = t(np.asarray([[[1.0, 2.0, 3.0]]], "float32"), grad=True)
    y = F.max_unpool1d(x, t(np.asarray([[[4, 4, 1]]], "int32")), 2)
    assert y.tolist() == [[[0, 3, 0, 0, 2, 0]]]
    [g] = tape.grad((y * t(np.arange(6, dtype="float32"))).sum(), x)
    assert g.tolist() == [[[4, 4, 1]]]


def test_the_first_of_equal_maxima_gets_the_gradient():
    x = t(np.zeros((1, 1, 2, 2), "float32"), grad=True)
    [g] = tape.grad(F.max_pool2d(x, 2), x)
    np.testing.assert_array_equal(g.numpy(), [[[[1, 0], [0, 0]]]])


def test_masks_index_the_flattened_image():
    x = r(2, 3, 5, 6)
    y, mask = F.max_pool2d(t(x), 3, 2, 1, return_mask=True)
    assert mask.dtype == "int32" and mask.stop_gradient
    flat, places, top = (a.reshape(2, 3, -1) for a in (x, mask.numpy(), y.numpy()))
    np.testing.assert_array_equal(np.take_along_axis(flat, places, 2), top)


def test_adaptive_windows_cover_the_input_evenly():
    x = np.arange(7, dtype="float32").reshape(1, 1, 7)
    np.testing.assert_allclose(F.adaptive_avg_pool1d(t(x), 3).numpy()[0, 0], [1, 3, 5])
    np.testing.assert_allclose(F.adaptive_max_pool1d(t(x), 3).numpy()[0, 0], [2, 4, 6])
    assert F.adaptive_avg_pool2d(t(r(1, 1, 5, 4)), [2, None]).shape == [1, 1, 2, 4]


def test_more_adaptive_windows_than_elements_share_their_gradients():
    x = t(np.asarray([[[1.0, 2.0]]], "float32"), grad=True)
    [g] = tape.grad(F.adaptive_max_pool1d(x, 5).sum(), x)
    assert g.numpy().sum() == 5


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: F.max_pool2d(t(r(1, 1, 2, 2)), 3, 1), ShapeError, "smaller than the window"),
        (lambda: F.max_pool2d(t(r(1, 1, 1, 2)), [3, 1], 1), ShapeError, r"smaller than the window.* \[0, 2\]"),
        (lambda: F.max_pool2d(t(r(1, 4, 4)), 2), ShapeError, "max_pool2d: expected an input of 4 dimensions"),
        (lambda: F.max_pool2d(t(r(1, 1, 4, 4)), 2, padding="VALID", ceil_mode=True), ValueError, "ceil_mode must be False"),
        (lambda: F.max_pool2d(t(r(1, 4, 4, 1)), 2, return_mask=True, data_format="NHWC"), ValueError, "channel-first"),
        (lambda: F.max_pool2d(t(np.ones((1, 1, 4, 4), "int64")), 2), DTypeError, "floating-point"),
        (lambda: F.avg_pool2d(t(r(1, 1, 4, 4)), 2, divisor_override=0), ValueError, "divisor_override must be positive"),
        (lambda: F.avg_pool2d(t(r(1, 1, 4, 4)), [2, 2, 2]), ShapeError, "kernel_size"),
        (lambda: F.adaptive_avg_pool2d(t(r(1, 1, 4, 4)), [2, 2, 2]), ShapeError, "output size of 2 entries"),
        (lambda: F.adaptive_avg_pool2d(t(r(1, 1, 4, 4)), 0), ShapeError, "must be positive"),
        (lambda: F.adaptive_max_pool1d(t(r(4, 4)), 2), ShapeError, "expected an input of 3 dimensions"),
    ],
)
def test_what_does_not_fit_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


@pytest.mark.parametrize("sizes, outs", [((8, 8), (2, 2)), ((7, 9), (3, 4)), ((5, 5), (5, 2)), ((5, 6), (7, 3)), ((6, 6), (1, 3))])
def test_adaptive_maxima_are_those_of_each_window(sizes, outs):
    x = np.random.default_rng(0).normal(size=(2, 3, *sizes)).astype("float32")
    x[0, 0, 1, 1] = np.nan
    expected = np.empty((2, 3, *outs), "float32")
    for i, j in np.ndindex(*outs):
        rows = slice(i * sizes[0] // outs[0], -(-(i + 1) * sizes[0] // outs[0]))
        columns = slice(j * sizes[1] // outs[1], -(-(j + 1) * sizes[1] // outs[1]))
        expected[:, :, i, j] = x[:, :, rows, columns].max((2, 3))
    np.testing.assert_array_equal(F.adaptive_max_pool2d(t(x), outs).numpy(), expected)


@pytest.mark.parametrize("kernel, stride, padding", [(2, 2, 0), (2, 3, 0), (3, 3, 1), (3, 2, 1)])
def test_each_window_gives_its_gradient_to_its_first_maximum(kernel, stride, padding):
    rng = np.random.default_rng(0)
    x = rng.integers(0, 3, (1, 2, 7, 8)).astype("float32")
    leaf = t(x, grad=True)
    y = F.max_pool2d(leaf, kernel, stride, padding)
    weights = rng.normal(size=y.shape).astype("float32")
    weights[0, 0, 0, 0] = np.inf
    expected, wide = np.zeros_like(x), np.pad(x, ((0, 0), (0, 0), (padding,) * 2, (padding,) * 2), constant_values=-1)
    for n, c, i, j in np.ndindex(*y.shape):
        window = wide[n, c, i * stride : i * stride + kernel, j * stride : j * stride + kernel]
        row, column = np.unravel_index(window.argmax(), window.shape)
        expected[n, c, i * stride + row - padding, j * stride + column - padding] += weights[n, c, i, j]
    [gradient] = tape.grad((y * t(weights)).sum(), leaf)
    np.testing.assert_allclose(gradient.numpy(), expected, rtol=1e-6)


@pytest.mark.parametrize("sizes, outs", [((8, 8), (2, 2)), ((7, 9), (3, 4)), ((5, 5), (5, 2)), ((5, 6), (7, 3)), ((6, 6), (1, 1))])
def test_each_adaptive_window_gives_its_gradient_to_its_first_maximum(sizes, outs):
    rng = np.random.default_rng(0)
    x = rng.integers(0, 3, (2, 3, *sizes)).astype("float32")
    leaf = t(x, grad=True)
    weights = rng.normal(size=(2, 3, *outs)).astype("float32")
    expected = np.zeros_like(x)
    for n, c, i, j in np.ndindex(*weights.shape):
        (top, end), (left, right) = ((k * s // o, -(-(k + 1) * s // o)) for k, s, o in zip((i, j), sizes, outs, strict=True))
        window = x[n, c, top:end, left:right]
        row, column = np.unravel_index(window.argmax(), window.shape)
        expected[n, c, top + row, left + column] += weights[n, c, i, j]
    [gradient] = tape.grad((F.adaptive_max_pool2d(leaf, outs) * t(weights)).sum(), leaf)
    np.testing.assert_allclose(gradient.numpy(), expected, rtol=1e-6)


@pytest.mark.parametrize("kernel, stride, padding", [(2, 2, 0), (2, 3, 0), (3, 3, 1), (3, 2, 1)])
def test_few_and_many_windows_have_the_same_winners(kernel, stride, padding, monkeypatch):
    x = np.random.default_rng(0).integers(0, 3, (2, 2, 9, 9)).astype("float32")
    x[0, 0, 1, 1] = x[1, 0, 8, 8] = np.nan

    def gradient():
        leaf = t(x, grad=True)
        F.max_pool2d(leaf, kernel, stride, padding).sum().backward()
        return leaf.grad.numpy()

    few = gradient()
    monkeypatch.setattr(pool_arrays, "_FEW", 0)
    np.testing.assert_array_equal(few, gradient())
