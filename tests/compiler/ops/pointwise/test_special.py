"""Special functions against the mathematical library's."""

import math

import numpy as np
import pytest

import to_static as paddle


@pytest.mark.filterwarnings("error")
def test_erf_of_float32_is_within_a_few_units_of_the_last_place():
    x = np.concatenate([np.logspace(-30, 0, 3000), np.linspace(1, 12, 3000), [1e30, np.inf]]).astype("float32")
    exact = np.asarray([math.erf(v) for v in x.astype("float64")])
    for sign in (1, -1):
        found = paddle.erf(paddle.to_tensor(sign * x)).numpy()
        np.testing.assert_allclose(found, sign * exact, rtol=3e-7)
    assert found[-1] == found[-2] == -1
    zero = paddle.erf(paddle.to_tensor([-0.0, float("nan")])).numpy()
    assert zero[0] == 0 and np.signbit(zero[0]) and np.isnan(zero[1])


def test_erf_of_half_precision():
    x = np.linspace(-5, 5, 101).astype("float16")
    exact = np.asarray([math.erf(v) for v in x.astype("float64")])
    np.testing.assert_allclose(paddle.erf(paddle.to_tensor(x)).numpy(), exact, atol=5e-4)


def test_inverse_erf_in_double_precision_next_to_one():
    """Where erf is nearly 1, what it lacks of 1 has all the digits."""
    lacks = np.asarray([2.0**-53, 2.0**-52, 5e-16, 1e-15, 1e-12, 1e-8, 1e-3, 0.3, 0.5, 0.75])
    found = paddle.erfinv(paddle.to_tensor(np.concatenate([1 - lacks, lacks - 1]))).numpy()
    exact = 1 - (1 - lacks)  # as far as numbers next to 1 have it
    again = np.asarray([math.erfc(v) for v in found[: len(lacks)]])
    np.testing.assert_allclose(again, exact, rtol=1e-13)
    np.testing.assert_array_equal(found[len(lacks) :], -found[: len(lacks)])


def test_erf_of_float32_is_one_where_it_rounds_to_one():
    x = np.concatenate([np.linspace(3.8, 4.6, 801), [5, 9, 1e30, np.inf]]).astype("float32")
    expected = np.array([math.erf(v) for v in x.tolist()], "float32")
    for sign in (1, -1):
        actual = paddle.erf(paddle.to_tensor(sign * x)).numpy()
        np.testing.assert_allclose(actual, sign * expected, rtol=1.2e-7)
        assert (actual[x > 4.5] == sign).all()
    assert np.isnan(paddle.erf(paddle.to_tensor([np.nan])).item())
