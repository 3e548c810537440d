"""A static function called first without gradients, then with them, and the other way round."""

import numpy as np
import pytest

import to_static as paddle


@pytest.mark.parametrize("first", [paddle.no_grad, paddle.enable_grad])
def test_the_first_call_does_not_decide_about_gradients(first):
    net = paddle.jit.to_static(paddle.nn.Linear(3, 2))
    x = paddle.ones([4, 3])
    with first():
        net(x)
    with paddle.no_grad():
        assert net(x).stop_gradient
    out = net(x)
    assert not out.stop_gradient
    out.sum().backward()
    np.testing.assert_array_equal(net.weight.grad.numpy(), np.full((3, 2), 4))


def test_no_grad_inside_a_static_function_stays():
    @paddle.jit.to_static
    def function(x):
        with paddle.no_grad():
            factor = x * 2
        return x * factor

    x = paddle.to_tensor([1.0, 3.0], stop_gradient=False)
    with paddle.no_grad():
        function(x)
    function(x).sum().backward()
    np.testing.assert_array_equal(x.grad.numpy(), [2, 6])
