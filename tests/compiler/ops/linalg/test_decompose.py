"""Decompositions: factors give the matrix again, gradients of eigenvalues, and what is refused."""

import numpy as np
import pytest

import to_static as paddle
from to_static.core.errors import AutogradError, DTypeError, ShapeError


def matrix(*shape, seed=0):
    return np.random.default_rng(seed).uniform(-1, 1, shape).astype("float32")


@pytest.mark.parametrize("shape", [(4, 3), (3, 4), (2, 3, 3)])
@pytest.mark.parametrize("full", [False, True])
def test_svd_gives_the_matrix_again(shape, full):
    x = matrix(*shape)
    u, s, vh = (t.numpy() for t in paddle.linalg.svd(paddle.to_tensor(x), full))
    k = min(shape[-2:])
    assert u.shape[-1] == (shape[-2] if full else k) and vh.shape[-2] == (shape[-1] if full else k)
    np.testing.assert_allclose(u[..., :k] * s[..., None, :] @ vh[..., :k, :], x, atol=1e-5)
    assert (np.diff(s, axis=-1) <= 0).all()


def test_svd_has_no_gradient_of_full_matrices():
    x = paddle.to_tensor(matrix(4, 3), stop_gradient=False)
    with pytest.raises(AutogradError, match="full_matrices=False"):
        paddle.linalg.svd(x, full_matrices=True)[1].sum().backward()


@pytest.mark.parametrize("uplo", ["L", "U"])
def test_eigenvalues_of_symmetric_matrices(uplo):
    x = matrix(2, 3, 3) + matrix(2, 3, 3).swapaxes(-1, -2)
    values, vectors = (t.numpy() for t in paddle.linalg.eigh(paddle.to_tensor(x), uplo))
    np.testing.assert_allclose(vectors * values[:, None] @ vectors.swapaxes(-1, -2), x, atol=1e-5)
    np.testing.assert_allclose(paddle.linalg.eigvalsh(paddle.to_tensor(x), uplo).numpy(), values, atol=1e-6)


def test_gradients_of_eigenvalues_and_vectors_along_symmetric_directions():
    x, way = ((m + m.T).astype("float64") for m in (matrix(3, 3), matrix(3, 3, seed=3)))
    weights = paddle.to_tensor(np.arange(1, 4, dtype="float64"))

    def value(array):
        t = paddle.to_tensor(array, stop_gradient=False)
        w, v = paddle.linalg.eigh(t)
        return t, (w * w * weights).sum() + ((v * v) @ weights)[0]

    t, y = value(x)
    y.backward()
    step = 1e-6
    expected = (float(value(x + step * way)[1]) - float(value(x - step * way)[1])) / (2 * step)
    np.testing.assert_allclose((t.grad.numpy() * way).sum(), expected, rtol=1e-5)
    np.testing.assert_allclose(t.grad.numpy(), t.grad.numpy().T, rtol=1e-9)  # as Paddle's


def test_what_does_not_fit_is_refused():
    with pytest.raises(ShapeError, match="eigh: expected square matrices"):
        paddle.linalg.eigvalsh(paddle.ones([2, 3]))
    with pytest.raises(DTypeError, match="svd: expected float32 or float64"):
        paddle.linalg.svd(paddle.ones([2, 2], "int64"))
    with pytest.raises(ValueError, match="UPLO must be 'L' or 'U'"):
        paddle.linalg.eigh(paddle.ones([2, 2]), "X")
