"""`jacobian`, `hessian` and their relatives: the numbers and shapes that Paddle gives."""

import json
import pathlib

import numpy as np
import pytest

import to_static as paddle
from tests.autograd.derivative_cases import CASES, numbers
from to_static.core.errors import ModeError

RECORDED = json.loads((pathlib.Path(__file__).parent / "paddle_derivatives.json").read_text())


@pytest.mark.parametrize("name", CASES)
def test_as_paddle(name):
    for mine, theirs in zip(numbers(CASES[name](paddle)), RECORDED[name], strict=True):
        assert np.shape(mine) == np.shape(theirs)
        np.testing.assert_allclose(mine, theirs, rtol=1e-4, atol=1e-5)


def test_static_functions_have_them():
    def f(x):
        y = (x * x * x).sum()
        return paddle.autograd.jacobian(x * x, x)[:], paddle.autograd.hessian(y, x)[:]

    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    for a, b in zip(f(x), paddle.jit.to_static(f, full_graph=True)(x), strict=True):
        np.testing.assert_array_equal(a.numpy(), b.numpy())


def test_refusals():
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    with pytest.raises(ValueError, match="ys.ndim should be 0 or 1"):
        paddle.autograd.jacobian(x.reshape([1, 2]), x)
    with pytest.raises(ValueError, match="batch_axis should be None or 0"):
        paddle.autograd.jacobian(x, x, batch_axis=1)
    with pytest.raises(ValueError, match="numel"):
        paddle.autograd.hessian(x * x, x)
    with pytest.raises(RuntimeError, match="same shape as ys"):
        paddle.incubate.autograd.vjp(lambda x: x * x, x, paddle.ones([3]))
    with pytest.raises(ModeError, match="use incubate.autograd.jvp"):
        paddle.incubate.autograd.forward_grad(x, x)
    assert paddle.autograd.jacobian(paddle.ones([2]), x)[:].tolist() == [[0.0, 0.0], [0.0, 0.0]]
