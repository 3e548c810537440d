"""Gradients of normalizations whose scale has no rows to be summed over."""

import numpy as np
import pytest

import to_static as paddle


@pytest.mark.parametrize("static", [False, True])
@pytest.mark.parametrize(
    ("make", "shape"),
    [
        (lambda: paddle.nn.LayerNorm(6), [1, 6]),
        (lambda: paddle.nn.LayerNorm([2, 3]), [1, 1, 2, 3]),
        (lambda: paddle.nn.GroupNorm(2, 6), [1, 6, 1, 1]),
    ],
)
def test_the_gradient_of_the_scale_of_one_row(make, shape, static):
    layer, rng = make(), np.random.RandomState(0)
    layer.weight.set_value(rng.randn(*layer.weight.shape).astype("float32"))
    x = paddle.to_tensor(rng.randn(*shape).astype("float32"))
    x.stop_gradient = False
    y = (paddle.jit.to_static(layer) if static else layer)(x)
    (y * 2).sum().backward()
    standardized = (y.numpy().ravel() - layer.bias.numpy().ravel()) / layer.weight.numpy().ravel()
    np.testing.assert_allclose(layer.weight.grad.numpy().ravel(), 2 * standardized, rtol=1e-4, atol=1e-5)
