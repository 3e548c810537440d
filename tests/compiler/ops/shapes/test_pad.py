"""Padding against numpy.pad."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import to_static as paddle
from to_static.compiler.eager.tensor import EagerTensor
from to_static.core.errors import ShapeError
from to_static.nn import functional as F

NUMPY = {"constant": "constant", "reflect": "reflect", "replicate": "edge", "circular": "wrap"}


def t(array):
    return EagerTensor(np.asarray(array))


@given(st.sampled_from(sorted(NUMPY)), st.lists(st.integers(0, 2), min_size=4, max_size=4), st.booleans())
def test_images_as_numpy_pads_them(mode, pads, last):
    x = np.random.default_rng(0).normal(size=(2, 3, 4, 5)).astype("float32")
    spatial = [(pads[2], pads[3]), (pads[0], pads[1])]  # the numbers go from the last dimension to the first
    every = [(0, 0), *spatial, (0, 0)] if last else [(0, 0), (0, 0), *spatial]
    got = F.pad(t(x), pads, mode, data_format="NHWC" if last else "NCHW")
    if last and mode in ("reflect", "circular") and max(pads[2:]) > 2:
        return
    np.testing.assert_array_equal(got.numpy(), np.pad(x, every, NUMPY[mode]))


def test_all_dimensions_from_first_to_last():
    x = np.ones((2, 3), "int64")
    np.testing.assert_array_equal(F.pad(t(x), [1, 0, 0, 2], value=7).numpy(), np.pad(x, [(1, 0), (0, 2)], constant_values=7))


def test_an_integer_pads_every_spatial_side():
    assert F.pad(t(np.ones((1, 1, 2, 3), "float32")), 1).shape == [1, 1, 4, 5]
    assert F.pad(t(np.ones((1, 1, 3), "float32")), t(np.asarray([1, 2])), data_format="NCL").shape == [1, 1, 6]


@pytest.mark.parametrize(
    ("shape", "pads", "options", "error", "message"),
    [
        ((1, 1, 2, 3), [3, 0, 0, 0], {"mode": "reflect"}, ShapeError, "too much for mode 'reflect'"),
        ((1, 1, 2, 3), [1, 0, 0], {}, ShapeError, "expected 4 numbers"),
        ((1, 1, 2, 3), [1, 0, 0, -3], {}, ShapeError, "cut more off"),
        ((2, 3), [1, 0, 0, -1], {}, ShapeError, "not negative"),
        ((2, 3), [1, 1], {"mode": "reflect"}, ShapeError, "3 to 5 dimensions"),
        ((1, 1, 2, 3), [1] * 4, {"mode": "edge"}, ValueError, "mode must be one of"),
        ((1, 1, 2, 3), [1] * 4, {"data_format": "NCL"}, ValueError, "must be 'NCHW' or 'NHWC'"),
    ],
)
def test_what_does_not_fit_is_refused(shape, pads, options, error, message):
    with pytest.raises(error, match=message):
        F.pad(t(np.ones(shape, "float32")), pads, **options)


def test_widths_that_are_known_only_when_the_program_runs():
    @paddle.jit.to_static(input_spec=[paddle.static.InputSpec([1, 2, None, None])])
    def padded(x):
        down, right = -x.shape[2] % 4, -x.shape[3] % 4
        last = F.pad(x.transpose([0, 2, 3, 1]), [right, 1, 0, down], value=2.0, data_format="NHWC")
        return F.pad(x, [0, right, 0, down]), last, F.pad(x[0, 0], [down, right, 0, 1]), F.pad(x, down)

    for shape in ((1, 2, 3, 5), (1, 2, 4, 4), (1, 2, 1, 2)):
        x, y = t(np.ones(shape, "float32")), t(np.ones(shape, "float32"))
        x.stop_gradient = y.stop_gradient = False
        wanted, got = padded.dygraph_function(x), padded(y)
        assert [w.numpy().tolist() for w in wanted] == [g.numpy().tolist() for g in got]
        for results in (wanted, got):
            sum((r * r).sum() for r in results).backward()
        np.testing.assert_array_equal(x.grad, y.grad)


@pytest.mark.parametrize("mode", sorted(NUMPY))
@pytest.mark.parametrize("numbers", [(-1, 1), (1, -2), (-1, -1), (-4, 2), (2, -4), (0, -3)])
def test_negative_widths_cut_off_now_and_when_the_program_runs(mode, numbers):
    if mode != "constant" and numbers[1] == -3:
        return  # nothing is left of it
    x = np.arange(6, dtype="float32").reshape(1, 2, 3)
    wide = np.pad(x, [(0, 0), (0, 0), (6, 6)], NUMPY[mode])
    expected = wide[..., 6 - numbers[0] : 9 + numbers[1]]
    static = paddle.jit.to_static(lambda x, a, b: F.pad(x, [a, b], mode, data_format="NCL"), full_graph=True)
    slopes = []
    for function in (lambda x: F.pad(x, list(numbers), mode, data_format="NCL"), lambda x: static(x, *map(t, numbers))):
        leaf = paddle.to_tensor(x, stop_gradient=False)
        found = function(leaf)
        np.testing.assert_array_equal(found.numpy(), expected)
        (found * paddle.arange(1.0, found.shape[-1] + 1)).sum().backward()
        slopes.append(leaf.grad.numpy())
    np.testing.assert_array_equal(*slopes)


def test_circular_padding_goes_round_as_often_as_it_is_asked_to():
    x = np.arange(6, dtype="float32").reshape(1, 1, 2, 3)
    expected = np.pad(x, [(0, 0), (0, 0), (0, 3), (4, 0)], mode="wrap")
    np.testing.assert_array_equal(F.pad(t(x), [4, 0, 0, 3], mode="circular").numpy(), expected)
    static = paddle.jit.to_static(lambda x, n: F.pad(x, [4, 0, 0, n], mode="circular"))
    np.testing.assert_array_equal(static(t(x), t(np.asarray(3))).numpy(), expected)


def test_the_value_may_be_a_tensor():
    x = np.ones((1, 1, 1, 2), "float32")
    static = paddle.jit.to_static(lambda x, v: F.pad(x, [1, 0, 0, 1], value=v))
    for function in (static, static.dygraph_function):
        for value in (np.asarray([2.5]), np.asarray(-1.0, "float32")):
            expected = np.pad(x, [(0, 0), (0, 0), (0, 1), (1, 0)], constant_values=float(value.item()))
            np.testing.assert_array_equal(function(t(x), t(value)).numpy(), expected)
