import numpy as np
import pytest

import to_static as paddle
from to_static.core.errors import DTypeError


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
