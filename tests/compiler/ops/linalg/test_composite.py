"""Factors and other linear algebra, against what they are defined by; numbers are those of Paddle 2.6.2."""

from __future__ import annotations

import numpy as np
import pytest

import to_static as paddle
from to_static.core.errors import AutogradError, ShapeError

linalg = paddle.linalg
RANDOM = np.random.default_rng(5)


def matrices(*shape):
    return RANDOM.standard_normal(shape)


@pytest.mark.parametrize("shape", [(3, 3), (2, 4, 3), (2, 3, 4)])
def test_factors(shape):
    x = matrices(*shape)
    static = paddle.jit.to_static(lambda x: (*linalg.qr(x), *linalg.lu(x)))
    for function in (static, static.dygraph_function):
        q, r, both, pivots = function(paddle.to_tensor(x))
        k = min(shape[-2:])
        np.testing.assert_allclose((q @ r).numpy(), x, atol=1e-12)
        turned = np.swapaxes(q.numpy(), -1, -2)
        np.testing.assert_allclose(turned @ q.numpy(), np.broadcast_to(np.eye(k), (*shape[:-2], k, k)), atol=1e-12)
        place, low, up = linalg.lu_unpack(both, pivots)
        np.testing.assert_allclose((place @ low @ up).numpy(), x, atol=1e-12)
        assert pivots.dtype is paddle.int32
    assert linalg.qr(paddle.to_tensor(x), "complete")[0].shape[-1] == shape[-2]
    np.testing.assert_allclose(linalg.qr(paddle.to_tensor(x), "r").numpy(), r.numpy(), atol=1e-12)


def test_lu_of_a_singular_matrix_says_where():
    both, _, info = linalg.lu(paddle.to_tensor([[1.0, 2.0], [2.0, 4.0]]), get_infos=True)
    assert int(info) == 2 and both.shape == [2, 2]
    x = paddle.to_tensor(matrices(2, 3), stop_gradient=False)
    with pytest.raises(AutogradError, match="square matrices only"):
        linalg.lu(x)[0].sum().backward()


def test_chains():
    a, b, c = matrices(2, 3), matrices(3, 7), matrices(7)
    t = [paddle.to_tensor(v) for v in (a, b, c)]
    np.testing.assert_allclose(linalg.multi_dot(t).numpy(), a @ b @ c)
    np.testing.assert_allclose(linalg.multi_dot([t[0][0], t[1]]).numpy(), a[0] @ b)
    with pytest.raises(ShapeError, match="at least two"):
        linalg.multi_dot(t[:1])
    with pytest.raises(ShapeError, match="between vectors or matrices"):
        linalg.multi_dot([t[0], t[2], t[2]])


def test_covariances():
    x, f, a = matrices(3, 4), np.asarray([1, 2, 3, 1]), np.asarray([0.5, 1, 2, 1])
    t = paddle.to_tensor(x)
    np.testing.assert_allclose(linalg.cov(t).numpy(), np.cov(x))
    np.testing.assert_allclose(linalg.cov(t, rowvar=False, ddof=False).numpy(), np.cov(x, rowvar=False, ddof=0))
    np.testing.assert_allclose(linalg.cov(t[0]).numpy(), np.cov(x[0]))
    found = linalg.cov(t, fweights=paddle.to_tensor(f), aweights=paddle.to_tensor(a))
    np.testing.assert_allclose(found.numpy(), np.cov(x, fweights=f, aweights=a))
    np.testing.assert_allclose(linalg.corrcoef(t).numpy(), np.corrcoef(x))
    with pytest.raises(ShapeError, match="fweights"):
        linalg.cov(t, fweights=paddle.to_tensor([1, 2]))


