"""lgamma, digamma and polygamma against Python's own and known values."""

from __future__ import annotations

import math

import numpy as np
import pytest

import to_static as paddle

T = paddle.to_tensor


def test_lgamma_is_that_of_the_math_module():
    x = np.concatenate([np.linspace(-5.3, 40, 1001), [1e-10, 1.0, 2.0, 0.5, 1e5]])
    expected = [math.lgamma(v) for v in x]
    np.testing.assert_allclose(paddle.lgamma(T(x)).numpy(), expected, rtol=1e-13, atol=1e-12)
    assert paddle.lgamma(T([0.0, -3.0, math.inf])).numpy().tolist() == [math.inf] * 3
    assert np.isnan(paddle.lgamma(T(math.nan)).item())


def test_digamma():
    euler = 0.5772156649015329
    x = T([1.0, 2.0, 0.5, -0.5, 10.0], "float64")
    expected = [-euler, 1 - euler, -euler - 2 * math.log(2), 0.03648997397857652, 2.251752589066721]
    np.testing.assert_allclose(paddle.digamma(x).numpy(), expected, rtol=1e-13)
    assert np.isnan(paddle.digamma(T([0.0, -2.0])).numpy()).all()


def test_digamma_of_float32_has_its_digits_next_to_its_zero():
    zero, slope = 1.4616321449683623, 0.9676720454
    x = np.float32(zero) + np.arange(-2, 3, dtype="float32") * np.spacing(np.float32(zero))
    found = paddle.digamma(T(np.append(x, np.float32(3.0)))).numpy()
    np.testing.assert_allclose(found[:-1], slope * (x.astype("float64") - zero), rtol=1e-6)
    assert found[-1] == np.float32(1.5 - 0.5772156649015329)


def test_polygamma():
    x = T([1.0, 2.0], "float64")
    np.testing.assert_allclose(paddle.polygamma(x, 1).numpy(), [math.pi**2 / 6, math.pi**2 / 6 - 1], rtol=1e-14)
    np.testing.assert_allclose(paddle.polygamma(x, 3).numpy(), [math.pi**4 / 15, math.pi**4 / 15 - 6], rtol=1e-13)
    assert (paddle.polygamma(x, 0).numpy() == paddle.digamma(x).numpy()).all()
    below = [math.pi**2 / 2 + 4, 9.3792465449891, 28.298172]
    np.testing.assert_allclose(paddle.polygamma(T([-0.5, -1.5, -3.2], "float64"), 1).numpy(), below, rtol=1e-6)
    np.testing.assert_allclose(paddle.polygamma(T([-0.5, -3.2], "float64"), 2).numpy(), [-0.82879664, 246.97596], rtol=1e-5)
    assert np.isposinf(paddle.polygamma(T([0.0, -2.0]), 1).numpy()).all()
    with pytest.raises(ValueError, match="at least 1"):
        paddle.polygamma(x, -1)


def test_lgamma_of_the_largest_and_around_its_zeros():
    with np.errstate(over="ignore"):
        assert paddle.lgamma(T([1e37, 3e38])).numpy().tolist() == [math.inf, math.inf]
    assert paddle.lgamma(T([1e30, 1e-40])).numpy() == pytest.approx([6.807755e31, 92.103404], rel=1e-6)
    near = paddle.lgamma(T([1 + 2.0**-40, 2 - 2.0**-40], "float64")).numpy()
    t, gamma, zeta = 2.0**-40, 0.57721566490153286, math.pi**2 / 6
    assert near == pytest.approx([-gamma * t + zeta / 2 * t * t, (gamma - 1) * t + (zeta - 1) / 2 * t * t], rel=1e-14, abs=0)


def test_lgamma_just_below_a_half():
    x = np.nextafter(0.5, 0) * np.asarray([1, 0.999, -1])
    assert paddle.lgamma(T(x, "float64")).numpy() == pytest.approx([math.lgamma(v) for v in x], rel=1e-14)
