import numpy as np
import pytest

import to_static as paddle
from to_static.core.errors import DTypeError


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_logit_has_no_gradient_where_it_has_no_value():
    for eps, outside in ((None, np.nan), (0.1, np.log(1 / 9))):
        x = paddle.to_tensor([-0.5, 0.74074, 1.5], stop_gradient=False)
        y = paddle.logit(x, eps)
        y.sum().backward()
        np.testing.assert_allclose(y.numpy(), [outside, 1.0498, -outside], rtol=1e-3)
        np.testing.assert_allclose(x.grad.numpy(), [0, 5.2078, 0], rtol=1e-3)  # Paddle 2.6.2


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int32", "int64", "complex64"])
def test_nan_to_num_refuses_what_is_no_float(dtype):
    x = paddle.to_tensor(np.asarray([0, 1, 1], dtype))
    with pytest.raises(DTypeError, match="nan_to_num"):  # Paddle 2.6.2 has an assertion
        paddle.nan_to_num(x)
    with pytest.raises(DTypeError, match="nan_to_num"):
        paddle.nan_to_num(x, posinf=9.0, neginf=-9.0)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("eps", [None, 0.25])
def test_logit_is_the_same_in_both_modes(eps):
    numbers = np.concatenate([[-0.1, 0, 1, 1.1, np.nan], np.linspace(0.01, 0.99, 50)]).astype("float32")
    x = paddle.to_tensor(numbers, stop_gradient=False)
    static = paddle.jit.to_static(lambda x: paddle.logit(x, eps), full_graph=True)
    np.testing.assert_array_equal(paddle.logit(x, eps).numpy(), static(x).numpy())
    dynamic, other = (paddle.grad(f(x).sum(), [x])[0].numpy() for f in (lambda x: paddle.logit(x, eps), static))
    np.testing.assert_allclose(dynamic, other, rtol=1e-6)


def test_heaviside_is_the_same_in_both_modes():
    x, y = paddle.to_tensor([[-1.0], [0.0], [2.0], [float("nan")]]), paddle.to_tensor([0.5, 3.0], stop_gradient=False)
    static = paddle.jit.to_static(lambda x, y: paddle.heaviside(x, y), full_graph=True)
    np.testing.assert_array_equal(paddle.heaviside(x, y).numpy(), static(x, y).numpy())
    for function in (paddle.heaviside, static):
        assert paddle.grad(function(x, y).sum(), [y])[0].tolist() == [1, 1]
