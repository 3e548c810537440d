"""Reductions and running totals: axes, precision, gradients at ties and zeros."""

from __future__ import annotations

import numpy as np
import pytest

import to_static as paddle
from to_static.compiler.ops import blocked_sum
from to_static.compiler.ops.reductions.scan import cumsum
from to_static.core.errors import DTypeError, ShapeError

T = paddle.to_tensor
X = np.random.default_rng(0).normal(size=(2, 3, 4))


def grad(function, value):
    x = T(value, stop_gradient=False)
    return paddle.grad(function(x).sum(), [x])[0].numpy().tolist()


@pytest.mark.parametrize("axis", [None, 0, -1, (0, 2), [1], [], (2, 0, 1)])
@pytest.mark.parametrize("keepdim", [False, True])
@pytest.mark.parametrize("name", ["sum", "mean", "max", "min", "prod", "std", "var"])
def test_against_numpy(name, axis, keepdim):
    places = None if axis is None or axis == [] else tuple(axis) if isinstance(axis, (list, tuple)) else axis
    extra = {"ddof": 1} if name in ("std", "var") else {}
    expected = getattr(np, name)(X, axis=places, keepdims=keepdim, **extra)
    actual = getattr(paddle, name)(T(X), axis, keepdim=keepdim)
    assert actual.shape == list(expected.shape)
    np.testing.assert_allclose(actual.numpy(), expected, rtol=1e-12)


def test_axes_are_checked():
    x = T(X)
    for axis, text in ((3, "out of range"), (-4, "out of range"), ((0, 0), "twice"), ((0, -3), "twice")):
        with pytest.raises(ShapeError, match=text):
            paddle.sum(x, axis)
    with pytest.raises(DTypeError, match="integer"):
        paddle.sum(x, 0.5)
    with pytest.raises(DTypeError, match="bool"):
        paddle.max(T([True]))
    with pytest.raises(ShapeError, match="no elements"):
        paddle.max(paddle.zeros([2, 0]), 1)
    assert paddle.max(paddle.zeros([0, 2]), 1).shape == [0]


def test_ties_of_extremes():
    assert grad(paddle.max, [1.0, 3.0, 3.0]) == [0, 1, 1]
    assert grad(paddle.amax, [1.0, 3.0, 3.0]) == [0, 0.5, 0.5]
    assert grad(lambda x: paddle.amin(x, 1), [[2.0, 2.0], [1.0, 5.0]]) == [[0.5, 0.5], [1, 0]]


def test_products_with_zeros_have_exact_gradients_of_any_order():
    assert grad(paddle.prod, [2.0, 0.0, 3.0]) == [0, 6, 0]
    assert grad(paddle.prod, [0.0, 0.0, 3.0]) == [0, 0, 0]
    assert grad(lambda x: paddle.cumprod(x, 0), [2.0, 0.0, 3.0]) == [1, 2 + 6, 0]
    x = T([2.0, 0.0, 3.0], stop_gradient=False)
    [g] = paddle.grad(paddle.prod(x), [x], create_graph=True)
    [second] = paddle.grad(g[0], [x])  # d(x1 * x2)
    assert second.numpy().tolist() == [0, 3, 0]


def test_a_product_over_no_dimensions_has_the_gradient_1():
    x = T(3.0, stop_gradient=False)
    paddle.prod(x).backward()
    assert x.grad.shape == [] and x.grad.item() == 1


def test_logsumexp_does_not_overflow():
    assert paddle.logsumexp(T([1000.0, 1000.0])).item() == pytest.approx(1000 + np.log(2))
    assert paddle.logsumexp(T([-np.inf, 0.0])).item() == 0
    assert paddle.logsumexp(T([np.inf, 0.0])).item() == np.inf
    with np.errstate(divide="ignore"):
        assert paddle.logsumexp(T([-np.inf, -np.inf])).item() == -np.inf
    assert grad(paddle.logsumexp, [1000.0, 1000.0]) == pytest.approx([0.5, 0.5], rel=1e-4)


def test_result_dtypes():
    assert paddle.sum(T([1, 2], dtype="int32")).dtype == paddle.int64
    assert paddle.sum(T([1, 2]), dtype="float32").dtype == paddle.float32
    assert paddle.mean(T([1, 2])).numpy() == 1
    assert paddle.mean(T([-1, -2])).numpy() == -1
    assert paddle.cumsum(T([[1, 2], [3, 4]])).numpy().tolist() == [1, 3, 6, 10]
    assert paddle.any(T([0, 2])).numpy()


