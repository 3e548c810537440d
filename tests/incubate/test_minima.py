"""BFGS and L-BFGS: minima that are known, and the inverse Hessian there."""

from __future__ import annotations

import numpy as np
import pytest

import to_static as paddle
from to_static.core.errors import DTypeError, ShapeError

functional = paddle.incubate.optimizer.functional
METHODS = {"bfgs": functional.minimize_bfgs, "lbfgs": functional.minimize_lbfgs}
each_method = pytest.mark.parametrize("minimize", METHODS.values(), ids=METHODS.keys())
MATRIX, RIGHT = np.asarray([[3.0, 1.0, 0.0], [1.0, 2.0, 0.5], [0.0, 0.5, 1.0]]), np.asarray([1.0, -2.0, 3.0])


def rosenbrock(x):
    return (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()


def quadratic(x):
    return 0.5 * (x * paddle.mv(paddle.to_tensor(MATRIX), x)).sum() - (paddle.to_tensor(RIGHT) * x).sum()


@each_method
@pytest.mark.parametrize(
    ("function", "start", "expected"),
    [
        (rosenbrock, [-1.2, 1.0, 0.5], [1.0, 1.0, 1.0]),
        (quadratic, [4.0, 4.0, -4.0], np.linalg.solve(MATRIX, RIGHT)),
        (lambda x: paddle.exp(x).sum() - x.sum(), [3.0, -3.0], [0.0, 0.0]),
    ],
)
def test_minima(minimize, function, start, expected):
    position = paddle.to_tensor(start, dtype="float64")
    converged, calls, found, value, gradient, *hessian = minimize(function, position, max_iters=100, dtype="float64")
    assert (converged.tolist(), converged.shape, calls.dtype, value.shape) == ([True], [1], paddle.int64, [])
    np.testing.assert_allclose(found.numpy(), expected, atol=1e-7)
    np.testing.assert_allclose(gradient.numpy(), np.zeros(len(start)), atol=1e-6)
    assert position.tolist() == start
    if function is rosenbrock and hessian:
        exact = paddle.autograd.hessian(rosenbrock(leaf := paddle.to_tensor(expected, "float64", stop_gradient=False)), leaf)
        np.testing.assert_allclose(hessian[0].numpy(), np.linalg.inv(exact[:].numpy()), rtol=0.05)


@each_method
def test_limits_and_estimates(minimize):
    start = paddle.zeros([3], "float64")
    assert minimize(rosenbrock, start, max_iters=2, dtype="float64")[0].tolist() == [False]
    known = paddle.to_tensor(np.linalg.inv(MATRIX))
    known = (known + known.T) / 2
    found = minimize(quadratic, start, initial_inverse_hessian_estimate=known, dtype="float64", tolerance_grad=1e-12)
    np.testing.assert_allclose(found[2].numpy(), np.linalg.solve(MATRIX, RIGHT), atol=1e-12)
    assert int(found[1]) <= 4  # with the right Hessian the first step arrives


@each_method
@pytest.mark.parametrize(
    ("error", "arguments"),
    [
        (ValueError, {"dtype": "int32"}),
        (NotImplementedError, {"line_search_fn": "armijo"}),
        (DTypeError, {"dtype": "float64"}),
        (ShapeError, {"initial_position": paddle.zeros([2, 2])}),
        (TypeError, {"initial_position": [1.0]}),
        (ValueError, {"initial_inverse_hessian_estimate": paddle.to_tensor([[1.0, 2.0], [2.0, 1.0]])}),
        (ShapeError, {"objective_func": lambda x: x}),
    ],
)
def test_refused(minimize, error, arguments):
    with pytest.raises(error):
        minimize(**{"objective_func": lambda x: x.sum(), "initial_position": paddle.zeros([2]), **arguments})
