"""The logistic function keeps its digits in both tails: dynamic, in plans of every size, in chains."""

import warnings

import numpy as np
import pytest

import to_static as paddle
import to_static.nn.functional as F
from to_static.compiler.ops import clamp

FAR = [-100.0, -89.0, -88.5, -60.0, -20.0, -17.5, -9.0, -1.0, -0.0, 0.0, 1.0, 9.5, 20.5, 88.5, 90.0, 1e38]


def exact(x):
    x = np.asarray(x, "longdouble")
    with np.errstate(over="ignore"):
        return 1 / (1 + np.exp(-x))


def apart(y, want):
    return float(np.max(np.abs(y.astype("longdouble") - want) / np.spacing(np.abs(want).astype(y.dtype))))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("size", [16, clamp.WORTH, clamp.MOST + 16, 1 << 18])
@pytest.mark.parametrize("far", [FAR, [v for v in FAR if v < 80]])
def test_every_size(size, dtype, far):
    x = np.resize(np.asarray(far, dtype), size)
    want = exact(x)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        t = paddle.to_tensor(x)
        dynamic = F.sigmoid(t)
        static = paddle.jit.to_static(lambda v: F.sigmoid(v))(t)
        chained = paddle.jit.to_static(lambda v: F.sigmoid(paddle.maximum(v, -v) * paddle.sign(v)))(t)
        silu = F.silu(t)
    for y in (dynamic, static, chained):
        assert apart(y.numpy(), want) <= 5
    assert np.array_equal(dynamic.numpy(), static.numpy())
    assert apart(silu.numpy(), want * x) <= 64


def test_losses_of_sure_answers():
    x = paddle.to_tensor([-20.0, -30.0], stop_gradient=False)
    paddle.log(F.sigmoid(x)).sum().backward()
    assert x.grad.numpy() == pytest.approx([1, 1])
    x.clear_grad()
    loss = F.binary_cross_entropy(F.sigmoid(x), paddle.ones([2]), reduction="sum")
    loss.backward()
    assert loss.item() == pytest.approx(50)
    assert x.grad.numpy() == pytest.approx([-1, -0.09357623])  # Paddle divides by at least 1e-12


def test_what_is_not_finite():
    for size in (3, clamp.WORTH * 3, clamp.MOST * 3):
        y = F.sigmoid(paddle.to_tensor(np.resize(np.asarray([np.nan, -np.inf, np.inf], "float32"), size))).numpy()
        assert np.isnan(y[::3]).all() and (y[1::3] == 0).all() and (y[2::3] == 1).all()


def test_in_a_chain_that_ends_in_another_dtype():
    x = paddle.to_tensor(np.linspace(-30, 30, 1 << 18).astype("float32"))
    f = paddle.jit.to_static(lambda v: F.sigmoid(v * 2.0) > 0.5)
    assert np.array_equal(f(x).numpy(), (F.sigmoid(x * 2.0) > 0.5).numpy())
    g = paddle.jit.to_static(lambda v: F.gelu(v * 2.0) > 0.5)
    assert np.array_equal(g(x).numpy(), (F.gelu(x * 2.0) > 0.5).numpy())