@pytest.mark.parametrize("shape", [(3, 200), (5, 4, 3), (2, 3, 128), (4, 300, 2), (0, 200), (3, 0)])
@pytest.mark.parametrize("dtype", ["float32", "int64"])
def test_sums_so_far_equal_numpy_to_the_bit(shape, dtype):
    drawn = np.random.default_rng(0).normal(size=shape, scale=9).astype(dtype)
    for x in (drawn, drawn.T, drawn[..., ::-1]):
        for axis in range(x.ndim):
            long = dtype == "float32" and x.shape[axis] >= blocked_sum.DEEP  # those are added up in double precision
            total = x.cumsum(axis, "float64" if long else dtype).astype(dtype)
            back = np.flip(np.flip(x, axis).cumsum(axis, "float64" if long else dtype).astype(dtype), axis)
            np.testing.assert_array_equal(paddle.cumsum(T(x), axis).numpy(), total)
            np.testing.assert_array_equal(cumsum.emit(T(x), axis=axis, exclusive=False, reverse=True).numpy(), back)
            np.testing.assert_array_equal(
                cumsum.emit(T(x), axis=axis, exclusive=True, reverse=False).numpy(), total - x
            )


def test_nan_is_left_out_where_asked():
    x = T([1.0, np.nan, 3.0])
    assert paddle.nansum(x).item() == 4
    assert paddle.nanmean(x).item() == 2
    assert np.isnan(paddle.median(x).item())
    assert paddle.median(T([5.0, 1.0, 3.0, 2.0])).item() == 2.5
    assert paddle.quantile(T([1.0, 2.0, 3.0, 4.0]), [0.0, 0.5, 1.0]).numpy().tolist() == [1, 2.5, 4]


def test_gradient_of_the_norm_at_zero_is_zero():
    assert grad(lambda x: paddle.norm(x, axis=1), [[0.0, 0.0], [3.0, 4.0]]) == [[0, 0], pytest.approx([0.6, 0.8])]
    assert grad(lambda x: paddle.norm(x, 3, 1), [[0.0, 2.0]]) == [pytest.approx([0, 1])]


SCANNED = [(100, 100), (97, 30), (3, 50, 7), (2, 100), (110, 1), (4, 40, 5, 3), (60, 4, 1), (33, 33), (100, 600), (120,)]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("shape", SCANNED, ids=str)
def test_running_totals_by_products_are_those_of_numpy(shape):
    rng = np.random.default_rng(3)
    for dtype, tolerance in (("float32", 1e-4), ("float64", 1e-11)):
        x = rng.normal(size=shape).astype(dtype)
        unlike = x.copy()
        unlike.flat[3], unlike.flat[-2] = np.inf, np.nan
        for axis in range(-len(shape), len(shape)):
            total = paddle.cumsum(T(x), axis).numpy()
            np.testing.assert_allclose(total, np.cumsum(x.astype("float64"), axis), atol=tolerance)
            planned = cumsum.op.kernel_for("numpy")(np, x, axis, False, False)
            np.testing.assert_array_equal(planned, total)
            total, expected = paddle.cumsum(T(unlike), axis).numpy(), np.cumsum(unlike, axis)
            np.testing.assert_array_equal(np.isnan(total), np.isnan(expected))
            np.testing.assert_array_equal(np.isinf(total), np.isinf(expected))


@pytest.mark.parametrize("name, wins", [("cummax", np.greater_equal), ("cummin", np.less_equal)])
@pytest.mark.parametrize("dtype", ["float32", "int64", "uint8"])
def test_running_extremes_name_the_later_of_equal_elements_and_keep_nan(name, wins, dtype):
    rng = np.random.default_rng(1)
    for shape, axis in (((5, 7), 1), ((5, 7), 0), ((3, 4, 5), -2), ((9,), 0)):
        for missing in (0.0, 0.3):
            x = rng.integers(0, 6, shape).astype(dtype)
            if dtype == "float32":
                x[rng.random(shape) < missing] = np.nan
            line = np.moveaxis(x, axis, 0)
            best, position = line.copy(), np.zeros(line.shape, "int32")
            for k in range(1, len(line)):
                new = wins(line[k], best[k - 1]) | (np.isnan(line[k]) & ~np.isnan(best[k - 1]))
                best[k], position[k] = np.where(new, line[k], best[k - 1]), np.where(new, k, position[k - 1])
            values, places = getattr(paddle, name)(T(x), axis, dtype="int32")
            np.testing.assert_array_equal(values.numpy(), np.moveaxis(best, 0, axis), strict=True)
            np.testing.assert_array_equal(places.numpy(), np.moveaxis(position, 0, axis), strict=True)