def test_condition_ranks_and_inverses():
    x = matrices(3, 3)
    for p in (None, 2, -2, "fro", "nuc", 1, -1, np.inf, -np.inf):
        np.testing.assert_allclose(linalg.cond(paddle.to_tensor(x), p).numpy(), np.linalg.cond(x, p), rtol=1e-9)
    with pytest.raises(ValueError, match="p must be"):
        linalg.cond(paddle.to_tensor(x), 3)
    wide = matrices(2, 3, 4)
    np.testing.assert_allclose(linalg.pinv(paddle.to_tensor(wide)).numpy(), np.linalg.pinv(wide), atol=1e-12)
    symmetric = x @ x.T
    found = linalg.pinv(paddle.to_tensor(symmetric), hermitian=True)
    np.testing.assert_allclose(found.numpy(), np.linalg.inv(symmetric), rtol=1e-6)
    low = matrices(4, 2) @ matrices(2, 5)
    assert int(linalg.matrix_rank(paddle.to_tensor(low))) == 2
    assert int(linalg.matrix_rank(paddle.to_tensor(low), tol=1e9)) == 0
    assert linalg.matrix_rank(paddle.to_tensor(low), tol=paddle.to_tensor([1e9, 1e-6])).tolist() == [0, 2]
    assert int(linalg.matrix_rank(paddle.to_tensor(symmetric), hermitian=True)) == 3


@pytest.mark.parametrize("upper", [False, True])
def test_cholesky_solve(upper):
    a = matrices(3, 3)
    a, b = a @ a.T + np.eye(3), matrices(3, 2)
    factor = linalg.cholesky(paddle.to_tensor(a), upper=upper)
    np.testing.assert_allclose(linalg.cholesky_solve(paddle.to_tensor(b), factor, upper).numpy(), np.linalg.solve(a, b), rtol=1e-9)


@pytest.mark.parametrize("upper", [False, True])
def test_cholesky_solve_reads_one_triangle_of_the_factor(upper):
    """So the other one gets no gradient, and adds none; Paddle's rule multiplies with both, which is not the derivative."""
    factor, b = matrices(3, 3) + 3 * np.eye(3), paddle.to_tensor(matrices(3, 2))

    def total(numbers):
        return (linalg.cholesky_solve(b, numbers, upper) * paddle.to_tensor([1.0, -2.0], "float64")).sum()

    x = paddle.to_tensor(factor, stop_gradient=False)
    total(x).backward()
    for place in np.ndindex(3, 3):
        step = np.zeros((3, 3))
        step[place] = 1e-6
        slope = (total(paddle.to_tensor(factor + step)) - total(paddle.to_tensor(factor - step))).item() / 2e-6
        np.testing.assert_allclose(x.grad.numpy()[place], slope, rtol=1e-6, atol=1e-8)


def test_runs_of_equal_elements():
    x = paddle.to_tensor([[1, 1, 2], [1, 1, 2], [2, 1, 1]])
    out, run, count = paddle.unique_consecutive(x, return_inverse=True, return_counts=True)
    assert (out.tolist(), run.tolist(), count.tolist()) == ([1, 2, 1, 2, 1], [0, 0, 1, 2, 2, 3, 3, 4, 4], [2, 1, 2, 2, 2])
    out, count = paddle.unique_consecutive(x, return_counts=True, axis=0, dtype="int32")
    assert (out.tolist(), count.tolist(), count.dtype) == ([[1, 1, 2], [2, 1, 1]], [2, 1], paddle.int32)
    assert paddle.unique_consecutive(x[0, :0]).shape == [0]


@pytest.mark.parametrize(("shape", "offset", "dims"), [((3, 4), 1, (0, 1)), ((3, 4, 2), -1, (1, 0)), ((2, 3, 4), 0, (1, 2))])
def test_a_diagonal_is_filled_with_a_tensor(shape, offset, dims):
    x, expected = matrices(*shape), None
    y = matrices(*np.diagonal(x, offset, *dims).shape)
    expected = x.copy()
    view = np.moveaxis(expected, dims, (0, 1))
    n = y.shape[-1]
    view[np.arange(n) - min(offset, 0), np.arange(n) + max(offset, 0)] = np.moveaxis(y, -1, 0)
    tensor = paddle.to_tensor(x)
    np.testing.assert_array_equal(tensor.fill_diagonal_tensor(paddle.to_tensor(y), offset, *dims).numpy(), expected)
    np.testing.assert_array_equal(tensor.numpy(), x)
    assert tensor.fill_diagonal_tensor_(paddle.to_tensor(y), offset, *dims) is tensor
    np.testing.assert_array_equal(tensor.numpy(), expected)
